"""Random linked systems for property tests, and Hypothesis strategies that draw them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from hypothesis import strategies as st
from scipy.linalg import null_space

import granum as gr
from dense import dense


@dataclass(frozen=True)
class Shape:
    """What a random system is made of."""

    seed: int
    bodies: int
    extra: int
    """Links beyond those of a spanning tree; each closes a loop."""
    dimension: int = 2
    fixed: int = 1
    springs: int = 0
    grid: bool = False
    """On a grid many links are collinear and parallel, so that H is often singular."""


def shapes(
    *, most: int = 9, extra: int = 6, dimensions: tuple[int, ...] = (2, 3), springs: int = 0,
    grid: bool = False,
) -> st.SearchStrategy[Shape]:
    """Shapes of up to `most` bodies."""
    return st.builds(
        Shape, seed=st.integers(0, 10**6), bodies=st.integers(1, most), extra=st.integers(0, extra),
        dimension=st.sampled_from(dimensions), fixed=st.integers(0, 2), springs=st.integers(0, springs),
        grid=st.just(grid),
    )


def truss(shape: Shape) -> gr.Scene:
    """A connected random system with velocities that its links allow."""
    rng = np.random.default_rng(shape.seed)
    names = [f"fixed-{k}" for k in range(shape.fixed)] + [f"body-{k}" for k in range(shape.bodies)]
    points = _points(rng, len(names), shape)
    pairs = [(int(rng.integers(k)), k) for k in range(max(1, shape.fixed), len(names))]
    spare = [pair for pair in _pairs(names, shape) if pair not in pairs]
    pairs += [spare[k] for k in rng.permutation(len(spare))[: shape.extra]]
    ends = [(names[i], names[j]) if rng.random() < 0.5 else (names[j], names[i]) for i, j in pairs]
    movable = names[shape.fixed :]
    scene = gr.Scene(
        body={name: gr.FixedPoint(position=tuple(points[k])) if k < shape.fixed
              else gr.PointMass(mass=rng.uniform(0.5, 2.0)) for k, name in enumerate(names)},
        start={name: gr.Start(position=tuple(points[shape.fixed + k])) for k, name in enumerate(movable)},
        link={f"link-{k}": gr.Link(between=between) for k, between in enumerate(ends)},
        load={"gravity": gr.Gravity(acceleration=tuple(rng.normal(size=shape.dimension))),
              "push": gr.Force(on=movable[0], force=tuple(rng.normal(size=shape.dimension)))}
        | _springs(rng, names, shape),
    )
    return moving(scene, rng)


def _points(rng: np.random.Generator, count: int, shape: Shape) -> np.ndarray:
    """Points at random in a box or on a grid, no two at one place."""
    if not shape.grid:
        return rng.uniform(-2.0, 2.0, (count, shape.dimension))
    places = np.stack(np.meshgrid(*[np.arange(4.0)] * shape.dimension), axis=-1).reshape(-1, shape.dimension)
    return places[rng.permutation(len(places))[:count]]


def _pairs(names: list[str], shape: Shape) -> list[tuple[int, int]]:
    """All pairs of which one can move."""
    return [pair for pair in combinations(range(len(names)), 2) if pair[1] >= shape.fixed]


def _springs(rng: np.random.Generator, names: list[str], shape: Shape) -> dict[str, gr.Spring]:
    pairs = _pairs(names, shape)
    chosen = rng.permutation(len(pairs))[: shape.springs]
    return {
        f"spring-{k}": gr.Spring(
            between=(names[pairs[k][0]], names[pairs[k][1]]), stiffness=rng.uniform(0.0, 20.0),
            rest_length=rng.uniform(0.0, 2.0), damping=rng.uniform(0.0, 1.0),
        )
        for k in chosen
    }


def moving(scene: gr.Scene, rng: np.random.Generator) -> gr.Scene:
    """The scene with random velocities that change no length: the null space of J, times chance."""
    found = dense(scene)
    allowed = np.vstack([found.J, np.diag((np.diag(found.W) == 0.0).astype(float))])
    free = null_space(allowed, rcond=1e-9)
    v = (free @ rng.normal(size=free.shape[1])).reshape(found.state.x.shape)
    start = {
        name: gr.Start(position=tuple(found.state.x[:, k]), velocity=tuple(v[:, k]))
        for k, name in ((k, found.system.body_name(k)) for k in np.flatnonzero(~found.system.fixed))
    }
    return scene.model_copy(update={"start": start})


def well_posed(scene: gr.Scene, largest: float = 1e3) -> bool:
    """Are the link forces unique, and known to all but three digits of rounding?"""
    H = dense(scene).H
    return len(H) == 0 or bool(np.linalg.cond(H) < largest)
