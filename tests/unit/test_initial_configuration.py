"""The initial configuration: the same in every formulation, what is given is held, loops close on the chosen branch."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import granum as gr
from messages import refused, says

JOINTED = ("newton-euler", "fundamental", "lagrange", "gibbs-appell", "virtual-work")
A, B, C, D = 1.0, 2.0, 1.5, 2.2
"""Crank, coupler, rocker and frame [m]."""
ROUNDING = 1e-12
"""Angles follow from points that meet to 1e-15 m of 2 m; a loop far from a toggle position loses two digits."""


def four_bar(start: dict[str, Any], reverse: bool = False, spatial: bool = False, assembly: str | None = None,
             **run: Any) -> gr.Scene:
    """A crank-rocker; `assembly` is that of the hinge between coupler and rocker."""
    zero = (0.0,) if spatial else ()
    extra = {"axis": (0.0, 0.0, 1.0)} if spatial else {}
    ends = ("rocker.head", "coupler.head") if reverse else ("coupler.head", "rocker.head")
    joints = {"O": ("left", "crank.tail"), "A": ("crank.head", "coupler.tail"), "B": ends,
              "D": ("right", "rocker.tail")}
    constraint: dict[str, Any] = {name: {"kind": "hinge", "between": between, **extra}
                                  for name, between in joints.items()}
    if assembly is not None:
        constraint["B"]["assembly"] = assembly
    rods = {"crank": A, "coupler": B, "rocker": C}
    return gr.Scene(
        body={"left": {"kind": "fixed-point", "position": (0.0, 0.0, *zero)},
              "right": {"kind": "fixed-point", "position": (D, 0.0, *zero)},
              **{name: {"kind": "rod", "length": length, "mass": 1.0, "radius": 0.05}
                 for name, length in rods.items()}},
        constraint=constraint, start=start, run=run,
        load={"gravity": {"kind": "gravity", "acceleration": (0.0, -9.81, *zero)}})


def freudenstein(crank: float, assembly: str) -> tuple[float, float]:
    """Angles of coupler and rocker from K₁ cos θ₄ - K₂ cos θ₂ + K₃ = cos(θ₂ - θ₄) (Freudenstein 1955), the root with
    the minus sign being the open one.
    """
    k1, k2, k3 = D / A, D / C, (A * A - B * B + C * C + D * D) / (2.0 * A * C)
    a = math.cos(crank) - k1 - k2 * math.cos(crank) + k3
    b, c = -2.0 * math.sin(crank), k1 - (k2 + 1.0) * math.cos(crank) + k3
    sign = -1.0 if assembly == "open" else 1.0
    rocker = 2.0 * math.atan2(-b + sign * math.sqrt(b * b - 4.0 * a * c), 2.0 * a)
    x, y = D + C * math.cos(rocker) - A * math.cos(crank), C * math.sin(rocker) - A * math.sin(crank)
    return math.atan2(y, x), math.remainder(rocker, 2.0 * math.pi)


def slider_crank(start: dict[str, Any], assembly: str | None = None, offset: float = 0.1) -> gr.Scene:
    """A crank of 0.3 m, a rod of 1 m and a piston along x, beside the bearing by `offset`."""
    wrist: dict[str, Any] = {"kind": "hinge", "between": ("rod.head", "piston")}
    if assembly is not None:
        wrist["assembly"] = assembly
    return gr.Scene(
        body={"bearing": {"kind": "fixed-point", "position": (0.0, 0.0)},
              "guide": {"kind": "fixed-point", "position": (0.0, offset)},
              "crank": {"kind": "rod", "length": 0.3, "mass": 1.5}, "rod": {"kind": "rod", "length": 1.0, "mass": 1.0},
              "piston": {"kind": "block", "size": (0.1, 0.1), "mass": 2.0}},
        start=start,
        constraint={"main": {"kind": "hinge", "between": ("bearing", "crank.tail")},
                    "pin": {"kind": "hinge", "between": ("crank.head", "rod.tail")}, "wrist": wrist,
                    "bore": {"kind": "slider", "between": ("guide", "piston"), "axis": (1.0, 0.0)}})


def coordinates(scene: gr.Scene, way: str) -> dict[str, float]:
    """Coordinates and rates at the start, by name."""
    equations = gr.derive(scene, way)
    q, v = equations.start
    names = equations.coordinates
    return dict(zip((*names, *(f"{name}_dot" for name in names)), (*q.tolist(), *v.tolist()), strict=True))


@pytest.mark.parametrize("way", JOINTED)
@pytest.mark.parametrize("assembly", ["open", "crossed"])
@pytest.mark.parametrize("degrees", [80.0, 0.0, -80.0, 180.0, 200.0])
def test_four_bar_closes_as_freudenstein_says(way: str, assembly: str, degrees: float) -> None:
    """Only the crank angle is given: coupler and rocker follow, on the branch that is asked for, within ±π."""
    crank = math.radians(degrees)
    for reverse in (False, True):
        found = coordinates(four_bar({"crank": {"angle": crank}}, reverse, assembly=assembly), way)
        coupler, rocker = freudenstein(crank, assembly)
        assert found["crank.angle"] == crank
        assert found["coupler.angle"] == pytest.approx(coupler, abs=ROUNDING)
        assert found["rocker.angle"] == pytest.approx(rocker, abs=ROUNDING)
        assert abs(found["coupler.angle"]) <= math.pi and abs(found["rocker.angle"]) <= math.pi


@pytest.mark.parametrize("way", JOINTED)
@pytest.mark.parametrize("assembly", ["open", "crossed"])
@pytest.mark.parametrize("degrees", [80.0, -130.0])
def test_slider_crank_closes_on_both_sides(way: str, assembly: str, degrees: float) -> None:
    """x = r cos θ ± √(l² - (r sin θ - e)²): open, the piston is ahead of the crank pin along the axis."""
    angle = math.radians(degrees)
    found = coordinates(slider_crank({"crank": {"angle": angle}}, assembly), way)
    high = 0.3 * math.sin(angle) - 0.1
    along = math.sqrt(1.0 - high * high) * (1.0 if assembly == "open" else -1.0)
    assert found["piston.x"] == pytest.approx(0.3 * math.cos(angle) + along, abs=ROUNDING)
    assert found["piston.y"] == pytest.approx(0.1, abs=ROUNDING)
    assert found["rod.angle"] == pytest.approx(math.atan2(-high, along), abs=ROUNDING)
    assert found["piston.angle"] == pytest.approx(0.0, abs=ROUNDING) and found["crank.angle"] == angle


@pytest.mark.parametrize("way", JOINTED)
@pytest.mark.parametrize("assembly", ["open", "crossed"])
def test_four_bar_in_space_closes_in_its_plane(way: str, assembly: str) -> None:
    half = math.radians(80.0) / 2.0
    start = {"crank": {"orientation": (math.cos(half), 0.0, 0.0, math.sin(half))}}
    found = coordinates(four_bar(start, spatial=True, assembly=assembly), way)
    for name, angle in zip(("coupler", "rocker"), freudenstein(2.0 * half, assembly), strict=True):
        u = [found[f"{name}.u{k}"] for k in range(4)]
        assert u[1] == pytest.approx(0.0, abs=ROUNDING) and u[2] == pytest.approx(0.0, abs=ROUNDING)
        assert math.remainder(2.0 * math.atan2(u[3], u[0]) - angle, 2.0 * math.pi) == pytest.approx(0.0, abs=ROUNDING)


@pytest.mark.parametrize("way", JOINTED)
@pytest.mark.parametrize("assembly", ["open", "crossed"])
def test_a_guess_chooses_the_branch(way: str, assembly: str) -> None:
    """Angles 20° beside the branch that is wanted lead to it; what is no guess stays to the bit."""
    crank = 1.1
    coupler, rocker = freudenstein(crank, assembly)
    start = {"crank": {"angle": crank}, "coupler": {"angle": coupler + 0.35, "guess": ["angle"]},
             "rocker": {"angle": rocker - 0.35, "guess": ["angle"]}}
    found = coordinates(four_bar(start), way)
    assert found["crank.angle"] == crank
    assert found["coupler.angle"] == pytest.approx(coupler, abs=ROUNDING)
    assert found["rocker.angle"] == pytest.approx(rocker, abs=ROUNDING)


@pytest.mark.parametrize("scene", [
    four_bar({"crank": {"angle": 1.3}}), four_bar({"rocker": {"angle": 1.8, "angular_velocity": 2.0}}),
    four_bar({"crank": {"angle": 0.7}}, project_start=True), slider_crank({"crank": {"angle": 2.0}}),
    slider_crank({"piston": {"position": (1.0, 0.1), "velocity": (-1.0, 0.0)}}),
    gr.Scene(body={"pin": {"kind": "fixed-point", "position": (0.1, 0.2)}, "rod": {"kind": "rod", "length": 0.4,
                                                                                "mass": 1.0}},
             constraint={"h": {"kind": "hinge", "between": ("pin", "rod.tail")}}),
    gr.Scene(body={"pin": {"kind": "fixed-point", "position": (0.0, 0.0)}, "a": {"kind": "rod", "length": 1.0,
                                                                              "mass": 1.0},
                   "b": {"kind": "rod", "length": 1.0, "mass": 3.0}},
             constraint={"h": {"kind": "hinge", "between": ("pin", "a.tail")},
                         "k": {"kind": "hinge", "between": ("a.head", "b.tail")}},
             start={"a": {"angle": 0.3}, "b": {"angle": -0.4, "angular_velocity": 2.0}})],
    ids=["crank", "rocker", "projected", "slider", "piston", "rod", "double"])
def test_every_formulation_starts_in_the_same_state(scene: gr.Scene) -> None:
    """One computation: positions, angles and velocities agree to rounding of 1e-12, those left out too."""
    expected = coordinates(scene, JOINTED[0])
    for way in JOINTED[1:]:
        assert coordinates(scene, way) == pytest.approx(expected, rel=0, abs=1e-12), way


def test_velocities_left_out_have_the_least_energy() -> None:
    """Kelvin: of all motions with ω_b given, T is least; for two rods ω_a follows from dT/dω_a = 0 by hand."""
    scene = gr.Scene(
        body={"pin": {"kind": "fixed-point", "position": (0.0, 0.0)}, "a": {"kind": "rod", "length": 1.0, "mass": 1.0},
              "b": {"kind": "rod", "length": 1.0, "mass": 3.0}},
        constraint={"h": {"kind": "hinge", "between": ("pin", "a.tail")},
                    "k": {"kind": "hinge", "between": ("a.head", "b.tail")}},
        start={"a": {"angle": 0.3}, "b": {"angle": -0.4, "angular_velocity": 2.0}})
    # T = ½(m_a l²/3 + m_b l²) ω_a² + ½ m_b l² cos(φ_a - φ_b) ω_a ω_b + ..., so ω_a = -½ m_b cos / (m_a/3 + m_b) ω_b
    expected = -0.5 * 3.0 * math.cos(0.7) / (1.0 / 3.0 + 3.0) * 2.0
    for way in JOINTED:
        assert coordinates(scene, way)["a.angle_dot"] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("way", JOINTED)
def test_project_start_holds_a_given_crank_angle(way: str) -> None:
    """80° stays 80°, though the positions that are given beside it are 3 cm off."""
    crank = math.radians(80.0)
    at = coordinates(four_bar({"crank": {"angle": crank}}), way)
    start = {"crank": {"angle": crank, "position": (at["crank.x"] + 0.03, at["crank.y"])}}
    with pytest.raises(gr.SceneError) as caught:
        gr.derive(four_bar(start), way)
    says(caught.value.problems[0].finding, "start.crank.position", "start.crank.angle = 1.39626")
    found = coordinates(four_bar(start, project_start=True), way)
    assert found["crank.angle"] == crank
    assert found["crank.x"] == pytest.approx(0.5 * math.cos(crank), abs=ROUNDING)


@pytest.mark.parametrize("way", JOINTED)
@pytest.mark.parametrize("project", [False, True])
def test_given_angles_that_cannot_be_are_named(way: str, project: bool) -> None:
    """Crank at 80° and rocker at 10°: the coupler is too long or short by a distance that the message gives."""
    crank, rocker = math.radians(80.0), math.radians(10.0)
    with refused(gr.SceneError, "start.crank.angle = 1.39626", "start.rocker.angle = 0.174533") as caught:
        gr.derive(four_bar({"crank": {"angle": crank}, "rocker": {"angle": rocker}}, project_start=project), way)
    # least squares share the gap between the two hinges of the coupler and whatever else may move
    x, y = D + C * math.cos(rocker) - A * math.cos(crank), C * math.sin(rocker) - A * math.sin(crank)
    gap = abs(math.hypot(x, y) - B)
    total = sum(float(re.findall(r"(\S+) m\b", problem.finding)[0]) for problem in caught.value.problems)
    assert total == pytest.approx(gap, rel=5e-3)


def test_contradicting_assembly_and_wrong_use_are_named() -> None:
    coupler, rocker = freudenstein(1.0, "open")
    start = {"crank": {"angle": 1.0}, "coupler": {"angle": coupler}, "rocker": {"angle": rocker}}
    with refused(gr.SceneError, "constraint.B.assembly", 'assembly = "crossed"'):
        gr.derive(four_bar(start, assembly="crossed"))
    lone = gr.Scene(body={"pin": {"kind": "fixed-point", "position": (0.0, 0.0)},
                          "rod": {"kind": "rod", "length": 1.0, "mass": 1.0}},
                    constraint={"h": {"kind": "hinge", "between": ("pin", "rod.tail"), "assembly": "open"}})
    with refused(gr.SceneError, "constraint.h.assembly"):
        gr.derive(lone)
    with refused(gr.SceneError, "start.rod", "guess", '"angle"'):
        gr.Scene(body=lone.body, start={"rod": {"guess": ["angle"]}})


def test_a_massless_tracer_does_not_change_the_start() -> None:
    """A massless point on the coupler: bodies and joints are assembled as without it, in all formulations for it."""
    plain = four_bar({"crank": {"angle": 1.0}}, assembly="crossed")
    traced = gr.Scene(**{**{key: getattr(plain, key) for key in ("start", "load")},
                         "body": {**plain.body, "tracer": {"kind": "massless-point"}},
                         "constraint": {**plain.constraint,
                                        "pen": {"kind": "ball-joint", "between": ("coupler.head", "tracer")}}})
    expected = coordinates(plain, "newton-euler")
    for way in ("fundamental", "lagrange", "gibbs-appell", "virtual-work"):
        found = coordinates(traced, way)
        for name, value in expected.items():
            assert found[name] == pytest.approx(value, abs=1e-11), (way, name)
        assert found["tracer.x"] == pytest.approx(D + C * math.cos(found["rocker.angle"]), abs=1e-11)


@pytest.mark.parametrize("assembly", ["open", "crossed"])
def test_loops_close_among_grains(assembly: str) -> None:
    """A four-bar of clumps among grains, above a floor: its first frame is as Freudenstein says."""
    plain = four_bar({"crank": {"angle": 1.0}}, assembly=assembly)
    bars = {name: {"kind": "clump", "material": "steel",
                   "points": {"tail": (-length / 2, 0.0), "head": (length / 2, 0.0)},
                   "disks": [{"centre": (-length / 4, 0.0), "radius": 0.05},
                             {"centre": (length / 4, 0.0), "radius": 0.05}]}
            for name, length in (("crank", A), ("coupler", B), ("rocker", C))}
    scene = gr.Scene(
        body={"left": plain.body["left"], "right": plain.body["right"], **bars}, start=plain.start,
        constraint=plain.constraint, load=plain.load, material={"steel": {"density": 7800.0}},
        boundary={"floor": {"kind": "plane", "position": (0.0, -5.0), "normal": (0.0, 1.0)}})
    run = gr.simulate(scene, until=1e-3, interval=1e-3, progress=False)
    for name, angle in zip(("crank", "coupler", "rocker"), (1.0, *freudenstein(1.0, assembly)), strict=True):
        assert run.angle(name)[0] == pytest.approx(angle, abs=1e-9)


def test_links_follow_too() -> None:
    """The velocity of the second bob of a double pendulum is left out: it follows, by arrays and by formulas."""
    scene = gr.Scene(
        body={"pivot": {"kind": "fixed-point", "position": (0.0, 0.0)}, "a": {"kind": "point-mass", "mass": 1.0},
              "b": {"kind": "point-mass", "mass": 2.0}},
        link={"upper": {"between": ("pivot", "a")}, "lower": {"between": ("a", "b")}},
        start={"a": {"position": (1.0, 0.0), "velocity": (0.0, 2.0)}, "b": {"position": (1.0, -1.0)}})
    for way in ("newton-euler", "lagrange", "scalar", "fundamental", "gibbs-appell"):
        run = gr.simulate(scene, until=0.01, interval=0.01, formulation=way, progress=False)
        # the lower link is upright: its rate asks v_b,y = v_a,y, and v_b,x = 0 costs no energy
        np.testing.assert_allclose(run.velocity("b")[0], [0.0, 2.0], rtol=0, atol=1e-12)


CONTRADICTING = """title = "Four-bar"
[body.left]
kind = "fixed-point"
position = [0.0, 0.0]
[body.rod]
kind = "rod"
length = 1.0
mass = 1.0
[constraint.pin]
kind = "hinge"
between = ["left", "rod.tail"]
[start.rod]
angle = 0.0
velocity = [1.0, 0.0]
"""


@pytest.mark.parametrize("act", [gr.simulate, gr.derive, gr.check])
@pytest.mark.parametrize("way", ["newton-euler", "fundamental"])
def test_start_errors_carry_file_and_line(act: Any, way: str, tmp_path: Path) -> None:
    """The velocity along a rod that a pin holds contradicts the pin, in line 9 of the file."""
    (tmp_path / "scene.toml").write_text(CONTRADICTING)
    scene = gr.load(tmp_path / "scene.toml").with_run(formulation=way)
    with refused(gr.SceneError, "scene.toml:9 constraint.pin", "start.rod.velocity = [1, 0]"):
        act(scene)


GRAVITY = {"g": {"kind": "gravity", "acceleration": (0.0, 0.0, -9.81)}}
MIXED: dict[str, dict[str, Any]] = {
    "links": {"body": {"o": {"kind": "fixed-point", "position": (0.0, 0.0, 0.0)},
                       "a": {"kind": "point-mass", "mass": 1.0}},
              "start": {"a": {"position": (1.0, 0.0)}}, "link": {"l": {"between": ("o", "a")}}, "load": GRAVITY},
    "formulas": {"body": {"a": {"kind": "sphere", "radius": 0.1, "mass": 1.0},
                          "o": {"kind": "fixed-point", "position": (0.0, 0.0, 0.0)}},
                 "start": {"a": {"position": (1.0, 0.0)}}, "load": GRAVITY, "run": {"formulation": "fundamental"}},
    "mechanism": {"body": {"a": {"kind": "sphere", "radius": 0.1, "mass": 1.0},
                           "o": {"kind": "fixed-point", "position": (0.0, 0.0, 0.0)}},
                  "start": {"a": {"position": (1.0, 0.0)}}, "load": GRAVITY},
    "grains": {"body": {"a": {"kind": "sphere", "radius": 0.1, "mass": 1.0}}, "material": {"m": {}},
               "boundary": {"floor": {"kind": "plane", "position": (0.0, 0.0, 0.0), "normal": (0.0, 0.0, 1.0)}},
               "start": {"a": {"position": (1.0, 0.5)}}, "load": GRAVITY}}


@pytest.mark.parametrize("family", MIXED)
def test_the_vector_that_is_wrong_is_blamed(family: str) -> None:
    """One position of two components among vectors of three: every family says 3-D, and that the position is wrong."""
    scene = gr.Scene(**MIXED[family])
    assert scene.dimension == 3
    with refused(gr.SceneError, "start.a", "2 components", "3-D"):
        gr.simulate(scene, until=0.01, progress=False)


def test_messages_use_words_of_users() -> None:
    with refused(gr.SceneError, 'kind = "massless-point"'):
        gr.Scene(body={"a": {"kind": "point-mass", "mass": 0.0}})
    with refused(gr.SceneError, "run.corrections", "'position'"):
        gr.Scene(run={"corrections": "position"})
    with refused(gr.SceneError, "boundary.tube.ends", "1 entry", "2"):
        gr.Scene(boundary={"tube": {"kind": "cylinder", "ends": [[0, 0, 0]], "radius": 1.0}})


PIN: dict[str, Any] = {"kind": "fixed-point", "position": (0.0, 0.0)}
ROD: dict[str, Any] = {"kind": "rod", "length": 1.0, "mass": 1.0}
FIXED_STARTS: dict[str, dict[str, Any]] = {
    "links": {"body": {"o": PIN, "b": {"kind": "point-mass", "mass": 1.0}}, "link": {"l": {"between": ("o", "b")}}},
    "mechanism": {"body": {"o": PIN, "b": ROD}, "constraint": {"h": {"kind": "hinge", "between": ("o", "b.tail")}}},
    "formulas": {"body": {"o": PIN, "b": ROD}, "constraint": {"h": {"kind": "hinge", "between": ("o", "b.tail")}},
                 "run": {"formulation": "fundamental"}},
    "grains": {"body": {"o": PIN, "b": ROD}, "constraint": {"h": {"kind": "hinge", "between": ("o", "b.tail")}},
               "material": {"m": {}},
               "boundary": {"floor": {"kind": "plane", "position": (0.0, -5.0), "normal": (0.0, 1.0)}}}}


@pytest.mark.parametrize("start", [{"position": (1.0, 1.0)}, {"velocity": (1.0, 0.0)}, {"angle": 1.0}])
@pytest.mark.parametrize("family", FIXED_STARTS)
def test_a_start_of_a_fixed_point_is_refused(family: str, start: dict[str, Any]) -> None:
    """Every kind of scene says that a fixed point does not start anywhere else."""
    scene = gr.Scene(**FIXED_STARTS[family], start={"o": start, "b": {"position": (0.5, 0.0)}})
    with refused(gr.SceneError, "start.o", "fixed point", "[body.o]"):
        gr.simulate(scene, until=0.01, progress=False)


def test_spin_beside_an_angular_velocity() -> None:
    """Both given are refused; with a guessed angular velocity the spin holds: n·ω is what it says."""
    scene = gr.example("rolling-shell")
    start = {"contact": (-1.5, -0.75), "spin": 2.0, "angular_velocity": (1.0, 0.0, 0.0)}
    parts = {**{key: getattr(scene, key) for key in ("body", "constraint", "load", "run")},
             "surface": {"bowl": {"equation": "Z - 0.03*(X**2 + Y**2)"}}}
    with refused(gr.SceneError, "start.shell", "spin", "angular_velocity"):
        gr.Scene(**parts, start={"shell": start})
    run = gr.simulate(gr.Scene(**parts, start={"shell": {**start, "guess": ["angular_velocity"]}}), until=1e-3,
                      interval=1e-3, progress=False)
    normal = np.array([0.06 * 1.5, 0.06 * 0.75, 1.0])
    spin = run.value("angular_velocity", "shell", 0) @ normal / np.linalg.norm(normal)
    assert spin == pytest.approx(2.0, abs=1e-9)


def test_thin_rods_are_named_once_as_the_cause() -> None:
    """Four thin arms on a shaft that rotates: one message about the rods, none about the joints they violate."""
    def governor(**rod: Any) -> gr.Scene:
        arms = {f"arm-{k}": {"kind": "rod", "length": 0.5, "mass": 1.0, **rod} for k in range(4)}
        return gr.Scene(
            body={"o": {"kind": "fixed-point", "position": (0.0, 0.0, 0.0)},
                  "shaft": {"kind": "block", "size": (0.05, 0.05, 0.5), "mass": 1.0}, **arms},
            constraint={"bearing": {"kind": "hinge", "between": ("o", "shaft"), "axis": (0.0, 0.0, 1.0)},
                        **{f"pin-{name}": {"kind": "hinge", "between": ("shaft", f"{name}.tail"),
                                           "axis": (0.0, 1.0, 0.0)} for name in arms}},
            start={"shaft": {"angular_velocity": (0.0, 0.0, 5.0)},
                   **{name: {"orientation": (math.cos(0.3), 0.0, math.sin(0.3), 0.0)} for name in arms}})

    with refused(gr.SceneError, "body.arm-0", "arm-3", "radius") as caught:
        gr.check(governor())
    assert len(caught.value.problems) == 1
    assert gr.check(governor(radius=0.01)).degrees_of_freedom == 5
