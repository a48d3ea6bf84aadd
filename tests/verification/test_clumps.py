"""Clumps among grains against closed forms: free turning, impacts off the centre, sliding, rolling, rest."""

from __future__ import annotations

import math

import numpy as np
import pytest

import granum as gr
from granum.contact.world import World
from granum.state.rotation import mean_angular_velocity, rotate_pose
from messages import refused

G = 9.81
SMOOTH = {"m": gr.Material(friction=0.0, restitution=0.6, density=1000.0)}
PAIR = gr.Clump(spheres=[gr.Part(centre=(0.0, 0.0, 0.0), radius=0.1), gr.Part(centre=(0.25, 0.0, 0.0), radius=0.1)])
FALL = {"g": gr.Gravity(acceleration=(0.0, 0.0, -G))}
FLOOR = {"floor": gr.Plane(position=(0.0, 0.0, 0.0), normal=(0.0, 0.0, 1.0))}


def settings(until: float, **more: object) -> gr.RunSettings:
    return gr.RunSettings(until=until, solver="moreau", **more)


def test_free_asymmetric_clump_keeps_energy_and_momentum() -> None:
    """The midpoint rule keeps both to round-off, through the flips of the intermediate axis."""
    body = gr.Clump(spheres=[gr.Part(centre=(0.0, 0.0, 0.0), radius=0.1), gr.Part(centre=(0.3, 0.0, 0.0), radius=0.1),
                             gr.Part(centre=(0.0, 0.18, 0.0), radius=0.08)], density=1000.0)
    inertia = body.properties().inertia
    middle = np.linalg.eigh(inertia)[1][:, 1]
    scene = gr.Scene(material=SMOOTH, body={"c": body},
                     start={"c": gr.Start(position=(0.0, 0.0, 0.0), angular_velocity=tuple(20.0 * middle + 0.01))},
                     run=settings(10.0, step=1e-3))
    run = gr.simulate(scene)
    u, w = run.orientation("c"), run.angular_velocity("c")
    spins, energies = [], []
    for k in range(len(run.t)):
        R = _matrix(u[k])
        world = R @ inertia @ R.T
        spins.append(world @ w[k])
        energies.append(0.5 * w[k] @ world @ w[k])
    assert np.abs(np.array(spins) - spins[0]).max() < 1e-11 * np.linalg.norm(spins[0])
    assert np.ptp(energies) < 1e-11 * energies[0]
    along = np.einsum("ki,i->k", np.array([_matrix(q).T @ wk for q, wk in zip(u, w, strict=True)]), middle)
    assert along.min() < -15.0 and along.max() > 15.0  # it flips


def test_midpoint_rule_converges_with_order_two() -> None:
    """Against a thousand times smaller steps: half the step, a quarter of the error."""
    inertia = np.zeros((1, 12))
    inertia[0, :3], inertia[0, 6:9] = (1.0, 2.0, 3.0), (1.0, 0.5, 1.0 / 3.0)

    def end(steps: int) -> np.ndarray:
        pose = np.zeros((1, 8))
        pose[0, 4] = 1.0
        L = np.array([1.0, 2.0, 0.5])
        for _ in range(steps):
            R = _matrix(pose[0, 4:])
            w = R @ np.array(mean_angular_velocity(inertia, 0, *(R.T @ L), 1.0 / steps))
            rotate_pose(pose, 0, *(w / steps), pose)
        return pose[0, 4:].copy()

    best = end(4000)
    errors = [np.abs(end(n) - best).max() for n in (20, 40, 80)]
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.05)
    assert errors[1] / errors[2] == pytest.approx(4.0, rel=0.05)


def test_impact_off_the_centre() -> None:
    """Smooth: P = (1 + e) v / (1/m + (r×n)·I⁻¹(r×n)) at the part that touches."""
    clump = PAIR.model_copy(update={"density": 1000.0})
    own = clump.properties()
    tilt = 0.4
    orientation = (math.cos(tilt / 2), 0.0, math.sin(tilt / 2), 0.0)
    arm = _matrix(orientation) @ np.array(clump.fixed_points()["2"]) - np.array([0.0, 0.0, 0.1])
    height = -arm[2] + 1e-9
    scene = gr.Scene(material=SMOOTH, body={"c": clump}, boundary=FLOOR,
                     start={"c": gr.Start(position=(0.0, 0.0, height), velocity=(0.0, 0.0, -2.0),
                                          orientation=orientation)}, run=settings(1e-4, step=1e-4))
    run = gr.simulate(scene)
    K = _matrix(orientation) @ np.linalg.inv(own.inertia) @ _matrix(orientation).T
    lever = np.cross(arm, [0.0, 0.0, 1.0])
    P = 1.6 * 2.0 / (1.0 / own.mass + lever @ K @ lever)
    assert run.velocity("c")[-1] == pytest.approx([0.0, 0.0, -2.0 + P / own.mass], abs=1e-10)
    # impulses act with the inertia of the beginning of the step; it turns with the body in the step, by order h
    assert run.angular_velocity("c")[-1] == pytest.approx(K @ lever * P, rel=1e-3)
    spun = 0.5 * own.mass * run.velocity("c")[-1][2] ** 2 + 0.5 * P**2 * (lever @ K @ lever)
    assert run.energy.kinetic[-1] == pytest.approx(spun, rel=1e-10)


def test_a_flat_clump_slides_to_a_stop() -> None:
    """Four balls on a floor do not tip: v²/2μg, in steps h to within v h."""
    spots = [(x, y, 0.0) for x in (-0.2, 0.2) for y in (-0.2, 0.2)]
    clump = gr.Clump(spheres=[gr.Part(centre=at, radius=0.05) for at in spots], density=1000.0)
    scene = gr.Scene(material={"m": gr.Material(friction=0.4, restitution=0.0)}, body={"c": clump}, boundary=FLOOR,
                     load=FALL, start={"c": gr.Start(position=(0.0, 0.0, 0.05), velocity=(2.0, 0.0, 0.0))},
                     run=settings(0.7, step=1e-4))
    run = gr.simulate(scene)
    assert run.position("c")[-1][0] == pytest.approx(4.0 / (2 * 0.4 * G), abs=2.0 * 1e-4)
    assert np.abs(run.velocity("c")[-1]).max() < 1e-12


@pytest.mark.parametrize(("friction", "slides"), [(0.2, True), (0.7, False)])
def test_a_clump_on_an_incline_slides_or_stays(friction: float, slides: bool) -> None:
    """Three disks in a row cannot roll: it slides with g (sin a - μ cos a), or not at all (tan a = 0.577)."""
    a = math.radians(30.0)
    clump = gr.Clump(disks=[gr.Part(centre=(0.25 * k, 0.0), radius=0.05) for k in range(3)], density=1000.0)
    normal = (-math.sin(a), math.cos(a))
    scene = gr.Scene(material={"m": gr.Material(friction=friction, restitution=0.0)}, body={"c": clump},
                     boundary={"hill": gr.Plane(position=(0.0, 0.0), normal=normal)},
                     load={"g": gr.Gravity(acceleration=(0.0, -G))},
                     start={"c": gr.Start(position=(0.05 * normal[0], 0.05 * normal[1]), angle=a)},
                     run=settings(1.0, step=2e-4))
    run = gr.simulate(scene)
    down = (run.position("c")[-1] - run.position("c")[0]) @ [-math.cos(a), -math.sin(a)]
    expected = 0.5 * G * (math.sin(a) - friction * math.cos(a)) if slides else 0.0
    assert down == pytest.approx(expected, rel=1e-3, abs=1e-6)
    assert run.energy.error == pytest.approx(0.0, abs=1e-9 * max(1.0, abs(run.energy.potential[-1])))


def test_a_clump_of_one_ball_is_a_ball() -> None:
    """It rolls down a hill with 5/7 g sin a like the ball."""
    a = math.radians(20.0)
    normal = np.array([-math.sin(a), 0.0, math.cos(a)])
    ball = gr.Clump(spheres=[gr.Part(centre=(0.0, 0.0, 0.0), radius=0.1)], density=1000.0)
    scene = gr.Scene(material={"m": gr.Material(friction=0.5, restitution=0.0)}, body={"c": ball},
                     boundary={"hill": gr.Plane(position=(0.0, 0.0, 0.0), normal=tuple(normal))}, load=FALL,
                     start={"c": gr.Start(position=tuple(0.1 * normal))}, run=settings(1.0, step=1e-3))
    run = gr.simulate(scene)
    assert np.linalg.norm(run.velocity("c")[-1]) == pytest.approx(5.0 / 7.0 * G * math.sin(a), rel=1e-10)


def heap(count: int, until: float, width: float = 0.12, height: float = 0.5, **more: object) -> gr.Scene:
    shape = gr.Shape(spheres=[gr.Part(centre=(0.0, 0.0, 0.0), radius=1.0), gr.Part(centre=(1.2, 0.0, 0.0), radius=1.0),
                              gr.Part(centre=(0.6, 1.0, 0.0), radius=0.8)])
    return gr.Scene(
        material={"m": gr.Material(friction=0.4, restitution=0.2, density=2500.0)}, shape={"tri": shape},
        pattern={"c": gr.Grains(shape="tri", radius=0.01, count=count,
                                region=gr.BoxRegion(lower=(0.0, 0.0, 0.0), upper=(width, width, height)))},
        boundary={"box": gr.Box(lower=(0.0, 0.0, 0.0), upper=(width, width, 2.0 * height), open=("+z",))}, load=FALL,
        run=settings(until, **more))


def test_a_heap_of_clumps_comes_to_rest() -> None:
    """No creep: a second after all have settled nothing has moved by more than what is left of overlaps."""
    run = gr.simulate(heap(150, 2.0))
    assert run.energy_error < 0.01
    assert run.summary["largest_speed"] < 1e-5
    settled, last = run.frame(len(run.t) // 2), run.frame(-1)
    assert np.abs(last.positions - settled.positions).max() < 1e-4 * 0.01
    assert run.summary["overlap"]["mean"] < 1e-4


@pytest.mark.validate
def test_ten_thousand_clumps_settle() -> None:
    """They come to rest within two seconds and do not creep in the next; the ledger closes to 1e-9."""
    run = gr.simulate(heap(10_000, 3.0, 0.6, 1.0, interval=0.25))
    assert run.energy_error < 0.01
    settled, last = run.frame(8), run.frame(-1)
    assert np.abs(last.positions - settled.positions).max() < 1e-2 * 0.01
    assert run.summary["largest_speed"] < 1e-3
    assert run.summary["overlap"]["mean"] < 1e-4


def test_stress_goes_to_mass_centres() -> None:
    """A clump that stands on its lower ball: σ V = m g times the height of the mass centre (Love and Weber)."""
    clump = gr.Clump(spheres=[gr.Part(centre=(0.0, 0.0, 0.0), radius=0.1),
                              gr.Part(centre=(0.0, 0.0, 0.15), radius=0.08)],
                     density=1000.0)
    height = 0.1 + clump.origin()[2]
    scene = gr.Scene(material={"m": gr.Material(friction=0.5, restitution=0.0)}, body={"c": clump}, boundary=FLOOR,
                     load=FALL, start={"c": gr.Start(position=(0.0, 0.0, height))}, run=settings(0.01, step=1e-4))
    run = gr.simulate(scene)
    found = run.stress(2.0).tensor * 2.0
    assert found[2, 2] == pytest.approx(clump.properties().mass * G * height, rel=1e-3)
    assert run.coordination().walls == 1 and run.summary["grains"]["end"] == 1 and run.summary["parts"] == 2


def test_overlaps_of_parts_fill_once() -> None:
    """Clumps of a shape fill as much as balls of their radius."""
    scene = heap(30, 0.01)
    box = gr.PackingProbe(region=gr.BoxRegion(lower=(-1.0, -1.0, -1.0), upper=(1.0, 1.0, 1.0)))
    run = gr.simulate(scene.model_copy(update={"probe": {"box": box}}))
    assert run.packing("box")[0] == pytest.approx(30 * 4.0 / 3.0 * math.pi * 0.01**3 / 8.0, rel=1e-12)


def test_material_turns_with_the_scene() -> None:
    """The same heap with another order of entries and turned by a quarter about the vertical has the same energies."""
    one = World(heap(40, 0.2))
    one.begin()
    one.advance(0.15, lambda t: None)
    before = one.grains.kinetic_energy()
    pose, motion = one.grains.bodies.pose, one.grains.bodies.motion  # type: ignore[attr-defined]
    quarter = np.array([math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5)])
    pose[:, 4:] = np.array([_product(quarter, q) for q in pose[:, 4:]])
    turned = motion[:, 4:7].copy()
    motion[:, 4], motion[:, 5] = -turned[:, 1], turned[:, 0]
    assert one.grains.kinetic_energy() == pytest.approx(before, rel=1e-12)


def test_loads_on_clumps_are_in_the_ledger() -> None:
    """Drag pushes every part where it is; its work is counted to round-off."""
    scene = heap(60, 0.3)
    drag = gr.Drag(density=1.2, drag_coefficient=0.5, velocity=(3.0, 0.0, 0.0))
    run = gr.simulate(scene.model_copy(update={"load": {**scene.load, "wind": drag}}))
    assert abs(run.energy.work["wind"][-1]) > 1e-6
    assert run.energy_error < 0.01


def test_what_does_not_fit_is_refused() -> None:
    scene = heap(5, 0.1)
    with refused(gr.SceneError, "pattern.c.shape", 'solver "soft"'):
        gr.simulate(scene.with_run(solver="soft"))
    wrong = scene.pattern["c"].model_copy(update={"shape": "tree"})
    with refused(gr.SceneError, '"tree"'):
        gr.simulate(scene.model_copy(update={"pattern": {"c": wrong}}))


def _matrix(u: object) -> np.ndarray:
    w, x, y, z = np.asarray(u, dtype=float)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def _product(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    return np.array([p[0] * q[0] - p[1:] @ q[1:], *(p[0] * q[1:] + q[0] * p[1:] + np.cross(p[1:], q[1:]))])
