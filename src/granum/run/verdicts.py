"""Verdicts on flows as a run holds them: read from its file, and stated in sentences."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from granum.grains.measuring.jam import Verdict, from_row
from granum.grains.probes.flows import opening
from granum.model.probes import FlowProbe, JamProbe
from granum.model.scene import Scene


def read_verdicts(rows: NDArray[Any], scene: Scene, probes: list[str]) -> list[Verdict]:
    """Verdicts from rows of a run file, in the order in which they began to hold."""
    verdicts = []
    for row in rows:
        name = probes[int(row[0])]
        entry = scene.probe[name]
        assert isinstance(entry, JamProbe)
        flow = scene.probe[entry.flow]
        assert isinstance(flow, FlowProbe)
        verdicts.append(from_row(np.array(row[1:], dtype=float), name, opening(flow)))
    return verdicts


def in_words(verdict: Verdict) -> str:
    """A verdict and why, in a sentence."""
    flow = f"{verdict.probe} (flow towards {verdict.direction})"
    return f"{flow}: {verdict.verdict} since t = {verdict.begin:.4g} s{_why(verdict)}."


def _why(verdict: Verdict) -> str:
    """The evidence, as it follows the time."""
    quiet = f"no grain has passed for {verdict.without_passage:.3g} s"
    moving = f"the fastest of {_grains(verdict.upstream)} upstream moves at {verdict.fastest:.1e} m/s (driving speed " \
             f"{verdict.driving_speed:.3g} m/s)"
    rates = f"{verdict.inflow:.3g} grains per second enter, {verdict.discharge:.3g} pass"
    if verdict.verdict == "jammed":
        assert verdict.position is not None and verdict.wall_forces is not None
        at = ", ".join(f"{c:.3g}" for c in verdict.position)
        low, high = (float(np.linalg.norm(force)) for force in verdict.wall_forces)
        return f", at ({at}) m: {quiet}, {moving}, and an arch of {_grains(verdict.arch)} bridges the opening; the " \
               f"boundary pushes with {low:.3g} N and {high:.3g} N on either side"
    if verdict.verdict == "closed":
        return f": {quiet}, {_grains(verdict.upstream)} at rest upstream, and a boundary closes the opening"
    if verdict.verdict == "drained":
        left = f"; {_grains(verdict.upstream)} at rest upstream, bridging nothing" if verdict.upstream else \
            "; none is left upstream"
        return f": {quiet}{left}"
    back = "" if verdict.backed_up is None else f"; backed up to where grains enter since t = {verdict.backed_up:.4g} s"
    return f": {rates}{back}; {moving}" if verdict.upstream else f": {rates}{back}"


def _grains(count: int) -> str:
    return f"{count} grain" if count == 1 else f"{count} grains"
