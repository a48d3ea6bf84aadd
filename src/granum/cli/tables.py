"""Rows of `granum reproduce` as a table for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from granum.published import Row


def print_rows(rows: Sequence[Row]) -> None:
    """One table per case; notes once, below the table."""
    console = Console()
    for case in dict.fromkeys(row.case for row in rows):
        table = Table(title=case, title_justify="left", box=None, header_style="bold", pad_edge=False)
        for column in ("quantity", "source", "published", "reference", "computed", "error", "verdict", "note"):
            table.add_column(column, justify="right" if column in _NUMBERS else "left", overflow="fold")
        notes: dict[str, int] = {}
        for row in (row for row in rows if row.case == case):
            mark = f"[{notes.setdefault(row.note, len(notes) + 1)}]" if row.note else ""
            numbers = [_number(getattr(row, name)) for name in _NUMBERS]
            table.add_row(row.quantity, row.source, *numbers, row.verdict, mark.replace("[", r"\["))
        console.print(table)
        for note, number in notes.items():
            console.print(f"  [{number}] {note}", markup=False, highlight=False)
        console.print()


_NUMBERS = ("published", "reference", "computed", "error")


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.10g}" if abs(value) >= 1e-3 else f"{value:.2e}"
