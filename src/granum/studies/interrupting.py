"""A limit on the time of a user's function, which asks nobody how long it may take."""

from __future__ import annotations

import ctypes
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def interrupted_after(left: Callable[[], float], error: type[BaseException]) -> Iterator[None]:
    """Raise an error in what runs inside, once no time is left.

    Args:
        left: seconds that are left now; asked again when they have passed, as compilation does not count.
        error: raised between two instructions of Python. In the main thread it also ends a call that waits, such as
            a sleep; in other threads compiled code and waiting calls go on until they return.
    """
    if left() <= 0.0:
        raise error
    here = threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer")
    with _by_alarm(left, error) if here else _by_thread(left, error):
        yield


@contextmanager
def _by_alarm(left: Callable[[], float], error: type[BaseException]) -> Iterator[None]:
    def ring(*_: object) -> None:
        if (more := left()) <= 0.0:
            raise error
        signal.setitimer(signal.ITIMER_REAL, more)

    before = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, max(left(), 1e-6))
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def _by_thread(left: Callable[[], float], error: type[BaseException]) -> Iterator[None]:
    ended, deciding, sent = threading.Event(), threading.Lock(), False
    watched = ctypes.c_ulong(threading.get_ident())

    def watch() -> None:
        nonlocal sent
        while (more := left()) > 0.0:
            if ended.wait(more):
                return
        with deciding:
            if not ended.is_set():
                sent = True
                ctypes.pythonapi.PyThreadState_SetAsyncExc(watched, ctypes.py_object(error))

    threading.Thread(target=watch, daemon=True).start()
    arrived = False
    try:
        yield
    except error:
        arrived = True
        raise
    finally:
        with deciding:
            ended.set()
        while sent and not arrived:  # the error is on its way and must not be raised elsewhere
            time.sleep(1e-3)
