"""H y = b by every method against dense algebra, on random graphs, singular ones included."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import granum as gr
from granum.analytic import newton_euler
from granum.analytic.redundancy import find_redundancy, jacobian, least_norm
from granum.base.kernels import Floats
from granum.linear import choose, conjugate, factor, solve, sweeps
from granum.linear.method import ITERATIVE, _workspace
from granum.system import System, compile_scene


@st.composite
def random_scenes(draw: st.DrawFn, dimension: int | None = None, loops: int = 4) -> gr.Scene:
    """A connected graph of masses and one fixed point at random places, with some links beyond a tree."""
    size = dimension or draw(st.sampled_from([2, 3]))
    count = draw(st.integers(1, 9))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    names = ["ground", *(f"m{k}" for k in range(count))]
    pairs = {(int(random.integers(k)), k) for k in range(1, count + 1)}
    for _ in range(draw(st.integers(0, loops))):
        a, b = sorted(random.choice(count + 1, 2, replace=False).tolist())
        pairs.add((a, b))
    position = random.normal(size=(count + 1, size))
    ends = [pair if random.random() < 0.5 else pair[::-1] for pair in sorted(pairs)]
    bodies: dict[str, gr.PointMass | gr.FixedPoint] = {"ground": gr.FixedPoint(position=tuple(position[0]))}
    bodies |= {name: gr.PointMass(mass=float(random.uniform(0.5, 2.0))) for name in names[1:]}
    return gr.Scene(
        body=bodies, link={f"l{k}": gr.Link(between=(names[a], names[b])) for k, (a, b) in enumerate(ends)},
        start={name: gr.Start(position=tuple(p)) for name, p in zip(names[1:], position[1:], strict=True)},
        load={"gravity": gr.Gravity(acceleration=tuple(random.normal(size=size))),
              "spring": gr.Spring(between=("ground", names[-1]), stiffness=3.0, rest_length=0.5, damping=0.2)},
    )


def dense(system: System, x: Floats) -> tuple[Floats, Floats]:
    """H and the directions, straight from (3.39) with the incidence matrix."""
    arm = x[:, system.links.head] - x[:, system.links.tail]
    n = arm / np.linalg.norm(arm, axis=0)
    E = np.zeros((system.body_count, system.link_count))
    E[system.links.tail, np.arange(system.link_count)] = 1.0
    E[system.links.head, np.arange(system.link_count)] -= 1.0
    V = E.T @ np.diag(system.bodies.weight) @ E
    return sum(np.diag(row) @ V @ np.diag(row) for row in n), n


@given(random_scenes(), st.booleans())
def test_every_method_solves_what_dense_algebra_solves(scene: gr.Scene, iterative: bool) -> None:
    """H y = b for b in the range of H, residual at round-off, however singular H is; its rank is found."""
    system, state = compile_scene(scene)
    H, n = dense(system, state.x)
    b = H @ np.random.default_rng(1).normal(size=system.link_count)
    elimination, work = choose(system)
    if iterative:
        elimination = elimination._replace(kind=ITERATIVE)
        work = _workspace(system, elimination)
    y = np.zeros(system.link_count)
    dropped = factor(elimination, work, n)
    solve(elimination, work, n, b, y)
    size = np.abs(H).max() * max(1.0, np.abs(y).max())
    assert H @ y == pytest.approx(b, abs=1e-9 * size)
    values = np.linalg.eigvalsh(H)
    clear = values[(values > 1e-9 * values[-1])]
    # nearly singular draws are not decided by rounding alone; where the gap is clear, the rank is exact
    if not iterative and clear[0] > 1e-5 * values[-1]:
        assert dropped == system.link_count - len(clear)


@settings(suppress_health_check=[HealthCheck.filter_too_much])
@given(random_scenes(loops=1))
def test_sweeps_converge_to_the_same(scene: gr.Scene) -> None:
    """Gauss-Seidel on a symmetric positive matrix always converges; sweeps keep the sums on the bodies."""
    system, state = compile_scene(scene)
    H, n = dense(system, state.x)
    values = np.linalg.eigvalsh(H)
    assume(values[0] > 1e-2 * values[-1])
    b = np.random.default_rng(2).normal(size=system.link_count)
    y, body = np.zeros(system.link_count), np.zeros_like(state.x)
    for _ in range(3000):
        sweeps.sweep(system.bodies.weight, system.links.tail, system.links.head, n, b, y, body)
    assert H @ y == pytest.approx(b, abs=1e-9)
    again = np.zeros_like(body)
    conjugate.link_pull(system.links.tail, system.links.head, n, y, again)
    assert body == pytest.approx(again, abs=1e-9 * max(1.0, np.abs(y).max()))


@given(random_scenes())
def test_least_norm_is_the_pseudoinverse(scene: gr.Scene) -> None:
    """Among all link forces that do the same, those reported are pinv(Jᵀ) applied to the pull on the bodies."""
    system, state = compile_scene(scene)
    model, scratch = newton_euler.prepare(system)
    find_redundancy(system, model, scratch, state.x)
    J = jacobian(system, scratch.n).toarray()
    some = np.random.default_rng(3).normal(size=system.link_count)
    expected = np.linalg.pinv(J.T, rcond=1e-9) @ (J.T @ some)
    assert least_norm(system, scratch.n, some) == pytest.approx(expected, abs=1e-8)


@settings(suppress_health_check=[HealthCheck.filter_too_much])
@given(random_scenes(dimension=2))
def test_two_formulations_agree_in_any_state(scene: gr.Scene) -> None:
    """Accelerations and link forces of lagrange and newton-euler, trees and loops, springs and dampers, to 1e-10."""
    one, other = gr.derive(scene, "newton-euler"), gr.derive(scene, "lagrange")
    system = one.system
    q, _ = other.start
    state = other.to_state(q, np.zeros_like(q))
    directions = jacobian(system, dense(system, state.x)[1]).toarray()
    values = np.linalg.svd(directions, compute_uv=False)
    kept = values[values > 1e-9 * values[0]]
    assume(kept[-1] > 1e-2)  # near a singular position both lose digits, each its own
    # a velocity that no link resists: the projection of a random one
    random = np.random.default_rng(4).normal(size=directions.shape[1])
    random -= np.linalg.pinv(directions, rcond=1e-9) @ (directions @ random)
    state.v[:, ~system.fixed] = random.reshape(-1, 2).T
    q, w = other.from_state(state)
    Q, V = one.from_state(state)
    other.accelerations(q, w)
    scale = 1.0 + np.abs(one.accelerations(Q, V)).max()
    bodies = other.scratch.a[:, ~system.fixed].ravel()  # type: ignore[attr-defined]
    assert bodies == pytest.approx(one.accelerations(Q, V), abs=1e-10 * scale)
    assert other.link_forces(q, w) == pytest.approx(one.link_forces(Q, V), abs=1e-9 * scale)


@settings(suppress_health_check=[HealthCheck.filter_too_much])
@given(random_scenes(dimension=2), st.floats(0.0, 6.3))
def test_rotation_and_relabelling_change_nothing(scene: gr.Scene, angle: float) -> None:
    """Turn everything and name it in another order: accelerations turn along, link forces stay."""
    system, state = compile_scene(scene)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])

    def turned(vector: tuple[float, ...]) -> tuple[float, ...]:
        return tuple(turn @ np.asarray(vector))

    gravity, spring = scene.load["gravity"], scene.load["spring"]
    assert isinstance(gravity, gr.Gravity)
    other = gr.Scene(
        body={name: body if isinstance(body, gr.PointMass) else gr.FixedPoint(position=turned(body.position))
              for name, body in reversed(scene.body.items())},
        link=dict(reversed(scene.link.items())),
        start={name: gr.Start(position=turned(start.position or ())) for name, start in scene.start.items()},
        load={"gravity": gr.Gravity(acceleration=turned(gravity.acceleration)), "spring": spring},
    )
    values = np.linalg.eigvalsh(dense(system, state.x)[0])
    assume(values[0] > 1e-4 * values[-1])
    one, two = gr.derive(scene), gr.derive(other)
    a = dict(zip(one.coordinates, one.accelerations(*one.start), strict=True))
    b = dict(zip(two.coordinates, two.accelerations(*two.start), strict=True))
    scale = 1.0 + max(map(abs, a.values()))
    for name in scene.start:
        expected = turn @ [a[f"x({name})"], a[f"y({name})"]]
        assert [b[f"x({name})"], b[f"y({name})"]] == pytest.approx(expected, abs=1e-9 * scale)
    forces, others = one.reactions(*one.start), two.reactions(*two.start)
    assert others == pytest.approx(forces, abs=1e-9 * scale * 10)
