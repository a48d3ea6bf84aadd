"""Rigid clusters of a linked scene by name, for `granum check`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from granum.assembly.points import PointSystem
from granum.assembly.points.rigidity import link_rigidity
from granum.base.kernels import Floats

LISTED = 20
"""Clusters that are described; the largest come first."""
_NAMED = 6
"""Bodies of a cluster that are named."""


@dataclass(frozen=True)
class RigidPart:
    """A rigid cluster of more than one link."""

    bodies: int
    """Bodies and fixed points in it."""
    links: int
    some: tuple[str, ...]
    """Some of the bodies."""
    state: str
    """"isostatic": every link is needed; "over-determined": any one can go; "partly over-determined": some can."""
    fixed: bool
    """Does the ground hold it?"""

    @property
    def text(self) -> str:
        """The cluster in words."""
        more = ", ..." if self.bodies > len(self.some) else ""
        return (f"{self.bodies} bodies ({', '.join(self.some)}{more}) by {self.links} links, {self.state}"
                f"{', held by the ground' if self.fixed else ''}")


@dataclass(frozen=True)
class RigidParts:
    """All rigid clusters of more than one link; a single link is no news."""

    clusters: int
    largest: tuple[RigidPart, ...]
    """The largest of them."""
    floppy_modes: int
    redundant_links: int
    in_position: bool
    """True of this position, or by count: of almost all positions of a net like this."""

    def summary_lines(self) -> list[str]:
        """Few lines: how many, the largest, and every other one that is over-determined."""
        lines = []
        if not self.in_position:
            lines.append(f"By count (pebble game): {self.floppy_modes} floppy modes, {self.redundant_links} redundant "
                         "links; special positions can have more of both.")
        if self.clusters == 0:
            return [*lines, "No two links are rigid together."]
        several = "One rigid cluster" if self.clusters == 1 else f"{self.clusters} rigid clusters; the largest"
        lines.append(f"{several}: {self.largest[0].text}.")
        return lines + [f"Over-determined too: {part.text}." for part in self.largest[1:] if "over" in part.state]


def rigid_parts(system: PointSystem, x: Floats) -> RigidParts | None:
    """Rigid clusters in the position x; None where the net is too large to say."""
    rigidity = link_rigidity(system, x)
    if rigidity is None:
        return None
    clusters = rigidity.rigidity
    label = clusters.label[: system.link_count]
    links = np.bincount(label[label >= 0], minlength=clusters.count)
    parts = []
    for cluster in np.flatnonzero(links > 1)[:LISTED]:
        members = clusters.members(int(cluster))
        stressed = clusters.stressed[: system.link_count][label == cluster]
        state = "over-determined" if stressed.all() else "partly over-determined" if stressed.any() else "isostatic"
        bodies = members[members < clusters.bodies]
        some = tuple(system.body_names[int(body)] for body in bodies[:_NAMED])
        parts.append(RigidPart(len(bodies), int(links[cluster]), some, state, clusters.holds_ground(int(cluster))))
    return RigidParts(int(np.count_nonzero(links > 1)), tuple(parts), clusters.freedoms, int(clusters.redundant.sum()),
                      rigidity.in_position)
