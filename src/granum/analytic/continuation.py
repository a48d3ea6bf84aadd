"""Branches of equilibria over a parameter, by pseudo-arclength continuation (docs/theory/equilibrium.md).

Positions q and the parameter p are one unknown z = (q, p), so that a branch is followed around folds too. At a branch
point the matrix of the equilibrium equations, bordered by the tangent, changes the sign of its determinant; other
branches leave it along the displacement that has no stiffness there.

Source: Keller (1977), for the bordered equations; Allgower and Georg (1990), §8, for the sign of the determinant.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from granum.algebra import jacobian, symbol
from granum.algebra.vectors import total
from granum.analytic.equilibrium import Balance, Rest
from granum.analytic.linearization import null_space, pseudo_inverse
from granum.analytic.state_space import FREE
from granum.base.arguments import checked
from granum.base.errors import GranumError, did_you_mean
from granum.base.kernels import Flags, Floats
from granum.base.offers import offered
from granum.base.text import count
from granum.model.scene import Scene
from granum.rows.symbolic import multiplier

if TYPE_CHECKING:
    from granum.analytic.expressed import System

POINTS = 400
"""Most points of a branch."""
BRANCHES = 16
"""Most branches that are followed."""
CORRECTIONS = 12
BISECTIONS = 48
STEPS = 40.0
"""Steps of the first length over the whole range of the parameter."""
WIDEST = 4.0
"""Longest step, in lengths of the first."""
SAME = 1e-4
"""Distance in steps below which two bifurcations are one."""
WEAK = 1e-5
"""Stiffness, relative to that of the last point, along which a point near a bifurcation is not corrected.

At a branch point itself a displacement has none, and rounding errors would decide where the correction ends. Halving
has brought the point as near to the branch by then as WEAK² times its curvature.
"""


@dataclass(frozen=True)
class Bifurcation:
    """A point where the number of equilibria changes."""

    kind: str
    """"branch point", where branches cross, or "fold", where one turns back."""
    parameter: float
    q: Floats


@dataclass(frozen=True)
class Branch:
    """Equilibria along one branch."""

    parameter: Floats
    """(points,)"""
    q: Floats
    """(points, n)"""
    stable: Flags
    """(points,): does no small motion grow?"""


@dataclass(frozen=True, repr=False)
class Branches:
    """Equilibria of a system over a parameter.

    >>> hoop = gr.analytic.System(
    ...     "theta", parameters={"g": 9.81, "R": 0.5, "omega": 0.0}, potential="-g*R*cos(theta)",
    ...     kinetic="R**2*(theta_dot**2 + (omega*sin(theta))**2)/2")
    >>> found = gr.equilibria(hoop, "omega", (1.0, 8.0), at={"theta": 0.0})
    >>> found
    <Branches of equilibria over omega: 3 branches, branch point at 4.42945>
    """

    name: str
    """The parameter."""
    coordinates: tuple[str, ...]
    branches: tuple[Branch, ...]
    """The one that was followed first, then those that leave it, in both directions each."""
    bifurcations: tuple[Bifurcation, ...]

    def __repr__(self) -> str:
        points = [f"{point.kind} at {point.parameter:.6g}" for point in self.bifurcations]
        return f"<Branches of equilibria over {self.name}: {', '.join([count(len(self.branches), 'branch'), *points])}>"

    def plot(self, coordinate: str, file: str | Path | None = None) -> Any:
        """The bifurcation diagram of a coordinate: stable equilibria as full lines, unstable ones dashed."""
        if coordinate not in self.coordinates:
            raise GranumError(f'there is no coordinate "{coordinate}". '
                              f'{did_you_mean(coordinate, self.coordinates, "coordinate")}')
        k = self.coordinates.index(coordinate)
        return offered("branch_plot")(
            self.name, coordinate, [(branch.parameter, branch.q[:, k], branch.stable) for branch in self.branches],
            [(point.kind, point.parameter, float(point.q[k])) for point in self.bifurcations], file)


@checked
def equilibria(
    subject: Scene | System, parameter: str, over: tuple[float, float], *, at: str | Mapping[str, float] = "start",
    t: float = 0.0, formulation: str | None = None,
) -> Branches:
    """Follow an equilibrium over a parameter, with all branches that leave it.

    Args:
        subject: a scene, or a `gr.analytic.System`.
        parameter: a parameter of the system (`[system.parameters]`), or `load.NAME` for a factor of that load.
        over: first and last value of the parameter.
        at: where the first equilibrium is searched for, by Newton's method: "start", or coordinates by name.
        t: time at which loads and drives are taken [s].
        formulation: as in `derive`; those of arrays become "fundamental".

    >>> buckling = gr.analytic.System("theta", parameters={"P": 0.0}, kinetic="theta_dot**2/2",
    ...                               potential="2*theta**2 + P*cos(theta)")
    >>> [round(point.parameter, 6) for point in gr.equilibria(buckling, "P", (0, 6), at={"theta": 0}).bifurcations]
    [4.0]
    """
    from granum.analytic.derive import as_formulas, position_near

    equations = as_formulas(subject, formulation)
    system, number = _parameter(equations.system, parameter)
    begin, end = map(float, over)
    if begin == end:
        raise GranumError(f"over = ({begin:g}, {end:g}) has no length. Give two values of {parameter}.")
    follower = _Follower(system, number, begin, end, t)
    follower.follow_all(position_near(equations, at))
    return Branches(parameter, system.coordinates, tuple(follower.branches), tuple(follower.bifurcations))


def _parameter(system: System, name: str) -> tuple[System, int]:
    """The system and the number of the parameter, which may be the factor of a load."""
    section, _, load = name.partition(".")
    if section == "load":
        return system.with_ramp([load])
    names = list(system.parameters)
    if name not in names:
        raise GranumError(f'there is no parameter "{name}". {did_you_mean(name, names, "parameter")} Parameters are in '
                          '[system.parameters]; "load.NAME" is a factor of a load.')
    return system, names.index(name)


@dataclass(frozen=True)
class _Point:
    """An equilibrium on a branch."""

    z: Floats
    """(q, p), each in units in which the whole branch has a size of about 1."""
    tangent: Floats
    sign: float
    """Of the determinant of the bordered equations."""
    null: Floats
    """Displacement with the least stiffness, as a direction of z."""
    size: float
    """Norm of the slopes of the equilibrium equations."""


class _Follower:
    """Follows branches of one system."""

    def __init__(self, system: System, number: int, begin: float, end: float, t: float) -> None:
        self.balance, self.number, self.begin, self.end = Balance(system, t), number, begin, end
        self.units = np.ones(len(system.q) + 1)
        self.branches: list[Branch] = []
        self.bifurcations: list[Bifurcation] = []
        self._left: list[tuple[Floats, Floats]] = []
        p, rows = symbol(list(system.parameters)[number]), [row for row in system.rows if not row.invariant]
        multipliers = [multiplier(row.constraint, row.number) for row in rows]
        pushed = [f + total(row.A[k] * own for row, own in zip(rows, multipliers, strict=True))
                  for k, f in enumerate(system.force_formulas)]
        moved = [row.value for row in rows if row.holonomic]
        self._slopes = system.compile([entry for line in jacobian([*pushed, *moved], [p]) for entry in line],
                                      [own.name for own in multipliers])

    # ---- points

    def _look(self, z: Floats) -> tuple[Rest, Floats, Floats]:
        """Forces of a point, and the slopes of forces and constraints by p, scaled."""
        q, balance = z[:-1] * self.units[:-1], self.balance
        balance.values[self.number] = z[-1] * self.units[-1]
        rest = balance.look(q)
        out = self._slopes(balance.t, np.concatenate([q, np.zeros(len(q))]),
                           np.concatenate([balance.values, rest.multipliers]))
        held = balance.linearizer.holonomic
        return rest, rest.N.T @ (rest.light * out[: len(q)]), out[len(q) : len(q) + held.sum()] / rest.sizes

    def _matrix(self, z: Floats) -> tuple[Floats, Floats, Rest]:
        """Equations of an equilibrium: their values, and their slopes by z."""
        rest, by_p, moved = self._look(z)
        columns = self.units[:-1] / rest.light
        slope = np.vstack([np.column_stack([rest.K * columns, by_p * self.units[-1]]),
                           np.column_stack([rest.A_h * columns, moved * self.units[-1]])])
        return np.concatenate([rest.force, rest.value]), slope, rest

    def _corrected(self, z: Floats, along: Floats, slopes: float = 0.0, weak: float = 1e-13) -> Floats | None:
        """The equilibrium in the plane through z across a direction; None if Newton's method does not converge.

        Displacements whose slopes are below the part `weak` of `slopes`, by default that of all, are left as they are.
        """
        best = np.inf
        for _ in range(CORRECTIONS):
            value, slope, _ = self._matrix(z)
            slopes = slopes or float(np.linalg.norm(slope, 2)) or 1.0
            step = np.linalg.lstsq(np.vstack([slope / slopes, along]), -np.append(value / slopes, 0.0), rcond=weak)[0]
            size = float(np.linalg.norm(step))
            if size > 0.5:
                return None
            z = z + step
            if size <= 1e-13 * (1.0 + float(np.linalg.norm(z))) or (best < 1e-8 and size > 0.5 * best):
                return z
            best = size
        return z if best < 1e-8 else None

    def _point(self, z: Floats, towards: Floats, border: Floats | None = None) -> _Point:
        """Tangent in the direction of travel, and the sign of the determinant bordered by it or by `border`."""
        _, slope, rest = self._matrix(z)
        own = null_space(slope, 1e-9)
        if own.shape[1] == 0:
            raise GranumError(f"the branch is lost at {self._named(z)}: the constraints leave no direction to go on.")
        tangent = own @ (own.T @ towards)
        tangent /= np.linalg.norm(tangent)
        columns = self.units[:-1] / rest.light
        moved = slope[len(rest.force) :, -1]
        follows = -pseudo_inverse(rest.A_h) @ moved if len(moved) else np.zeros(len(columns))
        if rest.N.shape != rest.N_h.shape:
            raise GranumError("the equilibria of a nonholonomic system are not isolated, so there are no branches to "
                              "follow. Use gr.equilibrium at each value of the parameter.")
        J = rest.K @ rest.N
        by_p = slope[: len(rest.force), -1] + rest.K @ follows
        last = tangent if border is None else border
        last = np.append(rest.N.T @ (last[:-1] * columns), last[-1])
        sign = np.linalg.slogdet(np.vstack([np.column_stack([J, by_p]), last]))[0]
        null = np.append((rest.N @ np.linalg.svd(J)[2][-1]) / columns, 0.0)
        return _Point(z, tangent, float(sign), null / np.linalg.norm(null), float(np.linalg.norm(slope, 2)))

    def _named(self, z: Floats) -> str:
        return f"parameter = {z[-1] * self.units[-1]:.6g}"

    # ---- branches

    def follow_all(self, q: Floats) -> None:
        """The branch through an equilibrium near q at the first value, and those that leave it."""
        balance = self.balance
        balance.values[self.number] = self.begin
        q = balance.find(q, stable=False)
        size = float(np.abs(q).max(initial=0.0))
        self.units[:-1], self.units[-1] = size if size > 0.0 else 1.0, abs(self.end - self.begin)
        z = np.append(q, self.begin) / self.units
        towards = np.zeros(len(z))
        towards[-1] = np.sign(self.end - self.begin)
        self._left = [(z, towards)]
        while self._left and len(self.branches) < BRANCHES:
            self._follow(*self._left.pop(0))

    def _follow(self, z: Floats, towards: Floats) -> None:
        """One branch to the end of the range, or until it closes."""
        first = 1.0 / STEPS
        leaves = len(self.branches) > 0
        points = [z]
        if leaves:  # across the tangent of the branch that it leaves
            begun = self._left_branch(z, towards, first)
            if begun is None:
                return
            points.append(begun)
            towards = begun - z
        here, step = self._point(points[-1], towards / np.linalg.norm(towards)), first
        while len(points) < POINTS:
            ahead = self._corrected(here.z + step * here.tangent, here.tangent)
            if ahead is None or float(np.linalg.norm(ahead - here.z)) > 2.0 * step:
                step *= 0.5
                if step < 1e-6 * first:
                    break
                continue
            there = self._point(ahead, here.tangent)
            if there.tangent @ here.tangent < 0.9 and step > 1e-3 * first:
                step *= 0.5
                continue
            if there.sign == 0.0 and step > 1e-3 * first:
                step *= 0.7  # a step to the branch point itself has no side
                continue
            if (end := self._at_end(here, ahead)) is not None:
                points += [*self._between(here, self._point(end, here.tangent)), end]
                break
            points += [*self._between(here, there), ahead]
            here, step = there, min(1.5 * step, WIDEST * first)
            if len(points) > 4 and float(np.linalg.norm(ahead - points[0])) < 0.5 * step:
                break  # closed
        self._keep(points)

    def _left_branch(self, z: Floats, direction: Floats, step: float) -> Floats | None:
        """A first point of a branch that leaves a branch point."""
        for part in (1.0, 0.25, 4.0, 0.05):
            begun = self._corrected(z + part * step * direction, direction)
            if begun is not None and float(np.linalg.norm(begun - z)) < 10.0 * part * step:
                return begun
        return None

    def _at_end(self, here: _Point, ahead: Floats) -> Floats | None:
        """The point at the bound of the parameter, if a step crosses it."""
        low, high = sorted((self.begin / self.units[-1], self.end / self.units[-1]))
        if low <= ahead[-1] <= high:
            return None
        bound = low if ahead[-1] < low else high
        part = (bound - here.z[-1]) / (ahead[-1] - here.z[-1])
        across = np.zeros(len(ahead))
        across[-1] = 1.0
        z = here.z + part * (ahead - here.z)
        z[-1] = bound
        return self._corrected(z, across)

    def _between(self, here: _Point, there: _Point) -> list[Floats]:
        """Locate a bifurcation between two points, and remember the branches that leave it."""
        crosses = here.sign * there.sign < 0.0
        turns = here.tangent[-1] * there.tangent[-1] < 0.0
        if not (crosses or turns):
            return []
        low, high = here, there
        span = 1.0
        for _ in range(BISECTIONS):
            z = self._corrected(0.5 * (low.z + high.z), here.tangent, here.size, WEAK)
            if z is None:
                break
            middle = self._point(z, here.tangent, here.tangent)
            same = middle.sign * low.sign > 0.0 if crosses else middle.tangent[-1] * low.tangent[-1] > 0.0
            low, high = (middle, high) if same else (low, middle)
            span = float(np.linalg.norm(high.z - low.z))
            if span < 1e-13:
                break
        z = 0.5 * (low.z + high.z)
        known = [np.append(one.q, one.parameter) / self.units for one in self.bifurcations]
        if any(float(np.linalg.norm(z - other)) < SAME + span for other in known):
            return [z]
        place = z * self.units
        self.bifurcations.append(Bifurcation("branch point" if crosses else "fold", float(place[-1]), place[:-1]))
        if crosses:
            along = (there.z - here.z) / np.linalg.norm(there.z - here.z)  # a tangent there may be one of either branch
            across = low.null - (low.null @ along) * along
            across /= np.linalg.norm(across)
            self._left += [(z, across), (z, -across)]
        return [z]

    def _keep(self, points: list[Floats]) -> None:
        """Points of a branch in their units, with their stability."""
        table = np.array(points) * self.units
        balance, modes = self.balance, []
        for *q, p in table:
            balance.values[self.number] = p
            modes.append(np.linalg.eigvals(
                balance.linearizer.reduced(np.array(q), np.zeros(len(q)), balance.t).matrix))
        # at a branch point itself rounding splits a double zero
        least = FREE * float(np.abs(modes).max(initial=0.0))
        grows = np.array([bool((own.real > least).any()) for own in modes])
        self.branches.append(Branch(table[:, -1], table[:, :-1], ~grows))
