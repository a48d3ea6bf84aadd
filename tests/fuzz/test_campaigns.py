"""A short part of every campaign; `make fuzz` runs them whole."""

from __future__ import annotations

import multiprocessing
import os
import time

import pytest

from tests.fuzz.campaign import Campaign
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


def test_workers_end_with_their_parent() -> None:
    """Whoever interrupts `make fuzz` is not left with processes that go on."""
    inputs = 500

    def nap(_: int) -> str:
        os.write(telling, b".")
        time.sleep(0.01)
        return "napped"

    told, telling = os.pipe()  # at its end once no process that inherited it is left
    parent = multiprocessing.get_context("fork").Process(
        target=run, args=(Campaign("naps", nap, inputs), range(inputs), 1))
    parent.start()
    os.close(telling)
    naps = os.read(told, 1)
    parent.kill()
    parent.join()
    while more := os.read(told, inputs):
        naps += more
    os.close(told)
    assert 0 < len(naps) < inputs
