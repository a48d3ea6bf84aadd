"""Rigid bodies with joints and links of which some are one-sided, by newton-euler and dop853.

The graph of what is connected is updated as links open and close; rows and their elimination follow from it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from granum.analytic.rigid_bodies.equations import BodyEquations
from granum.base.errors import GranumError, SceneError
from granum.base.errors import Problem as SceneProblem
from granum.base.kernels import Flags, Floats, Ints
from granum.integrate.one_sided import LinkEvent, OneSidedMotion, Problem
from granum.integrate.rigid_bodies import BodyMotion
from granum.integrate.stepper import StepStatistics
from granum.model.settings import RunSettings
from granum.rows import tables
from granum.rows.elimination import pairs_of, solve
from granum.state.table import A
from granum.topology import Topology

ALLOWED = 1e-9
"""How far the ends of a link may be on the wrong side at the start, relative to its length."""


@dataclass
class _Kept:
    """A state to come back to."""

    t: float
    y: Floats
    next_step: float
    rates: Floats = field(default_factory=lambda: np.zeros(0))


class OneSidedBodies(OneSidedMotion):
    """Advances the state of rigid bodies with joints."""

    def __init__(self, equations: BodyEquations, settings: RunSettings) -> None:
        self.whole, self.settings, rows = equations, settings, equations.rows
        if rows.slides:
            raise SceneError([SceneProblem(joint.place, "slides with friction, which is not supported in scenes with "
                                           "one-sided links.", "Remove one_sided from the links, or the friction.")
                              for joint in rows.joints if joint.friction is not None])
        self._places = np.array([k for k, joint in enumerate(rows.joints) if joint.sense], dtype=np.int64)
        own = [rows.joints[k] for k in self._places]
        self.names = [joint.name for joint in own]
        self.length = np.array([joint.rows[0].offset for joint in own])
        self.senses = np.array([float(joint.sense) for joint in own])
        self.restitution = np.array([joint.restitution for joint in own])
        self.interior, self.end = (0.5,), settings.until
        ends = rows.tables.ends
        self._ends = ends[self._places]
        self._pairs, self._pair_of = pairs_of(len(rows.bodies), ends)
        self.begin()
        self._held = np.ones(len(rows.joints), dtype=bool)
        """Which joints hold: all but the links that are open."""
        self._connect(np.zeros(len(own), dtype=bool))
        self._bare = self._equations()
        self.inner = BodyMotion(self._bare, settings)
        figures = self.inner.equations.rows.tables.figures
        self._energy_at_start = float(figures[tables.KINETIC] + figures[tables.POTENTIAL])
        self._refuse_wrong_side()
        self.close_touching()

    def on_wrong_side(self) -> tuple[str, float] | None:
        """A link whose ends are where it does not let them be, if any, and by how much [m]."""
        gap = self.gaps()[0] + self.offset
        wrong = np.flatnonzero(gap < np.minimum(self.offset, -ALLOWED * self.length))
        return (self.names[int(wrong[0])], -float(gap[wrong[0]])) if len(wrong) else None

    def _refuse_wrong_side(self) -> None:
        gap, _ = self.gaps()
        wrong = []
        for name, g, sense, length in zip(self.names, gap, self.senses, self.length, strict=True):
            if g < -ALLOWED * length:
                side = "nearer" if sense > 0 else "farther"
                wrong.append(SceneProblem(f"link.{name}", f"its ends start {-g:.3g} m {side} than its length allows.",
                                          "Start them on the other side, or remove the length."))
        if wrong:
            raise SceneError(wrong)

    # ---- closed links

    @property
    def y(self) -> Floats:
        """The state."""
        return self.inner.y

    @property
    def t(self) -> float:
        """Time reached [s]."""
        return self.inner.t

    @t.setter
    def t(self, t: float) -> None:
        self.inner.t = t

    @property
    def happened(self) -> int | None:
        """Number of the event that ended the motion."""
        return self.inner.happened

    @property
    def over(self) -> bool:
        """Has a contact that rolls slipped or left?"""
        return self.happened is not None

    @property
    def topology(self) -> Topology:
        """The graph of the bodies that something connects."""
        return self._pairs.topology

    def _connect(self, closed: Flags) -> None:
        """Change the graph where a pair of bodies is connected or parted."""
        before = np.bincount(self._pair_of[self._held], minlength=len(self._pairs.bodies))
        self._held[self._places] = closed
        after = np.bincount(self._pair_of[self._held], minlength=len(self._pairs.bodies))
        for pair in np.flatnonzero((before > 0) != (after > 0)).tolist():
            if after[pair]:
                one, two = self._pairs.bodies[pair].tolist()
                self.topology.add_link(one, two, pair)
            else:
                self.topology.remove_link(pair)

    def _equations(self) -> BodyEquations:
        """Equations of the joints that hold."""
        whole = self.whole
        joints = [joint for joint, holds in zip(whole.rows.joints, self._held, strict=True) if holds]
        return BodyEquations(whole.scene, whole.system.with_joints(joints, self._pairs))

    def link_up(self, closed: Flags) -> None:
        """Update the graph, and go on with the equations of what is connected."""
        self._connect(closed)
        before, self.inner = self.inner, BodyMotion(self._equations(), self.settings)
        self._take(before.t, before.y, before.next_step)

    def _take(self, t: float, y: Floats, next_step: float) -> None:
        self.inner.t, self.inner.y[:], self.inner.next_step = t, y, next_step
        target = self._energy_at_start + float(self.work.sum())
        self.inner.equations.rows.tables.figures[tables.TARGET] = target

    # ---- what one-sided links ask for

    @property
    def time(self) -> float:
        """Time reached [s]."""
        return self.inner.t

    def _joint_table(self) -> Floats:
        """Points, arms and rates of the one-sided links in the state reached."""
        self.whole.rows.configure(self.inner.y, self.inner.t)
        table: Floats = self.whole.rows.tables.joints[self._places]
        return table

    def arms(self) -> tuple[Floats, Floats]:
        """From the first point of each link to the second."""
        table = self._joint_table()
        return table[:, tables.APART : tables.APART + 3], table[:, tables.RATE : tables.RATE + 3]

    def forces(self, between: tuple[_Kept, float] | None = None) -> Floats:
        """Multipliers of the rows of the closed links; between two states by cubics of the state."""
        force = np.zeros(len(self.names))
        if not self.closed.any():
            return force
        y, t, equations = self.inner.y, self.inner.t, self.equations
        if between is not None:
            y, t = self._between(*between)
        equations.evaluate(y, t)
        at = np.cumsum(self._held)[self._places[self.closed]] - 1
        multiplier = equations.rows.tables.multiplier[equations.rows.first[at]]
        force[self.closed] = self.senses[self.closed] * multiplier
        return force

    def _between(self, kept: _Kept, s: float) -> tuple[Floats, float]:
        equations, y, t = self.equations, self.inner.y, self.inner.t
        for state, time in ((kept.y, kept.t), (y, t)):
            equations.evaluate(state, time)
            if state is kept.y:
                kept.rates = equations._out.copy()
        h, rates = t - kept.t, equations._out
        middle = ((1.0 + 2.0 * s) * (1.0 - s) ** 2 * kept.y + s**2 * (3.0 - 2.0 * s) * y
                  + h * s * (1.0 - s) * ((1.0 - s) * kept.rates - s * rates))
        return middle, kept.t + s * h

    def free_accelerations(self) -> Floats:
        """Of points of bodies that joints and other links hold."""
        table = self._joint_table()
        self._bare.evaluate(self.inner.y, self.inner.t)
        a = self._bare.rows.tables.bodies.derived[:, A : A + 6]
        second: Floats = table[:, tables.CENTRE : tables.CENTRE + 3].copy()
        for side, sign in ((0, -1.0), (1, 1.0)):
            reach, body = table[:, tables.REACH + 3 * side : tables.REACH + 3 * side + 3], self._ends[:, side]
            second += sign * (a[body, :3] + np.cross(a[body, 3:], reach))
        return second

    def _rows_of(self, which: Ints) -> Floats:
        """(links, velocities): what velocities of the bodies do to gaps."""
        rows, table = self.whole.rows, self._joint_table()[which]
        arm = table[:, tables.APART : tables.APART + 3]
        n = self.senses[which, None] * arm / np.linalg.norm(arm, axis=1, keepdims=True)
        half, count = rows.half, len(rows.bodies)
        J = np.zeros((len(which), count + 1, half))
        for side, sign in ((0, -1.0), (1, 1.0)):
            turning = np.cross(table[:, tables.REACH + 3 * side : tables.REACH + 3 * side + 3], n)
            blocks = np.hstack([n[:, :2], turning[:, 2:]]) if half == 3 else np.hstack([n, turning])
            J[np.arange(len(which)), self._ends[which, side]] += sign * blocks
        return J[:, :count].reshape(len(which), count * half)

    def problem(self, rows: Flags) -> Problem:
        """A unit impulse along each link, less what joints and other links take up: impulses on the bodies."""
        J = self._rows_of(np.flatnonzero(rows))
        bare = self._bare
        bare.evaluate(self.inner.y, self.inner.t)
        inverse, held = bare.rows.inverse_masses(), bare.rows.jacobian()
        taken = np.zeros((len(J), bare.rows.row_count))
        if bare.rows.row_count:
            for response, right in zip(taken, (held @ (inverse @ J.T)).T, strict=True):
                solve(bare.system.model.elimination, np.ascontiguousarray(right), response)
        impulses = J - taken @ held
        S = J @ (inverse @ impulses.T)
        return Problem(rows, 0.5 * (S + S.T), (impulses, taken))

    def push(self, problem: Problem, impulse: Floats) -> None:
        """Change velocities and angular momenta; impulses of drives work at the speed that they prescribe."""
        system, own = self.equations.rows, self._bare.rows.tables
        impulses, taken = (impulse @ each for each in problem.moved)
        of_body = impulses.reshape(-1, system.half)
        d = system.dimension
        for body, (*change,) in zip(system.bodies, of_body, strict=True):
            state = system.own(self.inner.y, body)
            first = 3 if d == 2 else 7
            state[first : first + d] += np.array(change[:d]) / body.mass
            if body.rotates:
                state[first + d :] += change[d:]
        drives = len(own.drive) // tables.DRIVE_WIDTH
        for row, drive in enumerate(own.which[:, tables.DRIVE].tolist()):
            if drive >= 0:
                speed = own.drive[tables.DRIVE_WIDTH * drive + tables.SPEED]
                self.inner.y[len(self.inner.y) - drives + drive] -= taken[row] * speed

    def book_correction(self, energy: float) -> None:
        """It stays in the error of the energy balance, as what corrections of joints add does."""

    def keep(self) -> _Kept:
        """A copy of the state."""
        return _Kept(self.inner.t, self.inner.y.copy(), self.inner.next_step)

    def put(self, kept: _Kept) -> None:
        """Into the vector that the solver has."""
        self.inner.t, self.inner.y[:], self.inner.next_step = kept.t, kept.y, kept.next_step

    def step(self, until: float) -> StepStatistics:
        """One step of dop853, with the corrections behind it."""
        return self.inner.step(until)

    # ---- records

    def resume(self, t: float, y: Floats, record: Floats, forest: Ints, events: list[LinkEvent]) -> None:
        """Go on from a state with the links and the spanning forest that it had."""
        self.restore(record, events)
        bodies = self._pairs.bodies
        try:
            topology = Topology.restored(
                len(self.whole.rows.bodies), bodies[:, 0].copy(), bodies[:, 1].copy(), forest)
        except ValueError as error:
            raise GranumError(f"the recorded graph of the bodies does not match the scene: {error}.") from None
        self._pairs = self._pairs._replace(topology=topology)
        self._held[self._places] = self.closed
        self.inner = BodyMotion(self._equations(), self.settings)
        self._take(t, y, 0.0)
