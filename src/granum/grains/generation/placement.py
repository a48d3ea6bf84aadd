"""Sizes and positions of many grains: radii from a distribution, random addition without overlap, lattices.

Everything random comes from streams of one seed, each named after what it is for: the same seed gives the same bits,
and a pattern or source added to a scene leaves the others as they are.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from granum.base.errors import GranumError
from granum.base.kernels import Flags, Floats, Ints, kernel
from granum.grains.geometry.regions import Geometry
from granum.grains.search.insertion import Buckets, hit, make_buckets, put, put_all
from granum.model.body_entries import ball_volume
from granum.model.grains import Sizes
from granum.state.table import R, X, Y, Z

Distance = Callable[[Floats], Floats]
"""Smallest signed distance of each point (n, 3) to any boundary [m]."""

GAP = 1e-9
"""Relative distance between neighbours of a lattice."""
MOST_SITES = 2e7
"""Sites of a lattice, of which each takes some hundred bytes while grains are placed."""
DENSEST = {2: math.pi / math.sqrt(12.0), 3: math.pi / math.sqrt(18.0)}
"""Largest packing fraction of equal disks (Thue, Fejes Tóth) and spheres (Kepler, Hales)."""
DENSEST_MIXED = 0.97
"""Above this not even a mixture of sizes is taken for possible."""
SATURATION = {2: 0.547, 3: 0.384}
"""Fraction at which random addition of equal disks (Feder 1980: 0.547) and spheres (Torquato 2006: 0.384) ends."""
MOST = 20_000_000
"""Grains of a pattern (model.quantities.Count)."""
NO_GRAINS = np.zeros((0, 4))


def stream(seed: int, kind: str, name: str, *more: int) -> np.random.Generator:
    """The random numbers of one pattern or source (or of one of its batches)."""
    key = [len(kind), *kind.encode(), len(name.encode()), *name.encode(), *more]
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=tuple(key)))


def draw_radii(sizes: Sizes, count: int, rng: np.random.Generator) -> Floats:
    """Radii of `count` grains [m] from a distribution by number (Sun 1996, eq. 4.27 for the uniform one)."""
    if sizes.values is not None:
        weights = np.ones(len(sizes.values)) if sizes.weights is None else np.array(sizes.weights)
        return rng.choice(np.array(sizes.values), size=count, p=weights / weights.sum())
    if sizes.mean is not None and sizes.standard_deviation is not None:
        radii: Floats = rng.normal(sizes.mean, sizes.standard_deviation, count)
        while len(outside := np.flatnonzero(np.abs(radii - sizes.mean) > 3.0 * sizes.standard_deviation)):
            radii[outside] = rng.normal(sizes.mean, sizes.standard_deviation, len(outside))
        return radii
    assert sizes.minimum is not None and sizes.maximum is not None
    return sizes.minimum + (sizes.maximum - sizes.minimum) * rng.random(count)


def radii_for_fraction(sizes: Sizes, fraction: float, volume: float, dimension: int,
                       rng: np.random.Generator) -> Floats:
    """As many radii as fill the given part of a volume, to the nearest grain."""
    target = fraction * volume
    radii = draw_radii(sizes, 256, rng)
    while (total := float(np.sum(ball_volume(radii, dimension)))) < 1.5 * target:
        count = target / total * len(radii)
        if count > MOST:
            raise GranumError(f"Filling {fraction:g} of the region needs about {count:.3g} grains, but at most 20 "
                              "million are supported; use larger grains or a smaller region.")
        radii = np.concatenate([radii, draw_radii(sizes, max(256, int(1.6 * count) - len(radii)), rng)])
    filled = np.cumsum(ball_volume(radii, dimension))
    count = 1 + int(np.argmin(np.abs(filled - target)))
    return radii[:count]


def check_possible(room: Geometry, radii: Floats) -> float:
    """The packing fraction that is asked for; an impossible one is refused with the figure."""
    fraction = float(np.sum(ball_volume(radii, room.dimension))) / room.volume
    smallest, largest = float(radii.min()), float(radii.max())
    if largest > room.thinnest * (1.0 + GAP):
        raise GranumError(f"A grain of radius {largest:.4g} m does not fit into the region, whose largest grain has "
                          f"radius {room.thinnest:.4g} m; use smaller grains or a larger region.")
    if len(radii) == 1:
        return fraction
    equal = largest - smallest <= 1e-9 * largest
    bound = DENSEST[room.dimension] if equal else DENSEST_MIXED
    if fraction > bound:
        what = ("equal disks" if room.dimension == 2 else "equal spheres") if equal else "round grains of these sizes"
        raise GranumError(f"{len(radii)} grains would fill {fraction:.4f} of the region, but {what} fill at most "
                          f"{bound:.4f}; use fewer or smaller grains, or a larger region.")
    return fraction


@kernel
def _add(todo: Ints, radii: Floats, spots: Floats, free: Flags, n: int, dimension: int, row_of: Ints,
         buckets: Buckets) -> int:
    """Try the spots (len(todo), tries, 3) of each grain in turn; row_of tells where it came to be."""
    x = buckets.x
    for k in range(len(todo)):
        i = todo[k]
        for tried in range(spots.shape[1]):
            if not free[k, tried]:
                continue
            u = spots[k, tried]
            if hit(n, u, radii[i], dimension, buckets) < 0:
                x[n, X], x[n, Y], x[n, Z], x[n, R] = u[X], u[Y], u[Z], radii[i]
                put(n, buckets)
                row_of[i] = n
                n += 1
                break
    return n


@dataclass
class Crowd:
    """Grains that keep their positions while others are added without overlapping them."""

    buckets: Buckets
    count: int
    dimension: int

    def add(self, todo: Ints, radii: Floats, spots: Floats, free: Flags, row_of: Ints) -> None:
        """Put each grain of `todo` at the first of its spots that is free of grains."""
        self.count = int(_add(todo, radii, spots, free, self.count, self.dimension, row_of, self.buckets))


def crowd(others: Floats, radii: Floats, dimension: int) -> Crowd:
    """The grains that are there, with room for new ones with given radii."""
    smallest = min([float(radii.min())] + ([float(others[:, R].min())] if len(others) else []))
    buckets = make_buckets(len(others) + len(radii), smallest)
    put_all(np.ascontiguousarray(others), buckets)
    return Crowd(buckets, len(others), dimension)


def add_at_random(room: Geometry, radii: Floats, rng: np.random.Generator, *, others: Floats = NO_GRAINS,
                  distance: Distance | None = None, most_tries: int = 20_000,
                  stop: bool = True) -> tuple[Floats, Flags]:
    """Random sequential addition, large grains first: centres (n, 3) and which grains found room.

    Each grain has up to `most_tries` positions; `stop` ends with the first grain that finds none. Time grows linearly
    with the number of grains.
    """
    centres, placed = np.zeros((len(radii), 3)), np.zeros(len(radii), dtype=bool)
    if len(radii) == 0:
        return centres, placed
    there = crowd(others, radii, room.dimension)
    row_of = np.full(len(radii), -1, dtype=np.int64)
    order = np.argsort(-radii, kind="stable")
    begin = 0
    while begin < len(order):
        # grains much smaller than the first of a group wait until it is placed: they fill the gaps that it leaves
        todo = order[begin:begin + 4096]
        todo = todo[radii[todo] >= 0.9 * radii[todo[0]]]
        begin += len(todo)
        tried, tries = 0, 1
        while len(todo) and tried < most_tries:
            spots = room.draw(rng.random((len(todo) * tries, 3)), np.repeat(radii[todo], tries))
            free = np.ones(len(spots), dtype=bool)
            if distance is not None:
                free = distance(spots) >= np.repeat(radii[todo], tries)
            there.add(todo, radii, spots.reshape(len(todo), tries, 3), free.reshape(len(todo), tries), row_of)
            todo = todo[row_of[todo] < 0]
            tried += tries
            tries = max(1, min(2 * tries, 65536 // max(1, len(todo)), most_tries - tried))
        if stop and len(todo):
            break
    placed = row_of >= 0
    centres[placed] = there.buckets.x[row_of[placed], :3]
    return centres, placed


def place_at_random(room: Geometry, radii: Floats, rng: np.random.Generator, *, others: Floats = NO_GRAINS,
                    distance: Distance | None = None) -> Floats:
    """Centres (n, 3) of grains at random in a room, without overlap; an error says how far it came."""
    fraction = check_possible(room, radii)
    limit = SATURATION[room.dimension]
    remedy = 'Use arrangement = "dense" or "lattice", a larger region, or fewer grains.'
    if len(radii) > 1000 and float(radii.min()) > 0.98 * float(radii.max()) and fraction > limit + 0.02:
        raise GranumError(f"Random sequential addition of equal grains ends at a packing fraction near {limit}, but "
                          f"{len(radii)} grains would fill {fraction:.4f} of the region. {remedy}")
    tries = int(min(2e5, max(2e4, 4e8 / len(radii))))
    centres, placed = add_at_random(room, radii, rng, others=others, distance=distance, most_tries=tries)
    if not placed.all():
        reached = float(np.sum(ball_volume(radii[placed], room.dimension))) / room.volume
        raise GranumError(f"Only {int(placed.sum())} of {len(radii)} grains could be placed at random: they fill "
                          f"{reached:.4f} of the region instead of {fraction:.4f} (random addition of equal grains "
                          f"ends near {limit}). {remedy}")
    return centres


def _spacing(length: float, radius: float) -> float:
    """Spacing of grains along a length, narrowed within round-off where a row just fits."""
    spacing = 2.0 * radius * (1.0 + GAP)
    steps = math.floor((length - 2.0 * radius) / spacing * (1.0 + 2.0 * GAP) + 2.0 * GAP)
    return min(spacing, (length - 2.0 * radius) / steps) if steps > 0 else spacing


def lattice_sites(room: Geometry, radius: float) -> Floats:
    """Sites (n, 3) for grains of one radius, from the bottom up: triangular in the plane, fcc in space.

    Rows and layers lie on the sides of a box; in other rooms one site is at the centre. A row that fits exactly does
    so in spite of round-off.
    """
    lower, upper = room.bounds
    extent = upper - lower
    a = _spacing(float(extent[0]), radius)
    across, up = a * math.sqrt(0.75), a * math.sqrt(2.0 / 3.0)
    origin = lower + radius
    if room.region.kind != "box":
        step = np.array([a, 2.0 * across, 3.0 * up])
        centre = 0.5 * (lower + upper)
        origin = centre - np.ceil((centre - lower) / step) * step
    nx, ny = int(extent[0] / a) + 3, int(extent[1] / across) + 5
    nz = int(extent[2] / up) + 7 if room.dimension == 3 else 1
    if room.dimension == 2:
        origin[2] = 0.0
    if (sites := float(nx) * float(ny) * float(nz)) > MOST_SITES:
        raise GranumError(f"A lattice of {sites:.2g} sites is needed, but at most {MOST_SITES:.2g} are supported; use "
                          "larger grains or a smaller region.")
    layers, grid = [], np.empty((ny, nx, 3))
    j, i = np.arange(ny)[:, None], np.arange(nx)
    for k in range(nz):
        shift = k % 3  # layers A, B, C of fcc
        grid[:, :, X] = origin[0] + (i + 0.5 * ((j + shift) % 2)) * a
        grid[:, :, Y] = origin[1] + (j + shift / 3.0) * across
        grid[:, :, Z] = origin[2] + k * up
        layer = grid.reshape(-1, 3)
        layers.append(layer[room.depth(layer) >= radius * (1.0 - 4.0 * GAP)])
    return np.concatenate(layers)


def place_on_lattice(room: Geometry, radii: Floats, *, others: Floats = NO_GRAINS,
                     distance: Distance | None = None) -> Floats:
    """Centres (n, 3) on a lattice with the spacing of the largest grain, from the bottom up."""
    check_possible(room, radii)
    radius = float(radii.max())
    sites = lattice_sites(room, radius)
    if distance is not None and len(sites):
        sites = sites[distance(sites) >= radius * (1.0 - 4.0 * GAP)]
    if len(others) and len(sites):
        row_of, smaller = np.full(len(sites), -1, dtype=np.int64), np.full(len(sites), radius * (1.0 - 4.0 * GAP))
        crowd(others, smaller, room.dimension).add(np.arange(len(sites)), smaller, sites[:, None, :],
                                                   np.ones((len(sites), 1), dtype=bool), row_of)
        sites = sites[row_of >= 0]
    if len(sites) < len(radii):
        raise GranumError(f"{len(radii)} grains are needed, but only {len(sites)} fit into the region on a lattice "
                          f"with a spacing of {2.0 * radius:.4g} m, the diameter of the largest grain; use fewer or "
                          "smaller grains, or a larger region.")
    return sites[:len(radii)]
