"""The stage: what a run looks like, frame by frame, for pictures, films and the page in the browser alike."""

from __future__ import annotations

from functools import partial

import numpy as np

from granum.base.errors import GranumError, pick
from granum.base.kernels import Floats
from granum.model.actuators import Actuator
from granum.model.body_entries import Rigid
from granum.model.connections import BallJoint, Coupling, Drive, Glue, Hinge, Slider
from granum.model.loads import TorsionSpring
from granum.run import Run
from granum.run.axes import start_axis
from granum.run.reactions import unit_of
from granum.view.shapes.body_shapes import body_mesh
from granum.view.shapes.boundaries import ENDLESS, boundary_mesh
from granum.view.shapes.joints import drive_mesh, joint_mesh, rail_mesh, torsion_mesh
from granum.view.shapes.meshes import Mesh, sphere
from granum.view.shapes.surfaces import surface_mesh
from granum.view.stage.actors import Actors, words
from granum.view.stage.couplings import coupling_solids
from granum.view.stage.items import Series, Solid, spread
from granum.view.stage.poses import STILL, TURN, Pose, placed, rotation, since
from granum.view.stage.series import series_of

_SAMPLES = 24
"""Frames that are looked at for the box of the whole run."""
_BEYOND = 0.05
"""How far boundaries are shown beyond what moves, in the size of it."""
_SURROUNDS = 3.0
"""Size up to which a drum or silo is shown as a whole, in the size of what moves in it."""
_STRAY = 0.5
"""How far balls that leave all others behind are followed, in the size of what the others fill."""
_AHEAD = 0.5
"""How far planes reach beyond what a run that still goes on has filled so far."""


class Stage(Actors):
    """What of a run is seen: balls, solids, links, forces, and figures over time.

    Frames are read as they are asked for.
    """

    def __init__(self, run: Run) -> None:
        run.refuse_empty()
        super().__init__(run)
        self.title = run.scene.title
        self._bodies = self._body_solids()
        self._couplings = coupling_solids(self)
        self._edges = self._boundary_solids(np.zeros((2, 3)), ending=True)
        self._box = len(run.t), self._extent()
        low, high = self._box[1]
        margin = (_BEYOND if run.finished else _AHEAD) * float((high - low).max())
        room = np.array([[-margin], [margin]]) * (np.arange(3) < self.dimension)
        self._posed = [*self._bodies, *self._joint_solids(float(np.linalg.norm(high - low))), *self._couplings,
                       *self._edges,
                       *self._boundary_solids(self._box[1] + room, ending=False), *self._surfaces(self._box[1] + room)]
        self.solids = tuple(solid for solid, _ in self._posed)

    @property
    def t(self) -> Floats:
        """(frames,) times [s]."""
        return self.run.t

    def poses(self, frame: int) -> Floats:
        """(solids, 7): position and quaternion (w, x, y, z); not a number where a body is not there."""
        index = self.run.frame_number(frame)
        return np.array([pose(index) for _, pose in self._posed]).reshape(-1, 7)

    def names(self) -> list[str]:
        """All that can be traced."""
        return list(self.run.body_names)

    def box(self) -> Floats:
        """(2, 3): corners of what a camera should show over the whole run [m]."""
        if self._box[0] != len(self.t):
            self._box = len(self.t), self._extent()
        return self._box[1]

    def series(self) -> dict[str, Series]:
        """Figures over the frames, by name."""
        return series_of(self.run)

    def describe_ball(self, frame: int, k: int) -> dict[str, str]:
        """What is known of a ball, as text with units."""
        index = self.run.frame_number(frame)
        balls = self.balls(index)
        if not 0 <= k < len(balls.radii):
            raise GranumError(f"There is no ball {k}: frame {index} has {len(balls.radii)}.")
        known = self.description(index, self.ball_name(index, k))
        known["kind"] = self.kinds[balls.kinds[k]]
        if "size" in self.quantities:
            known["radius"] = words(balls.radii[k], "m")
        for name, quantity in self.quantities.items():
            if name in ("force", "coordination"):
                value = self.values(index, name)[k]
                known[quantity.label] = str(int(value)) if quantity.discrete else words(value, quantity.unit)
        return known

    def describe_solid(self, frame: int, k: int) -> dict[str, str]:
        """What is known of a solid, as text with units."""
        index = self.run.frame_number(frame)
        if not 0 <= k < len(self.solids):
            raise GranumError(f"There is no solid {k}: the stage has {len(self.solids)}.")
        solid = self.solids[k]
        if solid.kind == "body":
            return self.description(index, solid.name) | {"kind": self.scene.body[solid.name].kind.replace("-", " ")}
        if solid.kind == "joint":
            return self._describe_joint(index, solid.name)
        kind = getattr(self.scene.boundary.get(solid.name), "kind", "surface")
        return {"name": solid.name, "kind": f"boundary, {kind}"}

    def _describe_joint(self, index: int, name: str) -> dict[str, str]:
        """A joint, coupling, drive, actuator or torsion spring, with what it does as far as that is recorded."""
        joint = self.scene.constraint.get(name) or self.scene.load.get(name) or self.scene.actuator[name]
        known = {"name": name, "kind": joint.kind.replace("-", " ")}
        if isinstance(joint, Actuator):
            known["kind"] = f"{joint.kind} actuator"
        if within := getattr(joint, "joint", getattr(joint, "hinge", "")):
            known["joint"] = within
        else:
            known["between"] = " and ".join(getattr(joint, "between", getattr(joint, "joints", ())))
        force = self.joint_force(name, index)
        if force is not None:
            known["force"] = words(force[: self.dimension], "N")
        elif isinstance(joint, Coupling | Drive) and name in self.run.joint_names:
            (what, values), = self.run.reaction(name).components.items()
            known[what] = words(values[index], unit_of(what))
        return known

    def describe_line(self, frame: int, name: str) -> dict[str, str]:
        """What is known of a link or a spring, as text with units."""
        index = self.run.frame_number(frame)
        if name in self.springs:
            spring, ends = self.springs[name], self.spring_ends(index)[list(self.springs).index(name)]
            known = {"name": name, "kind": "spring" if spring.stiffness else "damper",
                     "between": " and ".join(spring.between)}
            for key, value, unit in (("stiffness", spring.stiffness, "N/m"), ("damping", spring.damping, "N s/m")):
                known |= {key: words(value, unit)} if value else {}
            return known | {"length": words(np.linalg.norm(ends[1] - ends[0]), "m")}
        row = list(self.run.link_names).index(pick(name, [*self.run.link_names, *self.springs], "link or spring"))
        ends = self.links(index)[row]
        return {"name": name, "kind": "link", "tension": words(self.tensions(index)[row], "N"),
                "length": words(np.linalg.norm(ends[1] - ends[0]), "m")}

    def _body_solids(self) -> list[tuple[Solid, Pose]]:
        """Bodies that are seen as meshes."""
        solids: list[tuple[Solid, Pose]] = []
        for name in self.meshed:
            body = self.scene.body[name]
            mesh = (body_mesh(body, self.dimension, 0.6 * self.point_radius) if isinstance(body, Rigid)
                    else sphere(self.point_radius)._replace(tones=None, lines=()))
            solids.append((Solid(name, "body", mesh, True), partial(self.pose, name)))
        return solids

    def _joint_solids(self, size: float) -> list[tuple[Solid, Pose]]:
        """Joints with a place, each with the body of its first end."""
        solids: list[tuple[Solid, Pose]] = []
        radius = min(0.9 * self.point_radius, 0.012 * size)
        for name, joint in self.scene.constraint.items():
            if not isinstance(joint, BallJoint | Hinge | Slider | Glue):
                continue
            direction = start_axis(self.run, joint) if isinstance(joint, Hinge | Slider) and joint.axis else None
            own = joint.between[0]
            if isinstance(joint, Slider) and direction is not None:
                mesh = rail_mesh(direction, self._travel(joint, direction), radius, self.dimension)
            elif not isinstance(joint, Slider):
                mesh = joint_mesh(joint, direction, radius, self.dimension)
            solids.append(self.at_joint(name, mesh, own))
        return [*solids, *self._in_joints(radius)]

    def _in_joints(self, radius: float) -> list[tuple[Solid, Pose]]:
        """Drives, actuators and torsion springs, at the joints that they act in."""
        solids = list[tuple[Solid, Pose]]()
        for name, one in [*self.scene.constraint.items(), *self.scene.load.items(), *self.scene.actuator.items()]:
            joint = self.scene.measured_joints.get(getattr(one, "joint", getattr(one, "hinge", "")))
            if joint is None:
                continue
            axis = start_axis(self.run, joint)
            if isinstance(one, Drive | Actuator):
                mesh = drive_mesh(axis, isinstance(joint, Hinge), radius, self.dimension)
                solids.append(self.at_joint(name, mesh, joint.between[0]))
            elif isinstance(one, TorsionSpring):
                solids.append(self.at_joint(name, torsion_mesh(one, axis, radius, self.dimension), joint.between[0]))
        return solids

    def _travel(self, slider: Slider, axis: Floats) -> tuple[float, float]:
        """How far the second point gets along the axis, from the first."""
        own, other = slider.between
        start, way = self.carrier(own, 0), axis / np.linalg.norm(axis)
        along = []
        for frame in spread(len(self.t), _SAMPLES):
            turned = rotation(since(start, self.carrier(own, frame))[TURN])
            along.append(float((self.point(other, frame) - self.point(own, frame)) @ turned @ way))
        return min(along), max(along)

    def _boundary_solids(self, box: Floats, ending: bool) -> list[tuple[Solid, Pose]]:
        """Boundaries that have an end, or the others cut at a box; each with its body or its prescribed motion."""
        return [(Solid(name, "boundary", boundary_mesh(boundary, self.dimension, *box),
                       boundary.body is not None or boundary.motion is not None), partial(self.boundary_pose, name))
                for name, boundary in self.scene.boundary.items() if isinstance(boundary, ENDLESS) != ending]

    def _surfaces(self, box: Floats) -> list[tuple[Solid, Pose]]:
        """Surfaces that bodies roll and slide on."""
        return [(Solid(name, "boundary", surface_mesh(surface.equation, self.dimension, *box), False),
                 lambda frame: STILL) for name, surface in self.scene.surface.items()]

    def _extent(self) -> Floats:
        """(2, 3): box of all that moves over some frames, and of boundaries as far as they are near it."""
        frames = spread(len(self.t), _SAMPLES)
        points = [self._ball_extent(frames)]
        for frame in frames:
            points.append(self.links(frame).reshape(-1, 3)[:: max(1, len(self.run.link_names) // 1000)])
            points += [placed(pose(frame), _points(solid.mesh)) for solid, pose in [*self._bodies, *self._couplings]]
        there = _finite(points)
        around = {solid.name: _finite([placed(pose(frame), _points(solid.mesh)) for frame in (frames[0], frames[-1])])
                  for solid, pose in self._edges}
        near = [there]
        for name, edge in around.items():
            near.append(edge if not len(there) or self.surrounds(name, edge, there) else _clipped(edge, there))
        both = np.concatenate(near)
        if not len(both):  # sources have brought nothing yet
            both = np.array([-0.5, 0.5])[:, None] * np.ones(3)
        margin = 0.03 * float(np.ptp(both, axis=0).max()) * (np.arange(3) < self.dimension)
        return np.array([both.min(axis=0) - margin, both.max(axis=0) + margin])

    def surrounds(self, name: str, edge: Floats, there: Floats) -> bool:
        """Is a boundary a round hole that grains are in, not much larger than they? Then it is shown as a whole, unless
        it is pulled away.
        """
        boundary = self.scene.boundary[name]
        hole = (getattr(boundary, "radius", None) or 0.0) < 0.0
        leaves = boundary.motion is not None and boundary.motion.velocity is not None
        return hole and not leaves and bool(np.ptp(edge, axis=0).max() <= _SURROUNDS * np.ptp(there, axis=0).max())

    def _ball_extent(self, frames: list[int]) -> Floats:
        """(2, 3): box of balls; of a few that leave all others behind only the beginning of their way."""
        lows, highs, inner = [], [], []
        for frame in frames:
            balls = self.balls(frame)
            if len(balls.radii):
                lows.append((balls.positions - balls.radii[:, None]).min(axis=0))
                highs.append((balls.positions + balls.radii[:, None]).max(axis=0))
                inner.append(np.percentile(balls.positions, [2.0, 98.0], axis=0))
        if not lows:
            return np.zeros((0, 3))
        least, most = np.min(inner, axis=(0, 1)), np.max(inner, axis=(0, 1))
        room = _STRAY * float((most - least).max())
        low, high = np.min(lows, axis=0), np.max(highs, axis=0)
        return np.array([np.maximum(low, least - room), np.minimum(high, most + room)] if room else [low, high])


def _points(mesh: Mesh) -> Floats:
    return np.concatenate([mesh.vertices, *mesh.lines])


def _finite(points: list[Floats]) -> Floats:
    """All of these (k, 3) that are somewhere."""
    every = np.concatenate(points)
    return every[np.isfinite(every).all(axis=1)]


def _clipped(edge: Floats, there: Floats) -> Floats:
    """Points of a boundary, drawn in to be near what moves."""
    low, high = there.min(axis=0), there.max(axis=0)
    reach = _BEYOND * float((high - low).max())
    return edge.clip(low - reach, high + reach)

