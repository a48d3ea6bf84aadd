"""Kernels compiled by Numba as it is: `GRANUM_COMPILER=stock`.

It does what `compiler` does through Numba's documented interface (`njit`, `cfunc`, its cache), so that it outlives
changes of Numba's internals. Numba makes machine code and a wrapper for Python of every function for every list of
argument types, so a first run compiles several times longer. Numba's cache looks at the file of a kernel alone; here
each version of a module and of what it imports has a directory of its own (`kernel_cache.content_hash`).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any, cast

import numba as _numba
from numba.core import event as _event

from granum.base.compiling import waiting
from granum.base.kernel_cache import KernelCache, directory, writable

numba: Any = _numba
event: Any = _event
ARITHMETIC = {"error_model": "numpy", "fastmath": {"contract"}}
"""As `compiler.compiled` has it."""


class _Watch(event.Listener):  # type: ignore[misc]
    """Tells users what they wait for."""

    def __init__(self) -> None:
        self._running: list[ExitStack] = []

    def on_start(self, event: Any) -> None:
        """A kernel is being compiled."""
        stack = ExitStack()
        stack.enter_context(waiting.timed())
        self._running.append(stack)
        function = event.data["dispatcher"].py_func
        waiting.began(f"{function.__module__.removeprefix('granum.')}.{function.__name__}")

    def on_end(self, event: Any) -> None:
        """It is done."""
        self._running.pop().close()


event.register("numba:compile", _Watch())


def _kept(decorate: Callable[..., Any], function: Callable[..., Any]) -> Any:
    """Decorate a function such that Numba keeps its code in Granum's cache; `decorate` takes `cache`."""
    before = numba.config.CACHE_DIR
    # Numba asks for the directory when it decorates; kernels of users keep theirs
    numba.config.CACHE_DIR = str(directory() / KernelCache(function, __file__).folder)
    try:
        return decorate(cache=writable())(function)
    finally:
        numba.config.CACHE_DIR = before


def compiled(function: Callable[..., Any], **options: Any) -> Any:
    """Compile a function with the arithmetic of kernels, and keep its machine code."""
    options.pop("_nrt", None)  # not documented; counting references costs time and changes no number
    return _kept(lambda cache: numba.njit(**ARITHMETIC, **options, cache=cache), function)


def c_function(function: Callable[..., Any], signature: Any) -> Any:
    """The function as a C function: an object with its `address`, which holds as long as the object lives."""
    return _kept(lambda cache: cast(Any, numba).cfunc(signature, **ARITHMETIC, cache=cache), function)
