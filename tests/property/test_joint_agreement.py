"""newton-euler of joints as arrays against `fundamental`, which writes the same scene as formulas."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import granum as gr


def _rotation(u: np.ndarray) -> np.ndarray:
    a, b, c, d = u
    return np.array([[1 - 2 * (c * c + d * d), 2 * (b * c - a * d), 2 * (b * d + a * c)],
                     [2 * (b * c + a * d), 1 - 2 * (b * b + d * d), 2 * (c * d - a * b)],
                     [2 * (b * d - a * c), 2 * (c * d + a * b), 1 - 2 * (b * b + c * c)]])


def random_tree(rng: np.random.Generator, count: int, kinds: tuple[str, ...], loops: int = 0) -> gr.Scene:
    """Bodies of random inertia, turned at random, hung on each other by random joints; links close loops."""
    body: dict[str, Any] = {"ground": {"kind": "fixed-point", "position": (0.1, -0.2, 0.3)}}
    start: dict[str, Any] = {}
    constraint: dict[str, Any] = {}
    link: dict[str, Any] = {}
    where: dict[str, np.ndarray] = {"ground": np.array([0.1, -0.2, 0.3])}
    for k in range(count):
        name, u = f"b{k}", rng.normal(size=4)
        u /= np.linalg.norm(u)
        tail, head = rng.normal(size=3) * 0.4, rng.normal(size=3) * 0.4
        A = rng.normal(size=(3, 3))
        second = A @ A.T + 0.2 * np.eye(3)
        inertia = np.trace(second) * np.eye(3) - second
        body[name] = {"kind": "rigid-body", "mass": float(rng.uniform(0.5, 2.0)), "inertia": inertia.tolist(),
                      "points": {"tail": tail.tolist(), "head": head.tolist()}}
        before = str(rng.choice(list(where)))
        x = where[before] - _rotation(u) @ tail
        start[name] = {"position": x.tolist(), "orientation": u.tolist()}
        kind = str(rng.choice(kinds))
        end = before if before == "ground" else f"{before}.head"
        if kind == "glue" and before == "ground":
            kind = "hinge"
        extra = {"axis": rng.normal(size=3).tolist()} if kind == "hinge" else {}
        constraint[f"j{k}"] = {"kind": kind, "between": (end, f"{name}.tail"), **extra}
        where[name] = x + _rotation(u) @ head
    for k in range(loops):
        a, b = rng.choice(list(where)[1:], 2, replace=False)
        link[f"l{k}"] = {"between": (f"{a}.head", f"{b}.head")}
    load = {"gravity": {"kind": "gravity", "acceleration": (0.3, -9.0, 1.0)},
            "push": {"kind": "force", "on": "b0.head", "force": (1.0, 2.0, -0.5)},
            "spring": {"kind": "spring", "between": ("ground", f"b{count - 1}.head"), "stiffness": 20.0,
                       "rest_length": 0.3, "damping": 1.5}}
    return gr.Scene(body=body, start=start, constraint=constraint, link=link, load=load)


def moving(scene: gr.Scene, rng: np.random.Generator) -> tuple[Any, np.ndarray, np.ndarray]:
    """newton-euler, and a state with random velocities that fit the joints."""
    wanted = {name: entry.model_copy(update={"velocity": tuple(rng.normal(size=3)),
                                             "angular_velocity": tuple(rng.normal(size=3))})
              for name, entry in scene.start.items()}
    free = scene.model_copy(update={"start": wanted}).with_run(project_start=True)
    equations = gr.derive(free, "newton-euler")
    return (equations, *equations.start)


@pytest.mark.parametrize("seed", range(6))
def test_trees_and_loops_agree_with_fundamental(seed: int) -> None:
    """Accelerations and reactions of random mechanisms in space, to 1e-10 of their size."""
    rng = np.random.default_rng(seed)
    scene = random_tree(rng, 4, ("ball-joint", "hinge", "glue"), loops=seed % 3)
    ours, q, v = moving(scene, rng)
    theirs = gr.derive(scene, "fundamental")
    assert ours.coordinates == theirs.coordinates
    a, b = ours.accelerations(q, v), theirs.accelerations(q, v)
    assert a == pytest.approx(b, rel=0, abs=1e-10 * np.abs(b).max())
    found, expected = ours.reactions(q, v), theirs.reactions(q, v)
    open_ones, size = ours.not_unique(q, v), max(map(abs, expected.values()))
    for name, value in expected.items():
        if name not in open_ones:
            assert found[name] == pytest.approx(value, rel=0, abs=1e-9 * size), name
