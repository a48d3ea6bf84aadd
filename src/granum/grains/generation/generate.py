"""The start of a scene of grains: bodies and patterns become arrays, and what cannot be is named."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from granum.base.errors import GranumError, Problem, SceneError, did_you_mean
from granum.base.kernels import Floats, Ints
from granum.base.rotations import three
from granum.base.space import displacements
from granum.grains.aggregates.parts import Parts
from granum.grains.generation.bonding import bond_together, check_bonds
from granum.grains.generation.clumps import (
    body_of_scene,
    no_parts,
    random_orientations,
    start_orientation,
)
from granum.grains.generation.continuing import take_over_bodies
from granum.grains.generation.cutting import check_sections
from granum.grains.generation.finder import Finder, joined_pairs
from granum.grains.generation.kinds import (
    KAPPA,
    GrainKind,
    assemble,
    check_kind,
    draw_velocities,
    mass_of,
    radius_range,
)
from granum.grains.generation.packing import place_densely
from granum.grains.generation.placement import (
    NO_GRAINS,
    Distance,
    draw_radii,
    place_at_random,
    place_on_lattice,
    radii_for_fraction,
    stream,
)
from granum.grains.generation.restart import SETTLED, EarlierGrains
from granum.grains.geometry.regions import geometry_of
from granum.grains.search.neighbours import near_pairs
from granum.grains.state import Grains
from granum.model.body_entries import inertia_matrix
from granum.model.grains import Grains as Pattern
from granum.model.grains import Source
from granum.model.probes import SectionProbe
from granum.model.scene import Scene
from granum.model.solids import Disk, Sphere
from granum.model.start import Start
from granum.state.table import IM, KM, SX, R

TOLERANCE = 1e-6
"""Overlap at the start that is let pass, in radii of the smaller grain."""
NO_NUMBERS = np.zeros(0, np.int64)
Gaps = Callable[[Grains], Floats]


def largest_coordination(r_min: float, r_max: float, dimension: int) -> int:
    """Most contacts a grain of r_max can have with grains of r_min and above (Sun 1996, eqs. 4.3-4.6).

    Exact for disks; for spheres an upper bound (13 for equal ones, of which 12 touch).
    """
    alpha = math.asin(r_min / (r_min + r_max))
    if dimension == 2:
        return math.floor(math.pi / alpha + 1e-9)  # equal radii give 5.999999999999999 (ERRATA)
    excess = 4.0 * math.atan(math.sqrt(math.tan(1.5 * alpha) * math.tan(0.5 * alpha) ** 3))
    return math.floor(2.0 * (math.pi + excess) / excess + 1e-9)


def group_names(scene: Scene) -> list[str]:
    """Names of the groups that `Grains.group` counts: bodies, then patterns, then sources."""
    return [*scene.body, *scene.pattern, *scene.source]


def scattered(kind: Pattern | Source, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Centres (n, 3) and radii of grains around given points, fresh from these each time (Sun 1996, fig. 4.6)."""
    assert kind.positions is not None
    centres = np.array([three(point) for point in kind.positions])
    radii = draw_radii(kind.radius, len(centres), rng) if kind.radius is not None else np.array(kind.radii)
    if isinstance(kind.scatter, tuple):
        centres = centres + three(kind.scatter) * rng.uniform(-1.0, 1.0, centres.shape)
    elif kind.scatter is not None:
        centres = centres + kind.scatter * _in_unit_ball(len(centres), len(kind.positions[0]), rng)
    if kind.scatter_radius:
        radii = radii + kind.scatter_radius * rng.uniform(-1.0, 1.0, len(radii))
    return centres, radii


def _in_unit_ball(count: int, dimension: int, rng: np.random.Generator) -> Floats:
    """(count, 3): points with equal density in a circle or ball of radius 1; a uniform r would crowd its centre."""
    r, turn, height = rng.random(count) ** (1.0 / dimension), 2.0 * np.pi * rng.random(count), np.zeros(count)
    if dimension == 3:
        height = rng.uniform(-1.0, 1.0, count)
    across = np.sqrt(1.0 - height**2)
    return r[:, None] * np.column_stack([across * np.cos(turn), across * np.sin(turn), height])


def size_range(scene: Scene, grains: Grains) -> tuple[float, float]:
    """The smallest and the largest radius of grains that are there or may come [m]; 1 m without any."""
    ranges = [radius_range(source) for source in scene.source.values()]
    if grains.count:
        ranges.append((float(grains.x[:, R].min()), float(grains.x[:, R].max())))
    return min((low for low, _ in ranges), default=1.0), max((high for _, high in ranges), default=1.0)


def _fill(pattern: Pattern, dimension: int, others: Floats, distance: Distance | None, rng: np.random.Generator,
          reach: float) -> tuple[Floats, Floats]:
    """Centres and radii of a pattern in its region; grains get room for `reach` times their radius."""
    assert pattern.region is not None and pattern.radius is not None
    room = geometry_of(pattern.region)
    if pattern.count is not None:
        radii = draw_radii(pattern.radius, pattern.count, rng)
    else:
        radii = radii_for_fraction(pattern.radius, pattern.packing_fraction or 0.0, room.volume, dimension, rng)
    if pattern.scatter_radius:
        radii = radii + pattern.scatter_radius * rng.uniform(-1.0, 1.0, len(radii))
    wide = reach * radii
    if pattern.arrangement == "lattice":
        return place_on_lattice(room, wide, others=others, distance=distance), radii
    if pattern.arrangement == "dense":
        return place_densely(room, wide, rng, others=others, distance=distance), radii
    return place_at_random(room, wide, rng, others=others, distance=distance), radii


class _RoundBodies:
    """Disks and spheres of the scene as rows of grains, one after the other.

    Columns are lists of numbers: the garbage collector would look through an object for each body again and again.
    """

    def __init__(self, find: Finder) -> None:
        self._find = find
        self._group: list[int] = []
        self._centre: list[tuple[float, ...]] = []
        self._radius: list[float] = []
        self._mass: list[float] = []
        self._kappa: list[float] = []
        self._material: list[int] = []

    def add(self, name: str, group: int, start: Start | None) -> None:
        """One body, at a start."""
        find, place, body = self._find, f"body.{name}", self._find.scene.body[name]
        assert isinstance(body, Disk | Sphere)  # anything else needs bodies of several parts
        material = find.material(place, body.material)
        shape = find.shape(f"{place}.kind", body.kind)
        if start is None or start.position is None:
            find.problem(f"start.{name}.position", f'body "{name}" has no start position.',
                         f"Give [start.{name}] with a position of {find.dimension} components.")
        kappa = KAPPA[shape]
        if isinstance(body, Sphere):
            if body.mass is None and body.density is None:
                body = body.model_copy(update={"density": find.density(place, None, material)})
            own = body.properties()
            mass, kappa = own.mass, own.mass * body.radius**2 / float(own.inertia[0, 0])
        elif body.mass is not None:
            mass = body.mass
        else:
            mass = mass_of(body.radius, find.density(place, body.density, material), shape)
        if isinstance(body, Disk) and body.inertia is not None:
            kappa = mass * body.radius**2 / float(inertia_matrix(body.inertia)[2, 2])
        self._group.append(group)
        self._centre.append(find.components(f"start.{name}.position", None if start is None else start.position))
        self._radius.append(body.radius)
        self._mass.append(mass)
        self._kappa.append(kappa)
        self._material.append(material)

    def grains(self, first: int) -> Grains:
        """All of them, numbered from `first`."""
        count, dimension = len(self._group), self._find.dimension
        centres = np.zeros((count, 3))
        centres[:, :dimension] = np.array(self._centre).reshape(count, dimension)
        return assemble(0.0, centres, np.array(self._radius), np.zeros(3), np.array(self._mass), np.array(self._kappa),
                        np.array(self._material, np.int32), np.array(self._group, np.int32), first, dimension)


class Names:
    """Numbers of bodies, and of grains of patterns, by their names, and back; as grains are at one time."""

    def __init__(self, scene: Scene, grains: Grains) -> None:
        self._body = {name: group for group, name in enumerate(scene.body)}
        self._pattern = {name: len(scene.body) + k for k, name in enumerate(scene.pattern)}
        self.groups = group_names(scene)
        groups, numbers = grains.owners()
        order = np.lexsort((numbers, groups))
        self._numbers = numbers[order]
        self._begin = np.searchsorted(groups[order], np.arange(len(self.groups) + 1))

    def of_group(self, group: int) -> Ints:
        """All numbers of a group, ascending."""
        return self._numbers[self._begin[group] : self._begin[group + 1]]

    def number(self, name: str) -> int | None:
        """Number of a body, or of a grain of a pattern by its name `<pattern>-<count>`; none where there is none."""
        group, place = self._body.get(name, -1), 1
        if group < 0:
            pattern, _, count = name.rpartition("-")
            if pattern not in self._pattern or not count.isdigit():
                return None
            group, place = self._pattern[pattern], int(count)
        numbers = self.of_group(group)
        return int(numbers[place - 1]) if 1 <= place <= len(numbers) else None

    def name(self, group: int, number: int) -> str:
        """The body's own, or `<pattern>-1`, `<pattern>-2`, ..."""
        if group < len(self._body):
            return self.groups[group]
        return f"{self.groups[group]}-{int(np.searchsorted(self.of_group(group), number)) + 1}"


def _apply_starts(find: Finder, grains: Grains, starts: Mapping[str, Start], jointed: Collection[str]) -> None:
    """Velocities and angular velocities of bodies, and of grains of patterns by their names; some stay as they are."""
    names, body = Names(find.scene, grains), find.scene.body
    velocity: dict[int, Floats] = {}
    omega: dict[int, Floats] = {}
    orientation: dict[int, Floats] = {}
    for name, start in starts.items():
        place = f"start.{name}"
        number = names.number(name)
        if number is not None and name not in body and start.position is not None:
            find.problem(f"{place}.position", f'"{name}" already has a position from its pattern.',
                         "Remove it, or define this grain as a body.")
        if number is None:
            if name not in body:
                find.problem(place, f'there is no body "{name}".',
                             did_you_mean(name, [*body, *find.scene.pattern], "body"))
            continue
        for key in ("contact", "spin"):
            if getattr(start, key) is not None:
                find.problem(f"{place}.{key}", "is not supported in scenes with grains.",
                             "Remove it.")
        if start.velocity is not None:
            velocity[number] = find.vector(f"{place}.velocity", start.velocity)
        if start.angular_velocity is not None:
            omega[number] = np.array(start.angular_velocity)
            if find.dimension == 2 and any(start.angular_velocity[:2]):
                find.problem(f"{place}.angular_velocity", f"found {list(start.angular_velocity)}, but in 2-D grains "
                                                          "rotate about z only.", "Give one number.")
        if start.angle is not None or start.orientation is not None:
            orientation[number] = start_orientation(find, name, start)
        if name in jointed:
            for values in (velocity, omega, orientation):
                values.pop(number, None)
    numbers = grains.owners()[1]
    order = np.argsort(numbers, kind="stable")
    for values, apply in ((velocity, grains.launch), (omega, grains.rotate), (orientation, grains.face)):
        if values and not find.problems:
            rows = order[np.searchsorted(numbers, list(values), sorter=order)]
            apply(rows, np.array(list(values.values())))


@dataclass(frozen=True)
class Groups:
    """Bodies, patterns and sources of a scene, compiled: all runs of the scene share them."""

    scene: Scene
    dimension: int
    materials: Sequence[str]
    """Their names, in the order of their numbers."""
    patterns: dict[str, GrainKind]
    """What the grains of each pattern are."""
    sources: dict[str, GrainKind]
    """What each source brings."""
    bodies: Grains
    """Bodies where the scene puts them, numbered 0, 1, 2, ...; none where an earlier run says where they are."""

    def finder(self) -> Finder:
        """Reads parts of the scene, with no problem noted yet."""
        return Finder(self.scene, self.dimension, self.materials)


def compile_groups(scene: Scene, dimension: int, materials: Sequence[str]) -> Groups:
    """Bodies, patterns and sources of a scene, short of placing grains; raises all that is wrong with them."""
    find = Finder(scene, dimension, materials)
    start, begins = scene.start, scene.start_frame is None
    if not begins:  # an earlier run says where bodies are, unless the scene does
        start = {name: own.model_copy(update={"position": own.position or (0.0,) * dimension})
                 for name, own in start.items()}
    bodies = _bodies(find, start, ((group, name) for group, name in enumerate(scene.body)
                                   if begins or name in start), 0)
    patterns = {name: kind for name, pattern in scene.pattern.items()
                if (kind := _find_pattern(find, name, pattern)) is not None}
    sources = {name: check_kind(find, f"source.{name}", source) for name, source in scene.source.items()}
    if scene.bond:
        check_bonds(find)
    if any(isinstance(probe, SectionProbe) for probe in scene.probe.values()):
        check_sections(find)
    find.raise_if_any()
    return Groups(scene, dimension, materials, patterns, sources,
                  _joined(find, bodies if begins else []))


def _joined(find: Finder, grains: Iterable[Grains]) -> Grains:
    """Grains one after the other, in arrays of their own."""
    joined: Grains = no_parts(find.dimension) if find.bodily else _RoundBodies(find).grains(0)
    joined.append(*grains)
    return joined


def _find_pattern(find: Finder, name: str, pattern: object) -> GrainKind | None:
    """What the grains of a pattern are, if it has some."""
    if isinstance(pattern, Pattern):
        return check_kind(find, f"pattern.{name}", pattern)
    find.problem(f"pattern.{name}.kind", f'is a {getattr(pattern, "kind", "")}, but in scenes with grains patterns '
                                         'must be of kind "grains".')
    return None


def begin_bodies(groups: Groups, earlier: EarlierGrains, start: Mapping[str, Start]) -> Grains:
    """Grains and bodies of an earlier run, and behind them bodies that only the scene has.

    earlier: stands in the place of bodies, patterns and sources of its names.
    """
    find, names = groups.finder(), group_names(groups.scene)
    grains = _joined(find, [])
    earlier.refuse_unknown(names)
    kinds = {**groups.patterns, **groups.sources}
    if isinstance(grains, Parts):
        take_over_bodies(find, grains, earlier.with_bodies(), kinds, names, start)
    else:
        _take_over(find, grains, earlier, kinds)
    grains.append(*_bodies(find, start, ((group, name) for group, name in enumerate(groups.scene.body)
                                         if not earlier.has(name)), next_number(grains)))
    find.raise_if_any()
    return grains


def place_grains(groups: Groups, grains: Grains, start: Mapping[str, Start], seed: int,
                 distance: Distance | None = None, gaps: Gaps | None = None, earlier: EarlierGrains | None = None,
                 jointed: Collection[str] = ()) -> Grains:
    """The start state: bodies, then patterns of grains, numbered on from them.

    Args:
        grains: the bodies; the patterns are added to them.
        start: of bodies and grains, by name.
        distance: signed distance of points to the nearest boundary [m].
        gaps: how far grains are from the boundaries they may touch [m].
        earlier: an earlier run, whose grains are there already.
        jointed: bodies that stay as they are, because joints have found their start.
    """
    scene, dimension, find = groups.scene, groups.dimension, groups.finder()
    for name, kind in groups.patterns.items():
        if earlier is not None and earlier.has(name):
            continue
        pattern = scene.pattern[name]
        assert isinstance(pattern, Pattern)
        rng = stream(seed, "pattern", name)
        try:
            centres, radii = (scattered(pattern, rng) if pattern.positions is not None else
                              _fill(pattern, dimension, grains.x if grains.count else NO_GRAINS, distance, rng,
                                    kind.template.reach))
        except SceneError:
            raise
        except GranumError as error:
            raise SceneError([Problem(f"pattern.{name}", str(error))]) from None
        group, first = len(scene.body) + list(scene.pattern).index(name), next_number(grains)
        quaternions = partial(random_orientations, len(radii), dimension, rng)
        velocity = draw_velocities(pattern, len(radii), partial(stream, seed, "velocity of pattern", name))
        grains.append(kind.made(0.0, centres, radii, velocity, group, first, quaternions))
    if isinstance(grains, Parts) and scene.bond:
        bond_together(find, grains, group_names(scene), earlier.bonds if earlier is not None else ())
    _apply_starts(find, grains, start, jointed)
    find.raise_if_any()
    if isinstance(grains, Parts):
        names = Names(scene, grains)
        pairs = [(names.number(one), names.number(two)) for one, two in joined_pairs(scene)]
        known = [sorted((one, two)) for one, two in pairs if one is not None and two is not None]
        grains.apart = np.array(known, np.int64).reshape(-1, 2)
    if gaps is None and distance is not None:
        gaps = lambda grains: distance(grains.x[:, :3]) - grains.x[:, R]  # noqa: E731
    check_start(scene, grains, dimension, gaps, earlier.number if earlier is not None else NO_NUMBERS)
    return grains


def _bodies(find: Finder, starts: Mapping[str, Start], named: Iterable[tuple[int, str]], first: int) -> list[Grains]:
    """Bodies of the scene by group and name, numbered from `first`; problems are noted on the way."""
    if not find.bodily:
        bodies = _RoundBodies(find)
        for group, name in named:
            bodies.add(name, group, starts.get(name))
        return [bodies.grains(first)]
    made: list[Grains] = []
    for group, name in named:
        if (body := body_of_scene(find, name, starts.get(name), group, first)) is not None:
            made.append(body)
            first += max(1, body.count)
    return made


def _take_over(find: Finder, grains: Grains, earlier: EarlierGrains, kinds: Mapping[str, GrainKind]) -> None:
    """Add the grains of an earlier run, with mass and material as this scene says."""
    groups = {name: group for group, name in enumerate(group_names(find.scene))}
    taken, order = [], []
    for name in earlier.groups:
        if not len(rows := earlier.of(name)):
            continue
        group, x = groups[name], earlier.x[rows]
        if name in kinds:
            taken.append(kinds[name].made(0.0, x[:, :R], x[:, R], np.zeros(3), group, 0, lambda: np.zeros((0, 4))))
        else:
            given = earlier.given.get(name, Start()).position
            start = Start(position=given or tuple(x[0, : find.dimension].tolist()))
            bodies = _RoundBodies(find)
            bodies.add(name, group, start)
            taken.append(body := bodies.grains(0))
            if body.x[0, R] != x[0, R]:
                find.problem(f"body.{name}.radius", f"found {body.x[0, R]:g} m, but the run that the scene starts from "
                                                    f"has {x[0, R]:g} m.", "Give the same radius.")
        order.append(rows)
    if not taken:
        return
    grains.append(*taken)
    rows = np.concatenate(order)
    grains.v[:, :IM] = earlier.velocity[rows]
    grains.v[:, SX:KM] = earlier.angular_velocity[rows] * earlier.x[rows, R:]
    grains.local_orientation, grains.number = earlier.orientation[rows], earlier.number[rows].astype(np.int64)


def next_number(grains: Grains) -> int:
    """The number after all that are given."""
    _, numbers = grains.owners()
    return 1 + max(int(numbers.max(initial=-1)), int(grains.number.max(initial=-1)))


def overlaps(x: Floats, tolerance: float = TOLERANCE) -> tuple[Ints, Floats]:
    """Pairs of rows that overlap by more than `tolerance` of the smaller radius, worst first, and by how much [m]."""
    i, j = near_pairs(x, 0.0)
    depth = x[i, R] + x[j, R] - np.linalg.norm(displacements(x[i, :3], x[j, :3]), axis=1)
    part = depth / np.minimum(x[i, R], x[j, R])
    order = np.argsort(-part, kind="stable")
    order = order[part[order] > tolerance]
    return np.column_stack([i[order], j[order]]).astype(np.int64), depth[order]


def check_start(scene: Scene, grains: Grains, dimension: int, gaps: Gaps | None,
                earlier: Ints = NO_NUMBERS) -> None:
    """Refuse a start in which grains overlap each other or boundaries, with the worst by name and figure.

    Those whose numbers are in `earlier` come from an earlier run: they overlap each other as it left them, and
    boundaries by a little.
    """
    problems = []
    pairs, depth = overlaps(grains.x)
    settled = np.isin(grains.number, earlier)
    new = ~settled[pairs].all(axis=1)
    pairs, depth = pairs[new], depth[new]
    if (joined := grains.joined(*pairs.T.astype(np.int32))) is not None:
        pairs, depth = pairs[~joined], depth[~joined]
    gap = gaps(grains) if gaps is not None else np.zeros(grains.count)
    allowed = np.where(settled, SETTLED, TOLERANCE)
    bad = np.flatnonzero(~(gap >= -allowed * grains.x[:, R]))
    if not len(pairs) and not len(bad):
        return
    names = Names(scene, grains)
    for (i, j), own in zip(pairs[:5], depth[:5], strict=True):
        first, second = (names.name(*grains.owner(row)) for row in sorted((int(i), int(j))))
        small = float(min(grains.x[i, R], grains.x[j, R]))
        problems.append(Problem("start", f"grains {first} and {second} overlap by {own:.4g} m, "
                                         f"{own / small:.3g} of the smaller radius."))
    if len(pairs) > 5:
        problems.append(Problem("start", f"and {len(pairs) - 5} more pairs of grains overlap."))
    bad = bad[np.argsort(gap[bad] / grains.x[bad, R], kind="stable")]
    for row in bad[:5]:
        where = ", ".join(f"{c:.4g}" for c in grains.x[row, :dimension])
        name = names.name(*grains.owner(int(row)))
        problems.append(Problem("start", f"grain {name} at ({where}) m reaches {-gap[row]:.4g} m into or "
                                         f"beyond a boundary, {-gap[row] / grains.x[row, R]:.3g} of its radius."))
    if len(bad) > 5:
        problems.append(Problem("start", f"and {len(bad) - 5} more grains overlap boundaries."))
    last = problems[-1]
    problems[-1] = Problem(last.place, last.finding, "Move them apart, or use smaller radii; overlaps up to "
                                                     f"{TOLERANCE:g} radii are accepted.")
    raise SceneError(problems)
