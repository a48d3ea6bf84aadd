"""What a system is, in words: bodies, links, loops, freedoms, redundant links, and a start that does not fit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from granum.analytic.build import build
from granum.analytic.derive import from_built
from granum.analytic.newton_euler import prepare
from granum.analytic.redundancy import find_redundancy
from granum.analytic.rigid_bodies.equations import BodyEquations
from granum.analytic.virtual_work import VirtualWork
from granum.assembly.points import PointState, PointSystem, compile_points
from granum.io.scenefile import naming
from granum.linear.method import method_name
from granum.model.scene import Scene
from granum.rows import tables
from granum.run.description import Description, counted, listed, start_line, together
from granum.run.formulas import FormulaSubject
from granum.run.rigid_parts import RigidParts, rigid_parts
from granum.run.subject import refuse_entries_of_grains

ALLOWED = 1e-9
"""Violation of a start that is put down to rounding: relative to the link, and to the largest speed."""


@dataclass(frozen=True)
class Violation:
    """A link that the start does not respect."""

    link: str
    length_error: float
    """Distance minus length [m]."""
    rate: float
    """Rate at which the distance changes [m/s]."""

    @property
    def text(self) -> str:
        """The violation in words."""
        parts = []
        if self.length_error:
            parts.append(f"its ends start {abs(self.length_error):.3g} m "
                         f"{'farther' if self.length_error > 0 else 'nearer'} than its length allows")
        if self.rate:
            parts.append(f"the start velocities {'stretch' if self.rate > 0 else 'shorten'} it at "
                         f"{abs(self.rate):.3g} m/s")
        return " and ".join(parts) + "."


@dataclass(frozen=True)
class Part:
    """An over-determined part: links of which some are too many."""

    links: tuple[str, ...]
    too_many: int


@dataclass(frozen=True)
class LinkDescription(Description):
    """What `granum check` says about point masses and links."""

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
    violations: tuple[Violation, ...]
    method: str

    def summary_lines(self) -> list[str]:
        """The description in words."""
        lines = [f"{self.heading}{counted(self.bodies, 'body', 'bodies')} and "
                 f"{counted(self.fixed_points, 'fixed point', 'fixed points')} in "
                 f"{'the plane' if self.dimension == 2 else 'space'}, joined by "
                 f"{counted(self.links, 'link', 'links')}."]
        lines.append(self._shape())
        if self.degrees_of_freedom is None:
            lines.append("Too large a net to count its degrees of freedom by rank.")
        else:
            lines.append(f"{counted(self.degrees_of_freedom, 'degree', 'degrees')} of freedom in this position.")
        if self.redundant_links:
            lines.append(f"{counted(len(self.redundant_links), 'redundant link', 'redundant links')}: "
                         f"{listed(self.redundant_links)} (one choice; H is singular, link forces of least norm "
                         "are given).")
        lines += [f"Over-determined part, {len(part.links)} links with {part.too_many} too many: {listed(part.links)}."
                  for part in self.overdetermined]
        if self.loops:  # nothing of a tree is rigid
            lines += (["Too large a net in space to look for rigid clusters."] if self.rigid is None
                      else self.rigid.summary_lines())
        if self.violations:
            lines.append(f"The start violates {counted(len(self.violations), 'link', 'links')}:")
            lines += [f"  {v.link}: {v.text}" for v in self.violations[:20]]
        else:
            lines.append("The start fits all links, in position and velocity.")
        lines.append(f"Link forces are solved by {self.method}.")
        return lines

    def _shape(self) -> str:
        parts = counted(self.components, "component", "components")
        free = f" ({self.free_components} free of the ground)" if self.free_components else ""
        if not self.loops:
            return f"{parts}{free}; a tree, no loops."
        return f"{parts}{free}; {counted(self.loops, 'loop', 'loops')}, cut at {listed(self.cuts)}."


@dataclass(frozen=True)
class FormulaDescription(Description):
    """What `granum check` says about a scene of rigid bodies, constraints and formulas."""

    coordinates: tuple[str, ...]
    constraints: int
    rank: int
    degrees_of_freedom: int
    """Independent velocities."""
    dependent_rows: tuple[str, ...]
    massless: tuple[str, ...]
    """Coordinates that carry no mass of their own."""
    frictions: dict[str, str]
    """What each friction does at the start: `sticks` or `slides`."""
    start: dict[str, float]

    def summary_lines(self) -> list[str]:
        """The description in words."""
        lines = [f"{self.heading}{counted(len(self.coordinates), 'coordinate', 'coordinates')}, "
                 f"{counted(self.constraints, 'constraint row', 'constraint rows')} of rank {self.rank}.",
                 f"{counted(self.degrees_of_freedom, 'degree', 'degrees')} of freedom of velocity in this position."]
        if self.dependent_rows:
            lines.append(f"Rows that follow from others: {listed(self.dependent_rows)} (one choice).")
        if self.massless:
            lines.append(f"Without mass: {listed(self.massless)}; constraints determine them, rank [M; A] is full.")
        lines += [f"Friction {name} {mode} at the start." for name, mode in self.frictions.items()]
        lines.append(start_line(self.start))
        return lines


def describe_formulas(scene: Scene) -> FormulaDescription:
    """Build a scene of formulas, compute its start and describe it; refuses what a run would refuse."""
    built = build(scene)
    subject = FormulaSubject(from_built(built, scene.formulation), scene, built)
    equations = subject.equations
    q, v = equations.start
    M, _, A, _ = equations.matrices(q, v)
    frictions = {touch.name: touch.mode.name for touch in equations.touches(q, v)} if isinstance(
        equations, VirtualWork) else {}
    # a friction that slides holds nothing; one that sticks holds its slip rows as any other constraint
    holds = [not row.invariant and not (row.slips and frictions[row.constraint] == "slides")
             for row in equations.system.rows]
    rows = [row for row, held in zip(equations.system.rows, holds, strict=True) if held]
    kept: list[int] = []
    scaled = A[holds] / np.maximum(np.linalg.norm(A[holds], axis=1, keepdims=True), 1e-300)
    for k in range(len(rows)):
        if np.linalg.matrix_rank(scaled[[*kept, k]], 1e-9) == len(kept) + 1:
            kept.append(k)
    names = equations.coordinates
    values = dict(zip((*names, *(s.name for s in equations.system.v)), (*q.tolist(), *v.tolist()), strict=True))
    return FormulaDescription(
        scene.title, names, len(rows), len(kept), len(names) - len(kept),
        tuple(row.name for k, row in enumerate(rows) if k not in kept),
        tuple(name for k, name in enumerate(names) if not M[k].any()), frictions, values)


@dataclass(frozen=True)
class BodyDescription(Description):
    """What `granum check` says about a scene of rigid bodies and joints."""

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

    def summary_lines(self) -> list[str]:
        """The description in words."""
        where = "the plane" if self.dimension == 2 else "space"
        lines = [f"{self.heading}{counted(self.bodies, 'body', 'bodies')} and "
                 f"{counted(self.fixed_points, 'fixed point', 'fixed points')} in {where}, "
                 f"{counted(self.joints, 'connection', 'connections')} with "
                 f"{counted(self.rows, 'row', 'rows')} of rank {self.rank}.",
                 f"{counted(self.degrees_of_freedom, 'degree', 'degrees')} of freedom in this position; "
                 f"Grübler's count is {self.gruebler}."]
        for names, count in self.redundant:
            rows = "a row too many" if count == 1 else f"{count} rows too many"
            lines.append(f"{together(names)} restrain the same motion: {rows}. The motion is right; of their reactions "
                         "those that are not unique are marked, and given with the least norm.")
        if self.thin:
            lines.append(f"Turning about their own axis is left out of thin bodies: {together(self.thin)}.")
        lines.append(start_line(self.start))
        return lines


def describe_bodies(scene: Scene) -> BodyDescription:
    """Build rigid bodies with joints, compute their start and describe them."""
    equations = BodyEquations(scene)
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
        equations.redundancy().parts, () if planar else tuple(body.name for body in rows.bodies if body.thin), values)


def check(scene: Scene) -> Description:
    """Compile a scene and say what it is."""
    with naming(scene._file):
        return _check(scene)


def _check(scene: Scene) -> Description:
    if scene.has_grains:
        from granum.run.grain_check import describe_grains  # takes a second to load

        return describe_grains(scene.with_run(solver=scene.solver))
    refuse_entries_of_grains(scene)
    if scene.has_formulas:
        return describe_bodies(scene) if scene.formulation == "newton-euler" else describe_formulas(scene)
    system, start = compile_points(scene)
    topology = system.topology
    model, scratch = prepare(system)
    redundancy = find_redundancy(system, model, scratch, start.x)
    movable = int(np.count_nonzero(~system.fixed))
    rank = system.link_count - len(redundancy.links)
    grounded = topology.component_size[topology.component[topology.ground]] > 1
    names = system.link_name
    return LinkDescription(
        title=scene.title, dimension=system.dimension, bodies=movable,
        fixed_points=len(np.unique(system.body_order[system.fixed])), links=system.link_count,
        components=topology.component_count, free_components=topology.component_count - int(grounded),
        loops=len(topology.cuts), cuts=tuple(names(int(cut)) for cut in topology.cuts[:200]),
        degrees_of_freedom=system.dimension * movable - rank if redundancy.examined else None,
        redundant_links=tuple(names(link) for link in redundancy.links),
        overdetermined=tuple(Part(tuple(names(link) for link in links), count) for links, count in redundancy.parts),
        rigid=rigid_parts(system, start.x),
        violations=tuple(start_violations(system, start)), method=method_name(model.elimination),
    )


def start_violations(system: PointSystem, start: PointState) -> list[Violation]:
    """Links that the start violates by more than rounding, in their order."""
    arm = start.x[:, system.links.head] - start.x[:, system.links.tail]
    rate = start.v[:, system.links.head] - start.v[:, system.links.tail]
    distance = np.linalg.norm(arm, axis=0)
    error = distance - system.links.length
    stretching = (arm * rate).sum(axis=0) / np.where(distance > 0.0, distance, 1.0)
    speed = float(np.abs(start.v).max(initial=0.0))
    off = np.abs(error) > ALLOWED * system.links.length
    moving = np.abs(stretching) > ALLOWED * speed
    return [
        Violation(system.link_name(int(k)), float(error[k]) if off[k] else 0.0,
                  float(stretching[k]) if moving[k] else 0.0)
        for k in np.flatnonzero(off | moving)
    ]
