"""Tables of the reference page, from the schema: what a key takes, its unit, its default and what it means.

A page has blocks between `<!-- schema: WHAT -->` and `<!-- end -->`. WHAT is a section, the name of a class of entries,
or `run.KEY` for the names that a key of the run settings takes. `filled` writes the blocks anew and leaves all else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from granum.base.errors import GranumError, pick
from granum.io.schema import meaning, meanings, schema
from granum.model import RunSettings
from granum.model.kinds import all_entries, bases
from granum.model.quantities import Entry, OneOf, unit_of
from granum.model.scene import SECTIONS, WHOLE, kinds

_UNIT = re.compile(r" ?\[((?:[NJmsW°1]|kg|Pa|rad|Hz)(?:[²³/ *^\d]|kg|m|s|rad|Pa|N)*)\]")
_HEAD = "| key | type | unit | default | meaning |\n|---|---|---|---|---|\n"


def filled(page: str) -> str:
    """A page with its tables as the schema has them now."""
    return fill(page, "schema", Tables().block)


def fill(page: str, kind: str, write: Callable[[str], str]) -> str:
    """A page whose blocks between `<!-- KIND: NAME -->` and `<!-- end -->` are written anew, by name."""
    blocks = re.compile(rf"(<!-- {kind}: (\S+) -->\n).*?(<!-- end -->)", re.DOTALL)
    return blocks.sub(lambda block: f"{block[1]}{write(block[2])}{block[3]}", page)


class Tables:
    """Tables by what they are about."""

    def __init__(self) -> None:
        self._schema = schema()
        self._entries = {entry.__name__: entry for entry in all_entries()}

    def block(self, what: str) -> str:
        """The tables of a section, of a class of entries, or of the choices of a run setting."""
        if what.startswith("run."):
            return self._choices(what.removeprefix("run."))
        if what in SECTIONS or what == "region":
            return self._section(what)
        entry = WHOLE.get(what) or self._entries[pick(what, {**SECTIONS, **WHOLE, **self._entries}, "block")]
        return self._table(entry)

    def _section(self, section: str) -> str:
        offered = kinds(SECTIONS[section] if section in SECTIONS else self._entries["Region"])
        if "" in offered:
            return self._table(offered[""])
        shared = next(_keys(base) for base in bases() if base.section == section)
        parts = [f"All kinds:\n\n{self._table(next(iter(offered.values())), only=shared)}"] if shared else []
        for kind, entry in offered.items():
            table = self._table(entry, without=["kind", *shared])
            parts.append(f'**`kind = "{kind}"`** {_described(entry)}\n\n{table}')
        return "\n".join(parts)

    def _table(self, entry: type[Entry], only: list[str] | None = None, without: list[str] | None = None) -> str:
        keys = [key for key in _keys(entry) if (only is None or key in only) and key not in (without or ["kind"])]
        if not keys:
            return ""
        return _HEAD + "".join(f"| {' | '.join(self._row(entry, key))} |\n" for key in keys)

    def _row(self, entry: type[Entry], key: str) -> tuple[str, str, str, str, str]:
        written = self._schema["$defs"][entry.__name__]
        value = written["properties"][key]
        text = meanings(entry).get(key, "")
        unit, given = unit_of(entry, key), _UNIT.findall(text)
        if len(given) == 1:
            unit, text = unit or given[0], _UNIT.sub("", text)
        default = "required" if key in written.get("required", ()) else ""
        if value.get("default") not in (None, [], {}):
            default = f"`{json.dumps(value['default'], ensure_ascii=False)}`"
        return f"`{key}`", _cell(self._type(value)), unit, default, _cell(text)

    def _type(self, value: dict[str, Any]) -> str:
        """What a key takes, in words."""
        if "$ref" in value:
            name = value["$ref"].rpartition("/")[2]
            return "number" if name == "Quantity" else f"table [{name}](#{name.lower()})"
        if "oneOf" in value:
            return "table [region](#regions)"
        if [part.get("type") for part in value.get("anyOf", ())] == ["string", "number"]:
            return "formula"
        if "anyOf" in value:
            return " or ".join(dict.fromkeys(map(self._type, value["anyOf"])))
        if words := value.get("enum") or ([value["const"]] if "const" in value else []):
            return " or ".join(f"`{str(word).lower() if isinstance(word, bool) else word}`" for word in words)
        return self._plain(value)

    def _plain(self, value: dict[str, Any]) -> str:
        kind = value.get("type")
        if kind == "array":
            return self._array(value)
        if kind == "object":
            return f"table: name = {self._type(value.get('additionalProperties', {}))}"
        if kind == "string":
            return "name" if "pattern" in value else "string"
        return {"number": "number", "integer": "integer", "boolean": "true or false"}.get(str(kind), "value")

    def _array(self, value: dict[str, Any]) -> str:
        items = value.get("items") or {}
        if (value.get("minItems"), value.get("maxItems")) == (2, 3) and items.get("$ref", "").endswith("Quantity"):
            return "vector"
        if prefix := value.get("prefixItems"):
            one, *others = dict.fromkeys(map(self._type, prefix))
            named = {("number", 3): "vector", ("vector", 3): "matrix"}.get((one, len(prefix)))
            return named or _several(str(len(prefix)), " or ".join([one, *others]))
        return _several("list of", self._type(items))

    def _choices(self, key: str) -> str:
        field = RunSettings.model_fields[pick(key, RunSettings.model_fields, "run setting")]
        for choice in field.metadata:
            if isinstance(choice, OneOf):
                rows = "".join(f"| `{name}` | {_cell(text)} |\n" for name, text in choice.meanings().items())
                return f"| `{key}` | meaning |\n|---|---|\n{rows}"
        raise GranumError(f"run.{key} has no list of choices.")


def _several(count: str, what: str) -> str:
    """`2 names`, `list of vectors`, and other things after a colon."""
    plain = what in ("name", "number", "vector", "formula", "string")
    return f"{count} {what}s" if plain else f"{count}: {what}".replace("list of:", "list:")


def _keys(entry: type[Entry]) -> list[str]:
    """Keys as a file has them."""
    return [field.alias or name for name, field in entry.model_fields.items()]


def _described(entry: type[Entry]) -> str:
    """The docstring of an entry in one line."""
    return " ".join(meaning(entry).split())


def _cell(text: str) -> str:
    return text.replace("|", r"\|")
