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

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, cast

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core.errors import TypingError
from numba.extending import intrinsic
from numpy.typing import NDArray

from granum.base.kernel_cache import compiled
from granum.base.kernels import Floats, kernel

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
    def _compiled(self) -> Any:
        return compiled(self.function, numba.cfunc, RATES)

    @property
    def address(self) -> int:
        """Where compiled code finds it."""
        return int(self._compiled.address)

    @property
    def ctypes(self) -> Any:
        """For calls from Python."""
        return self._compiled.ctypes


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


def _pointer_to(element: Any, code_of: ir.Type) -> Any:
    def typing_of(typing: Any, address: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.inttoptr(arguments[0], code_of.as_pointer())

        return cast(Any, types.CPointer)(element)(types.int64), code

    return intrinsic(typing_of)


floats_pointer = cast(Callable[[int], Any], _pointer_to(types.float64, _DOUBLE))
"""floats_pointer(address): a pointer that `carray` makes an array of, within compiled code."""
ints_pointer = cast(Callable[[int], Any], _pointer_to(types.int64, ir.IntType(64)))
"""ints_pointer(address): the same for whole numbers."""


def addresses(arrays: Sequence[NDArray[Any]]) -> Floats:
    """A block of numbers that says where arrays are and what shape they have: three whole numbers each, stored bit by
    bit in the place of numbers. The arrays must live as long as the block is used.
    """
    table = np.zeros((len(arrays), 3), dtype=np.int64)
    for k, array in enumerate(arrays):
        if not array.flags.c_contiguous or array.dtype.itemsize != 8:
            raise ValueError(f"array {k} is not contiguous or not of 8 bytes per number.")
        table[k] = array.ctypes.data, array.shape[0], array.shape[1] if array.ndim > 1 else 1
    return table.ravel().view(np.float64)


@kernel
def floats_at(table: Any, k: int) -> Any:
    """Array k of a block of addresses: numbers in one row."""
    return carray(floats_pointer(table[3 * k]), table[3 * k + 1])


@kernel
def grid_at(table: Any, k: int) -> Any:
    """Array k of a block of addresses: numbers in rows and columns."""
    return carray(floats_pointer(table[3 * k]), (table[3 * k + 1], table[3 * k + 2]))


@kernel
def ints_at(table: Any, k: int) -> Any:
    """Array k of a block of addresses: whole numbers in one row."""
    return carray(ints_pointer(table[3 * k]), table[3 * k + 1])


@kernel
def int_grid_at(table: Any, k: int) -> Any:
    """Array k of a block of addresses: whole numbers in rows and columns."""
    return carray(ints_pointer(table[3 * k]), (table[3 * k + 1], table[3 * k + 2]))
