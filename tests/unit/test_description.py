"""What `describe` says about each scene: loops, freedoms, redundant links, starts that do not fit."""

import pytest
from numpy.testing import assert_allclose

import granum as gr
from granum.run.check import Part
from messages import refused, says
from scenes import PIVOT, SCENES, pendulum, spinning_ring, truss

# bodies, fixed points, links, components, of them free, loops, degrees of freedom (d·bodies - rank)
FIGURES = {
    "pendulum": (10, 1, 10, 1, 0, 0, 10),
    "spinning-ring": (6, 0, 6, 1, 1, 1, 6),
    "hanging-ring": (5, 1, 6, 1, 0, 1, 4),
    "tree": (15, 1, 15, 1, 0, 0, 15),
    "net": (12, 4, 21, 1, 0, 9, 15),
    "truss": (7, 0, 12, 1, 1, 6, 3),
    "components": (8, 1, 7, 3, 2, 1, 9),
    "sprung": (4, 2, 4, 1, 0, 0, 4),
    "suspended": (7, 2, 8, 1, 0, 1, 6),
}


@pytest.mark.parametrize("name", SCENES)
def test_figures(name: str) -> None:
    """Loops are links minus bodies plus free components (Sun 1996, eq. 2.1, all fixed points being one ground)."""
    found = gr.check(SCENES[name]())
    assert FIGURES[name] == (found.bodies, found.fixed_points, found.links, found.components,
                             found.free_components, found.loops, found.degrees_of_freedom)
    assert found.loops == found.links - found.bodies + found.free_components == len(found.cuts)
    assert found.dimension == (3 if name == "net" else 2)
    assert found.violations == ()
    (start,) = (line for line in found.summary_lines() if "initial" in line)
    says(start)


@pytest.mark.parametrize("name", SCENES)
def test_the_description_is_plain_data(name: str) -> None:
    found = gr.check(SCENES[name]())
    assert found.as_json()["loops"] == found.loops
    assert SCENES[name]().title in found.summary_lines()[0]


def test_methods_follow_the_graph() -> None:
    assert "both ends" in gr.check(SCENES["suspended"]()).method
    assert "LDL" in gr.check(SCENES["tree"]()).method


def test_redundant_links_are_named() -> None:
    """Every link of the truss shares its self-stress; any one of them is too many."""
    scene = truss()
    found = gr.check(scene)
    assert len(found.redundant_links) == 1
    assert [(set(part.links), part.too_many) for part in found.overdetermined] == [(set(scene.link), 1)]
    (part,) = (line for line in found.summary_lines() if "Over-determined" in line)
    says(part, "12 links", "1 too many")


def test_rigid_clusters_are_named() -> None:
    """The truss is one, over-determined; large nets in the plane are counted, whatever their position."""
    said = gr.check(truss())
    assert said.rigid is not None and said.rigid.clusters == 1 and said.rigid.in_position
    (cluster,) = (line for line in said.summary_lines() if "cluster" in line)
    says(cluster, "7 bodies")
    ring = gr.check(spinning_ring(1000))
    assert ring.rigid is not None and not ring.rigid.in_position and ring.rigid.clusters == 0
    assert (ring.rigid.floppy_modes, ring.rigid.redundant_links) == (1000, 0)
    (none,) = (line for line in ring.summary_lines() if "cluster" in line)
    says(none)


def test_overdetermined_parts_are_told_apart() -> None:
    """Two squares with both diagonals, far apart, and a chain that has nothing to do with it."""
    def square(name: str, x: float) -> tuple[dict[str, gr.Start], dict[str, gr.Link]]:
        corners = [(x, 0.0), (x + 1.0, 0.0), (x + 1.0, 1.0), (x, 1.0)]
        start = {f"{name}{k}": gr.Start(position=corner) for k, corner in enumerate(corners)}
        link = {f"{name}{i}{j}": gr.Link(between=(f"{name}{i}", f"{name}{j}"))
                for i in range(4) for j in range(i)}
        return start, link

    (start_a, link_a), (start_b, link_b) = square("a", 0.0), square("b", 5.0)
    start = start_a | start_b
    chain = gr.Chain(position=(10.0, 0.0), count=3, length=1.0, angles=0.5, mass=1.0)
    found = gr.check(gr.Scene(body={name: gr.PointMass(mass=1.0) for name in start}, start=start,
                                 link=link_a | link_b, pattern={"chain": chain}))
    parts = {(frozenset(part.links), part.too_many) for part in found.overdetermined}
    assert parts == {(frozenset(link_a), 1), (frozenset(link_b), 1)}
    assert found.degrees_of_freedom == 3 + 3 + 4
    assert isinstance(found.overdetermined[0], Part)


def test_a_straight_chain_between_two_walls_is_singular_there() -> None:
    """Stretched out, it is held twice along its line although it has more freedoms elsewhere."""
    chain = gr.Chain(from_="pivot", to="far", count=3, length=1.0, direction=(1.0, 0.0), mass=1.0)
    far = gr.FixedPoint(position=(4.0, 0.0))
    found = gr.check(gr.Scene(body=PIVOT | {"far": far}, pattern={"chain": chain}))
    assert len(found.redundant_links) == 1
    assert found.degrees_of_freedom == 3
    assert len(found.overdetermined[0].links) == 4


def test_starts_that_do_not_fit_are_measured() -> None:
    scene = gr.Scene(
        body=PIVOT | {"a": gr.PointMass(mass=1.0), "b": gr.PointMass(mass=1.0)},
        start={"a": gr.Start(position=(1.0, 0.0), velocity=(0.5, 1.0)),
               "b": gr.Start(position=(1.0, -2.0), velocity=(0.5, 1.0))},
        link={"upper": gr.Link(between=("pivot", "a")), "lower": gr.Link(between=("a", "b"), length=1.9)},
    )
    upper, lower = gr.check(scene).violations
    assert (upper.link, lower.link) == ("upper", "lower")
    # numbers of size 1 are rounded to 1e-16, here and below: a hundred roundings
    assert_allclose([upper.length_error, upper.rate], [0.0, 0.5], rtol=0, atol=1e-14)
    assert_allclose([lower.length_error, lower.rate], [0.1, 0.0], rtol=0, atol=1e-14)
    says(upper.text, "0.5 m/s")
    says(lower.text, "0.1 m")
    with refused(gr.SceneError, "link.upper", "0.5 m/s", "link.lower", "0.1 m", "project_start") as error:
        gr.simulate(scene)
    assert len(error.value.problems) == 2
    assert "project_start" in error.value.problems[0].remedy


def test_a_start_can_be_projected_onto_its_links() -> None:
    """It is moved by impulses along the links only, so that the momentum of a free pair is kept."""
    scene = gr.Scene(
        body={"a": gr.PointMass(mass=1.0), "b": gr.PointMass(mass=3.0)},
        start={"a": gr.Start(position=(0.0, 0.0), velocity=(1.0, 0.0)),
               "b": gr.Start(position=(1.2, 0.0), velocity=(0.0, 1.0))},
        link={"l": gr.Link(between=("a", "b"), length=1.0)},
    )
    run = gr.simulate(scene, until=0.01, interval=0.01, project_start=True)
    # 0.2 m too far: each moves by its part of the inverse masses; so does the relative speed of 1 m/s
    assert_allclose(run.positions[0], [[0.15, 0.0], [1.15, 0.0]], rtol=0, atol=1e-14)
    assert_allclose(run.velocities[0], [[0.25, 0.0], [0.25, 1.0]], rtol=0, atol=1e-14)


def test_a_start_that_no_motion_can_mend_is_refused() -> None:
    """A triangle with one side longer than the other two together."""
    corners = {"a": (0.0, 0.0), "b": (1.0, 0.0), "c": (0.5, 0.8)}
    scene = gr.Scene(
        body={name: gr.PointMass(mass=1.0) for name in corners},
        start={name: gr.Start(position=corner) for name, corner in corners.items()},
        link={"ab": gr.Link(between=("a", "b"), length=5.0), "bc": gr.Link(between=("b", "c"), length=1.0),
              "ca": gr.Link(between=("c", "a"), length=1.0)},
    )
    with refused(gr.SceneError, "link.ab"):
        gr.simulate(scene, project_start=True)


@pytest.mark.parametrize(("x", "u"), [(1.0 + 1e-8, 0.0), (1.0, 1e-8)])
def test_small_violations_are_found(x: float, u: float) -> None:
    """1e-8 of the length or of the speed is more than rounding: somebody has copied too few digits."""
    scene = gr.Scene(body=PIVOT | {"a": gr.PointMass(mass=1.0)},
                     start={"a": gr.Start(position=(x, 0.0), velocity=(u, 1.0))},
                     link={"l": gr.Link(between=("pivot", "a"), length=1.0)})
    assert len(gr.check(scene).violations) == 1


def test_rounding_is_no_violation() -> None:
    """A ring far from the origin: its coordinates are rounded, its start is still accepted."""
    ring = gr.Ring(count=100, radius=0.5, centre=(1e3, -1e3), angular_velocity=50.0, mass=1.0)
    assert gr.check(gr.Scene(pattern={"ring": ring})).violations == ()


def test_large_systems_are_described_by_patterns() -> None:
    found = gr.check(pendulum(100_000))
    assert (found.bodies, found.loops, found.degrees_of_freedom) == (100_000, 0, 100_000)
    assert len(gr.check(spinning_ring(1000)).cuts) == 1
