"""Rigid clusters of contacts: grains whose answer is known, probes over runs, and pictures of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_rgba

import granum as gr
from grain_scenes import G, grain, gravity, scene
from granum.grains.measuring import network
from granum.grains.measuring.rigidity import contact_rigidity, sticking
from granum.run import grains
from granum.topology.rank import Bars, rank_rigidity
from granum.view.plots.rigidity import _LOOSE, _THICK, _THIN, draw_bonds
from messages import refused, says

GROOVE = np.array([[0.6, 0.8], [-0.6, 0.8]])
CORNER = np.eye(3)
WALLS = np.array([[0, -1], [0, -2], [0, -3]], dtype=np.int32)


def held(normal: np.ndarray, sticks: bool) -> tuple[int, int, int]:
    """One grain of radius 1 that walls hold: floppy modes, redundant rows, grains of the largest cluster."""
    d = normal.shape[1]
    found = contact_rigidity(np.zeros((1, d)), np.ones(1), WALLS[: len(normal)], normal,
                             np.full(len(normal), sticks))
    return found.freedoms, int(found.redundant.sum()), found.largest


@pytest.mark.parametrize(("normal", "sticks", "expected"), [
    (GROOVE, False, (0, 0, 1)), (GROOVE, True, (0, 1, 1)), (GROOVE[:1], False, (1, 0, 0)),
    (GROOVE[:1], True, (1, 0, 0)), (CORNER, False, (0, 0, 1)), (CORNER, True, (0, 3, 1)),
    (CORNER[:2], False, (1, 0, 0)), (CORNER[:2], True, (1, 1, 0)), (CORNER[:1], True, (3, 0, 0))])
def test_a_grain_between_walls(normal, sticks, expected):
    """In a groove, in a corner, on a floor: a ball that sticks to two walls turns about the line of contacts."""
    assert held(normal, sticks) == expected


def test_three_disks_hold_each_other():
    """A triangle of disks that stick has 6 rows and 9 freedoms: isostatic; a fourth on top of two makes 10 of 12."""
    place = np.array([[0.0, 0.0], [2.0, 0.0], [1.0, 3.0**0.5], [3.0, 3.0**0.5]])
    pair = np.array([[0, 1], [1, 2], [2, 0], [1, 3], [2, 3]], dtype=np.int32)
    normal = (place[pair[:, 1]] - place[pair[:, 0]]) / 2.0
    three = contact_rigidity(place[:3], np.ones(3), pair[:3], normal[:3], np.ones(3, bool))
    assert (three.freedoms, three.largest, three.redundant.sum(), three.isostatic[0]) == (3, 3, 0, True)
    four = contact_rigidity(place, np.ones(4), pair, normal, np.ones(5, bool))
    assert (four.freedoms, four.largest, four.redundant.sum(), four.overdetermined[0]) == (3, 4, 1, True)
    smooth = contact_rigidity(place, np.ones(4), pair, normal, np.zeros(5, bool))
    assert (smooth.freedoms, smooth.largest, smooth.redundant.sum()) == (3, 4, 0)


def test_which_contacts_stick():
    """By the coefficient of the two materials; a boundary without one has that of the grain."""
    friction = np.array([[0.5, 0.2], [0.2, 0.1]])
    pair = np.array([[0, 1], [0, 1], [1, -1], [1, -2]], dtype=np.int32)
    normal = np.tile([0.0, 1.0, 0.0], (4, 1))
    force = np.array([[0.19, 1.0, 0.0], [0.2, 1.0, 0.0], [0.15, 1.0, 0.0], [0.0, 1.0, -0.15]])
    found = sticking(pair, normal, force, np.array([0, 1], np.int32), np.array([-1, 0]), friction)
    assert found.tolist() == [True, False, False, True]


def settling(friction: float, **probe: Any) -> gr.Scene:
    """Disks that settle in a box."""
    return gr.Scene(
        material={"sand": {"friction": friction, "restitution": 0.2, "density": 2500.0}},
        boundary={"box": {"kind": "box", "lower": [0.0, 0.0], "upper": [0.2, 1.0], "open": ["+y"]}},
        load={"gravity": gravity(0.0, -G)}, run={"until": 1.2, "interval": 0.1},
        pattern={"sand": {"kind": "grains", "count": 60, "radius": [0.008, 0.012],
                          "region": {"kind": "box", "lower": [0.0, 0.0], "upper": [0.2, 0.4]}}},
        probe={"hard": {"kind": "rigidity", **probe}})


@pytest.mark.parametrize("friction", [0.0, 0.5])
def test_sand_hardens(friction, tmp_path):
    """From free flight to one cluster that the box holds; every frame says the same from its record."""
    run = gr.simulate(settling(friction), output=tmp_path / "run.h5")
    probe = run.rigidity_probe("hard")
    for index in range(len(run.t)):
        found = run.rigidity(index)
        assert probe["largest"][index] == found.largest and probe["floppy_modes"][index] == found.freedoms
        assert probe["redundant"][index] == found.redundant.sum()
    # before anything touches: two freedoms each
    assert probe["floppy_modes"][0] == 120 and probe["largest"][0] == 0
    last = run.rigidity()
    # grains with too few contacts to be fixed by them, whatever gravity holds down
    loose = int(np.count_nonzero(network.rattlers(run.frame().pair, 60, 2 if friction else 3)))
    assert last.holds_ground(0) and last.largest >= 60 - 2 * loose - 2 and last.freedoms <= 3 * (2 * loose + 2)
    assert run.summary["rigidity"]["hard"]["largest"] == last.largest
    # rows, freedoms and what is too many make the count
    shown = run.frame()
    turning = len(np.unique(shown.pair[shown.sticks][shown.pair[shown.sticks] >= 0]))
    rows = len(shown.pair) + np.count_nonzero(shown.sticks)
    assert last.freedoms - last.redundant.sum() == 120 + turning - rows
    drawn = tmp_path / "run.png"
    run.plot.rigidity(file=drawn)
    assert drawn.stat().st_size > 10_000


@pytest.mark.parametrize("friction", [0.0, 0.2, 0.5])
def test_settled_disks_by_rank(friction):
    """Disks that fell as they liked are at generic places: the count is that of rank, cluster by cluster.

    But for smooth ones that are free to slide on one flat floor together: only places tell that they do not turn. Some
    frames have such ones, the others do not.
    """
    run, alike = gr.simulate(settling(friction)), 0
    for index in (3, 6, 9, -1):
        shown, found = run.frame(index), run.rigidity(index)
        pair = np.where(shown.pair < 0, len(shown.radii), shown.pair).astype(np.int64)
        turning = np.isin(np.arange(len(shown.radii)), pair[shown.sticks])
        sign = np.where(shown.pair[:, 1] < 0, -1.0, 1.0)[:, None]
        place = shown.positions[pair[:, 0]] + sign * shown.radii[pair[:, 0], None] * shown.normal
        across = np.column_stack([-shown.normal[:, 1], shown.normal[:, 0]])
        bond = np.concatenate([np.arange(len(pair)), np.flatnonzero(shown.sticks)])
        bars = Bars(bond, np.concatenate([shown.normal, across[shown.sticks]]), place[bond])
        true = rank_rigidity(shown.positions, np.where(turning, 3, 2), pair, bars)
        assert found.freedoms == true.freedoms and np.array_equal(found.stressed, true.stressed)
        alike += np.array_equal(found.sizes, true.sizes)
    assert alike == 4 if friction else alike >= 2


def test_a_region_has_its_own_count():
    """Of the grains in it alone, held by what of the boundary they touch."""
    region = {"kind": "half-space", "position": [0.0, 0.05], "normal": [0.0, -1.0]}
    run = gr.simulate(settling(0.5, region=region))
    below = np.count_nonzero(run.frame().positions[:, 1] <= 0.05)
    assert 0 < run.rigidity_probe("hard")["largest"][-1] <= below < 60
    with refused(gr.GranumError, '"soft"'):
        run.rigidity_probe("soft")
    ball = {"kind": "round", "centre": [0.0, 0.0, 0.0], "radius": 1.0}
    with refused(gr.SceneError, "probe.hard.region.centre", "3 components"):
        gr.simulate(settling(0.5, region=ball))


def test_a_network_that_is_not_recorded(monkeypatch):
    """A run too large to record its contacts still has its probe, and says why it has no clusters of a frame."""
    monkeypatch.setattr(grains, "NETWORK_NUMBERS", 0)
    run = gr.simulate(settling(0.5).with_run(until=0.3))
    assert run.rigidity_probe("hard")["floppy_modes"][0] == 120 and len(run.frame().pair) == 0
    with refused(gr.GranumError):
        run.rigidity()


def test_balls_in_space():
    """Two balls in a corner: by rank."""
    floor = {f"wall-{k}": {"kind": "plane", "position": [0.0] * 3, "normal": np.eye(3)[k].tolist()} for k in range(3)}
    given = scene({"a": grain((0.1, 0.1, 0.1)), "b": grain((0.3, 0.1, 0.1))}, down=(-1.0, -1.0, -1.0), boundary=floor,
                  material={"friction": 0.0, "restitution": 0.0}, run={"until": 0.2, "interval": 0.1},
                  probe={"hard": {"kind": "rigidity"}})
    probe = gr.simulate(given).rigidity_probe("hard")
    # six rows and six freedoms
    assert [probe[key][-1] for key in ("largest", "redundant", "floppy_modes")] == [2, 0, 0]


def test_too_many_balls_for_a_probe_are_refused():
    region = {"kind": "box", "lower": [0.0] * 3, "upper": [1.0] * 3}
    many = gr.Scene(material={"sand": {"density": 2500.0, "friction": 0.3}}, load={"gravity": gravity(0.0, 0.0, -G)},
                    pattern={"sand": {"kind": "grains", "count": 501, "radius": 0.01, "region": region}},
                    probe={"hard": {"kind": "rigidity"}}, run={"until": 0.1})
    with refused(gr.SceneError, "probe.hard", "501 grains", "3-D", "500"):
        gr.simulate(many)


def test_bonds_are_drawn_as_they_are():
    """A square with both diagonals and a tail: six thick lines of one colour, a thin grey one."""
    place = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [2.0, 0.0]])
    pair = np.array([(0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (1, 3), (1, 4)])
    axis = plt.figure().add_subplot()
    draw_bonds(axis, gr.topology.pebble_game(np.full(5, 2), pair), place[pair[:, 0]], place[pair[:, 1]])
    lines = axis.collections[0]
    assert list(lines.get_linewidths()) == [_THICK] * 6 + [_THIN]
    colours = {tuple(colour) for colour in lines.get_colors()}
    assert len(colours) == 2 and tuple(lines.get_colors()[-1]) == to_rgba(_LOOSE)
    plt.close()


def test_links_are_drawn_too(tmp_path: Path):
    """A triangle that hangs by a link, in the plane; a tripod in space."""
    triangle = {name: gr.PointMass(mass=1.0) for name in "abc"} | {"top": gr.FixedPoint(position=(0.0, 2.0))}
    places = {"a": (0.0, 1.0), "b": (-0.5, 0.0), "c": (0.5, 0.0)}
    ends = [("a", "b"), ("b", "c"), ("c", "a"), ("top", "a")]
    hung = gr.Scene(body=triangle, start={name: gr.Start(position=at) for name, at in places.items()},
                    link={"-".join(two): gr.Link(between=two) for two in ends}, run={"until": 0.1},
                    load={"gravity": gr.Gravity(acceleration=(0.0, -G))})
    said = gr.check(hung)
    assert said.rigid is not None and said.rigid.clusters == 1 and said.rigid.floppy_modes == 2
    assert said.rigid.largest[0].some == ("a", "b", "c") and said.rigid.largest[0].state == "isostatic"
    gr.simulate(hung).plot.rigidity(file=tmp_path / "hung.png")
    assert (tmp_path / "hung.png").stat().st_size > 5_000
    feet = {f"foot-{k}": gr.FixedPoint(position=(np.cos(2.0 * k), np.sin(2.0 * k), 0.0)) for k in range(3)}
    tripod = gr.Scene(body=feet | {"top": gr.PointMass(mass=1.0)}, start={"top": gr.Start(position=(0.1, 0.0, 1.0))},
                      link={f"leg-{k}": gr.Link(between=(f"foot-{k}", "top")) for k in range(3)}, run={"until": 0.1},
                      load={"gravity": gr.Gravity(acceleration=(0.0, 0.0, -G))})
    said = gr.check(tripod)
    assert said.rigid is not None and said.rigid.largest[0].fixed and said.rigid.floppy_modes == 0
    (cluster,) = (line for line in said.summary_lines() if "cluster" in line)
    says(cluster, "ground")
    gr.simulate(tripod).plot.rigidity(file=tmp_path / "tripod.png")
    assert (tmp_path / "tripod.png").stat().st_size > 5_000
