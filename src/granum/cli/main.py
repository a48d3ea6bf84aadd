"""The `granum` command."""

from __future__ import annotations

import json
import sys
from typing import Annotated, Any

import typer

from granum.base.errors import GranumError, SceneError
from granum.cli import check, convert, derive, export, linearize, plot, reproduce, run, schema, view
from granum.cli.interrupts import exit_code

app = typer.Typer(
    name="granum", no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Mechanics of many bodies: describe a system once, then derive, simulate and study it.",
)
for module in (run, check, derive, linearize, convert, view, plot, export, reproduce, schema):
    app.command()(module.command)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"granum {version('granum')}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Mechanics of many bodies: describe a system once, then derive, simulate and study it."""


def main(commands: typer.Typer = app) -> None:
    """Run a command line; what Granum refuses is told in words, with exit code 2."""
    try:
        commands()
    except SystemExit as end:
        sys.exit(exit_code() if end.code == 130 else end.code)  # typer knows Ctrl-C alone
    except GranumError as error:
        if "--json" in sys.argv:
            print(json.dumps(_as_json(error)))
        print(f"{commands.info.name}: {error}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:  # the reader of our output has gone, as in `granum ... | head`
        sys.stderr.close()
        sys.exit(1)


def _as_json(error: GranumError) -> dict[str, Any]:
    problems = [
        {"place": p.place, "line": p.line, "finding": p.finding, "remedy": p.remedy} for p in error.problems
    ] if isinstance(error, SceneError) else []
    return {"error": str(error), "problems": problems}
