"""Motion of mechanisms: dop853 on the compiled right-hand side, with corrections after each step."""

from __future__ import annotations

import numpy as np

from granum.analytic.singular_positions import singular_position
from granum.base.errors import NotConvergedError, Problem, SceneError
from granum.base.kernels import Floats
from granum.integrate import dop853
from granum.integrate.dop853_stepper import (
    ABSOLUTE,
    Dop853Stepper,
    attainable,
    failure_reason,
    statistics_of,
)
from granum.integrate.stepper import StepStatistics, Watch
from granum.mechanisms import tables
from granum.mechanisms.equations import MechanismEquations
from granum.mechanisms.rates import RANK_FELL, call, configuration, corrections, evaluation, events, rates
from granum.mechanisms.redundancy import blocked
from granum.model.settings import RunSettings


class MechanismMotion(Dop853Stepper):
    """Advances the state of a mechanism."""

    def __init__(self, equations: MechanismEquations, settings: RunSettings) -> None:
        self.equations, mechanism = equations, equations.mechanism
        self.y, self.relative = equations.y0.copy(), attainable(settings.tolerance)
        self._figures = mechanism.model.tables.figures
        wanted = ("position", "velocity") if settings.corrections is None else settings.corrections
        for place, name in ((tables.POSITIONS, "position"), (tables.VELOCITIES, "velocity"), (tables.ENERGY, "energy")):
            self._figures[place] = name in wanted
        self._out = np.zeros_like(self.y)
        call(evaluation, 0.0, self.y, self._out, mechanism.block)
        self._figures[tables.TARGET] = self._figures[tables.KINETIC] + self._figures[tables.POTENTIAL]
        self.absolute = self._absolute()
        if mechanism.reports:
            self._refuse_broken_contacts()

    def _absolute(self) -> Floats:
        """Absolute tolerances: momenta are measured by what a speed of one makes of them."""
        mechanism = self.equations.mechanism
        found = np.full(len(self.y), self.relative * ABSOLUTE)
        last = 1 if mechanism.dimension == 2 else 3
        for place in mechanism.places:
            end = (place.index + 1) * mechanism.stride
            found[end - last : end] *= float(place.inertia.max()) or 1.0
        found[len(found) - mechanism.work_count :] = self.relative  # works follow the motion; near zero rounding error
        return found

    def advance(self, until: float, watch: Watch) -> StepStatistics:
        """Advance to a time exactly, or to where a contact is no more what it was."""
        mechanism = self.equations.mechanism
        self._figures[tables.CHANGES] = self._figures[tables.SKIPPED] = 0.0
        # rows are chosen from the state alone, so that a run that is taken up here makes the same choice
        call(evaluation, self.t, self.y, self._out, mechanism.block)
        most = self._figures[tables.DROPPED]
        self._refuse_blocked_drives()
        self._figures[tables.CHANGES] = 0.0
        status, progress = self.integrate(self.absolute, self.y, until, watch)
        if dop853.DONE < status < dop853.FIRST_EVENT:
            raise NotConvergedError(self._reason(status))
        found = statistics_of(progress)
        found.redundant = int(max(most, self._figures[tables.DROPPED]))
        found.rank_changes = int(self._figures[tables.CHANGES])
        found.energy_uncorrected = int(self._figures[tables.SKIPPED])
        return found

    def problem(self) -> dop853.Problem:
        """The compiled equations, with corrections after each step and the events of contacts."""
        count = len(self.equations.mechanism.reports)
        return dop853.Problem(rates.address, self.equations.mechanism.block, corrections.address,
                              events.address if count else 0, np.full(count, -1))

    def answer(self, status: int, before: float, until: float, y: Floats, progress: dop853.Progress) -> int:
        """Go on where the rank of the rows fell, unless a drive is blocked there."""
        if status != RANK_FELL:
            return status
        self._refuse_blocked_drives()
        return dop853.MORE

    def _refuse_broken_contacts(self) -> None:
        """A contact that is not what it is taken for at the start would never cross over to it."""
        reports = self.equations.mechanism.reports
        g = np.zeros(max(1, len(reports)))
        call(events, 0.0, self.y, g, self.equations.mechanism.block)
        broken = [Problem("constraint", f"at the start {report}", "Give another start, or leave the contact out.")
                  for report, value in zip(reports, g, strict=False) if value <= 0.0]
        if broken:
            raise SceneError(broken)

    def _refuse_blocked_drives(self) -> None:
        """Where rows depend on one another the joints may not allow what a drive prescribes; dropping rows hides it."""
        mechanism = self.equations.mechanism
        if mechanism.drives is None or self._figures[tables.DROPPED] == 0.0:
            return
        call(configuration, self.t, self.y, self._out, mechanism.block)
        names, drives = blocked(mechanism, self.equations.redundancy())
        if drives:
            raise NotConvergedError(singular_position(self.t, names, drives))

    def _reason(self, status: int) -> str:
        call(evaluation, self.t, self.y, self._out, self.equations.mechanism.block)
        rank = self.equations.mechanism.row_count - int(self._figures[tables.DROPPED])
        return (f"dop853 stopped at t = {self.t:g} s: {failure_reason(status)}. The joints have {rank} "
                "independent rows there; check whether the mechanism passes a singular position, or take a larger "
                "tolerance.")
