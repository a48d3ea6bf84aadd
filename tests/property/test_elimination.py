"""H y = b by elimination, conjugate gradients and sweeps, against dense NumPy on random graphs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.linalg import solveh_banded

import granum as gr
from dense import Dense, dense, rank
from granum.analytic.newton_euler import Model, Scratch, directions, prepare
from granum.analytic.redundancy import find_redundancy
from granum.base.kernels import Floats
from granum.linear import conjugate, factor, method, solve
from granum.linear.sweeps import sweep
from trusses import Shape, moving, shapes, truss, well_posed

# y is off by eps = 2e-16 times the condition number of H (here below 1e3) times a growth of order the links
ACCURACY = 1e-11


def prepared(found: Dense) -> tuple[Model, Scratch]:
    """Model and scratch of a scene with the directions of its start."""
    model, scratch = prepare(found.system)
    directions(model.links, found.state.x, scratch.n, scratch.distance)
    return model, scratch


def smallest_eigenvalue(found: Dense) -> float:
    """The smallest eigenvalue of H that is not zero; the largest is a few times the inverse mass, 2/kg."""
    return float(np.linalg.eigvalsh(found.H)[len(found.b) - found.rank :].min(initial=1.0))


def assert_solved(found: Dense, y: Floats, accuracy: float = ACCURACY) -> None:
    """H y = b, and the accelerations are the only ones possible (y itself may not be)."""
    assert_allclose(found.H @ y, found.b, rtol=0, atol=accuracy * (1.0 + np.abs(found.b).max(initial=0.0)))
    expected = found.accelerations(found.forces())
    assert_allclose(found.accelerations(y), expected, rtol=0, atol=accuracy * (1.0 + np.abs(expected).max()))


@st.composite
def chains(draw: st.DrawFn) -> gr.Scene:
    """One to three chains in one scene, free, hanging or between two points, and a loose body."""
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    dimension = draw(st.sampled_from([2, 3]))
    body: dict[str, gr.PointMass | gr.FixedPoint] = {"loose": gr.PointMass(mass=1.0)}
    start, link = {"loose": gr.Start(position=tuple(rng.normal(size=dimension)))}, {}
    for c in range(draw(st.integers(1, 3))):
        count = draw(st.integers(2, 7))
        for k in range(count):
            name, point = f"chain{c}-{k}", tuple(rng.uniform(-2.0, 2.0, dimension))
            if (k == 0 and draw(st.booleans())) or (0 < k == count - 1 > 1 and draw(st.booleans())):
                body[name] = gr.FixedPoint(position=point)
            else:
                body[name], start[name] = gr.PointMass(mass=rng.uniform(0.5, 2.0)), gr.Start(position=point)
            if k:
                link[f"link{c}-{k}"] = gr.Link(between=(f"chain{c}-{k - 1}", name))
    gravity = gr.Gravity(acceleration=tuple(rng.normal(size=dimension)))
    return moving(gr.Scene(body=body, start=start, link=link, load={"gravity": gravity}), rng)


@given(chains())
def test_chains_are_eliminated_from_both_ends(scene: gr.Scene) -> None:
    assume(well_posed(scene))
    found = dense(scene)
    model, scratch = prepared(found)
    assert model.elimination.kind == method.CHAIN
    y = np.zeros_like(found.b)
    assert factor(model.elimination, scratch.linear, scratch.n) == 0
    solve(model.elimination, scratch.linear, scratch.n, found.b, y)
    assert_allclose(y, found.forces(), rtol=0, atol=ACCURACY * (1.0 + np.abs(y).max()))


@pytest.mark.parametrize("count", [2, 3, 2049, 2050, 2051, 4200])
@pytest.mark.parametrize("dimension", [2, 3])
def test_long_chains_are_eliminated_in_blocks(count: int, dimension: int) -> None:
    """The fused evaluation works in blocks of 1024 from both ends; lengths around its limits."""
    rng = np.random.default_rng(count)
    points = np.cumsum(rng.normal(size=(count + 1, dimension)), axis=0)
    names = [f"b{k}" for k in range(count + 1)]
    scene = gr.Scene(
        body={name: gr.PointMass(mass=rng.uniform(0.5, 2.0)) for name in names[1:]}
        | {"b0": gr.FixedPoint(position=tuple(points[0]))},
        start={name: gr.Start(position=tuple(p), velocity=tuple(rng.normal(size=dimension)))
               for name, p in zip(names[1:], points[1:], strict=True)},
        link={f"l{k}": gr.Link(between=(names[k], names[k + 1])) for k in range(count)},
        load={"gravity": gr.Gravity(acceleration=tuple(rng.normal(size=dimension)))},
    )
    equations = gr.derive(scene)
    q, v = equations.start
    a, gamma = equations.accelerations(q, v), equations.link_forces(q, v)

    x = points.T
    speed = np.zeros_like(x)
    speed[:, 1:] = v.reshape(dimension, -1)
    weight = np.array([0.0] + [1.0 / scene.body[name].mass for name in names[1:]])
    n = np.diff(x) / np.linalg.norm(np.diff(x), axis=0)
    pull = np.outer(scene.load["gravity"].acceleration, weight > 0)
    square = (np.diff(speed) ** 2).sum(axis=0)
    b = square / np.linalg.norm(np.diff(x), axis=0) + (n * np.diff(pull)).sum(axis=0)
    band = np.zeros((2, count))
    band[1] = weight[:-1] + weight[1:]
    band[0, 1:] = -weight[1:-1] * (n[:, :-1] * n[:, 1:]).sum(axis=0)
    expected = solveh_banded(band, b)
    assert_allclose(gamma, expected, rtol=1e-9, atol=1e-11 * np.abs(expected).max())
    forces = np.zeros_like(x)
    forces[:, :-1] += n * expected
    forces[:, 1:] -= n * expected
    wanted = (weight * forces + pull)[:, 1:]
    assert_allclose(a.reshape(dimension, -1), wanted, rtol=0, atol=1e-10 * np.abs(wanted).max())


@given(shapes())
def test_graphs_are_factored_and_solved(shape: Shape) -> None:
    """Random positions: H is singular only where there are more links than freedoms."""
    found = dense(truss(shape))
    assume(smallest_eigenvalue(found) > 1e-2)
    model, scratch = prepared(found)
    y = np.zeros_like(found.b)
    assert factor(model.elimination, scratch.linear, scratch.n) == len(found.b) - found.rank
    solve(model.elimination, scratch.linear, scratch.n, found.b, y)
    assert_solved(found, y)


@given(shapes(grid=True, extra=10))
def test_redundant_links_are_as_many_as_the_rank_is_short(shape: Shape) -> None:
    """On a grid many links are parallel; without the links found the rank is the same and full."""
    found = dense(truss(shape))
    model, scratch = prepared(found)
    redundancy = find_redundancy(found.system, model, scratch, found.state.x)
    assert len(redundancy.links) == len(found.b) - found.rank
    kept = np.delete(np.arange(len(found.b)), redundancy.links)
    assert rank(found.J[kept] @ np.sqrt(found.W)) == found.rank == len(kept)
    assert sum(count for _, count in redundancy.parts) == len(redundancy.links)
    for links, count in redundancy.parts:
        # within a part every link carries self-stress: without any one of them the rank is the same
        part = found.J[list(links)] @ np.sqrt(found.W)
        assert rank(part) == len(links) - count
        for k in range(len(links)):
            assert rank(np.delete(part, k, axis=0)) == len(links) - count


@given(shapes(grid=True, extra=10))
def test_singular_systems_are_solved_and_forces_are_of_least_norm(shape: Shape) -> None:
    """γ = pinv(H) b, whatever links elimination left out."""
    scene = truss(shape)
    found = dense(scene)
    assume(smallest_eigenvalue(found) > 1e-3 and found.can_move)
    equations = gr.derive(scene)
    q, v = equations.start
    gamma = equations.link_forces(q, v)
    assert_allclose(gamma, found.forces(), rtol=0, atol=1e-10 * (1.0 + np.abs(gamma).max(initial=0.0)))
    a = found.accelerations(found.forces())[:, ~found.system.fixed].ravel()
    assert_allclose(equations.accelerations(q, v), a, rtol=0, atol=1e-10 * (1.0 + np.abs(a).max()))


@given(shapes(grid=True, extra=10))
def test_conjugate_gradients_solve_regular_and_singular_systems(shape: Shape) -> None:
    found = dense(truss(shape))
    assume(smallest_eigenvalue(found) > 1e-3 and found.can_move)
    model, scratch = prepared(found)
    graph, size = model.elimination.graph, len(found.b)
    y, body, work = np.zeros(size), np.zeros_like(found.state.x), conjugate.new_gradients(size)
    conjugate.diagonal(graph, work.inverse)
    assert_allclose(work.inverse, 1.0 / np.diag(found.H), rtol=1e-14)
    product, given = np.zeros(size), np.random.default_rng(shape.seed).normal(size=size)
    conjugate.apply(graph, scratch.n, given, body, product)
    assert_allclose(product, found.H @ given, rtol=0, atol=1e-13)
    rounds = conjugate.solve(graph, scratch.n, work, body, found.b, y)
    assert rounds < 20 * size + 100
    assert_solved(found, y)


def test_huge_nets_are_solved_by_conjugate_gradients(monkeypatch: pytest.MonkeyPatch) -> None:
    """A braced net in its plane, with the limit lowered instead of a net of 60 000 links; both ways agree."""
    net = gr.Net(rows=8, columns=9, spacing=0.3, position=(0.0, 0.0), across=(1.0, 0.1), down=(0.0, -1.0),
                 fixed="first-row", mass=0.2)
    scene = gr.Scene(pattern={"net": net}, load={"gravity": gr.Gravity(acceleration=(1.0, -9.81))})
    direct = gr.derive(scene)
    monkeypatch.setattr(method, "LARGEST_NET", 0)
    iterative = gr.derive(scene)
    assert direct.rectangular[0].elimination.kind == method.SPARSE
    assert iterative.rectangular[0].elimination.kind == method.ITERATIVE
    q, v = direct.start
    expected = direct.accelerations(q, v)
    assert_allclose(iterative.accelerations(q, v), expected, rtol=0, atol=1e-11 * np.abs(expected).max())
    assert gr.check(scene).degrees_of_freedom is None


@given(shapes(grid=True))
def test_a_sweep_is_gauss_seidel(shape: Shape) -> None:
    """(L + D) y' = b - U y with H = L + D + U (Sun 1996, eq. 5.2), and E C y is kept up to date on the way."""
    found = dense(truss(shape))
    model, scratch = prepared(found)
    graph = model.elimination.graph
    y = np.random.default_rng(shape.seed).normal(size=len(found.b))
    body, after = np.zeros_like(found.state.x), np.zeros_like(found.state.x)
    expected = np.linalg.solve(np.tril(found.H), found.b - np.triu(found.H, 1) @ y)
    conjugate.link_pull(graph, scratch.n, y, body)
    sweep(graph, scratch.n, found.b, y, body)
    assert_allclose(y, expected, rtol=0, atol=1e-12 * (1.0 + np.abs(expected).max(initial=0.0)))
    conjugate.link_pull(graph, scratch.n, y, after)
    assert_allclose(body, after, rtol=0, atol=1e-12 * (1.0 + np.abs(after).max()))
    assert_allclose(after.ravel(), -found.J.T @ y, rtol=0, atol=1e-12 * (1.0 + np.abs(after).max()))
