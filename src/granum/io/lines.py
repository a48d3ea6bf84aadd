"""Where a key stands in a TOML text: the parser of the standard library does not say."""

from __future__ import annotations

import re

_DEEPEST = 8
"""Parts of a key that contains others; a name in quotes may have a million dots."""


class Lines:
    """Line numbers of the tables and keys of a TOML text.

    Good for everything a scene contains; where it is misled (a key inside a long string), a message has a
    line that is near instead of exact.
    """

    def __init__(self, text: str) -> None:
        self._lines: dict[str, int] = {}
        self._first_below: dict[str, int] = {}
        """The first line of what an entry contains, for entries without a line of their own."""
        table, depth, quoted = "", 0, ""
        # not splitlines(), which knows ends of line that TOML does not
        for number, line in enumerate(text.split("\n"), 1):
            if quoted:
                quoted = "" if quoted in line else quoted
                continue
            bare = line.strip()
            if depth == 0:
                if bare.startswith("["):
                    table = _plain(bare.lstrip("[").partition("]")[0])
                    self._set(table, number)
                    continue
                key, sign, value = bare.partition("=")
                if sign and not bare.startswith("#"):
                    self._note(table, key, value, number)
                    for marks in ('"""', "'''"):
                        if value.count(marks) == 1:
                            quoted = marks
            bare = re.sub(r"\"[^\"]*\"|'[^']*'|#.*", "", bare)
            depth = max(0, depth + sum(map(bare.count, "[{")) - sum(map(bare.count, "]}")))

    def _note(self, table: str, key: str, value: str, number: int) -> None:
        path = f"{table}.{_plain(key)}" if table else _plain(key)
        self._set(path, number)
        for inner in re.findall(r"[{,]\s*([A-Za-z0-9_\-]+)\s*=", value):  # an inline table
            self._set(f"{path}.{inner}", number)

    def _set(self, path: str, number: int) -> None:
        """Note the line of a path, unless it has one already."""
        self._lines.setdefault(path, number)
        parts = path.split(".", _DEEPEST)
        for k in range(1, len(parts)):
            self._first_below.setdefault(".".join(parts[:k]), number)

    def find(self, place: str) -> int | None:
        """Line of a place, or of the nearest entry that contains it."""
        parts = place.split(".")
        while parts:
            if (line := self._lines.get(".".join(parts))) is not None:
                return line
            parts.pop()
        return self._first_below.get(place) if place else None


def _plain(path: str) -> str:
    return ".".join(part.strip().strip("\"'") for part in path.split("."))
