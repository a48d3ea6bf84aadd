"""Spring-dashpot grains against closed forms: impacts, inclines, rest, ledger, and the same bits in any way."""

from __future__ import annotations

import math
from typing import Any

import numba
import numpy as np
import pytest

import granum as gr
from granum.contact import contact_solver as contact_solver
from granum.contact import totals
from granum.contact.penalty.coefficients import compile_soft_contact, damping_ratio, rebound
from granum.contact.penalty.soft import Soft
from granum.contact.penalty.stepping import LOADS
from granum.contact.penalty.time_step import stable_step
from granum.grains.search.history import as_numbers
from granum.grains.tables import compile_tables
from messages import refused
from soft_grains import NO_LOADS, energy, grains_of, run, soft_grains

G = 9.81
R, DENSITY = 0.01, 2500.0
MASS = DENSITY * 4.0 / 3.0 * math.pi * R**3
FLOOR = {"floor": {"kind": "plane", "position": (0.0, 0.0, 0.0), "normal": (0.0, 0.0, 1.0)}}
FLOOR_2D = {"floor": {"kind": "plane", "position": (0.0, 0.0), "normal": (0.0, 1.0)}}


def of_number(solver: Soft) -> Any:
    """Rows of the grains in the order of their numbers."""
    return np.argsort(solver.neighbour_list.grains.number)


def collide(law: Any, e: float, steps: int, v: float = 1.0) -> tuple[Soft, float]:
    """Two spheres head-on with relative speed v, with so many steps in the contact; at the end they are apart."""
    grains = grains_of([[0.0, 0.0, 0.0], [2.0 * R + 1e-5, 0.0, 0.0]], R, [[0.5 * v, 0.0, 0.0], [-0.5 * v, 0.0, 0.0]])
    solver = soft_grains(grains, {"restitution": e}, law=law)
    h = duration(law, v) / steps
    run(solver, 3 * steps, h)
    return solver, h


def duration(law: Any, v: float) -> float:
    """Of an elastic contact: π √(m_eff/k), or 2.94 δ_m/v (Johnson, Contact Mechanics, eq 11.24)."""
    if law == "linear":
        return math.pi * math.sqrt(0.5 * MASS / 1e5)
    return 2.9432750561 * deepest_hertz(v) / v


def deepest_hertz(v: float) -> float:
    """δ_m = (15 m_eff v²/(16 E* √R*))^⅖ with the default E = 1e7 Pa, ν = 0.3."""
    modulus = 1e7 / (2.0 * (1.0 - 0.09))
    return (15.0 * 0.5 * MASS * v**2 / (16.0 * modulus * math.sqrt(0.5 * R))) ** 0.4


# ---- impacts


@pytest.mark.parametrize("law", ["linear", "hertz"])
@pytest.mark.parametrize("e", [0.3, 0.7, 1.0])
def test_restitution(law: Any, e: float) -> None:
    """Dashpots without tension give the restitution asked for; the beginning of contact is known to half a step."""
    solver, _ = collide(law, e, 5000)
    v = solver.neighbour_list.grains.v[of_number(solver), 0]
    assert v[1] - v[0] == pytest.approx(e, abs=5e-4)
    assert v[0] + v[1] == pytest.approx(0.0, abs=1e-14)


def test_restitution_of_hertz_does_not_depend_on_speed() -> None:
    """As Antypov and Elliott (2011) choose the damping."""
    for v in (0.01, 10.0):
        solver, _ = collide("hertz", 0.5, 3000, v)
        w = solver.neighbour_list.grains.v[of_number(solver), 0]
        assert (w[1] - w[0]) / v == pytest.approx(0.5, abs=1e-3)


def test_restitution_holds_at_the_proposed_step() -> None:
    """Over all phases of a step at which contact may begin, 25 steps in a contact give e within 1 %."""
    found = []
    for phase in np.linspace(0.0, 1.0, 16, endpoint=False):
        h = duration("linear", 1.0) / 25.0
        grains = grains_of([[0.0, 0.0, 0.0], [2.0 * R + (1.0 + phase) * h, 0.0, 0.0]], R,
                           [[0.5, 0.0, 0.0], [-0.5, 0.0, 0.0]])
        solver = soft_grains(grains, {"restitution": 0.5})
        run(solver, 75, h)
        v = solver.neighbour_list.grains.v[of_number(solver), 0]
        found.append(v[1] - v[0])
    assert np.mean(found) == pytest.approx(0.5, rel=0.01)


def test_damping_ratio() -> None:
    """ζ for e without tension: by integrating ẍ + 2 ζ ẋ + x = 0 until there is no force."""
    for e in (0.2, 0.5, 0.9):
        zeta = damping_ratio(e)
        omega = math.sqrt(1.0 - zeta**2)
        # v(t) = e^(-ζt)(cos ωt - ζ/ω sin ωt), x = e^(-ζt) sin ωt/ω; the force x + 2ζv vanishes at tan ωt = -2ζω/(1-2ζ²)
        t = (math.pi - math.atan2(2.0 * zeta * omega, 1.0 - 2.0 * zeta**2)) / omega
        v = math.exp(-zeta * t) * (math.cos(omega * t) - zeta / omega * math.sin(omega * t))
        assert -v == pytest.approx(e, abs=1e-10)
    assert damping_ratio(0.0) == 1.0
    assert damping_ratio(1.0) == 0.0
    assert rebound(1.0) == pytest.approx(math.exp(-2.0))


@pytest.mark.parametrize("law", ["linear", "hertz"])
def test_duration_and_overlap_of_an_elastic_impact(law: Any) -> None:
    """Steps in contact and the deepest overlap; one step at most is lost at either end."""
    steps = 2000
    solver, _ = collide(law, 1.0, steps)
    assert solver.totals[totals.CONTACTS] == pytest.approx(steps, abs=2.0)
    deepest = math.sqrt(0.5 * MASS / 1e5) if law == "linear" else deepest_hertz(1.0)
    assert solver.totals[totals.DEEPEST] * R == pytest.approx(deepest, rel=1e-5)


def test_oblique_impact() -> None:
    """While it slides, friction gives μ (1 + e) of the normal speed and spin κ times that over r."""
    e, mu, v = 0.5, 0.2, 1.0
    grains = grains_of([[0.0, 0.0, R + 1e-5]], R, [[3.0, 0.0, -v]])
    solver = soft_grains(grains, {"restitution": e, "friction": mu}, FLOOR)
    run(solver, 12000, 1e-7)
    slowed = mu * (1.0 + e) * v
    row = solver.neighbour_list.grains.v[0]
    assert row[2] == pytest.approx(e * v, abs=2e-3)
    assert row[0] == pytest.approx(3.0 - slowed, abs=2e-3)
    assert row[5] == pytest.approx(2.5 * slowed, abs=5e-3)


def together(omega: Any, slipped: Any, count: int, ratio: float = 2.0 / 7.0) -> tuple[Any, Any]:
    """Force on the second of two spheres that first slip on each other and then rotate as one body, by a rad in all.

    They are so heavy that forces do not move them: each step begins with the velocity of its middle of the motion
    before it, as leapfrog would have it, and forces are computed at the middle of the step. Returns it at the beginning
    and at the end of the rotation.
    """
    omega, h = np.asarray(omega, float), 1.0 / count
    rate, found = float(np.linalg.norm(omega)), []
    apart = 1.95 * R
    solver = soft_grains(grains_of([[0.0] * 3, [0.0, 0.0, apart]], R, density=1e15),
                         {"friction": 0.5, "restitution": 1.0, "stiffness_ratio": ratio})

    def prescribe(axis: Any, before: Any, after: Any) -> Any:
        """Both rotate by `axis` in one step, in which the second one goes from a position to another."""
        grains = solver.neighbour_list.grains
        first, second = of_number(solver)
        velocity = (after - before) / h
        grains.x[first, :3], grains.x[second, :3] = 0.0, before + 0.5 * (after - before)
        grains.v[first, :3], grains.v[second, :3] = 0.0, velocity
        grains.v[[first, second], 4:7] = axis * R
        solver.neighbour_list.save_history()
        solver.neighbour_list.rebuild()
        run(solver, 1, h)
        first, second = of_number(solver)
        return (solver.neighbour_list.grains.v[second, :3] - velocity) / (h * solver.neighbour_list.grains.v[second, 3])

    place = np.array([0.0, 0.0, apart])
    slip = np.cross([0.0, 0.0, 1.0], slipped) / (apart * h)
    found.append(prescribe(slip, place, place))
    for k in range(count):
        one, two = (rotated(place, omega / rate, rate * t * h) for t in (k, k + 1))
        found.append(prescribe(omega, one, two))
    return found[0], found[-1]


def rotated(vector: Any, axis: Any, angle: float) -> Any:
    """Rodrigues."""
    return (math.cos(angle) * vector + math.sin(angle) * np.cross(axis, vector)
            + (1.0 - math.cos(angle)) * np.dot(axis, vector) * axis)


@pytest.mark.parametrize("omega", [(0.0, 1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.6, 0.0, 0.8), (0.3, 0.5, 0.7)])
def test_the_force_rotates_with_a_pair_that_rotates_as_one_body(omega: Any) -> None:
    """No slip, and a spring that goes along, with the normal and about it: second order in the angle of a step."""
    slipped, rate, errors = np.array([2e-5, 1e-5, 0.0]), float(np.linalg.norm(omega)), []
    for count in (10, 40):
        before, after = together(omega, slipped, count)
        assert np.linalg.norm(before[:2]) > 0.1
        expected = rotated(before, np.asarray(omega) / rate, rate)
        errors.append(float(np.linalg.norm(after - expected) / np.linalg.norm(before[:2])))
    assert errors[1] < max(1.2 * errors[0] / 16.0, 1e-6)


def test_tangential_stiffness_of_two_materials() -> None:
    """k_t over k: what materials say, its geometric mean for two of them, else 2/7; and the step follows from it."""
    stiffer_across = {"stiffness": 1e4, "stiffness_ratio": 0.5}
    tables = compile_tables(gr.Scene(material={"a": stiffer_across, "b": {"stiffness": 1e4}}))
    contact = compile_soft_contact(tables, "linear")
    assert contact.pair(0, 0).shear == pytest.approx(0.5e4)
    assert contact.pair(1, 1).shear == pytest.approx(2e4 / 7.0)
    assert contact.pair(0, 1).shear == pytest.approx(1e4 * math.sqrt(1.0 / 7.0))
    usual, stiffer = (contact.law.duration(contact.pair(k, k), 2.0, 1.0, 0.0) for k in (1, 0))
    assert usual[0] == pytest.approx(math.pi / math.sqrt(2e4), rel=1e-12)
    assert stiffer[0] == pytest.approx(usual[0] / math.sqrt(3.5 * 0.5), rel=1e-12)
    slips = [together((0.0, 0.0, 1.0), np.array([2e-5, 0.0, 0.0]), 1, ratio)[0][0] for ratio in (2.0 / 7.0, 0.5)]
    assert slips[1] / slips[0] == pytest.approx(1.75, rel=1e-6)


# ---- inclines and rest


@pytest.mark.parametrize(("angle", "mu", "disks"), [
    (0.3, 0.5, False), (0.3, 0.5, True), (0.5, 0.1, False), (0.5, 0.1, True),
])
def test_incline(angle: float, mu: float, disks: bool) -> None:
    """Rolling: g sin a/(1 + I/m r²); above tan a = μ (1 + m r²/I) sliding: g (sin a - μ cos a), spin μ g cos a κ/r."""
    kappa = 2.0 if disks else 2.5
    gravity = (G * math.sin(angle), -G * math.cos(angle), 0.0)
    mass = DENSITY * math.pi * R**2 if disks else MASS
    k = 1e5 * mass / MASS
    static = mass * G * math.cos(angle) / k
    grains = grains_of([[0.0, R - static, 0.0]], R, disks=disks)
    solver = soft_grains(grains, {"friction": mu, "stiffness": k}, FLOOR_2D, gravity, dimension=2)
    h, t = 2e-5, 0.1
    run(solver, round(t / h), h)
    v = solver.neighbour_list.grains.v[0]
    if math.tan(angle) <= mu * (1.0 + kappa):
        expected = G * math.sin(angle) / (1.0 + 1.0 / kappa)
        assert -v[6] == pytest.approx(expected * t, rel=1e-3)
    else:
        expected = G * (math.sin(angle) - mu * math.cos(angle))
        assert -v[6] == pytest.approx(kappa * mu * G * math.cos(angle) * t, rel=1e-3)
    # the spring needs a period to be stretched, some 1e-3 s of which a part counts
    assert v[0] == pytest.approx(expected * t, rel=1e-3)


def test_static_overlap() -> None:
    """m g/k at rest, and k in series: a floor of twice the stiffness gives 4/3 k."""
    for more, stiffness in (({}, 1e4), ({"steel": {"stiffness": 2e4}}, 4.0 / 3.0 * 1e4)):
        floor = {"floor": {**FLOOR["floor"], **({"material": "steel"} if more else {})}}
        solver = soft_grains(grains_of([[0.0, 0.0, R]], R), {"stiffness": 1e4}, floor, (0.0, 0.0, -G), more=more)
        run(solver, 10000, 2e-5)
        assert R - solver.neighbour_list.grains.x[0, 2] == pytest.approx(MASS * G / stiffness, rel=1e-9)
        contacts = solver.contacts(2e-5)
        assert contacts.force[0] == pytest.approx([0.0, 0.0, MASS * G], abs=1e-9)
        assert contacts.pair.tolist() == [[0, -1]]


def test_static_overlap_by_hertz() -> None:
    """(3 m g/(4 E* √r))^⅔ on a floor without a material of its own."""
    solver = soft_grains(grains_of([[0.0, 0.0, R]], R), {}, FLOOR, (0.0, 0.0, -G), "hertz")
    run(solver, 10000, 5e-5)
    modulus = 1e7 / (2.0 * 0.91)
    expected = (0.75 * MASS * G / (modulus * math.sqrt(R))) ** (2.0 / 3.0)
    assert R - solver.neighbour_list.grains.x[0, 2] == pytest.approx(expected, rel=1e-8)


def test_stack_of_disks_stands() -> None:
    """Twenty disks on each other: at rest, each contact carries what is above it."""
    count, mass = 20, DENSITY * math.pi * R**2
    k = 1e6
    grains = grains_of([[0.0, (2 * i + 1) * R, 0.0] for i in range(count)], R, disks=True)
    solver = soft_grains(grains, {"friction": 0.5, "stiffness": k, "rolling_friction": 0.01}, FLOOR_2D, (0.0, -G, 0.0),
                         dimension=2)
    h = stable_step(grains, solver.neighbour_list.elements, solver.contact, solver.gravity)[0]
    # the lowest mode has ω = π/(2·20) √(k/m) and decays at ω² c/2k = 4.9/s: 1e-9 of g/ω after five seconds
    run(solver, round(6.0 / h), h)
    assert np.max(np.abs(solver.neighbour_list.grains.v[:, :3])) < 1e-9
    y = solver.neighbour_list.grains.x[of_number(solver), 1]
    gaps = np.diff(np.concatenate([[-R], y]))
    above = np.arange(count, 0, -1) * mass * G / k
    assert 2.0 * R - gaps == pytest.approx(above, rel=1e-6)


def test_rolling_friction() -> None:
    """A rolling sphere is slowed: torque μ_r r m g, so a = (μ_r g)/(1 + I/m r²); on a slope below μ_r it stands."""
    mu_r = 0.05
    grains = grains_of([[0.0, 0.0, R - MASS * G / 1e5]], R, [[0.3, 0.0, 0.0]], [0.0, 0.3 / R, 0.0])
    solver = soft_grains(grains, {"friction": 0.5, "rolling_friction": mu_r}, FLOOR, (0.0, 0.0, -G))
    run(solver, 20000, 2e-5)
    # what is lost is counted as rolling: the spring of rolling stretches first, some 1e-3 of the time
    assert solver.neighbour_list.grains.v[0, 0] == pytest.approx(0.3 - mu_r * G / 1.4 * 0.4, rel=5e-3)
    assert -solver.totals[totals.ROLLING] == pytest.approx(
        0.7 * MASS * (0.3**2 - solver.neighbour_list.grains.v[0, 0] ** 2), rel=1e-2)
    slope = 0.9 * mu_r
    solver = soft_grains(grains_of([[0.0, 0.0, R]], R), {"friction": 0.5, "rolling_friction": mu_r}, FLOOR,
                         (G * slope, 0.0, -G))
    run(solver, 50000, 2e-5)
    assert abs(solver.neighbour_list.grains.v[0, 0]) < 1e-9


# ---- conservation


def scatter(seed: int = 3) -> Any:
    """Spheres of several sizes that fly into each other, spinning."""
    random = np.random.default_rng(seed)
    lattice = np.stack(np.meshgrid(*[np.arange(4.0)] * 3), axis=-1).reshape(-1, 3) * 2.3 * R
    x = lattice + random.uniform(-0.1, 0.1, lattice.shape) * R
    centre = x.mean(axis=0)
    v = -20.0 * (x - centre) + random.normal(0.0, 0.05, x.shape)
    return grains_of(x, random.uniform(0.7, 1.0, len(x)) * R, v, random.normal(0.0, 20.0, x.shape))


@pytest.mark.parametrize("law", ["linear", "hertz"])
def test_momentum_is_conserved(law: Any) -> None:
    """Linear and angular momentum to round-off: the arms of a contact add up to the distance of the centres.

    Drifts move grains along their momenta, and kicks act in the middle of a step, where forces are computed.
    """
    grains = scatter()
    solver = soft_grains(grains, {"friction": 0.4, "restitution": 0.6, "young_modulus": 1e8, "rolling_friction": 0.1},
                         law=law)

    def momenta() -> tuple[Any, Any]:
        m, v, x = grains.mass[:, None], grains.v[:, :3], grains.x[:, :3]
        spin = grains.v[:, 4:7] / grains.v[:, 7:] * grains.x[:, 3:]
        return np.sum(m * v, axis=0), np.sum(m * np.cross(x, v) + spin, axis=0)

    before = momenta()
    run(solver, 2000, 1e-5)
    after = momenta()
    assert solver.totals[totals.CONTACTS] > 1000.0
    assert after[0] == pytest.approx(before[0], abs=1e-14)
    scale = float(np.sum(grains.mass * np.linalg.norm(grains.x[:, :3], axis=1))) * 0.3
    assert after[1] == pytest.approx(before[1], abs=2000 * np.finfo(float).eps * scale)


def closure(law: Any, material: dict[str, Any], h: float, t: float) -> float:
    """What is missing in the ledger, over what is turned over."""
    grains = scatter()
    solver = soft_grains(grains, material, law=law)
    before = energy(solver)
    run(solver, round(t / h), h)
    assert solver.totals[totals.CONTACTS] > 100.0
    return abs(energy(solver) - before - float(np.sum(solver.totals[1:5]))) / before


@pytest.mark.parametrize("law", ["linear", "hertz"])
def test_ledger_of_an_impact_closes_with_second_order(law: Any) -> None:
    """One contact with dashpots: ten times smaller steps, a hundred times smaller error."""
    errors = []
    for steps in (100, 1000, 10000):
        solver, _ = collide(law, 0.5, steps)
        gone = 0.25 * MASS * 1.0 - energy(solver)
        errors.append(abs(gone + float(np.sum(solver.totals[1:5]))) / gone)
    assert errors[0] < 1e-3
    assert math.log10(errors[0] / errors[2]) / 2.0 == pytest.approx(2.0, abs=0.35)


@pytest.mark.parametrize("law", ["linear", "hertz"])
def test_ledger_of_many_contacts_closes_with_the_step(law: Any) -> None:
    """Friction, rolling friction and dashpots in a cloud that collapses: at least first order."""
    material = {"friction": 0.4, "restitution": 0.5, "rolling_friction": 0.05, "young_modulus": 1e8}
    errors = [closure(law, material, h, 0.02) for h in (1e-5, 2e-6, 4e-7)]
    assert errors[0] < 5e-3
    assert errors[2] < 0.1 * errors[0]


def test_ledger_without_dissipation_closes_with_second_order() -> None:
    """Springs alone: leapfrog's own order."""
    errors = [closure("linear", {"restitution": 1.0}, h, 0.02) for h in (1e-5, 1e-6)]
    assert errors[0] < 1e-3
    assert math.log10(errors[0] / errors[1]) > 1.6


def test_work_of_a_moving_boundary() -> None:
    """A piston sets a sphere in motion: its work is what the sphere gains and what the dashpots take."""
    errors = []
    for h in (1e-5, 1e-6):
        piston = {"piston": {"kind": "plane", "position": (0.0, 0.0, 0.0), "normal": (0.0, 0.0, 1.0),
                             "motion": {"velocity": (0.0, 0.0, 0.5)}}}
        solver = soft_grains(grains_of([[0.0, 0.0, 1.1 * R]], R), {"restitution": 0.5}, piston)
        run(solver, round(0.01 / h), h)
        assert solver.neighbour_list.grains.v[0, 2] == pytest.approx(0.75, rel=0.02)
        errors.append(abs(energy(solver) - float(np.sum(solver.totals[1:5]))) / energy(solver))
    assert errors[0] < 5e-3
    assert errors[1] < 0.05 * errors[0]


def test_work_of_loads() -> None:
    """Velocities that loads add are counted with the mean velocity of the step: exactly, without contact."""
    solver = soft_grains(grains_of([[0.0, 0.0, 0.0]], R, [[1.0, 0.0, 0.0]]), {}, gravity=(0.0, 0.0, -G))
    start = energy(solver)
    run(solver, 100, 1e-4, np.array([[0.01, 0.0, 0.02]]))
    assert solver.totals[LOADS] == pytest.approx(energy(solver) - start, rel=1e-12)


# ---- the same in any way


def bed(count: int = 500, law: Any = "linear") -> Soft:
    """Spheres that fall into a box and rub."""
    side = round((count / 2) ** (1 / 3)) * 2.0 * R
    across = int(side / (2.2 * R))
    index = np.arange(count)
    lattice = np.stack([index % across, index // across % across, index // across**2], axis=1)
    x = (lattice + 0.5) * np.array([side / across, side / across, 2.2 * R])
    x += np.random.default_rng(5).uniform(-0.09, 0.09, x.shape) * R
    box = {"box": {"kind": "box", "lower": (0.0, 0.0, 0.0), "upper": (side, side, 10.0), "open": ("+z",)}}
    return soft_grains(grains_of(x, R), {"friction": 0.3, "restitution": 0.3, "rolling_friction": 0.02}, box,
                       (0.0, 0.0, -G), law)


def state(solver: Soft) -> Any:
    """Everything of all grains, by number."""
    order = of_number(solver)
    return np.concatenate([solver.neighbour_list.grains.x[order], solver.neighbour_list.grains.v[order]], axis=1)


def test_same_bits_on_one_and_two_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Slabs in even and odd phases: who works on them does not matter."""
    found = []
    for several in (False, True):
        monkeypatch.setattr(contact_solver, "PARALLEL_GRAINS", 1 if several else 10**9)
        solver = bed(6000)
        assert len(solver.neighbour_list.near.slabs) > 3
        run(solver, 700, 3e-5)
        assert solver.totals[totals.CONTACTS] > 1e4
        found.append((state(solver), solver.totals.copy()))
    if numba.config.NUMBA_NUM_THREADS > 1:
        assert np.array_equal(found[0][0], found[1][0])
        assert np.array_equal(found[0][1], found[1][1])


@pytest.mark.parametrize("law", ["linear", "hertz"])
def test_restart_gives_the_same_bits(law: Any) -> None:
    """Grains and what contacts remember are the whole state: going on from a copy changes nothing."""
    one, two = bed(law=law), bed(law=law)
    run(one, 3000, 3e-5)
    for steps in (1, 2, 1997):
        run(two, steps, 3e-5)
    two.neighbour_list.save_history()
    again = Soft(two.neighbour_list, two.tables, two.contact, two.gravity)
    run(again, 1000, 3e-5)
    assert one.totals[totals.CONTACTS] > 1000.0
    assert np.array_equal(state(one), state(again))


def test_springs_survive_new_lists() -> None:
    """A block that is dragged: lists made anew in each step leave the springs, and all else, as they are."""
    found = []
    for renewed in (False, True):
        lower = [[2.0 * R * i, 0.0, R] for i in range(3)]
        upper = [[R + 2.0 * R * i, 0.0, R * (1.0 + math.sqrt(3.0))] for i in range(2)]
        solver = soft_grains(grains_of(lower + upper, R, [[0.05, 0.0, 0.0]] * 5), {"friction": 0.3}, FLOOR,
                             (0.2 * G, 0.0, -G))
        for _ in range(1000):
            run(solver, 1, 2e-5)
            if renewed:
                solver.neighbour_list.save_history()
                # another order of rows, so that i and j change places
                solver.neighbour_list.up = (solver.neighbour_list.up + 1) % 3
                solver.neighbour_list.rebuild()
        assert np.any(as_numbers(solver.neighbour_list.near.pair))
        assert np.any(as_numbers(solver.neighbour_list.near.wall))
        found.append(state(solver))
    # sums of forces in another order: round-off only
    assert found[1] == pytest.approx(found[0], abs=1e-10)


# ---- the time step


def test_proposed_step_and_limit() -> None:
    """t_c/25 of the lightest pair, refused above t_c/10; for strong dashpots above what leapfrog bears."""
    grains = grains_of([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]], [R, 2.0 * R])
    solver = soft_grains(grains, {"restitution": 0.9})
    proposed, limit = stable_step(grains, solver.neighbour_list.elements, solver.contact, solver.gravity)
    assert proposed == pytest.approx(duration("linear", 1.0) / 25.0)
    assert limit == pytest.approx(duration("linear", 1.0) / 10.0)
    critical = soft_grains(grains, {})
    assert stable_step(grains, critical.neighbour_list.elements, critical.contact, critical.gravity)[1] < 0.8 * limit
    ball = gr.Scene(material={"stuff": {}}, boundary=FLOOR,
                    body={"ball": {"kind": "sphere", "radius": R, "mass": MASS}},
                    start={"ball": {"position": (0.0, 0.0, 2.0 * R)}}, run={"solver": "soft", "step": 1e-3})
    with refused(gr.SceneError, "run.step", "0.001 s"):
        gr.simulate(ball)


@pytest.mark.parametrize("law", ["linear", "hertz"])
@pytest.mark.parametrize("e", [0.0, 0.9])
def test_a_bed_bears_the_limit(law: Any, e: float) -> None:
    """With the largest step that is not refused a bed falls and comes to rest; with four times that it would not."""
    solver = bed(300, law)
    solver = Soft(solver.neighbour_list, solver.tables,
                  soft_grains(grains_of([[0.0, 0.0, 0.0]], R), {"restitution": e}, law=law).contact, solver.gravity)
    grains = solver.neighbour_list.grains
    _, limit = stable_step(grains, solver.neighbour_list.elements, solver.contact, solver.gravity)
    before = energy(solver)
    run(solver, round(0.6 / limit), limit)
    assert energy(solver) < before
    assert grains.kinetic_energy() < (0.02 if e == 0.0 else 0.3) * (before - energy(solver))
    assert np.all(np.abs(grains.v[:, :3]) < 3.0)


def test_no_grains() -> None:
    """A solver without grains makes its steps."""
    solver = soft_grains(grains_of(np.zeros((0, 3)), R), {}, FLOOR)
    assert solver.advance(3, 1e-3, NO_LOADS) == 3
    assert solver.stored() == 0.0
