"""Granum itself on the chain benchmark, measured by the same rules as its peers."""

from __future__ import annotations

import time
from importlib import metadata

import numpy as np

from benchmarks.comparison import CHAIN_LENGTH, GRAVITY, ChainState, Peer, Setting, Simulation, explicit_steps
from granum.analytic import derive
from granum.analytic.equations import LinkEquations
from granum.assembly.points import compile_points
from granum.integrate import make_stepper
from granum.model.scene import Scene
from granum.run import simulate

_CORRECTIONS = {"rk4": (), "rk4, position": ("position",), "rk4, position and velocity": ("position", "velocity")}
_TOLERANCE = 1e-6


def chain_scene(count: int) -> Scene:
    """The pendulum of the benchmark."""
    return Scene(
        body={"pivot": {"kind": "fixed-point", "position": (0.0, 0.0)}},
        pattern={"chain": {"kind": "chain", "from": "pivot", "count": count, "length": CHAIN_LENGTH / count,
                           "angles": "-60 deg", "mass": 1.0}},
        load={"gravity": {"kind": "gravity", "acceleration": (0.0, -GRAVITY)}},
    )


def reference_tip(count: int) -> tuple[float, float]:
    """Tip after 1 s [m], by an error-controlled solver five digits beyond what is asked of the peers."""
    run = simulate(chain_scene(count), until=1.0, interval=1.0, solver="dop853", tolerance=1e-11)
    x, y = run.positions[-1, -1]
    return float(x), float(y)


class Granum(Peer):
    """This engine: rk4 with and without corrections."""

    name = "Granum"

    def version(self) -> str | None:
        """Version of the package."""
        return metadata.version("granum")

    def candidates(self, count: int) -> tuple[Setting, ...]:
        """The same ladder of steps as every explicit peer, once for each choice of corrections."""
        return tuple(setting for name in _CORRECTIONS for setting in explicit_steps(name, count))

    def prepare(self, count: int, setting: Setting) -> Simulation:
        """Compile the scene; the simulation then steps from the start."""
        scene = chain_scene(count)
        equations = derive(scene)
        assert isinstance(equations, LinkEquations)

        def simulation(duration: float) -> tuple[float, ChainState]:
            run = scene.with_run(
                until=duration, solver="rk4", step=duration / setting.step_count(duration),
                corrections=_CORRECTIONS[setting.integrator], tolerance=_TOLERANCE,
            ).run
            state = compile_points(scene)[1]
            stepper = make_stepper(equations, state, run)
            began = time.perf_counter()
            stepper.advance(duration, lambda _: None)
            seconds = time.perf_counter() - began
            return seconds, ChainState(np.array(state.x[:, 1:].T), np.array(state.v[:, 1:].T))

        return simulation
