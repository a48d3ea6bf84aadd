"""Kinds: what the entries of a section may be. A class that derives from the section's base is one more of them.

Built-in kinds and those of other packages are registered the same way, by their definition:

    class Magnet(gr.Load):
        kind: Literal["magnet"] = "magnet"
        strength: float

From then on scene files, `Scene(...)`, messages, the JSON schema and the reference know `kind = "magnet"`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, get_args, get_origin

from pydantic import GetCoreSchemaHandler, TypeAdapter, ValidatorFunctionWrapHandler
from pydantic_core import CoreSchema, core_schema

from granum.base.errors import GranumError
from granum.base.extensions import found
from granum.model.quantities import Entry


class Kind(Entry):
    """Base of entries that come in several kinds. A direct subclass is the base of a section, named by `section`.

    >>> sorted(gr.Region.kinds)
    ['box', 'cylinder', 'half-space', 'round']
    """

    section: ClassVar[str] = ""
    """What the entries are called: `body`, `load`, ..."""
    kinds: ClassVar[dict[str, type[Kind]]] = {}
    """Entries of the section by kind, in the order of their definition."""
    if TYPE_CHECKING:
        kind: str

    def __init_subclass__(cls, section: str = "", **settings: Any) -> None:
        super().__init_subclass__(**settings)
        if section:
            cls.section, cls.kinds = section, {}

    @classmethod
    def __pydantic_init_subclass__(cls, section: str = "", **settings: Any) -> None:
        super().__pydantic_init_subclass__(**settings)
        if "kind" in cls.__annotations__:
            cls._register()

    @classmethod
    def _register(cls) -> None:
        field = cls.model_fields["kind"]
        names = get_args(field.annotation) if get_origin(field.annotation) is Literal else ()
        if names != (field.default,):
            raise TypeError(f'{cls.__name__} needs its kind as kind: Literal["name"] = "name".')
        if field.default in cls.kinds:
            raise TypeError(f"There is already a {cls.section} of kind {field.default!r}: "
                            f"{cls.kinds[field.default].__name__}. Give {cls.__name__} another kind.")
        cls.kinds[field.default] = cls
        announce_change()

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """The base of a section stands for any of its kinds."""
        if "section" not in cls.__dict__ or not cls.kinds:
            return handler(source)
        return core_schema.no_info_wrap_validator_function(
            partial(cls._read, frozenset(cls.kinds)), core_schema.tagged_union_schema(
                {name: handler.generate_schema(entry) for name, entry in cls.kinds.items()}, discriminator="kind"))

    @classmethod
    def _read(cls, known: frozenset[str], value: Any, read: ValidatorFunctionWrapHandler) -> Any:
        """Read an entry by the rules of the kinds that were `known` when these were made; of another kind, but that an
        installed package adds, that package defines it.
        """
        kind = value.get("kind") if isinstance(value, dict) else None
        if not isinstance(kind, str) or kind in known:
            return read(value)
        try:
            added = found(cls.kinds, cls.section, kind)
        except GranumError as error:
            raise ValueError(str(error)) from error
        if not added:
            return read(value)
        own: Any = Annotated[cls, cls.section]
        return TypeAdapter(own).validate_python(value)  # `read` was made before the kind was defined


_LISTENERS: list[Callable[[], None]] = []


def on_change(call: Callable[[], None]) -> None:
    """Call a function whenever a kind, or a key of materials, is added."""
    _LISTENERS.append(call)


def announce_change() -> None:
    """One has been added."""
    for changed in _LISTENERS:
        changed()


def bases() -> list[type[Kind]]:
    """The bases of all sections that come in kinds."""
    return [base for base in Kind.__subclasses__() if base.section]


def all_entries(base: type[Entry] = Entry) -> list[type[Entry]]:
    """All classes of entries, each after those it derives from."""
    entries = [entry for child in base.__subclasses__() for entry in (child, *all_entries(child))]
    return list(dict.fromkeys(entries))
