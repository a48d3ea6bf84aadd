"""Accelerations and link forces do not depend on names, order, direction of links, place or frame."""

from __future__ import annotations

import numpy as np
from hypothesis import assume, given
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

import granum as gr
from granum.base.kernels import Floats
from trusses import Shape, shapes, truss, well_posed

# rounding, grown by the condition number of H (below 1e3) and by sums over some ten links
ACCURACY = 1e-11


def motion(scene: gr.Scene) -> tuple[dict[str, Floats], dict[str, float]]:
    """Acceleration of every body and force of every link by name."""
    equations = gr.derive(scene)
    q, v = equations.start
    a = equations.accelerations(q, v).reshape(equations.system.dimension, -1)
    names = [name[2:-1] for name in equations.coordinates[: a.shape[1]]]
    return dict(zip(names, a.T, strict=True)), equations.reactions(q, v)


def assert_same_motion(
    found: tuple[dict[str, Floats], dict[str, float]], expected: tuple[dict[str, Floats], dict[str, float]]
) -> None:
    for one, other in zip(found, expected, strict=True):
        assert one.keys() == other.keys()
        wanted = np.array([other[name] for name in one])
        size = 1.0 + np.abs(wanted).max(initial=0.0)
        assert_allclose(np.array([one[name] for name in one]), wanted, rtol=0, atol=ACCURACY * size)


@given(shapes(springs=3))
def test_order_and_direction_do_not_matter(shape: Shape) -> None:
    """Bodies, links and loads in another order and links turned round: the same forces, tension positive."""
    scene = truss(shape)
    assume(well_posed(scene))
    rng = np.random.default_rng(shape.seed + 1)

    def shuffled(section: dict[str, object]) -> dict[str, object]:
        names = list(section)
        return {names[k]: section[names[k]] for k in rng.permutation(len(names))}

    turned = {name: gr.Link(between=link.between[::-1] if rng.random() < 0.5 else link.between)
              for name, link in scene.link.items()}
    other = gr.Scene(body=shuffled(scene.body), start=shuffled(scene.start), link=shuffled(turned),
                     load=shuffled(scene.load))
    assert_same_motion(motion(other), motion(scene))


@given(shapes(springs=3))
def test_a_scene_that_is_turned_and_moved_moves_the_same_way(shape: Shape) -> None:
    """All vectors turned by R, all points moved by s: accelerations turned by R, forces the same."""
    scene = truss(shape)
    assume(well_posed(scene))
    rng = np.random.default_rng(shape.seed + 1)
    s = rng.normal(size=shape.dimension)
    if shape.dimension == 3:
        R = Rotation.random(rng=rng).as_matrix()
    else:
        angle = rng.uniform(0.0, 2.0 * np.pi)
        R = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])

    def turned(vector: tuple[float, ...], shift: Floats | float = 0.0) -> tuple[float, ...]:
        return tuple(R @ np.array(vector) + shift)

    body = scene.body | {name: gr.FixedPoint(position=turned(body.position, s))
                         for name, body in scene.body.items() if isinstance(body, gr.FixedPoint)}
    start = {name: gr.Start(position=turned(start.position, s), velocity=turned(start.velocity))
             for name, start in scene.start.items()}
    load = scene.load | {
        "gravity": gr.Gravity(acceleration=turned(scene.load["gravity"].acceleration)),
        "push": gr.Force(on=scene.load["push"].on, force=turned(scene.load["push"].force)),
    }
    accelerations, forces = motion(scene)
    expected = {name: R @ a for name, a in accelerations.items()}
    moved = gr.Scene(body=body, start=start, link=scene.link, load=load)
    assert_same_motion(motion(moved), (expected, forces))
