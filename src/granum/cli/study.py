"""`granum study`: run a scene over parameters and write a table."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from granum.cli.interrupts import exit_code, obey_sigterm
from granum.cli.options import AsJson
from granum.cli.run import show_warning
from granum.io.conversion import quoted

if TYPE_CHECKING:
    from granum.studies.result import StudyResult


def command(
    file: Annotated[Path, typer.Argument(metavar="STUDY.toml", show_default=False,
                                         help="Study file; with --status also its table STUDY.h5.")],
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="STUDY.h5", show_default="STUDY.h5",
                                                help="Table to write; a CSV copy is written beside it.")] = None,
    on: Annotated[str, typer.Option(metavar="WHERE", help="Where to run: local (one process per core), serial (one "
                                    "run after the other), or a Dask scheduler such as tcp://HOST:PORT.")] = "local",
    resume: Annotated[bool, typer.Option("--resume", help="Run only what is missing.")] = False,
    retry: Annotated[str | None, typer.Option(metavar="failed", show_default=False,
                                              help="Also repeat the runs that failed.")] = None,
    keep: Annotated[str | None, typer.Option(metavar="none|failed|all", show_default="from the study",
                                             help="Run files to keep, in STUDY-runs.")] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an existing table.")] = False,
    status: Annotated[bool, typer.Option("--status", help="Show the progress of a study, also while it runs.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="With --status: write the rows so far as CSV.")] = False,
    as_json: AsJson = False,
) -> None:
    """Run a scene over parameters and write a table. After Ctrl-C or SIGTERM, continue with --resume."""
    from granum.base.errors import GranumError

    table = output or Path(file.stem + ".h5")
    if status:
        _status(file if file.suffix in (".h5", ".hdf5") else table, as_csv, as_json)
        return
    if as_csv:
        raise GranumError("--csv needs --status: it writes the rows so far. A finished study writes its CSV file.")
    from granum.studies.definition import load_study
    from granum.studies.study import run_study

    obey_sigterm()
    warnings.showwarning = show_warning
    study = load_study(file)
    if keep is not None:
        study = study.keeping(keep)
    result = run_study(study, table, on=on, resume=resume, retry=retry, overwrite=overwrite, progress=not as_json)
    _report(result, result.path.with_suffix(".csv"), file, as_json)
    if not result.finished:
        raise typer.Exit(exit_code())


def _status(table: Path, as_csv: bool, as_json: bool) -> None:
    """How far a study is."""
    from granum.studies.result import open_study

    result = open_study(table)
    written = result.write_csv() if as_csv else None
    if as_json:
        print(json.dumps({**result.summary(), **({} if written is None else {"csv": str(written)})}))
        return
    print(result)
    if written is not None:
        print(f"Written to {quoted(written)}.")


def _report(result: StudyResult, csv: Path, file: Path, as_json: bool) -> None:
    """What was done, where it is, and what to do next."""
    summary: dict[str, Any] = {**result.summary(), "csv": str(csv)}
    if as_json:
        print(json.dumps(summary))
        return
    table = quoted(result.path)
    print(result)
    print(f"  Written to {table} and {quoted(csv)}. Next:")
    again = f"granum study {quoted(file)} -o {table}"
    if not result.finished:
        print(f"    {again} --resume")
    if summary["failed"]:
        print(f"    {again} --retry failed")
    print(f"    granum plot {table}")


command.__name__ = "study"
