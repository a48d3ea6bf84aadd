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
