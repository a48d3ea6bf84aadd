"""A short part of every campaign; `make fuzz` runs them whole."""

from __future__ import annotations

import pytest

from tests.fuzz.campaigns import CAMPAIGNS
from tests.fuzz.workers import run


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_nothing_is_found(name: str) -> None:
    campaign = CAMPAIGNS[name]
    outcome = run(campaign, range(campaign.least), workers=1)
    assert outcome.findings == {}
    assert sum(outcome.notes.values()) == campaign.least


@pytest.mark.parametrize(("name", "number"), [("run files", number) for number in (4140, 5568, 9892)])
def test_what_was_found_far_out_is_found_no_more(name: str, number: int) -> None:
    """Inputs beyond those of `make fuzz` that ended in an error of Python; what they change follows the layout."""
    campaign = CAMPAIGNS[name]
    outcome = run(campaign, range(number, number + 1), workers=1)
    assert outcome.findings == {}
    assert sum(outcome.notes.values()) == 1
