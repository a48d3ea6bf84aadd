"""Messages in tests: what they name is asserted where they appear, their wording is kept in a catalogue.

A test says which file, line, key, body, option or remedy a message must name. The whole text is compared with
`tests/messages/`, one file for each file of tests. An edit of the wording therefore breaks no assertion: run
`make messages`, read the difference, and commit it with the edit.

Numbers are shown in the catalogue but not compared, for they depend on the processor; those that matter are named.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType
from typing import Any

import pytest
from syrupy.extensions.amber import AmberSnapshotExtension
from syrupy.location import PyTestLocation

TESTS = Path(__file__).parent
CATALOGUE = TESTS / "messages"
_NUMBER = re.compile(r"(?<![\w.-])[-+]?\d+(?:\.\d+)*(?:e[-+]?\d+)?(?![\w.-]*[A-Za-z_])")
_FOLDER = re.compile(
    rf"{re.escape(str(TESTS.parent))}/|/[^\s\"':`]*/pytest-of-[^\s\"':`/]+/pytest-\d+/(?:popen-gw\d+/)?"
    r"[^\s\"':`/]+(?:/|(?=[\s\"':`]|$))")
_running: list[pytest.FixtureRequest] = []


class Catalogue(AmberSnapshotExtension):
    """Texts by file and test, equal if they differ in numbers only."""

    @classmethod
    def dirname(cls, *, test_location: PyTestLocation) -> str:
        """The folder of `tests/messages` that has the name of the tests' folder."""
        return str(CATALOGUE / Path(test_location.filepath).parent.relative_to(TESTS))

    def matches(self, *, serialized_data: Any, snapshot_data: Any) -> bool:
        """Is the wording the same?"""
        return _NUMBER.sub("#", serialized_data) == _NUMBER.sub("#", snapshot_data)


@contextmanager
def refused(kind: type[BaseException] | tuple[type[BaseException], ...], *names: str) -> \
        Iterator[pytest.ExceptionInfo[BaseException]]:
    """An error of a kind is raised; its message names these and is worded as the catalogue has it."""
    with pytest.raises(kind) as caught:
        yield caught
    says(str(caught.value), *names)


@contextmanager
def warned(kind: type[Warning], *names: str) -> Iterator[pytest.WarningsRecorder]:
    """Warnings of a kind are given, all of them worded as the catalogue has them; one of them names these."""
    with pytest.warns(kind) as caught:
        yield caught
    says("\n".join(str(one.message) for one in caught if issubclass(one.category, kind)), *names)


def says(text: str, *names: str) -> None:
    """A message names these and is worded as the catalogue has it."""
    naming(text, *names)
    assert _FOLDER.sub("", text) == _running[-1].getfixturevalue("catalogue"), \
        "The wording is not that of the catalogue: read it, then run `make messages`."


def naming(text: str, *names: str) -> None:
    """A message names these, whatever its words; alone for texts that are not the same on every machine."""
    missing = [name for name in names if name not in text]
    assert not missing, f"not named: {', '.join(missing)}\n{text}"


@contextmanager
def running(request: pytest.FixtureRequest) -> Iterator[None]:
    """Messages belong to this test meanwhile."""
    _running.append(request)
    try:
        yield
    finally:
        _running.pop()


def compared_in(code: CodeType) -> bool:
    """Does a function compare messages with the catalogue?"""
    return not {"refused", "warned", "says"}.isdisjoint(code.co_names) \
        or any(compared_in(inner) for inner in code.co_consts if isinstance(inner, CodeType))
