"""Films and stills: the right number of pictures, everything in its place, and nothing left of what fails."""

from __future__ import annotations

import base64
import math
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from numpy.testing import assert_allclose
from PIL import Image

import granum as gr
from grain_scenes import FLOOR, gravity
from granum.base.errors import GranumError
from granum.view.films import film, raster, still
from granum.view.films.camera import camera_of
from granum.view.films.film import _between, _frames
from granum.view.films.flat import FlatPainter
from granum.view.films.painter import SECOND
from granum.view.films.scale import Scale, contents
from granum.view.films.space import SpacePainter
from granum.view.shapes.springs import spring_shape
from granum.view.stage import Stage
from messages import refused

SIZE = (320, 180)
GROUND = {"kind": "plane", "position": [0.0, 0.0, 0.0], "normal": [0.0, 0.0, 1.0]}


def flying(dimension: int) -> gr.Run:
    """One grain that goes along x at 1 m/s, and one that stays; nothing else moves."""
    rest = [0.0] * (dimension - 1)
    pattern = {"moving": {"kind": "grains", "radii": [0.1], "positions": [[0.0, *rest]], "velocity": [1.0, *rest]},
               "resting": {"kind": "grains", "radii": [0.1], "positions": [[1.0, 0.6, *rest[1:]]]}}
    scene = gr.Scene(title="Flight", material={"stone": {"density": 1000.0}}, pattern=pattern)
    return gr.simulate(scene, until=1.0, interval=0.1)


@pytest.fixture(scope="module")
def plane() -> gr.Run:
    return flying(2)


@pytest.fixture(scope="module")
def space() -> gr.Run:
    return flying(3)


def read(path: Path) -> list[Any]:
    import imageio.v3 as imageio

    return [np.asarray(picture)[..., :3] for picture in imageio.imiter(path)]


@pytest.mark.parametrize("ending", [".mp4", ".gif", ".webp"])
@pytest.mark.parametrize("dimension", [2, 3])
def test_a_film_has_all_its_pictures(dimension: int, ending: str, plane: gr.Run, space: gr.Run,
                                     tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    path = film(plane if dimension == 2 else space, tmp_path / f"deep/film{ending}", seconds=1.0, rate=22, size=SIZE,
                progress=lambda done, of: told.append((done, of)))
    pictures = read(path)
    assert told == [(k + 1, 22) for k in range(22)]
    assert all(picture.shape == (180, 320, 3) for picture in pictures)
    assert pictures[0].std() > 5.0  # not one colour
    if ending == ".mp4":
        assert len(pictures) == 22
        # a frame stays until the next: pairs of pictures are alike but for what the coding of videos does
        assert np.abs(pictures[-1].astype(float) - pictures[0]).max() > 100.0
    else:  # a picture that stays is stored once, and shown for longer
        with Image.open(path) as stored:
            shown = 0
            for k in range(stored.n_frames):
                stored.seek(k)
                stored.load()
                shown += stored.info["duration"]
        assert math.isclose(shown, 22 * round(1000 / 22), rel_tol=0.02)
    assert sorted(tmp_path.rglob("*.part")) == []


def test_frames_are_shown_from_their_time_on(plane: gr.Run) -> None:
    """11 frames in 25 pictures: the last frame whose time has come, none made up; all frames of a dense film."""
    found = _frames(plane.t, 1.0, 25, None)
    times = np.linspace(0.0, 1.0, 25)
    assert found.tolist() == [math.floor(10.0 * t + 1e-6) for t in times]
    assert _frames(plane.t, 1.0, 11, None).tolist() == list(range(11))
    assert _frames(plane.t, 9.9, 25, 3).tolist() == [0, 3, 6, 9]


def test_a_film_of_a_part_of_a_run(plane: gr.Run) -> None:
    """Frames at 0.3 to 0.6 s alone; and a part without frames is refused."""
    assert _between(Stage(plane), 0.3, 0.6).tolist() == [3, 4, 5, 6]
    assert _between(Stage(plane), None, None).tolist() == list(range(11))
    with refused(GranumError, "start = 0.31 s", "until = 0.39 s", "0 to 1 s"):
        _between(Stage(plane), 0.31, 0.39)


def coloured(picture: Any, colour: Any) -> Any:
    """(rows, columns) of pixels near a colour."""
    return np.argwhere(np.abs(picture.astype(float) - 255.0 * np.array(colour)).max(axis=2) < 40.0)


def test_a_grain_in_the_plane_is_where_it_should_be(plane: gr.Run) -> None:
    """The middle of its pixels moves as many pixels as its centre moves metres times the scale of the picture."""
    stage = Stage(plane)
    painter = FlatPainter(stage, Scale(stage, "speed"), False, [], (640, 360))
    middles = []
    for frame in (0, 10):
        found = coloured(painter.picture(frame)[:, :560], Scale(stage, "speed").colours(frame)[0])
        middles.append(found.mean(axis=0))
        assert_allclose(len(found), math.pi * (0.1 * painter.per_metre) ** 2, rtol=0.2)  # its rim is darker
    assert_allclose(middles[1] - middles[0], [0.0, painter.per_metre], atol=0.7)


def test_a_grain_in_space_is_where_it_should_be(space: gr.Run) -> None:
    """Its outline in the picture is about where its centre is projected to."""
    stage = Stage(space)
    painter = SpacePainter(stage, Scale(stage, "none"), False, [], (640, 360))
    left, top, width, height = painter.sheet.field
    for frame in (0, 5, 10):
        picture = painter.picture(frame)[top : top + height, left : left + width]
        centres = painter.camera.seen(stage.balls(frame).positions)
        places = painter.camera.focal / 2.0 * centres[:, :2] / centres[:, 2:] + [0.5 * width, 0.5 * height]
        for (x, y), (a, b, z) in zip(places, centres, strict=True):
            r, flat = painter.camera.focal / 2.0 * 0.1 / z, z * z - 0.01
            rows, columns = np.mgrid[:height, :width]
            near = np.hypot(columns + 0.5 - x, rows + 0.5 - y) < 1.5 * r
            seen = np.argwhere(near & (picture.min(axis=2) < 250))
            # an ellipse about f (x, y) z/(z² - R²) with half axes f R/√(z² - R²) and f R √(d² - R²)/(z² - R²)
            middle = painter.camera.focal / 2.0 * np.array([b, a]) * z / flat + [0.5 * height, 0.5 * width]
            assert_allclose(seen.mean(axis=0) + 0.5, middle, atol=0.7)
            ellipse = math.pi * (r * z) ** 2 * math.sqrt(a * a + b * b + flat) / flat**1.5
            assert_allclose(len(seen), ellipse, rtol=0.05)


def test_what_is_in_front_hides_what_is_behind() -> None:
    """Two balls along the line of sight: the near one is seen in its colour; and a wall before both hides them."""
    low, high = np.array([-1.0, -1.0, -1.0]), np.ones(3)
    camera = camera_of(np.array([low, high]), (320, 180))
    back = -camera.axes[2]
    pattern = {"near": {"kind": "grains", "radii": [0.3], "positions": [(0.5 * back).tolist()]},
               "far": {"kind": "grains", "radii": [0.3], "positions": [(-0.5 * back).tolist()]}}
    scene = gr.Scene(material={"stone": {"density": 1000.0}}, pattern=pattern)
    stage = Stage(gr.simulate(scene, until=0.1, interval=0.1))
    painter = SpacePainter(stage, Scale(stage, "kind"), False, [], (640, 360))
    picture = painter.picture(0)
    near, far = Scale(stage, "kind").colours(0)
    hue = picture.reshape(-1, 3).astype(float)
    hue = hue[hue.max(axis=1) - hue.min(axis=1) > 60.0]
    likely = [float(np.mean(np.argmax(hue, axis=1) == np.argmax(colour))) for colour in (near, far)]
    assert likely[0] > 0.6 > likely[1] > 0.0  # the far one shows only beside the near one


def heap(**pattern: Any) -> gr.Run:
    scene = gr.Scene(
        title="Heap", material={"stone": {"friction": 0.3, "density": 1000.0}}, load={"gravity": gravity(0.0, -9.81)},
        boundary={"floor": FLOOR},
        pattern={"sand": {"kind": "grains", "radii": [0.1, 0.12, 0.1],
                          "positions": [[0.5, 0.1], [0.75, 0.12], [0.61, 0.32]]}})
    return gr.simulate(scene, until=0.2, interval=0.05)


def test_forces_and_paths_are_drawn(tmp_path: Path) -> None:
    run = heap()
    plain, forced, traced = (np.asarray(Image.open(still(run, tmp_path / f"{k}.png", size=SIZE, **options))).astype(int)
                             for k, options in enumerate(({}, {"forces": True}, {"traces": ["sand-3"]})))
    red = (forced[..., 0] - forced[..., 1] > 80) & (forced[..., 2] < 110)
    assert red.sum() > 30
    assert not ((plain[..., 0] - plain[..., 1] > 80) & (plain[..., 2] < 110)).any()
    assert np.abs(traced - plain).max() > 100


@pytest.mark.parametrize("colour", ["speed", "size", "force", "coordination", "cluster", "none"])
def test_every_colouring(colour: str, tmp_path: Path) -> None:
    path = still(heap(), tmp_path / "heap.png", colour=colour, size=SIZE)
    assert np.asarray(Image.open(path)).std() > 5.0


def test_bodies_joints_and_reactions_in_plane_and_space(tmp_path: Path) -> None:
    """A pendulum that hangs at rest: bodies, joints and the arrow of its hinge, which points up and is red."""
    for zero in ((), (0.0,)):
        down = (0.0, *zero, -9.81) if zero else (0.0, -9.81)
        turned: dict[str, Any] = ({"orientation": (math.sqrt(0.5), 0.0, math.sqrt(0.5), 0.0)} if zero
                                  else {"angle": -0.5 * math.pi})
        scene = gr.Scene(
            body={"pin": gr.FixedPoint(position=(0.0, 0.0, *zero)), "rod": gr.Rod(length=1.0, mass=1.0, radius=0.02)},
            constraint={"hinge": gr.Hinge(between=("pin", "rod.tail"), **({"axis": (0.0, 1.0, 0.0)} if zero else {}))},
            start={"rod": gr.Start(position=(0.0, *zero, -0.5) if zero else (0.0, -0.5), **turned)},
            load={"gravity": gr.Gravity(acceleration=down)})
        run = gr.simulate(scene, until=0.1, interval=0.1)
        picture = np.asarray(Image.open(still(run, tmp_path / "p.png", forces=True, size=(640, 360)))).astype(int)
        red = np.argwhere((picture[..., 0] - picture[..., 1] > 90) & (picture[..., 2] < 110))
        assert len(red) > 25
        assert red[:, 0].mean() < 180  # in the upper half, where the pin is


def test_clear_words_for_what_cannot_be(plane: gr.Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with refused(GranumError, '"heat"', "speed, size, force"):
        film(plane, tmp_path / "a.mp4", colour="heat")
    with refused(GranumError, "a.avi", ".mp4, .gif or .webp"):
        film(plane, tmp_path / "a.avi")
    with refused(GranumError, "a.jpg", ".png"):
        still(plane, tmp_path / "a.jpg")
    with refused(GranumError, "64 to 7680 pixels"):
        still(plane, tmp_path / "a.png", size=(10, 10))
    with refused(GranumError, "rate = 0"):
        film(plane, tmp_path / "a.mp4", rate=0)
    with refused(GranumError, "every = 0"):
        film(plane, tmp_path / "a.mp4", every=0)
    with refused(GranumError, "seconds = -1"):
        film(plane, tmp_path / "a.mp4", seconds=-1.0)
    with refused(GranumError, '"sand"'):
        still(plane, tmp_path / "a.png", traces=["sand"])
    (tmp_path / "file").write_text("")
    with refused(GranumError, "a.png"):
        still(plane, tmp_path / "file" / "a.png", size=SIZE)
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with refused(GranumError, "pip install 'granum[view]'"):
        film(plane, tmp_path / "a.mp4", size=SIZE)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file"]


@pytest.mark.parametrize("ending", [".mp4", ".gif", ".webp"])
def test_nothing_is_left_of_a_film_that_was_stopped(ending: str, plane: gr.Run, tmp_path: Path) -> None:
    """Ctrl-C after some pictures; a film of that name that was there before stays."""
    path = tmp_path / f"film{ending}"
    path.write_bytes(b"before")

    def progress(done: int, of: int) -> None:
        if done == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        film(plane, path, seconds=1.0, size=SIZE, progress=progress)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    assert path.read_bytes() == b"before"


def test_the_camera_sees_everything() -> None:
    """All corners of any box are in the picture, and one of them is at its rim."""
    rng = np.random.default_rng(4)
    for _ in range(20):
        low = rng.normal(size=3)
        high = low + 10.0 ** rng.uniform(-2.0, 1.0, size=3)
        corners = np.array([[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])])
        camera = camera_of(corners, (320, 180))
        a = camera.seen(corners)
        places = camera.focal * a[:, :2] / a[:, 2:] / [160.0, 90.0]
        assert a[:, 2].min() > 0.0
        assert np.abs(places).max() <= 1.0 + 1e-6
        assert np.abs(places).max() > 0.9


def test_a_picture_fits_what_it_shows(space: gr.Run) -> None:
    """The hull of the first frame is that of two balls; the whole run reaches as far as the grain flies."""
    first, every = (contents(Stage(space), frames) for frames in ([0], range(11)))
    assert_allclose(first.min(axis=0), [-0.1, -0.1, -0.1], atol=0.005)
    assert_allclose(first.max(axis=0), [1.1, 0.7, 0.1], atol=0.005)
    assert_allclose(every.max(axis=0), [1.1, 0.7, 0.1], atol=0.005)
    camera = camera_of(first, (320, 180))
    seen = camera.seen(first)
    reach = np.abs(camera.focal * seen[:, :2] / seen[:, 2:] / [160.0, 90.0]).max(axis=0)
    assert_allclose(reach.max(), 1.0, atol=1e-3)


def test_a_tube_that_is_pulled_away_is_not_followed() -> None:
    """The box of a run ends near its grains, wherever the tube around them has gone; a drum stays in it."""
    tube = {"kind": "cylinder", "ends": [[0.0, 0.0, 0.0], [0.0, 0.0, 0.5]], "radius": -0.3, "closed": [False, False]}
    tops = []
    for motion in ({}, {"motion": {"velocity": [0.0, 0.0, 2.0]}}):
        scene = gr.Scene(material={"stone": {"density": 1000.0}},
                         boundary={"tube": {**tube, **motion}, "floor": GROUND},
                         pattern={"sand": {"kind": "grains", "radii": [0.1, 0.1],
                                           "positions": [[-0.15, 0.0, 0.1], [0.15, 0.0, 0.1]]}})
        stage = Stage(gr.simulate(scene, until=1.0, interval=0.5))
        tops.append(float(contents(stage, [2])[:, 2].max()))
    assert_allclose(tops[0], 0.5, atol=0.01)
    assert_allclose(tops[1], 0.2, atol=0.03)


def test_a_ball_throws_a_soft_shadow_on_the_floor() -> None:
    """The lamp is above on the left, before the picture: pixels on the far right side of the ball are darker floor."""
    pattern = {"ball": {"kind": "grains", "radii": [0.1], "positions": [[0.0, 0.0, 0.3]]},
               "far": {"kind": "grains", "radii": [0.02, 0.02], "positions": [[-0.6, -0.6, 0.02], [0.6, 0.6, 0.02]]}}
    scene = gr.Scene(material={"stone": {"density": 1000.0}}, boundary={"floor": GROUND}, pattern=pattern)
    stage = Stage(gr.simulate(scene, until=0.01, interval=0.01))
    painter = SpacePainter(stage, Scale(stage, "none"), False, [], (640, 360))
    painter.picture(0)
    # where the ray from the lamp through the ball meets the floor, in the picture
    ray = np.array(raster.LAMP) @ painter.camera.axes
    foot = np.array([0.0, 0.0, 0.3]) - ray * 0.3 / ray[2]
    x, y, z = painter.camera.seen(foot)
    rows, columns = painter._bright.shape
    row, column = (int(0.5 * painter.camera.focal * at / z + 0.5 * count) for at, count in ((y, rows), (x, columns)))
    assert painter._bright[row, column] < 0.1
    assert np.median(painter._bright) == 1.0
    assert ((painter._bright > 0.1) & (painter._bright < 0.9)).any()  # its rim


def test_chains_are_seen_through_grains_that_stay_visible(tmp_path: Path) -> None:
    """Two balls that press on each other in 3-D: red in their middle, pale around it, and not shrunk to beads."""
    pattern = {"sand": {"kind": "grains", "radii": [0.1, 0.1], "positions": [[0.0, 0.0, 0.1], [0.0, 0.0, 0.3]]}}
    scene = gr.Scene(material={"stone": {"density": 1000.0}}, boundary={"floor": GROUND}, pattern=pattern,
                     load={"gravity": gravity(0.0, 0.0, -9.81)})
    run = gr.simulate(scene, until=0.02, interval=0.01)
    plain, forced = (np.asarray(Image.open(still(run, tmp_path / "a.png", forces=forces, colour="none",
                                                 size=(640, 360)))).astype(int) for forces in (False, True))
    red = (forced[..., 0] - forced[..., 1] > 60) & (forced[..., 2] < 140)
    assert red.sum() > 100
    balls = plain[..., 2] - plain[..., 0] > 25  # light blue
    pale = balls & ~red
    assert pale.sum() > 5 * red.sum()
    assert forced[pale].mean() > plain[pale].mean() + 10.0
    assert (forced[pale].min(axis=1) < 250).mean() > 0.9


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("damping", [0.0, 5.0])
def test_springs_reach_from_end_to_end_and_show_what_they_are(dimension: int, damping: float) -> None:
    """A zigzag or a coil within its width; a damper has a pot beside it."""
    ends = np.array([[0.1, 0.2, 0.0], [0.5, -0.1, 0.0 if dimension == 2 else 0.3]])
    spring = gr.Spring(between=("a", "b"), stiffness=10.0, damping=damping)
    lines, pot = spring_shape(spring, ends, 0.06, dimension)
    points = np.concatenate(lines)
    assert (pot is not None) == (damping > 0.0)
    for end in ends:
        assert np.linalg.norm(points - end, axis=1).min() < 1e-12
    way = (ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0])
    off = np.linalg.norm(np.cross(points - ends[0], way), axis=1)
    assert_allclose(off.max(), 0.03 if pot is None else 0.06 * 1.1, rtol=0.01)
    if dimension == 2:
        assert not points[:, 2].any()
    assert spring_shape(spring, ends[[0, 0]], 0.06, dimension).lines == []


def test_springs_and_drives_are_drawn(tmp_path: Path) -> None:
    """The slider-crank has both: their colours are in the picture."""
    run = gr.simulate(gr.example("slider-crank"), until=0.02, interval=0.02)
    picture = np.asarray(Image.open(still(run, tmp_path / "p.png", colour="none", size=(640, 360))))
    for colour in ("#4A7A5C", SECOND):
        assert len(coloured(picture, to_rgb(colour))) > 30


def test_an_animation_plays_in_a_notebook_and_is_saved_elsewhere(
    plane: gr.Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown = plane.animate(seconds=0.4, size=SIZE)
    page = shown._repr_html_()
    assert page.startswith("<video controls") and 'title="Flight"' in page
    video = base64.b64decode(page.partition("base64,")[2].partition('"')[0])
    assert video[4:8] == b"ftyp"
    assert shown._repr_html_() == page  # drawn once
    assert read(shown.save(tmp_path / "film.gif"))[0].shape == (180, 320, 3)
    plane.animate(tmp_path / "film.webp", seconds=0.2, size=SIZE)
    assert (tmp_path / "film.webp").read_bytes()[8:12] == b"WEBP"
    assert repr(shown) == "<Animation of 'Flight': 0.4 s; animation.save('film.webp') writes it>"
    monkeypatch.setattr("granum.view.films.animation.find_spec", lambda name: None)
    picture = plane.animate(seconds=0.2, size=SIZE)._repr_html_()
    assert picture.startswith('<img alt="Flight" src="data:image/webp;base64,')
