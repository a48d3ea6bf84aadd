"""Packing fraction in a region."""

from __future__ import annotations

from granum.grains.geometry.filling import packing_fraction
from granum.grains.probes.frames import FrameProbe, FrameView, measures
from granum.model.probes import PackingProbe
from granum.state.table import R, X, Z


@measures(PackingProbe)
class Packing(FrameProbe):
    """What part of the region grains fill."""

    columns = ("packing fraction [-]",)

    def measure(self, view: FrameView) -> list[float]:
        """The packing fraction."""
        x = view.grains.x
        return [packing_fraction(x[:, X:Z + 1], x[:, R], self.entry.region, view.dimension, view.shares)]
