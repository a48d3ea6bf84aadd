"""Disks, ellipsoids and cylinders that roll, and surfaces that move, against closed forms and against formulas."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import granum as gr
from messages import refused, says

G = 9.81
DOWN = {"gravity": gr.Gravity(acceleration=(0.0, 0.0, -G))}
EXAMPLES = Path(__file__).parents[2] / "examples"
WORK = 1e-9
"""Work that is integrated along has an error of 1e-12 in each of fewer than 1000 steps."""
BOTH = pytest.mark.parametrize("formulation", ["fundamental", "newton-euler"])


def rolls(body: gr.Body, start: gr.Start, surface: str = "Z", load: dict[str, Any] | None = None,
          motion: gr.Motion | None = None, **more: Any) -> gr.Scene:
    """A body on a surface."""
    return gr.Scene(surface={"ground": gr.Surface(equation=surface, motion=motion)}, body={"body": body},
                    constraint={"roll": gr.Rolling(body="body", on="ground", **more)}, load=load or DOWN,
                    start={"body": start})


def simulate(scene: gr.Scene, until: float, formulation: str = "fundamental", **settings: Any) -> gr.Run:
    return gr.simulate(scene, until=until, formulation=formulation, tolerance=1e-12, **settings)


def about(axis: int, angle: float) -> tuple[float, ...]:
    """The quaternion of a rotation about an inertial axis."""
    u = [math.cos(angle / 2.0), 0.0, 0.0, 0.0]
    u[1 + axis] = math.sin(angle / 2.0)
    return tuple(u)


# ---- a coin

R = 0.1
COIN = gr.Disk(radius=R, mass=2.0)


def coin(lean: float, precession: float, axial: float, **more: Any) -> gr.Scene:
    """A coin whose axle points to -y and up by `lean`; ω = Ω cos θ u + ω₃ e, u from the contact to the centre."""
    c, s = math.cos(lean), math.sin(lean)
    u, e = np.array([0.0, s, c]), np.array([0.0, -c, s])
    w = precession * c * u + axial * e
    return rolls(COIN, gr.Start(position=(0.0, 0.0, R * c), orientation=about(0, math.pi / 2.0 - lean),
                                angular_velocity=tuple(w.tolist())), **more)


@BOTH
def test_a_coin_precesses_steadily(formulation: str) -> None:
    """Moments about the centre, which goes round in a circle of radius r ω₃/Ω: with I = m r²/4 and C = m r²/2,

    Ω² sin θ cos θ/4 - 3/2 ω₃ Ω cos θ = (g/r) sin θ. Some 500 steps of 1e-12 leave 1e-9 with room.
    """
    lean, Omega = 0.5, 6.0
    c, s = math.cos(lean), math.sin(lean)
    axial = (Omega**2 * s * c / 4.0 - G / R * s) / (1.5 * Omega * c)
    run = simulate(coin(lean, Omega, axial), 2.0, formulation, interval=0.05)
    round_, start = -R * axial / Omega, Omega * run.t  # r ω₃ e × u is along -x at the start
    x = np.column_stack([round_ * np.sin(start), round_ * (1.0 - np.cos(start)), np.full_like(start, R * c)])
    np.testing.assert_allclose(run.position("body"), x, rtol=0, atol=1e-9)
    # the weight, and what keeps the centre on its circle: F = m (a + g), |a| = r ω₃ Ω
    np.testing.assert_allclose(run.reaction("roll").normal, 2.0 * G, rtol=1e-8)
    np.testing.assert_allclose(run.reaction("roll").friction, 2.0 * abs(R * axial * Omega), rtol=1e-8)
    assert run.energy_error < 1e-11


@BOTH
def test_a_coin_keeps_its_energy_and_does_not_slip(formulation: str) -> None:
    """In free motion; both formulations agree to what 1e-12 leaves of 300 steps."""
    run = simulate(coin(0.4, 3.0, -8.0), 2.0, formulation, interval=0.5)
    other = simulate(coin(0.4, 3.0, -8.0), 2.0, "gibbs-appell", interval=0.5)
    assert run.energy_error < 1e-11
    assert np.ptp(run.position("body")[:, 2]) > 1e-3
    np.testing.assert_allclose(run.position("body"), other.position("body"), rtol=0, atol=1e-9)


@pytest.mark.parametrize("faster", [0.5, 0.99, 1.01, 2.0])
def test_a_coin_stays_upright_above_its_critical_speed(faster: float) -> None:
    """s² = 4/5 (g/r - 3 w²): it falls unless w² > g/3r."""
    w = math.sqrt(faster * G / (3.0 * R))
    modes = gr.linearize(coin(0.0, 0.0, w)).modes
    s = np.sqrt(complex(0.8 * (G / R - 3.0 * w * w)))
    assert np.abs(modes - s).min() < 1e-8 and np.abs(modes + s).min() < 1e-8
    assert (modes.real.max() > 0.1) == (faster < 1.0)


def test_a_coin_leaves_a_ridge() -> None:
    """Upright over a cylinder of radius a: 3/4 v² + g (a + r) cos φ is kept, N = 0 where v² = g (a + r) cos φ."""
    a, v = 0.9, 0.5
    start = gr.Start(position=(0.0, 0.0, a + R), orientation=about(0, math.pi / 2.0), velocity=(v, 0.0, 0.0),
                     angular_velocity=(0.0, v / R, 0.0))
    run = simulate(rolls(COIN, start, f"X**2 + Z**2 - {a}**2"), 3.0)
    assert run.event is not None and run.t[-1] < 3.0
    says(run.event, "body")
    expected = (4.0 + 3.0 * v**2 / (G * (a + R))) / 7.0
    assert run.position("body")[-1, 2] / (a + R) == pytest.approx(expected, abs=1e-9)
    assert run.reaction("roll").normal[0] == pytest.approx(2.0 * (G - v**2 / (a + R)), rel=1e-12)


@BOTH
def test_a_coin_that_topples_leaves_the_table(formulation: str) -> None:
    """About its contact: 5/8 r θ̇² = g (cos θ₀ - cos θ), N = m (g + z̈) = 0 where 12 c² - 8 c₀ c + 1 = 0, c = cos θ."""
    lean = 0.3
    run = simulate(coin(lean, 0.0, 0.0), 1.0, formulation)
    c = (8.0 * math.cos(lean) + math.sqrt(64.0 * math.cos(lean) ** 2 - 48.0)) / 24.0
    assert run.event is not None
    says(run.event, "body")
    assert run.position("body")[-1, 2] == pytest.approx(R * c, abs=1e-9)


@BOTH
def test_a_coin_that_lies_flat_is_refused(formulation: str) -> None:
    with refused(gr.SceneError, '"body"', '"ground"'):
        simulate(rolls(COIN, gr.Start(position=(0.0, 0.0, 0.0))), 0.1, formulation)


def test_a_disk_of_a_density_is_refused_in_three_dimensions() -> None:
    scene = coin(0.0, 0.0, 1.0)
    dense = scene.model_copy(update={"body": {"body": gr.Disk(radius=R, density=1000.0)}})
    with refused(gr.SceneError, "body.body.density", "1 m"):
        simulate(dense, 0.1)


# ---- ellipsoids

@BOTH
def test_the_rattleback_as_a_body_is_that_of_formulas(formulation: str) -> None:
    """Against examples/rattleback.toml, which eliminates the contact by hand; it has rattled for 3 s then."""
    formulas = gr.simulate(gr.load(EXAMPLES / "rattleback.toml"), until=3.0, interval=0.5, tolerance=1e-12)
    run = simulate(gr.load(EXAMPLES / "rattleback-body.toml"), 3.0, formulation, interval=0.5)
    way = run.position("stone") - run.position("stone")[0]  # where it starts on the table is a guess
    np.testing.assert_allclose(way[:, :2], np.column_stack([formulas.coordinate("x"), formulas.coordinate("y")]),
                               rtol=0, atol=2e-9)
    assert run.energy_error < 1e-10


def test_an_ellipsoid_of_equal_semi_axes_rolls_as_a_sphere() -> None:
    """On a bowl with dimples: two models of the contact, one motion."""
    bowl = "Z - 0.04*sin(5*X) - 0.3*(X**2 + Y**2)"
    start = gr.Start(contact=(0.4, 0.1), velocity=(0.3, -0.5), spin=2.0)
    ball, egg = (simulate(rolls(body, start, bowl), 1.0, interval=0.1) for body in (
        gr.Sphere(radius=R, mass=1.5), gr.Ellipsoid(semi_axes=(R, R, R), mass=1.5)))
    np.testing.assert_allclose(egg.position("body"), ball.position("body"), rtol=0, atol=1e-10)
    for part in ("normal", "friction"):
        one, two = (getattr(run.reaction("roll"), part) for run in (ball, egg))
        np.testing.assert_allclose(two, one, rtol=0, atol=1e-8)


def test_an_egg_touches_a_bowl_where_normals_oppose() -> None:
    """The contact lies on both surfaces, with opposite normals; no torque acts there, and the energy is kept."""
    axes = np.array([0.12, 0.08, 0.06])
    scene = rolls(gr.Ellipsoid(semi_axes=tuple(axes), density=900.0), gr.Start(
        contact=(0.3, 0.1), velocity=(0.2, 0.4), spin=1.0, orientation=(0.8, 0.36, 0.48, 0.0)),
        "Z - 0.5*X**2 - 0.8*Y**2")
    run = simulate(scene, 1.0, interval=0.1)
    contact = np.column_stack([run.coordinate(f"body.contact.{axis}") for axis in "xyz"])
    u = np.column_stack([run.coordinate(f"body.u{k}") for k in range(4)])
    for x, p, (a, *b) in zip(run.position("body"), contact, u, strict=True):
        tilde = np.array([[0, -b[2], b[1]], [b[2], 0, -b[0]], [-b[1], b[0], 0]])
        S = np.eye(3) + 2 * a * tilde + 2 * tilde @ tilde
        own = S.T @ (p - x)
        assert np.sum((own / axes) ** 2) == pytest.approx(1.0, abs=1e-9)
        assert p[2] == pytest.approx(0.5 * p[0] ** 2 + 0.8 * p[1] ** 2, abs=1e-11)
        outward, up = S @ (own / axes**2), np.array([-p[0], -1.6 * p[1], 1.0])
        assert outward @ up / np.linalg.norm(outward) / np.linalg.norm(up) == pytest.approx(-1.0, abs=1e-12)
    equations: Any = gr.derive(scene, "fundamental")
    found = equations.reactions(*equations.start)
    assert max(abs(found[f"roll.torque.{axis}"]) for axis in "xyz") < 1e-12 * found["roll.normal"]
    assert run.energy_error < 1e-11


def test_an_ellipsoid_with_a_mass_centre_of_its_own_needs_its_inertia() -> None:
    with refused(gr.SceneError, "mass_centre", "inertia"):
        gr.Ellipsoid(semi_axes=(0.2, 0.1, 0.1), mass=1.0, mass_centre=(0.0, 0.0, -0.01))


def tumbling(lying: bool, rate: float) -> gr.Scene:
    """An ellipsoid end over end about y, with its long axis along x or upright."""
    height = 0.06 if lying else 0.12
    return rolls(gr.Ellipsoid(semi_axes=(0.12, 0.1, 0.06), mass=1.0), gr.Start(
        position=(0.0, 0.0, height), orientation=about(1, 0.0 if lying else math.pi / 2.0),
        angular_velocity=(0.0, rate, 0.0), velocity=(rate * height, 0.0, 0.0)))


@BOTH
def test_an_upright_ellipsoid_that_rolls_too_fast_leaves_the_plane(formulation: str) -> None:
    """Its centre has the height √(a² sin² + b² cos²): upright it falls with w² (a² - b²)/a."""
    a, b = 0.12, 0.06
    fast = math.sqrt(G * a / (a * a - b * b))
    run = simulate(tumbling(False, math.sqrt(0.9) * fast), 0.01, formulation)
    assert run.reaction("roll").normal[0] == pytest.approx(0.1 * G, rel=1e-10)
    with refused(gr.SceneError, "body"):
        simulate(tumbling(False, math.sqrt(1.1) * fast), 0.01, formulation)


def test_both_formulations_see_an_ellipsoid_leave_the_plane() -> None:
    """Before it stands upright, at the same instant."""
    runs = [simulate(tumbling(True, 22.0), 1.0, formulation) for formulation in ("fundamental", "newton-euler")]
    for run in runs:
        assert run.event is not None and run.t[-1] < 0.1
        assert run.reaction("roll").normal[-1] == pytest.approx(0.0, abs=1e-7)
    assert runs[0].t[-1] == pytest.approx(runs[1].t[-1], abs=1e-10)


# ---- cylinders

LOG = gr.Rod(length=0.6, radius=0.1, mass=3.0)
"""Along x; solid, so that it rolls with 3/2 of its mass."""


@BOTH
@pytest.mark.parametrize("heading", [0.0, 0.4])
def test_a_cylinder_rolls_down_an_incline(formulation: str, heading: float) -> None:
    """Only straight ahead, across its axis: with 2/3 of the slope of gravity in that direction."""
    slope = 0.3
    load = {"gravity": gr.Gravity(acceleration=(0.0, -G * math.sin(slope), -G * math.cos(slope)))}
    start = gr.Start(position=(0.0, 0.0, 0.1), orientation=about(2, heading))
    run = simulate(rolls(LOG, start, load=load), 1.0, formulation, interval=0.25)
    ahead = np.array([math.sin(heading), -math.cos(heading), 0.0])
    way = 0.5 * 2.0 / 3.0 * G * math.sin(slope) * math.cos(heading) * run.t**2
    np.testing.assert_allclose(run.position("body") - [0.0, 0.0, 0.1], way[:, None] * ahead, rtol=0, atol=1e-11)
    np.testing.assert_allclose(run.reaction("roll").normal, 3.0 * G * math.cos(slope), rtol=1e-10)


@BOTH
@pytest.mark.parametrize(("force", "tips"), [(0.9, False), (1.1, True)])
def test_a_cylinder_tips_over_its_end(formulation: str, force: float, tips: bool) -> None:
    """A force up at one end of the line of contact: all the weight is at the other for half the weight."""
    lift = 0.5 * force * 3.0 * G
    scene = rolls(LOG, gr.Start(position=(0.0, 0.0, 0.1)), load={
        **DOWN, "lift": gr.Force(on="body.head", force=(0.0, 0.0, lift))})
    if not tips:
        assert simulate(scene, 0.1, formulation).finished
        return
    with refused(gr.SceneError, "body"):
        simulate(scene, 0.1, formulation)


def test_a_cylinder_balances_on_a_sphere() -> None:
    """Along its axis it rocks with ω² = m g (a - r)/(I + m r²), across it falls with s² = 2/3 g/(a + r)."""
    a, r = 0.5, 0.1
    scene = rolls(LOG, gr.Start(position=(0.0, 0.0, a + r)), f"X**2 + Y**2 + Z**2 - {a}**2")
    modes = gr.linearize(scene).modes
    across = 3.0 * (3.0 * r * r + 0.6**2) / 12.0
    rocks = math.sqrt(3.0 * G * (a - r) / (across + 3.0 * r * r))
    falls = math.sqrt(2.0 / 3.0 * G / (a + r))
    assert np.abs(modes - 1j * rocks).min() < 1e-9 and np.abs(modes - falls).min() < 1e-9


def test_a_cylinder_in_a_groove_of_its_own_direction_is_refused() -> None:
    """It touches along a line that is not straight ahead on a plane: where, is not determined."""
    scene = rolls(LOG, gr.Start(position=(0.0, 0.0, 0.1)), "Z - Y**2")
    with pytest.raises(gr.SceneError) as told:
        simulate(scene, 0.1)
    says(told.value.problems[-1].finding, "body")


# ---- surfaces that move

def test_a_sphere_rolls_down_an_incline_at_five_sevenths_of_a_block() -> None:
    """5/7 g sin(30 deg) down the slope, y; nothing across it, x; the spin about the normal stays (3.11)."""
    run = gr.simulate(gr.load(EXAMPLES / "incline.toml"), interval=0.25)
    position = run.position("ball")
    assert np.abs(position[:, 1] - 0.5 * 5.0 / 7.0 * 4.905 * run.t**2).max() < 1e-9
    assert np.abs(position[:, 0] - 0.5 * run.t).max() < 1e-9


def test_a_ball_circles_on_a_turntable_at_two_sevenths_of_its_rate() -> None:
    """v̇ = 2/7 Ω × v: circles, wherever the axis is; the table does the work that the energy needs."""
    Omega, v = 4.0, (0.3, 0.1)
    run = simulate(gr.load(EXAMPLES / "turntable.toml"), 5.5, interval=0.25)
    rate = 2.0 / 7.0 * Omega
    angle = rate * run.t
    x = np.column_stack([0.2 + (v[0] * np.sin(angle) - v[1] * (1.0 - np.cos(angle))) / rate,
                         (v[0] * (1.0 - np.cos(angle)) + v[1] * np.sin(angle)) / rate])
    np.testing.assert_allclose(run.position("ball")[:, :2], x, rtol=0, atol=1e-10)
    assert np.ptp(run.energy.kinetic) > 1e-3 and run.energy_error < WORK


def test_a_ball_in_a_vertical_tube_goes_up_and_down() -> None:
    """Round with the rate φ̇, up and down with √(2/7) φ̇, whatever gravity is."""
    inside, r, rate = 0.25, 0.05, 6.0
    start = gr.Start(contact=(inside, 0.0), velocity=(0.0, rate * (inside - r), 0.0), spin=0.0)
    run = simulate(rolls(gr.Sphere(radius=r, mass=1.0), start, f"{inside}**2 - X**2 - Y**2"), 4.0, interval=0.1)
    x, beat = run.position("body"), math.sqrt(2.0 / 7.0) * rate
    np.testing.assert_allclose(np.unwrap(np.arctan2(x[:, 1], x[:, 0])), rate * run.t, rtol=0, atol=1e-9)
    # z̈ = -5/7 g at the start, with no spin about the normal
    np.testing.assert_allclose(x[:, 2] - x[0, 2], -5.0 / 7.0 * G / beat**2 * (1.0 - np.cos(beat * run.t)),
                               rtol=0, atol=1e-9)


def test_a_ball_in_a_tube_that_rises() -> None:
    """The same, as seen from the tube, which does work on the ball."""
    inside, r, rate, lift = 0.25, 0.05, 6.0, 0.7
    start = gr.Start(contact=(inside, 0.0), velocity=(0.0, rate * (inside - r), lift), spin=0.0)
    run = simulate(rolls(gr.Sphere(radius=r, mass=1.0), start, f"{inside}**2 - X**2 - Y**2", motion=gr.Motion(
        velocity=(0.0, 0.0, lift))), 2.0, interval=0.1)
    x, beat = run.position("body"), math.sqrt(2.0 / 7.0) * rate
    np.testing.assert_allclose(x[:, 2] - x[0, 2], lift * run.t - 5.0 / 7.0 * G / beat**2 * (
        1.0 - np.cos(beat * run.t)), rtol=0, atol=1e-9)
    assert run.energy_error < WORK


def test_a_cylinder_on_a_shaken_table() -> None:
    """It is carried along with 1/3 of the displacement: m ẍ = F, m r²/2 φ̈ = -r F, ẋ + r φ̇ = u."""
    amplitude, frequency = 0.05, 2.0
    load = {"gravity": gr.Gravity(acceleration=(0.0, 0.0, -G))}
    start = gr.Start(position=(0.0, 0.0, 0.1), velocity=(0.0, 0.0, 0.0))
    run = simulate(rolls(LOG, start, load=load, motion=gr.Motion(
        amplitude=(0.0, amplitude, 0.0), frequency=frequency)), 1.0, interval=0.05)
    y = amplitude / 3.0 * np.sin(2.0 * math.pi * frequency * run.t)
    drift = amplitude / 3.0 * 2.0 * math.pi * frequency * run.t  # at rest at t = 0, when the table is not
    np.testing.assert_allclose(run.position("body")[:, 1], y - drift, rtol=0, atol=1e-11)
    assert run.energy_error < WORK


def test_the_energy_is_not_held_on_a_surface_in_motion() -> None:
    """Nor with a damper."""
    table = gr.load(EXAMPLES / "turntable.toml")
    held = table.model_copy(update={"constraint": {**table.constraint, "energy": gr.EnergyConstraint()}})
    with refused(gr.SceneError, "constraint.energy", "roll"):
        simulate(held, 0.1)
    swing = gr.Scene(body={"nail": gr.FixedPoint(position=(0.0, 0.0)), "bob": gr.PointMass(mass=1.0)}, load={
        "shock": gr.Spring(between=("nail", "bob"), stiffness=9.0, rest_length=1.0, damping=0.1)}, constraint={
        "energy": gr.EnergyConstraint()}, start={"bob": gr.Start(position=(1.1, 0.0))})
    with refused(gr.SceneError, "shock damper"):
        simulate(swing, 0.1)


def test_newton_euler_refuses_a_surface_in_motion() -> None:
    scene = rolls(gr.Sphere(radius=R, mass=1.0), gr.Start(position=(0.0, 0.0, R)), motion=gr.Motion(
        velocity=(1.0, 0.0, 0.0)))
    with refused(gr.SceneError, "constraint.roll", '"ground"', "newton-euler", '"fundamental"'):
        simulate(scene, 0.1, "newton-euler")


def test_a_surface_that_jumps_is_refused() -> None:
    scene = rolls(gr.Sphere(radius=R, mass=1.0), gr.Start(contact=(0.0, 0.0)), motion=gr.Motion(
        velocity=(1.0, 0.0, 0.0), until=1.0))
    with refused(gr.SceneError, "surface.ground.motion", "start_time", "until"):
        simulate(scene, 0.1)


def test_a_wheel_of_its_own_inertia_rolls_among_grains() -> None:
    """A hoop, I = m r², rolls down a slope with g sin a/2, a disk with 2/3 of g sin a: exact at rest to a few steps."""
    slope, ways = 0.2, []
    for inertia in (None, 0.5 * 0.1**2):
        scene = gr.Scene(
            material={"rubber": gr.Material(friction=1.0)},
            body={"wheel": gr.Disk(radius=0.1, mass=0.5, inertia=inertia)},
            boundary={"road": gr.Plane(position=(0.0, 0.0), normal=(0.0, 1.0))},
            start={"wheel": {"position": [0.0, 0.1]}}, load={"gravity": gr.Gravity(
                acceleration=(G * math.sin(slope), -G * math.cos(slope)))})
        ways.append(gr.simulate(scene, until=0.5, step=1e-3).velocity("wheel")[-1, 0] / (G * math.sin(slope) * 0.5))
    assert ways == pytest.approx([2.0 / 3.0, 0.5], rel=1e-6)
