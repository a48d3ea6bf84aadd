"""MuJoCo's exact accelerations of a model: without contacts, limits, dry friction and rotor inertia, loops rigid."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from granum.base.kernels import Floats

mujoco.set_mju_user_warning(lambda message: None)  # MuJoCo would write them to a file in the current folder
_SEVERAL = {int(mujoco.mjtJoint.mjJNT_FREE): 6, int(mujoco.mjtJoint.mjJNT_BALL): 3}
"""Joints with several freedoms, whose stiffness and damping have no counterpart."""
_LOOPS = (int(mujoco.mjtEq.mjEQ_CONNECT), int(mujoco.mjtEq.mjEQ_WELD))


class Model:
    """A model of MuJoCo with what Granum has no counterpart for set to zero."""

    def __init__(self, path: Path, free_base: bool = False) -> None:
        self.model = _urdf(path, free_base) if path.suffix == ".urdf" else mujoco.MjModel.from_xml_path(str(path))
        m = self.model
        m.dof_armature[:], m.dof_frictionloss[:] = 0.0, 0.0
        m.opt.density, m.opt.viscosity = 0.0, 0.0
        m.body_gravcomp[:] = 0.0
        m.tendon_stiffness[:], m.tendon_damping[:] = 0.0, 0.0
        for k, kind in enumerate(m.jnt_type):
            if kind in _SEVERAL:
                m.jnt_stiffness[k] = 0.0
                m.dof_damping[m.jnt_dofadr[k]:][:_SEVERAL[int(kind)]] = 0.0
        for name in ("CONTACT", "LIMIT", "FRICTIONLOSS"):
            m.opt.disableflags |= getattr(mujoco.mjtDisableBit, f"mjDSBL_{name}")
        for k, kind in enumerate(m.eq_type):
            if kind not in _LOOPS:
                m.eq_active0[k] = False
        mujoco.mj_setConst(m, mujoco.MjData(m))  # masses of simple bodies are constants that include the armature
        self.data = mujoco.MjData(m)

    def keep_actuators(self, names: set[str], joints: set[str]) -> None:
        """Switch off all actuators but these, which Granum has converted; those without a name by their joints."""
        m = self.model
        for k in range(m.nu):
            name = m.actuator(k).name
            if name not in names if name else m.joint(m.actuator_trnid[k, 0]).name not in joints:
                m.actuator_gainprm[k], m.actuator_biasprm[k] = 0.0, 0.0

    def set_state(self, qpos: Floats, qvel: Floats) -> None:
        """Positions, velocities and all forces of a state."""
        self.data.qpos[:], self.data.qvel[:] = qpos, qvel
        mujoco.mj_forward(self.model, self.data)

    def set_keyframe(self, name: str) -> None:
        """The state of a keyframe, with its controls, or the reference."""
        if name:
            mujoco.mj_resetDataKeyframe(self.model, self.data, self.model.key(name).id)
        else:
            mujoco.mj_resetData(self.model, self.data)
        mujoco.mj_forward(self.model, self.data)

    def random_state(self, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """A state near the reference, with velocities; loops are closed."""
        qpos, m = self.model.qpos0.copy(), self.model
        mujoco.mj_integratePos(m, qpos, rng.normal(size=m.nv) * (0.2 if m.neq else 0.7), 1.0)
        qvel = rng.normal(size=m.nv)
        for _ in range(20 if m.neq else 0):
            self.set_state(qpos, qvel)
            inverse = np.linalg.pinv(self._loop_rows(), rcond=1e-9)
            mujoco.mj_integratePos(m, qpos, -inverse @ self.data.efc_pos, 1.0)
            qvel -= inverse @ (self._loop_rows() @ qvel)
        return qpos, qvel

    def accelerations(self) -> Floats:
        """q̈ of rigid loops: M q̈ + c = τ + Jᵀ λ, J q̈ + J̇ q̇ = 0, by least squares where rows are redundant."""
        m, d = self.model, self.data
        mass = np.zeros((m.nv, m.nv))
        for own, unit in zip(mass, np.eye(m.nv), strict=True):
            mujoco.mj_mulM(m, d, own, unit)
        force = d.qfrc_passive + d.qfrc_actuator + d.qfrc_applied - d.qfrc_bias
        rows = self._loop_rows()
        if not len(rows):
            solved: Floats = np.linalg.solve(mass, force)
            return solved
        step = 1e-6  # central differences of J along the motion
        sides = []
        qpos, qvel = d.qpos.copy(), d.qvel.copy()
        for sign in (1.0, -1.0):
            moved = qpos.copy()
            mujoco.mj_integratePos(m, moved, qvel, sign * step)
            self.set_state(moved, qvel)
            sides.append(self._loop_rows())
        self.set_state(qpos, qvel)
        drift = (sides[0] - sides[1]) @ qvel / (2.0 * step)
        free = np.linalg.solve(mass, force)
        weighed = np.linalg.solve(mass, rows.T)
        multipliers = np.linalg.lstsq(rows @ weighed, -drift - rows @ free, rcond=1e-11)[0]
        bound: Floats = free + weighed @ multipliers
        return bound

    def _loop_rows(self) -> Floats:
        """J of the equality constraints."""
        d = self.data
        rows = np.array(d.efc_J).reshape(-1, self.model.nv) if d.nefc else np.zeros((0, self.model.nv))
        return rows.copy()

    def motion_of(self, body: int, point: Floats, qacc: Floats) -> tuple[Floats, Floats]:
        """Velocity and acceleration (v, ω), (a, α) of a body at a point given in inertial axes."""
        m, d = self.model, self.data
        J, rate = np.zeros((6, m.nv)), np.zeros((6, m.nv))
        mujoco.mj_jac(m, d, J[:3], J[3:], point, body)
        mujoco.mj_jacDot(m, d, rate[:3], rate[3:], point, body)
        return J @ d.qvel, J @ qacc + rate @ d.qvel


def _urdf(path: Path, free_base: bool) -> Any:
    """A URDF without shapes, whose meshes may be missing, with all links kept apart."""
    text = re.sub(r"<(visual|collision)\b.*?</\1>", "", path.read_text("utf-8"), flags=re.DOTALL)
    text = re.sub(r"(<robot[^>]*>)", r'\1<mujoco><compiler fusestatic="false" discardvisual="false"/></mujoco>', text,
                  count=1)
    spec = mujoco.MjSpec.from_string(text)
    if free_base:
        spec.worldbody.first_body().add_freejoint()
    return spec.compile()
