"""Dry friction in hinges and sliders: it slows down, sticks without creep, slips at its limit, and is known at rest."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import granum as gr
from granum.base.errors import GranumError, SceneError
from messages import naming

FORMULATIONS = ("newton-euler", "fundamental", "lagrange", "virtual-work", "gibbs-appell")
THREE = ("newton-euler", "fundamental", "gibbs-appell")
"""Of which the others share the machine code of the second."""
TOLERANCE = 1e-10
NEAR = 1e3 * TOLERANCE
"""Errors add up over some hundred steps."""
MASS, RADIUS, STIFFNESS, LIMIT, FIRST = 2.0, 0.1, 5.0, 0.5, 1.0
INERTIA = MASS * RADIUS**2 / 2.0


def settings(**run: object) -> gr.RunSettings:
    return gr.RunSettings(**{"until": 1.0, "interval": 0.05, "tolerance": TOLERANCE, **run})  # type: ignore[arg-type]


def oscillator(**run: object) -> gr.Scene:
    """A wheel on a torsion spring, turned by 1 rad, with friction in its axle."""
    return gr.Scene(
        body={"base": gr.FixedPoint(position=(0, 0)), "wheel": gr.Disk(radius=RADIUS, mass=MASS)},
        constraint={"axle": gr.Hinge(between=("base", "wheel"))},
        load={"coil": gr.TorsionSpring(hinge="axle", stiffness=STIFFNESS, rest_angle=-FIRST),
              "rub": gr.JointFriction(joint="axle", torque=LIMIT)},
        run=settings(**{"until": 1.2, "interval": 0.02, **run}))


def decaying(t: float) -> float:
    """Angle from the rest angle of the spring: half swings about ±T/k, each smaller by 2T/k, until k |φ| ≤ T."""
    omega, d, phi, sign = math.sqrt(STIFFNESS / INERTIA), LIMIT / STIFFNESS, FIRST, 1.0
    while abs(phi) > d and t > math.pi / omega:
        phi, t, sign = -(phi - 2.0 * sign * d), t - math.pi / omega, -sign
    return phi if abs(phi) <= d else sign * d + (phi - sign * d) * math.cos(omega * t)


@pytest.mark.parametrize(("formulation", "solver"), [*((name, "dop853") for name in FORMULATIONS),
                                                     ("newton-euler", "radau"), ("fundamental", "radau")])
def test_a_torsion_oscillator_loses_four_t_over_k_in_a_period(formulation: str, solver: str) -> None:
    """φ over time, the work -T ∫|dφ|, and the torque that holds it where it stops."""
    run = gr.simulate(oscillator(formulation=formulation, solver=solver), progress=False)
    angle = run.angle("wheel") + FIRST
    np.testing.assert_allclose(angle, [decaying(t) for t in run.t], rtol=0, atol=NEAR)
    # 1 rad, 0.8, 0.6, 0.4, 0.2 and 0, where it stays: the turns are 2 T/k shorter each
    assert angle[-1] == pytest.approx(0.0, abs=NEAR)
    assert np.ptp(angle[-5:]) == 0.0
    assert run.work("rub")[-1] == pytest.approx(-LIMIT * (1.8 + 1.4 + 1.0 + 0.6 + 0.2), abs=NEAR)
    assert run.energy_error < NEAR
    torque = run.reaction("rub").effort
    np.testing.assert_allclose(torque[1], LIMIT, rtol=1e-12)  # against the rate, which is negative
    assert torque[-1] == pytest.approx(STIFFNESS * angle[-1], abs=NEAR)
    assert run.reaction("rub").unique is not None and run.reaction("rub").unique.all()  # type: ignore[union-attr]


def pushed(force: str, limit: float, speed: float = 0.0, **run: object) -> gr.Scene:
    """A block on a rail with friction."""
    return gr.Scene(
        body={"base": gr.FixedPoint(position=(0, 0)), "block": gr.RigidBody(mass=MASS, inertia=1.0)},
        constraint={"rail": gr.Slider(between=("base", "block"), axis=(1, 0))},
        start={"block": gr.Start(position=(0, 0), velocity=(speed, 0))},
        load={"push": gr.FormulaLoad(joint="rail", force=force), "rub": gr.JointFriction(joint="rail", force=limit)},
        run=settings(**run))


@pytest.mark.parametrize("interval", [0.5, 0.3, 0.05])
@pytest.mark.parametrize("formulation", THREE)
def test_a_ramped_force_breaks_away_at_the_limit(formulation: str, interval: float) -> None:
    """F = t [N] against 0.5 N: from 0.5 s on, x = (t - 0.5)³/6m, with a frame at that very time and without."""
    run = gr.simulate(pushed("t", 0.5, formulation=formulation, interval=interval, until=2.0), progress=False)
    slips = np.maximum(run.t - 0.5, 0.0)
    np.testing.assert_allclose(run.position("block")[:, 0], slips**3 / (6.0 * MASS), rtol=0, atol=NEAR)
    np.testing.assert_allclose(run.reaction("rub").effort, -np.minimum(run.t, 0.5), rtol=0, atol=1e-11)
    np.testing.assert_allclose(run.reaction("rub").force[:, 0], -np.minimum(run.t, 0.5), rtol=0, atol=1e-11)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_sliding_block_stops_and_is_pushed_on(formulation: str) -> None:
    """From 1.5 m/s with c = 3 N it stops at m v/c = 1 s; a force of 2 + t N from 1.5 s on moves it on."""
    run = gr.simulate(pushed("(2 + t)*(1 + sign(t - 1.5))/2", 3.0, 1.5, formulation=formulation, until=2.0),
                      progress=False)
    t, x = run.t, run.position("block")[:, 0]
    braked, on = np.minimum(t, 1.0), np.maximum(t - 1.5, 0.0)
    way = 1.5 * braked - 0.75 * braked**2 + (0.5 * on**2 / 2.0 + on**3 / 6.0) / MASS
    np.testing.assert_allclose(x, way, rtol=0, atol=NEAR)
    assert np.ptp(x[(t > 1.01) & (t < 1.49)]) == 0.0


def four_bar(torque: str, limit: float, speed: float, **run: object) -> gr.Scene:
    """A four-bar linkage with friction in all its hinges: their rates depend on one another."""
    bars = {"crank": 0.4, "coupler": 0.9, "rocker": 0.6}
    return gr.Scene(
        body={"A": gr.FixedPoint(position=(0, 0)), "D": gr.FixedPoint(position=(1, 0)),
              **{name: gr.Rod(length=length, mass=1.0) for name, length in bars.items()}},
        constraint={"a": gr.Hinge(between=("A", "crank.tail")), "b": gr.Hinge(between=("crank.head", "coupler.tail")),
                    "c": gr.Hinge(between=("coupler.head", "rocker.head")),
                    "d": gr.Hinge(between=("D", "rocker.tail"))},
        start={"crank": gr.Start(angle=1.0, angular_velocity=speed),
               "coupler": gr.Start(angle=0.3, guess=["angle"]), "rocker": gr.Start(angle=1.5, guess=["angle"])},
        load={"push": gr.FormulaLoad(joint="a", torque=torque),
              **{f"rub-{name}": gr.JointFriction(joint=name, torque=limit) for name in "abcd"}},
        run=settings(**run))


def ratios() -> dict[str, float]:
    """Rates of the hinges of the four-bar linkage at the start for a crank with 1 rad/s."""
    run = gr.simulate(four_bar("0", 0.0, 1.0, until=0.01), progress=False)
    crank, coupler, rocker = (float(run.angular_velocity(name)[0]) for name in ("crank", "coupler", "rocker"))
    return {"a": crank, "b": coupler - crank, "c": rocker - coupler, "d": rocker}


@pytest.mark.parametrize("way", [1.0, -1.0])
@pytest.mark.parametrize("formulation", THREE)
def test_a_loop_slips_where_all_its_frictions_together_give_way(formulation: str, way: float) -> None:
    """By virtual power, the crank holds a torque up to T Σ|r|, r being the rate of each hinge for that of the crank."""
    limit, r = 0.2, ratios()
    most = limit * sum(map(abs, r.values()))
    run = gr.simulate(four_bar(f"{way}*t", limit, 0.0, formulation=formulation, until=1.1 * most, interval=most / 10),
                      progress=False)
    turned = way * (run.angle("crank") - run.angle("crank")[0])
    assert np.abs(turned[:11]).max() < 1e-14
    assert turned[11] > 1e-5
    shares = {name: run.reaction(f"rub-{name}") for name in r}
    # any shares may hold it that together do no virtual work beside the torque
    power = sum(r[name] * shares[name].effort for name in r)
    np.testing.assert_allclose(power[:11], -way * run.t[:11], rtol=0, atol=1e-9)
    assert all(np.abs(one.effort).max() <= limit * (1.0 + 1e-9) for one in shares.values())
    unique = shares["a"].unique
    assert unique is not None and not unique[1:10].any() and unique[11]


@pytest.mark.parametrize("formulation", THREE)
def test_a_loop_comes_to_rest_as_one(formulation: str) -> None:
    """All four hinges stop at once: the energy lost is T times the turns of all of them."""
    run = gr.simulate(four_bar("0", 1.0, 4.0, formulation=formulation, until=0.5), progress=False)
    crank, coupler, rocker = (run.angle(name) - run.angle(name)[0] for name in ("crank", "coupler", "rocker"))
    turns = [crank, coupler - crank, rocker - coupler, rocker]
    assert np.ptp(crank[-5:]) < 1e-15
    assert run.energy.kinetic[-1] < 1e-25
    lost = sum(np.abs(np.diff(turn)).sum() for turn in turns)  # rates keep their signs
    assert run.energy.kinetic[0] == pytest.approx(lost, rel=NEAR)


@pytest.mark.parametrize("formulation", THREE)
def test_eight_joints_at_rest_are_decided_together(formulation: str) -> None:
    """Blocks on rails on one another, 10 N of friction below the first, 3 N below the last, which is pulled.

    With 2 N all stay, and each carries 2 N; with 5 N the last slides by (5 - 3) t²/2m and the others carry 3 N.
    """
    count = 8
    for force, carried, way in ((2.0, 2.0, 0.0), (5.0, 3.0, 1.0)):
        scene = gr.Scene(
            body={"base": gr.FixedPoint(position=(0, 0)),
                  **{f"b{k}": gr.RigidBody(mass=1.0, inertia=1.0) for k in range(count)}},
            constraint={f"r{k}": gr.Slider(between=(f"b{k - 1}" if k else "base", f"b{k}"), axis=(1, 0))
                        for k in range(count)},
            start={f"b{k}": gr.Start(position=(0, 0)) for k in range(count)},
            load={"pull": gr.FormulaLoad(on=f"b{count - 1}", force=(str(force), "0")),
                  **{f"rub{k}": gr.JointFriction(joint=f"r{k}", force=10.0 - k) for k in range(count)}},
            run=settings(interval=0.5, formulation=formulation))
        run = gr.simulate(scene, progress=False)
        places = [run.position(f"b{k}")[-1, 0] for k in range(count)]
        np.testing.assert_allclose(places, [0.0] * (count - 1) + [way], rtol=0, atol=NEAR)
        np.testing.assert_allclose([run.reaction(f"rub{k}").effort[-1] for k in range(count)], -carried, rtol=1e-9)


@pytest.mark.parametrize("formulation", THREE)
def test_a_wheel_in_3d_runs_down(formulation: str) -> None:
    """About an oblique axis: ω = ω₀ - T t/J, and rest from J ω₀/T on."""
    axis = np.array([1.0, 2.0, 2.0]) / 3.0
    scene = gr.Scene(
        body={"base": gr.FixedPoint(position=(0, 0, 0)), "ball": gr.Sphere(radius=0.5, mass=1.0)},
        constraint={"axle": gr.Hinge(between=("base", "ball"), axis=tuple(axis.tolist()))},
        start={"ball": gr.Start(angular_velocity=tuple((5.0 * axis).tolist()))},
        load={"rub": gr.JointFriction(joint="axle", torque=1.0)}, run=settings(formulation=formulation))
    run = gr.simulate(scene, progress=False)
    inertia = 0.4 * 0.5**2
    rates = run.angular_velocity("ball") @ axis
    np.testing.assert_allclose(rates, np.maximum(5.0 - run.t / inertia, 0.0), rtol=0, atol=NEAR)
    np.testing.assert_allclose(run.reaction("rub").moment[1], -axis, rtol=0, atol=1e-9)


@pytest.mark.parametrize("formulation", THREE)
@pytest.mark.parametrize("moving", ["wheel", "loop"])
def test_a_resumed_run_is_bit_identical(formulation: str, moving: str, tmp_path: Path) -> None:
    """Taken up in a swing and at rest."""
    scene = oscillator(formulation=formulation) if moving == "wheel" else four_bar(
        "0.5*sin(20*t)", 0.5, 4.0, formulation=formulation, until=0.6)
    whole = gr.simulate(scene, output=tmp_path / "whole.h5", progress=False)
    for until in (0.3, 0.5):
        part = tmp_path / f"{until}.h5"
        gr.simulate(scene, until=until, output=part, progress=False)
        gr.simulate(scene, output=part, resume=True, progress=False)
        run = gr.open_run(part)
        for name in scene.body:
            if name in ("wheel", "crank", "rocker"):
                assert np.array_equal(run.angle(name), whole.angle(name))
        assert np.array_equal(run.reaction(run.friction_names[0]).effort,
                              whole.reaction(whole.friction_names[0]).effort)


def level_rod(**parts: object) -> gr.Scene:
    """A rod of 1 m and 1 kg, level, held by a hinge with friction against its weight of 10 N."""
    given = {"body": {"base": gr.FixedPoint(position=(0, 0)), "rod": gr.Rod(length=1.0, mass=1.0)},
             "constraint": {"pivot": gr.Hinge(between=("base", "rod.tail"))}, "start": {"rod": gr.Start(angle=0.0)},
             "load": {"gravity": gr.Gravity(acceleration=(0, -10.0)),
                      "rub": gr.JointFriction(joint="pivot", torque=6.0)},
             "run": settings(interval=0.25)}
    return gr.Scene(**{**given, **parts})  # type: ignore[arg-type]


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_what_holds_a_rod_at_rest_is_reported(formulation: str) -> None:
    """5 N m of friction, 10 N in the hinge, and in the middle of the rod half of its weight, at 1/4 m from there."""
    scene = level_rod(probe={"cut": gr.SectionProbe(body="rod", position=(0, 0), normal=(1, 0))})
    sim = gr.Simulation(scene.with_run(formulation=formulation))
    sim.step(0.3)
    assert sim.reaction("rub") == {"rub.torque": pytest.approx(5.0, rel=1e-12)}
    assert sim.reaction("pivot")["pivot.force.y"] == pytest.approx(10.0, rel=1e-12)
    assert sim.not_unique == ()
    loads = gr.simulate(scene, formulation=formulation, progress=False).section("cut")
    np.testing.assert_allclose(np.abs(loads.force[:, 1]), 5.0, rtol=1e-9)
    np.testing.assert_allclose(np.abs(loads.moment), 1.25, rtol=1e-9)


def test_a_drive_works_against_friction() -> None:
    """φ = t³ on a rod without weight: J φ̈ + T while it turns; where the drive holds it, friction is undecided: zero."""
    scene = level_rod(load={"rub": gr.JointFriction(joint="pivot", torque=6.0)}, constraint={
        "pivot": gr.Hinge(between=("base", "rod.tail")),
        "turn": gr.Drive(joint="pivot", motion="((t - 0.5 + abs(t - 0.5))/2)**3")})
    for formulation in THREE:
        run = gr.simulate(scene, formulation=formulation, progress=False)
        moves = run.t > 0.5
        torque = np.where(moves, 6.0 + 6.0 * (run.t - 0.5) / 3.0, 0.0)
        np.testing.assert_allclose(run.reaction("turn").effort, torque, rtol=0, atol=NEAR)
        unique = run.reaction("rub").unique
        assert unique is not None and np.array_equal(unique, moves)


def test_friction_under_a_compiled_controller() -> None:
    """A torque of -angle holds nothing here, with a limit too; a servo with a limit is refused by name."""
    @gr.controller(reads=["pivot.angle"], writes=["motor.torque"])
    def back(t, measured, commands):  # type: ignore[no-untyped-def]
        commands[0] = 2.0 - 40.0 * measured[0]

    motor = gr.TorqueActuator(joint="pivot", limit=7.0)
    run = gr.simulate(level_rod(actuator={"motor": motor}), control=back, progress=False)
    assert np.ptp(run.angle("rod")) == 0.0
    assert run.reaction("rub").effort[-1] == pytest.approx(3.0, rel=1e-12)

    @gr.controller(reads=["pivot.angle"], writes=["motor.position"])
    def follow(t, measured, commands):  # type: ignore[no-untyped-def]
        commands[0] = t

    servo = gr.PositionServo(joint="pivot", stiffness=10.0, limit=7.0)
    with pytest.raises(SceneError) as refused:
        gr.simulate(level_rod(actuator={"motor": servo}), control=follow, progress=False)
    naming(str(refused.value), "load.rub", "controller", "limit")


def test_refusals() -> None:
    """By name, with what to do."""
    with pytest.raises(SceneError) as scalar:
        gr.check(level_rod(run=settings(formulation="scalar")))
    naming(str(scalar.value), "load.rub", "scalar", "newton-euler")
    with pytest.raises(SceneError) as grains:
        gr.check(level_rod(material={"steel": gr.Material(density=7800.0)},
                           boundary={"floor": gr.Plane(position=(0, -3), normal=(0, 1))}))
    naming(str(grains.value), "load.rub", "joint-friction", "grains")
    with pytest.raises(GranumError) as linear:
        gr.linearize(level_rod())
    naming(str(linear.value), '"rub"', "kink")
    with pytest.raises(SceneError) as other:
        gr.check(level_rod(load={"rub": gr.JointFriction(joint="pivot", force=1.0)}))
    naming(str(other.value), "load.rub", "hinge", "torque")
    for keys, named in (({"torque": 1.0, "force": 1.0}, "either"), ({"coefficient": 0.2, "radius": 0.01}, "reaction"),
                        ({"torque": -1.0}, "negative"), ({}, "torque")):
        with pytest.raises(SceneError) as wrong:
            gr.Scene(load={"rub": {"kind": "joint-friction", "joint": "pivot", **keys}})  # type: ignore[dict-item]
        naming(str(wrong.value), "load.rub", named)


def test_an_imported_pendulum_slides_as_in_mujoco(tmp_path: Path) -> None:
    """Up to its first turn: while it slides, MuJoCo's friction is the whole `frictionloss` too; at rest it creeps.

    Its fourth-order steps of 0.2 ms leave some 1e-9.
    """
    mujoco = pytest.importorskip("mujoco")
    from granum.robots.reading import read_robot

    file = tmp_path / "pendulum.xml"
    file.write_text(
        '<mujoco><compiler angle="radian"/><option timestep="2e-4" integrator="RK4"/><worldbody><body name="rod">'
        '<joint name="pin" axis="0 1 0" frictionloss="0.3"/><geom type="capsule" fromto="0 0 0 0 0 -0.5" size="0.02" '
        'mass="1"/></body></worldbody><keyframe><key name="out" qpos="1.2" qvel="0"/></keyframe></mujoco>')
    scene = read_robot(file, False, "out").scene
    assert scene.load["pin-friction"] == gr.JointFriction(joint="pin", torque=0.3)
    run = gr.simulate(scene, until=0.6, interval=0.1, progress=False)
    model = mujoco.MjModel.from_xml_path(str(file))
    data = mujoco.MjData(model)
    data.qpos[0] = 1.2
    rates = []
    for t in run.t:
        while data.time < t - 1e-9:
            mujoco.mj_step(model, data)
        rates.append(float(data.qvel[0]))
    np.testing.assert_allclose(run.angular_velocity("rod")[:, 1], rates, rtol=0, atol=1e-8)
