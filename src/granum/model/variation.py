"""A scene with some values replaced, each named by its path in the scene file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from pydantic import ValidationError

from granum.base.errors import Problem, did_you_mean
from granum.model.quantities import Entry, unit_of

Path = tuple[str, ...]


class Variation:
    """Values to replace, as a tree; what is wrong with them is collected, not raised."""

    def __init__(self, changes: Mapping[str, Any]) -> None:
        self.problems: list[Problem] = []
        self.refused: list[tuple[Path, ValidationError]] = []
        """Entries that do not accept their new values."""
        self._tree: dict[str, Any] = {}
        for place, value in changes.items():
            self._insert(place, value)

    def _insert(self, place: str, value: Any) -> None:
        *above, last = place.split(".")
        branch = self._tree
        for part in above:
            branch = branch.setdefault(part, _Branch())
            if not isinstance(branch, _Branch):
                break
        if not isinstance(branch, dict) or last in branch:
            self.problems.append(Problem(place, "is replaced twice, itself and as part of another value.",
                                         "Replace either the whole value or its parts."))
            return
        branch[last] = value

    def of(self, scene: Entry) -> dict[str, Any]:
        """The fields of the scene that are set, changed as the tree says."""
        return self._fields(scene, self._tree, ())

    def _changed(self, value: Any, change: Any, path: Path) -> Any:
        if not isinstance(change, _Branch):
            return change
        if isinstance(value, Entry):
            return self._entry(value, change, path)
        if isinstance(value, Mapping):
            return self._mapping(value, change, path)
        if isinstance(value, list | tuple):
            return self._sequence(value, change, path)
        parts = ", ".join(change)
        self.problems.append(Problem(".".join(path), f"is {value!r} in this scene and has no part {parts}.",
                                     "Give the whole value."))
        return value

    def _entry(self, entry: Entry, changes: Mapping[str, Any], path: Path) -> Entry:
        try:
            return type(entry).model_validate(self._fields(entry, changes, path))
        except ValidationError as error:
            self.refused.append((path, error))
            return entry

    def _fields(self, entry: Entry, changes: Mapping[str, Any], path: Path) -> dict[str, Any]:
        entry.find_keys(changes)
        names = {field.alias or name: name for name, field in type(entry).model_fields.items()}
        fields = {name: getattr(entry, name) for name in entry.model_fields_set}
        for key, change in changes.items():
            if key not in names:
                self._unknown(key, names, "key", path)
                continue
            fields[names[key]] = self._changed(getattr(entry, names[key]), change, (*path, key))
        return fields

    def _mapping(self, values: Mapping[str, Any], changes: Mapping[str, Any], path: Path) -> dict[str, Any]:
        mapping = dict(values)
        for key, change in changes.items():
            if key in mapping:
                mapping[key] = self._changed(mapping[key], change, (*path, key))
            else:
                self._unknown(key, mapping, path[-1], path)
        return mapping

    def _sequence(self, values: list[Any] | tuple[Any, ...], changes: Mapping[str, Any], path: Path) -> list[Any]:
        sequence = list(values)
        for key, change in changes.items():
            if key.isdecimal() and int(key) < len(sequence):
                sequence[int(key)] = self._changed(sequence[int(key)], change, (*path, key))
            else:
                self._unknown(key, map(str, range(len(sequence))), "number", path)
        return sequence

    def _unknown(self, key: str, known: Any, what: str, path: Path) -> None:
        self.problems.append(Problem(".".join((*path, key)), f'there is no {what} "{key}" to vary.',
                                     did_you_mean(key, known, what)))


class Found(NamedTuple):
    """What is at a path of a scene."""

    value: Any
    unit: str
    """Empty where it has none."""


def look_up(scene: Entry, path: str) -> Found:
    """What is at a path of a scene that has it: a value with its unit."""
    value: Any = scene
    unit = ""
    for part in path.split("."):
        if isinstance(value, Entry):
            name = next(name for name, field in type(value).model_fields.items() if part in (name, field.alias))
            value, unit = getattr(value, name), unit_of(type(value), part)
        else:
            value = value[int(part)] if isinstance(value, list | tuple) else value[part]
    return Found(value, unit)


class _Branch(dict[str, Any]):
    """Changes of parts, as against a dictionary that is a value."""
