"""The `granum` command."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from inspect import getdoc
from io import TextIOWrapper
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from granum.base.errors import GranumError, SceneError
from granum.base.extensions import extension, function_of, installed, wings
from granum.cli.interrupts import exit_code

COMMANDS = ("example", "run", "check", "derive", "linearize", "equilibrium", "campbell", "study", "contact", "convert",
            "view", "plot", "export", "schema")
"""In the order of the help; each is `command` of the module of its name. Those of wings follow."""
_WIDEST = max(map(len, COMMANDS))


class Commands(TyperGroup):
    """Loads the module of a command when it is asked for: none waits for the others."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        # Typer looks here for a name like a word that it does not know
        unloaded: Any = dict.fromkeys((*COMMANDS, *wings("command")))
        self.commands = unloaded

    def list_commands(self, ctx: Any) -> list[str]:
        """Names of all commands, with those of wings and installed packages."""
        return list(dict.fromkeys([*COMMANDS, *wings("command"), *installed().get("command", ())]))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of a name; None if there is none."""
        command = command_of(cmd_name)
        if command is None:
            return None
        alone = typer.Typer(add_completion=False, rich_markup_mode=None)
        alone.command(cmd_name)(command)
        return typer.main.get_command(alone)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """List all commands; those of installed packages are not loaded, so that help is fast and never fails."""
        own = (*COMMANDS, *wings("command"))
        foreign = {name: added for name, added in installed().get("command", {}).items() if name not in own}
        rows = [(name, f"Command of the package {foreign[name].package}." if name in foreign
                 else TyperCommand(name, help=getdoc(command_of(name))).get_short_help_str(
                     formatter.width - 6 - _WIDEST)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


def command_of(name: str) -> Any:
    """The function of a command; None if there is none."""
    if name in COMMANDS:
        return import_module(f"granum.cli.{name}").command
    own = extension("command", name)
    return None if own is None else function_of(own, "command")


app = typer.Typer(
    name="granum", cls=Commands, no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Multibody and granular dynamics: describe a system once, then derive its equations, simulate and study it.",
)


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
    """Multibody and granular dynamics: describe a system once, then derive its equations, simulate and study it."""


def main(commands: typer.Typer = app) -> None:
    """Run a command line; errors that Granum reports end with exit code 2."""
    _print_utf8()
    try:
        commands()
    except SystemExit as end:
        sys.exit(exit_code() if end.code == 130 else end.code)  # typer knows Ctrl-C alone
    except GranumError as error:
        if "--json" in sys.argv:
            print(json.dumps(_as_json(error)))
        print(f"{commands.info.name}: {error}", file=sys.stderr)
        sys.exit(2)
    except MemoryError:
        print(f"{commands.info.name}: not enough memory. Use fewer bodies, frames or threads.",
              file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:  # the reader of our output has gone, as in `granum ... | head`
        sys.stderr.close()
        sys.exit(1)


def _print_utf8() -> None:
    """Print in UTF-8: the code page of redirected output on Windows has no Greek letters and few exponents."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _as_json(error: GranumError) -> dict[str, Any]:
    problems = [
        {"place": p.place, "line": p.line, "finding": p.finding, "remedy": p.remedy} for p in error.problems
    ] if isinstance(error, SceneError) else []
    return {"error": str(error), "problems": problems}
