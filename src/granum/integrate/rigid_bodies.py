"""Motion of rigid bodies with joints: a compiled method on the compiled rates, with corrections after each step."""

from __future__ import annotations

import numpy as np

from granum.algebra.expression import free_symbols
from granum.analytic.rigid_bodies.equations import BodyEquations
from granum.analytic.rigid_bodies.friction import pass_over
from granum.analytic.rigid_bodies.rates import RANK_FELL, corrections, evaluation, events, rates
from granum.analytic.rigid_bodies.switches import BodySwitches
from granum.analytic.singular_positions import independence, singular_position
from granum.base.errors import NotConvergedError, Problem, SceneError
from granum.base.kernels import Floats
from granum.base.pointers import call
from granum.integrate import driver
from granum.integrate.adaptive_stepper import (
    ABSOLUTE,
    AdaptiveStepper,
    attainable,
    failure_reason,
    method_of,
    statistics_of,
)
from granum.integrate.pace import Driven, pole
from granum.integrate.step_bounds import StepBounds
from granum.integrate.stepper import StepStatistics, Watch
from granum.integrate.switching import Switches
from granum.loads.tables import CONTROLLER
from granum.model.loads import JointFriction
from granum.model.settings import RunSettings
from granum.rows import tables
from granum.rows.redundancy import blocked

_NEAR, _CARRIES = 0.05, 0.02
"""Independence of the rows, relative to the start, below which a motion that steps do not carry on is at a singular
position, and the share in what is least independent from which a row is named."""
_MOST_ROWS = 2000
"""Rows up to which their independence is computed, densely."""


class BodyMotion(AdaptiveStepper):
    """Advances the state of rigid bodies with joints."""

    def __init__(self, equations: BodyEquations, settings: RunSettings) -> None:
        self.equations, system = equations, equations.system
        self.y, self.relative = equations.y0.copy(), attainable(settings.tolerance)
        self.method, self.end = method_of(settings.solver), settings.until
        self.largest_step = settings.largest_step
        self._figures = system.rows.tables.figures
        wanted = ("position", "velocity") if settings.corrections is None else settings.corrections
        for entry, name in ((tables.POSITIONS, "position"), (tables.VELOCITIES, "velocity"), (tables.ENERGY, "energy")):
            self._figures[entry] = name in wanted
        self._out = np.zeros_like(self.y)
        call(evaluation, 0.0, self.y, self._out, system.block)
        self._figures[tables.TARGET] = self._figures[tables.KINETIC] + self._figures[tables.POTENTIAL]
        self.absolute = self._absolute()
        if system.expressed.switched is not None:
            self.switches = Switches(BodySwitches(system, system.expressed.switched), len(self.y),
                                     self.relative * ABSOLUTE)
        self.bounds = self._step_bounds()
        if system.reports:
            pass_over(system.rows, system.model.frictions, equations.redundancy().stresses)
            self._refuse_broken_contacts()

    def _step_bounds(self) -> StepBounds:
        """Bounds from the formulas as they are followed: in modes they do not jump."""
        system = self.equations.system
        modes = None if self.switches is None else system.expressed.switched
        loads = system.expressed.formulas if modes is None else modes.bounding
        return StepBounds([*loads, *system.motions], loads, system.places, system.scene.system.parameters)

    def _absolute(self) -> Floats:
        """Absolute tolerances: momenta are measured by what a speed of one makes of them."""
        system = self.equations.system
        tolerances = np.full(len(self.y), self.relative * ABSOLUTE)
        last = 1 if system.rows.dimension == 2 else 3
        for body in system.rows.bodies:
            system.rows.own(tolerances, body)[-last:] *= float(body.inertia.max()) or 1.0
        # works follow the motion; near zero they are rounding error
        tolerances[len(tolerances) - system.work_count :] = self.relative
        return tolerances

    def advance(self, until: float, watch: Watch) -> StepStatistics:
        """Advance to a time exactly, or to where a contact is no more what it was."""
        return self._advance(until, watch, None)

    def step(self, until: float) -> StepStatistics:
        """One step of the solver's choice, or what is left until a time."""
        return self._advance(until, lambda t: None, 1)

    def _advance(self, until: float, watch: Watch, most_steps: int | None) -> StepStatistics:
        system = self.equations.system
        self._figures[tables.CHANGES] = self._figures[tables.SKIPPED] = 0.0
        # rows are chosen from the state alone, so that a run that is taken up here makes the same choice
        call(evaluation, self.t, self.y, self._out, system.block)
        most = self._figures[tables.DROPPED]
        self._refuse_blocked_drives()
        self._figures[tables.CHANGES] = 0.0
        if system.model.loads.control[CONTROLLER] != 0 and self.switches is not None:
            self._drop_commanded()
        status, progress = self.integrate(self.absolute, self.y, until, watch, most_steps)
        if status == driver.MORE and most_steps is not None:
            status = driver.DONE
        if driver.DONE < status < driver.FIRST_EVENT:
            raise NotConvergedError(self.chattering(status) or self._reason(status))
        statistics = statistics_of(progress)
        statistics.redundant = int(max(most, self._figures[tables.DROPPED]))
        statistics.rank_changes = int(self._figures[tables.CHANGES])
        statistics.energy_uncorrected = int(self._figures[tables.SKIPPED])
        return statistics

    def _drop_commanded(self) -> None:
        """Drop modes if arguments depend on what a compiled controller commands, whose rates are not known."""
        system = self.equations.system
        assert system.expressed.switched is not None
        if not free_symbols(system.expressed.switched.arguments) & system.inputs.keys():
            return
        if rubbing := [name for name, load in system.scene.load.items() if isinstance(load, JointFriction)]:
            raise SceneError([Problem(
                f"load.{rubbing[0]}", "friction in joints is not supported under a compiled controller that commands a "
                "servo with a limit, or another formula with sign() or abs() of its command.",
                "Command a torque or force, or compute the effort of the servo in the controller.")])
        self.switches = None
        self.bounds = self._step_bounds()

    def vector(self) -> Floats:
        """Poses, velocities and works."""
        return self.y.copy()

    def problem(self) -> driver.Problem:
        """The compiled equations, with corrections after each step and the events of contacts."""
        count = len(self.equations.system.reports)
        return driver.Problem(rates.address, self.equations.system.block, corrections.address,
                              events.address if count else 0, np.full(count, -1))

    def answer(self, status: int, before: float, until: float, y: Floats, progress: driver.Progress) -> int:
        """Go on where the rank of the rows fell, unless a drive is blocked there."""
        if status != RANK_FELL:
            return status
        self._refuse_blocked_drives()
        return driver.MORE

    def _refuse_broken_contacts(self) -> None:
        """A contact that is not what it is taken for at the start would never cross over to it."""
        reports = self.equations.system.reports
        g = np.zeros(max(1, len(reports)))
        call(events, 0.0, self.y, g, self.equations.system.block)
        broken = [Problem("constraint", f"at the start {report}", "Give another start, or remove the contact.")
                  for report, value in zip(reports, g, strict=False) if value <= 0.0]
        if broken:
            raise SceneError(broken)

    def _refuse_blocked_drives(self) -> None:
        """Where rows depend on one another the joints may not allow what a drive prescribes; dropping rows hides it."""
        rows = self.equations.rows
        if rows.motions is None or self._figures[tables.DROPPED] == 0.0:
            return
        rows.configure(self.y, self.t)
        names, drives = blocked(rows, self.equations.redundancy())
        if drives:
            raise NotConvergedError(singular_position(self.t, names, drives))

    def _prescribed(self, t: float) -> list[Driven]:
        """Rates and accelerations of all drives."""
        rows = self.equations.rows
        rows.configure(self.y, t)
        which, drive = rows.tables.which, rows.tables.drive
        driven = np.flatnonzero(which[:, tables.DRIVE] >= 0)
        first = tables.DRIVE_WIDTH * which[driven, tables.DRIVE]
        return [Driven(rows.joints[j].name, float(drive[o + tables.SPEED]), float(drive[o + tables.ACCELERATION]))
                for j, o in zip(which[driven, tables.JOINT].tolist(), first.tolist(), strict=True)]

    def _singular_position(self) -> str | None:
        """What is wrong where rows have nearly lost their independence since the start, None elsewhere."""
        rows = self.equations.rows
        if not 0 < rows.row_count <= _MOST_ROWS:
            return None
        rows.configure(self.equations.y0)
        began = rows.jacobian().toarray()
        rows.configure(self.y, self.t)
        left, weakest = independence(began, rows.jacobian().toarray())
        if left >= _NEAR:
            return None
        carrying = rows.tables.which[np.abs(weakest) > _CARRIES]
        names = dict.fromkeys(rows.joints[j].name for j in carrying[:, tables.JOINT].tolist())
        drives = {rows.joints[j].name for j in carrying[carrying[:, tables.DRIVE] >= 0, tables.JOINT].tolist()}
        return singular_position(self.t, names, [name for name in names if name in drives])

    def _reason(self, status: int) -> str:
        if (singular := self._singular_position()) is not None:
            return singular
        if (grows := pole(self.t, self.end, self._prescribed)) is not None:
            return f"{self.method.name} stopped at t = {self.t:g} s: {grows}"
        call(evaluation, self.t, self.y, self._out, self.equations.system.block)
        rank = self.equations.rows.row_count - int(self._figures[tables.DROPPED])
        return (f"{self.method.name} stopped at t = {self.t:g} s: {failure_reason(status)}. The joints have {rank} "
                "independent rows there; check whether the mechanism passes a singular position, or use a larger "
                "tolerance.")
