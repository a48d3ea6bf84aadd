"""Formulas with jumps and kinks as motions follow them: equations of formulas in modes (`algebra.switches`)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager

from granum.algebra import Expression, along, symbol
from granum.algebra.compiled import Compiled
from granum.algebra.switches import Switched, jumping
from granum.analytic import gibbs_appell, row_equations
from granum.analytic.expressed import TIME, System
from granum.analytic.expressed_equations import ExpressedEquations
from granum.analytic.gibbs_appell import GibbsAppell, read_quasi
from granum.analytic.row_equations import EVALUATE, RowEquations, read_constrained, symbols
from granum.base.errors import Problem, SceneError
from granum.base.kernels import Floats
from granum.base.pointers import call_rates, carray, right_hand_side


@right_hand_side
def row_switches(t, y_, out_, data_):  # type: ignore[no-untyped-def]
    """Arguments of all modes and their rates, of equations with a multiplier for every row."""
    model = read_constrained(data_)
    formulas = model.formulas
    y = carray(y_, 2 * len(formulas.qdd))
    status = call_rates(model.head[EVALUATE], t, y, y, carray(data_, 1))
    call_rates(model.head[row_equations.SWITCHES], t, y, carray(out_, 1), formulas.parameters)
    return status


@right_hand_side
def quasi_switches(t, y_, out_, data_):  # type: ignore[no-untyped-def]
    """The same of gibbs-appell."""
    model = read_quasi(data_)
    work = model.work
    n = len(work.v)
    status = gibbs_appell._motion(model, t, carray(y_, n + len(work.push)))
    for k in range(n):
        work.full[2 * n + k] = work.qdd[k]
    call_rates(model.head[gibbs_appell.SWITCHES], t, work.full, carray(out_, 1), model.formulas.parameters)
    return status


class Following(ABC):
    """Equations in modes; the machine code must live as long as its addresses are used."""

    switches: right_hand_side
    modes: Floats

    def __init__(self, equations: ExpressedEquations, formulas: Switched) -> None:
        self._equations, system = equations, equations.system
        self.formulas = formulas
        self._program = system.compile(formulas.outputs, [mode.name for mode in formulas.modes])
        loads = [(load.name, [load.potential, *load.forces.values()]) for load in system.loads]
        self.causes = formulas.causes([(f'"{name}"', own) for name, own in loads], "[system]")
        self.modes_in = formulas.modes_in(loads)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Let the equations follow the modes."""
        self._equations.followed = self._program, self.modes
        self.follow(True)
        try:
            yield
        finally:
            self._equations.followed = None
            self.follow(False)

    @abstractmethod
    def follow(self, modes: bool) -> None:
        """Let the compiled right-hand side read the modes, or the formulas as they are."""


def argument_formulas(system: System, formulas: Switched) -> list[Expression]:
    """g and ġ of all modes, the latter with symbols for the accelerations."""
    direction = dict(zip(system.q, system.v, strict=True)) | {TIME: 1.0}
    direction |= {v: symbol(f"qdd {k}") for k, v in enumerate(system.v)}
    return [*formulas.arguments, *along(formulas.arguments, direction)]


class RowSwitches(Following):
    """Modes of equations with a multiplier for every row."""

    switches = row_switches

    def __init__(self, equations: RowEquations, formulas: Switched) -> None:
        super().__init__(equations, formulas)
        system, data = equations.system, equations.data
        self.modes, self._head = data.formulas.modes, data.head
        self._own = int(data.head[row_equations.PROGRAM])
        self._arguments = Compiled([s.name for s in (*system.q, *system.v)], symbols(system, data.formulas),
                                   argument_formulas(system, formulas))
        data.head[row_equations.SWITCHES] = self._arguments.address

    def follow(self, modes: bool) -> None:
        """Exchange the formulas."""
        self._head[row_equations.PROGRAM] = self._program.address if modes else self._own


class QuasiSwitches(Following):
    """Modes of gibbs-appell, whatever quasi-velocities are in use."""

    switches = quasi_switches

    def __init__(self, equations: GibbsAppell, formulas: Switched) -> None:
        super().__init__(equations, formulas)
        system = equations.system
        self._quasi, self.modes = equations, equations.modes
        names = [*(s.name for s in (*system.q, *system.v)), *(f"qdd {k}" for k in range(len(system.q)))]
        self._arguments = Compiled(names, [*system.parameters, *(mode.name for mode in formulas.modes)],
                                   argument_formulas(system, formulas))

    def follow(self, modes: bool) -> None:
        """Exchange the formulas, for all quasi-velocities."""
        self._quasi.follow(self._arguments.address if modes else 0)


def following(equations: ExpressedEquations) -> Following | None:
    """Equations in modes, where their formulas jump or have kinks and the formulation can follow."""
    formulas = equations.in_modes if isinstance(equations, RowEquations | GibbsAppell) else None
    if formulas is None:
        return None
    return RowSwitches(equations, formulas) if isinstance(equations, RowEquations) else QuasiSwitches(
        equations, formulas)  # type: ignore[arg-type]


def refuse_unfollowed(equations: ExpressedEquations) -> None:
    """Refuse forces that jump with a velocity where the formulation cannot follow them: it could not stick.

    A jump with time or position is passed over by short steps.

    Raises SceneError.
    """
    system = equations.system
    holders = [(f"{load.section}.{load.name}", [*load.forces.values()]) for load in system.loads]
    holders += [(f"system.forces.{name}", [force]) for name, force in zip(
        system.coordinates, system.own_forces, strict=True)]
    cannot = "with friction" if system.frictions else f'by formulation = "{equations.formulation}"'
    others = ('[constraint.NAME] with kind = "friction" for it too' if system.frictions else
              'formulation = "newton-euler", "fundamental", "lagrange", "virtual-work" or "gibbs-appell"')
    problems = [Problem(
        where, f"the force jumps where a velocity passes zero (dry friction, sign()), which motions {cannot} do not "
               "follow.",
        f"Use {others}, or a smooth formula, such as tanh(x/e) in place of sign(x).")
        for where, formulas in holders if jumping(formulas, system.v, system.parameters)]
    if problems:
        raise SceneError(problems)
