"""Arrays in one block of bytes for the page: a description, then each array; numbers may be rounded to save room."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from granum.base.errors import GranumError
from granum.base.kernels import Floats

_ALIGNED = 8
"""Arrays begin at multiples of this many bytes, as typed arrays of a browser want them."""
_TYPES = {"float32": "f4", "float64": "f8", "uint8": "u1", "uint16": "u2", "uint32": "u4", "int16": "i2", "int32": "i4"}


class Rounded(NamedTuple):
    """Numbers as whole numbers: low + step · k, for each column its own."""

    whole: NDArray[Any]
    low: Floats
    step: Floats


Packed = NDArray[Any] | Rounded


def rounded(values: Floats, step: float, low: Floats) -> Rounded:
    """Numbers (n, columns) in steps above the least of each column, in the fewest bytes that hold them."""
    whole = np.rint((values - low) / step)
    most = float(whole.max(initial=0.0))
    kind = np.uint8 if most < 2**8 else np.uint16 if most < 2**16 else np.uint32
    return Rounded(whole.astype(kind), np.broadcast_to(low, values.shape[-1:]), np.full(values.shape[-1:], step))


def pack(arrays: Mapping[str, Packed]) -> bytes:
    """A block of arrays; `arrays.js` of the page takes it apart."""
    entries: list[dict[str, Any]] = []
    offset = 0
    for name, packed in arrays.items():
        stored = packed.whole if isinstance(packed, Rounded) else packed
        entries.append({"name": name, "type": _TYPES[stored.dtype.name], "shape": stored.shape, "offset": offset})
        if isinstance(packed, Rounded):
            entries[-1] |= {"low": packed.low.tolist(), "scale": packed.step.tolist()}
        offset += _room(stored.nbytes)
    # where arrays begin depends on how long the description is, in which these places are written
    begin = _room(4 + len(json.dumps(entries)) + 24 * len(entries))
    for entry in entries:
        entry["offset"] += begin
    text = json.dumps(entries).encode()
    parts = [len(text).to_bytes(4, "little"), text, bytes(begin - 4 - len(text))]
    for packed in arrays.values():
        stored = packed.whole if isinstance(packed, Rounded) else packed
        parts += [stored.tobytes(), bytes(_room(stored.nbytes) - stored.nbytes)]
    return b"".join(parts)


def _room(size: int) -> int:
    return -(-size // _ALIGNED) * _ALIGNED


def as_json(value: Any) -> bytes:
    """What the page reads as JSON, which has no infinite numbers."""
    try:
        return json.dumps(value, allow_nan=False).encode()
    except ValueError:
        raise GranumError("Some numbers of this run are too large to be shown: it may be unstable. Plot its energy, or "
                          "run it with a smaller step.") from None
