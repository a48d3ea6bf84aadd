"""Sentences with formulas between backquotes: plain in a text, set as mathematics elsewhere.

Formulas are written as in the text: `M q_ddot = Q + A^T lambda`, `d/dt dL/d(q_dot)`, `phi(q, t) = 0`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set

from granum.algebra import symbol
from granum.algebra.show import latex as latex_of
from granum.analytic.derivations.derivation import Label

_TOKEN = re.compile(r"""
    (?P<time>d/dt\b)
  | \bd(?P<of>\w+)/d(?:\((?P<by>\w+)\)|(?P<plain>\w+))
  | \^(?:\((?P<exponent>[^)]*)\)|(?P<power>-?\w+|\+))
  | \btilde\((?P<tilde>\w+)\)
  | (?P<half>\b1/2\b)
  | (?P<cross>\ x\ )
  | (?P<name>[^\W\d]\w*)
""", re.VERBOSE)
_WORDS = {"sum": r"\textstyle\sum", "sym": r"\operatorname{sym}", "abs": r"\operatorname{abs}"}


def pieces(prose: str, names: Mapping[str, str]) -> Iterator[str | Label]:
    """Words and formulas of a sentence in turn; `names` has symbols that LaTeX does not write by their name."""
    for k, part in enumerate(prose.split("`")):
        if part:
            yield Label(part, names.get(part) or formula(part)) if k % 2 else part


def with_formulas(meaning: str, known: Set[str]) -> str:
    """A meaning in a table of symbols, with other symbols in it as formulas: the rate of `B_phi`, not of B_phi."""
    return re.sub(r"\w\w+", lambda word: f"`{word[0]}`" if word[0] in known else word[0], meaning)


def plain(prose: str) -> str:
    """The sentence as text."""
    return prose.replace("`", "")


def formula(text: str) -> str:
    """LaTeX of a formula of a sentence."""
    return _TOKEN.sub(_token, text).replace("*", " ").replace("...", r"\ldots").replace("; ", r";\; ")


def _token(found: re.Match[str]) -> str:
    part = found.groupdict()
    if part["time"]:
        return r"\frac{d}{dt}"
    if part["of"]:
        return rf"\frac{{\partial {_name(part['of'])}}}{{\partial {_name(part['by'] or part['plain'])}}}"
    if part["exponent"] or part["power"]:
        return f"^{{{(part['exponent'] or part['power'])}}}"
    if part["tilde"]:
        return rf"\tilde{{{_name(part['tilde'])}}}"
    if part["half"]:
        return r"\tfrac{1}{2}"
    return r" \times " if part["cross"] else _name(part["name"])


def _name(name: str) -> str:
    """A name; indices stay italic."""
    if name in _WORDS:
        return _WORDS[name]
    indexed = re.fullmatch(r"([^\W\d_]+)_([ij]+)", name)
    return f"{latex_of(symbol(indexed[1]))}_{{{indexed[2]}}}" if indexed else latex_of(symbol(name))
