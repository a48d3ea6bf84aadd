"""MuJoCo on the chain of hinged rods: `python rods.py N LENGTH ANGLE GRAVITY DURATION STEPS END.npy` prints one line.

This file stands alone, without Granum, so that the interpreter of the peer can run it. Hinges in minimal coordinates,
everything but gravity switched off, RK4, all in C; joint angles and rates of the end go to END.npy.
"""

from __future__ import annotations

import json
import sys
import time
from importlib import import_module, metadata
from typing import Any

import numpy as np

_THIN = 1e-3
"""Moment of a rod about its own axis, as a part of that across: MuJoCo wants one, and the motion does not turn it."""


def model(count: int, length: float, gravity: float) -> Any:
    """Rods of 1 kg that hang on one another, along -y where all joint angles are zero."""
    mujoco: Any = import_module("mujoco")
    rod = length / count
    across = rod**2 / 12.0
    spec = mujoco.MjSpec()
    spec.option.gravity = [0.0, -gravity, 0.0]
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_RK4
    body = spec.worldbody
    for index in range(count):
        body = body.add_body(pos=[0.0, -rod if index else 0.0, 0.0], ipos=[0.0, -0.5 * rod, 0.0], mass=1.0,
                             inertia=[across, _THIN * across, across], explicitinertial=True)
        body.add_joint(type=mujoco.mjtJoint.mjJNT_HINGE, axis=[0.0, 0.0, 1.0])
    made = spec.compile()
    for flag in ("mjDSBL_CONSTRAINT", "mjDSBL_CONTACT", "mjDSBL_AUTORESET"):
        made.opt.disableflags |= int(getattr(mujoco.mjtDisableBit, flag))
    return made


def main(count: int, length: float, angle: float, gravity: float, duration: float, steps: int, end: str) -> None:
    """Simulate and print."""
    mujoco: Any = import_module("mujoco")
    made = model(count, length, gravity)
    made.opt.timestep = duration / steps
    mujoco.set_mju_user_warning(lambda _message: None)
    data = mujoco.MjData(made)
    data.qpos[0] = angle
    mujoco.mj_step(made, data)  # warm
    mujoco.mj_resetData(made, data)
    data.qpos[0] = angle
    began, cpu = time.perf_counter(), time.process_time()
    mujoco.mj_step(made, data, nstep=steps)
    seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
    np.save(end, np.array([data.qpos, data.qvel]))
    print("\n" + json.dumps({"version": metadata.version("mujoco"), "seconds": seconds, "cpu": cpu}), flush=True)


if __name__ == "__main__":
    length_, angle_, gravity_, duration_ = map(float, sys.argv[2:6])
    main(int(sys.argv[1]), length_, angle_, gravity_, duration_, int(sys.argv[6]), sys.argv[7])
