"""Films and stills: the right number of pictures, everything in its place, and nothing left of what fails."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from PIL import Image

import granum as gr
from grain_scenes import FLOOR, gravity
from granum.base.errors import GranumError
from granum.view.films import film, still
from granum.view.films.camera import camera_of
from granum.view.films.film import _frames
from granum.view.films.flat import FlatPainter
from granum.view.films.scale import Scale
from granum.view.films.space import SpacePainter
from granum.view.stage import Stage

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


@pytest.mark.parametrize("ending", [".mp4", ".gif"])
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
        for (x, y), z in zip(places, centres[:, 2], strict=True):
            r = int(painter.camera.focal / 2.0 * 0.1 / z)
            rows, columns = np.mgrid[:height, :width]
            near = np.hypot(columns + 0.5 - x, rows + 0.5 - y) < 1.5 * r
            seen = np.argwhere(near & (picture.min(axis=2) < 250))
            assert_allclose(seen.mean(axis=0) + 0.5, [y, x], atol=1.5)
            assert_allclose(len(seen), math.pi * r * r, rtol=0.15)


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
    with pytest.raises(GranumError, match=r'no colouring "heat".*speed, size, force'):
        film(plane, tmp_path / "a.mp4", colour="heat")
    with pytest.raises(GranumError, match=r"a.avi: films are written as .mp4, .gif or .webp"):
        film(plane, tmp_path / "a.avi")
    with pytest.raises(GranumError, match=r"a.jpg: stills are written as .png"):
        still(plane, tmp_path / "a.jpg")
    with pytest.raises(GranumError, match="64 to 7680 pixels"):
        still(plane, tmp_path / "a.png", size=(10, 10))
    with pytest.raises(GranumError, match="rate = 0"):
        film(plane, tmp_path / "a.mp4", rate=0)
    with pytest.raises(GranumError, match="every = 0"):
        film(plane, tmp_path / "a.mp4", every=0)
    with pytest.raises(GranumError, match="seconds = -1"):
        film(plane, tmp_path / "a.mp4", seconds=-1.0)
    with pytest.raises(GranumError, match='no grain or body "sand"'):
        still(plane, tmp_path / "a.png", traces=["sand"])
    (tmp_path / "file").write_text("")
    with pytest.raises(GranumError, match=r"cannot be written: .*Name another place"):
        still(plane, tmp_path / "file" / "a.png", size=SIZE)
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(GranumError, match=r"pip install 'granum\[view\]'"):
        film(plane, tmp_path / "a.mp4", size=SIZE)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file"]


@pytest.mark.parametrize("ending", [".mp4", ".gif"])
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
