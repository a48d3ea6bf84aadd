"""Patterns written out: counts, positions, lengths, names, in the plane and in space."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import granum as gr
from granum.assembly.points.collect import PointArrays, collect_points
from granum.model.patterns import Pattern
from granum.model.quantities import LARGEST
from messages import naming, refused, says

ROUNDING = 1e-14
"""A position is a sum of a few dozen vectors of length about one."""
PIVOT = {2: gr.FixedPoint(position=(1.0, 2.0)), 3: gr.FixedPoint(position=(1.0, 2.0, 3.0))}


def written_out(pattern: Pattern, dimension: int = 0) -> PointArrays:
    """The pattern alone in a scene, or with a pivot of the given dimension to hang on."""
    body = {"pivot": PIVOT[dimension]} if dimension else {}
    found = collect_points(gr.Scene(body=body, pattern={"p": pattern}))
    assert found.problems == []
    return found


def spans(found: PointArrays) -> np.ndarray:
    """Vector of each link from tail to head."""
    return found.position[found.head] - found.position[found.tail]


CASES: dict[str, tuple[Pattern, int, int, int]] = {  # pattern, dimension of the pivot, bodies, links
    "chain 2-D": (gr.Chain(mass=1, from_="pivot", count=5, length=0.3, angles="-60 deg"), 2, 6, 5),
    "chain free": (gr.Chain(mass=1, position=(0, 0), count=5, length=0.3, angles=(0.1, 0.2, 0.3, 0.4)), 0, 5, 4),
    "chain 3-D": (gr.Chain(mass=1, from_="pivot", count=5, length=0.3, direction=(1, 2, 2)), 3, 6, 5),
    "chain of one": (gr.Chain(mass=1, position=(0, 0, 0), count=1, length=1, direction=(0, 0, 1)), 0, 1, 0),
    "stack 2-D": (gr.Stack(mass=1, from_="pivot", count=4, height=2.0, tilt=0.1), 2, 5, 4),
    "stack 3-D": (gr.Stack(mass=1, from_="pivot", count=4, height=2.0, tilt=0.1), 3, 5, 4),
    "stack free": (gr.Stack(mass=1, position=(0, 0), count=4, height=2.0, scatter=0.2), 0, 4, 3),
    "ring 2-D": (gr.Ring(mass=1, count=7, radius=0.5, centre=(1, 1)), 0, 7, 7),
    "ring 3-D": (gr.Ring(mass=1, count=7, radius=0.5, centre=(1, 1, 1), axis=(1, -1, 2)), 0, 7, 7),
    "net 2-D": (gr.Net(mass=1, rows=3, columns=4, spacing=0.5, position=(0, 0), across=(1, 0), down=(0, -1)),
                0, 12, 17),
    "net braced": (gr.Net(mass=1, rows=3, columns=4, spacing=0.5, position=(0, 0, 0), across=(1, 1, 0),
                          down=(0, 0, -2), braced=True), 0, 12, 23),
    "net corners": (gr.Net(mass=1, rows=3, columns=3, spacing=1, position=(0, 0), across=(1, 0), down=(0, -1),
                           fixed="corners"), 0, 9, 12),
    "net border": (gr.Net(mass=1, rows=3, columns=4, spacing=1, position=(0, 0), across=(1, 0), down=(0, -1),
                          fixed="border"), 0, 12, 7),
    "tree 2-D": (gr.Tree(mass=1, from_="pivot", depth=4, branching=2, length=0.2, direction=(0, 1), spread=1),
                 2, 16, 15),
    "tree 3-D": (gr.Tree(mass=1, position=(0, 0, 0), depth=3, branching=3, length=0.2, direction=(0, 0, 1),
                         spread=1), 0, 14, 13),
}


@pytest.mark.parametrize("case", CASES)
def test_counts_and_lengths(case: str) -> None:
    """As many bodies and links as the pattern says, and every link as long as its ends are apart."""
    pattern, dimension, bodies, links = CASES[case]
    found = written_out(pattern, dimension)
    assert (len(found.mass), len(found.tail)) == (bodies, links)
    assert (len(found.body_names), len(found.link_names)) == (bodies, links)
    assert_allclose(np.linalg.norm(spans(found), axis=1), found.length, rtol=ROUNDING)
    assert set(np.concatenate([found.tail, found.head])) <= set(range(bodies))


@pytest.mark.parametrize("case", CASES)
def test_names_lead_to_numbers_and_back(case: str) -> None:
    found = written_out(*CASES[case][:2])
    for names in (found.body_names, found.link_names):
        assert [names.find(name) for name in names] == list(range(len(names)))


def test_a_chain_runs_along_its_angles() -> None:
    angles = (0.0, np.pi / 2, np.pi)
    found = written_out(gr.Chain(mass=2, from_="pivot", count=3, length=0.5, angles=angles), 2)
    assert_allclose(found.position, [[1, 2], [1.5, 2], [1.5, 2.5], [1, 2.5]], rtol=0, atol=ROUNDING)
    assert_allclose(found.mass, [np.inf, 2, 2, 2])


def test_a_chain_can_end_at_a_body_and_move_as_a_whole() -> None:
    chain = gr.Chain(mass=1, from_="pivot", to="far", count=3, length=0.5, direction=(2, 0), velocity=(0, 1))
    found = collect_points(gr.Scene(body={"pivot": PIVOT[2], "far": gr.FixedPoint(position=(3.0, 2.0))},
                              pattern={"p": chain}))
    assert found.problems == []
    assert (found.tail[-1], found.head[-1]) == (4, 1)
    assert_allclose(np.linalg.norm(spans(found), axis=1), 0.5, rtol=ROUNDING)
    assert_allclose(found.velocity[2:], [[0, 1]] * 3)


@pytest.mark.parametrize("dimension", [2, 3])
def test_a_stack_stands_upright(dimension: int) -> None:
    """The last axis is up; a hanging stack of count links has the height it is given."""
    found = written_out(gr.Stack(mass=1, from_="pivot", count=4, height=2.0), dimension)
    assert_allclose(spans(found), [[0.0] * (dimension - 1) + [0.5]] * 4, rtol=0, atol=ROUNDING)


def test_a_free_stack_has_its_height_too() -> None:
    found = written_out(gr.Stack(mass=1, position=(0.0, 0.0), count=5, height=2.0))
    assert_allclose(found.position[-1], [0.0, 2.0], rtol=0, atol=ROUNDING)


def test_the_scatter_of_a_stack_follows_the_seed() -> None:
    def drawn(seed: int) -> np.ndarray:
        stack = gr.Stack(mass=1, position=(0, 0), count=50, height=1, tilt=0.3, scatter=0.1)
        return spans(collect_points(gr.Scene(pattern={"p": stack}, run=gr.RunSettings(seed=seed))))

    assert np.array_equal(drawn(1), drawn(1))
    assert not np.array_equal(drawn(1), drawn(2))
    tilt = np.arctan2(drawn(1)[:, 0], drawn(1)[:, 1])
    assert np.all(np.abs(tilt - 0.3) <= 0.1)
    assert np.ptp(tilt) > 0.1
    with pytest.raises(gr.SceneError) as told:
        gr.Stack(mass=1, position=(0, 0), count=5, height=1, scatter=-0.1)
    naming(str(told.value), "scatter", "-0.1")


@pytest.mark.parametrize(("centre", "axis"), [((1, 2), None), ((1, 2, 3), None), ((1, 2, 3), (1, 2, -2))])
def test_a_ring_is_round_and_turns(centre: tuple[float, ...], axis: tuple[float, ...] | None) -> None:
    """Bodies at one distance from the centre, v = ω × r about the ring's normal."""
    found = written_out(gr.Ring(mass=1, count=9, radius=0.5, centre=centre, axis=axis, angular_velocity=3.0))
    arm = np.zeros((9, 3))
    speed = np.zeros((9, 3))
    arm[:, : len(centre)], speed[:, : len(centre)] = found.position - np.array(centre), found.velocity
    normal = np.array([0.0, 0.0, 1.0]) if axis is None else np.array(axis) / 3.0
    assert_allclose(np.linalg.norm(arm, axis=1), 0.5, rtol=ROUNDING)
    assert_allclose(arm @ normal, 0.0, rtol=0, atol=ROUNDING)
    assert_allclose(speed, np.cross(3.0 * normal, arm), rtol=0, atol=10 * ROUNDING)
    assert_allclose(found.length, 2 * 0.5 * np.sin(np.pi / 9), rtol=ROUNDING)


@pytest.mark.parametrize(
    ("fixed", "expected"),
    [("none", ""), ("corners", "1-1 1-3 4-1 4-3"), ("first-row", "1-1 1-2 1-3"),
     ("border", "1-1 1-2 1-3 2-1 2-3 3-1 3-3 4-1 4-2 4-3")],
)
def test_a_net_is_fixed_where_it_says(fixed: str, expected: str) -> None:
    """A link between two fixed points does nothing and is left out."""
    found = written_out(gr.Net(mass=1, rows=4, columns=3, spacing=0.5, position=(1, 1), across=(1, 0),
                               down=(0, -3), fixed=fixed))
    names = [found.body_names[k] for k in np.flatnonzero(found.fixed)]
    assert names == [f"p-{place}" for place in expected.split()]
    assert not np.any(found.fixed[found.tail] & found.fixed[found.head])
    assert_allclose(found.position[found.body_names.find("p-4-2")], [1.5, -0.5], rtol=0, atol=ROUNDING)


def test_a_planar_tree_fans_out_and_a_spatial_one_makes_cones() -> None:
    """Branches leave at half the spread from their stem."""
    for pattern, dimension, _, _ in (CASES["tree 2-D"], CASES["tree 3-D"]):
        found = written_out(pattern, dimension)
        way, above = spans(found) / 0.2, {int(head): k for k, head in enumerate(found.head)}
        turned = [way[k] @ way[above[int(tail)]] for k, tail in enumerate(found.tail) if int(tail) in above]
        assert_allclose(turned, np.cos(0.5), rtol=10 * ROUNDING)
        assert len(turned) == len(found.tail) - 1


def test_prefixes_name_bodies_and_links() -> None:
    found = written_out(gr.Chain(mass=1, position=(0, 0), count=2, length=1, angles=0.0, bodies="bob", links="rod"))
    assert (list(found.body_names), list(found.link_names)) == (["bob-1", "bob-2"], ["rod-1"])
    found = written_out(gr.Chain(mass=1, position=(0, 0), count=2, length=1, angles=0.0))
    assert (list(found.body_names), list(found.link_names)) == (["p-1", "p-2"], ["p-link-1"])


WRONG: dict[str, Pattern] = {
    "direction longer than at": gr.Chain(mass=1, position=(0, 0), count=3, length=1, direction=(1, 0, 0)),
    "direction shorter than at": gr.Chain(mass=1, position=(0, 0, 0), count=3, length=1, direction=(1, 0)),
    "angles in space": gr.Chain(mass=1, position=(0, 0, 0), count=3, length=1, angles=0.0),
    "velocity": gr.Chain(mass=1, position=(0, 0), count=3, length=1, angles=0.0, velocity=(0, 0, 1)),
    "axis": gr.Ring(mass=1, count=3, radius=1, centre=(0, 0, 0), axis=(1, 0)),
    "across": gr.Net(mass=1, rows=2, columns=2, spacing=1, position=(0, 0), across=(1, 0, 0), down=(0, 1)),
    "down": gr.Net(mass=1, rows=2, columns=2, spacing=1, position=(0, 0), across=(1, 0), down=(0, 1, 0)),
    "tree": gr.Tree(mass=1, position=(0, 0, 0), depth=2, length=1, direction=(1, 0), spread=1.0),
}


@pytest.mark.parametrize("case", WRONG)
def test_vectors_of_unequal_dimension_are_refused(case: str) -> None:
    """Once: that nothing else can be said about the bodies of that pattern is no mistake of its own."""
    link = gr.Link(between=("p-1", "p-2"))
    problems = collect_points(gr.Scene(pattern={"p": WRONG[case]}, link={"more": link})).problems
    assert [problem.place.split(".")[:2] for problem in problems] == [["pattern", "p"]]
    says(problems[0].text("scene"), "pattern.p")


def test_a_net_folded_onto_itself_is_refused() -> None:
    """Its diagonals would have no length, so no direction."""
    net = {"kind": "net", "mass": 1, "rows": 2, "columns": 2, "spacing": 1, "position": [0, 0], "braced": True}
    with refused(gr.SceneError, "pattern.p", "across", "down"):
        gr.Scene(pattern={"p": {**net, "across": [1, 2], "down": [-2, -4]}})


def test_a_chain_cannot_end_at_its_own_end() -> None:
    chain = gr.Chain(mass=1, position=(0, 0), to="p-3", count=3, length=1, angles=0.0)
    problems = collect_points(gr.Scene(pattern={"p": chain})).problems
    assert [problem.place for problem in problems] == ["pattern.p.to"]


@pytest.mark.parametrize("taken", ["p-1", "p-2"])
def test_a_name_of_a_body_cannot_be_given_twice(taken: str) -> None:
    chain = gr.Chain(mass=1, position=(1, 1), count=3, length=1, angles=0.0)
    problems = collect_points(gr.Scene(body={taken: gr.FixedPoint(position=(0, 0))}, pattern={"p": chain})).problems
    assert [problem.place for problem in problems] == ["pattern.p.bodies"]
    says(problems[0].finding, f'"{taken}"')


@pytest.mark.parametrize("first", ["net", "chain"])
def test_names_of_two_patterns_cannot_meet(first: str) -> None:
    """The net calls its body 2-1 `p-2-1`, and so does a chain with the prefix `p-2`."""
    patterns: dict[str, Pattern] = {
        "net": gr.Net(mass=1, rows=2, columns=2, spacing=1, position=(0, 0), across=(1, 0), down=(0, 1),
                      bodies="p"),
        "chain": gr.Chain(mass=1, position=(5, 5), count=3, length=1, angles=0.0, bodies="p-2"),
    }
    second = next(name for name in patterns if name != first)
    problems = collect_points(gr.Scene(pattern={name: patterns[name] for name in (first, second)})).problems
    assert [problem.place for problem in problems] == [f"pattern.{second}.bodies"]
    says(problems[0].finding, '"p-2-1"')


@pytest.mark.parametrize(
    "pattern",
    [{"kind": "net", "rows": 20_000_000, "columns": 20_000_000, "spacing": 1, "position": [0, 0],
      "across": [1, 0], "down": [0, 1]},
     {"kind": "tree", "depth": 24, "branching": 64, "position": [0, 0], "length": 1, "direction": [1, 0],
      "spread": 1}],
)
def test_a_pattern_cannot_exhaust_the_machine(pattern: dict[str, object]) -> None:
    with refused(gr.SceneError, "pattern.p", str(LARGEST)):
        gr.Scene(pattern={"p": {"mass": 1, **pattern}})


def test_links_of_a_pattern_need_a_direction() -> None:
    """The last body of this chain lies on the point that the chain is to end at."""
    chain = gr.Chain(mass=1, from_="pivot", to="far", count=2, length=1, direction=(1, 0))
    body = {"pivot": PIVOT[2], "far": gr.FixedPoint(position=(3, 2))}
    problems = collect_points(gr.Scene(body=body, pattern={"p": chain})).problems
    assert [problem.place for problem in problems] == ["pattern.p"]
    says(problems[0].finding, '"p-2" and "far"')
