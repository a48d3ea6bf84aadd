"""What a notebook shows of results: tables and lines of text, in which names and titles are data, and escaped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

_LEFT = "style='text-align:left'"


def lines(texts: Iterable[str]) -> str:
    """Lines of text, one below the other."""
    return "<br>".join(escape(text) for text in texts)


def properties(values: Mapping[str, str]) -> str:
    """A table of what something is, by name."""
    rows = "".join(f"<tr><th {_LEFT}>{escape(name)}</th><td {_LEFT}>{escape(value)}</td></tr>"
                   for name, value in values.items())
    return f"<table>{rows}</table>"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table with a row of heads."""
    head = "".join(f"<th>{escape(name)}</th>" for name in heads)
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><tr>{head}</tr>{body}</table>"
