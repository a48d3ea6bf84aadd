"""Pictures of grains: what is drawn is where it should be, and as large."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.collections import EllipseCollection, LineCollection
from matplotlib.figure import Figure
from numpy.testing import assert_allclose

from granum.base.errors import GranumError
from granum.base.kernels import Floats
from granum.model.boundaries import Motion
from granum.model.scene import Scene
from granum.view import style
from granum.view.pictures.grains import Snapshot, before_and_after, limits_of, picture
from granum.view.pictures.outlines import Poses, extent, skeletons
from granum.view.shapes.boundaries import outline_of
from granum.view.stage import Chains
from granum.view.stage.poses import STILL, brought_back, placed, prescribed, since
from messages import refused

RADII = np.array([0.1, 0.2, 0.3])
PLACES = np.array([[0.0, 0.0, 0.0], [1.0, 0.5, -0.3], [0.4, 1.0, 0.7]])
SPEED = {"speed": np.linalg.norm(PLACES, axis=1)}
CHAINS = Chains(PLACES[[0, 2]], np.array([PLACES[1], [0.4, 1.3, 0.7]]), np.array([5.0, 2.0]),
                np.array([[0, 1], [2, -1]]))
KINDS = {
    "plane": {"kind": "plane", "position": [0.0, -1.0], "normal": [0.0, 2.0]},
    "wall": {"kind": "wall", "positions": [[-1.0, 0.0], [0.0, 1.0]]},
    "arc": {"kind": "wall", "positions": [[0.0, 1.0], [1.0, 1.0]], "radius": 0.5},
    "disk": {"kind": "disk", "centre": [2.0, 0.0], "radius": 0.3},
    "hole": {"kind": "disk", "centre": [-2.0, 0.0], "radius": -0.5},
    "box": {"kind": "box", "lower": [2.5, -1.0], "upper": [3.5, 1.0], "open": ["+y"]},
    "hopper": {"kind": "hopper", "position": [0.0, -0.8], "opening": 0.3, "width": 1.0, "funnel_height": 0.4,
               "height": 0.5},
    "surface": {"kind": "implicit-surface", "equation": "(X - 1)**2/0.2 + Y**2/0.1 = 1"},
}
IN_SPACE = {
    "plane": {"kind": "plane", "position": [0.0, 0.0, -1.0], "normal": [0.0, 1.0, 1.0]},
    "front": {"kind": "plane", "position": [0.0, -1.0, 0.0], "normal": [0.0, 1.0, 0.0]},
    "wall": {"kind": "wall", "positions": [[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 1.0]]},
    "sphere": {"kind": "sphere", "centre": [2.0, 0.0, 0.0], "radius": 0.3},
    "box": {"kind": "box", "lower": [-2.5, -1.0, -1.0], "upper": [3.5, 1.0, 1.0]},
    "cylinder": {"kind": "cylinder", "ends": [[2.5, 0.0, -0.5], [2.5, 0.0, 0.5]], "radius": -0.2},
    "hopper": {"kind": "hopper", "position": [0.0, 0.0, -0.8], "opening": 0.3, "width": 1.0, "height": 0.5},
    "surface": {"kind": "implicit-surface", "equation": "X**2 + Y**2 + Z**2 - 1"},
}


def scene(boundary: dict[str, dict[str, object]]) -> Scene:
    return Scene(title="A test", boundary=boundary, material={"stone": {"density": 2500.0}})


def panels(drawn: Figure) -> list[Axes]:
    """The axes with a picture, without bars of colours."""
    return [axis for axis in drawn.axes if axis.get_title()]


def lines_of(axis: Axes) -> list[Floats]:
    """All straight lines of an axis, in the order of drawing."""
    return [np.asarray(line) for found in axis.collections if isinstance(found, LineCollection)
            for line in found.get_segments()]


def test_disks_are_where_and_as_large_as_grains() -> None:
    drawn = picture(Snapshot(PLACES, RADII, values=SPEED), title="here")
    axis = panels(drawn)[0]
    grains = next(found for found in axis.collections if isinstance(found, EllipseCollection))
    assert_allclose(grains.get_offsets(), PLACES[:, :2])
    assert_allclose(grains.get_widths(), 2.0 * RADII)
    assert_allclose(grains.get_heights(), 2.0 * RADII)
    assert (axis.get_title(), axis.get_xlabel(), axis.get_ylabel()) == ("here", "x [m]", "y [m]")
    assert axis.get_aspect() == 1.0
    left, right = axis.get_xlim()
    assert left < -0.1 and right > 1.2
    plt.close(drawn)


def test_a_disk_fills_its_area_of_the_picture(tmp_path: Path) -> None:
    """Count coloured pixels: π r² of the picture's square, to the width of a rim."""
    file = tmp_path / "one.png"
    drawn = picture(Snapshot(np.zeros((1, 3)), np.array([0.5])), colour="none", limits=(-1.0, 1.0, -1.0, 1.0))
    drawn.savefig(file, dpi=drawn.dpi)
    box = drawn.axes[0].get_window_extent()
    plt.close(drawn)
    pixels = plt.imread(file)[..., :3]
    blue = np.count_nonzero(pixels[..., 2] > pixels[..., 0] + 0.1)
    assert blue / (box.width * box.height / 4.0) == pytest.approx(math.pi * 0.25, rel=0.02)


def test_spheres_hide_those_behind_and_pale_with_distance() -> None:
    drawn = picture(Snapshot(PLACES, RADII, 3), colour="none")
    axis = panels(drawn)[0]
    grains = next(found for found in axis.collections if isinstance(found, EllipseCollection))
    assert_allclose(grains.get_offsets(), PLACES[[2, 1, 0]][:, [0, 2]])  # the nearest has the least y and comes last
    whiteness = np.asarray(grains.get_facecolor())[:, :3].sum(axis=1)
    assert whiteness[0] > whiteness[1] > whiteness[2]
    assert axis.get_ylabel() == "z [m]"
    plt.close(drawn)


def test_force_chains_are_as_wide_as_forces() -> None:
    shown = Snapshot(PLACES, RADII, values={"force": np.array([5.0, 5.0, 2.0])}, chains=CHAINS)
    drawn = picture(shown, colour="force", forces=True)
    axis = panels(drawn)[0]
    chains = next(found for found in axis.collections if isinstance(found, LineCollection))
    assert_allclose(chains.get_linewidths(), [5.0, 2.0])
    assert_allclose(chains.get_segments(), [[[0.0, 0.0], [1.0, 0.5]], [[0.4, 1.0], [0.4, 1.3]]])
    assert any("[N]" in one.get_ylabel() for one in drawn.axes)
    plt.close(drawn)


def test_arcs_bulge_to_the_side_of_their_sign() -> None:
    for radius in (0.5, -0.5, 2.0, -2.0):
        wall = scene({"arc": {"kind": "wall", "positions": [[0.0, 0.0], [1.0, 0.0]], "radius": radius}}).boundary["arc"]
        line = outline_of(wall, 2).lines[0]
        assert_allclose(line[[0, -1]], [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]], atol=1e-12)
        height = math.copysign(abs(radius) - math.sqrt(radius**2 - 0.25), radius)
        assert line[:, 1][np.argmax(np.abs(line[:, 1]))] == pytest.approx(height)
        centre = np.array([0.5, height - radius, 0.0])
        assert_allclose(np.linalg.norm(line - centre, axis=1), abs(radius))


def test_planes_cross_the_whole_picture() -> None:
    drawn = picture(Snapshot(PLACES - [0.0, 0.4, 0.0], RADII), scene({"plane": KINDS["plane"]}), colour="size",
                    limits=(-3.0, 4.0, -2.0, 2.0))
    ends = lines_of(panels(drawn)[0])[0]
    assert_allclose(ends[:, 1], -1.0)
    assert ends[:, 0].min() <= -3.0 and ends[:, 0].max() >= 4.0
    plt.close(drawn)
    # a plane in space that leans toward the picture: z + y = -1, cut at the mean depth of the grains y = 0.5
    drawn = picture(Snapshot(PLACES, RADII, 3), scene({k: IN_SPACE[k] for k in ("plane", "front")}), colour="size")
    lines = lines_of(panels(drawn)[0])
    assert len(lines) == 1  # the one in front is parallel to the picture
    assert_allclose(lines[0][:, 1], -1.5)
    plt.close(drawn)


def test_boundaries_with_an_end_are_in_the_picture() -> None:
    """As far as a twentieth of the heap beyond the grains; without grains, all of them."""
    assert_allclose(extent(scene(KINDS), 2).min(axis=0), [-2.5, -1.0])
    assert_allclose(extent(scene(KINDS), 2).max(axis=0), [3.5, 1.5])
    left, right, low, high = limits_of([Snapshot(PLACES, RADII)], scene(KINDS))
    size = 1.3  # of the heap, along x
    assert left == pytest.approx(-0.1 - 0.05 * size, abs=0.05 * size) and left < -0.1 - 0.05 * size
    assert right > 1.2 + 0.05 * size and low < -0.1 - 0.05 * size and high > 1.3 + 0.05 * size
    left, right, low, high = limits_of([Snapshot(np.zeros((0, 3)), np.zeros(0))], scene(KINDS))
    assert left < -2.5 and right > 3.5 and low < -1.0 and high > 1.5


@pytest.mark.parametrize(("kinds", "dimension"), [(KINDS, 2), (IN_SPACE, 3)])
def test_every_kind_is_drawn(kinds: dict[str, dict[str, object]], dimension: int) -> None:
    """Each alone adds lines, patches or contours to the picture; a plane parallel to the picture does not."""
    for name, kind in kinds.items():
        drawn = picture(Snapshot(PLACES, RADII, dimension), scene({name: kind}), colour="none",
                        limits=(-4.0, 4.0, -4.0, 4.0))
        axis = panels(drawn)[0]
        contours = [found for found in axis.collections if not isinstance(found, EllipseCollection | LineCollection)]
        assert bool(lines_of(axis) or axis.patches or contours) == (name != "front"), name
        plt.close(drawn)


def test_an_implicit_curve_is_drawn_where_it_is() -> None:
    drawn = picture(Snapshot(PLACES, RADII), scene({"surface": KINDS["surface"]}), limits=(-1.0, 3.0, -1.0, 1.0),
                    colour="none")
    axis = panels(drawn)[0]
    curve = next(found for found in axis.collections if not isinstance(found, EllipseCollection | LineCollection))
    x, y = np.concatenate([path.vertices for path in curve.get_paths()]).T
    assert_allclose((x - 1.0) ** 2 / 0.2 + y**2 / 0.1, 1.0, atol=0.02)  # straight between points of the grid
    plt.close(drawn)


def test_moving_boundaries_are_drawn_where_they_are_by_then() -> None:
    motion = Motion(velocity=(1.0, 0.0), amplitude=(0.0, 0.5), frequency=0.25, angular_velocity=math.pi / 4.0,
                    centre=(1.0, 1.0), start_time=1.0, until=3.0)
    points = np.array([[2.0, 1.0, 0.0]])
    # turned by a quarter about (1, 1), gone 2 along x, and 0.5 sin(2π) up at t = 4
    assert_allclose(placed(prescribed(motion, 4.0), points), [[3.0, 2.0, 0.0]], atol=1e-12)
    assert_allclose(placed(prescribed(motion, 1.0), points), [[2.0, 1.5, 0.0]], atol=1e-12)
    pose = prescribed(motion, 2.3)
    assert_allclose(brought_back(pose, placed(pose, points)), points, atol=1e-12)


def test_before_and_after_share_limits_and_colours(tmp_path: Path) -> None:
    before = Snapshot(PLACES, RADII, values=SPEED)
    after = Snapshot(PLACES + 2.0 * np.eye(3)[0], RADII, t=12.5, values={"speed": 0.1 * SPEED["speed"]})
    drawn = before_and_after(before, after, scene(KINDS))
    top, bottom = panels(drawn)
    assert top.get_xlim() == bottom.get_xlim()
    assert (top.get_title(), bottom.get_title()) == ("t = 0 s, 3 grains", "t = 12.5 s, 3 grains")
    colours = [next(found for found in axis.collections if isinstance(found, EllipseCollection)).get_facecolor()
               for axis in (top, bottom)]
    assert not np.allclose(colours[0][1:], colours[1][1:])  # slower grains are darker on the same scale
    assert top.get_position().y0 > bottom.get_position().y1
    assert style.save(drawn, tmp_path / "both.png").stat().st_size > 5000


def test_what_is_missing_is_named() -> None:
    bare = Snapshot(PLACES, RADII)
    with refused(GranumError, "velocities"):
        picture(bare)
    with refused(GranumError, "contacts"):
        picture(bare, colour="force")
    with refused(GranumError, '"sped"'):
        picture(bare, colour="sped")
    with refused(GranumError):
        picture(bare, colour="none", forces=True)
    with refused(GranumError):
        picture(Snapshot(np.zeros((0, 3)), np.zeros(0)), colour="none")


def test_walls_rods_and_blocks_are_drawn_where_their_bodies_are() -> None:
    """A body that started at (1, 0), is at (0, 2) now and turned by a right angle, with a wall, a rod and a block."""
    half = math.sqrt(0.5)
    start, now = np.array([1.0, 0.0, 0.0, *STILL[3:]]), np.array([0.0, 2.0, 0.0, half, 0.0, 0.0, half])
    scene = Scene(boundary={"leaf": {"kind": "wall", "positions": [[1.0, 0.0], [1.5, 0.0]], "body": "rod"}},
                  body={"rod": {"kind": "rod", "length": 1.0, "mass": 1.0},
                        "block": {"kind": "block", "size": [0.4, 0.2], "mass": 1.0}})
    poses = Poses({"leaf": since(start, now)}, {"rod": now, "block": now})
    line = outline_of(scene.boundary["leaf"], 2).lines[0]
    found = placed(poses.boundaries["leaf"], line)
    # lengths up to 2.5 m are rounded to 4e-16 m: twenty roundings
    assert_allclose(found, [[0.0, 2.0, 0.0], [0.0, 2.5, 0.0]], atol=1e-14)
    assert_allclose(brought_back(poses.boundaries["leaf"], found), line, atol=1e-14)
    rod, block = skeletons(scene, poses)
    assert_allclose(rod, [[0.0, 1.5, 0.0], [0.0, 2.5, 0.0]], atol=1e-14)
    assert_allclose(np.ptp(block, axis=0), [0.2, 0.4, 0.0], atol=1e-14)
    assert_allclose(extent(scene, 2, poses, moving=True).max(axis=0), [0.1, 2.5], atol=1e-14)
