"""Studies for other programs and other people: the table as CSV, or a report."""

from __future__ import annotations

from pathlib import Path

from granum.base.errors import GranumError, pick
from granum.studies.result import StudyResult
from granum.view.export.files import refuse_loss_of_file

FORMATS = ("html", "csv")


def export_study(result: StudyResult, to: str, path: str | Path | None = None, *, shown: str | None = None,
                 overwrite: bool = False, **given: object) -> Path:
    """Write the report of a study (html), or its table (csv); returns the file.

    Args:
        result: the study; one that is not finished is written as far as it is.
        to: html or csv.
        path: the file; left out, beside the table.
        shown: the run whose picture is in the report, as POINT/REPEAT; its file must have been kept.
        overwrite: replace a file of another kind.
        given: options of exported runs, which are refused.
    """
    pick(to, FORMATS, "format of exported studies")
    for name, value in given.items():
        if value is not None:
            raise GranumError(f"--{name} applies to runs, not to studies. Remove it.")
    file = result.path.with_suffix(f".{to}") if path is None else Path(path)
    if to == "csv":
        if shown is not None:
            raise GranumError("--run selects the run shown in an html report, but csv has none. Remove it.")
        return result.write_csv(file)
    refuse_loss_of_file(file, to, overwrite)
    from granum.view.studies.report import write_report

    write_report(result, file, None if shown is None else _key(shown))
    return file


def _key(text: str) -> tuple[int, int]:
    """Point and repeat of a run."""
    try:
        point, repeat = map(int, text.split("/"))
    except ValueError:
        raise GranumError(f"--run {text}: write POINT/REPEAT, such as 3/0.") from None
    return point, repeat
