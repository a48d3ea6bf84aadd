"""Any two formulations that apply to a system agree: in accelerations of bodies, and in reactions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import granum as gr
import rigid
from granum.analytic import System, consistent, derive
from granum.analytic.build import build
from granum.analytic.expressed_equations import ExpressedEquations
from granum.analytic.result import Equations
from granum.base.kernels import Floats
from trusses import Shape, shapes, truss, well_posed

ACCURACY = 1e-10
G = 9.81
BY_LINKS = ("newton-euler", "lagrange", "scalar")
BY_FORMULAS = ("fundamental", "gibbs-appell", "virtual-work")
FEW = settings(max_examples=6)
"""Every new system is compiled."""
SEEDS = st.integers(0, 2**32 - 1)


def assert_agree(
    found: Floats, expected: Floats, what: str, accuracy: float = ACCURACY, least: float = 1e-3,
) -> None:
    """Equal relative to the largest value; `least` is a size that values of zero are the difference of."""
    assert_allclose(found, expected, rtol=0, atol=accuracy * (least + np.abs(expected).max(initial=0.0)), err_msg=what)


def body_accelerations(equations: Equations, scene: gr.Scene) -> dict[str, Floats]:
    """Accelerations of the movable point masses by name, whatever the coordinates."""
    q, v = equations.start
    a = equations.accelerations(q, v)
    if isinstance(equations, ExpressedEquations):
        names = list(equations.coordinates)
        return {name[:-2]: a[k : k + len([n for n in names if n[:-2] == name[:-2]])]
                for k, name in enumerate(names) if name.endswith(".x")}
    system = equations.system  # type: ignore[attr-defined]
    h = 1e-3
    # along the parabola q + h v + h²/2 a the second difference of positions is their acceleration, but for O(h²)
    at = {s: equations.to_state(q + s * h * v + s * s * h * h / 2 * a, v).x for s in (-2, -1, 0, 1, 2)}  # type: ignore[attr-defined]
    second = (-at[2] + 16 * at[1] - 30 * at[0] + 16 * at[-1] - at[-2]) / (12 * h * h)
    return {system.body_name(k).replace("-", "_"): second[:, k] for k in np.flatnonzero(~system.fixed)}


def assert_scene_agrees(scene: gr.Scene) -> None:
    """All formulations of point masses and links; reactions to 1e-10, accelerations of bodies likewise."""
    exact = gr.derive(scene, "newton-euler")
    q, v = exact.start
    system = exact.system  # type: ignore[attr-defined]
    moving = np.flatnonzero(~system.fixed)
    table = exact.accelerations(q, v).reshape(system.dimension, -1)
    expected = {system.body_name(int(k)).replace("-", "_"): table[:, n] for n, k in enumerate(moving)}
    forces = exact.reactions(q, v)
    for formulation in (*BY_LINKS, *BY_FORMULAS):
        if formulation == "lagrange" and system.dimension == 3:
            continue
        equations = gr.derive(scene, formulation)
        found = body_accelerations(equations, scene)
        assert found.keys() == expected.keys()
        # differences of positions carry the rounding errors of 1e-16/h²
        accuracy = ACCURACY if isinstance(equations, ExpressedEquations) else 1e-8
        assert_agree(np.array([found[k] for k in expected]), np.array(list(expected.values())), formulation, accuracy)
        reactions = equations.reactions(*equations.start)
        assert_agree(np.array([reactions[k] for k in forces]), np.array(list(forces.values())), formulation)


@FEW
@given(shapes(dimensions=(2, 3), extra=0, springs=0))
def test_trees_of_point_masses(shape: Shape) -> None:
    scene = truss(shape)
    assume(well_posed(scene))
    assert_scene_agrees(scene)


@FEW
@given(shapes(dimensions=(2, 3), extra=0, springs=3))
def test_trees_with_springs(shape: Shape) -> None:
    """Dampers too: forces that have no potential."""
    scene = truss(shape)
    assume(well_posed(scene))
    assert_scene_agrees(scene)


def four_bar(angles: Sequence[float], rate: float) -> gr.Scene:
    """Two masses between two fixed points, closed; the start follows from the angles of the first two links."""
    one = np.array([np.cos(angles[0]), np.sin(angles[0])])
    two = one + 1.3 * np.array([np.cos(angles[1]), np.sin(angles[1])])
    far = np.array([2.2, 0.1])
    across, last = two - one, two - far
    v_one = rate * np.array([-one[1], one[0]])
    # the speed of the second mass keeps both of its links
    v_two = np.linalg.solve(np.array([across, last]), [across @ v_one, 0.0])
    return gr.Scene(
        body={"left": gr.FixedPoint(position=(0.0, 0.0)), "right": gr.FixedPoint(position=tuple(far)),
              "one": gr.PointMass(mass=1.2), "two": gr.PointMass(mass=0.7)},
        link={"a": gr.Link(between=("left", "one")), "b": gr.Link(between=("one", "two")),
              "c": gr.Link(between=("two", "right"))},
        load={"gravity": gr.Gravity(acceleration=(0.0, -G))},
        start={"one": gr.Start(position=tuple(one), velocity=tuple(v_one)),
               "two": gr.Start(position=tuple(two), velocity=tuple(v_two))})


@FEW
@given(st.floats(0.5, 2.2), st.floats(-0.6, 0.6), st.floats(-3.0, 3.0))
def test_closed_four_bar(first: float, second: float, rate: float) -> None:
    scene = four_bar((first, second), rate)
    assume(well_posed(scene))
    assert_scene_agrees(scene)


SURFACES = {"plane": "Z", "slope": "Z - 0.3*X", "bowl": "Z - 0.2*(X**2 + 2*Y**2)", "wave": "Z - 0.1*sin(2*X)*cos(Y)"}


@cache
def rolling(surface: str, body: str) -> dict[str, Equations]:
    """Equations of a round body on a surface, derived once."""
    kinds: dict[str, Any] = {
        "ball": gr.Sphere(radius=0.1, mass=1.5),
        "shell": gr.TwoHalfShell(radius=0.12, inner_radius=0.1, density=(9000.0, 3000.0))}
    scene = gr.Scene(body={"ball": kinds[body]}, surface={"ground": gr.Surface(equation=SURFACES[surface])},
                     constraint={"rolls": gr.Rolling(body="ball", on="ground")},
                     load={"gravity": gr.Gravity(acceleration=(0.0, 0.0, -G))},
                     start={"ball": gr.Start(contact=(0.3, -0.2), velocity=(0.4, 0.3), spin=2.0)})
    return {name: gr.derive(scene, name) for name in ("fundamental", "lagrange", *BY_FORMULAS[1:])}


@settings(max_examples=5)
@pytest.mark.parametrize("body", ["ball", "shell"])
@pytest.mark.parametrize("surface", SURFACES)
@given(data=st.data())
def test_rolling(surface: str, body: str, data: Any) -> None:
    """Any place, attitude and velocity of rolling, with and without spin."""
    ways = rolling(surface, body)
    system = ways["fundamental"].system  # type: ignore[attr-defined]
    number = st.floats(-1.0, 1.0)
    u = np.array(data.draw(st.tuples(*[number] * 4)))
    assume(np.linalg.norm(u) > 0.1)
    u = u / np.linalg.norm(u)
    place = data.draw(st.tuples(number, number))
    given_q = {f"ball.u{k}": float(u[k]) for k in range(4)} | {"ball.contact.x": place[0], "ball.contact.y": place[1]}
    speed = dict(zip(("ball.centre.x_dot", "ball.centre.y_dot"), data.draw(st.tuples(number, number)), strict=True))
    turning = {f"ball.u{k}_dot": data.draw(number) for k in range(4)}  # as far as rolling allows
    q, v = consistent(system, {**given_q, **speed}, guess={"ball.centre.z": 0.5, "ball.z": 0.5, **turning})
    expected = ways["fundamental"].accelerations(q, v)
    names = list(ways["fundamental"].reactions(q, v))
    reactions = np.array(list(ways["fundamental"].reactions(q, v).values()))
    for name, equations in ways.items():
        assert_agree(equations.accelerations(q, v), expected, name, least=G)
        assert_agree(np.array([equations.reactions(q, v)[k] for k in names]), reactions, name, least=G)


def random_rotation(rng: np.random.Generator) -> tuple[Floats, Floats]:
    """A random quaternion and its matrix."""
    u = rng.normal(size=4)
    u /= np.linalg.norm(u)
    a, v = u[0], u[1:]
    return u, (a * a - v @ v) * np.eye(3) + 2.0 * np.outer(v, v) + 2.0 * a * rigid.skew(v)


def random_inertia(rng: np.random.Generator) -> Floats:
    """That of some points: any that a body can have."""
    points = rng.normal(size=(5, 3))
    return sum((p @ p * np.eye(3) - np.outer(p, p) for p in points), np.zeros((3, 3))) * 0.05


Jointed = tuple[gr.Scene, rigid.Motion, list[rigid.Joint], Floats, Floats]


def jointed(rng: np.random.Generator, kinds: Sequence[str]) -> Jointed:
    """A chain of rigid bodies from the ground, each joined to the one before, in a random state that fits."""
    n = len(kinds)
    mass, inertia = rng.uniform(0.5, 2.0, n), np.array([random_inertia(rng) for _ in range(n)])
    x, R, v, omega = np.zeros((n, 3)), np.zeros((n, 3, 3)), np.zeros((n, 3)), rng.normal(size=(n, 3))
    body: dict[str, Any] = {"ground": gr.FixedPoint(position=(0.0, 0.0, 0.0))}
    constraint: dict[str, Any] = {}
    joints, start, out = [], {}, np.zeros(3)
    for b, kind in enumerate(kinds):
        u, R[b] = random_rotation(rng)
        tail, head = rng.normal(size=3) * 0.5, rng.normal(size=3) * 0.5
        before = np.zeros(3) if b == 0 else x[b - 1] + R[b - 1] @ out
        moving = np.zeros(3) if b == 0 else v[b - 1] + np.cross(omega[b - 1], R[b - 1] @ out)
        carried = np.zeros(3) if b == 0 else omega[b - 1]
        axis = rng.normal(size=3)
        axis /= np.linalg.norm(axis)
        if kind == "hinge":
            omega[b] = carried + axis * rng.normal()
        elif kind == "glue":
            omega[b] = carried
        x[b] = before - R[b] @ tail
        v[b] = moving - np.cross(omega[b], R[b] @ tail)
        ends = ("ground" if b == 0 else f"b{b - 1}.head", f"b{b}.tail")
        joints.append(rigid.Joint(b - 1, b, np.zeros(3) if b == 0 else out, tail, ball=True))
        if kind == "hinge":
            constraint[f"j{b}"] = gr.Hinge(between=ends, axis=tuple(axis))
        elif kind == "glue":
            constraint[f"j{b}"] = gr.Glue(between=ends)
        else:
            constraint[f"j{b}"] = gr.BallJoint(between=ends)
        body[f"b{b}"] = gr.RigidBody(mass=mass[b], inertia=inertia[b].tolist(),
                                     points={"tail": tuple(tail), "head": tuple(head)})
        start[f"b{b}"] = gr.Start(position=tuple(x[b]), velocity=tuple(v[b]), orientation=tuple(u),
                                  angular_velocity=tuple(omega[b]))
        out = head
    scene = gr.Scene(body=body, constraint=constraint, start=start,
                     load={"gravity": gr.Gravity(acceleration=(0.0, 0.0, -G))})
    return scene, rigid.Motion(x, R, v, omega), joints, mass, inertia


def centre_accelerations(equations: Equations, names: Sequence[str]) -> Floats:
    """(bodies, 3) accelerations of mass centres."""
    a = dict(zip(equations.coordinates, equations.accelerations(*equations.start), strict=True))
    return np.array([[a[f"{name}.{axis}"] for axis in "xyz"] for name in names])


@settings(max_examples=3)
@given(SEEDS, st.integers(1, 3))
def test_bodies_on_ball_joints(seed: int, count: int) -> None:
    """Every way agrees with Newton and Euler in rotation matrices, in accelerations and joint forces."""
    rng = np.random.default_rng(seed)
    scene, motion, joints, mass, inertia = jointed(rng, ["ball"] * count)
    force = np.outer(mass, [0.0, 0.0, -G])
    expected, _, forces = rigid.accelerations(mass, inertia, joints, motion, force)
    names = [f"b{b}" for b in range(count)]
    for formulation in ("lagrange", *BY_FORMULAS):
        equations = gr.derive(scene, formulation)
        assert_agree(centre_accelerations(equations, names), expected, formulation)
        reactions = equations.reactions(*equations.start)
        found = np.array([[reactions[f"j{b}.{axis}"] for axis in "xyz"] for b in range(count)])
        # the reaction of a joint is the force on its second body
        assert_agree(np.abs(found), np.abs(np.array(forces)), formulation)


@settings(max_examples=2)
@given(SEEDS, st.lists(st.sampled_from(["ball", "hinge", "glue"]), min_size=1, max_size=2))
def test_bodies_on_joints_of_all_kinds(seed: int, kinds: list[str]) -> None:
    """All ways agree, and momentum: the reactions at the ground carry what the bodies do not take up."""
    scene, _, _, mass, _ = jointed(np.random.default_rng(seed), ["hinge", *kinds])
    names = [f"b{b}" for b in range(len(kinds) + 1)]
    ways = {name: gr.derive(scene, name) for name in ("lagrange", *BY_FORMULAS)}
    expected = centre_accelerations(ways["fundamental"], names)
    labels = list(ways["fundamental"].reactions(*ways["fundamental"].start))
    reactions = ways["fundamental"].reactions(*ways["fundamental"].start)
    for name, equations in ways.items():
        assert_agree(centre_accelerations(equations, names), expected, name)
        found = equations.reactions(*equations.start)
        assert_agree(np.array([found[k] for k in labels]), np.array([reactions[k] for k in labels]), name, 1e-9)
    ground = np.array([reactions[f"j0.force.{axis}"] for axis in "xyz"])
    assert_agree(mass @ expected, ground + mass.sum() * np.array([0.0, 0.0, -G]), "momentum")


@settings(max_examples=2)
@given(SEEDS)
def test_two_glued_bodies_are_one(seed: int) -> None:
    """Mass centre and inertia of the whole by Steiner; it turns about the ground on a ball joint."""
    rng = np.random.default_rng(seed)
    scene, motion, _, mass, inertia = jointed(rng, ["ball", "glue"])
    centre = mass @ motion.x / mass.sum()
    whole = np.zeros((3, 3))
    for b in range(2):
        d = motion.x[b] - centre
        whole += motion.R[b] @ inertia[b] @ motion.R[b].T + mass[b] * (d @ d * np.eye(3) - np.outer(d, d))
    omega = motion.omega[0]
    one = rigid.Motion(centre[None], np.eye(3)[None], np.cross(omega, centre)[None], omega[None])
    joint = rigid.Joint(-1, 0, np.zeros(3), -centre, ball=True)
    expected, _, _ = rigid.accelerations(np.array([mass.sum()]), whole[None], [joint], one,
                                              np.array([[0.0, 0.0, -G * mass.sum()]]))
    for formulation in BY_FORMULAS:
        equations = gr.derive(scene, formulation)
        found = mass @ centre_accelerations(equations, ["b0", "b1"]) / mass.sum()
        assert_agree(found, expected[0], formulation)
        reactions = equations.reactions(*equations.start)
        assert_agree(np.array([reactions[f"j0.{axis}"] for axis in "xyz"]), mass.sum() * (expected[0] + [0.0, 0.0, G]),
                     formulation)


@settings(max_examples=2)
@given(SEEDS, st.integers(1, 3))
def test_clumps_linked_at_their_spheres(seed: int, count: int) -> None:
    """A chain of clumps on rods from sphere to sphere, against Newton and Euler."""
    rng = np.random.default_rng(seed)
    body: dict[str, Any] = {"ground": gr.FixedPoint(position=(0.0, 0.0, 0.0))}
    start, link, joints = {}, {}, []
    x, R, v, omega = np.zeros((count, 3)), np.zeros((count, 3, 3)), np.zeros((count, 3)), rng.normal(size=(count, 3))
    mass, inertia, arms = np.zeros(count), np.zeros((count, 3, 3)), []
    for b in range(count):
        clump = gr.Clump(spheres=[gr.Part(centre=tuple(rng.normal(size=3) * 0.3), radius=0.1 + 0.1 * rng.uniform(),
                                                 mass=rng.uniform(0.3, 1.0)) for _ in range(3)])
        properties = clump.properties()
        mass[b], inertia[b] = properties.mass, properties.inertia
        arms.append({k: np.array(p) for k, p in clump.fixed_points().items()})
        u, R[b] = random_rotation(rng)
        rod, near = rng.normal(size=3), arms[b]["1"]
        before = np.zeros(3) if b == 0 else x[b - 1] + R[b - 1] @ arms[b - 1]["2"]
        moving = np.zeros(3) if b == 0 else v[b - 1] + np.cross(omega[b - 1], R[b - 1] @ arms[b - 1]["2"])
        x[b] = before + rod - R[b] @ near
        v[b] = moving + np.cross(rng.normal(size=3), rod) - np.cross(omega[b], R[b] @ near)
        body[f"c{b}"] = clump
        start[f"c{b}"] = gr.Start(position=tuple(x[b]), velocity=tuple(v[b]), orientation=tuple(u),
                                  angular_velocity=tuple(omega[b]))
        link[f"rod{b}"] = gr.Link(between=("ground" if b == 0 else f"c{b - 1}.2", f"c{b}.1"))
        joints.append(rigid.Joint(b - 1, b, np.zeros(3) if b == 0 else arms[b - 1]["2"], near))
    scene = gr.Scene(body=body, link=link, start=start, load={"gravity": gr.Gravity(acceleration=(0.0, 0.0, -G))})
    expected, _, forces = rigid.accelerations(mass, inertia, joints, rigid.Motion(x, R, v, omega),
                                              np.outer(mass, [0.0, 0.0, -G]))
    for formulation in ("lagrange", *BY_FORMULAS):
        equations = gr.derive(scene, formulation)
        assert_agree(centre_accelerations(equations, list(start)), expected, formulation)
        reactions = equations.reactions(*equations.start)
        assert_agree(np.array([reactions[f"rod{b}"] for b in range(count)]), np.concatenate(forces), formulation)


def random_system(rng: np.random.Generator, n: int, singular: bool, dependent: bool) -> System:
    """Random T (quadratic, with M(q) that varies), V, and constraints of all kinds."""
    names = [f"q{k}" for k in range(n)]
    terms = []
    # squares of random rates make a positive semidefinite M; with fewer of them than coordinates it is singular
    for _ in range(n - 1 if singular else n + 1):
        c, d = rng.normal(size=(2, n))
        inner = " + ".join(f"({float(a)!r} + {0.2 * float(e)!r}*sin({name}))*{name}_dot"
                           for a, e, name in zip(c, d, names, strict=True))
        terms.append(f"0.5*({inner})**2")
    c = rng.normal(size=(5, n))
    moving = " + ".join(f"{float(a)!r}*{name}*t" for a, name in zip(c[0], names, strict=True))
    potential = " + ".join(f"{float(a)!r}*cos({name} + 1)" for a, name in zip(c[1], names, strict=True))
    held = " + ".join(f"{float(a)!r}*{name} + 0.1*{name}**2" for a, name in zip(c[2], names, strict=True))
    shaken = " + ".join(f"{float(a)!r}*sin({name})" for a, name in zip(c[3], names, strict=True)) + " - 0.3*cos(2*t)"
    slips = " + ".join(f"({float(a)!r} + 0.3*cos({names[k - 1]}))*{name}_dot"
                       for k, (a, name) in enumerate(zip(c[4], names, strict=True))) + " - 0.2*t"
    constraints: dict[str, Any] = {"held": held, "shaken": shaken, "slips": slips}
    if dependent:
        constraints |= {"again": f"2.5*({held}) - ({shaken})", "slips-too": f"-3*({slips})"}
    return System(names, kinetic=" + ".join(terms), potential=f"{potential} + {moving}", constraints=constraints,
                  forces={name: f"-0.3*{name}_dot" for name in names})


@settings(max_examples=6)
@given(SEEDS, st.integers(4, 6), st.booleans(), st.booleans())
def test_random_formulas(seed: int, n: int, singular: bool, dependent: bool) -> None:
    """Singular masses, moving constraints of position and velocity, dependent rows: four ways and plain algebra."""
    rng = np.random.default_rng(seed)
    system = random_system(rng, n, singular, dependent)
    try:
        q, v = consistent(system, {}, guess=dict(zip(system.coordinates, 0.3 * rng.normal(size=n), strict=True)), t=0.4)
    except gr.GranumError:
        assume(False)
    ways = {name: derive(system, name) for name in ("fundamental", "lagrange", *BY_FORMULAS[1:])}
    M, Q, A, b = ways["fundamental"].matrices(q, v, 0.4)  # type: ignore[attr-defined]
    N = np.linalg.svd(A)[2][np.linalg.matrix_rank(A, 1e-8) :].T
    inner = np.linalg.eigvalsh(N.T @ M @ N)
    assume(inner[0] > 1e-3 * inner[-1] and np.linalg.svd(A[:3])[1][-1] > 1e-2)
    particular = np.linalg.lstsq(A, b, rcond=1e-10)[0]
    expected = particular + N @ np.linalg.solve(N.T @ M @ N, N.T @ (Q - M @ particular))
    force = M @ expected - Q
    for name, equations in ways.items():
        assert_agree(equations.accelerations(q, v, 0.4), expected, name, 1e-9)
        reactions = np.array([equations.reactions(q, v, 0.4)[row.name] for row in system.rows])
        assert_agree(A.T @ reactions, force, name, 1e-9)


def test_built_scene_has_the_coordinates_of_its_bodies() -> None:
    """What the comparisons above rely on."""
    built = build(four_bar((1.0, 0.2), 1.0))
    assert built.system.coordinates == ("one.x", "one.y", "two.x", "two.y")
