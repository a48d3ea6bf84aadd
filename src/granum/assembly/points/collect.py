"""From a scene to plain arrays in the order of the scene, with every mistake between entries collected."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from granum.assembly.points.expand_patterns import Expansion, dimensions, expand
from granum.base.errors import Problem, did_you_mean
from granum.base.kernels import Flags, Floats, Ints
from granum.base.names import Names
from granum.loads.registry import KINDS
from granum.model.body_entries import FixedPoint, PointMass
from granum.model.loads import Force, Gravity, Spring
from granum.model.patterns import LinkPattern
from granum.model.scene import Scene
from granum.model.start import UNREAD, fixed_start

Vector: TypeAlias = tuple[float, ...]


@dataclass
class PointArrays:
    """Bodies, links and springs of a scene as arrays; `problems` says what is wrong with it."""

    dimension: int
    body_names: Names = field(default_factory=Names)
    link_names: Names = field(default_factory=Names)
    mass: Floats = field(default_factory=lambda: np.zeros(0))
    """Mass of each body [kg]; infinite for a fixed point."""
    position: Floats = field(default_factory=lambda: np.zeros((0, 2)))
    velocity: Floats = field(default_factory=lambda: np.zeros((0, 2)))
    tail: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    head: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    length: Floats = field(default_factory=lambda: np.zeros(0))
    senses: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    """`Link.sense` of each link."""
    restitution: Floats = field(default_factory=lambda: np.zeros(0))
    spring_ends: dict[str, tuple[int, int, float]] = field(default_factory=dict)
    """Ends and rest length [m] of each spring."""
    problems: list[Problem] = field(default_factory=list)

    @property
    def fixed(self) -> Flags:
        """Which bodies are fixed points."""
        return np.isinf(self.mass)


def collect_points(scene: Scene, broken: Collection[str] = ()) -> PointArrays:
    """Write a scene out as arrays.

    `broken` names bodies that exist but could not be read; references to them are passed over, so that
    one mistake is not reported twice.
    """
    return _Assembler(scene, broken).assembly


class _Assembler:
    def __init__(self, scene: Scene, broken: Collection[str]) -> None:
        self.scene = scene
        self.broken = broken
        self.unwritten: tuple[str, ...] = ()
        """Beginnings of the body names of patterns that do not fit the scene."""
        self.assembly = PointArrays(scene.dimension)
        self.unknown: set[int] = set()
        """Bodies whose position is not known: nothing is said about where they are."""
        self.blocks: list[tuple[Floats, Floats, Floats]] = []
        """Masses, positions and velocities: of all single bodies, then of each pattern."""
        self.link_blocks: list[tuple[Ints, Ints, Floats]] = []
        self.single_links: list[str] = []
        """Links that are entries of their own; they come after those of patterns."""
        self.expansions: list[tuple[str, LinkPattern, Expansion, int]] = []
        self._bodies()
        self._pattern_bodies()
        self._stack_bodies()
        self._starts()
        self._pattern_links()
        self._links()
        self._stack_links()
        self._loads()
        self._coincident()

    def _problem(self, key: str, finding: str, remedy: str = "") -> None:
        self.assembly.problems.append(Problem(key, finding, remedy))

    def _vector(self, key: str, value: Vector) -> Floats:
        """The value if it has the scene's dimension, else a problem and a zero vector."""
        if len(value) == self.assembly.dimension:
            return np.asarray(value, dtype=float)
        self._problem(key, f"has {len(value)} components, but the scene is {self.assembly.dimension}-D.",
                      "Give all vectors of a scene the same number of components.")
        return np.zeros(self.assembly.dimension)

    def _body(self, key: str, name: str) -> int | None:
        """Number of a body, or None after noting that there is none."""
        number = self.assembly.body_names.find(name)
        if number is None and name not in self.broken and not name.startswith(self.unwritten):
            self._problem(key, f'there is no body "{name}".',
                          did_you_mean(name, self.assembly.body_names.some(), "body"))
        return number

    def _bodies(self) -> None:
        """Single bodies; their start position comes from `start`."""
        positions, dimension, starts = [], self.assembly.dimension, self.scene.start
        for number, (name, body) in enumerate(self.scene.body.items()):
            self.assembly.body_names.add(name)
            start = starts.get(name)
            given = body.position if isinstance(body, FixedPoint) else None if start is None else start.position
            if given is None and start is not UNREAD:
                self._problem(f"body.{name}", "has no start position.",
                              f"Add [start.{name}] with position = [...].")
            if given is None or len(given) != dimension:
                self.unknown.add(number)
                if given is not None:
                    self._vector(f"{'body' if isinstance(body, FixedPoint) else 'start'}.{name}.position", given)
                given = (0.0,) * dimension
            positions.append(given)
        if positions:
            mass = [body.mass if isinstance(body, PointMass) else np.inf for body in self.scene.body.values()]
            self.blocks.append((np.array(mass), np.array(positions), np.zeros((len(mass), dimension))))

    def _pattern_bodies(self) -> None:
        names = self.assembly.body_names
        for name, pattern in self.scene.pattern.items():
            if not isinstance(pattern, LinkPattern):  # a scene of grains is not assembled here
                continue
            wrong = {key: own for key, own in dimensions(pattern).items() if own != self.assembly.dimension}
            for key, own in wrong.items():
                self._problem(f"pattern.{name}.{key}",
                              f"is {own}-D, but the scene is {self.assembly.dimension}-D.",
                              "Give all vectors of a scene the same number of components; `angles` is for 2-D, "
                              "`direction` for 2-D and 3-D.")
            if wrong:
                self.unwritten += (f"{pattern.bodies or name}-",)
                continue
            grown = expand(pattern, self.assembly.dimension, self.scene.run.seed)
            origin = self._origin(name, pattern)
            prefix = pattern.bodies or name
            if (taken := names.taken(prefix, len(grown.position), grown.columns)) is not None:
                self._problem(f"pattern.{name}.bodies", f'the body name "{taken}" is already used.',
                              'Give bodies = "another-prefix".')
            self.expansions.append((name, pattern, grown, len(names)))
            names.add_series(prefix, len(grown.position), grown.columns)
            mass = np.where(grown.fixed, np.inf, pattern.mass)
            self.blocks.append((mass, origin + grown.position, grown.velocity))

    def _origin(self, name: str, pattern: LinkPattern) -> Floats:
        """Where a pattern begins: at the body it hangs from, at a position, or where its own vectors say."""
        if (at := getattr(pattern, "position", None)) is not None:
            return np.asarray(at, dtype=float)
        origin = np.zeros(self.assembly.dimension)
        if (hangs_from := getattr(pattern, "from_", None)) is not None:
            number = self._body(f"pattern.{name}.from", hangs_from)
            if number is not None:
                origin = np.concatenate([block[1] for block in self.blocks])[number]
        return origin

    def _stack_bodies(self) -> None:
        if not self.blocks:
            if not self.broken and not self.unwritten:
                self._problem("", "the scene has no body.", "Add [body.NAME] or [pattern.NAME].")
            return
        assembly = self.assembly
        assembly.mass = np.concatenate([block[0] for block in self.blocks])
        assembly.position = np.vstack([block[1] for block in self.blocks])
        assembly.velocity = np.vstack([block[2] for block in self.blocks])
        if not self.broken and not self.unwritten and np.all(np.isinf(assembly.mass)):
            self._problem("", "the scene has only fixed points.", "Add a body that can move.")

    def _starts(self) -> None:
        fixed = self.assembly.fixed
        for name, start in self.scene.start.items():
            number = self._body(f"start.{name}", name)
            if number is None:
                continue
            if fixed[number]:
                self.assembly.problems.append(fixed_start(name))
                continue
            if start.position is not None and name not in self.scene.body:
                self.assembly.position[number] = self._vector(f"start.{name}.position", start.position)
            if start.velocity is not None:
                self.assembly.velocity[number] = self._vector(f"start.{name}.velocity", start.velocity)

    def _pattern_links(self) -> None:
        for name, pattern, grown, offset in self.expansions:
            outside = {-1: getattr(pattern, "from_", None), -2: getattr(pattern, "to", None)}
            ends = [np.where(end >= 0, end + offset, end) for end in (grown.tail, grown.head)]
            all_known = True
            for code, body in outside.items():
                if body is None:
                    continue
                number = self.assembly.body_names.find(body)
                if number is None and code == -2:
                    self._body(f"pattern.{name}.to", body)
                if code == -2 and number == offset + len(grown.position) - 1:
                    self._problem(f"pattern.{name}.to", f'"{body}" is the last body of the chain itself.',
                                  "Give the body at which the chain ends.")
                    number = None
                all_known = all_known and number is not None and number not in self.unknown
                for end in ends:
                    end[end == code] = 0 if number is None else number
            prefix = pattern.links or f"{name}-link"
            if self.assembly.link_names.find(f"{prefix}-1") is not None:
                self._problem(f"pattern.{name}.links", f'the link name "{prefix}-1" is already used.',
                              'Give links = "another-prefix".')
            self.assembly.link_names.add_series(prefix, len(grown.tail))
            self.link_blocks.append((ends[0], ends[1], grown.length))
            if all_known:
                self._apart(f"pattern.{name}", *ends)

    def _apart(self, key: str, tail: Ints, head: Ints) -> None:
        """Note the first link of a pattern whose ends start at one point."""
        same = np.flatnonzero(np.all(self.assembly.position[tail] == self.assembly.position[head], axis=1))
        if len(same):
            first, second = (self.assembly.body_names[int(end[same[0]])] for end in (tail, head))
            self._problem(key, f'bodies "{first}" and "{second}" start at the same point, so the link between '
                          "them has no direction.", "Start them apart.")

    def _links(self) -> None:
        fixed = self.assembly.fixed
        links: list[tuple[int, int, float]] = []
        for name, link in self.scene.link.items():
            key = f"link.{name}"
            if self.assembly.link_names.find(name) is not None:
                self._problem(key, "this link name is already used by a pattern.", "Choose another name.")
            ends = self._ends(key, link.between)
            if ends is None:
                continue
            distance = self._distance(*ends)
            if distance == 0.0 and self.unknown.isdisjoint(ends):
                self._problem(key, f'bodies "{link.between[0]}" and "{link.between[1]}" start at the same '
                              "point, so the link has no direction.", "Start them apart.")
            if fixed[ends[0]] and fixed[ends[1]]:
                self._problem(f"{key}.between", "both ends are fixed points, so the link has no effect.",
                              "Remove the link, or give one end a mass.")
            self.assembly.link_names.add(name)
            self.single_links.append(name)
            links.append((*ends, distance if link.length is None else link.length))
        if links:
            tail, head, length = zip(*links, strict=True)
            self.link_blocks.append((np.array(tail), np.array(head), np.array(length)))

    def _ends(self, key: str, between: tuple[str, str]) -> tuple[int, int] | None:
        """Numbers of the two ends, or None after noting what is wrong with them."""
        if between[0] == between[1]:
            self._problem(f"{key}.between", f'joins "{between[0]}" to itself.', "Give two different bodies.")
            return None
        first, second = (self._body(f"{key}.between", name) for name in between)
        return None if first is None or second is None else (first, second)

    def _distance(self, first: int, second: int) -> float:
        apart = self.assembly.position[second] - self.assembly.position[first]
        return math.sqrt(apart.dot(apart))

    def _stack_links(self) -> None:
        if self.link_blocks:
            self.assembly.tail = np.concatenate([block[0] for block in self.link_blocks])
            self.assembly.head = np.concatenate([block[1] for block in self.link_blocks])
            self.assembly.length = np.concatenate([block[2] for block in self.link_blocks])
        single = [self.scene.link[name] for name in self.single_links]
        patterns = len(self.assembly.tail) - len(single)
        self.assembly.senses = np.array([0] * patterns + [link.sense for link in single], dtype=np.int64)
        self.assembly.restitution = np.array([0.0] * patterns + [link.restitution for link in single])

    def _loads(self) -> None:
        for name, load in self.scene.load.items():
            key = f"load.{name}"
            if isinstance(load, Gravity):
                self._vector(f"{key}.acceleration", load.acceleration)
            elif isinstance(load, Force):
                self._vector(f"{key}.force", load.force)
                number = self._body(f"{key}.on", load.on)
                if number is not None and np.isinf(self.assembly.mass[number]):
                    self._problem(f"{key}.on", f'"{load.on}" is a fixed point, so a force on it has no effect.',
                                  "Put it on a body with mass.")
            elif type(load) not in KINDS:
                self._problem(key, f'kind "{load.kind}" acts on grains, but the scene has none.',
                              "Add a material and grains, or use gravity, force or spring.")
            elif isinstance(load, Spring) and (ends := self._ends(key, load.between)) is not None:
                distance = self._distance(*ends)
                rest = distance if load.rest_length is None else load.rest_length
                if distance == 0.0 and rest > 0.0 and self.unknown.isdisjoint(ends):
                    self._problem(key, "its ends start at the same point, so the spring has no direction.",
                                  "Start them apart, or give rest_length = 0.")
                self.assembly.spring_ends[name] = (*ends, rest)

    def _coincident(self) -> None:
        """Two single bodies at one point are a slip of the pen; folded patterns may meet on purpose."""
        seen: dict[Vector, str] = {}
        positions = self.assembly.position[: len(self.scene.body)].tolist()
        for number, name in enumerate(self.scene.body):
            if number in self.unknown:
                continue
            here = tuple(positions[number])
            if here in seen:
                self._problem(f"start.{name}" if name in self.scene.start else f"body.{name}",
                              f'bodies "{seen[here]}" and "{name}" are at the same point {list(here)}.',
                              "Start them apart.")
            seen.setdefault(here, name)
