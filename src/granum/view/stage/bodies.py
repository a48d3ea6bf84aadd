"""Point masses, rigid bodies and points of formulas on a stage."""

from __future__ import annotations

import numpy as np

from granum.base.kernels import Floats, Ints
from granum.model.bodies import Rigid
from granum.run import Run
from granum.run.recorded import find_name
from granum.run.tracks import rotations
from granum.view.stage.actors import Actors, kind_of, refuse_nowhere
from granum.view.stage.items import Balls, Quantity
from granum.view.stage.shapes import ROUND, parts

_SAMPLES = 16
"""Frames that are looked at to see how large everything is."""
_AXES = "xyz"


class BodyActors(Actors):
    """Bodies of a run that has no grains; round ones and points are balls."""

    def __init__(self, run: Run) -> None:
        self.run, self.scene = run, run.scene
        refuse_nowhere(len(run.body_names))
        self.dimension = run.dimension
        self._other = "point" if run.has.coordinates else "point mass"
        self._names = list(run.body_names)
        self._rigid = [k for k, name in enumerate(self._names) if isinstance(self.scene.body.get(name), Rigid)]
        self.meshed = tuple(self._names[k] for k in self._rigid
                            if not isinstance(self.scene.body[self._names[k]], ROUND))
        self.point_radius = self._suitable_radius()
        self._owner, self._arm, self._radius, self._kind, self.kinds = self._cast()
        self._sized = not np.all(self._radius == self.point_radius)

    def _cast(self) -> tuple[Ints, Floats, Floats, Ints, tuple[str, ...]]:
        """Body, arm, radius and kind of each ball, and the kinds."""
        owner: list[int] = []
        arms, radii, kinds = [np.zeros((0, 3))], [np.zeros(0)], dict[str, int]()
        kind: list[int] = []
        for k, name in enumerate(self._names):
            body = self.scene.body.get(name)
            if name in self.meshed:
                continue
            arm, radius = (parts(body) if isinstance(body, Rigid)
                           else (np.zeros((1, 3)), np.array([self.point_radius])))
            owner += [k] * len(radius)
            kind += [kinds.setdefault(kind_of(body, self._other), len(kinds))] * len(radius)
            arms.append(arm)
            radii.append(radius)
        return (np.array(owner, np.int64), np.concatenate(arms), np.concatenate(radii), np.array(kind, np.int64),
                tuple(kinds))

    def _suitable_radius(self) -> float:
        """A radius of points: small against links and bodies, and seen in a picture of the whole."""
        frames = np.unique(np.linspace(0, len(self.run.t) - 1, _SAMPLES).astype(int))
        places = np.asarray(self.run.positions[frames]).reshape(-1, self.dimension)
        size = float(np.linalg.norm(np.ptp(places, axis=0))) or 1.0
        links = self.links(0)
        lengths = np.linalg.norm(links[:, 1] - links[:, 0], axis=1).tolist()
        for k in self._rigid:
            body = self.scene.body[self._names[k]]
            assert isinstance(body, Rigid)
            lengths += [2.0 * float(np.linalg.norm(at)) for at in body.fixed_points().values() if np.any(at)]
        length = float(np.mean(lengths)) if lengths else size
        return min(max(0.008 * size, 0.03 * length), 0.2 * length)

    def quantities(self) -> dict[str, Quantity]:
        """Speed; radius where bodies have one; forces and rigid clusters of links; kinds where there are several."""
        found = {"speed": Quantity("speed", "m/s", False)}
        if self._sized:
            found["size"] = Quantity("radius", "m", False)
        if self.link_names():
            found["force"] = Quantity("link forces", "N", False)
            if self.run.has.rigidity:
                found["cluster"] = Quantity("rigid cluster", "", True)
        if len(self.kinds) > 1:
            found["kind"] = Quantity("kind", "", True)
        return found

    def _places(self, frame: int) -> Floats:
        """(bodies, 3)"""
        found = np.zeros((len(self._names), 3))
        found[:, : self.dimension] = self.run.positions[frame]
        return found

    def balls(self, frame: int) -> Balls:
        """Round bodies, parts of clumps and points."""
        place, turning = self._places(frame)[self._owner], self.run.orientations(frame)[self._owner]
        arm = np.einsum("nij,nj->ni", rotations(turning), self._arm)
        return Balls(place + arm, self._radius, turning if self._sized else None, np.arange(len(self._owner)),
                     self._kind, self._owner)

    def values(self, frame: int, quantity: str) -> Floats:
        """(n,) speed of the body, radius, sum of the forces of its links, rigid cluster (or -1), kind."""
        match quantity:
            case "speed":
                return np.asarray(np.linalg.norm(self.run.velocities[frame], axis=1))[self._owner]
            case "size":
                return self._radius
            case "kind":
                return self._kind.astype(float)
            case "force":
                forces, ends = np.abs(self.link_forces(frame)), self.run.link_ends
                sums: Floats = np.bincount(ends.ravel(), np.repeat(forces, 2), len(self._names)).astype(float)
                return sums[self._owner]
            case _:
                return self._cluster(frame)[self._owner]

    def _cluster(self, frame: int) -> Floats:
        from granum.assembly.points import compile_points
        from granum.assembly.points.rigidity import link_rigidity
        from granum.view.plots.rigidity import body_labels

        system, _ = compile_points(self.scene)
        found = link_rigidity(system, np.ascontiguousarray(self.run.positions[frame][system.body_order].T))
        return np.full(len(self._names), -1.0) if found is None else body_labels(found.rigidity).astype(float)

    def pose(self, name: str, frame: int) -> Floats:
        """(7,)"""
        k = find_name(self.run.body_names, name, "body")
        position = np.zeros(3)
        position[: self.dimension] = self.run.positions[frame, k]
        turned = self.run.orientations(frame)[k] if k in self._rigid else np.array([1.0, 0.0, 0.0, 0.0])
        return np.concatenate([position, turned])

    def links(self, frame: int) -> Floats:
        """(k, 2, 3): links from point to point, then lines between points of formulas."""
        places = self._places(frame)
        ends = places[self.run.link_ends]
        if self._rigid:  # links may end at points of bodies
            listed = [[self.point(end, frame) for end in link.between] for link in self.scene.link.values()]
            ends = np.array(listed).reshape(-1, 2, 3)
        return np.concatenate([ends, places[self.run.line_ends]])

    def contact(self, joint: str, frame: int) -> Floats | None:
        """Where a body rolls on a surface: one of the coordinates of its formulas."""
        body = getattr(self.scene.constraint[joint], "body", "").replace("-", "_")
        places = [self.run.coordinate_names.find(f"{body}.contact.{axis}") for axis in _AXES]
        if None in places:
            return None
        return np.array(self.run.coordinates[frame][places])

    def ball_name(self, frame: int, k: int) -> str:
        """Name of the body."""
        return str(self._names[self._owner[k]])
