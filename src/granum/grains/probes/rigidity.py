"""Rigid clusters of the contact network in a region."""

from __future__ import annotations

import numpy as np

from granum.grains.geometry.regions import geometry_of
from granum.grains.measuring.rigidity import contact_rigidity, within
from granum.grains.probes.frames import FrameProbe, FrameView, measures
from granum.model.probes import RigidityProbe
from granum.state.table import R


@measures(RigidityProbe)
class RigidClusters(FrameProbe):
    """The largest rigid cluster, redundancy and floppy modes."""

    columns = ("grains in the largest rigid cluster", "redundant contact rows", "floppy modes")

    def measure(self, view: FrameView) -> list[float]:
        """By the contacts that stick and slide."""
        x, d, region = view.grains.x, view.dimension, self.entry.region
        chosen = np.ones(len(x), np.bool_) if region is None else geometry_of(region).inside(x)
        kept, pair = within(view.contacts.pair, chosen)
        clusters = contact_rigidity(x[chosen, :d], x[chosen, R], pair, view.contacts.normal[kept, :d],
                                    view.sticks[kept])
        return [clusters.largest, int(clusters.redundant.sum()), clusters.freedoms]
