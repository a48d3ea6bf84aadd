"""The planar forms of Sun (1996) (3.61)-(3.84), corrected, assembled densely from incidence matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import granum as gr
from messages import says

G = np.array([0.3, -9.81])


def _hinged(rng: np.random.Generator, n: int) -> tuple[gr.Scene, np.ndarray, np.ndarray]:
    """A random tree of bodies with hinges, and tail and head body of each hinge (-1: ground)."""
    body: dict[str, Any] = {"ground": {"kind": "fixed-point", "position": (0.2, 0.1)}}
    constraint, start, tails = {}, {}, []
    for k in range(n):
        before = int(rng.integers(-1, k))
        tails.append(before)
        tail, head = rng.normal(size=2), rng.normal(size=2)
        body[f"b{k}"] = {"kind": "rigid-body", "mass": float(rng.uniform(0.5, 2)),
                         "inertia": float(rng.uniform(0.2, 1)),
                         "points": {"tail": tail.tolist(), "head": head.tolist()}}
        start[f"b{k}"] = {"angle": float(rng.uniform(-3, 3)), "angular_velocity": float(rng.normal())}
        end = "ground" if before < 0 else f"b{before}.head"
        constraint[f"h{k}"] = {"kind": "hinge", "between": (end, f"b{k}.tail")}
    load = {"gravity": {"kind": "gravity", "acceleration": G.tolist()},
            "torque": {"kind": "torque", "on": "b0", "torque": 1.7}}
    return gr.Scene(body=body, constraint=constraint, start=start, load=load), np.array(tails), np.arange(n)


@pytest.mark.parametrize("seed", range(5))
def test_hinged_trees_obey_the_newton_euler_equations_of_the_thesis(seed: int) -> None:
    """(3.80)-(3.82) with S_r, C_r in H, K, D₁, D₂ and the right side negated: reactions and angular accelerations."""
    rng, n = np.random.default_rng(seed), 5
    scene, tail, head = _hinged(rng, n)
    equations = gr.derive(scene, "newton-euler")
    q, v = equations.start
    E, C, S = np.zeros((n, n)), np.zeros((n, n)), np.zeros((n, n))
    for j, (a, b) in enumerate(zip(tail, head, strict=True)):
        for i, sign, point in ((a, 1.0, "head"), (b, -1.0, "tail")):
            if i >= 0:
                arm, angle = np.array(scene.body[f"b{i}"].points[point]), q[3 * i + 2]
                E[i, j] = sign
                C[i, j] = sign * (arm[0] * np.cos(angle) - arm[1] * np.sin(angle))
                S[i, j] = sign * (arm[0] * np.sin(angle) + arm[1] * np.cos(angle))
    m = np.array([scene.body[f"b{i}"].mass for i in range(n)])
    inertia = np.array([scene.body[f"b{i}"].inertia for i in range(n)])
    M, I, torque = np.diag(1 / m), np.diag(1 / inertia), np.eye(n)[0] * 1.7
    spin = v[2::3] ** 2
    V = E.T @ M @ E
    left = np.block([[V + S.T @ I @ S, -S.T @ I @ C], [-C.T @ I @ S, V + C.T @ I @ C]])
    right = -np.concatenate([E.T @ M @ (m * G[0]) - S.T @ I @ torque - C.T @ spin,
                             E.T @ M @ (m * G[1]) + C.T @ I @ torque - S.T @ spin])
    gamma = np.linalg.solve(left, right)
    found = equations.reactions(q, v)
    for j in range(n):  # γ acts on the tail, the reactions that are given on the head
        assert found[f"h{j}.force.x"] == pytest.approx(-gamma[j], abs=1e-10 * np.abs(gamma).max())
        assert found[f"h{j}.force.y"] == pytest.approx(-gamma[n + j], abs=1e-10 * np.abs(gamma).max())
    turning = I @ (-S @ gamma[:n] + C @ gamma[n:] + torque)
    assert equations.accelerations(q, v)[2::3] == pytest.approx(turning, abs=1e-9)


def _disks(friction: float | None, spins: list[float]) -> gr.Scene:
    """Three disks in a row, each on the next; they roll without slip, or slide."""
    radii, angles = [0.3, 0.2, 0.4], [0.4, 2.0]
    x, start = np.zeros(2), {}
    speed = np.array([0.1, -0.3])
    body = {f"d{k}": {"kind": "disk", "radius": r, "mass": 1.0 + k} for k, r in enumerate(radii)}
    for k in range(3):
        start[f"d{k}"] = {"position": x.tolist(), "velocity": speed.tolist(), "angular_velocity": spins[k]}
        if k < 2:
            rate, n = 0.7 - k, np.array([np.cos(angles[k]), np.sin(angles[k])])
            x = x + (radii[k] + radii[k + 1]) * n
            speed = speed + (radii[k] + radii[k + 1]) * rate * np.array([-n[1], n[0]])
    kind = {"kind": "rolling"} if friction is None else {"kind": "sliding", "friction": friction}
    constraint = {f"c{k}": {**kind, "body": f"d{k + 1}", "on": f"d{k}"} for k in range(2)}
    return gr.Scene(body=body, constraint=constraint, start=start,
                    load={"gravity": {"kind": "gravity", "acceleration": G.tolist()},
                          "torque": {"kind": "torque", "on": "d1", "torque": 0.9}})


@pytest.mark.parametrize("friction", [None, 0.0, 0.3])
def test_disks_in_contact_obey_the_equations_of_the_thesis(friction: float | None) -> None:
    """(3.61)-(3.64) with L θ̇ = L_rᵀ ψ̇: normal and tangential forces, angular accelerations, with and without slip."""
    r, m = np.array([0.3, 0.2, 0.4]), np.array([1.0, 2.0, 3.0])
    rate = np.array([0.7, -0.3])
    L, Lr = np.diag(r[:2] + r[1:]), np.array([[r[0], 0.0], [r[1], r[1]], [0.0, r[2]]])
    spins = [0.5, 0.0, 0.0]
    for k in range(2):  # no slip: spins follow from L θ̇ = L_rᵀ ψ̇
        spins[k + 1] = float((L[k, k] * rate[k] - r[k] * spins[k]) / r[k + 1])
    if friction is not None:
        spins = [2.0, -1.0, 1.5]
    equations = gr.derive(_disks(friction, spins), "newton-euler")
    q, v = equations.start
    E = np.array([[1.0, 0.0], [-1.0, 1.0], [0.0, -1.0]])
    C, S = np.diag(np.cos([0.4, 2.0])), np.diag(np.sin([0.4, 2.0]))
    V = E.T @ np.diag(1 / m) @ E
    H, K = C @ V @ C + S @ V @ S, S @ V @ C - C @ V @ S
    push = [E.T @ np.full(3, g) for g in G]
    F_n, F_t = C @ push[0] + S @ push[1], -S @ push[0] + C @ push[1]
    I, torque = np.diag(2 / (m * r * r)), np.array([0.0, 0.9, 0.0])
    if friction is None:
        rolling = Lr.T @ I
        left = np.block([[H, K], [K, -H - rolling @ Lr]])
        gamma = np.linalg.solve(left, np.concatenate([L @ rate**2 - F_n, rolling @ torque + F_t]))
    else:
        slip = L @ rate - Lr.T @ spins
        drag = -friction * np.diag(np.sign(slip))
        normal = np.linalg.solve(H + K @ drag, L @ rate**2 - F_n)
        gamma = np.concatenate([normal, drag @ normal])
    found = equations.reactions(q, v)
    for k in range(2):
        assert found[f"c{k}.normal"] == pytest.approx(-gamma[k], abs=1e-10)
        assert found[f"c{k}.friction"] == pytest.approx(abs(gamma[2 + k]), abs=1e-9)
    assert equations.accelerations(q, v)[2::3] == pytest.approx(I @ (Lr @ gamma[2:] + torque), abs=1e-9)


def test_disk_rolls_off_a_disk_where_it_must() -> None:
    """A disk that rolls on a fixed equal disk of great mass leaves at cos θ = 4/7 (from the energy and N = 0)."""
    scene = gr.Scene(
        body={"big": {"kind": "disk", "radius": 1.0, "mass": 1.0},
              "small": {"kind": "disk", "radius": 0.5, "mass": 1.0},
              "o": {"kind": "fixed-point", "position": (0.0, 0.0)}},
        start={"big": {"position": (0.0, 0.0), "angle": 0.0},
               "small": {"position": (1.5 * np.sin(0.01), 1.5 * np.cos(0.01))}},
        constraint={"pin": {"kind": "hinge", "between": ("o", "big")},
                    "brake": {"kind": "drive", "joint": "pin", "motion": "0*t"},
                    "roll": {"kind": "rolling", "body": "small", "on": "big"}},
        load={"g": {"kind": "gravity", "acceleration": (0.0, -9.81)}}, run={"tolerance": 1e-11})
    run = gr.simulate(scene, until=20.0, interval=0.05)
    assert run.event is not None
    says(run.event, "roll", '"small"', '"big"')
    x = run.position("small")[-1]
    cosine = x[1] / 1.5
    # ¾ m v² = m g R (cos θ₀ - cos θ) and m v²/R = m g cos θ
    assert cosine == pytest.approx(4 / 7 * np.cos(0.01), abs=1e-8)


def test_sliding_disk_comes_to_roll_when_it_must() -> None:
    """v₀ - μ g t meets 2 μ g t of a disk that does not turn at first: slip ends at t = v₀/3 μ g."""
    mu, v0 = 0.2, 1.5
    scene = gr.Scene(
        surface={"floor": {"equation": "Y"}}, body={"disk": {"kind": "disk", "radius": 0.3, "mass": 2.0}},
        constraint={"slide": {"kind": "sliding", "body": "disk", "on": "floor", "friction": mu}},
        start={"disk": {"position": (0.0, 0.3), "velocity": (v0, 0.0), "angular_velocity": 0.0}},
        load={"g": {"kind": "gravity", "acceleration": (0.0, -9.81)}}, run={"formulation": "newton-euler"})
    run = gr.simulate(scene, until=2.0)
    assert run.event is not None
    says(run.event, "slide", '"disk"', '"floor"')
    assert run.t[-1] == pytest.approx(v0 / (3 * mu * 9.81), rel=1e-9)
    assert run.velocity("disk")[-1, 0] == pytest.approx(2 / 3 * v0, rel=1e-9)
    assert run.energy_error < 1e-9
