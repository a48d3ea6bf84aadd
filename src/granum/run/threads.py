"""How many threads kernels use."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from granum.base.errors import GranumError


@contextmanager
def use_threads(count: int | None) -> Iterator[None]:
    """Let kernels use so many threads meanwhile, at most one for each processor; None leaves it as it is."""
    if count is None:
        yield
        return
    if not isinstance(count, int) or isinstance(count, bool):
        raise GranumError(f"found threads = {count!r:.80}, but it is a number of threads, such as 2.")
    import numba

    from granum.base.kernel_cache import config

    before = numba.get_num_threads()
    numba.set_num_threads(max(1, min(count, config.NUMBA_NUM_THREADS)))
    try:
        yield
    finally:
        numba.set_num_threads(before)
