"""Grains on a stage, and the bodies they are parts of; single frames are read from the file as they are needed."""

from __future__ import annotations

import numpy as np

from granum.base.kernels import Floats, Ints
from granum.model.bodies import PointMass, Rigid
from granum.run import Run
from granum.run.grain_result import in_space
from granum.topology.rank import LARGEST
from granum.view.stage.actors import NO_CHAINS, Actors, refuse_nowhere
from granum.view.stage.items import Balls, Chains, Quantity
from granum.view.stage.poses import STILL
from granum.view.stage.shapes import ROUND

_MOST_IN_SPACE = LARGEST // 6
"""Grains in space up to which rigid clusters are found in every frame."""


class GrainActors(Actors):
    """Grains, clumps, and rods and blocks among them."""

    def __init__(self, run: Run) -> None:
        self.run, self.scene, self.dimension = run, run.scene, run.dimension
        self.kinds = tuple(run.groups)
        self.meshed = tuple(name for name, body in self.scene.body.items()
                            if isinstance(body, Rigid | PointMass) and not isinstance(body, ROUND))
        capacity = run.grain_room
        refuse_nowhere(capacity + len(self.meshed))
        some = run.recorded("radius", 0)
        self.point_radius = float(np.mean(some)) if len(some) else 0.01
        self._clusters: tuple[int, Floats] = -1, np.zeros(0)
        self._named: tuple[int, dict[tuple[bool, int], str]] = -1, {}

    def quantities(self) -> dict[str, Quantity]:
        """Speed, size; what contacts say where they are recorded, first a jam's arch; kinds if there are several."""
        found = {"speed": Quantity("speed", "m/s", False), "size": Quantity("radius", "m", False)}
        if self.run.has.contacts:
            found["force"] = Quantity("contact forces", "N", False)
            found["coordination"] = Quantity("contacts", "", True)
            if self.dimension == 2 or self.run.grain_room <= _MOST_IN_SPACE:
                found["cluster"] = Quantity("rigid cluster", "", True)
        if self.run.has.contacts and self.run.jam is not None:
            found = {"arch": Quantity("arch of a jam", "", True), **found}
        if len(self.kinds) > 1:
            found["kind"] = Quantity("kind", "", True)
        return found

    def balls(self, frame: int) -> Balls:
        """All grains of a frame, in the order of their numbers."""
        position, radius, number, group = (self.run.recorded(name, frame)
                                           for name in ("position", "radius", "number", "group"))
        return Balls(in_space(position), radius.astype(float), self.run.grain_orientations(frame), number,
                     group.astype(np.int64), self.run.owners(frame))

    def values(self, frame: int, quantity: str) -> Floats:
        """(n,) speed, radius, sum of contact forces, contacts of the body, rigid cluster (or -1), in an arch (0 or -1),
        kind.
        """
        match quantity:
            case "speed":
                velocity = self.run.recorded("velocity", frame).astype(float)
                return np.asarray(np.sqrt(np.einsum("ij,ij->i", velocity, velocity)))
            case "size":
                return self.run.recorded("radius", frame).astype(float)
            case "kind":
                return self.run.recorded("group", frame).astype(float)
            case "force":
                size = np.linalg.norm(self.run.recorded("contact_force", frame), axis=1)
                return self._summed(self.run.recorded("contact_pair", frame), size, int(self.run.counts[frame]))
            case "coordination":
                return self.contacts(frame).astype(float)
            case "arch":
                return self.run.arched(frame).astype(float) - 1.0
            case _:
                return self._cluster(frame)

    @staticmethod
    def _summed(pair: Ints, values: Floats, count: int) -> Floats:
        """(count,): sums of values of contacts over the grains at their ends."""
        ends, both = pair.ravel(), np.repeat(values, 2)
        grain = ends >= 0
        return np.bincount(ends[grain], both[grain], minlength=count).astype(float)

    def contacts(self, frame: int) -> Ints:
        """(n,): contacts of the body of each ball."""
        owners, pair = self.run.owners(frame), self.run.recorded("contact_pair", frame)
        each = self._summed(pair, np.ones(len(pair)), len(owners))
        found: Ints = np.bincount(owners, each)[owners].astype(np.int64)
        return found

    def _cluster(self, frame: int) -> Floats:
        if self._clusters[0] != frame:
            from granum.view.plots.rigidity import body_labels

            self._clusters = frame, body_labels(self.run.rigidity(frame)).astype(float)
        return self._clusters[1]

    def pose(self, name: str, frame: int) -> Floats:
        """(7,) of a body of the scene, or of a grain."""
        if name in self.scene.body and name in self.kinds:
            return self._own_pose(self.kinds.index(name), frame)
        position = in_space(self.run.value("position", name, frame)[None])[0]
        single = self._by_grain(self._group(name))
        return np.concatenate([position, STILL[3:] if single else self.run.value("orientation", name, frame)])

    def _own_pose(self, group: int, frame: int) -> Floats:
        """Of the body that is a group of its own; found by its group, which needs no list of all names."""
        bodily = self.run.has.parts
        place = np.flatnonzero(self.run.recorded("body_group" if bodily else "group", frame) == group)[:1]
        if not len(place):
            return np.full(7, np.nan)
        position = in_space(self.run.recorded("body_position" if bodily else "position", frame)[place])[0]
        turned = self.run.recorded("body_orientation", frame)[place[0]] if bodily else STILL[3:]
        return np.concatenate([position, turned])

    def links(self, frame: int) -> Floats:
        """(k, 2, 3): ends of links, then of bonds that hold."""
        ends = np.array([[self.point(end, frame) for end in link.between] for link in self.scene.link.values()])
        found = ends.reshape(-1, 2, 3)
        if not self.scene.bond:
            return found
        numbers, bonds = self.run.recorded("number", frame), self.run.bonds(frame)
        bonds = bonds[np.isin(bonds, numbers).all(axis=1)]  # a sink may have taken one of the two
        places = np.searchsorted(numbers, bonds)
        return np.concatenate([found, in_space(self.run.recorded("position", frame))[places]])

    def chains(self, frame: int) -> Chains:
        """Contact forces between centres, and from centres to the boundary."""
        if not self.run.has.contacts:
            return NO_CHAINS
        pair, normal, force = (self.run.recorded(f"contact_{name}", frame) for name in ("pair", "normal", "force"))
        centre, radius = in_space(self.run.recorded("position", frame)), self.run.recorded("radius", frame)
        i, j = pair.T
        start = centre[i]
        wall = start - radius[i, None] * in_space(normal)
        end = np.where(j[:, None] >= 0, centre[np.maximum(j, 0)], wall)
        return Chains(start, end, np.linalg.norm(force.astype(float), axis=1), np.maximum(pair, -1).astype(np.int64))

    def _by_grain(self, group: int) -> bool:
        """Do names of a group speak of grains, not of the bodies that hold them?"""
        return not self.run.has.parts or self.run.followed_by_grains(group)

    def ball_name(self, frame: int, k: int) -> str:
        """Name of a grain, or of the body it is part of."""
        if self._named[0] != len(self.run.t):
            self._named = len(self.run.t), {(self._by_grain(self._group(name)), number): name
                                            for name, number in self.run.numbers.items()}
        group = int(self.run.recorded("group", frame)[k])
        number = int(self.run.recorded("number" if self._by_grain(group) else "part_of", frame)[k])
        return self._named[1].get((self._by_grain(group), number), self.kinds[group])

    def _group(self, name: str) -> int:
        return self.kinds.index(name if name in self.scene.body else name.rpartition("-")[0])
