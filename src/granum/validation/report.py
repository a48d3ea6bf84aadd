"""Rows of published cases as tables of Markdown: the page that shows all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from importlib.metadata import version
from typing import Any

from granum.base.text import count
from granum.validation.case import PUBLISHED_VERDICTS, REFERENCE_VERDICTS, Case, Row, judged, row_numbers

_SMALL = (" Quick cases are small: a few dozen grains are too few for the laws of granular matter. Judge these "
          "by a full run.")


def report(cases: Sequence[Case], rows: Sequence[Row], quick: bool = False) -> str:
    """A part of a page: when and by what it was computed, both verdicts with their counts, a table for each case."""
    command = " ".join(["granum reproduce", *(["--quick"] if quick else [])])
    own = {case.name: [row for row in rows if row.case == case.name] for case in cases}
    return (f"Computed by `{command}` with Granum {version('granum')} on {date.today():%Y-%m-%d}: "
            f"{count(len(rows), 'value')} of {count(len(cases), 'case')}.{_SMALL if quick else ''}\n"
            + _counts("against the printed value", PUBLISHED_VERDICTS, [row.published_verdict for row in rows])
            + _counts("against our reference", REFERENCE_VERDICTS, [row.reference_verdict for row in rows])
            + "".join(_case(case, own[case.name]) for case in cases))


def _counts(title: str, meanings: Mapping[Any, str], verdicts: Sequence[str]) -> str:
    """How often each verdict was reached, and what it means."""
    counts = Counter(verdicts)
    return f"\n| {title} | values | meaning |\n|---|---|---|\n" + "".join(
        f"| {verdict} | {counts[verdict]} | {meaning} |\n" for verdict, meaning in meanings.items())


def _case(case: Case, rows: Sequence[Row]) -> str:
    """A case: what it is, its rows, and their notes once each."""
    notes: dict[str, int] = {}
    table = ""
    for row in rows:
        mark = notes.setdefault(f"{row.source}: {row.note}", len(notes) + 1)
        numbers = " | ".join(row_numbers(row))
        verdicts = " | ".join(judged(row))
        table += f"| {_cell(row.quantity)} | {numbers} | {verdicts} | {mark} |\n"
    listed = "".join(f"{mark}. {_text(note)}\n" for note, mark in notes.items())
    description = case.description[0].upper() + case.description[1:]
    return (f"\n### {case.name}\n\n{_text(description)}. Source: {_text(case.source)}.\n\n"
            "| quantity | printed | reference | computed | against the printed value | against our reference | note |\n"
            f"|---|---|---|---|---|---|---|\n{table}\n{listed}")


def _text(words: str) -> str:
    """Words that are no markup, whatever is in them."""
    return "".join(f"\\{letter}" if letter in "\\*_`[]<>$#" else letter for letter in words)


def _cell(words: str) -> str:
    return _text(words).replace("|", r"\|")
