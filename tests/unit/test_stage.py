"""The stage: what is seen is where the run says it is."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import granum as gr
from grain_scenes import FLOOR, gravity
from granum.base.errors import GranumError
from granum.view.stage import Stage
from granum.view.stage.poses import placed
from messages import refused


@pytest.fixture(scope="module")
def heap() -> gr.Run:
    """Disks that fall on a floor between walls, a bean of two disks among them, and a wall that turns."""
    scene = gr.Scene(
        title="Heap", material={"stone": {"friction": 0.3, "density": 1000.0}}, load={"gravity": gravity(0.0, -9.81)},
        boundary={"floor": FLOOR, "paddle": {
            "kind": "wall", "positions": [[2.0, 0.5], [2.5, 0.5]],
            "motion": {"angular_velocity": 2.0, "centre": [2.0, 0.5], "velocity": [0.1, 0.0]}}},
        body={"bean": {"kind": "clump", "density": 1000.0, "disks": [{"centre": [0.0, 0.0], "radius": 0.1},
                                                                     {"centre": [0.15, 0.0], "radius": 0.08}]}},
        start={"bean": {"position": [0.0, 0.4], "angular_velocity": 3.0}},
        pattern={"sand": {"kind": "grains", "radii": [0.1, 0.12, 0.1],
                          "positions": [[0.5, 0.1], [0.75, 0.12], [0.61, 0.32]]}})
    return gr.simulate(scene, until=0.3, interval=0.05)


def test_balls_are_the_grains_of_the_frame(heap: gr.Run) -> None:
    stage = Stage(heap)
    for frame in (0, 3, -1):
        shown, balls = heap.frame(frame), stage.balls(frame)
        assert_array_equal(balls.positions[:, :2], shown.positions)
        assert_array_equal(balls.positions[:, 2], 0.0)
        assert_array_equal(balls.radii, shown.radii)
        assert_array_equal(balls.numbers, shown.numbers)
        assert_array_equal(balls.bodies, shown.bodies)
        assert_array_equal(stage.values(frame, "speed"), np.linalg.norm(shown.velocities, axis=1))
        assert_array_equal(stage.values(frame, "size"), shown.radii)
    assert [stage.kinds[k] for k in stage.balls(0).kinds] == ["bean", "bean", "sand", "sand", "sand"]
    assert_array_equal(stage.values(0, "kind"), stage.balls(0).kinds)


def test_parts_of_a_clump_turn_with_it(heap: gr.Run) -> None:
    """The arm between both parts, turned by the quaternion, is where the second part is."""
    stage = Stage(heap)
    for frame in range(len(heap.t)):
        balls = stage.balls(frame)
        assert balls.orientations is not None
        w, _, _, z = balls.orientations[0]
        angle = 2.0 * math.atan2(z, w)
        arm = balls.positions[1] - balls.positions[0]
        assert_allclose(arm, 0.15 * np.array([math.cos(angle), math.sin(angle), 0.0]), atol=1e-12)


def test_chains_are_the_contacts_of_the_frame(heap: gr.Run) -> None:
    """Between two grains they go from centre to centre; at the floor they end on it."""
    stage, shown = Stage(heap), heap.frame(-1)
    chains = stage.chains(-1)
    assert len(chains.forces) == len(shown.pair) > 3
    assert_allclose(chains.forces, np.linalg.norm(shown.force, axis=1))
    at_floor = shown.pair[:, 1] < 0
    assert_allclose(chains.ends[at_floor, 1], 0.0, atol=1e-3)  # as deep as contacts overlap
    assert_array_equal(chains.ends[~at_floor, :2], shown.positions[shown.pair[~at_floor, 1]])
    assert_array_equal(chains.starts[:, :2], shown.positions[shown.pair[:, 0]])
    # each contact counts for both of its grains
    sums = [math.fsum(float(np.linalg.norm(force)) for pair, force in zip(shown.pair, shown.force, strict=True)
                      if ball in pair) for ball in range(len(shown.positions))]
    assert_allclose(stage.values(-1, "force"), sums, rtol=1e-6)  # forces are recorded in single precision


def test_coordination_counts_contacts_of_whole_bodies(heap: gr.Run) -> None:
    stage, shown = Stage(heap), heap.frame(-1)
    counted = stage.values(-1, "coordination")
    assert counted[0] == counted[1]  # both parts of the bean say what the bean has
    bodies = len(shown.centres)
    mean = np.array([counted[shown.bodies == k][0] for k in range(bodies)]).mean()
    assert math.isclose(mean, heap.coordination(-1).mean)
    assert math.isclose(stage.series()["coordination"].values[-1], mean)


def test_rigid_clusters_of_links() -> None:
    """A triangle is rigid, a fourth mass that hangs on it is not part of it."""
    masses = {name: gr.PointMass(mass=1.0) for name in "dabc"}
    places = {"a": (0.0, 0.0), "b": (1.0, 0.0), "c": (0.5, 1.0), "d": (2.0, 0.5)}
    links = {pair: gr.Link(between=(pair[0], pair[1])) for pair in ("ab", "bc", "ca", "bd")}
    run = gr.simulate(gr.Scene(body=masses, link=links, start={n: gr.Start(position=at) for n, at in places.items()}),
                      until=0.1, interval=0.1)
    assert Stage(run).values(0, "cluster").tolist() == [-1.0, 0.0, 0.0, 0.0]


def test_grains_without_contacts_are_in_no_cluster(heap: gr.Run) -> None:
    assert set(Stage(heap).values(0, "cluster")) == {-1.0}


def test_prescribed_motion_of_a_boundary(heap: gr.Run) -> None:
    """The paddle's tip turns by 2 rad/s about a point that moves with 0.1 m/s."""
    stage = Stage(heap)
    (k,) = (k for k, solid in enumerate(stage.solids) if solid.name == "paddle")
    assert stage.solids[k].moves
    assert stage.solids[k].kind == "boundary"
    for frame, t in enumerate(heap.t):
        base, tip = placed(stage.poses(frame)[k], stage.solids[k].mesh.lines[0])
        assert_allclose(base, [2.0 + 0.1 * t, 0.5, 0.0], atol=1e-12)
        assert_allclose(tip - base, [0.5 * math.cos(2.0 * t), 0.5 * math.sin(2.0 * t), 0.0], atol=1e-12)


def test_names_traces_and_numbers_as_text(heap: gr.Run) -> None:
    stage = Stage(heap)
    assert set(stage.names()) == {"bean", "sand-1", "sand-2", "sand-3"}
    assert_array_equal(stage.trace("sand-2")[:, :2], heap.position("sand-2"))
    assert_array_equal(stage.trace("bean")[:, :2], heap.position("bean"))
    about = stage.describe_ball(-1, 3)
    assert about["name"] == "sand-2"
    assert about["radius"] == "0.12 m"
    assert about["kind"] == "sand"
    assert about["speed"].endswith("m/s")
    assert stage.describe_ball(0, 1)["name"] == "bean"
    floor = next(k for k, solid in enumerate(stage.solids) if solid.name == "floor")
    assert stage.describe_solid(0, floor) == {"name": "floor", "kind": "boundary, plane"}


def test_refusals(heap: gr.Run) -> None:
    stage = Stage(heap)
    with refused(GranumError, '"sped"', '"speed"', "coordination"):
        stage.values(0, "sped")
    with refused(GranumError, "frame 99", "7 frames", "0 to 6"):
        stage.balls(99)
    with refused(GranumError, "ball 5", "frame 6 has 5"):
        stage.describe_ball(-1, 5)
    with refused(GranumError, '"sand-9"'):
        stage.trace("sand-9")


def test_a_run_that_goes_on_grows(heap: gr.Run) -> None:
    """New frames are seen as soon as they are counted, by name too."""
    recording = heap._recording
    done = recording.frames_done
    try:
        recording.storage.done = 2
        stage = Stage(heap)
        assert len(stage.t) == len(stage.trace("bean")) == len(stage.series()["kinetic"].values) == 2
        with refused(GranumError, "frame 3"):
            stage.balls(3)
        recording.storage.done = done
        assert len(stage.t) == len(stage.series()["kinetic"].values) == done
        assert_array_equal(stage.balls(3).positions[:, :2], heap.frame(3).positions)
        recording.storage.done = 0
        with refused(GranumError):
            Stage(heap)
    finally:
        recording.storage.done = done


def test_the_box_holds_everything_but_strays(heap: gr.Run) -> None:
    low, high = Stage(heap).box()
    for frame in range(len(heap.t)):
        balls = Stage(heap).balls(frame)
        assert np.all(balls.positions[:, :2] - balls.radii[:, None] >= low[:2])
        assert np.all(balls.positions[:, :2] + balls.radii[:, None] <= high[:2])
    crowd: dict[str, Any] = {"kind": "grains", "radius": 0.01, "count": 200, "arrangement": "lattice",
                             "region": {"kind": "box", "lower": [0.0, 0.0], "upper": [1.0, 0.3]}}
    stray = {"kind": "grains", "radii": [0.01], "positions": [[0.5, 0.5]], "velocity": [0.0, 25.0]}
    scene = gr.Scene(material={"stone": {"density": 1000.0}}, pattern={"crowd": crowd, "stray": stray})
    _, high = Stage(gr.simulate(scene, until=0.1, interval=0.1)).box()
    assert high[1] < 1.5  # not the 3 m that one grain went


def driven(**run: Any) -> gr.Run:
    """A rod driven about a pin by half a turn in a second, with a flywheel and a weight on its head."""
    scene = gr.Scene(
        body={"pin": gr.FixedPoint(position=(1.0, 2.0)), "arm": gr.Rod(length=2.0, mass=1.0),
              "wheel": gr.Disk(radius=0.3, mass=2.0),
              "plate": gr.RigidBody(mass=1.0, inertia=0.1, points={"tip": (0.5, 0.0)})},
        constraint={"hinge": gr.Hinge(between=("pin", "arm.tail")), "motor": gr.Drive(joint="hinge", motion="pi*t"),
                    "weld": gr.Glue(between=("arm.head", "wheel")), "weld-2": gr.Glue(between=("arm.head", "plate"))},
        start={"arm": gr.Start(position=(2.0, 2.0)), "wheel": gr.Start(position=(3.0, 2.0)),
               "plate": gr.Start(position=(3.0, 2.0))})
    return gr.simulate(scene.with_run(**run), until=0.5, interval=0.25)


@pytest.mark.parametrize("formulation", ["newton-euler", "fundamental"])
def test_mechanisms(formulation: str) -> None:
    """The rod's mesh ends at its points, the wheel is a ball that turns, joints are where they act."""
    run = driven(formulation=formulation)
    stage = Stage(run)
    solids = {solid.name: k for k, solid in enumerate(stage.solids)}
    assert set(solids) == {"arm", "plate", "hinge", "motor", "weld", "weld-2"}
    drive = stage.describe_solid(1, solids["motor"])
    assert drive["joint"] == "hinge" and drive["torque"] == f"{run.reaction('motor').effort[1]:.4g} N m"
    assert_allclose(stage.poses(1)[solids["motor"]][:3], [1.0, 2.0, 0.0])
    for frame, angle in enumerate((0.0, 0.25 * math.pi, 0.5 * math.pi)):
        along = np.array([math.cos(angle), math.sin(angle), 0.0])
        pin, poses = np.array([1.0, 2.0, 0.0]), stage.poses(frame)
        rod = placed(poses[solids["arm"]], stage.solids[solids["arm"]].mesh.vertices)
        assert_allclose([rod[[0, 3]].mean(axis=0), rod[[1, 2]].mean(axis=0)], [pin, pin + 2.0 * along], atol=1e-9)
        tip = placed(poses[solids["plate"]], stage.solids[solids["plate"]].mesh.lines[0])[1]
        assert_allclose(tip, pin + 2.5 * along, atol=1e-9)
        balls = stage.balls(frame)
        wheel = [stage.names()[body] for body in balls.bodies].index("wheel")
        assert_allclose(balls.positions[wheel], pin + 2.0 * along, atol=1e-9)
        assert balls.radii[wheel] == 0.3
        assert balls.orientations is not None
        assert_allclose(balls.orientations[wheel], [math.cos(0.5 * angle), 0.0, 0.0, math.sin(0.5 * angle)], atol=1e-9)
        assert_allclose(poses[solids["hinge"], :3], pin)
        assert_allclose(poses[solids["weld"], :3], pin + 2.0 * along, atol=1e-9)
        # 1 kg at 1 m, 3 kg at 2 m go round with π rad/s: the pin pulls inward
        arrows = stage.reactions(frame)
        assert_allclose(arrows.vectors[arrows.names.index("hinge")], -(1.0 + 6.0) * math.pi**2 * along, atol=1e-6)
        assert_allclose(arrows.origins[arrows.names.index("hinge")], pin, atol=1e-9)


def test_links_and_their_forces() -> None:
    """A pendulum at rest: the link carries the weight, and pulls the bob up."""
    scene = gr.Scene(body={"pivot": gr.FixedPoint(position=(0.0, 0.0)), "bob": gr.PointMass(mass=2.0)},
                     link={"rope": gr.Link(between=("pivot", "bob"))}, start={"bob": gr.Start(position=(0.0, -1.0))},
                     load={"gravity": gr.Gravity(acceleration=(0.0, -9.81))})
    stage = Stage(gr.simulate(scene, until=0.1, interval=0.1))
    assert_allclose(stage.links(0), [[[0.0, 0.0, 0.0], [0.0, -1.0, 0.0]]], atol=1e-12)
    arrows = stage.reactions(-1)
    assert arrows.names == ("rope",)
    assert_allclose(arrows.vectors, [[0.0, 19.62, 0.0]], atol=1e-9)
    assert_allclose(arrows.origins, [[0.0, -1.0, 0.0]], atol=1e-9)
    assert_allclose(stage.values(0, "force"), 19.62)
    assert 0.0 < stage.balls(0).radii[0] < 0.5
    assert "size" not in stage.quantities  # radii of points are only for the picture
    assert_allclose(stage.series()["reaction rope"].values, 19.62)


def test_points_and_lines_of_formulas() -> None:
    system = {"coordinates": ["q"], "kinetic": "q_dot**2/2", "potential": "0",
              "start": {"q": 0.0, "q_dot": 1.0}}
    shown = gr.FormulaSystem(**system, points={"A": ("0", "0"), "B": ("cos(q)", "sin(q)")}, lines=(("A", "B"),))
    run = gr.simulate(gr.Scene(system=shown), until=1.0, interval=0.5)
    stage = Stage(run)
    assert_allclose(stage.balls(-1).positions, [[0.0, 0.0, 0.0], [math.cos(1.0), math.sin(1.0), 0.0]], atol=1e-9)
    assert_array_equal(stage.links(-1)[0], stage.balls(-1).positions)
    assert_allclose(stage.series()["coordinate q"].values, [0.0, 0.5, 1.0], atol=1e-9)
    with refused(GranumError, "[system.points]"):
        Stage(gr.simulate(gr.Scene(system=gr.FormulaSystem(**system)), until=1.0, interval=0.5))


def test_a_shell_on_its_surface() -> None:
    """The shell touches the surface where the run says it does, and the surface is a solid of the stage."""
    scene = gr.Scene(
        surface={"bowl": gr.Surface(equation="Z - 0.05*(X**2 + Y**2)")},
        body={"shell": gr.TwoHalfShell(radius=0.1, inner_radius=0.08, density=(2000.0, 1000.0))},
        constraint={"roll": gr.Rolling(body="shell", on="bowl")},
        load={"gravity": gr.Gravity(acceleration=(0.0, 0.0, -9.81))},
        start={"shell": gr.Start(contact=(0.5, 0.0), velocity=(0.0, 0.3), spin=0.0)})
    run = gr.simulate(scene.with_run(formulation="fundamental"), until=1.0, interval=0.5)
    stage = Stage(run)
    shell, bowl = stage.solids
    assert (shell.name, shell.moves, bowl.name, bowl.moves) == ("shell", True, "bowl", False)
    for frame in range(3):
        (at,) = stage.reactions(frame).origins
        distance = np.linalg.norm(placed(stage.poses(frame)[0], shell.mesh.vertices) - at, axis=1)
        assert distance.min() < 0.015  # half a face
        centre = placed(stage.poses(frame)[0], shell.mesh.vertices).mean(axis=0)
        assert_allclose(np.linalg.norm(centre - at), 0.1, rtol=0.01)
        assert_allclose(at[2], 0.05 * (at[0] ** 2 + at[1] ** 2), atol=1e-9)


def test_boundaries_of_bodies_move_with_them() -> None:
    """A wall on a block among grains stays where it is on the block; the block falls freely."""
    scene = gr.Scene(
        material={"stone": {"density": 1000.0}}, load={"gravity": gravity(0.0, -9.81)},
        body={"block": gr.Block(size=(0.4, 0.2), mass=1.0)},
        start={"block": gr.Start(position=(0.0, 2.0), angular_velocity=2.0, angle=0.3)},
        boundary={"top": {"kind": "wall", "positions": [[-0.2, 2.1], [0.2, 2.1]], "body": "block"}},
        pattern={"sand": {"kind": "grains", "radii": [0.1], "positions": [[5.0, 0.0]]}})
    run = gr.simulate(scene, until=0.2, interval=0.1)
    stage = Stage(run)
    assert [solid.name for solid in stage.solids] == ["block", "top"]
    for frame, t in enumerate(run.t):
        block, top = stage.poses(frame)
        wall, turned = placed(top, stage.solids[1].mesh.lines[0]), 2.0 * t
        across = np.array([math.cos(turned), math.sin(turned), 0.0])
        assert_allclose(wall[1] - wall[0], 0.4 * across, atol=1e-6)
        assert_allclose(wall.mean(axis=0) - block[:3], 0.1 * np.array([-across[1], across[0], 0.0]), atol=1e-6)
        assert_allclose(block[:2], run.position("block")[frame])


def test_springs_between_points_and_in_hinges() -> None:
    """Springs end at the points of their bodies in every frame; a torsion spring is at its hinge."""
    scene = gr.Scene(
        body={"pin": gr.FixedPoint(position=(0.0, 0.0)), "wall": gr.FixedPoint(position=(3.0, 0.0)),
              "arm": gr.Rod(length=2.0, mass=1.0)},
        constraint={"hinge": gr.Hinge(between=("pin", "arm.tail"))}, start={"arm": gr.Start(position=(1.0, 0.0))},
        load={"gravity": gr.Gravity(acceleration=(0.0, -9.81)),
              "coil": gr.Spring(between=("wall", "arm.head"), stiffness=10.0, damping=0.5),
              "twist": gr.TorsionSpring(hinge="hinge", stiffness=2.0)})
    run = gr.simulate(scene, until=0.4, interval=0.2)
    stage = Stage(run)
    for frame, angle in enumerate(run.angle("arm")):
        head = 2.0 * np.array([math.cos(angle), math.sin(angle), 0.0])
        assert_allclose(stage.spring_ends(frame), [[[3.0, 0.0, 0.0], head]], atol=1e-9)
    about = stage.describe_line(-1, "coil")
    assert about["between"] == "wall and arm.head"
    assert (about["stiffness"], about["damping"]) == ("10 N/m", "0.5 N s/m")
    assert about["length"] == f"{np.linalg.norm(head - [3.0, 0.0, 0.0]):.4g} m"
    twist = next(k for k, solid in enumerate(stage.solids) if solid.name == "twist")
    assert stage.describe_solid(0, twist) == {"name": "twist", "kind": "torsion spring", "joint": "hinge"}
    assert np.linalg.norm(stage.solids[twist].mesh.lines[0], axis=1).max() < 0.3
    with refused(GranumError, '"coils"'):
        stage.describe_line(0, "coils")


def test_balls_are_known_by_the_number_of_their_body(heap: gr.Run) -> None:
    """Both parts of the bean are the bean; each grain is itself, in every frame."""
    stage = Stage(heap)
    for frame in (0, -1):
        names = [stage.body_names[number] for number in stage.body_numbers(frame).tolist()]
        assert names == ["bean", "bean", "sand-1", "sand-2", "sand-3"]
        assert names == [stage.ball_name(frame, k) for k in range(5)]
