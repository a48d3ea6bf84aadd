"""One-sided links against closed forms: contacts and struts that only push, ropes that only pull."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad

import granum as gr
from granum.base.errors import GranumError, SceneError
from granum.integrate.one_sided import TOUCH
from granum.run.check import LinkDescription
from granum.run.warnings import warnings_of
from granum.view.stage.actors import Actors
from messages import naming, refused, says

G = 9.81
FALL = {"gravity": {"kind": "gravity", "acceleration": (0.0, -G)}}


def one_mass(position: tuple[float, ...], velocity: tuple[float, ...], mass: float = 2.0, **link: Any) -> gr.Scene:
    """A mass on a one-sided link of 1 m from the origin."""
    d = len(position)
    return gr.Scene(
        body={"nail": {"kind": "fixed-point", "position": (0.0,) * d}, "bob": {"kind": "point-mass", "mass": mass}},
        start={"bob": {"position": position, "velocity": velocity}},
        link={"link": {"between": ("nail", "bob"), "length": 1.0, "one_sided": True, **link}},
        load={"gravity": {"kind": "gravity", "acceleration": (*(0.0,) * (d - 1), -G)}})


def dome(speed: float = 0.5) -> gr.Scene:
    """A bead on top of a dome of 1 m."""
    return one_mass((0.0, 1.0), (speed, 0.0))


def time_on_dome(speed: float) -> float:
    """The bead leaves at cos θ = (2 + v²/g)/3, after ∫ dθ/√(v² + 2 g (1 - cos θ))."""
    end = math.acos((2.0 + speed**2 / G) / 3.0)
    return float(quad(lambda a: 1.0 / math.sqrt(speed**2 + 2.0 * G * (1.0 - math.cos(a))), 0.0, end,
                      epsabs=1e-14, epsrel=1e-14)[0])


def tilted() -> gr.Scene:
    """The same dome in 3-D, down a meridian of its own."""
    return one_mass((0.0, 0.0, 1.0), (0.3, 0.4, 0.0))


@pytest.mark.parametrize(("scene", "formulation"), [
    (dome(), "newton-euler"), (dome(), "lagrange"), (dome(), "scalar"), (tilted(), "newton-euler"),
    (tilted(), "scalar")], ids=["newton-euler", "lagrange", "scalar", "newton-euler-3d", "scalar-3d"])
def test_bead_leaves_a_dome(scene: gr.Scene, formulation: str) -> None:
    """At 48.19° from rest; here a little earlier, with 0.5 m/s at the top. In free flight no force is left."""
    run = gr.simulate(scene, until=1.0, interval=0.01, formulation=formulation, tolerance=1e-12)
    (event,) = run.events
    assert (event.name, event.what) == ("link", "opens")
    assert event.t == pytest.approx(time_on_dome(0.5), abs=1e-11)
    flying = run.t > event.t
    assert np.all(run.reaction("link").tension[flying] == 0.0)
    assert np.all(run.reaction("link").tension[~flying] < 0.0)
    assert run.open_links(0) == [] and run.open_links(-1) == ["link"]
    height = run.position("bob")[flying][:, -1]
    assert np.diff(height, 3) == pytest.approx(0.0, abs=1e-11)  # a parabola
    assert run.energy.largest_error < 1e-12
    assert run.energy.work["link.impact"][-1] == 0.0


@pytest.mark.parametrize(("solver", "order", "largest"), [
    ("rk4", 4.0, 0.08), ("rattle", 2.0, 0.08), ("mixed", 2.0, 0.02)])
def test_event_has_the_order_of_the_integrator(solver: str, order: float, largest: float) -> None:
    """The time at which the bead leaves converges with the step."""
    exact, errors = time_on_dome(0.5), []
    for step in (largest, largest / 2.0, largest / 4.0):
        run = gr.simulate(dome(), until=0.8, interval=0.8, solver=solver, step=step, tolerance=1e-10)
        errors.append(abs(run.events[0].t - exact))
    found = [math.log2(a / b) for a, b in pairwise(errors)]
    assert found[-1] == pytest.approx(order, abs=0.35)


def times_of_bounces(e: float, height: float, until: float) -> list[float]:
    """Times at which a mass dropped from a height meets its support, as long as it rises by more than TOUCH."""
    t, speed = math.sqrt(2.0 * height / G), math.sqrt(2.0 * G * height)
    times = [t]
    while (e * speed) ** 2 / (2.0 * G) >= TOUCH and t < until:
        speed *= e
        t += 2.0 * speed / G
        times.append(t)
    return [t for t in times if t < until]


@pytest.mark.parametrize("e", [0.0, 0.5, 1.0])
@pytest.mark.parametrize(("formulation", "solver"), [
    ("newton-euler", "dop853"), ("scalar", "dop853"), ("newton-euler", "rk4"), ("newton-euler", "rattle"),
    ("newton-euler", "mixed")])
def test_mass_bounces_on_a_strut(e: float, formulation: str, solver: str) -> None:
    """Newton's law at each impact, until the bounces are lower than 1e-9 of the strut; then it carries the weight."""
    expected = times_of_bounces(e, 0.5, 1.6)
    run = gr.simulate(one_mass((0.0, 1.5), (0.0, 0.0), restitution=e), until=1.6, interval=0.1, formulation=formulation,
                      solver=solver, step=0.02)
    assert [event.t for event in run.events] == pytest.approx(expected, abs=1e-9)
    assert {event.what for event in run.events[:-1]} <= {"rebounds"}
    assert run.events[-1].what == ("closes" if e < 1.0 else "rebounds")
    lost = 2.0 * G * 0.5 * (1.0 - e ** (2 * len(expected)) if e == 1.0 else 1.0)
    assert run.energy.work["link.impact"][-1] == pytest.approx(-lost, abs=1e-7)
    assert run.energy.largest_error < 1e-11
    if e < 1.0:
        assert run.reaction("link").tension[-1] == pytest.approx(-2.0 * G, rel=1e-9)
        assert run.position("bob")[-1, 1] == pytest.approx(1.0, abs=1e-8)


def test_frames_do_not_change_events() -> None:
    """Intervals over three decades: the same events, to the tolerance of the integrator."""
    scene = one_mass((0.0, 1.5), (0.0, 0.0), restitution=0.5)
    listed = [gr.simulate(scene, until=1.0, interval=interval).events for interval in (1.0, 0.1, 0.01, 0.001)]
    for events in listed[1:]:
        assert [event.what for event in events] == [event.what for event in listed[0]]
        assert [event.t for event in events] == pytest.approx([event.t for event in listed[0]], abs=1e-9)


def rope(speed: float = 6.0, **link: Any) -> gr.Scene:
    """A bob on a rope that is too slow for a full turn."""
    return one_mass((0.0, -1.0), (speed, 0.0), one_sided="pull", **link)


@pytest.mark.parametrize("formulation", ["newton-euler", "lagrange"])
def test_rope_goes_slack_and_catches_the_bob(formulation: str) -> None:
    """Slack where v² = g l sin φ, sin φ = (v₀² - 2 g l)/(3 g l); taut again after 4 v_y/g, without the radial speed."""
    run = gr.simulate(rope(), until=2.0, interval=0.01, formulation=formulation, tolerance=1e-12)
    slack, taut = run.events[:2]
    assert [(event.name, event.what) for event in run.events[:2]] == [("link", "opens"), ("link", "closes")]
    sine = (36.0 - 2.0 * G) / (3.0 * G)
    cosine, speed = math.sqrt(1.0 - sine**2), math.sqrt(G * sine)
    flight = 4.0 * speed * cosine / G
    assert taut.t - slack.t == pytest.approx(flight, abs=1e-9)
    x, v = np.array([cosine, sine]), speed * np.array([-sine, cosine])
    end, velocity = x + v * flight - np.array([0.0, 0.5 * G * flight**2]), v - np.array([0.0, G * flight])
    assert np.linalg.norm(end) == pytest.approx(1.0, abs=1e-12)
    radial = float(velocity @ end)
    assert run.energy.work["link.impact"][-1] == pytest.approx(-0.5 * 2.0 * radial**2, rel=1e-9)
    assert run.energy.largest_error < 1e-11
    assert np.linalg.norm(run.position("bob"), axis=1).max() < 1.0 + 1e-10


def swing(formulation: str) -> gr.Scene:
    """Three masses on rods swing until a slack rope to the last one is taut: it closes a loop."""
    return gr.Scene(
        body={"nail": {"kind": "fixed-point", "position": (0.0, 0.0)},
              "hook": {"kind": "fixed-point", "position": (-1.0, 0.5)}},
        pattern={"chain": {"kind": "chain", "from": "nail", "count": 3, "length": 0.4, "mass": 1.0, "angles": -60.0}},
        link={"rope": {"between": ("hook", "chain-3"), "length": 2.1, "one_sided": "pull"}},
        load=FALL).with_run(until=1.7, interval=0.1, formulation=formulation, tolerance=1e-11)


def test_formulations_agree_on_a_rope_that_closes_a_loop() -> None:
    """Times of all events in rectangular coordinates and in angles of the tree; the topology gains and loses a cut."""
    events = {name: gr.simulate(swing(name)).events for name in ("newton-euler", "lagrange", "scalar")}
    first = events["newton-euler"]
    assert [event.what for event in first] == ["rebounds", "closes", "opens", "closes", "opens"]
    for others in events.values():
        assert [event.what for event in others] == [event.what for event in first]
        assert [event.t for event in others] == pytest.approx([event.t for event in first], abs=1e-7)


def test_topology_is_updated() -> None:
    """The rope is no link of the topology while it is slack, and a cut while it is taut; links keep their numbers."""
    sim = gr.Simulation(swing("newton-euler"))
    motion = sim._subject.system.one_sided  # type: ignore[attr-defined]
    topology, seen = motion.topology, set()
    for frame in range(1, 18):
        sim.advance(0.1 * frame)
        closed = bool(motion.closed[0])
        assert motion.topology is topology
        assert len(topology.cuts) == closed and len(topology.links) == 3 + closed
        seen.add(closed)
    assert seen == {False, True}


def column(*links: dict[str, Any], speeds: tuple[float, float]) -> gr.Scene:
    """Two masses above each other, 1 kg and 1 kg, the lower one at a height of 1 m."""
    return gr.Scene(
        body={"nail": {"kind": "fixed-point", "position": (0.0, 0.0)},
              "top": {"kind": "fixed-point", "position": (0.0, 3.0)},
              **{name: {"kind": "point-mass", "mass": 1.0} for name in ("low", "high")}},
        start={"low": {"position": (0.0, 1.0), "velocity": (0.0, speeds[0])},
               "high": {"position": (0.0, 2.0), "velocity": (0.0, speeds[1])}},
        link={f"link-{k}": link for k, link in enumerate(links)}, load=FALL)


def test_impulse_goes_through_what_is_closed() -> None:
    """A mass that falls on another one, which stands on a strut, rebounds from it as from the ground."""
    strut = {"between": ("nail", "low"), "one_sided": True}
    scene = column(strut, {"between": ("low", "high"), "length": 0.9, "one_sided": True, "restitution": 0.6},
                   speeds=(0.0, 0.0))
    run = gr.simulate(scene, until=0.2, interval=0.01)
    (event,) = run.events
    assert (event.name, event.what) == ("link-1", "rebounds")
    assert event.t == pytest.approx(math.sqrt(0.2 / G), abs=1e-12)
    after = run.t > event.t
    assert run.velocity("high")[after, 1] == pytest.approx(
        0.6 * math.sqrt(0.2 * G) - G * (run.t[after] - event.t), abs=1e-11)
    assert np.abs(run.velocity("low")).max() < 1e-12
    assert run.reaction("link-0").tension == pytest.approx(-G, rel=1e-9)
    assert run.energy.work["link-1.impact"][-1] == pytest.approx(-0.1 * G * (1.0 - 0.36), rel=1e-9)


def test_closed_rope_does_not_push() -> None:
    """A mass on a rope is hit from below: the rope takes no impulse, and both move as if it were not there."""
    rope = {"between": ("top", "high"), "one_sided": "pull"}
    scene = column(rope, {"between": ("low", "high"), "length": 0.5, "one_sided": True, "restitution": 1.0},
                   speeds=(5.0, 0.0))
    run = gr.simulate(scene, until=0.2, interval=0.01)
    t = (5.0 - math.sqrt(25.0 - G)) / G  # 0.5 m upwards
    assert [(event.name, event.what) for event in run.events[:2]] == [("link-0", "opens"), ("link-1", "rebounds")]
    assert [event.t for event in run.events[:2]] == pytest.approx([t, t], abs=1e-12)
    after = run.t > t
    speed = 5.0 - G * t  # equal masses exchange it
    assert run.velocity("high")[after, 1] == pytest.approx(speed - G * (run.t[after] - t), abs=1e-11)
    assert run.energy.work["link-1.impact"][-1] == pytest.approx(0.0, abs=1e-12)
    assert run.energy.largest_error < 1e-12


@pytest.mark.parametrize("e", [0.0, 0.5])
def test_mass_comes_to_rest_in_a_groove(e: float) -> None:
    """Impacts at one side lift the mass from the other, ever less: an end after finitely many, with both closed."""
    scene = gr.Scene(
        body={"left": {"kind": "fixed-point", "position": (-1.0, 0.0)},
              "right": {"kind": "fixed-point", "position": (1.0, 0.0)}, "mass": {"kind": "point-mass", "mass": 1.0}},
        start={"mass": {"position": (0.1, 1.0), "velocity": (0.0, 0.0)}}, load=FALL,
        link={name: {"between": (name, "mass"), "length": 1.2, "one_sided": True, "restitution": e}
              for name in ("left", "right")})
    run = gr.simulate(scene, until=2.5, interval=0.1, tolerance=1e-12)
    assert len(run.events) < 200 and run.open_links(-1) == []
    sine = math.sqrt(1.44 - 1.0) / 1.2
    for name in ("left", "right"):
        assert run.reaction(name).tension[-1] == pytest.approx(-0.5 * G / sine, rel=1e-7)
    assert run.energy.largest_error < 1e-10
    assert all(work[-1] < 0.0 for name, work in run.energy.work.items() if name.endswith(".impact"))


def test_dip_within_a_step_is_found() -> None:
    """In free flight a step may be longer than the whole meeting: the flight past a contact is looked at between."""
    scene = one_mass((-10.0, 0.5), (10.0, 0.0), restitution=1.0).model_copy(update={"load": {}})
    run = gr.simulate(scene, until=2.0, interval=2.0)
    (event,) = run.events
    assert event.t == pytest.approx((10.0 - math.sqrt(0.75)) / 10.0, abs=1e-12)
    n = np.array([-math.sqrt(0.75), 0.5])
    assert run.velocity("bob")[-1] == pytest.approx(np.array([10.0, 0.0]) - 2.0 * 10.0 * n[0] * n, abs=1e-10)


def test_contact_that_pulls_at_the_start_opens_there() -> None:
    """Two masses that turn about each other, and nothing that holds them together."""
    scene = column({"between": ("low", "high"), "one_sided": True}, speeds=(0.0, 0.0)).model_copy(update={
        "load": {}, "start": {"low": gr.Start(position=(0.0, 1.0), velocity=(-1.0, 0.0)),
                              "high": gr.Start(position=(0.0, 2.0), velocity=(1.0, 0.0))}})
    run = gr.simulate(scene, until=0.5)
    assert [(event.t, event.what) for event in run.events] == [(0.0, "opens")]
    assert run.velocity("high")[-1] == pytest.approx([1.0, 0.0], abs=1e-14)


# ---- stepped by hand


def test_changes_between_steps() -> None:
    """A snapshot goes on to the bit; applied forces and states that are set open and close a contact; all is booked."""
    sim = gr.Simulation(one_mass((0.0, 1.5), (0.0, 0.0), restitution=0.5), until=3.0, interval=0.1)
    sim.advance(0.5)
    snapshot, ends = sim.snapshot(), []
    for _ in range(2):
        sim.restore(snapshot)
        sim.advance(0.9)
        ends.append((sim.body("bob"), len(sim.run.events)))
    assert np.array_equal(ends[0][0].position, ends[1][0].position) and ends[0][1] == ends[1][1]
    sim.advance(1.2)
    assert sim.reaction("link")["link"] == pytest.approx(-2.0 * G)
    sim.apply("bob", force=(0.0, 30.0))
    sim.advance(1.3)
    assert sim.run.events[-1].what == "opens" and sim.run.events[-1].t == pytest.approx(1.2)
    sim.apply("bob", force=(0.0, 0.0))
    sim.set_body("bob", position=(0.0, 1.0), velocity=(0.0, -1.0))  # it rebounds at once
    assert sim.body("bob").velocity[1] == pytest.approx(0.5)
    with refused(GranumError, "link", "nearer"):
        sim.set_body("bob", position=(0.0, 0.9), velocity=(0.0, 0.0))
    sim.advance(2.0)
    assert sim.finish().energy.largest_error < 1e-12


# ---- rigid bodies

BAR = {"kind": "rod", "length": 1.0, "mass": 3.0, "points": {"end": (0.5, 0.0), "hinge": (-0.5, 0.0)}}


def barrier(e: float, hinged: bool = True) -> gr.Scene:
    """A bar of 1 m that falls on a post below its end, at a distance of 0.5 m; on a hinge, or free."""
    hinge = {"hinge": {"kind": "hinge", "between": ("pivot", "bar.hinge")}} if hinged else {}
    return gr.Scene(
        body={"pivot": {"kind": "fixed-point", "position": (0.0, 0.0)},
              "post": {"kind": "fixed-point", "position": (1.0, -0.8)}, "bar": BAR},
        start={"bar": {"position": (0.5, 0.0), "velocity": (0.0, 0.0), "angle": 0.0, "angular_velocity": 0.0}},
        constraint=hinge, load=FALL,
        link={"stop": {"between": ("post", "bar.end"), "length": 0.5, "one_sided": True, "restitution": e}},
    ).with_run(until=0.5, interval=0.005, formulation="newton-euler", tolerance=1e-12)


def test_bar_on_a_hinge_hits_a_stop() -> None:
    """One degree of freedom: ω⁺ = -e ω⁻, and ½ I ω² (1 - e²) is lost; ½ I ω² = m g h."""
    run = gr.simulate(barrier(0.4))
    event = run.events[0]
    assert event.what == "rebounds"
    k = int(np.searchsorted(run.t, event.t))
    turned = run.angle("bar")
    energy = run.energy
    # just before the impact: what gravity has done since the start
    tip = quad(lambda a: 1.0 / math.sqrt(3.0 * G * math.sin(a)), 1e-300, -_angle_of_stop(), epsabs=1e-12)[0]
    assert event.t == pytest.approx(tip, abs=1e-8)
    lost = 3.0 * G * 0.5 * math.sin(-_angle_of_stop()) * (1.0 - 0.16)
    assert energy.work["stop.impact"][k] == pytest.approx(-lost, rel=1e-9)
    assert energy.largest_error < 1e-11
    assert turned.min() > _angle_of_stop() - 1e-9
    assert run.reaction("stop").tension[0] == 0.0


def _angle_of_stop() -> float:
    """The angle at which the end of the bar is 0.5 m from the post."""
    from scipy.optimize import brentq

    return float(brentq(lambda a: math.hypot(math.cos(a) - 1.0, math.sin(a) + 0.8) - 0.5, -0.5, -0.1, xtol=1e-15))


def test_free_bar_hits_a_post_with_its_end() -> None:
    """The impulse is (1 + e) v m/(1 + 3) for a thin bar struck at its end: it then rotates by 6 p/(m l)."""
    run = gr.simulate(barrier(0.5, hinged=False), until=0.3)
    event = run.events[0]
    assert event.what == "rebounds" and event.t == pytest.approx(math.sqrt(0.6 / G), abs=1e-12)
    k = int(np.searchsorted(run.t, event.t))
    speed = math.sqrt(0.6 * G)
    p = 1.5 * speed * 3.0 / 4.0
    assert run.angular_velocity("bar")[k] == pytest.approx(6.0 * p / 3.0, rel=1e-10)
    assert run.velocity("bar")[k, 1] == pytest.approx(-G * run.t[k] + p / 3.0, rel=1e-10)
    assert run.energy.work["stop.impact"][k] == pytest.approx(-0.5 * speed**2 * 0.75 * 3.0 / 4.0, rel=1e-10)


def test_sphere_leaves_another_in_space() -> None:
    """A sphere on a link to a fixed point is a bead on a dome: rigid bodies and points give the same time."""
    scene = tilted().model_copy(update={"body": {**tilted().body, "bob": gr.Sphere(mass=2.0, radius=0.1)}})
    run = gr.simulate(scene, until=1.0, interval=0.05, formulation="newton-euler", tolerance=1e-12)
    assert [event.what for event in run.events] == ["opens"]
    assert run.events[0].t == pytest.approx(time_on_dome(0.5), abs=1e-10)


def test_drive_that_throws_a_ball() -> None:
    """A slider moves up and down by 5 cm at 3 Hz and throws a ball; the work of its drive in impacts is booked too."""
    scene = gr.Scene(
        body={"frame": {"kind": "fixed-point", "position": (0.0, 0.0)},
              "plate": {"kind": "block", "size": (0.2, 0.02), "mass": 1.0},
              "ball": {"kind": "point-mass", "mass": 0.5}},
        start={"plate": {"position": (0.0, 0.0)}, "ball": {"position": (0.0, 0.3), "velocity": (0.0, 0.0)}},
        constraint={"guide": {"kind": "slider", "between": ("frame", "plate"), "axis": (0.0, 1.0)},
                    "motor": {"kind": "drive", "joint": "guide", "motion": "0.05*sin(6*pi*t)"}},
        link={"contact": {"between": ("plate", "ball"), "length": 0.1, "one_sided": True, "restitution": 0.5}},
        load=FALL).with_run(until=1.0, interval=0.01, formulation="newton-euler", tolerance=1e-11)
    run = gr.simulate(scene)
    assert {"rebounds"} <= {event.what for event in run.events}
    assert run.energy.work["motor"][-1] != 0.0 and run.energy.work["contact.impact"][-1] < 0.0
    assert run.energy.largest_error < 1e-8
    gap = run.position("ball")[:, 1] - run.position("plate")[:, 1]
    assert gap.min() > 0.1 - 1e-8


def test_rigid_bodies_between_steps() -> None:
    """A snapshot goes on to the bit, and a state that is set opens a contact."""
    sim = gr.Simulation(barrier(0.0), until=1.0)
    sim.advance(0.3)
    snapshot, ends = sim.snapshot(), []
    for _ in range(2):
        sim.restore(snapshot)
        sim.advance(0.45)
        ends.append(sim.body("bar"))
    assert ends[0].angle == ends[1].angle and np.array_equal(ends[0].velocity, ends[1].velocity)
    assert sim.run.events[-1].what == "closes" and sim.reaction("stop")["stop"] < 0.0
    sim.set_body("bar", position=(0.5, 0.0), velocity=(0.0, 0.0), angle=0.0, angular_velocity=0.0)
    assert sim.reaction("stop")["stop"] == 0.0
    with refused(GranumError, "stop"):
        sim.set_body("bar", position=(0.5 * math.cos(0.6), -0.5 * math.sin(0.6)), velocity=(0.0, 0.0), angle=-0.6,
                     angular_velocity=0.0)
    sim.advance(0.9)
    assert sim.finish().energy.largest_error < 1e-9


# ---- what is drawn, exported, described, refused and reported


def test_open_links_are_not_drawn_and_events_are_exported() -> None:
    """An open link has no length in pictures; the table of events, the summary and `check` tell of it."""
    run = gr.simulate(rope(), until=1.0, interval=0.1)
    drawn = np.linalg.norm(np.diff([Actors(run).links(k)[0] for k in range(len(run.t))], axis=1)[:, 0], axis=1)
    assert np.array_equal(drawn > 0.0, run.t < run.events[0].t)
    assert drawn[0] == pytest.approx(1.0)
    table = run.to_pandas("transitions")
    assert list(table["link"]) == ["link"] and list(table["does"]) == ["opens"]
    assert run.summary["one_sided"] == {"link": [{"t": run.events[0].t, "what": "opens"}]}
    described = gr.check(one_mass((0.0, 1.5), (0.0, 0.0)))
    assert isinstance(described, LinkDescription)
    assert described.open_links == ("link",) and described.degrees_of_freedom == 2


@pytest.mark.parametrize(("settings", "named"), [
    ({"solver": "adams"}, ("run.solver", "adams", "dop853, rk4, rattle, mixed")),
    ({"formulation": "fundamental"}, ("link.link.one_sided", "fundamental", "newton-euler")),
    ({"formulation": "gibbs-appell"}, ("link.link.one_sided", "gibbs-appell", "newton-euler"))])
def test_what_cannot_open_links_refuses_them(settings: dict[str, str], named: tuple[str, ...]) -> None:
    """By name, with what can."""
    with refused(SceneError, *named):
        gr.simulate(dome(), **settings)


def test_analyses_refuse_one_sided_links() -> None:
    """An equilibrium or a linearization would take them for links that pull."""
    for analysis in (gr.linearize, gr.equilibrium):
        with refused(SceneError, "link.link.one_sided", "Remove"):
            analysis(dome())


def test_wrong_starts_and_keys() -> None:
    """Ends on the wrong side, restitution without one side, a word that is not known."""
    with refused(SceneError, "link.link", "0.1 m nearer"):
        gr.simulate(one_mass((0.0, 0.9), (0.0, 0.0)))
    with refused(SceneError, "link.stop", "nearer"):
        scene = barrier(0.0)
        gr.simulate(scene.vary({"link.stop.length": 0.9}))
    with refused(SceneError, "restitution", "one_sided = true"):
        gr.Link(between=("a", "b"), restitution=0.5)
    with refused(SceneError, "one_sided", "'both'", "push", "pull"):
        gr.Link(between=("a", "b"), one_sided="both")


@pytest.mark.parametrize("formulation", ["newton-euler", "fundamental"])
def test_contact_that_pulls_is_reported(formulation: str) -> None:
    """A link between spheres as long as both radii stands for a contact; as a one-sided link it opens instead."""
    def spheres(**link: Any) -> gr.Scene:
        return gr.Scene(
            body={"a": {"kind": "sphere", "mass": 1.0, "radius": 0.1},
                  "b": {"kind": "sphere", "mass": 1.0, "radius": 0.2}},
            start={"a": {"position": (0.0, 0.0, 0.0), "velocity": (0.0, -1.0, 0.0)},
                   "b": {"position": (0.3, 0.0, 0.0), "velocity": (0.0, 1.0, 0.0)}},
            link={"touch": {"between": ("a", "b"), **link}}).with_run(until=0.1, formulation=formulation)

    says("\n".join(warnings_of(gr.simulate(spheres()))), "touch", "6.67 N", "one_sided = true", "[link.touch]")
    assert not warnings_of(gr.simulate(spheres(length=0.3001), project_start=True))
    if formulation == "newton-euler":
        assert not warnings_of(gr.simulate(spheres(one_sided=True)))


@pytest.mark.parametrize("ends", [lambda scene: gr.simulate(scene, progress=False), gr.check])
def test_a_slack_rope_is_refused_before_the_start_is_computed(ends: Callable[[gr.Scene], object]) -> None:
    """By formulas it would count as a link whose length the start violates; a rigid body makes it a scene of those."""
    scene = gr.example("dome")
    wheel = {**scene.body, "wheel": gr.Disk(radius=0.1, mass=1.0)}
    spun = scene.model_copy(update={"body": wheel, "constraint": {"pin": gr.Hinge(between=("hook", "wheel"))}})
    with pytest.raises(SceneError) as slack:
        ends(spun.with_run(formulation="fundamental"))
    naming(str(slack.value), "link.rope.one_sided", "fundamental", "newton-euler")
