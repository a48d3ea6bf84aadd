"""A simulation that is stepped, read, changed, restored and branched gives what a run to the end gives."""

from __future__ import annotations

import math
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import granum as gr
from messages import refused
from scenes import pendulum

CART = gr.Scene(
    title="Cart and pole",
    body={"rail": gr.FixedPoint(position=(0, 0)), "cart": gr.RigidBody(mass=1.0, inertia=0.1),
          "pole": gr.RigidBody(mass=0.2, inertia=0.004, points={"foot": (0, -0.25)})},
    constraint={"track": gr.Slider(between=("rail", "cart"), axis=(1, 0)),
                "pivot": gr.Hinge(between=("cart", "pole.foot"))},
    start={"cart": gr.Start(position=(0, 0)), "pole": gr.Start(angle=-0.1)},
    load={"gravity": gr.Gravity(acceleration=(0, -9.81))},
    actuator={"motor": gr.ForceActuator(joint="track", force=0.0, limit=30.0)},
    run=gr.RunSettings(until=1.0, interval=0.05, tolerance=1e-11))
FEEDBACK = "2*displacement + 3*rate - 40*pole.angle - 6*pivot.rate"
GATE = gr.Scene(
    material={"sand": gr.Material(density=2500.0, friction=0.4, restitution=0.1)},
    boundary={"floor": gr.Plane(position=(0, 0), normal=(0, 1)),
              "back": gr.Wall(positions=[(-0.12, 0), (-0.12, 0.3)]),
              "leaf": gr.Wall(positions=[(0, 0.01), (0, 0.2)], body="gate")},
    pattern={"heap": gr.Grains(arrangement="dense", count=40, radius=("7 mm", "9 mm"),
                               region={"kind": "box", "lower": (-0.115, 0.005), "upper": (-0.005, 0.15)})},
    body={"post": gr.FixedPoint(position=(0, 0.22)),
          "gate": gr.Block(size=(0.01, 0.2), mass=1.0, points={"top": (0, 0.1)})},
    start={"gate": gr.Start(position=(0, 0.12))},
    constraint={"hinge": gr.Hinge(between=("post", "gate.top"))},
    load={"gravity": gr.Gravity(acceleration=(0, -9.81))},
    actuator={"motor": gr.TorqueActuator(joint="hinge")}, run=gr.RunSettings(until=0.2, interval=0.02))
SCENES = {
    "links": (gr.example("pendulum"), {"solver": "rk4"}, "bob-7"), "scalar": (
        gr.example("pendulum"), {"formulation": "scalar"}, "bob-7"),
    "mixed": (gr.example("pendulum"), {"solver": "mixed"}, "bob-7"),
    "mechanism": (CART, {}, "pole"), "formulas": (CART, {"formulation": "fundamental"}, "pole"),
    "gibbs": (CART, {"formulation": "gibbs-appell"}, "pole"), "joints among grains": (GATE, {}, "gate"),
    "radau": (CART, {"solver": "radau"}, "pole"), "radau links": (pendulum(3), {"solver": "radau"}, "bob-3"),
    "radau formulas": (CART, {"formulation": "fundamental", "solver": "radau"}, "pole"),
    "grains": (gr.example("hopper"), {"until": 0.1}, "sand-5"),
}


@pytest.fixture(params=SCENES)
def case(request: pytest.FixtureRequest) -> tuple[gr.Scene, dict[str, object], str]:
    scene, settings, body = SCENES[request.param]
    if request.param == "grains":
        body = f"{next(iter(scene.pattern))}-5"
    return scene, settings, body


def test_steps_of_a_frame_give_the_run_of_simulate(case: tuple[gr.Scene, dict[str, object], str]) -> None:
    """To the bit for links and grains; where applied forces are one more number that is integrated, to tolerance."""
    scene, settings, body = case
    whole = gr.simulate(scene, progress=False, **{"until": 0.1, **settings})
    sim = gr.Simulation(scene, **{"until": 0.1, **settings})
    while sim.t < 0.1:
        sim.step()
    run = sim.finish()
    assert run.finished
    np.testing.assert_array_equal(run.t, whole.t)
    smooth = run.has.joints or run.has.coordinates
    np.testing.assert_allclose(run.position(body), whole.position(body), rtol=0, atol=1e-9 if smooth and
                               not run.has.grains else 0.0)


def test_a_snapshot_and_a_branch_go_on_to_the_bit(case: tuple[gr.Scene, dict[str, object], str]) -> None:
    scene, settings, body = case
    sim = gr.Simulation(scene, **settings)
    sim.step(0.013)
    sim.apply(body, force=[0.02, *[0.01] * (sim.scene.dimension - 1)])
    sim.step(0.007)
    snapshot, twin = sim.snapshot(), sim.branch()

    def later(one: gr.Simulation) -> tuple[list[float], dict[str, float]]:
        for _ in range(3):
            one.step(0.009)
        return [*one.body(body).position, *one.body(body).velocity], one.energy

    first, second = later(sim), later(twin)
    sim.restore(snapshot)
    assert sim.t == snapshot.t
    third = later(sim)
    assert first == second == third


def test_the_work_of_an_applied_force_closes_the_balance(case: tuple[gr.Scene, dict[str, object], str]) -> None:
    scene, settings, body = case
    sim = gr.Simulation(scene, **settings)
    size = {"hopper": 1e-3}.get(scene.title, 0.3)
    plain = gr.Simulation(scene, **settings)
    for push in (size, -2 * size, 0.0):
        sim.apply(body, force=[push] * sim.scene.dimension)
        sim.step(0.02)
        plain.step(0.02)
    with_force, without = sim.finish(), plain.finish()
    assert with_force.energy.work["applied"][-1] != 0.0
    assert with_force.energy_error < max(2.0 * without.energy_error, 1e-5)


def test_a_python_controller_and_a_formula_agree_as_the_rate_grows() -> None:
    """The force of a controller is constant between calls, half an interval late: an error of first order."""
    exact = gr.simulate(CART.vary({"actuator.motor.force": FEEDBACK}), progress=False)

    def control(sim: gr.Simulation) -> None:
        track, pivot, pole = sim.joint("track"), sim.joint("pivot"), sim.body("pole")
        sim.actuate("motor", force=2 * track.displacement + 3 * track.rate - 40 * (pole.angle or 0.0) - 6 * pivot.rate)

    errors = []
    for every in ("4 ms", "2 ms"):
        run = gr.simulate(CART, control=control, every=every, progress=False)
        errors.append(np.abs(run.position("pole") - exact.position("pole")).max())
        assert run.energy_error < 1e-9
        assert run.energy.work["motor"][-1] != 0.0
    assert errors[1] == pytest.approx(0.5 * errors[0], rel=0.15)
    assert errors[1] < 0.05 * np.abs(exact.position("pole")[:, 0]).max()


@pytest.mark.parametrize("threads", [1, 2])
def test_a_controlled_run_of_grains_is_the_same_on_any_number_of_threads(threads: int) -> None:
    def control(sim: gr.Simulation) -> None:
        sim.actuate("motor", torque=-20.0 * sim.joint("hinge").angle + 0.1 * float(sim.contact_force("gate")[0]))

    one = gr.simulate(GATE, control=control, every="5 ms", progress=False)
    many = gr.simulate(GATE, control=control, every="5 ms", progress=False, threads=threads)
    np.testing.assert_array_equal(many.positions, one.positions)
    np.testing.assert_array_equal(many.energy.work["motor"], one.energy.work["motor"])


@pytest.mark.parametrize("formulation", ["newton-euler", "fundamental"])
def test_a_drive_changes_its_rate_at_constant_acceleration(formulation: str) -> None:
    """From rest to 3 rad/s in 0.05 s: 0.075 rad; then at that rate; then back to rest. At first the torque is 60 I."""
    scene = gr.Scene(
        body={"post": gr.FixedPoint(position=(0, 0)), "wheel": gr.RigidBody(mass=1.0, inertia=0.4)},
        constraint={"axle": gr.Hinge(between=("post", "wheel")), "motor": gr.Drive(joint="axle", motion="0")},
        start={"wheel": gr.Start(position=(0, 0))}, run=gr.RunSettings(until=1.0))
    sim = gr.Simulation(scene, formulation=formulation)
    sim.drive("motor", rate=3.0)
    sim.step(0.05)
    assert sim.joint("axle").angle == pytest.approx(0.5 * 60.0 * 0.05**2, rel=1e-12)
    assert sim.joint("axle").rate == pytest.approx(3.0, rel=1e-12)
    sim.step(0.2)
    assert sim.joint("axle").angle == pytest.approx(0.075 + 0.6, rel=1e-12)
    sim.drive("motor", rate=0.0)
    sim.step(0.1)
    assert sim.joint("axle").rate == pytest.approx(0.0, abs=1e-12)
    run = sim.finish()
    assert run.energy_error < 1e-9
    assert run.energy.work["motor"][-1] == pytest.approx(0.0, abs=1e-9)
    assert run.reaction("motor").components["torque"][5] == pytest.approx(0.4 * 60.0, rel=1e-9)


@pytest.mark.parametrize("given", [{"motion": "0.5*sin(4*t) + w*t"},
                                   {"table": [[0, 0], [0.3, 0.2], [0.6, 0.1], [1, 0.4]]}], ids=["formula", "table"])
@pytest.mark.parametrize("formulation", ["newton-euler", "fundamental"])
def test_a_rate_takes_the_place_of_the_motion(formulation: str, given: dict[str, Any]) -> None:
    """The joint has the rate that is set, whatever the scene prescribes; it goes on from where it is."""
    scene = gr.Scene(
        body={"post": gr.FixedPoint(position=(0, 0)), "wheel": gr.RigidBody(mass=1.0, inertia=0.4)},
        constraint={"axle": gr.Hinge(between=("post", "wheel")), "motor": gr.Drive(joint="axle", **given)},
        system={"parameters": {"w": 0.3}}, start={"wheel": gr.Start(position=(0, 0))},
        run=gr.RunSettings(until=1.0))
    sim = gr.Simulation(scene, formulation=formulation)
    sim.step(0.2)
    before = sim.joint("axle")
    sim.drive("motor", rate=-2.0)
    sim.step(0.1)
    here = sim.snapshot()
    assert before.rate > 0.3
    assert sim.joint("axle").rate == pytest.approx(-2.0, rel=1e-9)
    assert sim.joint("axle").angle == pytest.approx(before.angle + 0.05 * (before.rate - 2.0), rel=1e-9)
    sim.step(0.3)
    assert sim.joint("axle").rate == pytest.approx(-2.0, rel=1e-9)
    assert sim.joint("axle").angle == pytest.approx(before.angle + 0.05 * (before.rate - 2.0) - 0.6, rel=1e-9)
    sim.drive("motor", rate=1.0)
    sim.step(0.1)
    assert sim.joint("axle").rate == pytest.approx(1.0, rel=1e-9)
    assert sim.finish().energy_error < 1e-9
    sim.restore(here)
    assert sim.joint("axle").rate == pytest.approx(-2.0, rel=1e-9)


def test_a_gate_among_grains_is_driven_exactly() -> None:
    scene = GATE.model_copy(update={
        "constraint": {**GATE.constraint, "motor": gr.Drive(joint="hinge", motion="0")}, "actuator": {}})
    sim = gr.Simulation(scene)
    sim.drive("motor", rate=0.5)
    sim.step(0.04)
    sim.step(0.06)
    assert sim.joint("hinge").angle == pytest.approx(0.5 * 0.5 * 0.04 + 0.5 * 0.06, abs=1e-6)
    assert sim.finish().energy.work["motor"][-1] != 0.0


def test_what_is_set_is_booked_as_work() -> None:
    """A thrown body: raised by 2 m and given 3 m/s, it has m g h + ½ m v² more, under the name of `applied`."""
    sim = gr.Simulation(gr.Scene(
        body={"stone": gr.RigidBody(mass=2.0, inertia=(0.1, 0.1, 0.1))}, start={"stone": gr.Start(position=(0, 0, 0))},
        load={"gravity": gr.Gravity(acceleration=(0, 0, -9.81))}, run=gr.RunSettings(until=1.0)))
    sim.step(0.1)
    before = sim.body("stone")
    sim.set_body("stone", position=before.position + np.array([0, 0, 2.0]),
                 velocity=before.velocity + np.array([3.0, 0, 0]))
    sim.step(0.1)
    run = sim.finish()
    assert run.energy_error < 1e-9
    assert run.energy.work["applied"][-1] == pytest.approx(2.0 * 9.81 * 2.0 + 9.0, rel=1e-9)


def test_a_force_on_a_coordinate_of_formulas() -> None:
    """θ'' = u, with θ set to 1 on the way: what that takes is booked."""
    sim = gr.Simulation(gr.Scene(system={
        "coordinates": ["theta"], "kinetic": "theta_dot**2/2", "potential": "2*theta",
        "start": {"theta": 0.0, "theta_dot": 0.0}}, run=gr.RunSettings(until=1.0)))
    sim.apply("theta", force=5.0)
    sim.step(0.4)
    assert sim.coordinate("theta") == pytest.approx((0.5 * 3.0 * 0.16, 1.2), rel=1e-9)
    sim.set_coordinates(theta=1.0)
    sim.step(0.1)
    run = sim.finish()
    assert run.energy_error < 1e-9
    assert run.energy.work["applied"][-1] == pytest.approx(
        5.0 * 0.24 + 2.0 * (1.0 - 0.24) + 5.0 * (1.2 * 0.1 + 0.5 * 3.0 * 0.01), rel=1e-9)


@pytest.mark.parametrize("formulation", ["newton-euler", "fundamental"])
def test_a_torque_on_a_point_is_refused(formulation: str) -> None:
    sim = gr.Simulation(gr.Scene(
        body={"bob": gr.PointMass(mass=1.0), "rod": gr.Rod(length=1.0, mass=1.0)},
        constraint={"eye": gr.BallJoint(between=("rod.head", "bob"))},
        start={"rod": gr.Start(position=(0, 0), angle=0.0)}, run=gr.RunSettings(until=1.0, formulation=formulation)))
    sim.apply("rod", torque=0.1)
    with refused(gr.GranumError, '"bob"'):
        sim.apply("bob", torque=0.1)


def test_a_scene_with_section_probes_can_be_stepped_but_not_pushed() -> None:
    sim = gr.Simulation(gr.Scene(
        body={"rod": gr.Rod(length=1.0, mass=1.0)}, start={"rod": gr.Start(position=(0, 0))},
        probe={"cut": gr.SectionProbe(body="rod", position=(0, 0), normal=(1, 0))}, run=gr.RunSettings(until=1.0)))
    sim.step(0.05)
    with refused(gr.GranumError):
        sim.apply("rod", force=(1, 0))


def test_grains_are_added_and_removed() -> None:
    scene = gr.example("hopper")
    group = next(iter(scene.pattern))
    sim = gr.Simulation(scene, room=3)
    sim.step(0.02)
    count = len(sim.bodies)
    names = sim.add(group, positions=[(0.0, 2.0), (0.02, 2.0)], radii=0.004, velocity=(0.0, -1.0))
    assert len(sim.bodies) == count + 2
    sim.step(0.01)
    state = sim.body(names[0])
    assert state.velocity[1] == pytest.approx(-1.0 - 9.81 * 0.01, rel=1e-6)
    assert state.position[1] == pytest.approx(2.0 - 0.01 - 0.5 * 9.81 * 0.01**2, abs=1e-5)
    sim.remove(names[1], f"{group}-3")
    assert len(sim.bodies) == count
    sim.step(0.01)
    run = sim.finish()
    assert run.energy.work["inflow and outflow"][-1] != 0.0
    with refused(gr.GranumError, f'"{group}-'):
        gr.Simulation(scene, room=1).add(group, positions=[sim.body(f"{group}-5").position], radii=0.004)
    with refused(gr.GranumError, "room"):
        gr.Simulation(scene).add(group, positions=[(0.0, 2.0)], radii=0.004)


def test_contacts_carry_the_weight_of_a_heap() -> None:
    """A box of grains at rest: the floor carries all of their weight."""
    scene = gr.Scene(
        material={"sand": gr.Material(density=2500.0, friction=0.5)},
        boundary={"box": gr.Box(lower=(0, 0), upper=(0.1, 0.5), open=["+y"])},
        pattern={"heap": gr.Grains(arrangement="dense", count=30, radius="5 mm",
                                   region={"kind": "box", "lower": (0, 0), "upper": (0.1, 0.1)})},
        load={"gravity": gr.Gravity(acceleration=(0, -9.81))}, run=gr.RunSettings(until=2.0))
    sim = gr.Simulation(scene)
    sim.advance(2.0)
    weight = 30 * 2500.0 * math.pi * 0.005**2 * 9.81
    assert sim.contact_force("box")[1] == pytest.approx(-weight, rel=0.02)
    one = sim.contact_force("heap-1")
    listed = sum((contact.force if contact.names[0] == "heap-1" else -contact.force
                  for contact in sim.contacts if "heap-1" in contact.names), np.zeros(2))
    np.testing.assert_allclose(one, listed, atol=1e-12)
    assert one[1] == pytest.approx(weight / 30, rel=0.1)


def test_the_run_of_a_simulation_can_be_written_opened_and_resumed(tmp_path: Path) -> None:
    sim = gr.Simulation(CART)
    for _ in range(7):
        sim.actuate("motor", force=0.3)
        sim.step(0.033)
    run = sim.finish(tmp_path / "cart.h5")
    again = gr.open_run(tmp_path / "cart.h5")
    assert again.finished and again.t[-1] == pytest.approx(0.231)
    np.testing.assert_array_equal(again.position("pole"), run.position("pole"))
    np.testing.assert_array_equal(again.command("motor.force"), [0.0, *[0.3] * (len(run.t) - 1)])


@pytest.mark.parametrize("control", [None, lambda sim: None])
def test_a_run_ends_where_the_scene_does_though_that_is_no_multiple_of_the_interval(control: object) -> None:
    run = gr.simulate(CART, until=0.33, interval=0.1, control=control, progress=False)  # type: ignore[arg-type]
    assert run.finished
    np.testing.assert_allclose(run.t, [0.0, 0.1, 0.2, 0.3, 0.33], rtol=1e-12)


def test_stepping_goes_on_beyond_the_end_of_the_scene_in_memory() -> None:
    sim = gr.Simulation(CART.vary({"actuator.motor.force": FEEDBACK}), until=0.1)
    for _ in range(30):
        sim.step(0.01)
    assert len(sim.finish().t) == 7


@pytest.mark.parametrize("file", [True, False])
def test_an_end_between_two_frames_is_recorded(file: bool, tmp_path: Path) -> None:
    """In a file and in memory."""
    run = gr.simulate(CART, until=0.12, output=tmp_path / "run.h5" if file else None, progress=False)
    assert run.finished and run.t == pytest.approx([0.0, 0.05, 0.1, 0.12])


def test_a_controller_that_raises_leaves_what_was_recorded(tmp_path: Path) -> None:
    def control(sim: gr.Simulation) -> None:
        if sim.t > 0.32:
            raise ZeroDivisionError("my own mistake")

    file = tmp_path / "broken.h5"
    with pytest.raises(ZeroDivisionError, match="my own mistake"):
        gr.simulate(CART, control=control, every=0.05, output=file, progress=False)
    run = gr.open_run(file)
    assert not run.finished
    assert run.t[-1] == pytest.approx(0.35, abs=1e-9)


@pytest.mark.parametrize(("call", "names"), [
    (lambda sim: sim.step(-0.1), ("-0.1",)),
    (lambda sim: sim.advance(-1.0), ("-1",)),
    (lambda sim: sim.advance(math.nan), ("nan",)),
    (lambda sim: sim.actuate("motr", force=1.0), ('"motr"', '"motor"')),
    (lambda sim: sim.actuate("motor", torque=1.0), ('"force"', "torque")),
    (lambda sim: sim.actuate("motor", force=float("nan")), ("force", "motor", "t = 0 s", "finite")),
    (lambda sim: sim.actuate("motor", force=(1.0, 2.0)), ("1 component", "found 2")),
    (lambda sim: sim.apply("ghost", force=(1, 0)), ('"ghost"',)),
    (lambda sim: sim.apply("pole", force=(1, 0, 0)), ("2-D", "2 components")),
    (lambda sim: sim.apply("pole", force=(math.inf, 0)), ("finite",)),
    (lambda sim: sim.body("poel"), ('"pole"',)),
    (lambda sim: sim.joint("pivo"), ('"pivot"',)),
    (lambda sim: sim.joint("pivot").displacement, ("hinge", "displacement")),
    (lambda sim: sim.set_body("pole", colour=3), ("colour",)),
    (lambda sim: sim.set_body("pole", velocity=(1, 2, 3)), ("2 components",)),
    (lambda sim: sim.contacts, ("contacts",)),
    (lambda sim: sim.add("sand", [(0, 0)], 1.0), ("grains",)),
    (lambda sim: sim.drive("motor", rate=1.0), ('"motor"',)),
    (lambda sim: sim.restore(gr.Simulation(gr.example("pendulum")).snapshot()), ("snapshot",)),
    (lambda sim: sim.reaction("nothing"), ('"nothing"',)),
])
def test_what_makes_no_sense_is_refused_by_name(call: object, names: tuple[str, ...]) -> None:
    sim = gr.Simulation(CART)
    with refused(gr.GranumError, *names):
        call(sim)  # type: ignore[operator]
    sim.step(0.05)  # and the run goes on
    assert len(sim.run.t) == 2


def test_a_formula_is_not_commanded_from_outside() -> None:
    sim = gr.Simulation(CART.vary({"actuator.motor.force": FEEDBACK}))
    with refused(gr.GranumError, "motor"):
        sim.actuate("motor", force=1.0)


def test_a_controlled_run_is_not_resumed(tmp_path: Path) -> None:
    with refused(gr.GranumError):
        gr.simulate(CART, control=lambda sim: None, output=tmp_path / "a.h5", resume=True, progress=False)
    with refused(gr.GranumError, "control"):
        gr.simulate(CART, every="1 ms", progress=False)


def test_a_compiled_controller_is_the_formula() -> None:
    @gr.controller(reads=["track.displacement", "track.rate", "pole.angle", "pivot.rate"], writes=["motor.force"])
    def feedback(t: float, measured: np.ndarray, commands: np.ndarray) -> None:
        commands[0] = 2.0 * measured[0] + 3.0 * measured[1] - 40.0 * measured[2] - 6.0 * measured[3]

    formula = gr.simulate(CART.vary({"actuator.motor.force": FEEDBACK}), progress=False)
    compiled = gr.simulate(CART, control=feedback, progress=False)
    np.testing.assert_allclose(compiled.position("pole"), formula.position("pole"), atol=1e-9)
    np.testing.assert_allclose(compiled.energy.work["motor"], formula.energy.work["motor"], atol=1e-9)
    track = compiled.position("cart")[:, 0], compiled.velocity("cart")[:, 0]
    expected = 2 * track[0] + 3 * track[1] - 40 * compiled.angle("pole") - 6 * compiled.angular_velocity("pole").ravel()
    np.testing.assert_allclose(compiled.command("motor.force")[1:], expected[1:], atol=1e-9)
    with refused(gr.GranumError):
        gr.simulate(CART, control=feedback, formulation="fundamental", progress=False)
    with refused(gr.GranumError):
        gr.simulate(CART, control=feedback, every="1 ms", progress=False)


def test_a_compiled_controller_among_grains_is_the_formula() -> None:
    @gr.controller(reads=["hinge.angle", "hinge.rate"], writes=["motor.torque"])
    def hold(t: float, measured: np.ndarray, commands: np.ndarray) -> None:
        commands[0] = -20.0 * measured[0] - 0.5 * measured[1]

    formula = gr.simulate(GATE.vary({"actuator.motor.torque": "-20*angle - 0.5*rate"}), progress=False)
    compiled = gr.simulate(GATE, control=hold, progress=False, step=float(formula.statistics["largest_step"][-1]))
    np.testing.assert_allclose(compiled.position("gate"), formula.position("gate"), atol=1e-6)


@pytest.mark.parametrize("name", ["hopper", "cart-pole", "pendulum"])
def test_threads_that_share_a_simulation_take_turns(name: str) -> None:
    """No step is lost, and the state is that of steps in one thread: compiled code runs without Python's lock."""
    shared, alone = gr.Simulation(gr.example(name)), gr.Simulation(gr.example(name))

    def steps() -> None:
        for _ in range(20):
            shared.step(1e-4)

    threads = [threading.Thread(target=steps) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for _ in range(80):
        alone.step(1e-4)
    assert shared.t == alone.t == pytest.approx(8e-3, rel=1e-12)
    assert shared.energy == alone.energy


def test_a_controller_is_not_called_for_ever() -> None:
    with refused(gr.GranumError, "every = 1e-300 s", "1e+09"):
        gr.simulate(gr.example("pendulum"), control=lambda sim: None, every=1e-300)


@pytest.mark.parametrize("controlled", [False, True])
def test_stepped_runs_of_grains_have_a_summary(controlled: bool) -> None:
    """Forces from outside are a load without an entry in the scene."""
    scene = gr.example("hopper")
    if controlled:
        run = gr.simulate(scene, until=2e-3, control=lambda sim: None, every=1e-3)
    else:
        simulation = gr.Simulation(scene)
        simulation.advance(2e-3)
        run = simulation.finish()
    assert run.summary["t"] == pytest.approx(2e-3)
    assert run._repr_html_()
