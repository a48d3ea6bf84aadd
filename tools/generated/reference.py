"""The generated parts of the reference pages.

A page has blocks between `<!-- KIND: NAME -->` and `<!-- end -->`: `schema` for sections of scene files, `cli` for
commands, `api` for functions and for classes of a section.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

from typer.models import ArgumentInfo

import granum as gr
from granum.cli.main import command_of
from granum.io.reference import fill, filled
from granum.model.kinds import all_entries
from granum.model.quantities import Entry
from granum.model.scene import SECTIONS

PAGES = Path(__file__).resolve().parents[2] / "docs" / "reference"
_VALUES: dict[type, str] = {float: "NUMBER", int: "WHOLE NUMBER", Path: "FILE"}
_PARAGRAPH = "\n\n"
_ARGUMENT = re.compile(r"^(\w[\w, ]*): (.*)")


def command_block(name: str) -> str:
    """What a command does, and its arguments and options in a table."""
    command = command_of(name)
    rows = [_Parameter(*named) for named in inspect.signature(command, eval_str=True).parameters.items()]
    usage = " ".join([f"granum {name}", *(row.name for row in rows if row.is_argument), "[OPTIONS]"])
    return (f"```text\n{usage}\n```\n\n{inspect.getdoc(command)}\n\n"
            f"| argument or option | default | meaning |\n|---|---|---|\n{''.join(map(str, rows))}")


class _Parameter:
    """An argument or an option of a command, as a row of its table."""

    def __init__(self, name: str, parameter: inspect.Parameter) -> None:
        takes, self._info = get_args(parameter.annotation)
        self._default = parameter.default
        self.is_argument = isinstance(self._info, ArgumentInfo)
        given = [self._info.default, *(self._info.param_decls or ())]  # typer keeps the first one here
        spelled = ", ".join(one for one in given if isinstance(one, str)) or f"--{name.replace('_', '-')}"
        plain = next(kind for kind in (get_args(takes) or (takes,)) if kind is not type(None))
        value = "" if plain is bool else self._info.metavar or _VALUES.get(plain, "TEXT")
        self.name = value if self.is_argument else f"{spelled} {value}".strip()

    def __str__(self) -> str:
        shown = self._info.show_default if isinstance(self._info.show_default, str) else ""
        if self._default is inspect.Parameter.empty:
            shown = "required"
        elif not shown and self._default not in (None, False):
            shown = f"`{self._default}`"
        return f"| {_cell(f'`{self.name}`')} | {_cell(shown)} | {_cell(self._info.help or '')} |\n"


def public_block(name: str) -> str:
    """A public function, such as `load()`; or the classes of a section of scenes, such as `load`."""
    return _function(name.removesuffix("()")) if name.endswith("()") else _classes(name)


def _classes(section: str) -> str:
    """The classes of a section: name, kind, what it is."""
    base = SECTIONS.get(section) or gr.Region
    rows = [f"| `gr.{entry.__name__}` | {_kind(entry)} | {_cell(_summary(entry))} |\n"
            for entry in [Entry, *all_entries()] if issubclass(entry, base) and not entry.__name__.startswith("_")]
    return f"| class | `kind` | what it is |\n|---|---|---|\n{''.join(rows)}"


def _kind(entry: type[Entry]) -> str:
    field = entry.model_fields.get("kind")
    return f"`{field.default}`" if field is not None and field.default else "base class"


def _function(name: str) -> str:
    """Signature, summary and arguments of a function."""
    function = getattr(gr, name)
    text = inspect.getdoc(function) or ""
    summary, _, listed = text.partition("\nArgs:\n")
    told = [part for part in summary.strip().split("\n\n") if not part.startswith(">>>")]
    lines = inspect.cleandoc(listed.partition("\n\n")[0]).splitlines()
    rows: list[list[str]] = []
    for line in lines:
        if argument := _ARGUMENT.match(line):
            rows.append([argument[1], argument[2]])
        elif rows:
            rows[-1][1] += f" {line.strip()}"
    table = "".join(f"| `{name}` | {_cell(meaning)} |\n" for name, meaning in rows)
    return (f"```text\n{_signature(name, function)}\n```\n\n{_PARAGRAPH.join(told)}\n"
            + (f"\n| argument | meaning |\n|---|---|\n{table}" if table else ""))


def _signature(name: str, function: Callable[..., Any]) -> str:
    """A call with the types and defaults of its arguments; long ones over several lines."""
    signature = inspect.signature(function)
    shown, named = [], False
    for one in signature.parameters.values():
        if one.kind is one.KEYWORD_ONLY and not named:
            named = True
            shown.append("*")
        default = "" if one.default is one.empty else f" = {one.default!r}"
        shown.append(f"{'**' if one.kind is one.VAR_KEYWORD else ''}{one.name}: {one.annotation}{default}")
    returned = "" if inspect.isclass(function) else f" -> {signature.return_annotation}"
    line = f"gr.{name}({', '.join(shown)}){returned}"
    broken = "".join(f"    {one},\n" for one in shown)
    return line if len(line) <= 100 else f"gr.{name}(\n{broken}){returned}"


def _summary(entry: type[Entry]) -> str:
    return " ".join((entry.__doc__ or "").partition("\n\n")[0].split())


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", r"\|").replace("<", "&lt;")


def files() -> dict[Path, str]:
    """The pages with all of their blocks as they are now."""
    return {page: _renewed(page.read_text("utf-8")) for page in sorted(PAGES.glob("*.md"))}


def _renewed(page: str) -> str:
    return fill(fill(filled(page), "cli", command_block), "api", public_block)
