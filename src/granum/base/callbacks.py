"""Functions of Python that compiled code calls by their address."""

from __future__ import annotations

import contextlib
import ctypes
import signal
import threading
from collections.abc import Callable, Iterator
from types import FrameType

import numpy as np

from granum.base.kernels import Floats

UNCHANGED = 1
"""Status of a function called at the end of a step that left the state as it was."""
RAISED = 99
"""Status where the function raised an exception."""
_SIGNATURE = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_double, *3 * [ctypes.c_void_p])
_MOST_VIEWS = 100
_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_kept: list[signal.Signals] = []


@contextlib.contextmanager
def interrupts_kept() -> Iterator[None]:
    """Keep Ctrl-C and SIGTERM until compiled code that calls back has returned, and obey them then.

    Python raises KeyboardInterrupt between any two instructions, the first of a function that compiled code calls
    included. There nothing can catch it: ctypes drops it, and the function returns without a result. While signals are
    kept, the next call back ends the compiled code instead. Python handles signals in the main thread only.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handlers = {number: handler for number in _SIGNALS if callable(handler := signal.getsignal(number))}
    try:
        for number in handlers:
            signal.signal(number, _keep)
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        kept = _kept.copy()
        _kept.clear()
        for number in kept:
            handlers[number](number, None)


def _keep(number: int, frame: FrameType | None) -> None:
    _kept.append(signal.Signals(number))


class Callback:
    """A function (t, y, out) -> status in the form of `granum.base.pointers`, for vectors of one size.

    An exception cannot pass through compiled code: it is kept in `exception`, the status is RAISED, and `reraise`
    raises it where Python goes on. Compiled code that calls back runs within `interrupts_kept`.
    """

    def __init__(self, function: Callable[[float, Floats, Floats], int], size: int) -> None:
        self._function, self._memory = function, ctypes.c_double * size
        self._views: dict[int, Floats] = {}
        self._compiled = _SIGNATURE(self._call)
        self.address = int(ctypes.cast(self._compiled, ctypes.c_void_p).value or 0)
        self.exception: BaseException | None = None

    def reraise(self) -> None:
        """Raise the exception that was kept, if there is one."""
        exception, self.exception = self.exception, None
        if exception is not None:
            raise exception

    def _call(self, t: float, y: int, out: int, data: int) -> int:
        if _kept:
            return RAISED
        try:
            return self._function(t, self._view(y), self._view(out))
        except BaseException as exception:
            self.exception = exception
            return RAISED

    def _view(self, address: int) -> Floats:
        """The vector at an address; making views takes longer than many an evaluation, so they are kept."""
        view = self._views.get(address)
        if view is None:
            if len(self._views) >= _MOST_VIEWS:
                self._views.clear()
            view = self._views[address] = np.ctypeslib.as_array(self._memory.from_address(address))
        return view
