"""Flows that jam, drain, overload and flow: verdicts against what holds the grains."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from matplotlib.collections import EllipseCollection

import granum as gr
from grain_scenes import G, gravity
from granum.run.show import summary_lines
from granum.view.stage import Stage
from messages import naming, refused, says
from runs import stop_at

EXAMPLES = Path(__file__).parents[2] / "examples"


def silo(opening: float, friction: float = 0.5, seed: int = 1, **changes: object) -> gr.Scene:
    """A silo with a flat floor and a hole in its middle."""
    content = {
        "material": {"sand": {"friction": friction, "rolling_friction": 0.1, "density": 2500.0}},
        "boundary": {"silo": {"kind": "hopper", "position": [0.0, 0.0], "opening": opening, "width": 0.6,
                              "height": 1.0}},
        "pattern": {"bed": {"kind": "grains", "count": 60, "radius": [0.018, 0.022],
                            "region": {"kind": "box", "lower": [-0.28, 0.02], "upper": [0.28, 0.45]}}},
        "sink": {"below": {"region": {"kind": "half-space", "position": [0.0, -0.3], "normal": [0.0, -1.0]}}},
        "load": {"gravity": gravity(0.0, -G)},
        "probe": {"outlet": {"kind": "flow", "position": [0.0, -0.02], "normal": [0.0, -1.0]},
                  "jam": {"kind": "jam", "flow": "outlet", "window": 0.5, "rest_fraction": 1e-5}},
        "run": {"until": 3.0, "interval": 0.25, "seed": seed}}
    return gr.Scene(**{**content, **changes})


def of_grains(run: gr.Run) -> gr.Run:
    return run


def test_six_grains_left_on_the_floor_are_no_jam() -> None:
    """Three lie on either side of the hole and touch each other; what was above the hole has passed."""
    left = [[x, 0.03] for x in (-0.27, -0.21, -0.15)]
    above = [[0.0, 0.1 + 0.07 * k] for k in range(5)]
    at = [*left, *([-x, y] for x, y in left), *above]
    run = of_grains(gr.simulate(silo(0.2, pattern={"bed": {"kind": "grains", "radius": 0.03, "positions": at}})))
    assert run.t[-1] == 3.0 and run.event is None and run.jam is None
    found = run.verdict()
    assert (found.verdict, found.upstream, found.arch, found.position) == ("drained", 6, 0, None)
    assert run.passed("outlet")[0][-1] == 5 and found.without_passage > 1.0
    assert found.fastest < 1e-5 * found.driving_speed
    assert [one.verdict for one in run.verdicts] == ["flowing", "drained"]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_heaps_beside_a_wide_hole_are_no_jam(seed: int) -> None:
    run = of_grains(gr.simulate(silo(0.3, seed=seed)))
    assert run.t[-1] == 3.0 and run.verdict().verdict == "drained" and run.arch() is None
    assert 0 < run.verdict().upstream == run.counts[-1] and run.passed("outlet")[0][-1] > 20


def test_an_arch_over_a_narrow_hole_is_a_jam() -> None:
    """A hole of one and a half diameters, much friction: the boundary carries the weight of all grains."""
    run = of_grains(gr.simulate(silo(0.065, friction=0.8)))
    found, shown = run.verdict(), run.frame()
    assert run.jam == found and found.verdict == "jammed" and run.t[-1] < 3.0 and found.t == run.t[-1]
    assert found.position is not None and found.wall_forces is not None
    # at the hole: within an arch's height above it, between its feet
    assert abs(found.position[0]) < 0.1 and 0.0 < found.position[1] < 0.15
    assert 3 <= found.arch <= 8
    weight = 2500.0 * np.pi * float((shown.radii**2).sum()) * G
    # what is missing accelerates the grains: at most 2 v/h for each of them, over the steps of a sample
    mass, h = weight / G, run.metadata["step"]["step"]
    assert sum(force[1] for force in found.wall_forces) == pytest.approx(weight, abs=2.0 * mass * found.fastest / h)
    # found again in the recorded contacts, and written down for people and for programs
    arch = run.arch()
    assert arch is not None and len(arch.bodies) == found.arch
    assert arch.position[:2] == pytest.approx(found.position, abs=1e-12)
    assert json.loads(json.dumps(run.summary))["verdicts"][-1]["verdict"] == "jammed"
    (told,) = (line for line in summary_lines({**run.summary, "seconds": 1.0}) if "-y" in line)
    assert run.event is not None and told.startswith(run.event)
    naming(run.event, "jam", "-y", "jammed")
    says(told, "jammed", "flowing from t = 0 s", "waiting from t = ")
    # seen in pictures and on the page, in the frame that is jammed and in no other
    assert run.arched().sum() == found.arch and not run.arched(1).any()
    rims = [drawn for drawn in run.plot.forces().axes[0].collections if isinstance(drawn, EllipseCollection)][-1]
    np.testing.assert_allclose(rims.get_offsets(), shown.positions[run.arched()])
    stage = Stage(run)
    assert next(iter(stage.quantities)) == "arch"
    np.testing.assert_array_equal(stage.values(-1, "arch") == 0.0, run.arched())


def test_a_ring_around_a_hole_in_space_is_no_jam() -> None:
    """Spheres around the rim of a wide hole touch each other all around it, and rest."""
    hole, r = 0.2, 0.03
    count = 24
    radius = r / np.sin(np.pi / count)  # neighbours touch
    angle = 2.0 * np.pi * np.arange(count) / count
    ring = [[radius * np.cos(a), radius * np.sin(a), r] for a in angle]
    above = [[0.0, 0.0, 0.1 + 0.08 * k] for k in range(4)]
    scene = silo(2.0 * hole, pattern={"bed": {"kind": "grains", "radius": r, "positions": [*ring, *above]}}, boundary={
        "silo": {"kind": "hopper", "position": [0.0, 0.0, 0.0], "opening": 2.0 * hole, "width": 0.7,
                 "height": 1.0}},
        sink={}, load={"gravity": gravity(0.0, 0.0, -G), "squeeze": {"kind": "force-field", "force": [
            "-2.0*m*x", "-2.0*m*y", "0"]}},
        probe={"outlet": {"kind": "flow", "position": [0.0, 0.0, -0.02], "normal": [0.0, 0.0, -1.0]},
               "jam": {"kind": "jam", "flow": "outlet", "window": 0.5}})
    run = of_grains(gr.simulate(scene, until=1.2))
    assert run.passed("outlet")[0][-1] == 4 and run.jam is None
    # they press on each other: the chain around the hole is there, but does not pass over it
    shown = run.frame()
    between = np.linalg.norm(shown.force[shown.pair[:, 1] >= 0], axis=1)
    assert np.count_nonzero(between > 0.0) >= count - 1
    assert run.verdict().verdict == "drained" and run.verdict().upstream == count


def test_grains_on_a_closed_gate_are_no_jam() -> None:
    """A gate below a wide hole is drawn aside after 1.5 s: closed until then, drained in the end."""
    scene = silo(0.3)
    gate = {"kind": "wall", "positions": [[-0.17, 0.0], [0.17, 0.0]],
            "motion": {"velocity": [-1.0, 0.0], "start_time": 1.5, "until": 2.0}}
    probe = scene.probe["jam"].model_copy(update={"window": 0.25})
    boundary = {**scene.boundary, "gate": gr.Scene(boundary={"gate": gate}).boundary["gate"]}
    run = of_grains(gr.simulate(scene.model_copy(update={"boundary": boundary, "probe": {**scene.probe, "jam": probe}}),
                                until=4.0))
    assert run.jam is None and run.t[-1] == 4.0
    assert [found.verdict for found in run.verdicts] == [
        "flowing", "waiting", "closed", "waiting", "flowing", "waiting", "drained"]
    assert run.verdicts[2].begin < 1.5 < run.verdicts[3].begin < run.verdicts[4].begin < 1.7


def pipe(**probe: object) -> gr.Scene:
    scene = gr.load(EXAMPLES / "pipe-jam.toml")
    jam = scene.probe["jam"].model_copy(update=probe)
    return scene.model_copy(update={"probe": {**scene.probe, "jam": jam}})


def drag_at_rest(run: gr.Run) -> float:
    """Drag on grains at rest, Σ ½ ρ C_D A u², whatever the step (theory/grains-loads.md)."""
    load = run.scene.load["stream"]
    u, r = load.velocity[0], run.frame().radii  # type: ignore[union-attr,index]
    return float((0.5 * load.density * load.drag_coefficient * np.pi * r**2 * u**2).sum())  # type: ignore[union-attr]


def test_the_pipe_of_the_demo_jams_and_the_walls_carry_the_drag() -> None:
    run = of_grains(gr.simulate(gr.load(EXAMPLES / "pipe-jam.toml")))
    found, shown = run.verdict(), run.frame()
    assert found.verdict == "jammed" and found.direction == "+x" and found.t == run.t[-1] < run.scene.run.until
    assert found.upstream == len(shown.radii) > 50 and run.passed("throat")[0][-1] > 0
    assert found.position is not None and found.wall_forces is not None and found.arch >= 3
    speed = float(np.linalg.norm(shown.velocities, axis=1).max())
    assert speed == found.fastest < 1e-4 * found.driving_speed
    # in the narrowing or the throat, not somewhere in the packing
    assert found.position[0] > max(float(shown.positions[:, 0].max()) - 0.2, 0.55)
    low, high = found.wall_forces
    mass, h = 1100.0 * 4.0 / 3.0 * np.pi * float((shown.radii**3).sum()), run.metadata["step"]["step"]
    # momentum of a step: what the walls do not carry accelerates grains, each by at most twice the fastest speed
    assert -(low[0] + high[0]) == pytest.approx(drag_at_rest(run), abs=2.0 * mass * speed / h)
    assert low[1] + high[1] == pytest.approx(0.0, abs=2.0 * mass * speed / h)
    assert low[1] > 0.0 > high[1]  # the arch presses both walls apart


def test_the_wall_balance_tightens_as_the_grains_come_to_rest() -> None:
    """Without a stop the same packing rests longer: the balance closes with its residual speed."""
    run = of_grains(gr.simulate(pipe(stop=False), until=50.0, interval=1.0))
    assert run.event is None and run.t[-1] == 50.0 and run.jam is not None and run.jam.begin < 40.0
    found = run.verdict()
    assert found.verdict == "jammed" and found.t == pytest.approx(50.0, abs=0.2)
    assert found.wall_forces is not None and found.without_passage > run.scene.probe["jam"].window  # type: ignore[union-attr]
    mass, h = 1100.0 * 4.0 / 3.0 * np.pi * float((run.frame().radii**3).sum()), run.metadata["step"]["step"]
    drag = drag_at_rest(run)
    # residual speed of the packing, and round-off of a sum of some hundred forces
    bound = 2.0 * mass * found.fastest / h + 1e-12 * drag
    assert bound < 1e-2 * drag
    assert -sum(force[0] for force in found.wall_forces) == pytest.approx(drag, abs=bound)


def test_more_inflow_than_discharge_is_an_overload_with_both_rates() -> None:
    """The thesis' pipe, grains that rotate: its program stops where grains are backed up, while most of them pass."""
    from granum.validation.pipe_jam import example

    scene = example(False, "rotating")
    stopping = scene.probe["jam"].model_copy(update={"stop": True})
    run = of_grains(gr.simulate(scene.model_copy(update={"probe": {**scene.probe, "jam": stopping}}), seed=2,
                                until=300.0, interval=10.0))
    found = run.verdict()
    assert found.verdict == "overloaded" and run.jam is None
    assert found.backed_up == found.t == run.t[-1] < 300.0
    assert found.inflow == pytest.approx(3.1, rel=0.02)  # 31 every 10 s
    assert 2.0 < found.discharge < found.inflow and found.fastest > 0.5 * found.driving_speed
    assert run.event is not None
    says(run.event, "overloaded")
    # the rate of passage over the last 50 s by the counts of the frames
    passed = run.passed("discharge")[0]
    assert found.discharge == pytest.approx((passed[-1] - passed[-6]) / (run.t[-1] - run.t[-6]), rel=0.1)


def test_a_clogged_outlet_beside_a_flowing_one_is_jammed() -> None:
    """Two bins side by side: the hole of one is narrow and clogs, while the other flows until the end."""
    ends = [((-0.6, 1.5), (-0.6, 0.0)), ((-0.6, 0.0), (-0.3325, 0.0)), ((-0.2675, 0.0), (0.18, 0.0)),
            ((-0.02, 0.0), (-0.02, 1.5)), ((0.0, 0.0), (0.0, 1.5)), ((0.42, 0.0), (0.6, 0.0)), ((0.6, 0.0), (0.6, 1.5))]
    bins = {"one": (60, [-0.58, 0.02], [-0.04, 0.45]), "two": (250, [0.02, 0.02], [0.58, 1.45])}
    jam = {"kind": "jam", "window": 0.25, "stop": False}
    run = of_grains(gr.simulate(silo(
        0.1, friction=0.8, boundary={f"wall-{k}": {"kind": "wall", "positions": pair} for k, pair in enumerate(ends)},
        pattern={name: {"kind": "grains", "count": count, "radius": [0.018, 0.022],
                        "region": {"kind": "box", "lower": lower, "upper": upper}}
                 for name, (count, lower, upper) in bins.items()},
        probe={"narrow": {"kind": "flow", "position": [-0.3, -0.02], "normal": [0.0, -1.0], "half_width": 0.2},
               "wide": {"kind": "flow", "position": [0.3, -0.02], "normal": [0.0, -1.0], "half_width": 0.2},
               "clogged": {**jam, "flow": "narrow"}, "flowing": {**jam, "flow": "wide"}},
        run={"until": 1.1, "interval": 0.1, "seed": 1})))
    found, beside = run.verdict("clogged"), run.verdict("flowing")
    assert (found.verdict, beside.verdict) == ("jammed", "flowing")
    assert found.arch >= 2 and found.fastest < 1e-3 * found.driving_speed < beside.fastest and beside.discharge > 50.0
    # a clogged flow has stopped: its mean counts the time since then, and the other one's goes on
    clogged, flows = run.flow_rate("narrow"), run.flow_rate("wide")
    assert (clogged.verdict, flows.verdict) == ("jammed", "flowing") and flows.mean == flows.flowing
    assert clogged.mean <= 2.0 / 1.1  # one or two grains fall before the arch stands


def test_an_arch_in_a_vibrated_silo_is_a_jam() -> None:
    """Shaken with 0.05 g at 25 Hz the arch moves with the silo, at up to 5 times the speed that counts as rest."""
    rate = 2.0 * np.pi * 25.0
    still = silo(0.065, friction=0.8)
    shaken = {**still.boundary["silo"].model_dump(exclude_defaults=True), "kind": "hopper",
              "motion": {"amplitude": [0.0, 0.05 * G / rate**2], "frequency": 25.0}}
    jam = {"kind": "jam", "flow": "outlet", "window": 0.5, "stop": False}
    run = of_grains(gr.simulate(silo(0.065, friction=0.8, boundary={"silo": shaken},
                                     probe={"outlet": still.probe["outlet"], "jam": jam},
                                     run={"until": 2.0, "interval": 0.01, "seed": 1})))
    found = run.verdict()
    assert 0.05 * G / rate > 4.0 * 1e-3 * found.driving_speed
    # flowing until a window after the last passage; when a grain slips on the bed it waits for that, and never flows
    assert run.verdicts[0].verdict == "flowing" and run.verdicts[1].begin < 1.0
    assert {one.verdict for one in run.verdicts[1:]} <= {"jammed", "waiting"}
    assert found.verdict == "jammed" and found.arch >= 3
    assert np.linalg.norm(run.frame().velocities, axis=1).max() < 1.1 * 0.05 * G / rate
    # the recording goes on for more than a second after the last grain passed
    rate_found, passed = run.flow_rate("outlet"), run.passed("outlet")[0]
    first, last = run.t[np.argmax(passed > 0) - 1], run.t[np.argmax(passed == passed[-1])]
    assert rate_found.mean == pytest.approx(passed[-1] / (2.0 - first)) and 2.0 - last > 1.0
    assert rate_found.flowing == pytest.approx(passed[-1] / (last - first)) and rate_found.rate[-1] == 0.0


@pytest.mark.parametrize(("opening", "count", "verdicts"), [
    (0.12, 3, ["flowing", "waiting", "flowing"]), (0.08, 8, ["flowing", "waiting", "flowing", "overloaded"])])
def test_feed_that_passes_and_feed_that_does_not(opening: float, count: int, verdicts: list[str]) -> None:
    """Three grains every 20 ms pass a hole of six diameters, eight do not pass one of four: one verdict each, for good.

    A grain falls for √(2·1 m/g) = 0.45 s, more than two windows, before the first passes.
    """
    run = of_grains(gr.simulate(silo(
        opening, pattern={}, material={"sand": {"friction": 0.3, "restitution": 0.3, "density": 2500.0}},
        boundary={"silo": {"kind": "hopper", "position": [0.0, 0.0], "opening": opening, "width": 0.4,
                           "funnel_height": 0.2, "height": 3.0}},
        source={"feed": {"interval": 0.02, "count": count, "radius": 0.01, "material": "sand",
                         "region": {"kind": "box", "lower": [-0.15, 1.0], "upper": [0.15, 1.2]}}},
        probe={"outlet": {"kind": "flow", "position": [0.0, -0.02], "normal": [0.0, -1.0]},
               "jam": {"kind": "jam", "flow": "outlet", "window": 0.2, "stop": False}},
        run={"until": 1.5, "interval": 0.1, "seed": 1})))
    assert [one.verdict for one in run.verdicts] == verdicts
    assert run.verdicts[2].begin == pytest.approx(np.sqrt(2.0 / G), abs=0.05)


def test_two_jam_probes_are_both_sampled() -> None:
    """Each has its own time; neither keeps the other from its samples."""
    scene = silo(0.065, friction=0.8)
    jam = scene.probe["jam"].model_copy(update={"stop": False})
    other = jam.model_copy(update={"window": 1.5})
    run = of_grains(gr.simulate(scene.model_copy(update={"probe": {**scene.probe, "jam": jam, "late": other}})))
    soon, late = run.verdict("jam"), run.verdict("late")
    assert (soon.verdict, late.verdict) == ("jammed", "jammed") and soon.begin + 0.5 < late.begin
    assert soon.without_passage == pytest.approx(late.without_passage, abs=1.5 / 50)
    with refused(gr.GranumError, "2 jam probes", "jam, late"):
        run.verdict()


def test_a_run_without_steps_has_no_verdict_yet(tmp_path: Path) -> None:
    run = of_grains(gr.simulate(silo(0.1), output=tmp_path / "run.h5", progress=stop_at(0.0)))
    assert len(run.t) == 1 and run.verdicts == [] and run.jam is None
    with refused(gr.GranumError, '"jam"'):
        run.verdict()


def test_the_history_of_verdicts_survives_a_stop(tmp_path: Path) -> None:
    scene, file = pipe(stop=False), tmp_path / "run.h5"
    whole = of_grains(gr.simulate(scene, until=35.0, interval=1.0))
    assert len(whole.verdicts) >= 2
    gr.simulate(scene, until=35.0, interval=1.0, output=file, progress=stop_at(20.3))
    again = of_grains(gr.simulate(scene, until=35.0, interval=1.0, output=file, resume=True))
    assert again.verdicts == whole.verdicts == of_grains(gr.open_run(file)).verdicts


@pytest.mark.parametrize("changes", [
    {"load": {}}, {"load": {"gravity": gravity(0.0, G)}},
    {"load": {"push": {"kind": "force-field", "force": ["0", "-m*9.81"]}}}])
def test_a_flow_that_nothing_drives_needs_its_speed(changes: dict[str, object]) -> None:
    with refused(gr.SceneError, "probe.jam.driving_speed", "-y"):
        gr.simulate(silo(0.1, **changes))
    scene = silo(0.1, **changes)
    told = scene.probe["jam"].model_copy(update={"driving_speed": 0.5})
    gr.simulate(scene.model_copy(update={"probe": {**scene.probe, "jam": told}}), until=0.01)
