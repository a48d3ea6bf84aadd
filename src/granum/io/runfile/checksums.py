"""Checksums of rows: every array of every frame has its own, so that intact frames and arrays stay readable.

The hash is XXH3 with 64 bits (xxhash, a wheel on every platform). Measured on one core, GB/s for 64 MB and ns for 200
bytes: XXH3 21 and 140, crc32c 5.3 and 250, google-crc32c 3.7 and 260, zlib.crc32 1.4 and 440.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import xxhash
from numpy.typing import NDArray

TABLE = "checksum"
"""Name of the table: a row for each frame, a column for each array and one for the row itself."""


def digest(data: Any, seed: int = 0) -> int:
    """Checksum of contiguous bytes; the seed says what they are, so that rows in each other's place are noticed."""
    return int(xxhash.xxh3_64_intdigest(data, seed))


def bytes_of(rows: NDArray[Any]) -> NDArray[np.uint8]:
    """(rows, bytes of one) of an array that is contiguous, without copying it."""
    return rows.reshape(len(rows), -1).view(np.uint8) if rows.size else np.zeros((len(rows), 0), np.uint8)


def row_digests(rows: NDArray[Any], seeds: range | list[int]) -> NDArray[np.uint64]:
    """Checksums of rows, one for each; a row without numbers has none."""
    raw = bytes_of(rows)
    if not raw.shape[1]:
        return np.zeros(len(rows), np.uint64)
    return np.fromiter((digest(row, seed) for row, seed in zip(raw, seeds, strict=True)), np.uint64, len(rows))


def counter(*values: int) -> NDArray[np.int64]:
    """Numbers with their checksum behind them, in one write."""
    numbers = np.array(values, np.int64)
    return np.append(numbers, np.array([digest(numbers)], np.uint64).view(np.int64))


def counted(stored: NDArray[np.int64]) -> tuple[int, ...] | None:
    """The numbers of a counter; None if they do not match their checksum."""
    values = tuple(int(value) for value in stored[:-1])
    return values if np.array_equal(counter(*values), stored) else None
