"""Coulomb friction: which contacts stick, slide or open in a state (Souchet).

Friction is the inequality T·(v - u) + k|N| (|v| - |u|) ≥ 0 for all virtual slips v (Duvaut and Lions; Souchet,
corrected): with slip u it drags against it, without slip it holds as long as |T| ≤ k|N|.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Protocol

import numpy as np

from granum.algebra import Expression, as_expression, function, symbol
from granum.algebra.vectors import dot
from granum.analytic.constrained import inertias
from granum.analytic.expressed import System
from granum.analytic.row_equations import COEFFICIENT, DIRECTION, FRICTION, SLIDES, SLOW, Constrained
from granum.base.errors import GranumError, NotConvergedError
from granum.base.kernels import Floats
from granum.rows.symbolic import multiplier

REST = 1e-9
"""Slip, relative to the velocities it is made of, below which there is none."""
LIMIT = 1e-12
"""By how much, relative to k|N|, a friction force may exceed it and still hold."""
BEGINS = 1e-10
"""Rate of slip against its direction, relative to what friction does to it, that is rounding."""
MOST_AT_REST = 8
"""Frictions without slip of which all combinations of sticking and sliding are tried."""
MOST_EXAMINED = 256
"""Combinations that are examined for a second solution."""
ANOTHER = 1e-6
"""Difference of accelerations, relative to what all forces make, from which they are of another motion."""
EVENTS = ("slow", "turned", "breaks", "opens")
LATE = 1e-11
"""By how much, relative to k|N|, the force needed exceeds it where sticking ends: clearly more than LIMIT."""


def friction_events(system: System) -> list[Expression]:
    """Of each friction: slip becoming slow (of two components), slip turned against its direction, sticking that
    breaks, and a normal force that ends.
    """
    events: list[Expression] = []
    for k, friction in enumerate(system.frictions):
        entry = [symbol(f"frictions {k * FRICTION + place}") for place in range(FRICTION)]
        slides, N = entry[SLIDES], multiplier(*friction.normal)
        T = [multiplier(friction.name, j) for j in range(len(friction.slip))]
        size = abs(friction.coefficient) * function("abs", N) * (1.0 + LATE) + 1e-300
        slow = dot(friction.slip, friction.slip) - SLOW**2 if len(T) > 1 else as_expression(1.0)
        along = dot(friction.slip, entry[DIRECTION : DIRECTION + len(T)])
        events += [
            slides * slow + (1.0 - slides), slides * along + (1.0 - slides),
            (1.0 - slides) * (size - function("sqrt", dot(T, T))) + slides,
            N * function("sign", entry[COEFFICIENT]) if friction.bilateral else N,
        ]
    return events


@dataclass(frozen=True)
class Mode:
    """What a friction does: it sticks, it slides in a direction, or its contact opens and there is none."""

    slides: bool
    direction: tuple[float, ...] = ()
    """Unit vector of slip, or of the slip that begins."""
    sign: float = 1.0
    """Of the normal force: -1 where a bilateral contact pulls."""
    opens: bool = False

    @property
    def name(self) -> str:
        """For people."""
        return "leaves" if self.opens else "slides" if self.slides else "sticks"


@dataclass(frozen=True)
class Touch:
    """A friction in a state."""

    name: str
    mode: Mode
    normal: float
    """N, positive where the bodies press [N]."""
    force: Floats
    """T, along the components of the slip [N]."""
    slip: Floats
    """u [m/s]."""
    change: Floats
    """Rate of the slip [m/s²]."""
    gap: float
    """Acceleration with which the bodies part [m/s²]: zero while the contact is closed."""


STICKS = Mode(False)
OPENS = Mode(False, opens=True)


class Frictional(Protocol):
    """What the search asks of equations with frictions."""

    system: System
    modes: list[Mode]

    @property
    def data(self) -> Constrained:
        """What the compiled functions read and write."""

    @property
    def undetermined(self) -> str:
        """The coordinate whose acceleration the last evaluation did not determine."""

    @property
    def friction_rows(self) -> list[tuple[int, list[int]]]:
        """Of each friction: the row of its normal force and the rows of its slip."""

    def evaluate(self, q: Floats, v: Floats, t: float) -> int:
        """Compute q̈ and multipliers of a state, into `data`."""

    def matrices(self, q: Floats, v: Floats, t: float) -> tuple[Floats, Floats, Floats, Floats]:
        """M, Q, A and b in a state."""

    def slips(self, q: Floats, v: Floats, t: float) -> list[Floats]:
        """Slip velocity of each friction."""


@dataclass(frozen=True)
class _Solution:
    """A combination of modes that agrees with Coulomb's law."""

    touches: list[Touch]
    qdd: Floats
    forces: Floats
    """Sizes of all forces on each coordinate, which rounding errors of q̈ are measured by."""


class FrictionSearch:
    """The combination of sticking and sliding that agrees with Coulomb's law in one state."""

    def __init__(
        self, equations: Frictional, q: Floats, v: Floats, t: float, resting: Collection[int] | None,
    ) -> None:
        self.equations, self.q, self.v, self.t = equations, q, v, t
        self.frictions, self.friction_rows = equations.system.frictions, equations.friction_rows
        self.M, self.Q, self.A, self.b = equations.matrices(q, v, t)
        self.slip = equations.slips(q, v, t)
        moved = [np.abs(self.A[rows]) @ np.abs(v) for _, rows in self.friction_rows]
        self.resting = {k for k in range(len(self.friction_rows))
                        if np.linalg.norm(self.slip[k]) <= REST * np.linalg.norm(moved[k])} \
            if resting is None else set(resting)

    def touches(self) -> list[Touch]:
        """The first consistent combination: those with the fewest open contacts first, then those that stick most.

        A second one with another motion, or none at all, is refused: rigid bodies do not say how they go on (Painlevé).
        """
        if len(self.resting) > MOST_AT_REST:
            raise GranumError(f"{len(self.resting)} friction contacts are without slip at t = {self.t:g} s; at most "
                              f"{MOST_AT_REST} can be decided at once.")
        first = next(self._consistent(self._combinations()), None)
        if first is None:
            names = ", ".join(f'"{friction.name}"' for friction in self.frictions)
            raise NotConvergedError(
                f"friction {names}: no solution exists at t = {self.t:g} s. Neither sticking, sliding nor separation "
                "agrees with Coulomb's law for rigid bodies, because sliding friction presses them together more "
                "strongly than the normal force that causes it (Painlevé's paradox, inconsistent case). Use a smaller "
                "coefficient or another start.")
        for other in self._consistent(self._alternatives([touch.mode for touch in first.touches])):
            self._refuse_another(first, other)
        return first.touches

    def _consistent(self, combinations: Iterable[list[Mode]]) -> Iterator[_Solution]:
        """Those combinations that agree with the law, with their motions."""
        for modes in combinations:
            touches = self._touches(modes)
            if touches is not None and all(map(self._agrees, range(len(touches)), touches)):
                found = self.equations.data.formulas
                yield _Solution(touches, found.qdd.copy(), np.abs(self.Q) + np.abs(found.multipliers) @ np.abs(self.A))

    def _refuse_another(self, first: _Solution, other: _Solution) -> None:
        weight = np.sqrt(inertias(self.M))
        size = float((np.maximum(first.forces, other.forces) / weight).max())
        if float((np.abs(first.qdd - other.qdd) * weight).max()) <= ANOTHER * size:
            return
        said = [" and ".join(f'"{touch.name}" {touch.mode.name}' for touch in one.touches) for one in (first, other)]
        raise NotConvergedError(
            f"friction: several solutions exist at t = {self.t:g} s. {said[0]}, or {said[1]}: each agrees with "
            "Coulomb's law for rigid bodies, but the motions differ (Painlevé's paradox, indeterminate case). Use a "
            "smaller coefficient or another start.")

    def _combinations(self) -> Iterator[list[Mode]]:
        options = [[*self._options(k), *([] if self.frictions[k].bilateral else [OPENS])]
                   for k in range(len(self.frictions))]
        ordered = sorted(product(*options), key=lambda modes: (
            sum(mode.opens for mode in modes), sum(mode.slides for mode in modes)))
        return map(list, filter(self._open_together, ordered))

    def _open_together(self, modes: Sequence[Mode]) -> bool:
        """Frictions of one normal force open together."""
        opens = [{mode.opens for (normal, _), mode in zip(self.friction_rows, modes, strict=True) if normal == one}
                 for one in {normal for normal, _ in self.friction_rows}]
        return all(len(each) == 1 for each in opens)

    def _alternatives(self, taken: list[Mode]) -> Iterator[list[Mode]]:
        """Other combinations than the one taken; where they are many, those that differ in one friction.

        A slip of two components that begins has one direction here, that of the combination taken.
        """
        options = [[mode for mode in (*self._options(k), OPENS) if mode.direction or not mode.slides]
                   for k in range(len(taken))]
        options = [[mode, *(other for other in listed if other != mode and not (
            other.opens and self.frictions[k].bilateral))] for k, (mode, listed) in enumerate(
                zip(taken, options, strict=True))]
        others: Iterator[list[Mode]] = map(list, product(*options))
        if prod(map(len, options)) > MOST_EXAMINED:
            others = ([*taken[:k], mode, *taken[k + 1 :]] for k, listed in enumerate(options) for mode in listed)
        return (modes for modes in others if modes != taken and self._open_together(modes))

    def _options(self, k: int) -> list[Mode]:
        """What a closed contact may do."""
        signs = (1.0, -1.0) if self.frictions[k].bilateral else (1.0,)
        if k not in self.resting:
            direction = self.slip[k] / np.linalg.norm(self.slip[k])
            return [Mode(True, tuple(direction.tolist()), sign) for sign in signs]
        if len(self.slip[k]) == 1:
            return [STICKS, *(Mode(True, (d,), sign) for sign in signs for d in (1.0, -1.0))]
        return [STICKS, *(Mode(True, (), sign) for sign in signs)]

    def _touches(self, modes: list[Mode]) -> list[Touch] | None:
        """Forces of given modes; a direction left open is that in which slip begins. None if there is none."""
        if any(mode.slides and not mode.direction for mode in modes):
            return self._begun(modes)
        self.equations.modes = modes
        if self.equations.evaluate(self.q, self.v, self.t) != 0:
            raise GranumError(f"the accelerations of {self.equations.undetermined} are not determined at t = "
                              f"{self.t:g} s.")
        qdd, multipliers = self.equations.data.formulas[-2:]
        touches = []
        for k, (normal, rows) in enumerate(self.friction_rows):
            N, mode = float(multipliers[normal]), modes[k]
            drag = -self.frictions[k].coefficient * mode.sign * N * np.array(mode.direction)
            touches.append(Touch(self.frictions[k].name, mode, N, drag if mode.slides else multipliers[rows].copy(),
                                 self.slip[k], self.A[rows] @ qdd - self.b[rows],
                                 float(self.A[normal] @ qdd - self.b[normal])))
        return touches

    def _begun(self, modes: list[Mode]) -> list[Touch] | None:
        """Directions d in which slip begins: u̇(d) = c d with c > 0, |d| = 1, found from that of the force needed."""
        from scipy.optimize import root

        unknown = [k for k, mode in enumerate(modes) if mode.slides and not mode.direction]
        stuck = self._touches([STICKS if k in unknown else mode for k, mode in enumerate(modes)])
        assert stuck is not None

        def trial(x: Floats) -> list[Touch]:
            chosen = list(modes)
            for k, (a, b, _) in zip(unknown, x.reshape(-1, 3), strict=True):
                chosen[k] = Mode(True, (float(a), float(b)), modes[k].sign)
            touches = self._touches(chosen)
            assert touches is not None
            return touches

        def residual(x: Floats) -> Floats:
            touches = trial(x)
            return np.concatenate([[*(touches[k].change - c * scale * np.array([a, b])) / scale, a * a + b * b - 1.0]
                                   for k, (a, b, c) in zip(unknown, x.reshape(-1, 3), strict=True)])

        guess = np.concatenate([[*(-stuck[k].force / max(1e-300, float(np.linalg.norm(stuck[k].force)))), 0.0]
                                for k in unknown])
        # what friction does to u̇: where sticking has just ended, u̇ itself is next to nothing
        reverse = guess * np.tile([-1.0, -1.0, 1.0], len(unknown))
        there, back = trial(guess), trial(reverse)
        scale = max(1e-300, *(float(np.linalg.norm(there[k].change - back[k].change)) for k in unknown))
        guess[2::3] = [float(np.linalg.norm(there[k].change)) / scale for k in unknown]
        solution = root(residual, guess, tol=1e-13)
        x = solution.x.reshape(-1, 3)
        if np.abs(residual(solution.x)).max() > 1e-8 or x[:, 2].min() <= -BEGINS:
            return None
        x[:, :2] /= np.linalg.norm(x[:, :2], axis=1, keepdims=True)
        return trial(x.ravel())

    def _size(self, touch: Touch) -> float:
        return max(abs(touch.normal), float(np.linalg.norm(touch.force)))

    def _agrees(self, k: int, touch: Touch) -> bool:
        """Does a friction without slip hold, or slip in the direction it is taken to; does N have the sign taken?

        A contact that is taken to open must part, one that is taken to be closed must press.
        """
        k_N = self.frictions[k].coefficient * abs(touch.normal)
        qdd, normal = self.equations.data.formulas.qdd, self.friction_rows[k][0]
        if touch.mode.opens:
            return touch.gap >= -LIMIT * float(np.abs(self.A[normal]) @ np.abs(qdd) + abs(self.b[normal]))
        if not self.frictions[k].bilateral and touch.normal < -LIMIT * self._size(touch):
            return False
        if not touch.mode.slides:
            return float(np.linalg.norm(touch.force)) <= k_N * (1.0 + LIMIT)
        if self.frictions[k].bilateral and touch.normal * touch.mode.sign < -LIMIT * self._size(touch):
            return False
        if k not in self.resting or len(self.slip[k]) == 2:
            return True  # there is slip, or it was found together with its direction
        rows = self.friction_rows[k][1]
        made_of = float((np.abs(self.A[rows]) @ np.abs(qdd) + np.abs(self.b[rows])).max())
        return float(np.dot(touch.change, touch.mode.direction)) > -LIMIT * made_of
