"""Rows of `granum reproduce` as a table for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from granum.published import Row

_NUMBERS = ("published", "reference", "computed", "error")


def print_rows(rows: Sequence[Row]) -> None:
    """One table per case; notes once, below the table."""
    for case in dict.fromkeys(row.case for row in rows):
        own = [row for row in rows if row.case == case]
        width = max(len(row.quantity) for row in own)
        print(f"{case}\n{'quantity':{width}} " + " ".join(f"{name:>13}" for name in _NUMBERS) + "  verdict")
        notes: dict[str, int] = {}
        for row in own:
            numbers = " ".join(f"{_number(getattr(row, name)):>13}" for name in _NUMBERS)
            mark = notes.setdefault(f"{row.source}: {row.note}", len(notes) + 1)
            print(f"{row.quantity:{width}} {numbers}  {row.verdict} [{mark}]")
        print("".join(f"  [{mark}] {note}\n" for note, mark in notes.items()))


def _number(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:.10g}" if value == 0.0 or abs(value) >= 1e-3 else f"{value:.2e}"
