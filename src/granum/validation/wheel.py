"""The wheel on an incline with Coulomb friction (Souchet, example 1): Euler parameters (p, q), stick and slide."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from granum.analytic.derive import derive
from granum.analytic.virtual_work import VirtualWork
from granum.integrate.friction import FrictionMotion
from granum.io.examples import example
from granum.model.scene import Scene
from granum.validation.case import Case, Curve, Figure, Panel, Sheet
from granum.validation.scenes import GRAVITY

SOURCE = "Souchet, example 1"
RADIUS = 1.0
UNTIL = 1.0
ALLOWED = 1e-10
"""dop853 at 1e-12 a step, some tens of steps."""


@dataclass(frozen=True)
class Throw:
    """A slope and a start."""

    angle: float
    """Of the slope [°]."""
    friction: float
    speed: float
    """Up the slope [m/s]."""
    angular_velocity: float
    """Positive for rolling down [rad/s]: with an upward speed it is backspin."""

    @property
    def label(self) -> str:
        """As in the names of quantities."""
        return f"a={self.angle:g} k={self.friction:g} v0={self.speed:g} w0={self.angular_velocity:g}"


THROWS = (Throw(20, 0.3, 0, 0), Throw(50, 0.3, 0, 0), Throw(10, 0.2, 1, 2), Throw(45, 0.2, 2, 3))


def wheel(throw: Throw) -> Scene:
    """The example in coordinates (x, y, p, q): R is a rotation only where p² + q² = 1."""
    return example("wheel-euler-parameters").vary({
        "title": f"Wheel on a {throw.angle:g}° incline", "system.parameters.a": math.radians(throw.angle),
        "constraint.ground.friction": throw.friction, "system.start.x_dot": throw.speed,
        "system.start.q_dot": 0.5 * throw.angular_velocity})


def motion(throw: Throw) -> FrictionMotion:
    """The wheel at the start of its motion."""
    equations = derive(wheel(throw))
    assert isinstance(equations, VirtualWork)
    return FrictionMotion(equations)


def read(moving: FrictionMotion) -> tuple[float, float, float]:
    """x, v and ω = 2 (p q̇ - q ṗ)."""
    (x, _, p, q), (v, _, p_dot, q_dot) = moving.state
    return float(x), float(v), float(2.0 * (p * q_dot - q * p_dot))


@dataclass(frozen=True)
class Phase:
    """Constant accelerations from a time on."""

    begin: float
    x: float
    v: float
    omega: float
    a: float
    """Of the centre [m/s²]."""
    alpha: float
    """Angular acceleration [rad/s²]."""

    def at(self, t: float) -> tuple[float, float, float]:
        """x, v, ω."""
        s = t - self.begin
        return self.x + self.v * s + 0.5 * self.a * s * s, self.v + self.a * s, self.omega + self.alpha * s


def phases(throw: Throw) -> list[Phase]:
    """The motion in closed form, from Newton's and Euler's equations of a disk, I = m r²/2.

    With slip u = v + r ω of sign σ: v̇ = -g sin a - σ k g cos a, r ω̇ = -2 σ k g cos a. Without: v̇ = -2/3 g sin a,
    r ω̇ = -v̇, if the force this needs, m g sin a / 3, is at most k m g cos a; else it slides down, σ = -1.
    """
    a, k, g, r = math.radians(throw.angle), throw.friction, GRAVITY, RADIUS
    pull, drag = g * math.sin(a), k * g * math.cos(a)

    def onward(t: float, x: float, v: float, omega: float, sign: int) -> Phase:
        if sign == 0 and pull / 3.0 <= drag:
            return Phase(t, x, v, omega, -2.0 / 3.0 * pull, 2.0 / 3.0 * pull / r)
        sign = sign or -1
        return Phase(t, x, v, omega, -pull - sign * drag, -2.0 * sign * drag / r)

    slip = throw.speed + r * throw.angular_velocity
    first = onward(0.0, 0.0, throw.speed, throw.angular_velocity, (slip > 0.0) - (slip < 0.0))
    change = first.a + r * first.alpha
    if slip * change >= 0.0:
        return [first]
    t = -slip / change
    return [first, onward(t, *first.at(t), 0)]


def compute(sheet: Sheet, quick: bool) -> list[Figure]:
    """The state at 1 s and the transitions of every throw."""
    panels = tuple(_thrown(sheet, throw) for throw in THROWS)
    return [Figure("example-1", "Wheel on an incline: slip, velocity and angular velocity", panels, rows=2)]


CASE = Case("wheel", "a wheel on an incline with Coulomb friction, in Euler parameters: rolling, sliding, backspin",
            SOURCE, ("example-1",), compute)


def _thrown(sheet: Sheet, throw: Throw) -> Panel:
    """Rows of one throw, and its curves."""
    moving, expected = motion(throw), phases(throw)
    times = np.linspace(0.0, UNTIL, 101)
    samples, sticks = [read(moving)], [not moving.modes[0].slides]
    for t in times[1:]:
        moving.advance(float(t))
        samples.append(read(moving))
        sticks.append(not moving.modes[0].slides)
    note = "virtual-work in (x, y, p, q), dop853 at 1e-12. Reference: closed form, phase by phase."
    units = {"x": "m", "v": "m/s", "omega": "rad/s"}
    for (name, unit), computed, reference in zip(units.items(), samples[-1], expected[-1].at(UNTIL), strict=True):
        sheet.compare(f"{name} {throw.label}", SOURCE, computed, reference, ALLOWED, f"At t = 1 s; {note}", unit=unit)
    for k, phase in enumerate(expected[1:]):
        change = moving.transitions[k]
        sheet.compare(f"transition-time {throw.label}", SOURCE, change.time, phase.begin, ALLOWED,
                      f"The wheel {change.before}, then {change.after}; {note}", unit="s")
    sheet.compare(f"transitions {throw.label}", SOURCE, len(moving.transitions), len(expected) - 1, 0.0,
                  f"Number of stick-slip transitions until t = 1 s; {note}", unit="1")
    _, v, omega = np.array(samples).T
    slip = v + RADIUS * omega
    curves = [Curve("slip v + rω", times, slip), Curve("v", times, v, "dashed"), Curve("ω", times, omega, "dashed")]
    if any(sticks):
        curves.append(Curve("sticks", times[sticks], slip[sticks], "points"))
    return Panel("t [s]", "velocity [m/s], angular velocity [rad/s]", tuple(curves), title=throw.label)
