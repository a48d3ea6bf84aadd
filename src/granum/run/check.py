"""Description of a scene: bodies, links, loops, degrees of freedom, redundant links, inconsistent starts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from granum.analytic.build import build
from granum.analytic.derive import from_built
from granum.analytic.newton_euler import prepare
from granum.analytic.redundancy import find_redundancy
from granum.analytic.rigid_bodies.equations import BodyEquations
from granum.analytic.virtual_work import VirtualWork
from granum.assembly.points import PointSystem, compile_points
from granum.assembly.points.rigidity import link_rigidity
from granum.assembly.ways import assembly_lines
from granum.base.arguments import checked
from granum.base.kernels import Floats
from granum.base.notebook import lines
from granum.base.text import count, listed, visible
from granum.integrate.effort import refuse_endless
from granum.integrate.one_sided_bodies import OneSidedBodies
from granum.integrate.rigid_bodies import BodyMotion
from granum.integrate.stepper import METHODS
from granum.io.scenefile import naming
from granum.linear.method import method_name
from granum.model.one_sided import refuse_by_formulas
from granum.model.scene import Scene
from granum.rows import tables
from granum.run.formulas import SolvedFormulas
from granum.run.linked import StartViolation, open_at, start_violations
from granum.run.subject import refuse_entries_of_grains
from granum.topology import Topology

_SHOWN = 12
"""Names that a line lists."""
LISTED = 20
"""Clusters that are described; the largest come first."""
_NAMED = 6
"""Bodies of a cluster that are named."""


@dataclass(frozen=True, repr=False)
class Description(ABC):
    """What `granum check` says about a scene.

    >>> gr.check(gr.example("truss")).as_json()["redundant_links"]
    ('rim-link-6',)
    """

    title: str

    def as_json(self) -> dict[str, Any]:
        """All figures by name."""
        return asdict(self)

    @abstractmethod
    def summary_lines(self) -> list[str]:
        """The description in words."""

    def __str__(self) -> str:
        return "\n".join(self.summary_lines())

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.summary_lines()[0]}>"

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return f"<div>{lines(self.summary_lines())}</div>"

    @property
    def heading(self) -> str:
        """The title with a colon; nothing without one."""
        return f"{self.title}: " if self.title else ""


def together(names: Sequence[str]) -> str:
    """Names as the subject of a sentence."""
    if len(names) == 1:
        return names[0]
    return (f"{', '.join(names[:-1])} and {names[-1]}" if len(names) <= _SHOWN
            else f"{', '.join(names[:_SHOWN])} and others")


def start_line(start: dict[str, float]) -> str:
    """The start, as far as it fits a line; coordinates and rates are zero beside the largest of their kind."""
    scale = {moves: max((abs(value) for name, value in start.items() if _is_rate(name) == moves), default=0.0)
             for moves in (False, True)}
    values = ", ".join(f"{name} = {visible(value, scale[_is_rate(name)]):.6g}"
                       for name, value in list(start.items())[:40])
    return f"Initial state, computed from the given values: {values}."


def _is_rate(name: str) -> bool:
    return name.endswith("_dot")


@dataclass(frozen=True)
class RigidPart:
    """A rigid cluster of more than one link."""

    bodies: int
    """Bodies and fixed points in it."""
    links: int
    some: tuple[str, ...]
    """Some of the bodies."""
    state: str
    """"isostatic": every link is needed; "over-determined": any one can go; "partly over-determined": some can."""
    fixed: bool
    """Does the ground hold it?"""

    @property
    def text(self) -> str:
        """The cluster in words."""
        more = ", ..." if self.bodies > len(self.some) else ""
        return (f"{count(self.bodies, 'body')} ({', '.join(self.some)}{more}), {count(self.links, 'link')}, "
                f"{self.state}{', fixed to the ground' if self.fixed else ''}")


@dataclass(frozen=True)
class RigidParts:
    """All rigid clusters of more than one link; a single link is no news."""

    clusters: int
    largest: tuple[RigidPart, ...]
    """The largest of them."""
    floppy_modes: int
    redundant_links: int
    in_position: bool
    """True of this position, or by count: of almost all positions of a net like this."""

    def summary_lines(self) -> list[str]:
        """Few lines: how many, the largest, and every other one that is over-determined."""
        lines = []
        if not self.in_position:
            lines.append(f"Generic count (pebble game): {count(self.floppy_modes, 'floppy mode')}, "
                         f"{count(self.redundant_links, 'redundant link')}; special positions can have more of both.")
        if self.clusters == 0:
            return [*lines, "There is no rigid cluster of two or more links."]
        several = "One rigid cluster" if self.clusters == 1 else f"{self.clusters} rigid clusters; the largest"
        lines.append(f"{several}: {self.largest[0].text}.")
        return lines + [f"Also over-determined: {part.text}." for part in self.largest[1:] if "over" in part.state]


def rigid_parts(system: PointSystem, x: Floats) -> RigidParts | None:
    """Rigid clusters in the position x; None where the net is too large to say."""
    rigidity = link_rigidity(system, x)
    if rigidity is None:
        return None
    clusters = rigidity.rigidity
    label = clusters.label[: system.link_count]
    links = np.bincount(label[label >= 0], minlength=clusters.count)
    parts = []
    for cluster in np.flatnonzero(links > 1)[:LISTED]:
        members = clusters.members(int(cluster))
        stressed = clusters.stressed[: system.link_count][label == cluster]
        state = "over-determined" if stressed.all() else "partly over-determined" if stressed.any() else "isostatic"
        bodies = members[members < clusters.bodies]
        some = tuple(system.body_names[int(body)] for body in bodies[:_NAMED])
        parts.append(RigidPart(len(bodies), int(links[cluster]), some, state, clusters.holds_ground(int(cluster))))
    return RigidParts(int(np.count_nonzero(links > 1)), tuple(parts), clusters.freedoms, int(clusters.redundant.sum()),
                      rigidity.in_position)


@dataclass(frozen=True)
class Part:
    """An over-determined part: links of which some are too many."""

    links: tuple[str, ...]
    too_many: int


@dataclass(frozen=True, repr=False)
class LinkDescription(Description):
    """Description of a scene of point masses and links."""

    dimension: int
    bodies: int
    fixed_points: int
    links: int
    components: int
    free_components: int
    loops: int
    cuts: tuple[str, ...]
    degrees_of_freedom: int | None
    redundant_links: tuple[str, ...]
    overdetermined: tuple[Part, ...]
    rigid: RigidParts | None
    """None in space where the net is too large."""
    violations: tuple[StartViolation, ...]
    method: str
    open_links: tuple[str, ...] = ()
    """One-sided links whose ends do not touch at the start: nothing else here counts them, but `links`."""

    def summary_lines(self) -> list[str]:
        """The description in words."""
        lines = [f"{self.heading}{count(self.bodies, 'body')} and "
                 f"{count(self.fixed_points, 'fixed point')} in "
                 f"{self.dimension}-D, {count(self.links, 'link')}.", *open_line(self.open_links)]
        lines.append(self._shape())
        if self.degrees_of_freedom is None:
            lines.append("The net is too large to determine its degrees of freedom by rank.")
        else:
            lines.append(f"{count(self.degrees_of_freedom, 'degree')} of freedom in this position.")
        if self.redundant_links:
            lines.append(f"{count(len(self.redundant_links), 'redundant link')}: "
                         f"{listed(self.redundant_links)} (one possible choice; link forces are those of "
                         "least norm).")
        lines += [f"Over-determined part: {count(len(part.links), 'link')}, {part.too_many} too many: "
                  f"{listed(part.links)}."
                  for part in self.overdetermined]
        if self.loops:  # nothing of a tree is rigid
            lines += (["The 3-D net is too large to search for rigid clusters."] if self.rigid is None
                      else self.rigid.summary_lines())
        if self.violations:
            lines.append(f"The start violates {count(len(self.violations), 'link')}:")
            lines += [f"  {v.link}: {v.text}" for v in self.violations[:20]]
        else:
            lines.append("The initial positions and velocities satisfy all links.")
        lines.append(f"Method for the link forces: {self.method}.")
        return lines

    def _shape(self) -> str:
        parts = count(self.components, "component")
        free = f" ({self.free_components} not attached to the ground)" if self.free_components else ""
        if not self.loops:
            return f"{parts}{free}; no loops."
        return f"{parts}{free}; {count(self.loops, 'loop')}, cut at {listed(self.cuts)}."


@dataclass(frozen=True, repr=False)
class FormulaDescription(Description):
    """Description of a scene of rigid bodies, constraints and formulas."""

    coordinates: tuple[str, ...]
    constraints: int
    """Rows that hold in this position: all but those of frictions that slide."""
    rank: int
    """Of these rows, those of invariants included."""
    degrees_of_freedom: int
    """Independent velocities."""
    dependent_rows: tuple[str, ...]
    invariants: tuple[str, ...]
    """Rows that the motion keeps by itself, such as the energy: they remove no degree of freedom."""
    massless: tuple[str, ...]
    """Coordinates that carry no mass of their own."""
    frictions: dict[str, str]
    """What each friction does at the start: `sticks` or `slides`."""
    start: dict[str, float]
    assembly: tuple[str, ...] = ()
    """How the loops close, in words."""

    def summary_lines(self) -> list[str]:
        """The description in words."""
        lines = [f"{self.heading}{count(len(self.coordinates), 'coordinate')}, "
                 f"{count(self.constraints, 'constraint row')} of rank {self.rank}.",
                 f"{count(self.degrees_of_freedom, 'degree')} of freedom in this position."]
        if self.invariants:
            lines.append(f"Rows that the motion keeps by itself: {listed(self.invariants)}; they remove no degree of "
                         "freedom.")
        if self.dependent_rows:
            lines.append(f"Redundant rows: {listed(self.dependent_rows)} (one possible choice).")
        if self.massless:
            lines.append(f"Massless coordinates: {listed(self.massless)}; constraints determine their accelerations.")
        lines += [f"Contact {name} {mode} at the start." for name, mode in self.frictions.items()]
        lines += [start_line(self.start), *self.assembly]
        return lines


def describe_formulas(scene: Scene) -> FormulaDescription:
    """Build a scene of formulas, compute its start and describe it; refuses what a run would refuse."""
    refuse_by_formulas(scene)
    built = build(scene)
    equations = SolvedFormulas(from_built(built, scene.formulation), scene, built).equations
    q, v = equations.start
    M, _, A, _ = equations.matrices(q, v)
    frictions = {touch.name: touch.mode.name for touch in equations.touches(q, v)} if isinstance(
        equations, VirtualWork) else {}
    # a friction that slides holds nothing; one that sticks holds its slip rows as any other constraint
    system = equations.system
    holds = [not (row.slips and frictions[row.constraint] == "slides") for row in system.rows]
    rows = [row for row, held in zip(system.rows, holds, strict=True) if held]
    kept: list[int] = []
    scaled = A[holds] / np.maximum(np.linalg.norm(A[holds], axis=1, keepdims=True), 1e-300)
    for k in range(len(rows)):
        if np.linalg.matrix_rank(scaled[[*kept, k]], 1e-9) == len(kept) + 1:
            kept.append(k)
    names = equations.coordinates
    values = dict(zip((*names, *(s.name for s in system.v)), (*q.tolist(), *v.tolist()), strict=True))
    free = len(names) - sum(not rows[k].invariant for k in kept)
    return FormulaDescription(
        scene.title, names, len(rows), len(kept), free,
        tuple(row.name for k, row in enumerate(rows) if k not in kept),
        tuple(row.name for row in rows if row.invariant),
        tuple(name for k, name in enumerate(names) if not M[k].any()), frictions, values,
        tuple(assembly_lines(built.assembly)))


@dataclass(frozen=True, repr=False)
class BodyDescription(Description):
    """Description of a scene of rigid bodies and joints."""

    dimension: int
    bodies: int
    fixed_points: int
    joints: int
    rows: int
    rank: int
    degrees_of_freedom: int
    """Independent velocities in this position."""
    gruebler: int
    """Velocities of the bodies less rows (Grübler's count)."""
    redundant: tuple[tuple[tuple[str, ...], int], ...]
    """Joints that restrain the same motion, and how many rows of them are too many."""
    thin: tuple[str, ...]
    """Bodies whose rotation about their own axis nothing determines, and nothing depends on."""
    start: dict[str, float]
    open_links: tuple[str, ...] = ()
    """One-sided links that are open at the start: they are not among the joints and rows."""
    assembly: tuple[str, ...] = ()
    """How the loops close, in words."""

    def summary_lines(self) -> list[str]:
        """The description in words."""
        lines = [f"{self.heading}{count(self.bodies, 'body')} and "
                 f"{count(self.fixed_points, 'fixed point')} in {self.dimension}-D, "
                 f"{count(self.joints, 'joint')} with {count(self.rows, 'constraint row')} of rank {self.rank}.",
                 *open_line(self.open_links),
                 f"{count(self.degrees_of_freedom, 'degree')} of freedom in this position; "
                 f"Grübler's count is {self.gruebler}."]
        for names, surplus in self.redundant:
            lines.append(f"{together(names)} restrain the same motion: {count(surplus, 'redundant row')}. The motion "
                         "is unaffected; reactions that are not unique are marked and given with least norm.")
        if self.thin:
            lines.append(f"Rotation about their own axis is ignored for thin bodies: {together(self.thin)}.")
        return [*lines, start_line(self.start), *self.assembly]


def describe_bodies(scene: Scene) -> BodyDescription:
    """Build rigid bodies with joints, compute their start and describe them."""
    equations, open_links = BodyEquations(scene), tuple[str, ...]()
    if any(joint.sense for joint in equations.rows.joints):
        motion = OneSidedBodies(equations, scene.run)
        equations = motion.equations
        open_links = tuple(name for name, closed in zip(motion.names, motion.closed, strict=True) if not closed)
    elif scene.run.solver in METHODS:
        refuse_endless(BodyMotion(equations, scene.run), equations.y0)
    rows, fixed = equations.rows, equations.system.assembly.fixed
    q, v = equations.start
    dropped = int(rows.tables.figures[tables.DROPPED])
    planar = rows.dimension == 2
    freedoms = sum((3 if planar else 5 if body.thin else 6) if body.rotates else rows.dimension
                   for body in rows.bodies)
    values = dict(zip((*equations.coordinates, *(f"{name}_dot" for name in equations.coordinates)),
                      (*q.tolist(), *v.tolist()), strict=True))
    return BodyDescription(
        scene.title, rows.dimension, len(rows.bodies), len(fixed), len(rows.joints), rows.row_count,
        rows.row_count - dropped, freedoms - rows.row_count + dropped, freedoms - rows.row_count,
        equations.redundancy().parts, () if planar else tuple(body.name for body in rows.bodies if body.thin), values,
        open_links, tuple(assembly_lines(equations.system.assembly)))


def open_line(names: Sequence[str]) -> list[str]:
    """One-sided links that are open, in words."""
    return [f"Open at the start, and not counted below: {listed(names)}."] if names else []


@dataclass(frozen=True, repr=False)
class GrainDescription(Description):
    """Description of a scene of grains."""

    dimension: int
    grains: int
    groups: dict[str, int]
    """Grains of each body, pattern and source at the start."""
    boundaries: int
    elements: int
    mass: float
    """[kg]"""
    radii: tuple[float, float]
    """Smallest and largest [m]."""
    most_contacts: int
    """Largest coordination number by Sun (1996), eqs. 4.3-4.6."""
    touching: int
    solver: str
    step: dict[str, Any]
    joints: int = 0
    redundant: tuple[str, ...] = ()
    """Which joints restrain the same motion, in words."""
    bodies: int = 0
    """Bodies that no disk or ball is part of, such as rods."""

    def summary_lines(self) -> list[str]:
        """In words."""
        groups = ", ".join(f"{name} {number}" for name, number in self.groups.items() if number)
        what = [count(self.grains, "grain")] * (self.grains > 0 or not self.bodies) + [
            count(self.bodies, "other body" if self.grains else "body")] * (self.bodies > 0)
        several = f" ({groups})" if groups and len(self.groups) > 1 else ""
        step = self.step
        lines = [f"{self.title or 'Scene'}: {' and '.join(what)} in {self.dimension}-D{several}, "
                 f"{count(self.boundaries, 'boundary')} of {count(self.elements, 'element')}."]
        if self.grains:
            lines.append(f"  Radii {self.radii[0]:.4g} to {self.radii[1]:.4g} m, mass {self.mass:.4g} kg; at most "
                         f"{count(self.most_contacts, 'grain')} around one; {count(self.touching, 'pair')} in contact "
                         "at the start.")
        if self.joints:
            lines.append(f"  Links, joints and drives, solved together with the contacts: {self.joints}.")
            lines += [f"  {sentence}" for sentence in self.redundant]
        lines.append(f"  {self.solver}: step {step['step']:.3g} s; recommended {step['proposed']:.3g} s, limit "
                     f"{step['limit']:.3g} s, set by {step['reason']}.")
        return lines


def describe_grains(scene: Scene) -> GrainDescription:
    """Compile a scene of grains and say what it is."""
    from granum.contact.world import World  # takes a second to load
    from granum.grains.aggregates.parts import Parts
    from granum.grains.generation.generate import largest_coordination, size_range
    from granum.run.restart import earlier_grains

    world = World(scene, earlier_grains(scene))
    grains = world.grains
    low, high = size_range(scene, grains)
    names, redundant = ([], []) if world.joints is None else (world.joints.names, world.joints.redundant)
    counts = np.bincount(grains.group, minlength=len(world.groups))
    others = grains.bodies.count - len(np.unique(grains.body)) if isinstance(grains, Parts) else 0
    return GrainDescription(
        scene.title, world.dimension, grains.count, dict(zip(world.groups, counts.tolist(), strict=True)),
        len(scene.boundary), world.elements.count, float(grains.mass.sum()), (low, high),
        largest_coordination(low, high, world.dimension), len(world.touching(1e-6)),
        scene.run.solver, world.choice._asdict(), len(names), tuple(redundant), others)


@checked
def check(scene: Scene) -> Description:
    """Compile a scene and describe it: bodies, joints, degrees of freedom, redundant constraints, initial state.

    Raises SceneError if the scene cannot be run.

    >>> print(gr.check(gr.example("pendulum")).summary_lines()[2])
    50 degrees of freedom in this position.
    """
    with naming(scene._file):
        return _check(scene)


def _check(scene: Scene) -> Description:
    if scene.has_grains:
        return describe_grains(scene.with_grain_solver())
    refuse_entries_of_grains(scene)
    if scene.has_formulas:
        return describe_bodies(scene) if scene.formulation == "newton-euler" else describe_formulas(scene)
    system, start = compile_points(scene)
    count_of_links, violations = system.link_count, tuple(start_violations(system, start))
    is_open = open_at(system, start)
    open_links = tuple(system.link_name(int(link)) for link in is_open)
    if len(is_open):
        topology = Topology(*system.node_ends)
        for link in is_open:
            topology.remove_link(int(link))
        system = system.with_links(topology.links, topology)
    topology = system.topology
    model, scratch = prepare(system)
    redundancy = find_redundancy(system, model, scratch, start.x)
    movable = int(np.count_nonzero(~system.fixed))
    rank = system.link_count - len(redundancy.links)
    grounded = topology.component_size[topology.component[topology.ground]] > 1
    names = system.link_name
    return LinkDescription(
        title=scene.title, dimension=system.dimension, bodies=movable,
        fixed_points=len(np.unique(system.body_order[system.fixed])), links=count_of_links,
        components=topology.component_count, free_components=topology.component_count - int(grounded),
        loops=len(topology.cuts), cuts=tuple(names(int(cut)) for cut in topology.cuts[:200]),
        degrees_of_freedom=system.dimension * movable - rank if redundancy.examined else None,
        redundant_links=tuple(names(link) for link in redundancy.links),
        overdetermined=tuple(Part(tuple(names(link) for link in links), count) for links, count in redundancy.parts),
        rigid=rigid_parts(system, start.x),
        violations=violations, method=method_name(model.elimination), open_links=open_links,
    )
