"""Bonded bodies against closed forms: beams of beads, spinning rods, splits, agglomerates that crumble."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import granum as gr
from grain_scenes import G, closes, gravity
from granum.contact.world import World
from granum.grains.aggregates.balance import balance
from granum.grains.aggregates.networks import Net, components
from granum.grains.aggregates.parts import Parts
from messages import refused
from runs import stop_at

R, RHO, COUNT = 0.05, 1000.0, 11
BEAD = RHO * math.pi * R**2
"""Mass of a disk of 1 m thickness [kg]."""
HEIGHT = 1.0
STRONG = 1e9


def beads(d: int = 2) -> list[list[float]]:
    """Centres of a row of beads along x."""
    return [[2 * R * k, *[0.0] * (d - 2), HEIGHT] for k in range(COUNT)]


def support(place: int) -> dict[str, Any]:
    """A disk below a bead."""
    return {"kind": "disk", "centre": [2 * R * place, HEIGHT - 2 * R], "radius": R}


def beam(supports: list[int], tension: float = STRONG, **more: Any) -> gr.Scene:
    """A bonded row of disks without friction on some supports."""
    return gr.Scene(**{
        "material": {"stone": {"density": RHO}}, "load": {"gravity": gravity(0.0, -G)},
        "pattern": {"beam": {"kind": "grains", "positions": beads(), "radius": R}},
        "bond": {"cement": {"among": "beam", "tensile_strength": tension, "shear_strength": STRONG}},
        "boundary": {f"support-{k}": support(k) for k in supports},
        "run": {"solver": "moreau", "until": 0.02, "step": 1e-3, "interval": 0.01}, **more})


def loads_of(world: World) -> np.ndarray:
    """(bonds, 6): what bonds carried in the last step."""
    assert isinstance(world.grains, Parts)
    return world.grains.bonds.mean


def moment_at(supports: list[int], bond: int) -> tuple[float, float]:
    """Shear force and bending moment between two beads of a beam on two supports, by statics of what is to the left."""
    weight = BEAD * G
    a, b = supports
    right = COUNT * weight * (0.5 * (COUNT - 1) - a) / (b - a)
    reaction = {a: COUNT * weight - right, b: right}
    x = 2 * R * (bond + 0.5)
    shear = sum(f for k, f in reaction.items() if k <= bond) - (bond + 1) * weight
    moment = (sum(f * (x - 2 * R * k) for k, f in reaction.items() if k <= bond)
              - sum(weight * (x - 2 * R * k) for k in range(bond + 1)))
    return shear, moment


@pytest.mark.parametrize("supports", [[0, 10], [2, 8], [3, 6]])
def test_a_beam_of_beads_bears_what_statics_says(supports: list[int]) -> None:
    """Shear and moment of every bond of a beam on two supports."""
    world = World(beam(supports))
    world.begin()
    world.advance(0.05, lambda t: None)
    found = loads_of(world)
    largest = max(abs(moment_at(supports, k)[1]) for k in range(COUNT - 1))
    for k in range(COUNT - 1):
        shear, moment = moment_at(supports, k)
        np.testing.assert_allclose(found[k, [0, 1, 5]], [0.0, -shear, moment], atol=1e-6 * largest)


@pytest.mark.parametrize("supports, broken", [([0, 10], {(4, 5), (5, 6)}), ([5], {(4, 5), (5, 6)}),
                                              ([3, 7], {(3, 4), (6, 7)}), ([2, 6], {(5, 6)})])
def test_a_beam_breaks_where_the_moment_is_greatest(supports: list[int], broken: set[tuple[int, int]]) -> None:
    """It holds with 1.01 of the critical strength and breaks with 0.99 of it, where statics says."""
    if supports == [5]:
        moments = {(k, k + 1): BEAD * G * 2 * R * min(k + 1, COUNT - 1 - k) ** 2 / 2.0 for k in range(COUNT - 1)}
    else:
        moments = {(k, k + 1): abs(moment_at(supports, k)[1]) for k in range(COUNT - 1)}
    greatest = max(moments.values())
    assert {pair for pair, moment in moments.items() if moment > 0.999 * greatest} == broken
    critical = greatest * R / (2.0 / 3.0 * R**3)
    assert gr.simulate(beam(supports, 1.01 * critical)).breaks == []
    run = gr.simulate(beam(supports, 0.99 * critical))
    assert {one.pair for one in run.breaks if one.t == run.breaks[0].t} == broken
    closes(run)


def free(d: int, omega: Any, **more: Any) -> gr.Scene:
    """A row of bonded beads that spins in free fall."""
    return gr.Scene(**{
        "material": {"stone": {"density": RHO}}, "load": {"gravity": gravity(*[0.0] * (d - 1), -G)},
        "pattern": {"rod": {"kind": "grains", "positions": beads(d), "radius": R}},
        "bond": {"cement": {"among": "rod", "tensile_strength": STRONG, "shear_strength": STRONG}},
        "start": {"rod-1": {"angular_velocity": omega}},
        "run": {"solver": "moreau", "until": 0.2, "step": 1e-3, "interval": 0.05}, **more})


@pytest.mark.parametrize("d, omega", [(2, 6.0), (3, [0.0, 6.0, 0.0])])
def test_a_spinning_rod_is_pulled_by_its_beads(d: int, omega: Any) -> None:
    """Tension of each bond is Σ m ω² r of the beads beyond it; free fall adds nothing."""
    world = World(free(d, omega))
    world.begin()
    world.advance(0.1, lambda t: None)
    mass = BEAD if d == 2 else RHO * 4.0 / 3.0 * math.pi * R**3
    place = 2 * R * (np.arange(COUNT) - 0.5 * (COUNT - 1))
    expected = [mass * 36.0 * place[k + 1:].sum() for k in range(COUNT - 1)]
    found = loads_of(world)
    np.testing.assert_allclose(found[:, 0], expected, rtol=1e-9)
    np.testing.assert_allclose(found[:, 1:], 0.0, atol=1e-9 * max(expected))


def momenta(parts: Parts) -> tuple[np.ndarray, np.ndarray]:
    """Momentum, and angular momentum about the origin."""
    own = parts.bodies
    p = own.mass[:, None] * own.motion[:, :3]
    spin = np.zeros((own.count, 3))
    for b in range(own.count):
        six = own.inertia[b, :6]
        J = np.array([[six[0], six[3], six[4]], [six[3], six[1], six[5]], [six[4], six[5], six[2]]])
        a, v = own.pose[b, 4], own.pose[b, 5:]
        T = (a * a - v @ v) * np.eye(3) + 2 * np.outer(v, v) + 2 * a * np.cross(np.eye(3), -v)
        spin[b] = T @ J @ T.T @ own.motion[b, 4:7]
    return p.sum(axis=0), (np.cross(own.pose[:, :3], p) + spin).sum(axis=0)


@pytest.mark.parametrize("d", [2, 3])
def test_a_split_keeps_momentum_angular_momentum_and_energy(d: int) -> None:
    """A row that spins too fast for its cement bursts in free flight."""
    omega = 6.0 if d == 2 else [0.0, 6.0, 1.0]
    strength = 1e3
    scene = free(d, omega, bond={"cement": {"among": "rod", "tensile_strength": strength, "shear_strength": strength}},
                 load={"gravity": gravity(*[0.0] * d)}, pattern={"rod": {"kind": "grains", "positions": beads(d),
                                                                         "radius": R,
                                                                         "velocity": [1.0, *[0.5] * (d - 1)]}})
    world = World(scene)
    world.begin()
    parts = world.grains
    assert isinstance(parts, Parts) and parts.bodies.count == 1
    before, energy = momenta(parts), parts.kinetic_energy()
    world.advance(0.002, lambda t: None)
    after = momenta(parts)
    assert parts.bodies.count > 1 and not parts.bonds.whole.all()
    scale = [np.abs(one).max() for one in before]
    np.testing.assert_allclose(after[0], before[0], atol=1e-13 * scale[0])
    np.testing.assert_allclose(after[1], before[1], atol=1e-12 * scale[1])
    assert parts.kinetic_energy() == pytest.approx(energy, rel=1e-13)


def stone(tension: float, d: int = 2, **more: Any) -> gr.Scene:
    """An agglomerate falls on a floor at 3 m/s."""
    region = {"kind": "round", "centre": [0.0] * (d - 1) + [0.12], "radius": 0.1}
    return gr.Scene(
        material={"m": {"density": 2000.0, "friction": 0.5, "restitution": 0.1}},
        pattern={"stone": {"kind": "grains", "count": 60 if d == 2 else 40, "radius": 0.01 if d == 2 else 0.02,
                           "arrangement": "lattice", "region": region, "velocity": [0.0] * (d - 1) + [-3.0]}},
        bond={"c": {"among": "stone", "tensile_strength": tension, "shear_strength": tension, "gap_ratio": 0.01,
                    "duration": 1e-3, **more}},
        boundary={"floor": {"kind": "plane", "position": [0.0] * d, "normal": [0.0] * (d - 1) + [1.0]}},
        load={"g": gravity(*[0.0] * (d - 1), -G)}, run={"until": 0.1, "interval": 0.01, "step": 2e-4})


@pytest.mark.parametrize("d, weak, strong", [(2, 1e4, 1e9), (3, 1e4, 1e9)])
def test_an_agglomerate_crumbles_or_stays_whole(d: int, weak: float, strong: float) -> None:
    """Weak cement lets all grains go, strong cement none; in between there are fragments. The ledger closes for all."""
    whole, dust = gr.simulate(stone(strong, d)), gr.simulate(stone(weak, d))
    n = 60 if d == 2 else 40
    assert whole.fragments().tolist() == [n] and whole.breaks == [] and whole.bonds_left[-1] == len(whole.bonds())
    assert dust.fragments()[0] < n // 4 and dust.bonds_left[-1] < whole.bonds_left[-1] // 4
    middle = gr.simulate(stone(3e5 if d == 2 else 1e5, d))
    assert 0 < len(middle.breaks) < middle.bonds_left[0]
    assert middle.fragments().sum() == n
    for run in (whole, dust, middle):
        closes(run)
        assert run.summary["bonds"]["broke"] == len(run.breaks)
    # what was bonded is followed grain by grain
    assert np.isfinite(dust.position(f"stone-{n}")).all()


def test_the_duration_makes_breaking_independent_of_the_step() -> None:
    """The strength at which a falling stone just breaks, by bisection, hardly depends on the step with a duration."""
    def critical(step: float, duration: float | None) -> float:
        low, high = 1e4, 1e9
        for _ in range(7):
            middle = math.sqrt(low * high)
            more = {} if duration is None else {"duration": duration}
            scene = stone(middle)
            bond = {"among": "stone", "tensile_strength": middle, "shear_strength": middle, "gap_ratio": 0.01, **more}
            scene = gr.Scene(**{**scene.model_dump(exclude_unset=True), "bond": {"c": bond}})
            run = gr.simulate(scene.with_run(until=0.02, step=step))
            low, high = (middle, high) if run.breaks else (low, middle)
        return math.sqrt(low * high)

    steps = (4e-4, 1e-4)
    with_it = [critical(step, 2e-3) for step in steps]
    without = [critical(step, None) for step in steps]
    assert abs(math.log(with_it[0] / with_it[1])) < math.log(1.5) < math.log(2.0) < abs(math.log(without[0] /
                                                                                                without[1]))


def test_resumed_runs_have_the_same_bits(tmp_path: Path) -> None:
    """Stopped amid crumbling."""
    whole, file = gr.simulate(stone(3e5)), tmp_path / "run.h5"
    for part in (0.031, 0.055):
        gr.simulate(stone(3e5), output=file, resume=True, progress=stop_at(part))
    found = gr.simulate(stone(3e5), output=file, resume=True)
    assert len(found.breaks) > 0
    for name, array in whole._recording.arrays.items():
        np.testing.assert_array_equal(found._recording.arrays[name], array, err_msg=name)


def test_nets_carry_loads_with_the_least_energy() -> None:
    """Against the minimum of ½ qᵀ D⁻¹ q under Bᵀ q = f by dense algebra, for a random net in space and in the plane."""
    rng = np.random.default_rng(5)
    for d in (2, 3):
        place = np.zeros((7, 3))
        place[:, :d] = rng.normal(size=(7, d))
        pair = np.array([(i, j) for i in range(7) for j in range(i + 1, 7) if rng.random() < 0.6])
        assert components(7, pair).max() == 0
        point = 0.5 * (place[pair[:, 0]] + place[pair[:, 1]])
        D = rng.uniform(0.5, 2.0, (len(pair), 6))
        net = Net(place, pair, point, D, d)
        force, moment = rng.normal(size=(7, 3)), rng.normal(size=(7, 3))
        if d == 2:
            force[:, 2] = moment[:, :2] = 0.0
        f, tau = np.empty((7, 3)), np.empty((7, 3))
        balance(np.zeros(7, np.int64), np.ones(7), np.full(7, 0.1), place, np.arange(7), force, moment,
                np.zeros((7, 3)), d == 2, np.empty((1, 16)), f, tau)
        np.testing.assert_allclose(f.sum(axis=0), 0.0, atol=1e-13)
        np.testing.assert_allclose((tau + np.cross(place, f)).sum(axis=0), 0.0, atol=1e-13)
        found = net.carry(f, tau)
        # equilibrium rows written down by hand: what joints do to their first part, and back to the second
        kept = [0, 1, 2, 3, 4, 5] if d == 3 else [0, 1, 5]
        A = np.zeros((7, 6, len(pair), 6))
        for m, (a, b) in enumerate(pair):
            for k in range(3):
                e = net.axes[m, k]
                for node, sign in ((a, 1.0), (b, -1.0)):
                    A[node, :3, m, k] += sign * e
                    A[node, 3:, m, k] += sign * np.cross(point[m] - place[node], e)
                    A[node, 3:, m, 3 + k] += sign * e
        rows = A[:, kept][:, :, :, kept].reshape(7 * len(kept), -1)
        right = -np.concatenate([f, tau], axis=1)[:, kept].ravel()
        root = np.sqrt(D[:, kept]).ravel()
        least = root * np.linalg.lstsq(rows * root, right, rcond=None)[0]
        np.testing.assert_allclose(found[:, kept].ravel(), least, atol=1e-9)


BAD = [
    ({"among": "nothing"}, ("bond.c.among", '"nothing"')),
    ({"among": "stone", "gap_ratio": 0.0}, ("gap_ratio",)),
]


@pytest.mark.parametrize("change, names", BAD)
def test_bad_bonds_are_refused(change: dict[str, Any], names: tuple[str, ...]) -> None:
    scene = stone(1e6).model_dump(exclude_unset=True)
    bond = {"among": "stone", "tensile_strength": 1e6, "shear_strength": 1e6, **change}
    scene["pattern"]["stone"] |= {"arrangement": "random", "radius": 0.004}
    with refused(gr.SceneError, *names):
        gr.simulate(gr.Scene(**{**scene, "bond": {"c": bond}}))


def test_bonds_need_moreau() -> None:
    with refused(gr.SceneError, "moreau"):
        gr.simulate(stone(1e6), solver="soft")
