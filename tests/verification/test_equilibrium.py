"""Static equilibria: the catenary of a chain, springs, refusals; branches over a parameter and their bifurcations.

Newton's method ends at rounding, so coordinates are right to some units of it: 1e-10 relative leaves a margin of 1e5.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import brentq

import granum as gr
from commands import granum
from granum.analytic import System
from messages import refused, says

G = 9.81
EXACT = 1e-10


def chain(count: int, span: float, length: float, mass: float) -> gr.Scene:
    """Equal links between two points of one height, at the start as a V."""
    link, tilt = length / count, np.arccos(span / length)
    x = link * np.cos(tilt) * np.arange(1, count)
    y = -link * np.sin(tilt) * np.minimum(np.arange(1, count), count - np.arange(1, count))
    names = [f"bead-{k}" for k in range(1, count)]
    ends = ["left", *names, "right"]
    return gr.Scene(
        body={"left": gr.FixedPoint(position=(0.0, 0.0)), "right": gr.FixedPoint(position=(span, 0.0)),
              **{name: gr.PointMass(mass=mass) for name in names}},
        link={f"link-{k + 1}": gr.Link(between=(ends[k], ends[k + 1])) for k in range(count)},
        start={name: gr.Start(position=(float(a), float(b))) for name, a, b in zip(names, x, y, strict=True)},
        load={"gravity": gr.Gravity(acceleration=(0.0, -G))})


def test_catenary() -> None:
    """The discrete catenary: link k pulls with (H, V_k), V_k = m g (k - (n+1)/2), where Σ l H/√(H² + V²) is the span.

    Its frequencies are real, and a run from there stays at rest.
    """
    count, span, length, mass = 10, 1.0, 1.6, 0.2
    rest = gr.equilibrium(chain(count, span, length, mass))
    V, link = mass * G * (np.arange(1, count + 1) - 0.5 * (count + 1)), length / count
    H = brentq(lambda H: float(np.sum(link * H / np.hypot(H, V))) - span, 1e-3, 1e3, xtol=1e-15)
    tension = np.hypot(H, V)
    assert_allclose([rest.reactions[f"link-{k}"] for k in range(1, count + 1)], tension, rtol=EXACT)
    assert_allclose([rest[f"bead_{k}.y"] for k in range(1, count)], np.cumsum(link * V / tension)[:-1], rtol=EXACT)
    assert rest.stable and len(rest.linear.frequencies) == count - 2
    run = gr.simulate(rest.scene, until=0.5, progress=False)
    assert np.abs(run.positions - run.positions[0]).max() < 1e-9


def test_stable_or_nearest() -> None:
    """Downhill from anywhere, also from the top; by Newton's method to the nearest."""
    system = System("theta", kinetic="theta_dot**2/2", potential="-9.81*cos(theta)")
    for theta in (3.0, np.pi, 0.5):
        rest = gr.equilibrium(system, at={"theta": theta})
        assert rest.stable and np.cos(rest["theta"]) == pytest.approx(1.0, abs=1e-12)
    top = gr.equilibrium(system, at={"theta": 3.0}, stable=False)
    assert not top.stable and top["theta"] == pytest.approx(np.pi, rel=EXACT)
    assert top.linear.modes.real.max() == pytest.approx(np.sqrt(G), rel=EXACT)


def test_springs_keep_their_rest() -> None:
    """A mass hangs on a spring whose rest length is that of the start; its scene starts at rest there."""
    scene = gr.Scene(
        body={"nail": gr.FixedPoint(position=(0.0, 0.0)), "bob": gr.PointMass(mass=2.0)},
        start={"bob": gr.Start(position=(0.0, -0.5))},
        load={"gravity": gr.Gravity(acceleration=(0.0, -G)),
              "spring": gr.Spring(between=("nail", "bob"), stiffness=80.0)})
    for ramp in ((), ("gravity",)):
        rest = gr.equilibrium(scene, ramp=ramp)
        assert rest["bob.y"] == pytest.approx(-0.5 - 2.0 * G / 80.0, rel=EXACT)
    run = gr.simulate(rest.scene, until=0.3, progress=False)
    assert np.abs(run.position("bob") - run.position("bob")[0]).max() < 1e-9


def test_torsion_springs_keep_their_rest() -> None:
    """A rod in a hinge with a torsion spring, k φ = m g l/2 cos φ from the horizontal; its scene starts at rest."""
    scene = gr.Scene(
        body={"post": gr.FixedPoint(position=(0.0, 0.0)), "arm": gr.Rod(length=1.0, mass=1.0)},
        constraint={"pin": gr.Hinge(between=("post", "arm.tail"))}, start={"arm": gr.Start(angle=0.0)},
        load={"gravity": gr.Gravity(acceleration=(0.0, -G)), "coil": gr.TorsionSpring(hinge="pin", stiffness=20.0)})
    rest = gr.equilibrium(scene)
    phi = brentq(lambda phi: 20.0 * phi + 0.5 * G * np.cos(phi), -1.0, 0.0, xtol=1e-15)
    assert rest["arm.angle"] == pytest.approx(phi, rel=EXACT)
    assert rest.linear.frequencies[0] ** 2 == pytest.approx((20.0 - 0.5 * G * np.sin(phi)) * 3.0, rel=EXACT)
    run = gr.simulate(rest.scene, until=0.3, progress=False)
    assert np.ptp(run.angle("arm")) < 1e-9


def test_refusals() -> None:
    with refused(gr.GranumError, "x = ", "-1"):
        gr.equilibrium(System("x", kinetic="x_dot**2/2", potential="x"), at={"x": 0.0})
    spring = System("x", kinetic="x_dot**2/2", potential="x**2")
    with refused(gr.GranumError, '"y"'):
        gr.equilibrium(spring, at={"y": 0.0})
    with refused(gr.GranumError, '"wind"'):
        gr.equilibrium(spring, at={"x": 0.0}, ramp=["wind"])
    with refused(gr.GranumError, '"k"'):
        gr.equilibria(spring, "k", (0.0, 1.0), at={"x": 0.0})


HOOP = {"g": G, "R": 0.5, "omega": 0.0}
HOOPS = (
    (System("theta", parameters=HOOP, kinetic="R**2*(theta_dot**2 + (omega*sin(theta))**2)/2",
            potential="-g*R*cos(theta)"), {"theta": 0.0}, lambda q: np.cos(q[:, 0])),
    (System("x z", parameters=HOOP, kinetic="(x_dot**2 + z_dot**2 + (omega*x)**2)/2", potential="g*z",
            constraints={"hoop": "x**2 + z**2 = R**2"}), {"x": 0.0, "z": -0.5}, lambda q: -2.0 * q[:, 1]),
)


@pytest.mark.parametrize("case", [0, 1], ids=["angle", "constrained"])
def test_rotating_hoop(case: int) -> None:
    """A bead on a hoop: a pitchfork at ω² = g/R, then cos θ = g/(ω² R) on both sides, stable; θ = 0 is unstable."""
    system, at, cosine = HOOPS[case]
    found = gr.equilibria(system, "omega", (1.0, 8.0), at=at)
    (point,) = found.bifurcations
    critical = np.sqrt(G / 0.5)
    assert point.kind == "branch point" and point.parameter == pytest.approx(critical, rel=EXACT)
    straight, left, right = found.branches
    assert_allclose(cosine(straight.q), 1.0, rtol=EXACT)
    away = np.abs(straight.parameter - critical) > 1e-6
    assert (straight.stable == (straight.parameter < critical))[away].all()
    for branch in (left, right):
        assert_allclose(cosine(branch.q), critical**2 / branch.parameter**2, rtol=EXACT)
        assert branch.stable.all() and branch.parameter[-1] == pytest.approx(8.0, rel=1e-12)
    assert left.q[-1, 0] == pytest.approx(-right.q[-1, 0], rel=EXACT)


def buckling_column(spatial: bool) -> gr.Scene:
    """An upright rod of 0.8 m on a torsion spring of 2 N m/rad, pushed down at its head by 1 N times a factor."""
    z = (0.0,) if spatial else ()
    upright = {"orientation": (np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5))} if spatial else {"angle": "90 deg"}
    return gr.Scene(
        body={"post": gr.FixedPoint(position=(0.0, 0.0, *z)), "rod": gr.Rod(length=0.8, mass=1.0, radius=0.02)},
        constraint={"pin": gr.Hinge(between=("post", "rod.tail"), **({"axis": (0.0, 0.0, 1.0)} if spatial else {}))},
        start={"rod": gr.Start.model_validate(upright)},
        load={"push": gr.Force(on="rod.head", force=(0.0, -1.0, *z)),
              "coil": gr.TorsionSpring(hinge="pin", stiffness=2.0)})


@pytest.mark.parametrize("over", [(0.0, 6.0), (0.5, 3.0), (0.0, 100.0), (0.0, 2.505), (6.0, 0.0)])
@pytest.mark.parametrize("spatial", [False, True])
def test_branches_leave_a_pitchfork(spatial: bool, over: tuple[float, float]) -> None:
    """P L sin θ = k θ of a rod on a torsion spring: from P L = k on, one bent branch to either side, both stable.

    The straight rod stands at 90°, which floating-point numbers do not represent, so that rounding enters. In one range
    a step ends at the branch point (2.5 of 100), in another it is in the last step.
    """
    found = gr.equilibria(buckling_column(spatial), "load.push", over)
    (point,) = found.bifurcations
    assert point.kind == "branch point" and point.parameter == pytest.approx(2.5, rel=EXACT)
    straight, *bent = found.branches
    x, y = (found.coordinates.index(f"rod.{axis}") for axis in "xy")
    assert np.abs(straight.q[:, x]).max() < EXACT
    ends = []
    for branch in bent:
        theta = np.unwrap(np.arctan2(-branch.q[:, x], branch.q[:, y]))
        assert_allclose(branch.parameter * 0.8 * np.sin(theta), 2.0 * theta, atol=EXACT * over[0] + EXACT * over[1])
        assert branch.stable.all() and branch.parameter[-1] == pytest.approx(max(over), rel=1e-12)
        ends.append(theta[-1])
    assert len(ends) == 2 and abs(ends[0]) > 0.05 and ends[0] == pytest.approx(-ends[1], rel=EXACT)


def test_branches_leave_curved_and_oblique() -> None:
    """Branches that cross at any angle: (x - sin p)² = p - 1 leaves x = sin p, and x = p - 1 crosses x = 0.7."""
    pitchfork = System("x", parameters={"p": 0.0}, kinetic="x_dot**2/2",
                       potential="(x - sin(p))**4/4 - (p - 1)*(x - sin(p))**2/2")
    found = gr.equilibria(pitchfork, "p", (0.0, 3.0), at={"x": 0.0})
    assert [point.parameter for point in found.bifurcations] == pytest.approx([1.0], rel=EXACT)
    assert len(found.branches) == 3
    for branch in found.branches[1:]:
        assert_allclose((branch.q[:, 0] - np.sin(branch.parameter)) ** 2, branch.parameter - 1.0, atol=EXACT)
    crossing = System("x", parameters={"p": 0.0}, kinetic="x_dot**2/2",
                      potential="(x - 0.7)**3/3 - (p - 1)*(x - 0.7)**2/2")
    found = gr.equilibria(crossing, "p", (0.0, 3.0), at={"x": 0.7})
    assert [point.parameter for point in found.bifurcations] == pytest.approx([1.0], rel=EXACT)
    for branch, end, stable in zip(found.branches[1:], (3.0, 0.0), (True, False), strict=True):
        assert_allclose(branch.q[:, 0] - 0.7, branch.parameter - 1.0, atol=EXACT)
        assert branch.parameter[-1] == pytest.approx(end, abs=EXACT) and (branch.stable[1:] == stable).all()


def test_snap_through() -> None:
    """Von Mises' truss under a load: both folds at y² = L^(2/3) - 1, L the length at rest; unstable between."""
    length = np.sqrt(1.25)
    truss = System("y", parameters={"F": 0.0, "k": 100.0, "L": length}, kinetic="y_dot**2/2",
                   potential="k/2*(sqrt(1 + y**2) - L)**2 + F*y")
    found = gr.equilibria(truss, "F", (-4.0, 4.0), at={"y": 0.6})
    y = np.sqrt(length ** (2.0 / 3.0) - 1.0)
    F = 100.0 * (length / np.sqrt(1.0 + y**2) - 1.0) * y
    assert [point.kind for point in found.bifurcations] == ["fold", "fold"]
    assert_allclose([point.parameter for point in found.bifurcations], [F, -F], rtol=EXACT)
    (branch,) = found.branches
    away = np.abs(np.abs(branch.q[:, 0]) - y) > 1e-4
    assert (branch.stable == (np.abs(branch.q[:, 0]) > y))[away].all()
    assert branch.parameter[-1] == pytest.approx(4.0)


def test_factor_of_a_load() -> None:
    """A mass on a spring as its weight grows: y = -f m g/k."""
    scene = gr.Scene(
        body={"nail": gr.FixedPoint(position=(0.0, 0.0)), "bob": gr.PointMass(mass=2.0)},
        start={"bob": gr.Start(position=(0.0, -0.5))}, load={
            "weight": gr.Gravity(acceleration=(0.0, -G)),
            "spring": gr.Spring(between=("nail", "bob"), stiffness=80.0, rest_length=0.5)})
    (branch,) = gr.equilibria(scene, "load.weight", (0.5, 2.0)).branches
    assert_allclose(branch.q[:, 1], -0.5 - branch.parameter * 2.0 * G / 80.0, rtol=EXACT)


def test_diagram(tmp_path: Path) -> None:
    system, at, _ = HOOPS[0]
    gr.equilibria(system, "omega", (1.0, 8.0), at=at).plot("theta", tmp_path / "hoop.svg")
    drawn = (tmp_path / "hoop.svg").read_text()
    assert "branch point" in drawn and "omega" in drawn


def test_command(tmp_path: Path) -> None:
    """The catenary in the terminal, and a scene that starts from its run."""
    scene = (
        '[body]\\nleft = { kind = "fixed-point", position = [0, 0] }\\nbob = { kind = "point-mass", mass = 1 }\\n'
        '[link]\\nrod = { between = ["left", "bob"], length = 0.5 }\\n[load.gravity]\\nkind = "gravity"\\n'
        "acceleration = [0, -9.81]\\n").replace("\\n", "\n")
    (tmp_path / "pendulum.toml").write_text(scene + "[start.bob]\nposition = [0.3, -0.4]\n")
    command = ("equilibrium", "pendulum.toml")
    answer = json.loads(granum(*command, "--json", "-o", "rest.h5", folder=tmp_path).stdout)
    assert answer["stable"] and answer["reactions"]["rod"] == pytest.approx(G, rel=EXACT)
    (tmp_path / "rest.toml").write_text(scene + '[start]\nfrom = "rest.h5"\n')
    run = gr.simulate(gr.load(tmp_path / "rest.toml"), until=0.1, progress=False)
    assert_allclose(run.position("bob"), [[0.0, -0.5]] * len(run.t), atol=1e-9)
    shown = granum(*command, "--nearest", folder=tmp_path).stdout
    says(shown.splitlines()[0], "Stable")
    assert "bob.y" in shown
