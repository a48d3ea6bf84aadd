"""Campbell diagrams: modes of a rotor over its spin, whirl directions and critical speeds.

A steady motion whose rates are all multiplied by one factor is linearised anew at each speed. Modes are followed from
speed to speed by their eigenvalues: lines cross. In the orbit Re((u₁, u₂) e^{iωt}) of the rotor across its axis the
direction is the sign of -Im(u₁* u₂), forward where the orbit turns as the rotor does. A critical speed is one at which
ω = n Ω: an unbalance excites n = 1 (docs/theory/linearization.md).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.optimize import brentq, linear_sum_assignment

from granum.analytic.state_space import FREE, Complexes, Linearization
from granum.analytic.steady_rotation import rotating_bodies
from granum.base.arguments import checked
from granum.base.errors import GranumError, did_you_mean
from granum.base.kernels import Flags, Floats, Ints
from granum.base.notebook import properties, table
from granum.base.offers import offered
from granum.base.text import count, listed
from granum.model.body_entries import Rigid
from granum.model.scene import Scene
from granum.rows.system import symbol_name

if TYPE_CHECKING:
    from granum.analytic.expressed import System
    from granum.analytic.expressed_equations import ExpressedEquations

POINTS = 61
WHIRLS = 0.05
"""Roundness of an orbit, 1 for a circle and 0 for a line, from which it has a direction."""


@dataclass(frozen=True)
class CriticalSpeed:
    """A speed at which the frequency of a mode is a multiple of the spin."""

    speed: float
    """Ω [rad/s]."""
    order: float
    """n of ω = n Ω."""
    whirl: str
    """"forward", "backward", or "" where the orbit is a line."""


@dataclass(frozen=True, repr=False)
class Campbell:
    """Modes of a rotor over its spin.

    >>> gr.campbell(gr.example("jeffcott-rotor"), (0.0, 300.0)).critical_speeds[0].whirl
    'backward'
    """

    rotor: str
    """The body or coordinate whose spin it is."""
    speeds: Floats
    """(speeds,): Ω [rad/s]."""
    modes: Complexes
    """(speeds, modes): eigenvalues s of the motions e^{st}; a column follows one mode [1/s]."""
    whirls: Floats
    """(speeds, modes): 1 for a circular forward whirl, -1 for a circular backward whirl, 0 for motion along a line."""
    critical_speeds: tuple[CriticalSpeed, ...]
    """In ascending order."""

    @property
    def frequencies(self) -> Floats:
        """(speeds, oscillations): angular frequencies of the modes with Im s > 0, in the inertial frame [rad/s]."""
        return np.asarray(self.modes.imag[:, self.oscillations])

    @property
    def oscillations(self) -> Flags:
        """(modes,): does a mode oscillate, with Im s > 0, at some speed? Of each pair one does."""
        return np.asarray(self.modes.imag.max(axis=0, initial=0.0) > FREE * np.abs(self.modes).max(initial=0.0))

    @property
    def stable(self) -> Flags:
        """(speeds,): does no mode grow?"""
        return np.asarray(~(self.modes.real > FREE * np.abs(self.modes).max(initial=0.0)).any(axis=1))

    def __repr__(self) -> str:
        return (f"<Campbell of {self.rotor}: {count(int(self.oscillations.sum()), 'oscillation')} from "
                f"{self.speeds[0]:g} to {self.speeds[-1]:g} rad/s, {self._critical_in_words()}>")

    def _repr_html_(self) -> str:
        """What a notebook shows: the critical speeds."""
        rows = [(f"{one.speed:.6g}", f"{one.order:g}", one.whirl) for one in self.critical_speeds]
        return (f"<div>{properties({'rotor': self.rotor, 'critical speeds': self._critical_in_words()})}"
                f"{table(('speed [rad/s]', 'order', 'whirl'), rows)}</div>")

    def _critical_in_words(self) -> str:
        found = [f"{one.speed:.6g}{f' ({one.whirl})' if one.whirl else ''}" for one in self.critical_speeds]
        return f"critical at {listed(found)}" if found else "no critical speed"

    def plot(self, file: str | Path | None = None) -> Any:
        """The diagram: frequencies over the spin, forward whirls as full lines, backward ones dashed."""
        orders = sorted({one.order for one in self.critical_speeds} | {1.0})
        return offered("campbell_plot")(
            self.rotor, self.speeds, self.frequencies, self.directions, orders,
            [(one.speed, one.order * one.speed) for one in self.critical_speeds], file)

    @property
    def directions(self) -> tuple[str, ...]:
        """(oscillations,): "forward", "backward", or "" along a line, over most speeds."""
        whirls = self.whirls[np.ix_(self.speeds != 0.0, self.oscillations)]
        return tuple(_direction(float(whirl)) for whirl in np.median(whirls, axis=0))


@checked
def campbell(
    subject: Scene | System, over: tuple[float, float], *, spin: str | None = None, points: int = POINTS,
    orders: Sequence[float] = (1.0,), at: str | Mapping[str, float] = "start", formulation: str | None = None,
) -> Campbell:
    """Modes and critical speeds of a rotor over its spin.

    The state has to be a steady motion, such as a rotor that spins about its axis. All its rates change in proportion
    to the spin, so that geared rotors keep their ratios.

    Args:
        subject: a scene, or a `gr.analytic.System`.
        over: first and last speed Ω [rad/s].
        spin: the body whose angular velocity is Ω, or a coordinate whose rate it is; default: the fastest body.
        points: number of speeds.
        orders: n of the critical speeds ω = n Ω.
        at: the state, "start" or coordinates and rates by name, as in `gr.linearize`.
        formulation: as in `derive`; those of arrays become "fundamental".

    >>> ring = gr.analytic.System("x y phi", parameters={"k": 400.0}, potential="k*(x**2 + y**2)/2",
    ...                           kinetic="(x_dot**2 + y_dot**2)/2 + 0.01*phi_dot**2")
    >>> gr.campbell(ring, (0, 50), spin="phi", at={"x": 0, "y": 0, "phi": 0, "phi_dot": 1})
    <Campbell of phi: 2 oscillations from 0 to 50 rad/s, critical at 20, 20>
    """
    from granum.analytic.derive import as_formulas, state_at

    begin, end = map(float, over)
    if begin == end or points < 2:
        raise GranumError(f"over = ({begin:g}, {end:g}) with {count(points, 'point')} is no range of speeds. Give two "
                          "speeds and two points or more.")
    equations = as_formulas(subject, formulation)
    q, v = state_at(equations, at)
    rotor = _rotor(equations, q, v, spin)

    def linear(speed: float) -> Linearization:
        return equations.linearize(q, v * (speed / rotor.rate))

    speeds = np.linspace(begin, end, points)
    modes, whirls = _followed([linear(speed) for speed in speeds], rotor)
    critical = [one for order in orders for one in _critical(speeds, modes, float(order), linear, rotor)]
    return Campbell(rotor.name, speeds, modes, whirls, tuple(sorted(critical, key=lambda one: one.speed)))


@dataclass(frozen=True)
class _Rotor:
    """What spins, about which axis, and how its orbit is weighed: mass by displacement, inertia by tilt."""

    name: str
    rate: float
    axis: Floats
    mass: float = 1.0
    inertia: float = 0.0

    def whirls(self, linear: Linearization) -> Floats:
        """Direction of the orbit of every mode with Im s > 0, 0 for the others."""
        place, own = {name: k for k, name in enumerate(linear.coordinates)}, symbol_name(self.name)
        e1 = np.cross(self.axis, np.eye(3)[np.abs(self.axis).argmin()])
        e1 /= np.linalg.norm(e1)
        turned = size = np.zeros(len(linear.modes))
        for weight, part in ((self.mass, ""), (self.inertia, "rotation.")):
            names = [f"{own}.{part}{axis}" for axis in "xyz"]
            shift = np.array([linear.shapes[place[name]] if name in place else np.zeros(len(linear.modes))
                              for name in names])
            a, b = e1 @ shift, np.cross(self.axis, e1) @ shift
            turned = turned - 2.0 * weight * (a.conj() * b).imag
            size = size + weight * (np.abs(a) ** 2 + np.abs(b) ** 2)
        least = 1e-12 * float(size.max(initial=0.0)) + 1e-300
        turns = (linear.modes.imag > 0.0) & (size > least) & linear.v.any()
        return np.asarray(np.where(turns, turned / np.maximum(size, least), 0.0))


def _rotor(equations: ExpressedEquations, q: Floats, v: Floats, spin: str | None) -> _Rotor:
    """The body or coordinate that spins, the fastest body if none is named."""
    scene, names = equations.scene, equations.coordinates
    z = np.array([0.0, 0.0, 1.0])
    spins = {one.body: _Rotor(one.body, one.rate, np.array(one.axis))
             for one in rotating_bodies(equations.system, q, v)}
    rates = dict(zip(names, v.tolist(), strict=True))
    for name in scene.body if scene is not None else ():  # in 2-D
        rate = rates.get(f"{symbol_name(name)}.angle", 0.0)
        if name not in spins and rate != 0.0:
            spins[name] = _Rotor(name, abs(rate), math.copysign(1.0, rate) * z)
    if spin is not None and spin not in spins:
        rate = rates.get(symbol_name(spin), 0.0)
        if rate == 0.0:
            raise GranumError(f'"{spin}" does not spin in this state. {did_you_mean(spin, [*spins, *names], "name")}')
        return _Rotor(spin, rate, z)
    if not spins:
        raise GranumError("no body spins in this state, so that there is no speed to vary. Give the rotor an "
                          "angular_velocity in [start], of any size; of a System, name the coordinate with spin = ...")
    rotor = spins[spin] if spin is not None else max(spins.values(), key=lambda one: one.rate)
    body = scene.body[rotor.name] if scene is not None else None
    if not isinstance(body, Rigid):
        return rotor
    own = body.properties()
    return _Rotor(rotor.name, rotor.rate, rotor.axis, own.mass, float(np.trace(own.inertia)) / 3.0)


def _followed(linear: Sequence[Linearization], rotor: _Rotor) -> tuple[Complexes, Floats]:
    """Eigenvalues and directions of all modes, each in the column of the mode that it continues."""
    modes, whirls = [linear[0].modes], [rotor.whirls(linear[0])]
    for one in linear[1:]:
        if len(one.modes) != len(modes[0]):
            raise GranumError(f"the rotor has {count(len(modes[0]), 'mode')} at one speed and {len(one.modes)} at "
                              "another, so that they cannot be followed. Choose a range without the first speed.")
        expected = 2.0 * modes[-1] - modes[-2] if len(modes) > 1 else modes[-1]
        order = linear_sum_assignment(np.abs(expected[:, None] - one.modes[None, :]))[1]
        modes.append(one.modes[order])
        whirls.append(rotor.whirls(one)[order])
    columns = _in_order(np.array(modes))
    return np.array(modes)[:, columns], np.array(whirls)[:, columns]


def _in_order(modes: Complexes) -> Ints:
    """Columns of modes in the order of the first speed; those that begin equal, in that of the last speed.

    A rotor at rest has the same frequency in two planes, and rounding alone would say which of them comes first.
    """
    equal = np.abs(modes[0][:, None] - modes[0][None, :]) <= FREE * np.abs(modes[0]).max(initial=0.0)
    return np.lexsort((modes[-1].imag, equal.argmax(axis=1)))


def _critical(
    speeds: Floats, modes: Complexes, order: float, linear: Callable[[float], Linearization], rotor: _Rotor,
) -> list[CriticalSpeed]:
    """Speeds at which a frequency is `order` times the spin."""
    least = FREE * max(float(np.abs(modes).max(initial=0.0)), order * float(np.abs(speeds).max()))
    found = []
    for line in modes.T:
        above = line.imag - order * np.abs(speeds)
        for k in np.flatnonzero((above[1:] * above[:-1] <= 0.0) & (np.abs(np.diff(above)) > least)):
            if min(line.imag[k], line.imag[k + 1]) <= least or above[k + 1] == 0.0:
                continue  # no oscillation, or found with the next pair

            part = (line[k + 1] - line[k]) / (speeds[k + 1] - speeds[k])

            def nearest(speed: float, at: float = speeds[k], s: complex = line[k], slope: complex = part,
                        ) -> tuple[Linearization, int]:
                own = linear(speed)
                return own, int(np.abs(own.modes - (s + slope * (speed - at))).argmin())

            def above_spin(speed: float, nearest: Callable[[float], tuple[Linearization, int]] = nearest) -> float:
                own, mode = nearest(speed)
                return float(own.modes[mode].imag) - order * abs(speed)

            speed = brentq(above_spin, speeds[k], speeds[k + 1], xtol=1e-13 * float(np.abs(speeds).max()), rtol=1e-14)
            own, mode = nearest(speed)
            found.append(CriticalSpeed(float(speed), order, _direction(float(rotor.whirls(own)[mode]))))
    return found


def _direction(whirl: float) -> str:
    """The direction of an orbit in words; none along a line."""
    return "" if abs(whirl) < WHIRLS else "forward" if whirl > 0.0 else "backward"
