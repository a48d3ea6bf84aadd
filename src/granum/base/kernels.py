"""Array types and the one way a kernel is compiled.

Kernels are module-level functions over arrays and scalars: they write into their arguments, allocate
nothing and know no Python objects. `kernel_cache` says where compiled code is kept.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import wraps
from threading import Lock
from types import FunctionType
from typing import Any, TypeAlias, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from granum.base.compilers import compiled

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]
Record: TypeAlias = Any
"""One row of a structured array, with named fields: `contact.gap`."""
Records: TypeAlias = NDArray[Any]
"""A structured array, in kernels as `contacts[c].gap`, outside as `contacts["gap"]`."""

Function = TypeVar("Function", bound=Callable[..., Any])


class _Turns:
    """Whose turn it is to use all threads: Numba's workqueue ends the process where two threads start loops at once."""

    def __init__(self) -> None:
        self.renew()
        if hasattr(os, "register_at_fork"):  # a turn that another thread had at the moment of the fork never ends
            os.register_at_fork(after_in_child=self.renew)

    def renew(self) -> None:
        self.lock = Lock()


_turns = _Turns()


def kernel(function: Function) -> Function:
    """Compile `function` with Numba."""
    return cast(Function, compiled(function))


def inlined(function: Function) -> Function:
    """Compile a piece of a kernel that is put in place wherever it is called, so that what it returns is in registers.

    For short laws inside the hottest loops, where a call costs as much as the work: an array is seven arguments to
    compiled code. As in `small_kernel` references are not counted.
    """
    return cast(Function, compiled(function, _nrt=False, forceinline=True))


def parallel_kernel(function: Function) -> Function:
    """Compile `function` with its `numba.prange` loops on several threads.

    It may be a kernel too: the copy has a name of its own, or both would share one place in the cache. Same bits on any
    number of threads is up to the function: what iterations write must not overlap, and no sum goes over them. Python's
    threads take turns: a call uses all processors anyway.
    """
    loop = compiled(instance(function, function.__globals__, "parallel"), parallel=True)

    @wraps(function)
    def take_turn(*arguments: Any) -> Any:
        with _turns.lock:
            return loop(*arguments)

    return cast(Function, take_turn)


def instance(template: Function, scope: dict[str, Any], name: str) -> Function:
    """A copy of a function whose global names mean what `scope` says, to be compiled on its own.

    One text thus serves several kinds of data, each with compiled functions of its own, without closures. The copy has
    a name of its own, or all would share one place in the cache, and is kept for the file whose scope it is: that must
    import, directly or not, all that the copy calls.
    """
    function = cast(FunctionType, template)
    copy = FunctionType(function.__code__, scope, f"{function.__name__}_{name}")
    copy.__qualname__, copy.__module__ = copy.__name__, function.__module__
    return cast(Function, copy)


def small_kernel(function: Function) -> Function:
    """Compile a function that kernels call in their innermost loops: like `kernel`, but without counting references.

    Numba counts who holds an array at each call where branches are many, which takes longer than the distance of a
    point from a plane. The caller holds the arrays; such a function makes no array, nor a view of one.
    """
    return cast(Function, compiled(function, _nrt=False))
