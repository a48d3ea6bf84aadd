"""Names of a robot as names of a scene: letters, digits, `-` and `_`, each only once."""

from __future__ import annotations

import re
from collections.abc import Iterable

_LONGEST = 72
"""Characters; a number may follow."""


class Names:
    """Names that are taken."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self.taken = set(taken)
        self.given: dict[str, str] = {}
        """Names of the file, with what they have become."""

    def unique(self, wanted: str) -> str:
        """The name itself if a scene can have it and it is free, else the nearest that is."""
        base = re.sub(r"[^A-Za-z0-9_-]", "_", wanted)[:_LONGEST]
        if not re.match(r"[A-Za-z_]", base):
            base = f"_{base}"
        name, k = base, 2
        while name in self.taken:
            name, k = f"{base}-{k}", k + 1
        self.taken.add(name)
        self.given.setdefault(wanted, name)
        return name
