"""`granum reproduce`: published results beside what Granum computes."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from granum.validation.cases import Case, Row


_NUMBERS = ("printed", "reference", "computed")
"""Headings of the columns of numbers."""


def command(
    cases: Annotated[list[str] | None, typer.Argument(metavar="[CASE]...", show_default="all",
                                                      help="Cases to reproduce.")] = None,
    list_: Annotated[bool, typer.Option("--list", help="List the cases and their figures.")] = False,
    quick: Annotated[bool, typer.Option("--quick", help="Run fewer and smaller systems.")] = False,
    full: Annotated[bool, typer.Option("--full", help="Make all runs of cases that are studies: minutes to hours.")
                    ] = False,
    tables: Annotated[Path, typer.Option(metavar="DIR", help="With --full: keep the tables of studies in this folder, "
                                         "and continue those that are there.")] = Path("reproduce"),
    figures: Annotated[Path | None, typer.Option(metavar="DIR", help="Draw the published figures into this folder.",
                                                 show_default="no figures")] = None,
    page: Annotated[Path | None, typer.Option(
        metavar="PAGE.md", show_default=False,
        help="Update the tables of a Markdown page between <!-- reproduce: all --> and <!-- end -->.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Rerun published results and compare the values.

    Prints published, reference and computed values side by side, with a verdict against the printed value and one
    against our reference, each with its error.
    """
    from granum.base.errors import GranumError
    from granum.validation.cases import all_cases, find_case

    if quick and full:
        raise GranumError("--quick makes fewer runs than usual, --full more: give one of them.")
    if list_:
        listed = all_cases()
        described = [{"case": case.name, "source": case.source, "description": case.description,
                      "full": case.compute_full is not None,
                      "figures": [case.stem(figure) for figure in case.figures]} for case in listed]
        lines = [f"{case.name:17} {case.source:50} {case.description}\n"
                 f"{'':17} figures: {', '.join(map(case.stem, case.figures))}"
                 f"{'; more runs with --full' if case.compute_full else ''}" for case in listed]
        print(json.dumps({"cases": described}) if as_json else "\n".join(lines))
        return
    chosen = [find_case(name) for name in cases] if cases else all_cases()
    rows, drawn = [], []
    for case in chosen:
        if full and case.compute_full is None:
            print(f"{case.name}: --full has nothing to add, because the usual runs are all there are.", file=sys.stderr)
        result = case.run(quick, tables if full else None)
        rows += result.rows
        if figures is not None:
            drawn += case.draw(result, figures)
    if page is not None:
        _write_page(page, chosen, rows, quick)
    if as_json:
        print(json.dumps({"rows": [row.as_json() for row in rows], "figures": [str(path) for path in drawn]}))
        return
    print_rows(rows)
    for path in drawn:
        print(f"Drawn: {path}")


def _write_page(page: Path, cases: Sequence[Case], rows: Sequence[Row], quick: bool) -> None:
    from granum.io.reference import fill
    from granum.io.scenefile import read_text
    from granum.validation.report import report

    written = fill(read_text(page, "a Markdown page"), "reproduce", lambda _: report(cases, rows, quick))
    page.write_text(written, "utf-8")


def print_rows(rows: Sequence[Row]) -> None:
    """One table per case; notes once, below the table."""
    from granum.validation.case import judged, row_numbers

    for case in dict.fromkeys(row.case for row in rows):
        own = [row for row in rows if row.case == case]
        width = max(len(row.quantity) for row in own)
        print(f"{case}\n{'quantity':{width}} " + " ".join(f"{name:>13}" for name in _NUMBERS)
              + f"  {'against printed':25} against our reference")
        notes: dict[str, int] = {}
        for row in own:
            numbers = " ".join(f"{each:>13}" for each in row_numbers(row))
            mark = notes.setdefault(f"{row.source}: {row.note}", len(notes) + 1)
            printed, reference = judged(row)
            print(f"{row.quantity:{width}} {numbers}  {printed:25} {reference} [{mark}]")
        print("".join(f"  [{mark}] {note}\n" for note, mark in notes.items()))
