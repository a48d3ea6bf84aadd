"""Formulas with jumps and kinks as motions follow them: equations with a multiplier for every row, in modes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from granum.algebra import along, symbol
from granum.algebra.compiled import Compiled
from granum.algebra.switches import Switched
from granum.analytic.expressed import TIME
from granum.analytic.row_equations import EVALUATE, PROGRAM, SWITCHES, RowEquations, read_constrained, symbols
from granum.base.pointers import call_rates, carray, right_hand_side


@right_hand_side
def switches(t, y_, out_, data_):  # type: ignore[no-untyped-def]
    """Arguments of all modes and their rates."""
    model = read_constrained(data_)
    formulas = model.formulas
    y = carray(y_, 2 * len(formulas.qdd))
    status = call_rates(model.head[EVALUATE], t, y, y, carray(data_, 1))
    call_rates(model.head[SWITCHES], t, y, carray(out_, 2 * len(formulas.modes)), formulas.parameters)
    return status


class RowSwitches:
    """The machine code of equations in modes; it must live as long as its addresses are used."""

    switches = switches

    def __init__(self, equations: RowEquations, formulas: Switched) -> None:
        system, data = equations.system, equations.data
        self._equations, self.modes = equations, data.formulas.modes
        self._program = system.compile(formulas.outputs, [mode.name for mode in formulas.modes])
        accelerations = {v: symbol(f"qdd {k}") for k, v in enumerate(system.v)}
        direction = dict(zip(system.q, system.v, strict=True)) | accelerations | {TIME: 1.0}
        self._arguments = Compiled([s.name for s in (*system.q, *system.v)], symbols(system, data.formulas),
                                   [*formulas.arguments, *along(formulas.arguments, direction)])
        data.head[SWITCHES] = self._arguments.address
        self.causes = formulas.causes([(f'"{load.name}"', [load.potential, *load.forces.values()])
                                       for load in system.loads], "[system]")

    @contextmanager
    def held(self) -> Iterator[None]:
        """Let the equations follow the modes."""
        head, own = self._equations.data.head, int(self._equations.data.head[PROGRAM])
        head[PROGRAM], self._equations.held = self._program.address, self._program
        try:
            yield
        finally:
            head[PROGRAM], self._equations.held = own, None
