"""Loads with jumps and kinks as motions of rigid bodies follow them: newton-euler in modes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from granum.algebra.compiled import Compiled
from granum.analytic.rigid_bodies.rates import RATES, SWITCHES, _state, accelerate, read_model
from granum.analytic.rigid_bodies.system import BodySystem
from granum.base.pointers import call_rates, carray, right_hand_side
from granum.loads.switched import SwitchedLoads
from granum.loads.tables import PROGRAM, read_arguments


@right_hand_side
def switches(t, y_, out_, data_):  # type: ignore[no-untyped-def]
    """Arguments of all modes and their rates."""
    model = read_model(data_)
    tables = model.tables
    status = call_rates(model.programs[RATES], t, _state(tables, y_), model.out, carray(data_, 1))
    accelerate(tables.shape, tables.bodies)
    read_arguments(tables.bodies, model.loads, True)
    call_rates(model.programs[SWITCHES], t, model.loads.arguments, carray(out_, 1), model.loads.expressed_data)
    return status


class BodySwitches:
    """The machine code of loads in modes; it must live as long as its addresses are used."""

    switches = switches

    def __init__(self, system: BodySystem, loads: SwitchedLoads) -> None:
        self._head, self.causes, self.modes_in = system.expressed.head, loads.causes, loads.modes_in
        self.modes = system.expressed.data[loads.first : loads.first + len(loads.arguments)]
        self._program = Compiled(loads.table, loads.data, loads.outputs)
        self._arguments = Compiled(loads.table, loads.data, [*loads.arguments, *loads.rates])
        system.model.programs[SWITCHES] = self._arguments.address

    @contextmanager
    def held(self) -> Iterator[None]:
        """Let the loads follow the modes."""
        own = int(self._head[PROGRAM])
        self._head[PROGRAM] = self._program.address
        try:
            yield
        finally:
            self._head[PROGRAM] = own
