"""Clicks in a real browser: they answer with what is there, by its name in the run, and empty space answers nothing."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import granum as gr
from granum.base.kernels import Floats
from granum.base.rotations import three
from granum.view.stage import Stage
from granum.view.stage.poses import brought_back, placed

EXAMPLES = Path(__file__).parents[2] / "examples"
NOTHING = "Click a body for its values"
REACH = 5.0
"""Pixels within which a line answers a mouse."""
ASK = """(points) => points.map(([x, y]) => { const found = pickAt(granum.stage, x, y, REACH.mouse);
    if (!found) return null;
    if (found.what === "ball") return ["ball", found.id];
    return found.what === "solid" ? ["solid", granum.header.solids[found.place].name]
      : ["line", granum.header[found.list][found.place].name ?? granum.header[found.list][found.place]]; })"""


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder, made = tmp_path_factory.mktemp("picked"), {}
    for name, until in {"slider-crank": 0.5, "four-bar": 0.5, "hopper": 0.2, "bricard": 0.5}.items():
        made[name] = folder / f"{name}.h5"
        gr.simulate(gr.load(EXAMPLES / f"{name}.toml"), until=until, output=made[name])
    return made


def grid(look: Any) -> Floats:
    """(n, 2) pixels all over the canvas."""
    width, height = look.state("[element('scene').clientWidth, element('scene').clientHeight]")
    x, y = np.meshgrid(np.arange(4.0, width, 13.0), np.arange(4.0, height, 11.0))
    return np.column_stack([x.ravel(), y.ravel()])


def in_scene(look: Any, pixels: Floats) -> tuple[Floats, float]:
    """(n, 3) points of a 2-D scene that pixels show, and the size of a pixel [m]."""
    (x, y), size = look.pixel(0.0, 0.0, 0.0), look.state("granum.stage.pixelSize()")
    return np.column_stack([(pixels[:, 0] - x) * size, (y - pixels[:, 1]) * size, np.zeros(len(pixels))]), size


def outside(body: Any, pose: Floats, points: Floats, thin: float) -> Floats:
    """(n,): distance from points to a disk, block or rod; zero or negative inside. `thin` is half as wide as a rod."""
    own = brought_back(pose, points)
    if isinstance(body, gr.Disk):
        return np.asarray(np.linalg.norm(own, axis=1) - body.radius)
    size = three(body.size) if isinstance(body, gr.Block) else np.array([body.length, 2.0 * (body.radius or thin)])
    return np.asarray(np.max(np.abs(own[:, :2]) - 0.5 * size[:2], axis=1))


def answers_of(look: Any, serve: Any, file: Path, frame: int) -> tuple[Floats, float, list[Any]]:
    """Points of a 2-D scene all over the canvas, the size of a pixel, and what the page answers there."""
    with serve(file) as address:
        look.open(address)
        look.page.locator("#time").fill(str(frame))
        look.settle(frame)
        pixels = grid(look)
        return *in_scene(look, pixels), look.page.evaluate(ASK, pixels.tolist())


def test_a_linkage_answers_where_its_bodies_are(look: Any, runs: dict[str, Path], serve: Any) -> None:
    """All over the canvas: inside of one body alone it answers, far from everything nothing does."""
    run = gr.open_run(runs["slider-crank"])
    stage, frame = Stage(run), len(run.t) // 2
    bodies = {name: body for name, body in run.scene.body.items() if isinstance(body, gr.Rod | gr.Block | gr.Disk)}
    points, size, answers = answers_of(look, serve, runs["slider-crank"], frame)
    thin, reach = 0.6 * stage.point_radius, REACH * size
    apart = np.array([outside(body, stage.pose(one, frame), points, thin) for one, body in bodies.items()])
    (spring,) = stage.spring_ends(frame)
    pins = [stage.point(end, frame) for joint in run.scene.constraint.values() for end in getattr(joint, "between", ())]
    at_pins = np.min([np.linalg.norm(points - pin, axis=1) for pin in pins], axis=0)
    lines = np.minimum(distance(points, *spring), near_lines(stage, frame, "cylinder", points))
    counted = {"inside": 0, "empty": 0}
    for k, answer in enumerate(answers):
        if at_pins[k] < 5.0 * stage.point_radius or lines[k] < 2.0 * reach:
            continue
        inside = [one for one, far in zip(bodies, apart[:, k], strict=True) if far < -1.5 * size]
        if len(inside) == 1 and np.sum(apart[:, k] < 2.0 * size) == 1:
            counted["inside"] += 1
            what, found = answer
            assert (found if what == "solid" else stage.body_names[found]) == inside[0]
        elif apart[:, k].min() > 2.0 * reach:
            counted["empty"] += 1
            assert answer is None, (answer, points[k])
    assert counted["inside"] > 20 and counted["empty"] > 1000


def distance(points: Floats, start: Floats, end: Floats) -> Floats:
    """(n,): from points to a segment."""
    along = end - start
    part = np.clip((points - start) @ along / max(float(along @ along), 1e-300), 0.0, 1.0)
    return np.asarray(np.linalg.norm(points - start - part[:, None] * along, axis=1))


def near_lines(stage: Stage, frame: int, name: str, points: Floats) -> Floats:
    """(n,): from points to the lines of a solid."""
    (k,) = (k for k, solid in enumerate(stage.solids) if solid.name == name)
    lines = [placed(stage.poses(frame)[k], line) for line in stage.solids[k].mesh.lines]
    return np.asarray(np.min([distance(points, *ends) for line in lines for ends in pairwise(line)], axis=0))


def test_points_of_formulas_answer_and_empty_space_does_not(look: Any, runs: dict[str, Path], serve: Any) -> None:
    """The four-bar linkage has points and lines without names: only points answer, and only where they are."""
    run = gr.open_run(runs["four-bar"])
    stage, frame = Stage(run), len(run.t) // 2
    points, size, answers = answers_of(look, serve, runs["four-bar"], frame)
    balls = stage.balls(frame)
    inside = 0
    for point, answer in zip(points, answers, strict=True):
        apart = np.linalg.norm(balls.positions - point, axis=1) - balls.radii
        nearest = int(apart.argmin())
        if apart[nearest] < -size:
            inside += 1
            assert answer is not None and stage.body_names[answer[1]] == run.body_names[nearest]
        elif apart[nearest] > REACH * size:
            assert answer is None
    assert inside >= 5


def test_grains_answer_by_their_names_in_the_run(look: Any, runs: dict[str, Path], serve: Any) -> None:
    run = gr.open_run(runs["hopper"])
    frame = len(run.t) - 1
    shown = run.frame(frame)
    named = {name: run.position(name)[frame] for name in run.body_names}
    with serve(runs["hopper"]) as address:
        look.open(address)
        look.page.locator("#time").fill(str(frame))
        look.settle(frame)
        pixels = grid(look)
        points, size = in_scene(look, pixels)
        answers = look.page.evaluate(ASK, pixels.tolist())
        listed = look.page.evaluate("() => granum.source.names()")
        names = dict(zip(listed["numbers"], listed["names"], strict=True))
        middle = np.median(shown.positions, axis=0)
        chosen = look.click(*look.pixel(*middle, 0.0))
        nearest = min(named, key=lambda name: float(np.linalg.norm(named[name] - middle)))
        assert chosen == nearest or np.linalg.norm(named[chosen] - middle) <= shown.radii.max()
        above = look.pixel(middle[0], float(shown.positions[:, 1].max()) + 20.0 * float(shown.radii.max()), 0.0)
        assert look.click(*above) == NOTHING
        assert look.state("granum.chosen") is None
        look.page.locator("#halo").wait_for(state="hidden")  # with the next picture
    inside = empty = 0
    walls = np.min([near_lines(Stage(run), frame, name, points) for name in run.scene.boundary], axis=0)
    for point, answer, wall in zip(points, answers, walls, strict=True):
        apart = np.linalg.norm(shown.positions - point[:2], axis=1) - shown.radii
        if apart.min() < -size:
            inside += 1
            at = named[names[answer[1]]]
            assert answer[0] == "ball" and np.allclose(at, shown.positions[apart.argmin()])
        elif min(wall, apart.min()) > 2.0 * REACH * size:
            empty += 1
            assert answer is None
    assert inside > 50 and empty > 1000


def test_in_space_the_nearest_body_answers(look: Any, runs: dict[str, Path], serve: Any) -> None:
    """Where a body is hit, no other body is hit before it; where none is, nothing answers."""
    run = gr.open_run(runs["bricard"])
    with serve(runs["bricard"]) as address:
        look.open(address)
        look.settle(0)
        pixels = grid(look)
        answers = look.page.evaluate(ASK, pixels.tolist())
        rays = look.page.evaluate("""(points) => points.map(([x, y]) => {
            const { clientWidth, clientHeight } = element("scene"), { camera } = granum.stage;
            const seen = new THREE.Vector3(2 * x / clientWidth - 1, 1 - 2 * y / clientHeight, 0.5).unproject(camera);
            return [camera.position.toArray(), seen.sub(camera.position).normalize().toArray()]; })""", pixels.tolist())
        drawn = look.state("granum.stage.frame.poses.length / 7")
    stage = Stage(run)
    assert drawn == len(stage.solids)
    poses, hit = stage.poses(0), 0
    for (origin, direction), answer in zip(rays, answers, strict=True):
        first = {solid.name: first_hit(brought_back(pose, np.array(origin)), brought_back(pose, pose[:3] + direction),
                                       solid.mesh.vertices[solid.mesh.faces])
                 for solid, pose in zip(stage.solids, poses, strict=True) if len(solid.mesh.faces)}
        nearest = min(first, key=lambda name: first[name])
        if np.isfinite(first[nearest]):
            hit += 1
            what, found = answer
            assert what != "solid" or np.isclose(first[found], first[nearest], rtol=1e-5)
        else:
            assert answer is None or answer[0] == "ball"
    assert hit > 50


def first_hit(origin: Floats, direction: Floats, triangles: Floats) -> float:
    """Distance along a ray to the nearest of triangles (k, 3, 3), by the volumes of tetrahedra."""
    a, b, c = (triangles[:, k] - origin for k in range(3))
    sides = np.stack([np.einsum("ki,ki->k", np.cross(p, q), np.broadcast_to(direction, p.shape))
                      for p, q in ((a, b), (b, c), (c, a))])
    through = np.all(sides >= 0.0, axis=0) | np.all(sides <= 0.0, axis=0)
    normal = np.cross(b - a, c - a)
    with np.errstate(divide="ignore", invalid="ignore"):
        along = np.einsum("ki,ki->k", normal, a) / (normal @ direction)
    return float(np.min(along[through & (along > 0.0)], initial=np.inf))
