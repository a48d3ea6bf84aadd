"""Verdicts on flows: arches of known shape, what is asked before a flow counts as jammed, and what is kept."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
import pytest

from granum.base.kernels import Floats
from granum.grains.measuring.arch import Opening, find_arch, wall_forces
from granum.grains.measuring.jam import Jam, Sample, Verdict, as_row, from_row
from granum.grains.search.neighbour_list import Contacts

R = 0.5
ALONG_X = Opening(np.zeros(3), np.array([1.0, 0.0, 0.0]), 2)
# three grains from wall to wall upstream of the opening, one loose behind them, one downstream that touches one wall
X = np.array([[-2.6, -0.8, 0.0], [-2.0, 0.0, 0.0], [-2.6, 0.8, 0.0], [-4.6, 0.0, 0.0], [1.0, 0.0, 0.0]])
PAIRS = np.array([[0, 1], [1, 2], [0, -1], [2, -2], [4, -1]], dtype=np.int32)
NORMALS = np.array([[0.6, 0.8, 0.0], [-0.6, 0.8, 0.0], [0.0, 1.0, 0.0], [0.0, -1.0, 0.0], [0.0, 1.0, 0.0]])
# on the second grain of a pair, on the grain at a wall
FORCES = np.array([[-0.6, -0.8, 0.0], [-0.6, 0.8, 0.0], [-0.9, 0.8, 0.0], [-0.6, -0.8, 0.0], [0.0, 9.0, 0.0]])


@dataclass
class Flow:
    """A watch and what it is shown."""

    jam: Jam = field(default_factory=lambda: Jam("jam", ALONG_X, 2.0, 1e-3, 1.0, batch=3))
    positions: Floats = field(default_factory=lambda: X)
    speeds: Floats = field(default_factory=lambda: np.zeros(len(X)))
    wall: float = np.inf
    """Where a boundary crosses the axis [m]."""
    carried: float = 0.0
    """All components of the velocity with which boundary and grains move together [m/s]."""
    contacts: Contacts = field(default_factory=lambda: Contacts(PAIRS, NORMALS, FORCES))

    def at(self, t: float, passed: float, entered: float = 0.0, back: bool = False) -> Verdict:
        """The verdict at a time."""
        count = len(self.positions)
        velocities = np.outer(self.speeds[:count], [0.0, 1.0, 0.0]) + self.carried
        return self.jam.sample(Sample(t, passed, entered, self.positions, velocities, self.positions,
                                      np.full(count, R), np.arange(count), lambda: self.contacts,
                                      lambda x: np.abs(x[:, 0] - self.wall),
                                      lambda _, points: np.full((len(points), 3), self.carried)), back)


def test_a_jam_has_its_evidence() -> None:
    flow = Flow()
    verdicts = [flow.at(t, passed).verdict for t, passed in [(0.0, 0), (1.0, 3), (2.5, 5), (4.4, 5)]]
    assert verdicts == ["flowing"] * 4
    assert flow.at(4.45, 4).verdict == "flowing"  # one came back: that is no passage
    assert flow.at(4.48, 5).verdict == "flowing"
    found = flow.at(4.5, 5)
    assert (found.verdict, found.begin, found.t, found.without_passage) == ("jammed", 4.5, 4.5, 2.0)
    assert (found.upstream, found.fastest, found.driving_speed, found.arch) == (4, 0.0, 1.0, 3)
    assert found.position == pytest.approx([-2.4, 0.0])
    # what the walls upstream do, the lower one first; the grain downstream does not count
    assert found.wall_forces == pytest.approx(np.array([[-0.9, 0.8], [-0.6, -0.8]]))
    # upstream of x = -2.4: the loose grain and parts of the three, in a box from -5.1 to -2.4 by -1.3 to 1.3
    cut = np.arccos(0.2 / 0.5) * 0.25 - 0.2 * np.sqrt(0.25 - 0.04)  # segment of a disk beyond 0.2 from its centre
    most = 2.0 * (0.25 * np.pi - cut)
    least = np.arccos(0.4 / 0.5) * 0.25 - 0.4 * np.sqrt(0.25 - 0.16)
    assert found.density == pytest.approx((0.25 * np.pi + most + least) / (2.7 * 2.6), rel=1e-12)


@pytest.mark.parametrize(("change", "verdict"), [
    ({"speeds": np.array([0.0, 0.0, 2e-3, 0.0, 0.0])}, "waiting"),  # one of them moves at twice what counts as rest
    ({"speeds": np.array([0.0, 0.0, 0.0, 0.9, 0.0])}, "jammed"),  # what moves presses on nothing: the next bin
    ({"carried": 0.2}, "jammed"),  # all move with the boundary
    ({"carried": 0.2, "speeds": np.array([0.0, 0.0, 2e-3, 0.0, 0.0])}, "waiting"),
    ({"speeds": np.array([0.0, 0.0, 0.0, 0.0, 0.9])}, "jammed"),  # what moves is downstream
    ({"contacts": Contacts(PAIRS[1:], NORMALS[1:], FORCES[1:])}, "drained"),  # a contact is missing
    ({"contacts": Contacts(PAIRS[[0, 1, 2, 4]], NORMALS[[0, 1, 2, 4]], FORCES[[0, 1, 2, 4]])}, "drained"),  # one wall
    ({"contacts": Contacts(PAIRS, NORMALS, FORCES * np.array([[1.0], [1e-6], [1.0], [1.0], [1.0]]))}, "drained"),
    ({"wall": -1.63}, "closed"), ({"wall": 0.0}, "closed"), ({"wall": -2.6}, "jammed"), ({"wall": 0.2}, "jammed"),
    ({"positions": X + 6.0 * np.eye(3)[0]}, "drained"),  # all have passed
    ({"positions": np.zeros((0, 3)), "contacts": Contacts(PAIRS[:0], NORMALS[:0], FORCES[:0])}, "drained"),
])
def test_a_jam_needs_rest_and_an_arch_that_carries(change: dict[str, object], verdict: str) -> None:
    flow = Flow(**change)  # type: ignore[arg-type]
    assert [flow.at(t, 1).verdict for t in (0.0, 1.0, 1.7, 1.9)] == ["flowing"] * 4
    assert flow.at(2.0, 1).verdict == verdict


def test_grains_that_stand_still_for_an_instant_are_not_at_rest() -> None:
    flow = Flow(speeds=np.full(len(X), 0.5))
    flow.at(0.0, 0)
    for t, speed, verdict in [(2.5, 0.0, "waiting"), (2.6, 0.5, "waiting"), (2.7, 0.0, "waiting"),
                              (2.8, 0.0, "waiting"), (2.95, 0.0, "jammed"),
                              # nor do those that rest move when one sample sees them move; a tenth of two seconds does
                              (3.0, 0.5, "jammed"), (3.05, 0.0, "jammed"), (3.1, 0.5, "jammed"), (3.2, 0.5, "jammed"),
                              (3.25, 0.5, "waiting"), (3.3, 0.0, "waiting")]:
        flow.speeds = np.full(len(X), speed)
        assert flow.at(t, 0).verdict == verdict


def test_inflow_beyond_discharge_is_an_overload() -> None:
    """Three enter in a batch every second, two or three pass; rates are means over two seconds."""
    flow = Flow(speeds=np.full(len(X), 0.5))
    # none passes for two seconds, then two each second: each window of two gains two
    found = [flow.at(float(t), max(0, 2 * (t - 2)), 3 * t) for t in range(12)]
    assert [one.verdict for one in found] == ["flowing", "flowing", "waiting", *["flowing"] * 9]
    # one each second: the gain of four in two seconds is more than a batch
    found += [flow.at(float(t), 18 + (t - 11), 3 * t) for t in range(12, 16)]
    assert [one.verdict for one in found[12:]] == ["flowing", "overloaded", "overloaded", "overloaded"]
    assert (found[-1].inflow, found[-1].discharge, found[-1].begin) == (3.0, 1.0, 13.0)
    history = flow.jam.history
    assert [(one.verdict, one.begin, one.t) for one in history[2:]] == [("flowing", 3.0, 12.0),
                                                                       ("overloaded", 13.0, 15.0)]


def test_an_overload_lasts_until_it_has_not_been_one_for_a_window() -> None:
    """Batches of four every 0.8 s; five pass each second. From 20 s to 40 s five more enter every 2 s.

    Two seconds contain two or three batches, 8 or 12 grains, and ten pass. With five more the number upstream grows by
    3 or 7, and 2 √10 = 6.3 may be chance: that is exceeded for a part of the time only. The overload is one, until a
    window after its last sign.
    """
    flow = Flow(Jam("jam", ALONG_X, 2.0, 1e-3, 1.0, batch=4), speeds=np.full(len(X), 0.5))
    times = np.round(np.arange(0.0, 60.0, 0.05), 10)
    passed = np.floor(5.0 * times)
    entered = 4.0 * np.floor(times / 0.8) + np.floor(2.5 * np.clip(times - 20.0, 0.0, 20.0))
    found = [flow.at(*row) for row in zip(times.tolist(), passed.tolist(), entered.tolist(), strict=True)]
    grows = 2.0 * np.array([one.inflow - one.discharge for one in found]) > 2.0 * math.sqrt(10.0)
    grows &= times > 2.2  # some had passed when the window began
    assert np.count_nonzero(np.diff(grows.astype(int)) == 1) >= 9
    assert [one.verdict for one in flow.jam.history] == ["flowing", "overloaded", "flowing"]
    begin, end = (one.begin for one in flow.jam.history[1:])
    assert begin == times[grows][0] and end == pytest.approx(times[grows][-1] + 2.0, abs=1e-9)


def test_nothing_passing_for_a_window_is_never_flowing() -> None:
    """Whatever moves upstream, and whatever enters."""
    rng = np.random.default_rng(3)
    for _ in range(3):
        flow, passed, entered, last = Flow(), 0.0, 0.0, 0.0
        for t in np.arange(0.0, 20.0, 0.04):
            flow.speeds = rng.choice([0.0, 0.5]) * rng.random(len(X))
            entered += float(rng.integers(0, 2))
            if rng.random() < 0.02:
                passed, last = passed + 1.0, t
            found = flow.at(float(t), passed, entered)
            assert found.verdict != "flowing" or t - last < 2.0


def test_backed_up_grains_that_move_are_an_overload_and_no_jam() -> None:
    flow = Flow(speeds=np.full(len(X), 0.5))
    flow.at(0.0, 0)
    found = flow.at(1.0, 2, 0.0, True)
    assert (found.verdict, found.backed_up) == ("overloaded", 1.0)
    # at rest behind an arch it is a jam, whether backed up or not
    flow.speeds = np.zeros(len(X))
    assert [flow.at(t, 2, 0.0, True).verdict for t in (2.0, 3.0)] == ["overloaded", "jammed"]
    assert flow.jam.history[-1].backed_up == 1.0


def test_gravity_drives_by_the_diameter() -> None:
    flow = Flow(Jam("jam", ALONG_X, 2.0, 1e-3, 0.0, gravity=10.0))
    assert flow.at(0.0, 0).driving_speed == pytest.approx(np.sqrt(10.0 * 2.0 * R))


def arch_of(x: Floats, pairs: list[list[int]], opening: Opening, floor: Floats) -> list[int] | None:
    """Bodies of the arch where all contacts carry the same; at the boundary the normals are those of `floor`."""
    pair = np.array(pairs, dtype=np.int32)
    branch = x[np.maximum(pair[:, 1], 0)] - x[pair[:, 0]]
    normal = np.where(pair[:, 1:] < 0, floor, branch / np.maximum(np.linalg.norm(branch, axis=1), 1e-30)[:, None])
    found = find_arch(opening, x, np.full(len(x), R), Contacts(pair, normal, normal), np.arange(len(x)))
    return None if found is None else found.bodies.tolist()


def test_the_arch_over_a_hole_in_a_floor() -> None:
    """Its feet stand on the floor, where normals have no part across the flow; it is not the packing above it."""
    down, up = Opening(np.array([0.0, -0.1, 0.0]), np.array([0.0, -1.0, 0.0]), 2), np.array([0.0, 1.0, 0.0])
    angle = np.radians([180.0, 135.0, 90.0, 45.0, 0.0])
    x = np.column_stack([1.4 * np.cos(angle), 0.5 + 1.4 * np.sin(angle), 0.0 * angle])
    x = np.concatenate([x, x + 2.0 * up])  # another one on top of it
    ring = [[k, k + 1] for k in (0, 1, 2, 3, 5, 6, 7, 8)]
    feet = [[0, -1], [4, -2]]
    assert arch_of(x, [*ring, *feet, [5, -3], [9, -4]], down, up) in ([0, 1, 2, 3, 4], [4, 3, 2, 1, 0])
    # without a contact in the lower one, the upper one is what bridges
    assert arch_of(x, [*ring[1:], *feet, [5, -3], [9, -4]], down, up) in ([5, 6, 7, 8, 9], [9, 8, 7, 6, 5])
    # grains side by side on the floor left of the hole bridge nothing
    beside = np.array([[-3.0, 0.5, 0.0], [-2.0, 0.5, 0.0], [2.0, 0.5, 0.0]])
    assert arch_of(beside, [[0, 1], [0, -1], [1, -1], [2, -2]], down, up) is None


def test_an_arch_counts_few_grains_near_the_opening() -> None:
    """Of two rows across a pipe the one downstream, though that upstream has a grain less."""
    near = np.column_stack([np.full(5, -1.0), np.arange(-2.0, 3.0), np.zeros(5)])
    far = np.column_stack([np.full(4, -9.0), np.arange(-1.5, 2.0), np.zeros(4)])
    x = np.concatenate([near, far])
    pairs = [[k, k + 1] for k in (0, 1, 2, 3, 5, 6, 7)] + [[0, -1], [4, -2], [5, -1], [8, -2]]
    pair = np.array(pairs, dtype=np.int32)
    normal = np.tile([0.0, 1.0, 0.0], (len(pair), 1))
    normal[[8, 10]] *= -1.0
    contacts = Contacts(pair, normal, normal)
    found = find_arch(ALONG_X, x, np.full(9, R), contacts, np.arange(9))
    assert found is not None and sorted(found.bodies.tolist()) == [0, 1, 2, 3, 4] and found.axis == 1
    # a plug: one grain that touches both sides is an arch by itself
    plug = Contacts(np.array([[0, -1], [0, -2]], dtype=np.int32), np.array([[0.0, 1.0, 0.0], [0.0, -1.0, 0.0]]),
                    np.array([[-1.0, 1.0, 0.0], [-1.0, -1.0, 0.0]]))
    at = np.array([[-1.0, 0.0, 0.0]])
    alone = find_arch(ALONG_X, at, np.array([R]), plug, np.arange(1))
    assert alone is not None and alone.bodies.tolist() == [0]
    assert wall_forces(ALONG_X, 1, at, np.array([R]), plug).sum(axis=0) == pytest.approx([-2.0, 0.0, 0.0])


def test_in_space_a_dome_bridges_a_hole_and_a_ring_does_not() -> None:
    """Three spheres that touch each other over a hole, at any angle about it; eight around a wide one."""
    down, up = Opening(np.array([0.0, 0.0, -0.1]), np.array([0.0, 0.0, -1.0]), 3), np.array([0.0, 0.0, 1.0])
    for turn in np.linspace(0.0, 2.0, 9):
        angle = turn + np.radians([0.0, 120.0, 240.0])
        dome = np.column_stack([np.cos(angle), np.sin(angle), np.zeros(3)]) / np.sqrt(3.0) + 0.3 * up
        found = arch_of(dome, [[0, 1], [1, 2], [2, 0], [0, -1], [1, -1], [2, -1]], down, up)
        assert found is not None and 2 <= len(found) <= 3
        angle = turn + np.radians(45.0 * np.arange(8))
        ring = 0.5 / np.sin(np.pi / 8.0) * np.column_stack([np.cos(angle), np.sin(angle), np.zeros(8)]) + 0.5 * up
        pairs = [[k, (k + 1) % 8] for k in range(8)] + [[k, -1] for k in range(8)]
        assert arch_of(ring, pairs, down, up) is None
        # with two more that join it across the hole there is one
        beam = np.concatenate([ring, 0.4 * np.outer([-1.0, 1.0], ring[0] - 0.5 * up) + 0.5 * up])
        assert arch_of(beam, [*pairs, [0, 9], [9, 8], [8, 4]], down, up) in ([0, 9, 8, 4], [4, 8, 9, 0])


def test_parts_of_a_body_join_what_they_touch() -> None:
    """Two grains that are one body need no contact between them; it counts once."""
    pairs, normals, forces = (array[[0, 2, 3]] for array in (PAIRS, NORMALS, FORCES))
    owner = np.array([0, 1, 1, 2, 3])
    found = find_arch(ALONG_X, X, np.full(5, R), Contacts(pairs, normals, forces), owner)
    assert found is not None and sorted(found.bodies.tolist()) == [0, 1]


def test_evidence_survives_as_numbers() -> None:
    flow = Flow()
    for found in (flow.at(0.0, 1), flow.at(2.0, 1)):
        again = from_row(as_row(found), "jam", ALONG_X)
        assert again == found
        np.testing.assert_array_equal(as_row(again), as_row(found))


def test_a_watch_goes_on_after_a_resume() -> None:
    one, other = Flow(), Flow()
    one.at(0.0, 1)
    one.at(1.5, 2)
    other.jam.state[:] = one.jam.state
    other.jam.history = [from_row(as_row(found), "jam", ALONG_X) for found in one.jam.history]
    for t in (2.0, 3.4, 3.5):
        np.testing.assert_array_equal(as_row(one.at(t, 2)), as_row(other.at(t, 2)))
    assert [found.verdict for found in one.jam.history] == ["flowing", "jammed"]
    assert one.jam.history[-1].without_passage == 2.0
