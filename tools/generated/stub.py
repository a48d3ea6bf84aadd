"""The stub src/granum/__init__.pyi: the public names as type checkers see them, from the schema.

Entries hold numbers in SI units but take strings such as "5 cm" too. Their fields have the types of what they hold, so
constructors are written out here with what they take: a user's type checker needs no plugin.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Iterable
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BeforeValidator, PlainValidator
from pydantic_core import PydanticUndefined

import granum
from granum import model
from granum.model.kinds import Kind
from granum.model.quantities import Entry, Quantity

FILE = Path(__file__).resolve().parents[2] / "src" / "granum" / "__init__.pyi"
WIDTH = 120
HEAD = '''"""Public names as type checkers see them. Written by `make renew` (tools/generated/stub.py): do not edit."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from numpy.typing import NDArray

'''
ALIASES = "Quantity = float | str\nQuantities = Sequence[Quantity] | NDArray[Any]\n"


def files() -> dict[Path, str]:
    """The stub."""
    return {FILE: stub()}


def stub() -> str:
    """The text of the file."""
    entries = [getattr(model, name) for name in model.__all__]
    written = [entry for entry in entries if _constructed(entry)]
    imports = [_import(place, name) for name, place in granum._PLACES.items()]
    imports += [f"from {entry.__module__} import {entry.__name__} as {entry.__name__}" for entry in entries
                if entry not in written]
    classes = "".join(map(_class, written))
    imports += [f"from granum.model import {module} as _{module}" for module in {_module(entry) for entry in entries}
                if f"_{module}." in classes]
    names = "".join(_wrapped("__all__ = [", [f'"{name}"' for name in granum.__all__], "]"))
    return HEAD + "\n".join(sorted(imports)) + f"\n\n{ALIASES}__version__: str\n{names}{classes}"


def _import(place: str, name: str) -> str:
    module, _, attribute = place.partition(":")
    if not attribute:
        module, _, attribute = place.rpartition(".")
    return f"from {module} import {attribute} as {name}"


def _module(entry: type[Entry]) -> str:
    return entry.__module__.rpartition(".")[2]


def _constructed(entry: type[Entry]) -> bool:
    """Is it made by users, from keys? `Scene` has a constructor for type checkers of its own."""
    base = "section" in entry.__dict__ or entry in (Entry, Kind, model.MaterialKeys)
    return not base and not inspect.isabstract(entry) and entry is not model.Scene


def _class(entry: type[Entry]) -> str:
    """An entry with its constructor."""
    keys = [f"{name}: {_given(field.annotation, field.metadata)}{'' if field.is_required() else ' = ...'}"
            for name, field in entry.model_fields.items()]
    summary = " ".join((inspect.getdoc(entry) or "").partition("\n\n")[0].split())
    lines = textwrap.wrap(f'"""{summary}"""', WIDTH, initial_indent="    ", subsequent_indent="    ")
    docstring = "\n".join(lines) if len(lines) == 1 else "\n".join(lines).removesuffix('"""') + '\n    """'
    return "".join([f"\nclass {entry.__name__}(_{_module(entry)}.{entry.__name__}):\n{docstring}\n",
                    *_wrapped("    def __init__(self, *, ", keys, ") -> None: ...", " " * 8)])


def _wrapped(head: str, items: Iterable[str], tail: str, indent: str = "    ") -> list[str]:
    """Items with commas in lines that are not too long."""
    lines, line = [], head
    for item in items:
        if len(line) + len(item) + 1 > WIDTH - len(tail):
            lines.append(line.rstrip() + "\n")
            line = indent
        line += f"{item}, "
    return [*lines, line.removesuffix(", ") + tail + "\n"]


def _given(annotation: Any, metadata: Iterable[Any] = ()) -> str:
    """What a key takes, as a stub has it."""
    return " | ".join(dict.fromkeys(_choices(annotation, metadata)))


def _choices(annotation: Any, metadata: Iterable[Any] = ()) -> list[str]:
    """The parts of a union of what is taken: what is checked before the type, the last check first, or else the type.

    Lists may be any sequence, and tables any mapping.
    """
    for part in reversed(list(metadata)):
        taken = getattr(part, "json_schema_input_type", PydanticUndefined)
        if isinstance(part, BeforeValidator | PlainValidator) and taken is not PydanticUndefined:
            return _choices(taken)
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _choices(parts[0], parts[1:])
    if origin in (Union, UnionType):
        return [choice for part in parts for choice in _choices(part)]
    if origin in (list, tuple):
        inside = dict.fromkeys(choice for part in parts if part is not Ellipsis for choice in _choices(part))
        return ["Quantities" if [*inside] == ["Quantity"] else f"Sequence[{' | '.join(inside)}]"]
    if origin is dict:
        return [f"Mapping[str, {_given(parts[1])}]"]
    if origin is Literal:
        return [f"Literal[{', '.join(map(repr, parts))}]".replace("'", '"')]
    if isinstance(annotation, type) and issubclass(annotation, Entry):
        return [f"_{_module(annotation)}.{annotation.__name__}", "Mapping[str, Any]"]
    if annotation in _PLAIN:
        return [_PLAIN[annotation]]
    raise TypeError(f"{annotation!r} has no form in the stub: give tools/generated/stub.py one.")


_PLAIN = {Quantity: "Quantity", None: "None", NoneType: "None", Any: "Any", str: "str", int: "int", float: "float",
          bool: "bool"}
