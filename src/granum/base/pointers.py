"""Calls of compiled functions by their address.

A right-hand side is handed to a kernel as the address of a C function

    int64_t f(double t, double *y, double *dy, double *data)

which writes dy and returns 0, or a status from 10 to 99. The address is an argument of the kernel, so the kernel
is compiled and cached once for all right-hand sides. Such a function comes from any C compiler, or from Python:

    @right_hand_side
    def falling(t, y_, dy_, data_):
        y, dy, data = carray(y_, 2), carray(dy_, 2), carray(data_, 1)
        dy[0], dy[1] = y[1], -data[0]
        return 0

    advance(falling.address, ...)

`numba.carray(pointer, shape)` views the memory behind a pointer as an array, without a copy and without knowing
its true length. The address holds as long as the function object lives.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Iterator, Mapping
from functools import cache, cached_property
from typing import Annotated, Any, NamedTuple, TypeAlias, TypeVar, cast, get_args, get_origin, get_type_hints

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic
from numba.np.numpy_support import from_dtype
from numpy.typing import NDArray

from granum.base.compilers import c_function
from granum.base.kernels import Floats, Ints

Group = TypeVar("Group", bound=tuple[Any, ...])

carray = cast(Callable[[Any, Any], Floats], cast(Any, numba).carray)
"""carray(pointer, size or shape): the memory behind a pointer as an array, within compiled code."""
_NUMBERS = cast(Any, types.CPointer)(types.float64)

RATES = types.int64(types.float64, _NUMBERS, _NUMBERS, _NUMBERS)
"""The signature of a right-hand side (t, y, dy, data) for `numba.cfunc`."""


class right_hand_side:  # noqa: N801 (a decorator)
    """A C function of signature RATES, with the arithmetic of kernels, compiled when its address is first asked for.

    Division follows NumPy: an exception could not leave a C function, it would be printed and 0 returned.
    """

    def __init__(self, function: Callable[..., int]) -> None:
        self.function = function

    @cached_property
    def _code(self) -> Any:
        return c_function(self.function, RATES)

    @property
    def address(self) -> int:
        """Where compiled code finds it."""
        return int(self._code.address)

    @cached_property
    def ctypes(self) -> Any:
        """For calls from Python."""
        number, numbers = ctypes.c_double, ctypes.POINTER(ctypes.c_double)
        return ctypes.CFUNCTYPE(ctypes.c_int64, number, numbers, numbers, numbers)(self.address)


_DOUBLE = ir.DoubleType()
_RATES = ir.FunctionType(ir.IntType(64), [_DOUBLE, *3 * [_DOUBLE.as_pointer()]])


def _check(name: str, array: Any) -> None:
    if not (isinstance(array, types.Array) and array.dtype == types.float64 and array.layout == "C"):
        raise TypingError(f"call_rates: {name} is {array}; a C-contiguous array of float64 is needed.")


def _call_rates(typing: Any, address: Any, t: Any, y: Any, dy: Any, data: Any) -> Any:
    """Type and code of the call; arrays are given by the pointers to their first elements."""
    for name, array in (("y", y), ("dy", dy), ("data", data)):
        _check(name, array)

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        function = builder.inttoptr(arguments[0], _RATES.as_pointer())
        arrays = [
            context.make_array(kind)(context, builder, value).data
            for kind, value in zip(signature.args[2:], arguments[2:], strict=True)
        ]
        return builder.call(function, [arguments[1], *arrays])

    return types.int64(types.int64, types.float64, y, dy, data), code


call_rates = cast(Callable[[int, float, Floats, Floats, Floats], int], intrinsic(_call_rates))
"""call_rates(address, t, y, dy, data) -> status: the function at an address, called from within a kernel."""


def _call_rates_within(typing: Any, address: Any, t: Any, array: Any, y: Any, dy: Any, data: Any) -> Any:
    """Type and code of the call; pointers are made from places in one array."""
    _check("array", array)

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        function = builder.inttoptr(arguments[0], _RATES.as_pointer())
        first = context.make_array(signature.args[2])(context, builder, arguments[2]).data
        return builder.call(function, [arguments[1], *(builder.gep(first, [place]) for place in arguments[3:])])

    return types.int64(types.int64, types.float64, array, *3 * [types.int64]), code


call_rates_within = cast(Callable[[int, float, Floats, int, int, int], int], intrinsic(_call_rates_within))
"""call_rates_within(address, t, array, y, dy, data) -> status: like call_rates, with the three parts of one array that
begin at these places; for calls so short that making views of arrays would take longer."""


def _call_on_rows(typing: Any, address: Any, t: Any, y: Any, dy: Any, data: Any, k: Any) -> Any:
    """Type and code of the call; the second and third pointer are those to row k of two tables."""
    for name, array in (("y", y), ("dy", dy), ("data", data)):
        _check(name, array)

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        function = builder.inttoptr(arguments[0], _RATES.as_pointer())
        first, *tables = (context.make_array(kind)(context, builder, value)
                          for kind, value in zip(signature.args[2:5], arguments[2:5], strict=True))
        rows = [builder.gep(table.data, [builder.mul(arguments[5], builder.extract_value(table.shape, 1))])
                for table in tables]
        return builder.call(function, [arguments[1], first.data, *rows])

    return types.int64(types.int64, types.float64, y, dy, data, types.int64), code


call_on_rows = cast(Callable[[int, float, Floats, Floats, Floats, int], int], intrinsic(_call_on_rows))
"""call_on_rows(address, t, y, dy, data, k) -> status: like call_rates, with row k of the tables dy and data."""


def _floats_pointer(typing: Any, address: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], _DOUBLE.as_pointer())

    return _NUMBERS(types.int64), code


floats_pointer = cast(Callable[[int], Any], intrinsic(_floats_pointer))
"""floats_pointer(address): a pointer that `carray` makes an array of, within compiled code."""


FloatGrid: TypeAlias = Annotated[Floats, 2]
"""Numbers in rows and columns, as a field of a block."""
IntGrid: TypeAlias = Annotated[Ints, 2]
"""Whole numbers in rows and columns, as a field of a block."""

_HINTS: dict[Any, np.dtype[Any]] = {
    Floats: np.dtype(np.float64), Ints: np.dtype(np.int64), NDArray[np.int32]: np.dtype(np.int32)}


class _Field(NamedTuple):
    """An array of a block: its name, type of number and rank."""

    name: str
    dtype: np.dtype[Any]
    rank: int


@cache
def _fields(group: type, prefix: str = "") -> list[_Field]:
    """Arrays of a named tuple, nested ones in place, in the order of the fields."""
    fields = []
    for name, hint in get_type_hints(group, include_extras=True).items():
        if isinstance(hint, type) and issubclass(hint, tuple):
            fields += _fields(hint, f"{prefix}{name}.")
            continue
        array, rank = get_args(hint) if get_origin(hint) is Annotated else (hint, 1)
        if array not in _HINTS:
            raise TypeError(f"{group.__name__}.{name}: a field of a block is Floats, Ints, Int32s, FloatGrid or "
                            "IntGrid.")
        fields.append(_Field(f"{prefix}{name}", _HINTS[array], rank))
    return fields


def _kind(group: type) -> Any:
    """The type that compiled code has for a named tuple of arrays."""
    kinds = []
    for hint in get_type_hints(group, include_extras=True).values():
        if isinstance(hint, type) and issubclass(hint, tuple):
            kinds.append(_kind(hint))
        else:
            array, rank = get_args(hint) if get_origin(hint) is Annotated else (hint, 1)
            kinds.append(cast(Any, types.Array)(from_dtype(_HINTS[array]), rank, "C"))
    return cast(Any, types.BaseTuple).from_types(kinds, group)


def _read_array(context: Any, builder: Any, kind: Any, words: Iterator[Any]) -> Any:
    """The descriptor of an array that is not ours, from its address and its shape in a block."""
    address, *sizes = (builder.load(next(words)) for _ in range(3))
    code = context.get_value_type(kind)
    *owners, _, _, data, _, _ = code.elements
    item = address.type(kind.dtype.bitwidth // 8)
    shape, strides = sizes[: kind.ndim], [item] if kind.ndim == 1 else [builder.mul(sizes[1], item), item]
    fields = [*(each(None) for each in owners), builder.mul(*sizes), item, builder.inttoptr(address, data),
              *(cgutils.pack_array(builder, each, address.type) for each in (shape, strides))]
    array = code(ir.Undefined)
    for k, field in enumerate(fields):
        array = builder.insert_value(array, field, k)
    return array


def block_reader(group: type[Group]) -> Callable[[Any], Group]:
    """A function for compiled code that takes the pointer to a block and returns the named tuple it was packed from.

    It follows the fields of the class, so that packing and reading cannot disagree. It is LLVM's code, put in place
    where it is called: from Python code, 65 arrays took Numba 0.7 s.
    """
    size, kind = 3 * len(_fields(group)), _kind(group)

    def read(context: Any, builder: Any, own: Any, words: Iterator[Any]) -> Any:
        if isinstance(own, types.Array):
            return _read_array(context, builder, own, words)
        return context.make_tuple(builder, own, [read(context, builder, each, words) for each in own])

    def typing_of(typing: Any, data_: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            word = ir.IntType(64)
            first = builder.bitcast(arguments[0], word.as_pointer())
            return read(context, builder, kind, (builder.gep(first, [word(k)]) for k in range(size)))

        return kind(_NUMBERS), code

    return cast(Callable[[Any], Group], intrinsic(typing_of))


def pack_block(group: tuple[Any, ...]) -> Floats:
    """A block of numbers that says where the arrays of a named tuple are and what shape they have.

    Three whole numbers for each array, stored bit by bit in the place of numbers. The arrays must live as long as the
    block is used. An array of another type, rank or layout than its field is refused: compiled code would read past it.
    """
    fields = _fields(type(group))
    arrays = list(_arrays(group))
    if len(arrays) != len(fields):
        raise TypeError(f"{type(group).__name__} has {len(fields)} arrays, but {len(arrays)} are given.")
    table = np.zeros((len(fields), 3), dtype=np.int64)
    for k, (field, array) in enumerate(zip(fields, arrays, strict=True)):
        if not isinstance(array, np.ndarray) or array.dtype != field.dtype or array.ndim != field.rank:
            given = f"{array.ndim}-D of {array.dtype}" if isinstance(array, np.ndarray) else type(array).__name__
            raise TypeError(f"{type(group).__name__}.{field.name} is {given}, but {field.rank}-D of {field.dtype} is "
                            "needed.")
        if not array.flags.c_contiguous:
            raise TypeError(f"{type(group).__name__}.{field.name} is not C-contiguous.")
        table[k] = array.ctypes.data, array.shape[0], array.shape[1] if field.rank == 2 else 1
    return table.ravel().view(np.float64)


def contiguous(group: type[Group], shapes: Mapping[str, tuple[int, ...]]) -> tuple[Floats, Group]:
    """An array of zeros, and a named tuple of views of it, one behind the other in the order of its fields.

    Compiled formulas read or write several fields at once; a field without a shape has one number.
    """
    sizes = [shapes.get(name, (1,)) for name in group._fields]  # type: ignore[attr-defined]
    memory = np.zeros(sum(map(math.prod, sizes)))
    ends = np.cumsum([math.prod(size) for size in sizes])
    return memory, group(*(part.reshape(size) for part, size in zip(np.split(memory, ends), sizes, strict=False)))


def _arrays(group: tuple[Any, ...]) -> Iterator[Any]:
    for value in group:
        if isinstance(value, tuple):
            yield from _arrays(value)
        else:
            yield value


def call(function: right_hand_side, t: float, y: Floats, out: Floats, block: Floats) -> int:
    """Call a compiled function from Python: y, and the arrays behind the block, are changed in place."""
    pointers = [array.ctypes.data_as(ctypes.POINTER(ctypes.c_double)) for array in (y, out, block)]
    return int(function.ctypes(t, *pointers))
