"""Loads on grains against closed forms, quadrature and books of energy."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad

from granum.base.errors import GranumError, SceneError
from granum.base.kernels import Floats
from granum.grains.loads.compile import GrainLoads, compile_loads
from granum.grains.loads.drag import outside_notes
from granum.grains.loads.flow import grid_flow, profile_factor, read_grid
from granum.grains.state import Grains
from granum.model.loads import Drag
from granum.model.scene import Scene
from messages import refused, says

RHO, C_D = 1.2, 0.47
NOBODY = np.zeros((0, 2), dtype=np.int32)


def grains(x: Any, v: Any, r: Any = 0.1, mass: Any = 0.3, kappa: float = 2.5) -> Grains:
    """Spheres (or disks, with kappa = 2) of the given state."""
    x, v = np.atleast_2d(np.asarray(x, dtype=float)), np.atleast_2d(np.asarray(v, dtype=float))
    count = len(x)
    place, motion = np.zeros((count, 4)), np.zeros((count, 8))
    place[:, : x.shape[1]], place[:, 3] = x, r
    motion[:, : v.shape[1]], motion[:, 3] = v, 1.0 / np.asarray(mass, dtype=float)
    motion[:, 7] = kappa * motion[:, 3]
    kind = np.zeros(count, dtype=np.int32)
    return Grains(0.0, place, motion, kind, np.arange(count), kind.copy())


def loads(dimension: int, folder: Path = Path(), body: tuple[str, ...] = (), **entries: dict[str, Any]) -> GrainLoads:
    """Loads of a scene that has nothing else."""
    bodies = {name: {"kind": "sphere", "radius": 0.1, "mass": 0.3} for name in body}
    return compile_loads(Scene(load=entries, body=bodies), dimension, folder)


def drag(**more: Any) -> dict[str, Any]:
    return {"kind": "drag", "density": RHO, "drag_coefficient": C_D, **more}


def kick(subject: GrainLoads, state: Grains, pairs: Any, h: float, work: Floats) -> None:
    """Change velocities, one load after the other, and add to the work of each what it adds to the kinetic energy."""
    for row, change in enumerate(subject.changes(state, pairs, h)):
        before = state.v[:, :3].copy()
        state.v[:, :3] += change
        work[row] += 0.5 * float(np.sum(state.mass[:, None] * (state.v[:, :3] - before) * (state.v[:, :3] + before)))


def advance(subject: GrainLoads, state: Grains, until: float, steps: int) -> Floats:
    """Kicks and nothing else, with gravity by the way; returns the work of each load."""
    work, h = np.zeros(len(subject.names)), until / steps
    for _ in range(steps):
        state.v[:, :3] += h * subject.gravity
        kick(subject, state, NOBODY, h, work)
        state.t += h
    return work


@pytest.mark.parametrize(("dimension", "kappa", "area"), [(3, 2.5, math.pi * 0.01), (2, 2.5, math.pi * 0.01),
                                                          (2, 2.0, 0.2)])
@pytest.mark.parametrize("steps", [1, 7, 1000])
def test_drag_in_uniform_flow_is_exact(dimension: int, kappa: float, area: float, steps: int) -> None:
    """A grain at rest reaches v = u c u t/(1 + c u t), for any number of steps and any direction of the flow."""
    u = np.array([3.0, -4.0, 1.0][:dimension])
    state = grains(np.zeros(dimension), np.zeros(dimension), kappa=kappa)
    work = advance(loads(dimension, wind=drag(velocity=u.tolist())), state, 2.5, steps)
    rate = 0.5 * RHO * area * C_D / 0.3 * np.linalg.norm(u) * 2.5
    np.testing.assert_allclose(state.v[0, :dimension], u * rate / (1.0 + rate), rtol=steps * 1e-15)
    assert work[0] == pytest.approx(state.kinetic_energy(), rel=steps * 1e-15)


def test_drag_never_overshoots() -> None:
    """However long the step, the relative velocity only shrinks; at a step of 1e12 s nothing of it is left."""
    state = grains([0.0, 0.0], [-50.0, 2.0])
    advance(loads(2, wind=drag(velocity=[3.0, 0.0])), state, 1e12, 1)
    np.testing.assert_allclose(state.v[0, :2], [3.0, 0.0], atol=1e-9)


def test_terminal_velocity() -> None:
    """Gravity and drag by turns settle where c w² + c g h w = g, and with shorter steps at sqrt(g/c) in first order."""
    c, g, errors = 0.5 * RHO * math.pi * 0.01 * C_D / 0.3, 9.81, []
    for h in (0.1, 0.05, 0.025):
        subject = loads(3, air=drag(velocity=[0.0, 0.0, 0.0]), g={"kind": "gravity", "acceleration": [0.0, 0.0, -g]})
        state = grains([0.0, 0.0, 0.0], [0.0, 0.0, 0.0])
        advance(subject, state, 2000 * h, 2000)
        assert -state.v[0, 2] == pytest.approx((-g * h + math.sqrt(g * g * h * h + 4.0 * g / c)) / 2.0, rel=1e-12)
        errors.append(math.sqrt(g / c) + state.v[0, 2])
    assert errors[0] / errors[1] == pytest.approx(2.0, abs=0.05)
    assert errors[1] / errors[2] == pytest.approx(2.0, abs=0.03)


def test_profiles_have_their_mean() -> None:
    """Means over a channel and over a round pipe are one, by quadrature; outside the walls nothing flows."""
    plane = quad(lambda d: profile_factor(2, abs(d), 0.2), -0.2, 0.2)[0] / 0.4
    pipe = quad(lambda d: profile_factor(3, d, 0.2) * 2.0 * math.pi * d, 0.0, 0.2)[0] / (math.pi * 0.04)
    assert (plane, pipe) == pytest.approx((1.0, 1.0), abs=1e-13)
    assert profile_factor(2, 0.0, 0.2) == 1.5
    assert profile_factor(3, 0.0, 0.2) == 2.0
    assert profile_factor(2, 0.21, 0.2) == 0.0


def test_profile_along_a_slanting_axis() -> None:
    """Uniform upstream of the beginning, parabolic in the distance from the axis, zero outside the walls."""
    direction, across = np.array([0.8, 0.6]), np.array([-0.6, 0.8])
    flow = drag(velocity=(5.0 * direction).tolist(), profile={"position": [1.0, 2.0], "half_width": 0.5,
                                                              "inlet": (np.array([1.0, 2.0]) + direction).tolist()})
    places = [(0.5, 0.3), (1.5, 0.0), (1.5, 0.3), (1.5, -0.3), (4.0, 0.6)]
    state = grains([np.array([1.0, 2.0]) + a * direction + b * across for a, b in places], np.zeros((5, 2)))
    advance(loads(2, stream=flow), state, 1e15, 1)  # so long that the grain has the velocity of the flow
    expected = [1.0, 1.5, 1.5 * (1 - 0.36), 1.5 * (1 - 0.36), 0.0]
    np.testing.assert_allclose(state.v[:, :2] @ direction, 5.0 * np.array(expected), rtol=1e-10)
    np.testing.assert_allclose(state.v[:, :2] @ across, 0.0, atol=1e-10)


def test_the_law_of_the_thesis_program() -> None:
    """With C_D = 0.1 and ρ = 1 g/cm³ the force is 0.05 π r² |v| v in cm, g, s, and the profile its 1.5 - 0.00375 y²."""
    flow = {"kind": "drag", "density": 1000.0, "drag_coefficient": 0.1, "velocity": [0.05, 0.0],
            "profile": {"position": [0.0, 0.0], "half_width": 0.2, "inlet": [-0.1, 0.0]}}
    state, h = grains([[0.3, 0.07], [-0.2, 0.07]], [[0.01, 0.0], [0.01, 0.0]], r=0.034, mass=0.18), 1e-7
    before = state.v.copy()
    advance(loads(2, stream=flow), state, h, 1)
    flowing = np.array([5.0 * (1.5 - 0.00375 * 7.0**2), 5.0])
    force = -0.05 * math.pi * 3.4**2 * (1.0 - flowing) * np.abs(1.0 - flowing)  # g cm/s²
    np.testing.assert_allclose((state.v - before)[:, 0] / h * 0.18, force * 1e-5, rtol=1e-7)


def write_grid(file: Path, axes: list[Floats], field: Any, header: str = "") -> list[str]:
    """A file with velocities on a grid, its points in no order; returns its lines."""
    points = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, len(axes))
    lines = [",".join(repr(float(number)) for number in (*p, *field(p))) for p in points]
    np.random.default_rng(3).shuffle(lines)
    file.write_text("\n".join([header, *lines]) + "\n")
    return lines


@pytest.mark.parametrize("dimension", [2, 3])
def test_grid_reproduces_linear_fields(dimension: int, tmp_path: Path) -> None:
    """Between the points of a grid a linear field is exact; beyond the grid it is that of the nearest edge."""
    rng = np.random.default_rng(5)
    matrix, offset = rng.normal(size=(dimension, dimension)), rng.normal(size=dimension)
    axes = [np.linspace(-1.0, 2.0, 4 + k) for k in range(dimension)]
    write_grid(tmp_path / "f.csv", axes, lambda p: matrix @ p + offset)
    grid = read_grid(tmp_path / "f.csv", dimension)
    for _ in range(200):
        p = rng.uniform(-2.0, 3.0, dimension)
        *found, outside = grid_flow(*grid, *p, *[7.0] * (3 - dimension))
        inside = np.clip(p, -1.0, 2.0)
        np.testing.assert_allclose(found[:dimension], matrix @ inside + offset, atol=1e-14)
        assert outside == bool(np.any(p != inside))


def test_grids_as_programs_write_them(tmp_path: Path) -> None:
    """Few digits, single precision, remarks and an axis with one value are all read as the grid that is meant."""
    thirds = "\n".join(["# made by hand", "", *(f"5.0, {y:.3f}, {y}, 0" for y in (0.0, 1 / 3, 2 / 3, 1.0))])
    (tmp_path / "f.csv").write_text(thirds)
    grid = read_grid(tmp_path / "f.csv", 2)
    assert grid.size.tolist() == [1, 4, 1]
    assert grid_flow(*grid, -77.0, 0.5, 0.0) == (pytest.approx(0.5, abs=1e-14), 0.0, 0.0, 0)
    noise = np.random.default_rng(2).uniform(-1e-8, 1e-8, (12, 2))
    points = np.stack(np.meshgrid(np.arange(4) * 0.1, np.arange(3) * 0.1, indexing="ij"), axis=-1).reshape(-1, 2)
    (tmp_path / "g.csv").write_text("\n".join(f"{x!r},{y!r},1,2" for x, y in (points + noise).tolist()))
    assert read_grid(tmp_path / "g.csv", 2).size.tolist() == [4, 3, 1]


def test_grains_outside_a_grid_are_noted(tmp_path: Path) -> None:
    """Drag from a file moves grains as the field says, and says how many were outside."""
    write_grid(tmp_path / "f.csv", [np.linspace(0.0, 1.0, 3), np.linspace(0.0, 1.0, 3)], lambda p: (p[1], 0.0),
               "x [m], y [m], u [m/s], v [m/s]")
    subject = loads(2, tmp_path, wind=drag(velocity_field="f.csv"))
    state = grains([[0.5, 0.25], [0.5, 7.0], [-1.0, 0.5]], np.zeros((3, 2)))
    advance(subject, state, 1e15, 1)
    np.testing.assert_allclose(state.v[:, 0], [0.25, 1.0, 0.5], rtol=1e-10)
    assert subject.outside.tolist() == [2]
    (note,) = outside_notes("wind", Drag(density=RHO, drag_coefficient=C_D, velocity_field="f.csv"), 2)
    says(note, "load.wind", "2 grains", "f.csv")


@pytest.mark.parametrize("kappa", [2.0, 2.5], ids=["disk", "sphere"])
def test_no_step_is_too_long_for_drag_with_a_viscosity(kappa: float) -> None:
    """A grain at rest never becomes faster than the stream, though k h is from 1e-3 to 1e25; it gets there at last."""
    subject = loads(2, water={"kind": "drag", "density": 1e3, "kinematic_viscosity": 1e-6, "velocity": [0.3, 0.4]})
    for h in (1e-6, 1e-2, 1.0, 1e15):
        state = grains(np.zeros((3, 2)), np.zeros((3, 2)), r=[1e-6, 1e-3, 0.1], mass=[1e-14, 1e-5, 5.0], kappa=kappa)
        advance(subject, state, h, 1)
        speed = np.linalg.norm(state.v[:, :2], axis=1)
        assert np.all(speed > 0.0) and np.all(speed <= 0.5 * (1.0 + 1e-15))
    np.testing.assert_allclose(speed, 0.5, rtol=1e-14)


def test_a_velocity_across_the_axis_of_a_profile_is_the_same_everywhere() -> None:
    """3/2 (1 - y²/h²) of the mean velocity along the axis, and all of the velocity across it, also at the wall."""
    subject = loads(2, Path(), wind=drag(velocity=[2.0, 0.3], profile={
        "position": [0.0, 0.0], "axis": [5.0, 0.0], "half_width": 0.5, "inlet": [1.0, 9.0]}))
    state = grains([[2.0, 0.25], [2.0, 0.5], [0.5, 0.25]], np.zeros((3, 2)))
    advance(subject, state, 1e15, 1)
    np.testing.assert_allclose(state.v[:, :2], [[2.25, 0.3], [0.0, 0.3], [2.0, 0.3]], rtol=1e-10, atol=1e-14)


GRID = ["0,0,1,0", "1,0,1,0", "2,0,1,0", "0,1,1,0", "1,1,1,0", "2,1,1,0"]


@pytest.mark.parametrize(("lines", "names"), [
    ([*GRID[:4], GRID[5]], ["5 points", "3 by 2 = 6", "(1, 1)"]),
    (GRID[:5], ["5 points", "(2, 1)"]),
    ([*GRID, "1,0,3,0"], ["line 7", "(1, 0)", "line 2"]),
    ([*GRID[:3], "0,1,1", *GRID[4:]], ["line 4", "3 columns", "x, y, u, v"]),
    ([*GRID[:3], "0,1,one,0", *GRID[4:]], ["line 4", "'one'"]),
    (["0,O,1,0", *GRID[1:]], ["line 1", "'O'"]),
    ([*GRID[:3], "0,1,nan,0", *GRID[4:]], ["line 4", "'nan'"]),
    ([*GRID, "4,0,1,0", "4,1,1,0"], ["line 7", "x = 4 m", "2 m after 2 m", "1 m"]),
    (["y,x,u,v", *GRID], ["line 1", "y, x, u, v", "order"]),
    (["x;y;u;v", "0;0;1;0"], ["line 2", "1 column"]),
    (["x,y,u,v"], []),
])
def test_bad_grids_are_refused_with_line_and_figure(lines: list[str], names: list[str], tmp_path: Path) -> None:
    (tmp_path / "f.csv").write_text("\n".join(lines))
    with refused(SceneError, "load.wind.velocity_field", "f.csv", *names):
        loads(2, tmp_path, wind=drag(velocity_field="f.csv"))


def test_force_on_one_grain() -> None:
    """A force acts on its body wherever that stands among the rows, and on nothing once it is gone."""
    subject = loads(2, body=("a", "b"), push={"kind": "force", "on": "b", "force": [0.6, -0.3]})
    state = grains(np.zeros((3, 2)), [[1.0, 0.0], [2.0, 0.0], [3.0, 0.0]])
    state.permute(np.array([2, 1, 0]))
    work = advance(subject, state, 2.0, 4)
    # four steps, each rounded once or twice: 1e-15
    np.testing.assert_allclose(state.v[:, :2], [[3.0, 0.0], [2.0 + 4.0, -2.0], [1.0, 0.0]], rtol=1e-14)
    assert work[0] == pytest.approx(0.15 * (36.0 + 4.0 - 4.0), rel=1e-14)  # ½ m (v⁺² - v²)
    state.permute(np.array([0, 2]))
    assert advance(subject, state, 1.0, 1)[0] == 0.0


def test_field_against_its_closed_form() -> None:
    """Formulas of place, velocity, time, mass and radius give what the same formulas give in NumPy, grain by grain."""
    rng = np.random.default_rng(1)
    state = grains(rng.normal(size=(20, 3)), rng.normal(size=(20, 3)), r=rng.uniform(0.1, 0.2, 20),
                   mass=rng.uniform(0.1, 2.0, 20))
    state.t = 0.7
    (x, y, z, r), m, v = state.x.T, state.mass, state.v.copy()
    expected = np.array([-m * x + math.sin(0.7) * y, v[:, 2] * r - 0.7 * z, v[:, 0] * v[:, 1] / m]).T
    subject = loads(3, push={"kind": "force-field", "force": ["-m*x + sin(t)*y", "vz*r - t*z", "vx*vy/m"]})
    work = np.zeros(1)
    before = state.kinetic_energy()
    kick(subject, state, NOBODY, 1e-2, work)
    np.testing.assert_allclose(state.v[:, :3], v[:, :3] + 1e-2 * expected / m[:, None], rtol=1e-14)
    assert work[0] == pytest.approx(state.kinetic_energy() - before, rel=1e-12)


def test_field_makes_an_oscillator() -> None:
    """Kicks by -k x and drifts in turn follow the oscillator to second order once the first kick is halved."""
    subject = loads(2, spring={"kind": "force-field", "force": ["-4*m*x", "0"]})
    errors = []
    for steps in (200, 400):
        state, h, work = grains([1.0, 0.0], [0.0, 0.0]), 1.0 / steps, np.zeros(1)
        for k in range(steps + 1):
            kick(subject, state, NOBODY, h if 0 < k < steps else h / 2, work)
            state.x[:, :3] += (h if k < steps else 0.0) * state.v[:, :3]
        errors.append(abs(state.x[0, 0] - math.cos(2.0)))
        assert work[0] == pytest.approx(state.kinetic_energy(), rel=1e-12)
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.02)


def test_all_loads_together_keep_the_books() -> None:
    """The sum of all works is the change of the kinetic energy, to 1e-13 of what is turned over."""
    rng = np.random.default_rng(8)
    subject = loads(
        2, body=("a",), push={"kind": "force", "on": "a", "force": [3.0, 1.0]},
        wind=drag(velocity=[3.0, 1.0], shadow=True, min_exposure=0.1),
        twist={"kind": "force-field", "force": ["-y", "x - vy"]},
        stream=drag(velocity=[-1.0, 0.0], profile={"position": [0.0, 0.0], "half_width": 2.0}))
    state = grains(rng.normal(size=(50, 2)), rng.normal(size=(50, 2)), r=0.2)
    pairs = rng.permutation(50).reshape(25, 2).astype(np.int32)
    work, before, turned = np.zeros(4), state.kinetic_energy(), 0.0
    for _ in range(100):
        last = work.copy()
        kick(subject, state, pairs, 0.01, work)
        turned += np.abs(work - last).sum()
    assert subject.names == ("push", "wind", "twist", "stream")
    assert np.all(work != 0.0)
    assert abs(state.kinetic_energy() - before - work.sum()) < 1e-13 * turned


def test_gravity_is_summed_and_left_to_the_stepper() -> None:
    subject = loads(2, a={"kind": "gravity", "acceleration": [0.0, -9.81]},
                    b={"kind": "gravity", "acceleration": [1.0, 0.0]})
    assert subject.names == ()
    np.testing.assert_array_equal(subject.gravity, [1.0, -9.81, 0.0])


@pytest.mark.parametrize(("load", "names"), [
    ({"kind": "force", "on": "bal", "force": [0.0, 1.0]}, ["load.it.on", '"bal"', "ball"]),
    ({"kind": "force", "on": "ball", "force": [0.0, 1.0, 2.0]}, ["load.it.force", "3 components", "2-D"]),
    ({"kind": "gravity", "acceleration": [0.0, 1.0, 2.0]}, ["load.it.acceleration", "3 components"]),
    ({"kind": "force-field", "force": ["x", "q*y"]}, ["load.it.force.1", ">>q<<", "vx"]),
    ({"kind": "force-field", "force": ["z", "y"]}, ["load.it.force.0", ">>z<<"]),
    ({"kind": "force-field", "force": ["x", "y", "0"]}, ["load.it.force", "3 components"]),
    ({"kind": "force-field", "force": ["x = 1", "y"]}, ["load.it.force.0", "="]),
    (drag(velocity=[0.0, 0.0], profile={"position": [0.0, 0.0], "half_width": 1.0}), ["load.it.velocity", "zero"]),
    (drag(velocity=[0.0, 0.0, 1.0]), ["load.it.velocity", "3 components"]),
    (drag(velocity_field="nowhere.csv"), ["load.it.velocity_field", "nowhere.csv"]),
])
def test_mistakes_are_refused_with_their_place(load: dict[str, Any], names: list[str]) -> None:
    with refused(SceneError, *names):
        loads(2, body=("ball", "box"), it=load)


def test_a_formula_without_value_is_told() -> None:
    """A force that is not a number stops with load, grain, time and place, and leaves that grain as it was."""
    subject = loads(2, push={"kind": "force-field", "force": ["sqrt(x)", "0"]})
    state = grains([[1.0, 0.0], [-2.0, 0.5]], np.zeros((2, 2)))
    state.t = 0.25
    with refused(GranumError, "load.push.force", "t = 0.25 s", "grain 1", "(-2, 0.5) m"):
        kick(subject, state, NOBODY, 0.1, np.zeros(1))
    np.testing.assert_array_equal(state.v[1, :3], 0.0)
