"""What moves on a stage, for every run: balls, bodies seen as meshes, links, and the forces between them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, wraps
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np

from granum.base.errors import GranumError, pick
from granum.base.kernels import Floats, Ints
from granum.base.rotations import three
from granum.model.body_entries import FixedPoint, PointMass, Rigid
from granum.model.loads import Spring
from granum.run import Run
from granum.run.grain_result import in_space
from granum.run.trajectories import rotations
from granum.topology.rank import LARGEST
from granum.view.shapes.body_shapes import parts, seen_as_balls
from granum.view.shapes.meshes import NO_POINTS, Mesh
from granum.view.stage.items import Arrows, Balls, Chains, Quantity, Solid, spread
from granum.view.stage.poses import PLACE, STILL, TURN, Pose, placed, prescribed, since

_SAMPLES = 16
"""Frames from which the size of everything is estimated."""
_MOST_IN_SPACE = LARGEST // 6
"""Grains in 3-D up to which rigid clusters are found in every frame."""
_NO_CHAINS = Chains(NO_POINTS, NO_POINTS, np.zeros(0), np.zeros((0, 2), np.int64))


class Cast(NamedTuple):
    """Balls of a run without grains: round bodies, parts of clumps and points, the same in every frame."""

    owner: Ints
    """(n,): number of the body of each."""
    arm: Floats
    """(n, 3): from the mass centre in body axes [m]."""
    radius: Floats
    """(n,) [m]"""
    kind: Ints
    """(n,): place among the kinds."""
    kinds: tuple[str, ...]


Method = TypeVar("Method", bound=Callable[..., Any])


def _of_frame(method: Method) -> Method:
    """Let a method take frames counted from the end too, and refuse one that is not there."""
    @wraps(method)
    def asked(self: Actors, frame: int, *args: Any) -> Any:
        return method(self, self.run.frame_number(frame), *args)

    return cast(Method, asked)


class Actors:
    """Bodies and grains of a run; only the frame that is asked for is read."""

    def __init__(self, run: Run) -> None:
        self.run, self.scene, self.dimension = run, run.scene, run.dimension
        own = self.scene.body if run.has.grains else {name: self.scene.body.get(name) for name in run.body_names}
        seen = Rigid | PointMass if run.has.grains else Rigid
        self.meshed = tuple(name for name, body in own.items() if isinstance(body, seen)
                            and not seen_as_balls(body, self.dimension))
        """Bodies of the scene that are seen as meshes."""
        if not (run.grain_room + len(self.meshed) if run.has.grains else len(own)):
            raise GranumError("This run has only coordinates and no bodies to show. Plot them (granum plot RUN "
                              "coordinates), or add [system.points] to the scene.")
        self._clusters: tuple[int, Floats] = -1, np.zeros(0)
        self._named: tuple[int, dict[int, str]] = -1, {}

    @cached_property
    def point_radius(self) -> float:
        """A radius for what has none: that of the grains, or small against links and bodies, and visible [m]."""
        if self.run.has.grains:
            some = self.run.recorded("radius", 0)
            return float(np.mean(some)) if len(some) else 0.01
        frames = spread(len(self.run.t), _SAMPLES)
        positions = np.asarray(self.run.positions[frames]).reshape(-1, self.dimension)
        size = float(np.linalg.norm(np.ptp(positions, axis=0))) or 1.0
        links = self.links(0)
        lengths = [length for length in np.linalg.norm(links[:, 1] - links[:, 0], axis=1).tolist() if length > 0.0]
        for body in self.scene.body.values():
            if isinstance(body, Rigid):
                lengths += [2.0 * float(np.linalg.norm(at)) for at in body.fixed_points().values() if np.any(at)]
        length = float(np.mean(lengths)) if lengths else size
        return min(max(0.008 * size, 0.03 * length), 0.2 * length)

    @cached_property
    def _cast(self) -> Cast:
        """Balls of a run without grains."""
        arms, radii = [np.zeros((0, 3))], [np.zeros(0)]
        owner, kind, kinds = list[int](), list[int](), dict[str, int]()
        for k, name in enumerate(self.run.body_names):
            body = self.scene.body.get(name)
            if name in self.meshed:
                continue
            arm, radius = (parts(body) if isinstance(body, Rigid)
                           else (np.zeros((1, 3)), np.array([self.point_radius])))
            what = str(getattr(body, "kind", "point" if self.run.has.coordinates else "point mass")).replace("-", " ")
            owner += [k] * len(radius)
            kind += [kinds.setdefault(what, len(kinds))] * len(radius)
            arms.append(arm)
            radii.append(radius)
        return Cast(np.array(owner, np.int64), np.concatenate(arms), np.concatenate(radii), np.array(kind, np.int64),
                    tuple(kinds))

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """Names of the kinds of balls."""
        return tuple(self.run.groups) if self.run.has.grains else self._cast.kinds

    @property
    def _sized(self) -> bool:
        """Have balls a radius of their own?"""
        return self.run.has.grains or not np.all(self._cast.radius == self.point_radius)

    @property
    def quantities(self) -> dict[str, Quantity]:
        """What balls can be coloured by; the arch of a jam comes first."""
        run = self.run
        few = not run.has.grains or self.dimension == 2 or run.grain_room <= _MOST_IN_SPACE
        label = "contact forces" if run.has.grains else "link forces"
        forces = run.has.contacts if run.has.grains else run.has.links
        known = {
            "arch": (run.has.contacts and run.jam is not None, Quantity("arch of a jam", "", True)),
            "speed": (True, Quantity("speed", "m/s", False)),
            "size": (self._sized, Quantity("radius", "m", False)),
            "force": (forces, Quantity(label, "N", False)),
            "coordination": (run.has.contacts, Quantity("contacts", "", True)),
            "cluster": (forces and run.has.rigidity and few, Quantity("rigid cluster", "", True)),
            "kind": (len(self.kinds) > 1, Quantity("kind", "", True)),
        }
        return {name: quantity for name, (there, quantity) in known.items() if there}

    @_of_frame
    def balls(self, frame: int) -> Balls:
        """Grains, parts of clumps, round bodies and points of a frame; grains in the order of their numbers."""
        if self.run.has.grains:
            position, radius, number, group = (self.run.recorded(name, frame)
                                               for name in ("position", "radius", "number", "group"))
            orientations = self.run.grain_orientations(frame) if self.run.has.orientation else None
            return Balls(in_space(position), radius.astype(float), orientations, number, group.astype(np.int64),
                         self.run.owners(frame))
        cast = self._cast
        orientation = self.run.orientations(frame)[cast.owner]
        arm = np.einsum("nij,nj->ni", rotations(orientation), cast.arm)
        return Balls(self._positions(frame)[cast.owner] + arm, cast.radius, orientation if self._sized else None,
                     np.arange(len(cast.owner)), cast.kind, cast.owner)

    @_of_frame
    def values(self, frame: int, quantity: str) -> Floats:
        """(n,) what the balls of a frame are coloured by; the cluster is -1 where there is none, the arch 0 in one and
        -1 elsewhere.
        """
        grains, run = self.run.has.grains, self.run
        match pick(quantity, self.quantities, "colouring"):
            case "speed":
                velocity = run.recorded("velocity", frame).astype(float) if grains else \
                    run.velocities[frame][self._cast.owner]
                return np.asarray(np.sqrt(np.einsum("ij,ij->i", velocity, velocity)))
            case "size":
                return run.recorded("radius", frame).astype(float) if grains else self._cast.radius
            case "kind":
                return (run.recorded("group", frame) if grains else self._cast.kind).astype(float)
            case "force" if grains:
                size = np.linalg.norm(run.recorded("contact_force", frame), axis=1)
                return _sums(run.recorded("contact_pair", frame), size, int(run.counts[frame]))
            case "force":
                return _sums(run.link_ends, np.abs(self.tensions(frame)), len(run.body_names))[self._cast.owner]
            case "coordination":
                owners, pair = run.owners(frame), run.recorded("contact_pair", frame)
                each = _sums(pair, np.ones(len(pair)), len(owners))
                return np.bincount(owners, each)[owners].astype(float)
            case "arch":
                return run.arched(frame).astype(float) - 1.0
            case _:
                return self._cluster(frame)

    def _cluster(self, frame: int) -> Floats:
        """(n,): rigid cluster of each ball, or -1."""
        if self._clusters[0] != frame:
            from granum.view.plots.rigidity import body_labels, rigidity_of_links

            if self.run.has.grains:
                labels = body_labels(self.run.rigidity(frame)).astype(float)
            else:
                rigidity = rigidity_of_links(self.run, frame)
                labels = np.full(len(self.run.body_names), -1.0) if rigidity is None else \
                    body_labels(rigidity).astype(float)
                labels = labels[self._cast.owner]
            self._clusters = frame, labels
        return self._clusters[1]

    def _positions(self, frame: int) -> Floats:
        """(bodies, 3): of a run without grains."""
        return in_space(self.run.positions[frame])

    def pose(self, name: str, frame: int) -> Floats:
        """(7,) of a body or grain by name; not a number where it is not there."""
        groups = self.run.groups
        if name in groups and name in self.scene.body:
            return self._pose_of_group(groups.index(name), frame)
        position = in_space(self.run.value("position", name, frame)[None])[0]
        rotates = not self._by_grain(self._group(name)) if groups else self.run.has_orientation(name)
        return np.concatenate([position, self.run.value("orientation", name, frame) if rotates else STILL[TURN]])

    def _pose_of_group(self, group: int, frame: int) -> Floats:
        """Of the body that is a group of its own; found by its group, which needs no list of all names."""
        of = "body_" if self.run.has.parts else ""
        row = np.flatnonzero(self.run.recorded(f"{of}group", frame) == group)[:1]
        if not len(row):
            return np.full(7, np.nan)
        position = in_space(self.run.recorded(f"{of}position", frame)[row])[0]
        return np.concatenate([position, self.run.recorded("body_orientation", frame)[row[0]] if of else STILL[TURN]])

    def boundary_pose(self, name: str, frame: int) -> Floats:
        """(7,) of a boundary, against where the scene puts it: with its body, or as prescribed."""
        boundary = self.scene.boundary[name]
        if boundary.body is not None:
            return since(self.pose(boundary.body, 0), self.pose(boundary.body, frame))
        return STILL if boundary.motion is None else prescribed(boundary.motion, float(self.run.t[frame]))

    @_of_frame
    def links(self, frame: int) -> Floats:
        """(k, 2, 3): ends of links, of bonds that hold, of lines between points of formulas [m].

        A one-sided link that is open has no length: both ends are its first.
        """
        run = self.run
        if run.has.grains or run.has.orientation:  # links may end at points of bodies
            ends = np.array([[self.point(end, frame) for end in link.between] for link in self.scene.link.values()])
        else:
            ends = self._positions(frame)[run.link_ends]
        listed = [ends.reshape(-1, 2, 3)]
        if is_open := run.open_links(frame):
            rows = [list(run.link_names).index(name) for name in is_open]
            listed[0][rows, 1] = listed[0][rows, 0]
        if run.has.bonds:
            numbers, bonds = run.recorded("number", frame), run.bonds(frame)
            bonds = bonds[np.isin(bonds, numbers).all(axis=1)]  # a sink may have taken one of the two
            listed.append(in_space(run.recorded("position", frame))[np.searchsorted(numbers, bonds)])
        if self.scene.system.lines:
            listed.append(self._positions(frame)[run.line_ends])
        return np.concatenate(listed)

    @cached_property
    def springs(self) -> dict[str, Spring]:
        """Springs and dampers between two points, by name."""
        return {name: load for name, load in self.scene.load.items() if isinstance(load, Spring)}

    @_of_frame
    def spring_ends(self, frame: int) -> Floats:
        """(springs, 2, 3): where springs begin and end [m]; not a number where a body is not there."""
        return np.array([[self.point(end, frame) for end in spring.between] for spring in self.springs.values()]
                        ).reshape(-1, 2, 3)

    @_of_frame
    def chains(self, frame: int) -> Chains:
        """Contact forces between centres, and from centres to the boundary."""
        if not self.run.has.contacts:
            return _NO_CHAINS
        pair, normal, force = (self.run.recorded(f"contact_{name}", frame) for name in ("pair", "normal", "force"))
        centre, radius = in_space(self.run.recorded("position", frame)), self.run.recorded("radius", frame)
        i, j = pair.T
        start = centre[i]
        wall = start - radius[i, None] * in_space(normal)
        end = np.where(j[:, None] >= 0, centre[np.maximum(j, 0)], wall)
        return Chains(start, end, np.linalg.norm(force.astype(float), axis=1), np.maximum(pair, -1).astype(np.int64))

    def joint_force(self, joint: str, frame: int) -> Floats | None:
        """(3,) force of a joint on its second body [N], if it is recorded."""
        if joint not in self.run.joint_names or "force.x" not in (reaction := self.run.reaction(joint)).components:
            return None
        force: Floats = in_space(reaction.force[[frame]])[0]
        return force

    @_of_frame
    def tensions(self, frame: int) -> Floats:
        """(links,): tensions of the first rows of `links` [N]."""
        return np.asarray(self.run.tensions[frame])

    def trace(self, name: str) -> Floats:
        """(frames, 3): path of a body or grain [m]; not a number where it is not there."""
        return in_space(self.run.position(name))

    def description(self, frame: int, name: str) -> dict[str, str]:
        """Position, velocity, speed and, where there is one, angular velocity of a body by name."""
        velocity = self.run.value("velocity", name, frame)
        if not np.all(np.isfinite(velocity)):
            raise GranumError(f'"{name}" does not exist at t = {self.run.t[frame]:.4g} s.')
        known = {"name": name, "position": words(self.run.value("position", name, frame), "m"),
                 "velocity": words(velocity, "m/s"), "speed": words(np.linalg.norm(velocity), "m/s")}
        if self.run.has_orientation(name):
            known["angular velocity"] = words(self.run.value("angular_velocity", name, frame), "rad/s")
        return known

    def ball_name(self, frame: int, k: int) -> str:
        """Name of a ball, or of the body it is part of."""
        kind = self.kinds[int(self.balls(frame).kinds[k])]  # parts of a clump that fell apart have no name
        return self.body_names.get(int(self.body_numbers(frame)[k]), kind)

    @property
    def body_names(self) -> dict[int, str]:
        """Name of each body that balls belong to, by its number in `body_numbers`."""
        if self._named[0] != len(self.run.t):
            known = {2 * number + self._by_grain(self._group(name)): name for name, number in self.run.numbers.items()
                     } if self.run.has.grains else dict(enumerate(self.run.body_names))
            self._named = len(self.run.t), known
        return self._named[1]

    @_of_frame
    def body_numbers(self, frame: int) -> Ints:
        """(n,): who each ball is, or is part of, over all frames. Bodies and grains count by themselves in a run, so
        bodies have even numbers here and grains that are followed one by one odd ones.
        """
        run = self.run
        if not run.has.grains:
            return self._cast.owner
        number = run.recorded("number", frame).astype(np.int64)
        if not run.has.parts:
            return 2 * number + 1
        single = np.array([self._by_grain(group) for group in range(len(self.kinds))], bool)
        body = run.recorded("part_of", frame).astype(np.int64)
        return np.where(single[run.recorded("group", frame)], 2 * number + 1, 2 * body)

    def _by_grain(self, group: int) -> bool:
        """Do names of a group speak of grains, not of the bodies that hold them?"""
        return not self.run.has.parts or self.run.followed_by_grains(group)

    def _group(self, name: str) -> int:
        return self.kinds.index(name if name in self.scene.body else name.rpartition("-")[0])

    def point(self, name: str, frame: int) -> Floats:
        """(3,): position of a body, a point of a body (`arm.tip`) or a fixed point."""
        own, _, point = name.partition(".")
        body = self.scene.body.get(own)
        if isinstance(body, FixedPoint):
            return three(body.position)
        pose = self.pose(own, frame)
        if point and isinstance(body, Rigid):
            pose = placed(pose, np.array([body.fixed_points()[point]]))[0]
        return pose[PLACE]

    def carrier(self, name: str, frame: int) -> Floats:
        """(7,) pose of the body that an end of a joint belongs to; fixed points stay."""
        own = name.partition(".")[0]
        body = self.scene.body.get(own)
        if isinstance(body, Rigid):
            return self.pose(own, frame)
        if isinstance(body, FixedPoint):
            return STILL
        return np.concatenate([self.point(own, frame), STILL[TURN]])

    def at_joint(self, name: str, mesh: Mesh, own: str) -> tuple[Solid, Pose]:
        """Something that is at the first end of a joint."""
        return Solid(name, "joint", mesh, not np.array_equal(self.carrier(own, 0), STILL)), self.joint_pose(own)

    def joint_pose(self, own: str) -> Pose:
        """A joint is at its first point and turns with its body; its mesh has the directions of the start."""
        start = self.carrier(own, 0)

        def pose(frame: int) -> Floats:
            turned = since(start, self.carrier(own, frame))[TURN]
            return np.concatenate([self.point(own, frame), turned])

        return pose

    @_of_frame
    def reactions(self, frame: int) -> Arrows:
        """What joints and links do to their second ends."""
        joints = []
        for name, joint in self.scene.constraint.items():
            force = self.joint_force(name, frame)
            at = self._acts_at(name, joint, frame) if force is not None else None
            if force is not None and at is not None:
                joints.append((name, at, force))
        names = list(self.run.link_names)
        links = self.links(frame)[: len(names)]
        along = links[:, 1] - links[:, 0]
        size = np.linalg.norm(along, axis=1, keepdims=True)
        pulls = -self.tensions(frame)[:, None] * along / np.where(size > 0.0, size, 1.0)
        return Arrows(np.concatenate([np.array([at for _, at, _ in joints]).reshape(-1, 3), links[:, 1]]),
                      np.concatenate([np.array([force for *_, force in joints]).reshape(-1, 3), pulls]),
                      (*(name for name, *_ in joints), *names))

    def _acts_at(self, name: str, joint: object, frame: int) -> Floats | None:
        """Where a joint acts: at the point of its second end, or where a body rolls, which is a coordinate."""
        between = getattr(joint, "between", None)
        if between is not None:
            return self.point(between[1], frame)
        body = getattr(self.scene.constraint[name], "body", "").replace("-", "_")
        columns = [self.run.coordinate_names.find(f"{body}.contact.{axis}") for axis in "xyz"]
        return None if None in columns else np.array(self.run.coordinates[frame][columns])


def _sums(pairs: Ints, values: Floats, count: int) -> Floats:
    """(count,): sums of values of pairs over what is at their ends; negative ends are boundaries."""
    ends, both = pairs.ravel(), np.repeat(values, 2)
    inside = ends >= 0
    return np.bincount(ends[inside], both[inside], minlength=count).astype(float)


def words(values: Any, unit: str) -> str:
    """Numbers with a unit, as text."""
    listed = ", ".join(f"{value:.4g}" for value in np.atleast_1d(values))
    return f"({listed}) {unit}" if np.size(values) > 1 else f"{listed} {unit}"
