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
    """A verdict of a jam probe, with its evidence as it was when the verdict last held."""

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
    found = []
    for row in rows:
        name, one = probes[int(row[0])], from_row(np.array(row[1:], dtype=float))
        entry = scene.probe[name]
        assert isinstance(entry, JamProbe)
        flow = scene.probe[entry.flow]
        assert isinstance(flow, FlowProbe)
        low, high = (_known(force, dimension) for force in one.wall_forces)
        found.append(Verdict(
            name, one.verdict, axis_name(flow.normal), one.begin, one.t, one.without_passage, one.upstream, one.fastest,
            one.driving_speed, one.inflow, one.discharge, None if np.isnan(one.backed_up) else one.backed_up, one.arch,
            _known(one.position, dimension), None if np.isnan(one.density) else one.density,
            None if low is None or high is None else (low, high)))
    return found


def _known(vector: Floats, dimension: int) -> tuple[float, ...] | None:
    return None if np.any(np.isnan(vector)) else tuple(vector[:dimension].tolist())


def in_words(found: Verdict) -> str:
    """A verdict and why, in a sentence."""
    flow = f"{found.probe} (flow towards {found.direction})"
    return f"{flow}: {found.verdict} since t = {found.begin:.4g} s{_why(found)}."


def _why(found: Verdict) -> str:
    """The evidence, as it follows the time."""
    quiet = f"no grain has passed for {found.without_passage:.3g} s"
    moving = f"the fastest of {_grains(found.upstream)} upstream moves at {found.fastest:.1e} m/s (driving speed " \
             f"{found.driving_speed:.3g} m/s)"
    rates = f"{found.inflow:.3g} grains per second enter, {found.discharge:.3g} pass"
    if found.verdict == "jammed":
        assert found.position is not None and found.wall_forces is not None
        at = ", ".join(f"{c:.3g}" for c in found.position)
        low, high = (float(np.linalg.norm(force)) for force in found.wall_forces)
        return f", at ({at}) m: {quiet}, {moving}, and an arch of {_grains(found.arch)} bridges the opening; the " \
               f"boundary pushes with {low:.3g} N and {high:.3g} N on either side"
    if found.verdict == "closed":
        return f": {quiet}, {_grains(found.upstream)} at rest upstream, and a boundary closes the opening"
    if found.verdict == "drained":
        left = f"; {_grains(found.upstream)} at rest upstream, bridging nothing" if found.upstream else \
            "; none is left upstream"
        return f": {quiet}{left}"
    back = "" if found.backed_up is None else f"; backed up to where grains enter since t = {found.backed_up:.4g} s"
    return f": {rates}{back}; {moving}" if found.upstream else f": {rates}{back}"


def _grains(count: int) -> str:
    return f"{count} grain" if count == 1 else f"{count} grains"
