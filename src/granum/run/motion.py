"""Motion of bodies: positions, velocities, orientations and angular velocities by name, on every run."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise

import numpy as np

from granum.base.errors import GranumError, did_you_mean
from granum.base.kernels import Floats, Ints
from granum.base.names import Names
from granum.io.runfile import read_only
from granum.model.body_entries import Rigid
from granum.run.recorded import Has, Recorded, find_name, find_out, listed_names
from granum.run.trajectories import BodyTracks, GrainTracks, Quantity, Tracks, rotations


class Motion(Recorded):
    """How bodies move. A body that is not there in a frame has no number (nan) for a value."""

    @cached_property
    def _tracks(self) -> Tracks:
        return GrainTracks(self) if "grains" in self.metadata else BodyTracks(self)

    @cached_property
    def has(self) -> Has:
        """What this run has; see `Has`."""
        return find_out(self._recording, self.scene, len(self.link_names), len(self.joint_names))

    @property
    def body_names(self) -> Names:
        """Names of the bodies, in the order of `positions`; grains are `<group>-1`, `<group>-2`, ..."""
        return self._tracks.names

    @property
    def fixed_count(self) -> int:
        """Number of fixed points among the bodies."""
        return int(np.count_nonzero(self._tracks.fixed))

    @cached_property
    def link_names(self) -> Names:
        """Names of the links, those of patterns included."""
        if self._by_links:
            assert isinstance(self._tracks, BodyTracks)
            return self._tracks.link_names
        return listed_names(list(self.scene.link))

    @property
    def _by_links(self) -> bool:
        """Was it recorded as point masses and links, whose reactions are their tensions alone?"""
        return not {"grains", "bodies"} & self.metadata.keys()

    @cached_property
    def joint_names(self) -> list[str]:
        """Joints, drives, rolling and other constraints that have reactions."""
        recorded = self.metadata.get("joints", self.metadata.get("reactions", []))
        owners = dict.fromkeys(self._owner(name) for name in recorded)
        return [name for name in owners if name not in self.scene.link and name not in self.friction_names]

    @property
    def friction_names(self) -> list[str]:
        """Dry frictions in joints, whose torques and forces are among the reactions."""
        names: list[str] = self.metadata.get("joint_frictions", [])
        return names

    def _owner(self, reaction: str) -> str:
        """The link, joint or constraint that a recorded reaction such as `knee.force.x` is of."""
        return reaction if reaction in self.scene.link else reaction.partition(".")[0]

    @cached_property
    def link_ends(self) -> Ints:
        """(links, 2): numbers of the bodies each link joins."""
        if self._by_links:
            assert isinstance(self._tracks, BodyTracks)
            return read_only(np.column_stack([self._tracks.assembly.tail, self._tracks.assembly.head]))
        return read_only(self._numbers([link.between for link in self.scene.link.values()]))

    @property
    def joint_ends(self) -> Ints:
        """(joints, 2): numbers of the bodies that each joint with two ends joins."""
        return self._numbers([entry.between for entry in self.scene.constraint.values() if hasattr(entry, "between")])

    @property
    def line_ends(self) -> Ints:
        """(lines, 2): numbers of the points between which a system of formulas draws lines."""
        return self._numbers([pair for line in self.scene.system.lines for pair in pairwise(line)])

    def _numbers(self, pairs: list[tuple[str, str]]) -> Ints:
        names = self.body_names
        ends = [[find_name(names, end.partition(".")[0], "body") for end in pair] for pair in pairs]
        return np.array(ends, dtype=np.int64).reshape(-1, 2)

    @property
    def positions(self) -> Floats:
        """(frames, bodies, dimension) [m]."""
        return self._tracks.all("position")

    @property
    def velocities(self) -> Floats:
        """(frames, bodies, dimension) [m/s]."""
        return self._tracks.all("velocity")

    def position(self, name: str) -> Floats:
        """(frames, dimension): path of a body, or of a point of a body such as `arm.tip` [m]."""
        body, arm = self._point(name)
        centre = self._tracks.follow("position", body)
        return centre if arm is None else centre + (self.rotation(body) @ arm)[:, : self.dimension]

    def velocity(self, name: str) -> Floats:
        """(frames, dimension): velocity of a body, or of a point of a body such as `arm.tip` [m/s]."""
        body, arm = self._point(name)
        centre = self._tracks.follow("velocity", body)
        if arm is None:
            return centre
        w = np.zeros((len(centre), 3))
        w[:, 2 if self.dimension == 2 else slice(None)] = self.angular_velocity(body)
        return centre + np.cross(w, self.rotation(body) @ arm)[:, : self.dimension]

    def _point(self, name: str) -> tuple[str, Floats | None]:
        """A body, and the arm of its point in body axes if one is named."""
        own, _, point = name.partition(".")
        if not point or self.body_names.find(name) is not None:
            return name, None
        find_name(self.body_names, own, "body")
        body = self.scene.body.get(own)
        points = body.fixed_points() if isinstance(body, Rigid) else {}
        if point not in points:
            raise GranumError(f'"{own}" has no point "{point}". {did_you_mean(point, points, "point")}')
        return own, np.array(points[point])

    def value(self, quantity: Quantity, body: str, index: int = -1) -> Floats:
        """(components,): position, velocity, orientation, angle or angular velocity of a body in one frame."""
        return self._tracks.value(quantity, body, self.frame_number(index))

    def has_orientation(self, body: str) -> bool:
        """Whether a body has an orientation and an angular velocity; points have none."""
        return self._tracks.has_orientation(body)

    def orientation(self, body: str) -> Floats:
        """(frames, 4): quaternion (w, x, y, z) that rotates body axes into inertial axes."""
        return self._tracks.follow("orientation", body)

    def orientations(self, index: int = -1) -> Floats:
        """(bodies, 4): quaternions of all bodies in a frame; points have the identity."""
        index = self.frame_number(index)
        quaternion = np.tile([1.0, 0.0, 0.0, 0.0], (len(self.body_names), 1))
        for k, name in enumerate(self.body_names) if self.has.orientation else ():
            if self._tracks.has_orientation(name):
                quaternion[k] = self._tracks.value("orientation", name, index)
        return quaternion

    def rotation(self, body: str) -> Floats:
        """(frames, 3, 3): matrices that rotate body axes into inertial axes."""
        quaternion = self.orientation(body)
        return rotations(quaternion / np.linalg.norm(quaternion, axis=1, keepdims=True))

    def angle(self, body: str) -> Floats:
        """(frames,): angle of a body in 2-D, counted through full revolutions [rad]."""
        if self.dimension != 2:
            raise GranumError(f'"{body}" rotates in 3-D, but an angle is defined in 2-D only. Use orientation.')
        return self._tracks.follow("angle", body)[:, 0]

    def angular_velocity(self, body: str) -> Floats:
        """(frames, 3) in inertial axes; in 2-D (frames,) [rad/s]."""
        return flat(self._tracks.follow("angular_velocity", body))

    @property
    def coordinate_names(self) -> Names:
        """Names of the coordinates of a system of formulas; none in other runs."""
        return self._names_of("coordinates")

    @property
    def coordinates(self) -> Floats:
        """(frames, coordinates) of a system of formulas."""
        return self._frames("coordinate")

    @property
    def rates(self) -> Floats:
        """(frames, coordinates): their rates."""
        return self._frames("rate")

    def coordinate(self, name: str) -> Floats:
        """(frames,): a coordinate of a system of formulas."""
        return self._column("coordinate", "coordinates", name, "coordinate")

    def rate(self, name: str) -> Floats:
        """(frames,): rate of a coordinate of a system of formulas."""
        return self._column("rate", "coordinates", name, "coordinate")


def flat(vectors: Floats) -> Floats:
    """Vectors about an axis: those of 2-D have one component, which is all there is to tell."""
    components: Floats = vectors[:, 0] if vectors.shape[1] == 1 else vectors
    return components
