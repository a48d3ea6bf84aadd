"""The quick and the long loop: `tests/loops` lists their tests, `make loops` writes the lists."""

from pathlib import Path

import pytest

TESTS = Path(__file__).parent
LISTS = {file.stem: set(file.read_text("utf-8").splitlines()) for file in sorted((TESTS / "loops").glob("*.txt"))}
"""Lines by loop: a test, or a function or file alone for all of its tests but those of longer loops."""
UNKNOWN = pytest.StashKey[list[str]]()
"""Lines that no test answers to; only known where all files of tests were collected."""


def mark(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Give the tests of each list its mark."""
    used: set[str] = set()
    for item in items:
        names = {item.nodeid, item.nodeid.partition("[")[0], item.nodeid.partition("::")[0]}
        loops = [loop for loop, listed in LISTS.items() if names & listed]
        used |= names & set().union(*LISTS.values())
        if loops and item.get_closest_marker("validate") is None:
            item.add_marker("long" if "long" in loops else "quick")
    if {item.path for item in items} == {*TESTS.rglob("test_*.py")}:
        config.stash[UNKNOWN] = sorted(set().union(*LISTS.values()) - used)
