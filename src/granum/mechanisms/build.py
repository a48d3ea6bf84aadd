"""From a scene to a mechanism: bodies, joints and loads as tables, with everything that is wrong between entries."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from granum.algebra import gradient, number, symbol
from granum.algebra.compiled import Compiled
from granum.algebra.expression import free_symbols, rebuild
from granum.algebra.parse import parse_equation
from granum.analytic.build import explicit
from granum.base.errors import GranumError, Problem, SceneError, did_you_mean
from granum.base.kernels import Floats, Ints
from granum.linear import ldl
from granum.linear.method import leaf_to_root
from granum.mechanisms import tables
from granum.mechanisms.balance import working
from granum.mechanisms.joints import Joint, contact, drive, joint_rows, link, refuse_points
from granum.mechanisms.places import End, Place, Places, three
from granum.mechanisms.placing import dimension_of, place_bodies
from granum.mechanisms.tables import Elimination, Frictions, Loads, Model, Tables
from granum.model.bodies import MasslessPoint
from granum.model.connections import BallJoint, Drive, Glue, Hinge, NoSpin, Rolling, Slider, Sliding
from granum.model.formulas import FormulaSystem
from granum.model.loads import Force, Gravity, Spring, Torque, TorsionSpring
from granum.model.scene import Scene
from granum.model.start import Start
from granum.topology import Topology

_NONE = np.zeros(0, dtype=np.int64)
STORES = ("force", "spring", "torsion")
"""Kinds of loads, besides gravity, that have a potential energy, in the order of `tables.FIGURES`."""
_Listed: TypeAlias = dict[str, list[tuple[tuple[int, ...], list[float]]]]
"""Loads by kind: the bodies they act on, and their numbers."""


@dataclass
class Mechanism:
    """A scene of rigid bodies and joints as tables, with its start as the scene gives it."""

    scene: Scene
    dimension: int
    places: list[Place]
    """Movable bodies, in the order of the state."""
    fixed: dict[str, Floats]
    """Fixed points."""
    joints: list[Joint]
    first: Ints
    """First row of each joint, and the number of rows."""
    model: Model
    block: Floats
    y: Floats
    """State at the start, as given."""
    held: Floats
    """(n, 4): are the position, the orientation, the velocity and the angular velocity of each body given, and not as
    a guess?"""
    reports: tuple[str, ...] = ()
    """What each event of a contact means."""
    drives: Compiled | None = field(default=None, repr=False)
    """Must live as long as its address is used."""

    @property
    def row_count(self) -> int:
        """Number of rows."""
        return len(self.model.tables.which)

    @property
    def work_count(self) -> int:
        """Agents whose work is integrated: the last numbers of the state."""
        return int(self.model.tables.shape[tables.WORKS])

    @property
    def stride(self) -> int:
        """Numbers of state per body."""
        return tables.PLANE if self.dimension == 2 else tables.SPACE

    def joint_of(self, row: int) -> Joint:
        """The joint that a row belongs to."""
        return self.joints[int(self.model.tables.which[row, tables.JOINT])]


@contextmanager
def _at(problems: list[Problem], place: str) -> Iterator[None]:
    """Note what is wrong with an entry, and go on."""
    try:
        yield
    except SceneError as error:
        problems += error.problems
    except GranumError as error:
        problems.append(Problem(place, str(error)))


def build(scene: Scene) -> Mechanism:
    """The mechanism of a scene; raises SceneError with all that is wrong with it."""
    if scene.system.coordinates:
        raise SceneError([Problem(
            "run.formulation", "newton-euler is for point masses, rigid bodies, links and joints, and this scene has "
            "formulas.", "Take one of lagrange, fundamental, gibbs-appell, virtual-work.")])
    return _Builder(explicit(scene) if scene.pattern else scene).built()


def build_geometry(scene: Scene) -> Mechanism:
    """Bodies and joints of any scene, without its loads, for the initial configuration alone.

    Massless points, formulas, curved surfaces and what is attached to them are left out.
    """
    return _Builder(geometric(explicit(scene) if scene.pattern else scene), only_start=True).built()


def geometric(scene: Scene) -> Scene:
    """The part of a scene that rigid bodies, point masses, fixed points and joints between them make up."""
    foreign = {name for name, body in scene.body.items() if isinstance(body, MasslessPoint)}
    foreign |= {entry.body.partition(".")[0] for entry in scene.constraint.values()
                if isinstance(entry, Rolling | Sliding) and entry.on in scene.surface}

    def known(*ends: str) -> bool:
        return foreign.isdisjoint(end.partition(".")[0] for end in ends)

    joints = {name: entry for name, entry in scene.constraint.items()
              if (isinstance(entry, BallJoint | Hinge | Slider | Glue) and known(*entry.between))
              or (isinstance(entry, Rolling | Sliding) and known(entry.body, entry.on))}
    drives = {name: entry for name, entry in scene.constraint.items()
              if isinstance(entry, Drive) and entry.joint in joints}
    return scene.model_copy(update={
        "body": {name: body for name, body in scene.body.items() if name not in foreign},
        "start": {name: start for name, start in scene.start.items() if name not in foreign},
        "link": {name: link for name, link in scene.link.items() if known(*link.between)},
        "constraint": {**joints, **drives}, "load": {}, "surface": {}, "system": FormulaSystem(
            parameters=scene.system.parameters)})


class _Builder:
    def __init__(self, scene: Scene, only_start: bool = False) -> None:
        self.scene, self.only_start = scene, only_start
        self.dimension = dimension_of(scene)
        self.places = Places(scene, self.dimension)
        self.problems = self.places.problems
        self.joints: list[Joint] = []
        self.motions: list[str] = []
        self.reports: list[str] = []

    def built(self) -> Mechanism:
        place_bodies(self.scene, self.places)
        self._raise()
        self._connections()
        loads = self._loads()
        self._raise()
        n = len(self.places.movable)
        first = np.concatenate([[0], np.cumsum([len(joint.rows) for joint in self.joints])]).astype(np.int64)
        drives = self._drives()
        self._raise()
        model = self._model(first, loads, drives)
        y, held = self._start()
        return Mechanism(self.scene, self.dimension, self.places.movable, self.places.fixed, self.joints, first, model,
                         tables.block(model), np.concatenate([y, np.zeros(int(
                             model.tables.shape[tables.TURNS] + model.tables.shape[tables.WORKS]))]),
                         held.reshape(n, 4), tuple(self.reports), drives)

    def _raise(self) -> None:
        if self.problems:
            raise SceneError(self.problems)

    def _connections(self) -> None:
        for name, entry in self.scene.link.items():
            with _at(self.problems, f"link.{name}"):
                one, two = self.places.end(entry.between[0]), self.places.end(entry.between[1])
                self._keep(f"link.{name}", link(name, one, two, entry.length))
        for name, constraint in self.scene.constraint.items():
            place = f"constraint.{name}"
            with _at(self.problems, place):
                if isinstance(constraint, BallJoint | Hinge | Slider | Glue):
                    one, two = self.places.end(constraint.between[0]), self.places.end(constraint.between[1])
                    if not self.only_start:
                        refuse_points(one, two, constraint.kind, self.dimension)
                    self._keep(place, joint_rows(name, constraint, one, two, self.dimension))
                elif isinstance(constraint, Rolling | Sliding):
                    self._keep(place, self._contact(name, constraint))
                elif not isinstance(constraint, Drive | NoSpin):
                    raise GranumError(f'kind "{constraint.kind}" is not known to newton-euler. Take formulation = '
                                      '"fundamental" or "virtual-work".')
        for name, constraint in self.scene.constraint.items():
            with _at(self.problems, f"constraint.{name}"):
                if isinstance(constraint, Drive):
                    self._keep(f"constraint.{name}", self._drive(name, constraint))
                elif isinstance(constraint, NoSpin):
                    self._keep(f"constraint.{name}", self._no_spin(name, constraint))

    def _keep(self, place: str, joint: Joint) -> None:
        joint.place = place
        self.joints.append(joint)

    def _named(self, name: str, kinds: tuple[str, ...], what: str) -> Joint:
        known = {joint.name: joint for joint in self.joints if joint.kind in kinds}
        if name not in known:
            raise GranumError(f'there is no {what} "{name}". {did_you_mean(name, known, what)}')
        return known[name]

    def _drive(self, name: str, entry: Drive) -> Joint:
        self.motions.append(entry.motion)
        return drive(name, self._named(entry.joint, ("hinge", "slider"), "hinge or slider"), len(self.motions) - 1)

    def _no_spin(self, name: str, entry: NoSpin) -> Joint:
        rolling = [joint for joint in self.joints if joint.kind == "rolling" and joint.two.place.name == entry.body]
        if not rolling or self.dimension == 2:
            raise GranumError(f'"{entry.body}" does not roll in space: no-spin needs a rolling constraint too.')
        return rolling[0].without_spin(name)

    def _contact(self, name: str, entry: Rolling | Sliding) -> Joint:
        two, normal = self.places.round_end(entry.body), None
        if entry.on in self.scene.surface:
            normal, point = self._plane(entry.on)
            one = End(entry.on, self.places.ground, point)
        else:
            one = self.places.round_end(entry.on)
        if one.place is two.place:
            raise GranumError(f'both belong to "{one.place.name}". Name parts of two bodies.')
        if two.place.thin and self.dimension == 3 and not self.only_start:
            refuse_points(one, two, entry.kind, self.dimension)
        return contact(name, entry.kind, one, two, normal, entry.friction, self.dimension)

    def _plane(self, name: str) -> tuple[Floats, Floats]:
        """Unit normal and a point of a surface that is plane."""
        axes = [symbol(axis) for axis in "XYZ"[: self.dimension]]
        equation = parse_equation(self.scene.surface[name].equation, ["X", "Y", "Z"][: self.dimension])
        slopes = gradient(equation, axes)
        if free_symbols(slopes):
            raise GranumError(f'"{name}" is curved, and newton-euler knows planes alone. Take [run] formulation = '
                              '"fundamental" for curved surfaces.')
        value, *k = Compiled([], [s.name for s in axes], [equation, *slopes])(0.0, np.zeros(0), np.zeros(3)).tolist()
        slope = three(k)
        if not slope.any():
            raise GranumError(f'"{name}" depends on none of X, Y and Z: it is no surface.')
        return slope / np.linalg.norm(slope), -value * slope / (slope @ slope)

    def _drives(self) -> Compiled | None:
        t, listed, values = symbol("t"), [], self.scene.system.parameters
        for name, entry in self.scene.constraint.items():
            if isinstance(entry, Drive):
                with _at(self.problems, f"constraint.{name}.motion"):
                    motion = rebuild([parse_equation(entry.motion, ["t", *values])],
                                     {symbol(key): number(value) for key, value in values.items()})[0]
                    rate = gradient(motion, [t])[0]
                    listed += [motion, rate, gradient(rate, [t])[0]]
        return Compiled([], [], listed) if listed else None

    def _loads(self) -> _Listed:
        found: _Listed = {
            "gravity": [], "force": [], "torque": [], "spring": [], "torsion": []}
        for name, load in self.scene.load.items():
            with _at(self.problems, f"load.{name}"):
                if isinstance(load, Gravity):
                    found["gravity"].append(((), three(load.acceleration).tolist()))
                elif isinstance(load, Force):
                    end = self._movable(load.on)
                    found["force"].append(((end.place.index,), [*end.arm, *three(load.force)]))
                elif isinstance(load, Torque):
                    found["torque"].append(self._torque(load))
                elif isinstance(load, Spring):
                    found["spring"].append(self._spring(load))
                elif isinstance(load, TorsionSpring):
                    found["torsion"].append(self._torsion(load))
                else:
                    raise GranumError(f'kind "{load.kind}" acts on grains, and there are none.')
        return found

    def _movable(self, name: str) -> End:
        end = self.places.end(name)
        if end.place is self.places.ground:
            raise GranumError(f'"{name}" is a fixed point; a load on it does nothing. Put it on a body with mass.')
        return end

    def _torque(self, load: Torque) -> tuple[tuple[int, ...], list[float]]:
        end = self._movable(load.on)
        if not end.place.turns:
            raise GranumError(f'"{load.on}" is a point mass and does not turn.')
        if self.dimension == 2 and any(load.torque[:2]):
            raise GranumError("turns out of the plane. Give one number.")
        if end.place.thin and self.dimension == 3:
            raise GranumError(f'"{load.on}" is thin: turning about its own axis is not determined. Give it a radius.')
        return (end.place.index,), list(load.torque)

    def _spring(self, load: Spring) -> tuple[tuple[int, ...], list[float]]:
        one, two = self.places.end(load.between[0]), self.places.end(load.between[1])
        if one.place is two.place:
            raise GranumError(f'both points belong to "{one.place.name}". Name points of two bodies.')
        apart = float(np.linalg.norm(two.start - one.start))
        rest = load.rest_length if load.rest_length is not None else apart
        if apart == 0.0 and rest > 0.0:
            raise GranumError("its ends start at the same point, so it has no direction. Start them apart, or give "
                              "rest_length = 0.")
        return (one.place.index, two.place.index), [*one.arm, *two.arm, load.stiffness, rest, load.damping]

    def _torsion(self, load: TorsionSpring) -> tuple[tuple[int, ...], list[float]]:
        joint = self._named(load.hinge, ("hinge",), "hinge")
        assert joint.measure is not None
        row, one, two = joint.measure, joint.one.place, joint.two.place
        w = np.array([row.offset, 0.0, 0.0]) if self.dimension == 2 else row.w
        return (one.index, two.index), [*row.u, *w, *row.p, load.stiffness, load.rest_angle, load.damping]

    def _model(self, first: Ints, loads: _Listed, drives: Compiled | None) -> Model:
        places, rows = self.places.movable, [row for joint in self.joints for row in joint.rows]
        n, planar, m = len(places), self.dimension == 2, len(rows)
        turns = 0 if planar else len(loads["torsion"])
        half = 3 if planar else 6
        works, stores = len(working(self.scene, self.joints)), sum(len(loads[kind]) for kind in STORES)
        shape = np.array([n, planar, turns, 0 if drives is None else drives.address, works], dtype=np.int64)
        ends = np.array([[joint.one.place.index, joint.two.place.index] for joint in self.joints],
                        dtype=np.int64).reshape(-1, 2)
        row_joint = np.repeat(np.arange(len(self.joints)), np.diff(first)).astype(np.int64)
        which = np.column_stack([row_joint, [row.kind for row in rows], [row.drive for row in rows]]).astype(np.int64)
        frictions = [(int(k), joint.friction) for k, joint in zip(first, self.joints, strict=False)
                     if joint.friction is not None]
        numbers = np.zeros((m, tables.J + (6 if frictions else 4) * half))
        numbers[:, : tables.J] = np.array([[*row.u, *row.w, *row.p, row.offset] for row in rows]).reshape(m, tables.J)
        joints = np.zeros((len(self.joints), tables.JOINT_WIDTH))
        joints[:, :6] = np.array([[*joint.one.arm, *joint.two.arm] for joint in self.joints]).reshape(-1, 6)
        rubbing = np.array([[*values, 0.0, 0.0, 0.0] for _, values in frictions], dtype=float).reshape(-1, 6)
        return Model(
            Tables(shape, np.zeros(tables.FIGURES + stores + works), self._bodies(), joints, ends, numbers, which,
                   np.zeros(m), np.zeros(m), np.zeros(m), np.zeros(m), np.zeros(max(1, 3 * len(self.motions)))),
            _load_tables(loads),
            Frictions(np.array([row for row, _ in frictions], dtype=np.int64), rubbing, *self._watch(first)),
            elimination(n, ends, row_joint, bool(frictions)))

    def _watch(self, first: Ints) -> tuple[Ints, Floats]:
        """Events of contacts, and what they are called."""
        kinds, limits, sliding = [], [], 0
        for k, joint in enumerate(self.joints):
            if joint.kind not in ("rolling", "sliding"):
                continue
            kinds.append((tables.PRESSES, first[k], 0))
            limits.append((joint.presses, 0.0))
            self.reports.append(f'{joint.name}: "{joint.two.name}" leaves "{joint.one.name}", the contact opens.')
            if joint.limit is not None:
                kinds.append((tables.HOLDS, first[k], len(joint.rows) - 1))
                limits.append((joint.presses, joint.limit))
                self.reports.append(f'{joint.name}: "{joint.two.name}" begins to slip: friction {joint.limit:g} is too '
                                    "small.")
            if joint.friction is not None:
                kinds.append((tables.SLIDES, sliding, 0))
                limits.append((joint.presses, 0.0))
                self.reports.append(f'{joint.name}: "{joint.two.name}" slips no more on "{joint.one.name}".')
                sliding += 1
        return np.array(kinds, dtype=np.int64).reshape(-1, 3), np.array(limits, dtype=float).reshape(-1, 2)

    def _bodies(self) -> Floats:
        """The table of bodies, the ground at rest in its last row."""
        places, planar = self.places.movable, self.dimension == 2
        found = np.zeros((len(places) + 1, tables.BODY_WIDTH))
        found[:, [tables.R, tables.R + 4, tables.R + 8]] = 1.0
        for place in places:
            inverse = inverse_inertia(place, planar).ravel()
            found[place.index, tables.MASS] = 1.0 / place.mass
            found[place.index, tables.INERTIA : tables.INERTIA + 9] = inverse
            found[place.index, tables.INVERSE : tables.INVERSE + 9] = inverse
        return found

    def _start(self) -> tuple[Floats, Floats]:
        """The state as given, and which parts of it are held."""
        states, held = [], []
        for place in self.places.movable:
            start = self.scene.start.get(place.name) or Start()
            w, assumed = three(start.angular_velocity or ()), three(start.velocity or ())
            held.append((start.holds("position"), start.holds("angle") or start.holds("orientation"),
                         start.holds("velocity"), start.holds("angular_velocity")))
            assert place.position is not None
            if self.dimension == 2:
                states.append([*place.position[:2], place.angle, *assumed[:2], place.inertia[2, 2] * w[2]])
            else:
                momentum = place.rotation @ place.inertia @ place.rotation.T @ w
                states.append([*place.position, *(start.orientation or (1.0, 0.0, 0.0, 0.0)), *assumed, *momentum])
        return np.array(states, dtype=float).ravel(), np.array(held, dtype=float)


def inverse_inertia(place: Place, planar: bool) -> Floats:
    """I⁻¹ in body axes; zero about axes without inertia, which nothing turns a body about."""
    found = np.zeros((3, 3))
    if not place.turns:
        return found
    if planar:
        found[2, 2] = 1.0 / place.inertia[2, 2]
        return found
    moments, axes = np.linalg.eigh(place.inertia)
    inverse = np.array([1.0 / moment if moment > 1e-12 * moments[2] else 0.0 for moment in moments])
    product: Floats = (axes * inverse) @ axes.T
    return product


def _load_tables(loads: _Listed) -> Loads:
    gravity = np.sum([numbers for _, numbers in loads["gravity"]] or [[0.0] * 3], axis=0)
    parts: list[Floats | Ints] = []
    for kind, ends, width in (("force", 1, 6), ("torque", 1, 3), ("spring", 2, 9), ("torsion", 2, 12)):
        bodies = np.array([index for index, _ in loads[kind]], dtype=np.int64)
        parts.append(bodies.reshape(-1, 2) if ends == 2 else bodies.ravel())
        parts.append(np.array([values for _, values in loads[kind]], dtype=float).reshape(-1, width))
    return Loads(gravity.astype(float), *parts)  # type: ignore[arg-type]


def elimination(n: int, ends: Ints, row_joint: Ints, sliding: bool) -> Elimination:
    """Pattern of H along the graph, which blocks make its entries, and room for its factors.

    Joints of the same two bodies, and drives, stand together; their groups go from the leaves to the root with cuts
    last, and by minimum degree where loops are many.
    """
    m = len(row_joint)
    row_order = _row_order(n, ends, row_joint)
    side = np.arange(2 * m)
    body = ends[row_joint].ravel()
    side, body = side[body < n], body[body < n]
    u, v = ldl.meeting_pairs(side, body)
    a, b = side[u], side[v]
    rank = np.empty(m, dtype=np.int64)
    rank[row_order] = np.arange(m)
    later = rank[a >> 1] > rank[b >> 1]
    a, b = np.where(later, a, b), np.where(later, b, a)
    pattern, entry, diagonal = ldl.pattern_of(m, row_order, a >> 1, b >> 1)
    entries = np.concatenate([entry, diagonal[side >> 1]])
    by_entry = np.argsort(entries, kind="stable")
    shares = entries[by_entry], np.concatenate([a, side])[by_entry], np.concatenate([b, side])[by_entry]
    size, fill = len(pattern.row), len(pattern.factor_row)
    other, beside = (size, fill) if sliding else (0, 0)
    filled, flag, path, kept = (np.zeros(m, dtype=np.int64) for _ in range(4))
    return Elimination(
        *pattern, *shares, np.zeros(size), np.zeros(fill), np.zeros(other), np.zeros(beside), np.zeros(m), np.zeros(m),
        np.zeros(m), np.zeros(m), filled, flag, path, kept)


def _row_order(n: int, ends: Ints, row_joint: Ints) -> Ints:
    """Rows in the order of elimination."""
    if not len(row_joint):
        return _NONE
    pairs, group = np.unique(np.sort(ends, axis=1), axis=0, return_inverse=True)
    order = leaf_to_root(Topology(n, pairs[:, 0].copy(), pairs[:, 1].copy()))
    if order is None:
        item, body = np.repeat(np.arange(len(pairs)), 2), pairs.ravel()
        item, body = item[body < n], body[body < n]
        u, v = ldl.meeting_pairs(item, body)
        order = ldl.minimum_degree(len(pairs), item[u], item[v])
    place = np.empty(len(pairs), dtype=np.int64)
    place[order] = np.arange(len(pairs))
    return np.argsort(place[group.ravel()[row_joint]], kind="stable").astype(np.int64)
