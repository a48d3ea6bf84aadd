"""Patterns expanded: positions, velocities and links of the bodies each pattern stands for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import singledispatch

import numpy as np

from granum.base.kernels import Flags, Floats, Ints
from granum.model.patterns import Chain, LinkPattern, Net, Ring, Stack, Tree


@dataclass(frozen=True)
class Expansion:
    """Bodies and links of one pattern, numbered from 0 within it.

    The number -1 in a link stands for the body the pattern hangs `from`, -2 for the one it runs `to`.
    """

    position: Floats
    """(count, dimension) [m], relative to the `from` body where there is one."""
    velocity: Floats
    """(count, dimension) [m/s]."""
    tail: Ints
    head: Ints
    length: Floats
    """Length of each link [m]."""
    fixed: Flags
    """Which bodies are fixed points."""
    columns: int = 0
    """Columns of a grid, for names by row and column."""


def dimensions(pattern: LinkPattern) -> dict[str, int]:
    """Number of components of each vector of a pattern; `angles` are for the plane."""
    components = {
        key: len(value)
        for key in ("position", "direction", "centre", "velocity", "axis", "across", "down")
        if (value := getattr(pattern, key, None)) is not None
    }
    return components | {"angles": 2} if getattr(pattern, "angles", None) is not None else components


@singledispatch
def expand(pattern: LinkPattern, dimension: int, seed: int) -> Expansion:
    """Expand a pattern in a scene of the given dimension; `seed` feeds what is random in it."""
    raise TypeError(f"no pattern: {pattern!r}")


def _row(steps: Floats, hangs: bool, length: float, velocity: tuple[float, ...] | None, to: bool) -> Expansion:
    """A row of bodies; steps are the vectors of its links, the first from the body it hangs from, if it does."""
    position = np.cumsum(steps, axis=0)
    if not hangs:
        position = np.vstack([np.zeros(steps.shape[1]), position])
    count = len(position)
    numbers = np.arange(-1 if hangs else 0, count)
    if to:
        numbers = np.append(numbers, -2)
    return Expansion(
        position, np.tile(velocity if velocity is not None else np.zeros(steps.shape[1]), (count, 1)),
        numbers[:-1], numbers[1:], np.full(len(numbers) - 1, length), np.zeros(count, dtype=np.bool_),
    )


@expand.register
def _(pattern: Chain, dimension: int, seed: int) -> Expansion:
    links = pattern.count - (pattern.from_ is None)
    if pattern.direction is not None:
        steps = np.tile(pattern.length * _unit(pattern.direction), (links, 1))
    else:
        angles = np.broadcast_to(np.asarray(pattern.angles, dtype=float), (links,))
        steps = pattern.length * np.column_stack([np.cos(angles), np.sin(angles)])
    return _row(steps, pattern.from_ is not None, pattern.length, pattern.velocity, pattern.to is not None)


@expand.register
def _(pattern: Stack, dimension: int, seed: int) -> Expansion:
    links = pattern.count - (pattern.from_ is None)
    length = pattern.height / max(links, 1)
    angles = np.full(links, pattern.tilt)
    if pattern.scatter:
        angles += np.random.default_rng(seed).uniform(-pattern.scatter, pattern.scatter, links)
    steps = np.zeros((links, dimension))
    steps[:, 0], steps[:, -1] = length * np.sin(angles), length * np.cos(angles)
    return _row(steps, pattern.from_ is not None, length, None, False)


@expand.register
def _(pattern: Ring, dimension: int, seed: int) -> Expansion:
    count = pattern.count
    first, second = _plane(pattern.axis if pattern.axis else (0.0, 0.0, 1.0), dimension)
    angle = (2.0 * np.pi / count * np.arange(count))[:, None]
    arm = pattern.radius * (np.cos(angle) * first + np.sin(angle) * second)
    swing = pattern.radius * (np.cos(angle) * second - np.sin(angle) * first)
    numbers = np.arange(count)
    chord = 2.0 * pattern.radius * np.sin(np.pi / count)
    return Expansion(
        np.asarray(pattern.centre) + arm, pattern.angular_velocity * swing,
        numbers, np.roll(numbers, -1), np.full(count, chord), np.zeros(count, dtype=np.bool_),
    )


@expand.register
def _(pattern: Net, dimension: int, seed: int) -> Expansion:
    rows, columns = pattern.rows, pattern.columns
    grid = np.arange(rows * columns).reshape(rows, columns)
    row, column = np.divmod(np.arange(rows * columns), columns)
    across, down = pattern.spacing * _unit(pattern.across), pattern.spacing * _unit(pattern.down)
    position = column[:, None] * across + row[:, None] * down
    pairs = [(grid[:, :-1], grid[:, 1:]), (grid[:-1, :], grid[1:, :])]
    if pattern.braced:
        pairs.append((grid[:-1, :-1], grid[1:, 1:]))
    tail = np.concatenate([a.ravel() for a, _ in pairs])
    head = np.concatenate([b.ravel() for _, b in pairs])
    first_row, first_column = row == 0, column == 0
    last_row, last_column = row == rows - 1, column == columns - 1
    fixed = {
        "none": np.zeros(rows * columns, dtype=np.bool_),
        "corners": (first_row | last_row) & (first_column | last_column),
        "first-row": first_row,
        "border": first_row | last_row | first_column | last_column,
    }[pattern.fixed]
    between_fixed = fixed[tail] & fixed[head]  # such a link would do nothing
    tail, head = tail[~between_fixed], head[~between_fixed]
    length = np.linalg.norm(position[head] - position[tail], axis=1)
    return Expansion(position, np.zeros_like(position), tail, head, length, fixed, columns)


@expand.register
def _(pattern: Tree, dimension: int, seed: int) -> Expansion:
    directions = [_unit(pattern.direction)[None, :]]
    parents = [np.array([-1])]
    offset = 0
    for _level in range(1, pattern.depth):
        above = directions[-1]
        directions.append(np.concatenate([_branches(d, pattern.branching, pattern.spread) for d in above]))
        parents.append(np.repeat(np.arange(offset, offset + len(above)), pattern.branching))
        offset += len(above)
    parent, steps = np.concatenate(parents), pattern.length * np.concatenate(directions)
    hangs = pattern.from_ is not None
    if not hangs:  # a body of its own at the beginning of the stem
        parent = np.concatenate([[-1], parent + 1])
        steps = np.vstack([np.zeros(dimension), steps])
    position = steps.copy()
    for k in range(0 if hangs else 1, len(position)):
        if parent[k] >= 0:
            position[k] += position[parent[k]]
    linked = np.arange(0 if hangs else 1, len(position))
    return Expansion(
        position, np.zeros_like(position), parent[linked], linked, np.full(len(linked), pattern.length),
        np.zeros(len(position), dtype=np.bool_),
    )


def _branches(stem: Floats, count: int, spread: float) -> Floats:
    """Directions of the branches at the end of a stem: a fan in the plane, a cone in space."""
    if len(stem) == 2:
        angles = np.linspace(-spread / 2, spread / 2, count) if count > 1 else np.zeros(1)
        cosine, sine = np.cos(angles), np.sin(angles)
        return np.column_stack([cosine * stem[0] - sine * stem[1], sine * stem[0] + cosine * stem[1]])
    first, second = _plane(tuple(stem), 3)
    around = (2.0 * np.pi / count * np.arange(count))[:, None]
    half = spread / 2 if count > 1 else 0.0
    branches: Floats = np.cos(half) * stem + np.sin(half) * (np.cos(around) * first + np.sin(around) * second)
    return branches


def _plane(axis: tuple[float, ...], dimension: int) -> tuple[Floats, Floats]:
    """Two unit vectors that span the plane normal to an axis (in the plane: the x and y axes)."""
    if dimension == 2:
        return np.array([1.0, 0.0]), np.array([0.0, 1.0])
    normal = _unit(axis)
    helper = np.eye(3)[np.argmin(np.abs(normal))]
    first = _unit(tuple(helper - (helper @ normal) * normal))
    return first, np.cross(normal, first)


def _unit(vector: tuple[float, ...]) -> Floats:
    value = np.asarray(vector, dtype=float)
    unit: Floats = value / np.linalg.norm(value)
    return unit
