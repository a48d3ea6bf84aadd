"""The JSON schema of scene files, from which editors complete and check them."""

from __future__ import annotations

import ast
import inspect
import textwrap
from itertools import pairwise
from typing import Any

from pydantic.json_schema import GenerateJsonSchema

from granum.base.extensions import load_all
from granum.model.kinds import bases
from granum.model.materials import MATERIAL_KEY, declaring
from granum.model.quantities import Entry, OneOf
from granum.model.scene import Scene
from granum.model.settings import RunSettings


def schema() -> dict[str, Any]:
    """The JSON schema of scene files: sections, kinds and keys, with the type and meaning of each key.

    It does not contain rules between keys and between entries; `granum check` reports those.

    >>> "body" in gr.schema()["properties"]
    True
    """
    load_all([*(base.section for base in bases()), MATERIAL_KEY,
              *(names.section for field in RunSettings.model_fields.values() for choice in field.metadata
                if isinstance(choice, OneOf) for names in choice.choices)])
    schema_of_file = Scene.model_json_schema(schema_generator=_FileSchema)
    # a file names the frame of an earlier run beside the bodies of its start
    del schema_of_file["properties"]["start_frame"], schema_of_file["$defs"]["RunFrame"]
    start = schema_of_file["properties"]["start"]
    body = start["additionalProperties"]
    start["properties"] = {
        "from": {"anyOf": [{"type": "string"}, body],
                 "description": "Run file of an earlier run, relative to the scene file."},
        "frame": {"anyOf": [{"type": "integer"}, body], "default": -1,
                  "description": "Index of its frame; negative indices count from the end."},
    }
    return {"$schema": GenerateJsonSchema.schema_dialect, **schema_of_file}


class _FileSchema(GenerateJsonSchema):
    """What stands in a file: TOML has no null, a kind is always written, and keys mean what their docstrings say."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def nullable_schema(self, schema: Any) -> dict[str, Any]:
        return self.generate_inner(schema["schema"])

    def default_schema(self, schema: Any) -> dict[str, Any]:
        own = super().default_schema(schema)
        if isinstance(own.get("default"), dict | None):  # an entry that is left out has the defaults of its keys
            own.pop("default", None)
        return own

    def dict_schema(self, schema: Any) -> dict[str, Any]:
        own = super().dict_schema(schema)
        for pattern, values in own.pop("patternProperties", {}).items():  # would let other names pass unread
            own |= {"propertyNames": {"pattern": pattern}, "additionalProperties": values}
        return own

    def model_schema(self, schema: Any) -> dict[str, Any]:
        own = super().model_schema(schema)
        if "description" in own:
            own["description"] = meaning(schema["cls"])
        properties = own["properties"]
        if properties.get("kind", {}).pop("default", None):
            own["required"] = ["kind", *own.get("required", ())]
        for key, text in meanings(schema["cls"]).items():
            properties[key]["description"] = text
        return own


def meaning(entry: type[Entry]) -> str:
    """The docstring of an entry without its examples in Python."""
    return (inspect.getdoc(entry) or "").partition("\n\n>>> ")[0]


def meanings(entry: type[Entry]) -> dict[str, str]:
    """The docstring of each key, also of those that the entry inherits and that others have added to it."""
    texts: dict[str, str] = {}
    for part in [*declaring(entry), *reversed(entry.__mro__[: entry.__mro__.index(Entry)])]:
        try:
            (tree,) = ast.parse(textwrap.dedent(inspect.getsource(part))).body
        except OSError:  # a class that was typed in has no source
            continue
        assert isinstance(tree, ast.ClassDef)
        for field, text in pairwise(tree.body):
            match field, text:
                case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(written))):
                    texts[name] = " ".join(written.split())
    return {field.alias or name: texts[name] for name, field in entry.model_fields.items() if name in texts}
