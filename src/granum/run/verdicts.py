"""Verdicts on flows as a run holds them: read from its file, and put into words."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from granum.base.kernels import Floats
from granum.grains.measuring.arch import axis_name
from granum.grains.measuring.jam import from_row
from granum.model.probes import FlowProbe, JamProbe
from granum.model.scene import Scene


class Verdict(NamedTuple):
    """A verdict of a jam probe, with its evidence (`Evidence`) as it was when the verdict last held.

    What is not known is None, and vectors have the dimension of the scene.
    """

    probe: str
    verdict: str
    """flowing, overloaded, drained, closed or jammed."""
    direction: str
    """Of the flow, such as +x."""
    begin: float
    """Since when it holds [s]."""
    t: float
    """When the evidence was taken [s]."""
    without_passage: float
    """Time since the last grain passed, or since the start if none has [s]."""
    upstream: int
    """Grains upstream of the section."""
    fastest: float
    """Speed of the fastest of them [m/s]."""
    driving_speed: float
    """Speed at which the load drives a free grain [m/s]."""
    inflow: float
    """Grains that entered upstream per second, over the time of the probe [1/s]."""
    discharge: float
    """Grains that passed per second, over the same time [1/s]."""
    backed_up: float | None
    """When a grain was first found backed up to where grains enter [s]."""
    arch: int
    """Grains of the arch; 0 if there is none."""
    position: tuple[float, ...] | None
    """Mean position of the arch [m]."""
    density: float | None
    """Part of the area (volume) upstream of the arch that grains fill."""
    wall_forces: tuple[tuple[float, ...], tuple[float, ...]] | None
    """Force of the boundary on the grains upstream, on either side of the opening, where all grains rest [N]."""


def read_verdicts(rows: NDArray[Any], scene: Scene, probes: list[str], dimension: int) -> list[Verdict]:
    """Verdicts from rows of a run file, in the order in which they began to hold."""
    verdicts = []
    for row in rows:
        name, evidence = probes[int(row[0])], from_row(np.array(row[1:], dtype=float))
        entry = scene.probe[name]
        assert isinstance(entry, JamProbe)
        flow = scene.probe[entry.flow]
        assert isinstance(flow, FlowProbe)
        low, high = (_known(force, dimension) for force in evidence.wall_forces)
        known = {"position": _known(evidence.position, dimension),
                 "wall_forces": None if low is None or high is None else (low, high),
                 **{key: None if np.isnan(value) else value for key, value in (
                     ("backed_up", evidence.backed_up), ("density", evidence.density))}}
        verdicts.append(Verdict(probe=name, direction=axis_name(flow.normal), **{**evidence._asdict(), **known}))
    return verdicts


def _known(vector: Floats, dimension: int) -> tuple[float, ...] | None:
    return None if np.any(np.isnan(vector)) else tuple(vector[:dimension].tolist())


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
