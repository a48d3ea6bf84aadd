"""About how wide a formula in LaTeX is when it is set, to break it into rows that fit on a page."""

from __future__ import annotations

import re

_TOKEN = re.compile(r"\\begin\{\w+\}|\\end\{\w+\}|\\[a-zA-Z]+|\\.|\S", re.S)
_SPACED = {"+": 2.6, "-": 2.6, "=": 3.0, r"\le": 3.0, r"\ge": 3.0, r"\cdot": 1.5, ",": 0.8, "(": 0.7, ")": 0.7,
           r"\quad": 1.75, r"\qquad": 3.5, r"\,": 0.3, r"\;": 0.5, r"\Bigl": 0.3, r"\Bigr": 0.3, r"\left": 0.3,
           r"\right": 0.3, "&": 1.9, "T": 1.1, r"\partial": 1.0, "m": 1.55, "w": 1.25, "l": 0.55, "i": 0.65,
           "I": 0.85, "M": 1.7, "W": 1.75, r"\omega": 1.1, r"\sum": 2.5}
"""Widths of signs that are not one; the unit is 5.76 points, a common letter at ten points."""
_WORDS = {r"\sin": 2.3, r"\cos": 2.5, r"\tan": 2.9, r"\exp": 3.0, r"\ln": 1.8, r"\tanh": 4.0, r"\arcsin": 5.0,
          r"\arccos": 5.0, r"\arctan": 5.2}
_LOOKS = {r"\mathrm": 0.9, r"\text": 0.93, r"\operatorname": 0.95}
_NONE = {r"\dot", r"\ddot", r"\tilde", r"\widetilde", r"\displaystyle", "{", "}"}
_SMALL = 0.74
PAGE = 84.0
"""Width of a row of a page."""


def width(latex: str) -> float:
    """Width in common letters; that of a matrix is the sum of its widest columns."""
    tokens = _TOKEN.findall(latex)
    return _run(tokens, 0, len(tokens))


def _run(tokens: list[str], start: int, end: int) -> float:
    """Width of the tokens of a span."""
    total, k = 0.0, start
    while k < end:
        token = tokens[k]
        if token in (r"\frac", r"\tfrac"):
            above, below = _group(tokens, k + 1), _group(tokens, _group(tokens, k + 1)[1])
            total += 0.4 + max(_run(tokens, above[0], above[1] - 1), _run(tokens, below[0], below[1] - 1)) * (
                _SMALL if token == r"\tfrac" else 1.0)
            k = below[1]
        elif token in ("^", "_"):  # one above the other where there are both
            scripts = list[float]()
            while k < end and tokens[k] in ("^", "_"):
                first, k = _group(tokens, k + 1)
                scripts.append(_run(tokens, first, k))
            total += 0.1 + _SMALL * max(scripts)
        elif token == r"\resizebox":  # to the given width, whatever it holds
            spec, height = _group(tokens, k + 1), _group(tokens, _group(tokens, k + 1)[1])
            total += PAGE * float("".join(tokens[spec[0] : spec[1] - 2]))
            k = _group(tokens, height[1])[1]
        elif token == r"\sqrt":
            first, k = _group(tokens, k + 1)
            total += 1.5 + _run(tokens, first, k)
        elif token in _LOOKS:
            first, k = _group(tokens, k + 1)
            total += _LOOKS[token] * (k - first - 1)
        elif token.startswith(r"\begin"):
            last = _closing(tokens, k, r"\begin", r"\end")
            total += 2.2 + _matrix(tokens, k + 1, last)
            k = last + 1
        else:
            total += 0.0 if token in _NONE else _WORDS.get(token, _SPACED.get(token, 0.95))
            k += 1
    return total


def _group(tokens: list[str], k: int) -> tuple[int, int]:
    """Span of an argument: a group, its braces without the first included, or one token."""
    if k < len(tokens) and tokens[k] == "{":
        return k + 1, _closing(tokens, k, "{", "}") + 1
    return k, k + 1


def _closing(tokens: list[str], k: int, opening: str, closing: str) -> int:
    """Where what opens at k is closed."""
    depth = 0
    for j in range(k, len(tokens)):
        depth += tokens[j].startswith(opening) - tokens[j].startswith(closing)
        if depth == 0:
            return j
    return len(tokens) - 1


def _matrix(tokens: list[str], start: int, end: int) -> float:
    """Sum of the widths of the columns."""
    columns, column, first, depth = list[float](), 0, start, 0
    for k in range(start, end + 1):
        depth += k < end and (tokens[k].startswith(r"\begin") - tokens[k].startswith(r"\end"))
        if k == end or (depth == 0 and tokens[k] in ("&", r"\\")):
            columns += [0.0] * (column + 1 - len(columns))
            columns[column] = max(columns[column], _run(tokens, first, k))
            column, first = 0 if k == end or tokens[k] == r"\\" else column + 1, k + 1
    return sum(columns) + 1.75 * (len(columns) - 1)
