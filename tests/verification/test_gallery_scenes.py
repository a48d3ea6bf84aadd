"""The thirteen scenes of the gallery: short, drawn in the docs, and right where something is known about them."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy.special import ellipk

import granum as gr
from granum.validation.bricard import motion_of_corner
from granum.validation.granular.common import connected

ROOT = Path(__file__).parents[2]
PARTS = {  # how long each is run here [s]; all run to their end in test_examples
    "pipe-jam": 12.0, "hopper": 0.2, "drum": 0.3, "cradle": 0.45, "rattleback": 2.0, "rolling-shell": 3.0,
    "falling-chain": 0.5, "four-bar": 0.5, "column": 0.2, "bricard": 2.0, "gate": 0.1, "crumbling": 0.03,
    "three-spheres": 0.19,
}
LENGTH, LIFT, PERIOD = 0.15, np.radians(40.0), 4.0 * np.sqrt(0.15 / 9.81) * ellipk(np.sin(np.radians(20.0)) ** 2)
"""Of the pendulums of the cradle: 4 √(l/g) K(sin θ/2)."""


@cache
def part(name: str) -> gr.Run:
    """The beginning of a scene."""
    return gr.simulate(gr.load(ROOT / "examples" / f"{name}.toml"), until=PARTS[name], interval=0.01 * PARTS[name])


@pytest.mark.parametrize("name", PARTS)
def test_a_scene_is_short_and_shown(name: str) -> None:
    """Fewer than 60 lines, a section with its picture and command, and a thumbnail that leads there."""
    assert len((ROOT / "examples" / f"{name}.toml").read_text().splitlines()) < 60
    page = (ROOT / "docs" / "gallery.md").read_text()
    assert f"(pictures/{name}.png)" in page and f"granum run examples/{name}.toml" in page
    link = re.search(rf"\[!\[[^\]]+\]\(pictures/small-{name}\.png\)\]\(#([a-z0-9-]+)\)", page)
    assert link is not None
    headings = [re.sub(r"[^a-z0-9 -]", "", line[3:].lower()).replace(" ", "-")
                for line in page.splitlines() if line.startswith("## ")]
    assert link[1] in headings
    assert 3_000 < (ROOT / "docs" / "pictures" / f"{name}.png").stat().st_size < 150_000
    assert (ROOT / "docs" / "pictures" / f"small-{name}.png").stat().st_size < 30_000


@pytest.mark.parametrize("name", PARTS)
def test_a_scene_keeps_its_ledger_and_its_constraints(name: str) -> None:
    """The energy error is below what a run warns of, and joints, links and contacts hold."""
    run = part(name)
    assert run.finished and len(run.t) > 50
    if run.has.grains:
        assert run.energy_error < 0.01  # contact problems are solved to a tolerance; from 1 % on a run warns
        assert run.figures["mean_overlap"].max() < 0.01
        assert not run.has.constraints or run.constraint_errors.distance.max() < 1e-4
    else:
        assert run.energy_error < 1e-10
        assert run.constraint_errors.relative.max() < 1e-9
    x = run.positions[..., 0]  # not a number where a grain is not there
    assert np.nanmax(np.nanmax(x, axis=0) - np.nanmin(x, axis=0)) > 0.0


def test_the_last_ball_of_the_cradle_takes_the_motion_over() -> None:
    """A quarter of a period to the impact, another for the last ball to the height of the first; others stay."""
    run = part("cradle")
    balls = np.array([run.position(f"ball-{k}") for k in range(1, 6)])
    height, top = balls[..., 2] + LENGTH, LENGTH * (1.0 - np.cos(LIFT))
    highest = int(height[4].argmax())
    assert height[0, 0] == pytest.approx(top, rel=1e-8)
    # the gap of 0.1 mm between balls makes each impact 0.1 ms late, and a thousandth of the speed stays behind
    assert height[4, highest] == pytest.approx(top, rel=2e-4)
    assert run.t[highest] == pytest.approx(PERIOD / 2.0, abs=5e-3)
    assert np.abs(height[:4, highest]).max() < 1e-5
    assert np.linalg.norm([run.velocity(f"ball-{k}")[highest] for k in range(1, 5)], axis=1).max() < 2e-3


def test_events_hand_the_speed_on_ball_by_ball() -> None:
    """The impacts of the cradle by themselves, each located: the last ball leaves with the first one's speed."""
    radius, speed, gap = 0.02, 0.83, 1e-4
    at = [(k * (2.0 * radius + gap), 0.0, 0.0) for k in range(5)]
    scene = gr.Scene(
        material={"steel": gr.Material(restitution=1.0, density=7800.0)},
        pattern={"ball": gr.Grains(shape="sphere", radius=radius, positions=at[1:])},
        body={"first": gr.Sphere(radius=radius, density=7800.0)},
        start={"first": gr.Start(position=(-0.02, 0.0, 0.0), velocity=(speed, 0.0, 0.0))},
        run=gr.RunSettings(until=0.1, solver="events", impact_law="sequence"))
    run = gr.simulate(scene)
    after = np.array([run.velocity(name)[-1, 0] for name in ("first", "ball-1", "ball-2", "ball-3", "ball-4")])
    assert after == pytest.approx([0.0, 0.0, 0.0, 0.0, speed], abs=1e-12)


def test_bricard_moves_as_its_one_freedom_does() -> None:
    """The corner opposite to the ground, beside one equation for one coordinate with the loop closed by formula."""
    run = part("bricard")
    head = np.array(run.scene.body["rod-3"].fixed_points()["head"])
    corner = run.position("rod-3") + rotated(run.orientation("rod-3"), head)
    # the benchmark has its vertical along y: the scene's x, y, z are its z, x, y
    assert np.abs(corner[:, [1, 2, 0]] - motion_of_corner(run.t)).max() < 1e-8


def rotated(quaternion: np.ndarray, v: np.ndarray) -> np.ndarray:
    """(frames, 3): a vector of the body in inertial axes."""
    w, u = quaternion[:, :1], quaternion[:, 1:]
    return v + 2.0 * np.cross(u, np.cross(u, v) + w * v)


def test_the_chain_stays_its_own_mirror_image() -> None:
    """Both halves are equal at the start, so joint k and joint 15 - k stay mirror images about x = 0.5 m."""
    run = part("falling-chain")
    joints = np.array([run.position(f"joint-{k}") for k in range(1, 15)])
    assert np.abs(joints[::-1] * (-1.0, 1.0) + (1.0, 0.0) - joints).max() < 1e-9
    assert joints[6, -1, 1] < joints[6, 0, 1] - 0.5


@pytest.mark.validate
def test_the_column_runs_out() -> None:
    """What the gallery says: half of the grains within 0.20 m, 95 % within 0.59 m.

    A collapse is chaotic, so that the outermost grain of the heap is no measure: over the seeds 0 to 6 it is at 0.61 to
    0.68 m. Over these seeds the two distances have standard deviations of 0.0052 m and 0.0100 m; the test allows three.
    """
    end = gr.simulate(gr.load(ROOT / "examples" / "column.toml")).frame()
    assert len(connected(end.positions, end.radii, 1e-3)) > 550  # one heap, and single grains that rolled ahead
    half, most = np.quantile(end.positions[:, 0] + end.radii, [0.5, 0.95])
    assert half == pytest.approx(0.201, abs=0.016)
    assert most == pytest.approx(0.593, abs=0.030)


def test_the_three_spheres_press_until_the_end() -> None:
    """Contacts carry no tension in this part, and the next hundredth of a second would open contact 3."""
    run = part("three-spheres")
    assert run.tensions.max() < 0.0
    longer = gr.simulate(run.scene, until=0.2, formulation="newton-euler", tolerance=1e-12)
    assert longer.reaction("contact-3").tension[-1] > 0.0
    until = gr.simulate(run.scene, until=0.19, formulation="newton-euler", tolerance=1e-12)
    assert run.positions[-1] == pytest.approx(until.positions[-1], abs=1e-9)
