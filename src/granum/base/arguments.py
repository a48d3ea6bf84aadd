"""Arguments of public functions: of the types that these declare, or refused by name before anything else happens."""

from __future__ import annotations

import builtins
import inspect
import re
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, wraps
from pathlib import Path
from typing import Any, Literal, NamedTuple, ParamSpec, TypeVar, Union, get_args, get_origin

import numpy as np

from granum.base.errors import GranumError

P = ParamSpec("P")
R = TypeVar("R")
_LONGEST = 80
"""Characters of a value in a message."""
_WORDS = {str: "a string", int: "a whole number", float: "a number", bool: "true or false", Path: "a file name",
          Sequence: "a list", tuple: "a list", Mapping: "a dictionary", Callable: "a function",
          np.ndarray: "an array", type(None): "None", slice: "a slice"}


def checked(function: Callable[P, R]) -> Callable[P, R]:
    """A function that refuses arguments which are not of the types that it declares.

    What dictionaries contain is not checked.
    """
    parameters = inspect.signature(function).parameters
    order = tuple(parameters)
    named = {name for name, own in parameters.items() if own.kind not in (own.VAR_POSITIONAL, own.VAR_KEYWORD)}
    types_of = lru_cache(maxsize=1)(lambda: {name: _resolved(parameters[name].annotation, function) for name in named})

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        declared = types_of()
        for name, value in (*zip(order, args, strict=False), *kwargs.items()):
            hint = declared.get(name, Any)
            if hint is not Any and not _fits(value, hint):
                raise GranumError(f"found {shown(value)} for {name} of {function.__name__}, but it takes "
                                  f"{' or '.join(dict.fromkeys(_words(hint)))}.")
        return function(*args, **kwargs)

    return call


def check_methods(cls: type[R], package: str) -> type[R]:
    """A class whose public methods, with those of its bases in a package, refuse arguments of other types."""
    for name in dir(cls):
        method = inspect.getattr_static(cls, name)
        if inspect.isfunction(method) and not name.startswith("_") and method.__module__.startswith(package):
            setattr(cls, name, checked(method))
    return cls


def shown(value: object) -> str:
    """What a user gave, in a message: not more than fits in a line."""
    text = " ".join(repr(value).split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 4]} ..."


def _resolved(annotation: Any, function: Callable[..., Any]) -> Any:
    """The type of an annotation; Any where it is none, or known to type checkers alone."""
    if annotation is inspect.Parameter.empty:
        return Any
    if not isinstance(annotation, str):
        return annotation
    try:
        return eval(annotation, function.__globals__)  # what stands in our own source
    except NameError:
        return [_part(part.strip(), function.__globals__) for part in re.split(r"\|(?![^\[]*\])", annotation)]


class _Later(NamedTuple):
    """A class that is imported for type checkers alone, because loading it takes time."""

    name: str


def _part(text: str, names: dict[str, Any]) -> Any:
    """One of several types of an annotation; of one with brackets that cannot be read, what stands before these."""
    outer = text.partition("[")[0]
    if outer in names or hasattr(builtins, outer) or outer == "None":
        return eval(outer, names)
    return _Later(outer) if outer.isidentifier() else Any


def _fits(value: object, hint: Any) -> bool:
    """Is a value of a type? What is no class counts as any."""
    origin = get_origin(hint)
    if isinstance(hint, list) or origin in (Union, types.UnionType):
        return any(_fits(value, one) for one in (hint if isinstance(hint, list) else get_args(hint)))
    if origin is Literal:
        return any(type(value) is type(one) for one in get_args(hint))
    if isinstance(hint, _Later):
        return any(one.__name__ == hint.name for one in type(value).__mro__)
    kind = origin or hint
    if kind is None or kind is type(None):
        return value is None
    if kind in (int, float):
        number = isinstance(value, np.ndarray | np.generic) and value.ndim == 0 and value.dtype.kind in "iuf"[: 2 + (
            kind is float)]
        return number or (isinstance(value, int if kind is int else int | float) and not isinstance(value, bool))
    if kind is bool:
        return isinstance(value, bool | np.bool_)
    if kind is np.ndarray:
        return _is_array(value)
    if kind in (tuple, Sequence):
        return isinstance(value, Sequence | np.ndarray) and not isinstance(value, str | bytes) and _holds(value, hint)
    if kind is Callable:
        return callable(value)
    return isinstance(value, kind) if inspect.isclass(kind) else True


def _is_array(value: object) -> bool:
    """Is it an array of numbers, or a list that makes one?"""
    try:
        return isinstance(value, Sequence | np.ndarray | int | float) and np.asarray(value).dtype.kind in "iufb"
    except ValueError:  # lists of different lengths
        return False


def _holds(values: Sequence[Any] | np.ndarray[Any, Any], hint: Any) -> bool:
    """Has a list as many values as its type says, and of its types?"""
    inner = [one for one in get_args(hint) if one is not ...]
    if get_origin(hint) is tuple and ... not in get_args(hint) and len(values) != len(inner):
        return False
    return not inner or all(_fits(value, inner[min(k, len(inner) - 1)]) for k, value in enumerate(values))


def _words(hint: Any) -> Iterator[str]:
    """What a type is called."""
    origin = get_origin(hint)
    if isinstance(hint, list) or origin in (Union, types.UnionType):
        for one in hint if isinstance(hint, list) else get_args(hint):
            yield from _words(one)
    elif isinstance(hint, _Later):
        yield f"a {hint.name}"
    elif origin is Literal:
        yield from (repr(one) for one in get_args(hint))
    elif origin in (tuple, Sequence):
        inner = next(_words(get_args(hint)[0]))
        yield f"a list of {len(get_args(hint))} numbers" if origin is tuple and ... not in get_args(hint) else \
            f"a list ({inner} each)"
    else:
        kind = type(None) if hint is None else origin or hint
        yield _WORDS.get(kind, f"a {kind.__name__}" if inspect.isclass(kind) else "another value")
