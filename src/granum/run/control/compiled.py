"""Compiled controllers: functions that Numba compiles and the solver calls by itself, without Python in between."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numba

from granum.base.arguments import checked
from granum.base.errors import GranumError
from granum.base.pointers import RATES, carray
from granum.loads.expressed import ExpressedLoads
from granum.loads.tables import CONTROLLER, MEASURING, MOST_SIGNALS, WRITTEN, Loads
from granum.rows.body import Body
from granum.rows.joint import Connecting
from granum.run.control.handle import find
from granum.run.control.joints import Signals


class CommandedLoads(NamedTuple):
    """Loads of a system that actuators command, and the bodies and joints that a controller can measure."""

    loads: Loads
    expressed: ExpressedLoads
    bodies: Sequence[Body]
    scene: Connecting


class CompiledController:
    """A function (t, measured, commands) that solvers call in every evaluation of the forces; see `controller`."""

    def __init__(self, function: Callable[..., None], reads: Sequence[str], writes: Sequence[str]) -> None:
        self.function, self.reads, self.writes = function, tuple(reads), tuple(writes)
        if max(len(reads), len(writes)) > MOST_SIGNALS or not writes:
            raise GranumError(f"a compiled controller reads up to {MOST_SIGNALS} numbers and writes 1 to "
                              f"{MOST_SIGNALS} commands, but found {len(reads)} and {len(writes)}.")

    @cached_property
    def _code(self) -> Any:
        inner, n, m = numba.njit(self.function), len(self.reads), len(self.writes)

        @numba.cfunc(RATES)
        def call(t, measured_, commands_, _):  # type: ignore[no-untyped-def]
            inner(t, carray(measured_, n), carray(commands_, m))
            return 0

        return call

    def install(self, commanded: CommandedLoads, inputs: Sequence[str]) -> Signals:
        """Let the loads of a system call it; what it returns must live as long."""
        loads, expressed, bodies, scene = commanded
        for name in self.writes:
            find(name, inputs, "command of an actuator")
        signals = Signals(self.reads, scene, bodies, scene.dimension == 2)
        loads.commands[: len(self.writes)] = [expressed.inputs[name] for name in self.writes]
        loads.control[[MEASURING, CONTROLLER, WRITTEN]] = (signals.program.address, int(self._code.address),
                                                           len(self.writes))
        return signals


@checked
def controller(reads: Sequence[str], writes: Sequence[str]) -> Callable[[Callable[..., None]], CompiledController]:
    """Make a controller that is compiled and called inside the solver, at no cost in Python.

    Args:
        reads: what it measures: `hinge.angle`, `hinge.rate`, `slider.displacement`, `body.x`, `body.vx`, ...
        writes: commands of actuators: `motor.torque`, `servo.position`, ...

    The function takes the time [s], an array of what it reads and an array of the commands to write, and uses what
    Numba compiles. `gr.simulate(scene, control=...)` runs a scene with it; it acts continuously, not at a rate.

    >>> @gr.controller(reads=["axle.angle", "axle.rate"], writes=["motor.torque"])
    ... def hold(t, measured, commands):
    ...     commands[0] = -40.0 * measured[0] - 5.0 * measured[1]
    >>> hold.writes
    ('motor.torque',)
    """
    return lambda function: CompiledController(function, reads, writes)
