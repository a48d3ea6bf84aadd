"""Joints between bodies: names of ends resolved, rows built, everything that is wrong between entries collected."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeGuard

import numpy as np

from granum.algebra import Expression, gradient, number, symbol
from granum.algebra.compiled import Compiled
from granum.algebra.expression import ZERO, free_symbols, rebuild
from granum.algebra.parse import parse_equation
from granum.assembly.orientations import Orientations, refuse_other_dimension
from granum.assembly.parametrised import unplaced
from granum.base.errors import GranumError, Problem, SceneError, did_you_mean
from granum.base.kernels import Floats
from granum.base.rotations import three
from granum.loads.load import BodyLoad
from granum.loads.registry import KINDS as LOADS
from granum.model.body_entries import FixedPoint, Rigid
from granum.model.clumps import Clump
from granum.model.connections import Drive, Glue, Hinge, NoSpin, Rolling, Slider, Sliding
from granum.model.scene import Scene
from granum.model.start import Start
from granum.rows.body import Body, End
from granum.rows.contact import not_round
from granum.rows.drive import scene_motion, steer
from granum.rows.joint import Joint
from granum.rows.registry import BUILDERS
from granum.rows.system import RowSystem, make_row_system

_T = symbol("t")


class Assembler:
    """Connects bodies as a scene says; `rows.joint.Connecting` is what builders of joints see of it."""

    def __init__(self, scene: Scene, bodies: dict[str, Body], axes: Mapping[str, Floats] | None = None,
                 surfaces: bool = True, known_only: bool = False, start: Mapping[str, Start] | None = None,
                 settled: bool = False) -> None:
        """Prepare to connect bodies.

        Args:
            bodies: movable bodies by name.
            axes: of joints that were carried along since the scene gave them, by name.
            surfaces: are contacts with plane surfaces rows? Otherwise formulas take all surfaces.
            known_only: leave out joints of other bodies, drives and loads.
            start: what is given of the start, by body; left out, as the scene says.
            settled: are the bodies where their joints have left them?
        """
        self.scene, self.dimension, self.bodies, self.surfaces = scene, scene.dimension, bodies, surfaces
        self.known_only, self.start = known_only, scene.start if start is None else start
        self.fixed = {name: three(body.position) for name, body in scene.body.items() if isinstance(body, FixedPoint)}
        self.ground = Body("ground", position=np.zeros(3))
        self.joints: list[Joint] = []
        self._named: dict[tuple[str, str], Joint] = {}
        """The same by kind and name."""
        self.problems: list[Problem] = []
        self._axes = axes or {}
        self._orientations = Orientations(scene, self.start, bodies, settled)
        self._motions: list[Expression] = []
        self._failed: set[str] = set()

    @contextmanager
    def at(self, place: str) -> Iterator[None]:
        """Note what is wrong with an entry, and go on."""
        try:
            yield
        except SceneError as error:
            self.problems += error.problems
            self._failed.add(place)
        except GranumError as error:
            self.problems.append(Problem(place, str(error)))
            self._failed.add(place)

    def raise_problems(self) -> None:
        """Raise SceneError where something is wrong."""
        if self.problems:
            raise SceneError(self.problems)

    # ---- what builders of joints and loads ask

    def end(self, name: str) -> End:
        """A point `body` or `body.point`, or a fixed point; raises GranumError where there is none."""
        body_name, _, point = name.partition(".")
        if body_name in self.fixed and not point:
            return End(name, self.ground, self.fixed[body_name])
        if body_name not in self.bodies:
            known = [*self.bodies, *self.fixed]
            raise GranumError(f'there is no body "{body_name}". {did_you_mean(body_name, known, "body")}')
        body = self.bodies[body_name]
        if not point:
            return End(name, body, np.zeros(3))
        if point not in body.points:
            raise GranumError(f'"{body_name}" has no point "{point}". {did_you_mean(point, body.points, "point")}')
        return End(name, body, np.array(body.points[point]))

    def round_end(self, name: str) -> End:
        """The centre of a round body or of a part of a clump, with its radius."""
        end = self.end(name)
        _, _, point = name.partition(".")
        entry = end.body.entry
        if isinstance(entry, Clump) and point in entry.own_points():
            return end._replace(radius=float(entry.radii()[int(point) - 1]))
        if isinstance(entry, Rigid) and not point:
            properties = entry.properties()
            if properties.radius is not None and not self.oval_end(name):
                return End(name, end.body, np.array(properties.centre), properties.radius)
        raise not_round(name, entry)

    def oval_end(self, name: str) -> tuple[End, tuple[float, float, float]] | None:
        """The centre and the semi-axes of an ellipsoid, a disk or a cylinder in 3-D."""
        body = self.end(name).body
        if self.dimension == 2 or "." in name or not isinstance(body.entry, Rigid):
            return None
        properties = body.entry.properties()
        if properties.semi_axes is None:
            return None
        return End(name, body, np.array(properties.centre)), properties.semi_axes

    def axis(self, name: str, entry: Hinge | Slider) -> Floats:
        """The axis of a hinge or slider in inertial axes, with as many components as it is given with."""
        assert entry.axis is not None
        axis = self._axes.get(name)
        if axis is None:
            axis = self._orientations.axis(entry)
        return axis[: len(entry.axis)]

    def second_axis(self, name: str, entry: Hinge | Slider) -> Floats | None:
        """The axis of a hinge or slider in 3-D in inertial axes, as its second body has it; None where it is `axis`."""
        return None if name in self._axes else self._orientations.second_axis(entry)

    def relative(self, entry: Glue | Slider) -> Floats | None:
        """The rotation from the axes of the second body of a slider or glue to those of the first, where it is given;
        None where it is as the bodies are at the start.
        """
        return self._orientations.relative(entry)

    def plane(self, name: str) -> tuple[Floats, Floats]:
        """Unit normal and a point of a surface that is plane, in 2-D a line."""
        flat = self.dimension == 2
        if self.scene.surface[name].motion is not None:
            raise GranumError(f'"{name}" moves, but ' + (
                "in 2-D surfaces are lines at rest. Remove its motion." if flat else
                'newton-euler supports planes at rest only. Use [run] formulation = "fundamental" for surfaces in '
                "motion."))
        axes = [symbol(axis) for axis in "XYZ"[: self.dimension]]
        equation = parse_equation(self.scene.surface[name].equation, [axis.name for axis in axes])
        slopes = gradient(equation, axes)
        if free_symbols(slopes):
            raise GranumError(f'"{name}" is curved, but ' + (
                "in 2-D surfaces are straight lines, such as Y - 0.2*X. Use a disk as the other body for a circle, or "
                "a 3-D scene." if flat else
                'newton-euler supports planes only. Use [run] formulation = "fundamental" for curved surfaces.'))
        value, *k = Compiled([], [s.name for s in axes], [equation, *slopes])(0.0, np.zeros(0), np.zeros(3)).tolist()
        slope = three(k)
        if not slope.any():
            raise GranumError(f'"{name}" depends on none of X, Y and Z, so it is not a surface.')
        return slope / np.linalg.norm(slope), -value * slope / (slope @ slope)

    def add_motion(self, name: str, entry: Drive, steering: Sequence[str]) -> tuple[int, Expression]:
        """Number and expression of the motion of a drive, which begins with zero, with what may be set in its place."""
        values = self.scene.system.parameters
        place = f"constraint.{name}.{'table' if entry.motion is None else 'motion'}"
        try:
            motion = scene_motion(entry, values)
        except GranumError as error:
            raise SceneError([Problem(place, str(error))]) from None
        numbers: dict[Expression, Expression | float | int] = {
            symbol(key): number(value) for key, value in values.items()}
        begins = rebuild([motion], {**numbers, _T: ZERO})[0].value
        if not abs(begins) <= 1e-12:
            raise SceneError([Problem(place, f"is {begins:.6g} at t = 0, but a motion is measured from the start: "
                                             "subtract this value so that it begins at 0.")])
        value = steer(rebuild([motion], numbers)[0], steering)
        rate = gradient(value, [_T])[0]
        self._motions += [value, rate, gradient(rate, [_T])[0]]
        return len(self._motions) // 3 - 1, steer(motion, steering)

    def joint(self, name: str, kind: str) -> Joint:
        """A joint of some kind by its name."""
        if (joint := self._named.get((kind, name))) is None:
            known = [other.name for other in self.joints if other.kind == kind]
            raise GranumError(f'there is no {kind} "{name}". {did_you_mean(name, known, kind)}')
        return joint

    def failed(self, name: str) -> bool:
        """Is something wrong with a joint already, so that what names it need not be reported?"""
        return f"constraint.{name}" in self._failed

    # ---- connecting

    def connect(self) -> None:
        """Build the joints of all links and constraints; what formulas say is left to them."""
        for name, link in self.scene.link.items():
            self._add(f"link.{name}", name, link)
        for refers in (False, True):
            for name, entry in self.scene.constraint.items():
                builder = BUILDERS.get(type(entry))
                if builder is not None and builder.refers == refers and not self._left_to_formulas(entry):
                    self._add(f"constraint.{name}", name, entry)

    def knows(self, entry: Any) -> bool:
        """Are its ends points of bodies that are here?"""
        ends = (end.partition(".")[0] for end in getattr(entry, "between", ()))
        return all(end in self.bodies or end in self.fixed for end in ends)

    def _add(self, place: str, name: str, entry: Any) -> None:
        if self.failed(getattr(entry, "joint", "")) or (
                self.known_only and (BUILDERS[type(entry)].refers or not self.knows(entry))):
            return
        with self.at(place):
            self._refuse_unplaced(*getattr(entry, "between", ()), getattr(entry, "body", ""), getattr(entry, "on", ""))
            refuse_other_dimension(entry, self.dimension)
            joint = BUILDERS[type(entry)].build(name, entry, self)
            joint.place = place
            self.joints.append(joint)
            self._named[joint.kind, joint.name] = joint

    def _refuse_unplaced(self, *ends: str) -> None:
        """Refuse to count from the start of bodies where that is not known."""
        for end in ends:
            if (body := self.bodies.get(end.partition(".")[0])) is not None and not body.placed:
                raise unplaced(body)

    def _left_to_formulas(self, entry: Any) -> bool:
        """Is it a contact with a surface, which formulas describe by massless points?"""
        if self.surfaces:
            return False
        if isinstance(entry, NoSpin):
            return entry.body in surface_bodies(self.scene)
        return touches(entry) and entry.on in self.scene.surface

    def loads(self, names: Collection[str] | None = None) -> list[BodyLoad]:
        """Loads of the scene, or some of them; what is wrong with them is noted."""
        if self.known_only:
            return []
        loads = []
        entries = [("load", name, entry) for name, entry in self.scene.load.items() if names is None or name in names]
        for section, name, entry in [*entries, *(("actuator", *item) for item in self.scene.actuator.items())]:
            if self.failed(getattr(entry, "hinge", None) or getattr(entry, "joint", None) or ""):
                continue
            with self.at(f"{section}.{name}"):
                if type(entry) not in LOADS:
                    raise GranumError(f'kind "{entry.kind}" acts on grains, but the scene has none. Remove it, or add '
                                      "grains.")
                self._refuse_unplaced(*getattr(entry, "between", ()) or ())
                loads.append(LOADS[type(entry)].build(name, entry, self))
        return loads

    def row_system(self, one_sided: bool = True) -> RowSystem:
        """Tables of the bodies that have rows in them, and of the joints between these.

        one_sided: with the links that may be open; they do not restrain the initial configuration.
        """
        bodies = [body for body in self.bodies.values() if body.index >= 0]
        joints = [joint for joint in self.joints if _tabled(joint.one.body) and _tabled(joint.two.body)
                  and (one_sided or not joint.sense)]
        steering = [name for joint in joints for name in joint.steering]
        motions = Compiled([], steering, self._motions) if self._motions else None
        return make_row_system(self.dimension, bodies, joints, motions)


def _tabled(body: Body) -> bool:
    return body.index >= 0 or body.kind == "ground"


def touches(entry: Any) -> TypeGuard[Rolling | Sliding]:
    """Is it a contact of a body with another one, or with a surface?"""
    builder = BUILDERS.get(type(entry))
    return builder is not None and builder.contact and not builder.refers


def surface_bodies(scene: Scene) -> set[str]:
    """Bodies that roll or slide on surfaces."""
    return {entry.body.partition(".")[0] for entry in scene.constraint.values()
            if touches(entry) and entry.on in scene.surface}
