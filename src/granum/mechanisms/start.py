"""A start that fits: velocities that are left out follow from the joints, and what contradicts them is named."""

from __future__ import annotations

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import splu

from granum.base.errors import Problem, SceneError
from granum.base.kernels import Floats
from granum.mechanisms import tables
from granum.mechanisms.build import Mechanism
from granum.mechanisms.rates import call, configuration

ALLOWED = 1e-9
"""Violation of a start that is put down to rounding: relative to the size of the scene, and to the largest speed."""
_ITERATIONS = 100
_REMEDY = ("Give a start that fits, or let [run] project_start = true find the nearest one.")


def consistent_start(mechanism: Mechanism) -> Floats:
    """The state at the start; raises SceneError where what is given contradicts the joints."""
    y, size, found = mechanism.y.copy(), scene_size(mechanism), mechanism.model.tables
    project = mechanism.scene.run.project_start
    configured(mechanism, y)
    if not project:
        _refuse_positions(mechanism, size)
    for _ in range(_ITERATIONS):
        error = float(np.abs(found.value).max(initial=0.0))
        if error <= 1e-15 * size:
            break
        _move(mechanism, y, error / size)
    _refuse_positions(mechanism, size)
    if float(np.abs(found.rate).max(initial=0.0)) > 0.0:
        _push(mechanism, y, np.zeros_like(mechanism.held) if project else mechanism.held)
    _refuse_velocities(mechanism)
    return y


def configured(mechanism: Mechanism, y: Floats, t: float = 0.0) -> None:
    """Bodies and rows of a state into the tables."""
    call(configuration, t, y, y, mechanism.block)


def scene_size(mechanism: Mechanism) -> float:
    """A length of the scene [m]."""
    arms = float(np.abs(mechanism.model.tables.joints[:, :6]).max(initial=0.0))
    return max([1e-3, arms, *(float(np.abs(place.position).max()) for place in mechanism.places
                              if place.position is not None)])


def row_blocks(mechanism: Mechanism) -> sparse.csr_array:
    """J of the state in the tables: rows by velocities (v, ω) of the bodies; in the plane (v_x, v_y, ω)."""
    found = mechanism.model.tables
    n, m, half = len(mechanism.places), len(found.which), 3 if mechanism.dimension == 2 else 6
    ends = found.ends[found.which[:, tables.JOINT]]
    columns = (ends[:, :, None] * half + np.arange(half)).reshape(m, 2 * half)
    values = found.rows[:, tables.J : tables.J + 2 * half]
    inside = columns < n * half
    rows = np.broadcast_to(np.arange(m)[:, None], columns.shape)
    return sparse.csr_array((values[inside], (rows[inside], columns[inside])), shape=(m, n * half))


def masses(mechanism: Mechanism, turning: float = 0.0) -> sparse.csr_array:
    """M of the state in the tables, block by block; `turning` stands for moments of inertia that are not there."""
    found, blocks = mechanism.model.tables.bodies, []
    for place in mechanism.places:
        R = found[place.index, tables.R : tables.R + 9].reshape(3, 3)
        inertia = R @ place.inertia @ R.T
        if not place.turns or place.thin:
            inertia = inertia + turning * place.mass * np.eye(3)
        blocks.append(np.diag([place.mass, place.mass, inertia[2, 2]]) if mechanism.dimension == 2
                      else np.block([[place.mass * np.eye(3), np.zeros((3, 3))], [np.zeros((3, 3)), inertia]]))
    return sparse.block_diag(blocks, format="csr")


def _nearest(mechanism: Mechanism, value: Floats, free: Floats, damping: float) -> Floats:
    """The least change of velocities (or places), in the metric of the masses, that takes away a value of the rows."""
    J, keep = row_blocks(mechanism), np.flatnonzero(free)
    M = masses(mechanism, scene_size(mechanism) ** 2)[keep][:, keep]
    J = J[:, keep]
    scale = float(M.diagonal().max(initial=1e-300))
    soft = max(damping, 1e-13) / scale
    K = sparse.block_array([[M, J.T], [J, -soft * sparse.eye_array(len(value))]], format="csc")
    factors, change = splu(K), np.zeros(len(keep))
    for _ in range(3 if damping < 1e-6 else 1):  # what the softness leaves is taken away in turn
        change += factors.solve(np.concatenate([np.zeros(len(keep)), -value - J @ change]))[: len(keep)]
    full = np.zeros(len(free))
    full[keep] = change
    return full


def _move(mechanism: Mechanism, y: Floats, error: float) -> None:
    """One Newton step of positions, the softer the farther away: rows that depend on others then do not push."""
    found, n, planar = mechanism.model.tables, len(mechanism.places), mechanism.dimension == 2
    half = 3 if planar else 6
    change = _nearest(mechanism, found.value, np.ones(n * half), error**2).reshape(n, half)
    for i in range(n):
        own = y[i * mechanism.stride : (i + 1) * mechanism.stride]
        if planar:
            own[:3] += change[i]
            continue
        own[:3] += change[i, :3]
        p, q, r = 0.5 * change[i, 3:]
        a, b, c, d = own[3:7]
        own[3:7] += np.array([-p * b - q * c - r * d, p * a + q * d - r * c, -p * d + q * a + r * b,
                              p * c - q * b + r * a])
        own[3:7] /= np.linalg.norm(own[3:7])
    configured(mechanism, y)


def _push(mechanism: Mechanism, y: Floats, held: Floats) -> None:
    """Velocities that fit the joints, those that are given held."""
    found, n, planar = mechanism.model.tables, len(mechanism.places), mechanism.dimension == 2
    half = 3 if planar else 6
    free = np.repeat(1.0 - held, [half - (1 if planar else 3), 1 if planar else 3], axis=1).ravel()
    change = _nearest(mechanism, found.rate, free, 0.0).reshape(n, half)
    for place, step in zip(mechanism.places, change, strict=True):
        own = y[place.index * mechanism.stride : (place.index + 1) * mechanism.stride]
        if planar:
            own[3:6] += step[0], step[1], step[2] * place.inertia[2, 2]
        else:
            R = found.bodies[place.index, tables.R : tables.R + 9].reshape(3, 3)
            own[7:10] += step[:3]
            own[10:13] += R @ place.inertia @ R.T @ step[3:]
    configured(mechanism, y)


def _refuse_positions(mechanism: Mechanism, size: float) -> None:
    found, problems = mechanism.model.tables, []
    for k, joint in enumerate(mechanism.joints):
        first, after = mechanism.first[k], mechanism.first[k + 1]
        worst = float(np.abs(found.value[first:after]).max(initial=0.0))
        if worst <= ALLOWED * size:
            continue
        apart = float(np.linalg.norm(found.joints[k, tables.APART : tables.APART + 3]))
        finding = _finding(joint.kind, worst, apart, joint.one.name, joint.two.name)
        problems.append(Problem(joint.place, finding, _REMEDY))
    if problems:
        raise SceneError(problems)


def _finding(kind: str, worst: float, apart: float, one: str, two: str) -> str:
    if kind in ("ball-joint", "hinge", "glue") and apart > 0.0:
        return f'the points "{one}" and "{two}" are {apart:.3g} m apart at the start, but they are joined.'
    if kind == "slider":
        return f'"{two}" is {worst:.3g} (m or rad) beside the line at the start, which goes through "{one}" along axis.'
    if kind == "link":
        return f"its ends start {worst:.3g} m farther or nearer than its length allows."
    if kind in ("rolling", "sliding"):
        return f'"{two}" and "{one}" start {worst:.3g} m away from touching.'
    if kind == "drive":
        return f"the motion starts {worst:.3g} (rad or m) away from where the joint is, which counts as 0."
    return f"the start is off by {worst:.3g}."


def _refuse_velocities(mechanism: Mechanism) -> None:
    found, problems = mechanism.model.tables, []
    speed = max(float(np.abs(found.bodies[:, tables.V : tables.V + 3]).max(initial=0.0)),
                float(np.abs(found.bodies[:, tables.W : tables.W + 3]).max(initial=0.0)) * scene_size(mechanism),
                float(np.abs(found.drive).max(initial=0.0)))
    for k, joint in enumerate(mechanism.joints):
        worst = float(np.abs(found.rate[mechanism.first[k] : mechanism.first[k + 1]]).max(initial=0.0))
        if worst > ALLOWED * max(speed, 1e-9):
            what = "the motion contradicts the other joints" if joint.kind == "drive" else \
                "the start velocities contradict it"
            problems.append(Problem(joint.place, f"{what}: they miss it by {worst:.3g} m/s or rad/s.", _REMEDY))
    if problems:
        raise SceneError(problems)
