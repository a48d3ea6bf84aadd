"""The lists of tests that make up the loops."""

import pytest

from loop_lists import UNKNOWN


def test_lists_name_tests_that_exist(request: pytest.FixtureRequest) -> None:
    """A test that was renamed or removed must be so in the lists."""
    if UNKNOWN not in request.config.stash:
        pytest.skip("only part of the tests was collected")
    assert not request.config.stash[UNKNOWN], "edit these lines of tests/loops, or run `make loops`"
