"""Formulas with jumps: located as events, and held at zero where both sides lead there (dry friction that sticks)."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import granum as gr
from granum.base.errors import NotConvergedError, SceneError
from messages import naming

MASS, STIFFNESS, C = 2.0, 200.0, 3.0
FORMULATIONS = ("newton-euler", "fundamental", "lagrange", "virtual-work", "gibbs-appell")
TOLERANCE = 1e-10
"""Of the runs; states are compared at 1000 times that, for errors that add up over a hundred steps."""


def block(force: str, speed: float, **run: object) -> gr.Scene:
    """A block on a rail, pushed by a formula."""
    return gr.Scene(
        body={"base": gr.FixedPoint(position=(0, 0)), "block": gr.RigidBody(mass=MASS, inertia=1.0)},
        constraint={"rail": gr.Slider(between=("base", "block"), axis=(1, 0))},
        start={"block": gr.Start(position=(0, 0), velocity=(speed, 0))},
        load={"push": gr.FormulaLoad(joint="rail", force=force)},
        run=gr.RunSettings(**{"until": 2.0, "interval": 0.1, "tolerance": TOLERANCE, **run}))  # type: ignore[arg-type]


def moved(scene: gr.Scene) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    run = gr.simulate(scene, progress=False)
    return run.t, run.position("block")[:, 0], run.velocity("block")[:, 0]


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_dry_friction_stops_a_block_and_holds_it(formulation: str) -> None:
    """v = v₀ - c t/m until t = m v₀/c = 1 s, then rest."""
    speed = 1.5
    t, x, v = moved(block(f"-{C}*sign(rate)", speed, formulation=formulation))
    stop = MASS * speed / C
    before = np.minimum(t, stop)
    np.testing.assert_allclose(v, speed - C / MASS * before, rtol=0, atol=1e3 * TOLERANCE)
    np.testing.assert_allclose(x, speed * before - C / MASS * before**2 / 2, rtol=0, atol=1e3 * TOLERANCE)
    assert np.ptp(x[t > stop]) == 0.0
    assert np.abs(v[t > stop]).max() < 1e-20


def coulomb(t: float, x0: float) -> float:
    """The oscillator with dry friction, from rest at x₀ > c/k: half swings about ±c/k, each shorter by 2c/k."""
    omega, d, sign = math.sqrt(STIFFNESS / MASS), C / STIFFNESS, 1.0
    while abs(x0) > d and t > math.pi / omega:
        x0, t, sign = -(x0 - 2.0 * sign * d), t - math.pi / omega, -sign
    return x0 if abs(x0) <= d else sign * d + (x0 - sign * d) * math.cos(omega * t)


@pytest.mark.parametrize("solver", ["dop853", "radau"])
@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_the_coulomb_oscillator(formulation: str, solver: str) -> None:
    """Amplitudes fall by 4c/k in a period; it sticks at the first turning point with |k x| ≤ c."""
    system = {"coordinates": ["x"], "kinetic": f"{MASS}*x_dot**2/2", "potential": f"{STIFFNESS}*x**2/2",
              "forces": {"x": f"-{C}*sign(x_dot)"}, "start": {"x": 0.2, "x_dot": 0.0}}
    run = gr.RunSettings(until=3.0, interval=0.05, tolerance=TOLERANCE, formulation=formulation, solver=solver)
    if formulation == "newton-euler":  # takes no formulas for coordinates
        scene = block(f"-{STIFFNESS}*(displacement + 0.2) - {C}*sign(rate)", 0.0).model_copy(update={"run": run})
        done = gr.simulate(scene, progress=False)
        x = done.position("block")[:, 0] + 0.2
    else:
        done = gr.simulate(gr.Scene(system=system, run=run), progress=False)  # type: ignore[arg-type]
        x = done.coordinate("x")
    np.testing.assert_allclose(x, [coulomb(t, 0.2) for t in done.t], rtol=0, atol=1e3 * TOLERANCE)
    assert done.energy_error < 1e3 * TOLERANCE


@pytest.mark.parametrize("max_step", [None, 0.02])
@pytest.mark.parametrize("solver", ["dop853", "radau"])
def test_stick_and_slip_do_not_depend_on_frames(solver: str, max_step: float | None) -> None:
    """A block pushed by F sin ωt > c sticks while |F sin ωt| ≤ c: the motion is the same for frames a thousand times as
    far apart.
    """
    ends = [moved(block(f"-{C}*sign(rate) + 1.2*{C}*sin(6*t)", 0.0, until=5.0, interval=interval, solver=solver,
                        max_step=max_step))[1][-1] for interval in (5.0, 0.5, 0.05, 0.005)]
    # slip begins at sin 6t = 1/1.2 and ends where ∫ (1.2 sin 6s - 1) ds = 0
    assert ends[0] == pytest.approx(slipped(5.0), abs=1e3 * TOLERANCE)
    assert np.ptp(ends) < 1e3 * TOLERANCE


def slipped(until: float) -> float:
    """Way after a whole number of slips in turn, the last one not ended, by bisection for where each ends."""
    begins, x, sign = math.asin(1.0 / 1.2) / 6.0, 0.0, 1.0

    def speed(s: float) -> float:
        return C / MASS * (1.2 / 6.0 * (math.cos(6.0 * begins) - math.cos(6.0 * (begins + s))) - s)

    def way(s: float) -> float:
        turned = (math.sin(6.0 * (begins + s)) - math.sin(6.0 * begins)) / 6.0
        return C / MASS * (1.2 / 6.0 * (math.cos(6.0 * begins) * s - turned) - s * s / 2.0)

    low, high = 0.05, math.pi / 6.0
    for _ in range(100):
        middle = (low + high) / 2.0
        low, high = (middle, high) if speed(middle) > 0.0 else (low, middle)
    assert begins + low < math.pi / 6.0 + begins
    k = 0
    while k * math.pi / 6.0 + begins < until:
        x += sign * way(min(low, until - k * math.pi / 6.0 - begins))
        k, sign = k + 1, -sign
    return x


@pytest.mark.parametrize("formulation", ["newton-euler", "fundamental", "gibbs-appell"])
def test_a_block_that_rubs_on_another_is_carried_along(formulation: str) -> None:
    """Friction of the relative velocity: momentum is kept, and once they move together neither slides again."""
    blocks = {name: gr.RigidBody(mass=mass, inertia=1.0) for name, mass in (("a", 2.0), ("b", 1.0))}
    scene = gr.Scene(
        body={"base": gr.FixedPoint(position=(0, 0)), **blocks},
        constraint={f"rail-{name}": gr.Slider(between=("base", name), axis=(1, 0)) for name in blocks},
        start={"a": gr.Start(position=(0, 0), velocity=(0, 0)), "b": gr.Start(position=(1, 0), velocity=(2, 0))},
        load={"on-a": gr.FormulaLoad(on="a", force=("2*sign(b.vx - a.vx) + 3*sin(t)", "0")),
              "on-b": gr.FormulaLoad(on="b", force=("-2*sign(b.vx - a.vx)", "0"))},
        run=gr.RunSettings(until=5.0, interval=0.1, formulation=formulation, tolerance=TOLERANCE))
    run = gr.simulate(scene, progress=False)
    a, b = run.velocity("a")[:, 0], run.velocity("b")[:, 0]
    np.testing.assert_allclose(2 * a + b, 2.0 + 3.0 * (1.0 - np.cos(run.t)), rtol=0, atol=1e3 * TOLERANCE)
    together = np.flatnonzero(np.abs(b - a) < 1e-12)
    assert len(together) > 25 and together[0] + len(together) == len(run.t)


@pytest.mark.parametrize("formulation", ["newton-euler", "fundamental", "gibbs-appell"])
@pytest.mark.parametrize("push", [0.5, -0.5, 0.0])
def test_where_both_sides_lead_away_the_formula_decides(push: float, formulation: str) -> None:
    """Friction that drives, c sign(v) + F: from rest with F, whatever the frames, x = (c + |F|) t²/2m to its side."""
    for interval in (2.0, 0.1):
        _, x, _ = moved(block(f"{C}*sign(rate) + {push}", 0.0, formulation=formulation, interval=interval))
        assert x[-1] == pytest.approx(np.sign(push) * (C + abs(push)) * 2.0**2 / (2.0 * MASS), abs=1e3 * TOLERANCE)


def test_a_pulse_between_jumps_has_its_whole_momentum() -> None:
    """A force of 50 N for 4 ms in a run of 400 s, in one frame: Δv = F Δt/m."""
    scene = block("25*(sign(t - 100) - sign(t - 100.004))", 0.0, until=400.0, interval=400.0)
    assert moved(scene)[2][-1] == pytest.approx(50.0 * 0.004 / MASS, rel=1e-9)


@pytest.mark.parametrize("solver", ["dop853", "radau"])
@pytest.mark.parametrize("formulation", ["newton-euler", "fundamental", "gibbs-appell"])
def test_jumps_that_are_events_shorten_no_steps(formulation: str, solver: str) -> None:
    """Between its jumps a square wave is constant: a few steps of any length from one to the next."""
    run = gr.simulate(block(f"{C}*sign(sin(50*t))", 0.0, until=4.0, interval=4.0, formulation=formulation,
                            solver=solver), progress=False)
    jumps = math.floor(4.0 * 50.0 / math.pi)
    assert run.summary["steps"] <= 4 * (jumps + 1)
    rest = 4.0 - jumps * math.pi / 50.0
    # the momentum of whole periods is zero
    assert run.velocity("block")[-1, 0] == pytest.approx(
        C / MASS * (rest if jumps % 2 == 0 else math.pi / 50.0 - rest), abs=1e3 * TOLERANCE)


def test_reactions_of_a_frame_are_those_of_the_motion() -> None:
    """A level rod held by dry friction in its hinge stays: the hinge carries its whole weight."""
    scene = gr.Scene(
        body={"base": gr.FixedPoint(position=(0, 0)), "rod": gr.Rod(length=1.0, mass=1.0)},
        constraint={"pivot": gr.Hinge(between=("base", "rod.tail"))}, start={"rod": gr.Start(angle=0.0)},
        load={"gravity": gr.Gravity(acceleration=(0, -10.0)),
              "rub": gr.FormulaLoad(joint="pivot", torque="-6*sign(rate)")},
        run=gr.RunSettings(until=1.0, interval=0.25))
    for formulation in FORMULATIONS:
        run = gr.simulate(scene, formulation=formulation, progress=False)
        forces = np.linalg.norm(run.reaction("pivot").force, axis=1)
        np.testing.assert_allclose(forces, 10.0, rtol=1e-9)


@pytest.mark.parametrize("formulation", ["newton-euler", "fundamental", "gibbs-appell"])
def test_a_resumed_run_sticks_alike(formulation: str, tmp_path: Path) -> None:
    """Bit by bit, taken up before the stop, at rest and in the middle of a slip."""
    scene = block(f"-{STIFFNESS}*displacement - {C}*sign(rate) + 4*sin(9*t)", 1.0, formulation=formulation)
    whole = gr.simulate(scene, output=tmp_path / "whole.h5", progress=False)
    for until in (0.5, 1.3):
        part = tmp_path / f"{until}.h5"
        gr.simulate(scene, until=until, output=part, progress=False)
        gr.simulate(scene, output=part, resume=True, progress=False)
        run = gr.open_run(part)
        for each in (run.position, run.velocity):
            assert np.array_equal(each("block"), getattr(whole, each.__name__)("block"))


def twisting(t: float, speed: float, a: float, b: float) -> float:
    """A block under -a sign(x) - b sign(v), from zero: braked by a + b on its way out, accelerated by a - b back."""
    out, back, side = (a + b) / MASS, (a - b) / MASS, 1.0
    ratio = math.sqrt(back / out)
    while speed > 1e-12:
        if t < speed / out:
            return side * (speed * t - out * t * t / 2.0)
        t -= speed / out
        far = speed * speed / (2.0 * out)
        if t < ratio * speed / back:
            return side * (far - back * t * t / 2.0)
        t, speed, side = t - ratio * speed / back, ratio * speed, -side
    return 0.0


@pytest.mark.parametrize("solver", ["dop853", "radau"])
@pytest.mark.parametrize("formulation", ["newton-euler", "fundamental", "gibbs-appell"])
def test_two_relays_come_to_rest_where_their_changes_accumulate(formulation: str, solver: str) -> None:
    """Half turns last v/A + q v/B with q² = B/A, A = (a + b)/m, B = (a - b)/m, and begin with q times the speed: after
    (v/A + q v/B)/(1 - q) the block is at rest, and both relays hold it, against up to a + b.
    """
    a, b, speed = 3.0, 1.0, 1.5
    out, back = (a + b) / MASS, (a - b) / MASS
    q = math.sqrt(back / out)
    end = (speed / out + q * speed / back) / (1.0 - q)
    push = f"-{a}*sign(displacement) - {b}*sign(rate) + (2*(t - 8))*(1 + sign(t - 8))/2"
    t, x, v = moved(block(push, speed, until=11.0, formulation=formulation, solver=solver))
    before = t < 10.0
    np.testing.assert_allclose(x[before], [twisting(s, speed, a, b) for s in t[before]], rtol=0, atol=1e3 * TOLERANCE)
    rests = (t > end + 1e-6) & before
    assert rests.sum() > 30 and np.abs(v[rests]).max() < 1e-20 and np.ptp(x[rests]) < 1e-17
    # a ramp of 2 N/s from 8 s on reaches a + b at 10 s: the block leaves by 2 (t - 10)³/6m
    np.testing.assert_allclose(x[~before], (t[~before] - 10.0) ** 3 / (3.0 * MASS), rtol=0, atol=1e3 * TOLERANCE)


@pytest.mark.parametrize("formulation", ["newton-euler", "fundamental", "gibbs-appell"])
def test_a_relay_of_position_and_rate_slides_along_its_surface(formulation: str) -> None:
    """-c sign(v + 2x) brakes by c/m until v + 2x = 0, and then holds it, as 4 m |x| ≤ c: x falls as e^(-2t)."""
    speed, brake = 1.5, 2.0 * C / MASS
    # v + 2x = v₀ + (2 v₀ - a) t - a t²
    b = 2.0 * speed - brake
    reached = (b + math.sqrt(b * b + 4.0 * brake * speed)) / (2.0 * brake)
    t, x, v = moved(block(f"-{2 * C}*sign(rate + 2*displacement)", speed, until=6.0, formulation=formulation))
    first = np.minimum(t, reached)
    way = (speed * first - brake * first**2 / 2.0) * np.exp(-2.0 * np.maximum(t - reached, 0.0))
    np.testing.assert_allclose(x, way, rtol=0, atol=1e3 * TOLERANCE)
    assert np.abs(v + 2.0 * x)[t > reached].max() < 1e-14


def test_ever_more_changes_end_a_run_with_the_reason() -> None:
    """A relay with viscous damping: each turn takes a part of the speed that falls with it, so that turns come
    exponentially faster, but at no time infinitely fast.
    """
    with pytest.raises(NotConvergedError) as stopped:
        gr.simulate(block("-3*sign(displacement) - 20*rate", 1.5, until=2000.0), progress=False)
    naming(str(stopped.value), "push", "ever more often", "tanh")


@pytest.mark.parametrize("ends", [gr.check, lambda scene: gr.simulate(scene, progress=False)])
def test_scalar_refuses_forces_that_jump_with_a_velocity(ends: Callable[[gr.Scene], object]) -> None:
    """It has no modes, and could not stick; drag by v |v| does not jump, and runs."""
    def rod(torque: str) -> gr.Scene:
        return gr.Scene(
            body={"base": gr.FixedPoint(position=(0, 0)), "rod": gr.Rod(length=1.0, mass=1.0)},
            constraint={"pivot": gr.Hinge(between=("base", "rod.tail"))}, start={"rod": gr.Start(angle=0.0)},
            load={"rub": gr.FormulaLoad(joint="pivot", torque=torque)},
            run=gr.RunSettings(until=1.0, interval=0.5, formulation="scalar"))

    with pytest.raises(SceneError) as unfollowed:
        ends(rod("-3*sign(rate)"))
    naming(str(unfollowed.value), "load.rub", "scalar", "newton-euler")
    ends(rod("-3*rate*abs(rate)"))


def test_a_root_of_an_absolute_value_stays_real() -> None:
    """m v̇ = -√|v|·2 sign v: √v falls linearly, and v stays at zero; the root is never of a negative number."""
    _, _, v = moved(block("-2*sign(rate)*sqrt(abs(rate)) - rate/(abs(rate) + 1)", 1.0, until=1.0))
    assert np.isfinite(v).all() and (np.diff(v) < 0.0).all()
