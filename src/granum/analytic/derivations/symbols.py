"""Constants of a scene as symbols: m_1, l_1, g, with a table of what they are."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np

from granum.algebra import Expression, function, symbol
from granum.algebra.expression import ZERO, Scalar
from granum.algebra.vectors import Matrix
from granum.analytic.constants import Constants
from granum.analytic.derivations.quantities import Names, Quantity, subscripts
from granum.assembly.assembly import Assembly
from granum.base.kernels import Floats
from granum.loads import force
from granum.loads.load import BodyLoad
from granum.model.body_entries import FixedPoint
from granum.model.loads import Force, Gravity, Spring, Torque, TorsionSpring
from granum.model.solids import Rod
from granum.rows.body import Body, End
from granum.rows.joint import AXES, Joint, Row
from granum.rows.system import symbol_name
from granum.rows.tables import ANGLE, DISTANCE, FIXED, ROLL, ROLL_FLAT

_ROUNDING = 1e-14
"""Components of directions this close to 0, 1 or -1 are these numbers."""


class NamedConstants(Constants):
    """Every constant of a scene as a symbol; zero stays zero."""

    def __init__(self, assembly: Assembly, names: Names, letters: Mapping[str, str] | None = None) -> None:
        scene, self.names = assembly.scene, names
        self.letters = letters or {}
        """Letters of 3-D bodies that a source writes otherwise: for J, moments of inertia, r, the radius, and alpha,
        the point of contact."""
        self._alone = alone(assembly)
        self.planar = assembly.dimension == 2
        self.quantities: list[Quantity] = []
        self._made: dict[tuple[str, ...], Expression] = {}
        self._below = {section: subscripts(listed) for section, listed in (
            ("body", scene.body), ("link", scene.link), ("load", scene.load), ("constraint", scene.constraint))}
        self._gravities = [load for load in assembly.loads if isinstance(load.entry, Gravity)]

    @property
    def values(self) -> dict[str, float]:
        """Numbers of all symbols, by name."""
        return {q.name: q.value for q in self.quantities if q.value is not None}

    def below(self, section: str, owner: str) -> str:
        """What stands for a body, link, load or constraint below a letter."""
        if section == "body" and owner == self._alone:
            return ""
        if section == "body" and "." in owner:  # a point of a body
            body, _, point = owner.partition(".")
            return f"{self.below(section, body)}_{symbol_name(point)}".removeprefix("_")
        return self._below[section].get(owner, subscripts([owner])[owner])

    def constant(self, letter: str, section: str, owner: str, value: float, meaning: str, unit: str,
                 part: str = "") -> Expression:
        """A symbol, made once: the letter with what it belongs to."""
        if value == 0.0:
            return ZERO
        key = letter, section, owner, part
        if key not in self._made:
            tail, own = f"_{part}" if part else "", owner.replace("-", "_").replace(".", "_")
            below = self.below(section, owner)
            short = f"{letter}_{below}{tail}" if below else f"{letter}{tail}"
            name = self.names.fresh(short, f"{letter}_{own}{tail}", f"{letter}_{section}_{own}{tail}")
            self.quantities.append(Quantity(name, meaning, unit, value))
            self._made[key] = symbol(name)
        return self._made[key]

    # ---- bodies

    def mass(self, body: Body) -> Expression:
        """m of a body."""
        return self.constant("m", "body", body.name, body.mass, f"mass of {body.name}", "kg")

    def inertia(self, body: Body) -> Floats | Matrix:
        """I in 2-D; J for each axis, and products, in 3-D, or one J for all axes."""
        letter = "I" if self.planar else self.letters.get("J", "J")

        def moment(part: str, value: float, which: str) -> Expression:
            return self.constant(letter, "body", body.name, value, f"{which} of {body.name}",
                                 "kg m^2", part)

        if self.planar:
            own = moment("", float(body.inertia[2, 2]), "central moment of inertia")
            return (ZERO,) * 3, (ZERO,) * 3, (ZERO, ZERO, own)
        if isotropic(body):
            own = moment("", float(body.inertia[0, 0]), "central moment of inertia")
            return tuple(tuple(own if i == j else ZERO for j in range(3)) for i in range(3))
        return tuple(tuple(
            moment(f"{i + 1}" if i == j else f"{min(i, j) + 1}{max(i, j) + 1}", float(body.inertia[i, j]),
                   f"central moment of inertia, axis {i + 1}," if i == j else f"entry {min(i, j) + 1}, "
                   f"{max(i, j) + 1} of the central inertia matrix") for j in range(3)) for i in range(3))

    def position(self, name: str, position: Sequence[float]) -> Sequence[Scalar]:
        """Coordinates of a fixed point."""
        return [self.constant(axis, "body", name, float(value), f"{axis} of the fixed point {name}", "m")
                for axis, value in zip(AXES, position, strict=False)]

    def rolling(self, body: Body, radius: float, centre: Sequence[float]) -> tuple[Scalar, Sequence[Scalar]]:
        """r of a round body, and its geometric centre: minus rho, which goes from there to the mass centre."""
        rho = [self.constant("rho", "body", body.name, -float(value), f"component {k} of rho, from the geometric "
                             f"centre of {body.name} to its mass centre, body axes", "m", str(k))
               for k, value in enumerate(centre, 1)]
        return self._radius(body.name, radius), [-one for one in rho]

    def _radius(self, name: str, radius: float) -> Expression:
        letter = "r" if self.planar else self.letters.get("r", "r")
        return self.constant(letter, "body", name, radius, f"radius of {name}", "m")

    def end(self, end: End) -> End:
        """A point of a body: half the length of a rod from its middle, or components."""
        body = end.body
        if body.kind == "ground":
            return end._replace(arm=cast("Any", self.position(end.name, end.arm.tolist())))
        if isinstance(body.entry, Rod) and abs(end.arm[0]) == 0.5 * body.entry.length and not end.arm[1:].any():
            half = self.constant("l", "body", body.name, body.entry.length, f"length of {body.name}", "m") / 2.0
            return end._replace(arm=cast("Any", [half if end.arm[0] > 0.0 else -half, ZERO, ZERO]))
        return end._replace(arm=cast("Any", [
            self.constant("p", "body", end.name, float(value),
                          f"{axis} of the point {end.name} from the mass centre, body axes", "m", axis)
            for axis, value in zip(AXES, end.arm, strict=True)]))

    # ---- joints

    def joint(self, joint: Joint) -> Joint:
        """Lengths, radii, offsets and points."""
        def rows(listed: list[Row]) -> list[Row]:
            return [self._row(joint, row) for row in listed]

        return replace(
            joint, one=self.end(joint.one), two=self.end(joint.two), rows=rows(joint.rows),
            measure=None if joint.measure is None else self._row(joint, joint.measure),
            formula_rows=None if joint.formula_rows is None else rows(joint.formula_rows))

    def start_angle(self, joint: Joint, angle: float) -> Scalar:
        """delta of a hinge."""
        section, _, name = joint.place.partition(".")
        return self.constant("delta", section, name, angle, f"angle of {name} at the start", "rad")

    def _row(self, joint: Joint, row: Row) -> Row:
        section, _, name = joint.place.partition(".")
        u, w = ([_cleaned(float(c)) for c in direction] for direction in (row.u, row.w))
        if joint.contact and row.element in (DISTANCE, FIXED, ROLL, ROLL_FLAT):
            reaches = [self._reach(end, float(p)) for end, p in zip((joint.one, joint.two), row.p, strict=False)]
            offset: Scalar = reaches[0] - reaches[1] if row.element in (DISTANCE, FIXED) else ZERO
            return row._replace(u=u, w=w, p=cast("Any", (*reaches, row.p[2])), offset=cast("Any", offset))
        if row.element == DISTANCE:
            offset = self.constant("l", section, name, row.offset, f"length of {name}", "m")
        elif row.element == ANGLE:
            offset = self.constant("delta", section, name, row.offset, f"angle of {name} at the start", "rad")
        else:
            offset = self.constant("d", section, name, row.offset, f"offset of {name}", "m")
        p = row.p if row.element == ROLL else [_cleaned(float(c)) for c in row.p]
        return row._replace(u=u, w=w, p=p, offset=cast("Any", offset))

    def _reach(self, end: End, reach: float) -> Expression:
        """A radius with its sign; a line has none."""
        if reach == 0.0:
            return ZERO
        radius = self._radius(end.name, abs(reach))
        return radius if reach > 0.0 else -radius

    # ---- loads

    def load(self, load: BodyLoad) -> BodyLoad:
        """Gravity, forces, torques, springs; what loads of other packages hold stays a number."""
        entry, named = load.entry, replace(load, ends=tuple(map(self.end, load.ends)))
        if isinstance(entry, Gravity):
            return replace(named, numbers=cast("Any", self._gravity(load)))
        if isinstance(entry, Force):
            acting = [self.constant("F", "load", load.name, value, f"{axis} component of {load.name}", "N", axis)
                      for axis, value in zip(AXES, load.numbers[force.FORCE :], strict=False)]
            return replace(named, numbers=cast("Any", [*load.numbers[: force.FORCE], *acting]))
        if isinstance(entry, Torque):
            return replace(named, numbers=cast("Any", [
                self.constant("tau", "load", load.name, value, f"{axis} component of {load.name}", "N m", axis)
                for axis, value in zip(AXES, load.numbers, strict=False)]))
        if isinstance(entry, Spring):
            return replace(named, rest=cast("Any", self.constant(
                "l_0", "load", load.name, load.rest, f"rest length of {load.name}", "m")),
                entry=self._spring(load, "N/m", "N s/m"))
        if isinstance(entry, TorsionSpring):
            return replace(named, entry=self._spring(load, "N m/rad", "N m s/rad").model_copy(update={
                "rest_angle": self.constant("phi_0", "load", load.name, entry.rest_angle,
                                            f"rest angle of {load.name}", "rad")}))
        return named

    def _gravity(self, load: BodyLoad) -> list[Scalar]:
        """g along an axis, g sin(alpha) and g cos(alpha) on a slope, or components."""
        along = [k for k, value in enumerate(load.numbers) if value]
        if len(along) == 2:
            return self._inclined(load, *along)
        if len(along) != 1:
            sizes = [self.constant("g", "load", load.name, abs(value), f"magnitude of the {axis} component of "
                                   f"{load.name}", "m/s^2", axis)
                     for axis, value in zip(AXES, load.numbers, strict=False)]
            return [-g if value < 0.0 else g for g, value in zip(sizes, load.numbers, strict=False)]
        g = self._magnitude(load, abs(load.numbers[along[0]]))
        return [(g if load.numbers[k] > 0.0 else -g) if k == along[0] else ZERO for k in range(len(load.numbers))]

    def _magnitude(self, load: BodyLoad, value: float) -> Expression:
        """g."""
        key = "g", "load", load.name, ""
        if key not in self._made:
            wanted = ["g"] if len(self._gravities) == 1 else []
            name = self.names.fresh(*wanted, f"g_{self.below('load', load.name)}")
            self.quantities.append(Quantity(name, f"magnitude of {load.name}", "m/s^2", value))
            self._made[key] = symbol(name)
        return self._made[key]

    def _inclined(self, load: BodyLoad, first: int, last: int) -> list[Scalar]:
        """Gravity on a slope: the last of two axes is normal to it, at the angle alpha to gravity."""
        across, normal = (load.numbers[k] for k in (first, last))
        g, key = self._magnitude(load, math.hypot(across, normal)), ("alpha", "load", load.name, "")
        if key not in self._made:
            name = self.names.fresh(*(["alpha"] if len(self._gravities) == 1 else []),
                                    f"alpha_{self.below('load', load.name)}")
            self.quantities.append(Quantity(name, f"angle between {load.name} and the "
                                            f"{'negative ' if normal < 0.0 else ''}{AXES[last]} axis", "rad",
                                            math.atan2(abs(across), abs(normal))))
            self._made[key] = symbol(name)
        parts = {first: g * function("sin", self._made[key]), last: g * function("cos", self._made[key])}
        return [(parts[k] if load.numbers[k] > 0.0 else -parts[k]) if k in parts else ZERO
                for k in range(len(load.numbers))]

    def _spring(self, load: BodyLoad, stiffness: str, damping: str) -> Any:
        """The entry of a spring with its coefficients as symbols."""
        entry = load.entry
        return entry.model_copy(update={
            "stiffness": self.constant("k", "load", load.name, entry.stiffness, f"stiffness of {load.name}", stiffness),
            "damping": self.constant("c", "load", load.name, entry.damping, f"damping of {load.name}", damping)
            if entry.damping else 0.0})


def alone(assembly: Assembly) -> str | None:
    """The body of a 3-D scene that has no other that moves: its symbols need not say whose they are."""
    moving = [name for name, entry in assembly.scene.body.items() if not isinstance(entry, FixedPoint)]
    single = len(moving) == 1 and assembly.dimension == 3 and assembly.bodies[moving[0]].kind == "rigid"
    return moving[0] if single else None


def isotropic(body: Body) -> bool:
    """Has it the same moment of inertia about all axes?"""
    moment = float(body.inertia[0, 0])
    return bool(np.abs(body.inertia - moment * np.eye(3)).max() <= _ROUNDING * moment)


def _cleaned(component: float) -> float:
    """A component of a direction without rounding errors of its rotation into body axes."""
    whole = float(round(component))
    return whole if abs(component - whole) < _ROUNDING else component


