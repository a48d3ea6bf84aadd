"""Loops over whole arrays inside kernels.

`a[:] = b` and `a += h * b` mean the same, but Numba compiles for each a check of shapes whose message alone takes some
seconds to compile, and the second makes an array.
"""

from __future__ import annotations

from granum.base.kernels import Floats, kernel


@kernel
def copy(source: Floats, target: Floats) -> None:
    """target = source, for vectors."""
    for k in range(len(source)):
        target[k] = source[k]


@kernel
def copy_rows(source: Floats, target: Floats) -> None:
    """target = source, for tables."""
    for i in range(source.shape[0]):
        for k in range(source.shape[1]):
            target[i, k] = source[i, k]


@kernel
def add_scaled(factor: float, source: Floats, target: Floats) -> None:
    """target += factor · source, for vectors."""
    for k in range(len(source)):
        target[k] += factor * source[k]
