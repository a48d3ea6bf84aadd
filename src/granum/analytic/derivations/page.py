"""Derivations as web pages: MathML in a page of its own, formulas for MathJax in a notebook."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape

from granum.algebra import symbol
from granum.algebra.show import latex as latex_of
from granum.analytic.derivations.derivation import Derivation, Label, Line
from granum.analytic.derivations.latex import aligned, line_in_one
from granum.analytic.derivations.prose import pieces, with_formulas
from granum.analytic.derivations.quantities import RATES, Quantity, rows_of_table, with_rates
from granum.analytic.derivations.text import value_text

_STYLE = """body { font-family: Georgia, serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 1.6rem; } math { font-size: 1.1rem; }
.formula { overflow: auto hidden; margin: 0.6rem 0; } td { padding: 0.15rem 1rem 0.15rem 0; vertical-align: top; }
table { border-collapse: collapse; }"""


def page(derivation: Derivation, steps: bool) -> str:
    """A page that shows its formulas in any browser, without scripts or a network."""
    from latex2mathml.converter import convert

    names = derivation.latex_names

    def formula(lines: tuple[Line, ...]) -> str:
        set_lines = [convert(line_in_one(line, names), display="block") for line in lines]
        return "".join(f'<div class="formula">{line}</div>' for line in set_lines)

    title = escape(f"{derivation.title or 'Equations of motion'}: {derivation.formulation}")
    body = [f"<h1>{title}</h1><p>{_prose(derivation.principle, names, convert)}</p>"]
    body += [f"<h2>{number}. {escape(step.heading)}</h2><p>{_prose(step.prose, names, convert)}</p>"
             + formula(step.lines) for number, step in enumerate(derivation.shown(steps), 1)]
    body.append(f"<h2>Symbols</h2><p>{_prose(RATES, names, convert)}</p>"
                f"{_table(derivation.table(steps), names, convert)}")
    head = f'<meta charset="utf-8"><title>{title}</title>\n<style>{_STYLE}</style>'
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>\n<body>\n' + "\n".join(body) + "\n</body></html>\n"


def fragment(derivation: Derivation) -> str:
    """All steps for a notebook, which typesets what stands between dollars."""
    names = derivation.latex_names

    def formula(latex: str) -> str:
        return f"${escape(latex, quote=False)}$"

    body = [f"<p><b>{escape(derivation.formulation)}.</b> {_prose(derivation.principle, names, formula)}</p>"]
    for step in derivation.steps:
        body.append(f"<p><b>{escape(step.heading)}.</b> {_prose(step.prose, names, formula)}</p>")
        if step.lines:
            body.append(f"$$ {escape(aligned(step.lines, names), quote=False)} $$")
    return f"<div>{''.join(body)}{_table(derivation.table(True), names, formula)}</div>"


def _prose(prose: str, names: Mapping[str, str], formula: Callable[[str], str]) -> str:
    return "".join(formula(part.latex) if isinstance(part, Label) else escape(part) for part in pieces(prose, names))


def _table(quantities: list[Quantity], names: Mapping[str, str], formula: Callable[[str], str]) -> str:
    known = with_rates(quantities)
    rows = [f"<tr><td>{formula(', '.join(latex_of(symbol(q.name), names) for q in listed))}</td>"
            f"<td>{_prose(with_formulas(meaning, known), names, formula)}</td>"
            f"<td>{escape(value_text(listed[0]).replace('^2', '²'))}</td></tr>"
            for listed, meaning in rows_of_table(quantities)]
    return f"<table>{''.join(rows)}</table>"
