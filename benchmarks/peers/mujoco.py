"""MuJoCo on the chain benchmark."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from importlib import import_module
from typing import Any, ClassVar

from benchmarks.comparison import (
    CHAIN_LENGTH,
    GRAVITY,
    ChainState,
    Peer,
    Setting,
    Simulation,
    explicit_steps,
    fixed_steps,
    start_angles,
    state_of_joints,
)
from benchmarks.peers.common import version_of

# MuJoCo refuses a body without rotational inertia; this one [kg m2] is 2e-9 of the 1 kg * (3 m / N)**2 of a
# mass about its joint at N = 400.
_POINT_INERTIA = 1e-13


class MuJoCo(Peer):
    """MuJoCo: hinges between points of the least inertia, everything but gravity switched off, all in C."""

    name = "MuJoCo"

    _INTEGRATORS: ClassVar[dict[str, str]] = {
        "RK4": "mjINT_RK4",
        "Euler": "mjINT_EULER",
        "implicit": "mjINT_IMPLICIT",
    }
    # Without the last, a motion that blows up would start anew instead of showing itself. Further flags and
    # the choice of a dense or sparse Jacobian make no measurable difference to a chain without constraints.
    _DISABLED: ClassVar[tuple[str, ...]] = ("mjDSBL_CONSTRAINT", "mjDSBL_CONTACT", "mjDSBL_AUTORESET")

    def version(self) -> str | None:
        """Version of the installed MuJoCo, None where it cannot be imported."""
        return version_of("mujoco", "mujoco", "MjSpec")

    def candidates(self, count: int) -> tuple[Setting, ...]:
        """RK4 first; the other integrators are of first order and need steps of a few microseconds."""
        return (
            *explicit_steps("RK4", count),
            *fixed_steps("Euler", 1e4, 2.0, 12),
            *fixed_steps("implicit", 1e4, 2.0, 12),
        )

    def prepare(self, count: int, setting: Setting) -> Simulation:
        """Build the model, so that the simulation's wall time [s] is that of mj_step alone."""
        mujoco: Any = import_module("mujoco")
        model = self._model(mujoco, count)
        model.opt.integrator = getattr(mujoco.mjtIntegrator, self._INTEGRATORS[setting.integrator])

        def simulate(duration: float) -> tuple[float, ChainState]:
            step_count = setting.step_count(duration)
            model.opt.timestep = duration / step_count
            data = mujoco.MjData(model)
            data.qpos[:] = start_angles(count)
            with _without_warnings(mujoco):
                started = time.perf_counter()
                mujoco.mj_step(model, data, nstep=step_count)
                seconds = time.perf_counter() - started
            return seconds, state_of_joints(data.qpos, data.qvel)

        return simulate

    def _model(self, mujoco: Any, count: int) -> Any:
        """The chain in MuJoCo's minimal coordinates, lengths in m."""
        rod = CHAIN_LENGTH / count
        spec = mujoco.MjSpec()
        spec.option.gravity = [0.0, -GRAVITY, 0.0]
        body = spec.worldbody
        for index in range(count):
            body = body.add_body(
                pos=[0.0, -rod if index else 0.0, 0.0],
                ipos=[0.0, -rod, 0.0],
                mass=1.0,
                inertia=[_POINT_INERTIA] * 3,
                explicitinertial=True,
            )
            body.add_joint(type=mujoco.mjtJoint.mjJNT_HINGE, axis=[0.0, 0.0, 1.0])
        model = spec.compile()
        for flag in self._DISABLED:
            model.opt.disableflags |= int(getattr(mujoco.mjtDisableBit, flag))
        return model


@contextlib.contextmanager
def _without_warnings(mujoco: Any) -> Iterator[None]:
    """Keep MuJoCo from writing a log file when a step is too long and the motion blows up."""
    previous = mujoco.get_mju_user_warning()
    mujoco.set_mju_user_warning(lambda _message: None)
    try:
        yield
    finally:
        mujoco.set_mju_user_warning(previous)
