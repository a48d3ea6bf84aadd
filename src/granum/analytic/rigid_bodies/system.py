"""Rigid bodies with joints and loads as tables for newton-euler."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from dataclasses import replace

import numpy as np

from granum.algebra import Expression
from granum.analytic.rigid_bodies.friction import make_frictions
from granum.analytic.rigid_bodies.rates import Model, programs
from granum.assembly.assembly import Assembly
from granum.base.errors import GranumError, Problem, SceneError
from granum.base.pointers import pack_block
from granum.loads.expressed import ANGLE, POSITION, entry, express
from granum.loads.load import BodyLoad
from granum.loads.registry import with_kernels, without_kernels
from granum.loads.tables import Loads, load_tables
from granum.loads.torsion import counter
from granum.rows import tables
from granum.rows.body import Body
from granum.rows.elimination import Pairs, make_elimination
from granum.rows.independence import metric
from granum.rows.joint import Joint, refuse_thin
from granum.rows.registry import BUILDERS
from granum.rows.system import RowSystem, make_row_system


class BodySystem:
    """The tables of an assembly for one run: bodies, rows, loads, frictions, and the pattern of elimination."""

    def __init__(self, assembly: Assembly) -> None:
        refuse_unknown(assembly)
        self.assembly, self.scene, self.loads = assembly, assembly.scene, assembly.loads
        self.expressed = express(without_kernels(self.loads), assembly.rows.bodies, assembly.dimension == 2)
        """Loads without a kernel."""
        self.inputs = {name: self.expressed.inputs[name] for load in self.loads for name in load.inputs}
        """Places of inputs in the numbers that the machine code is given, by name."""
        if assembly.dimension == 3 and (problems := thin_twisted(self.expressed.twisted)):
            raise SceneError(problems)
        counters = [counter(joint, assembly.dimension == 2) for joint in self.expressed.counted]
        self.acting = with_kernels([*self.loads, *counters])
        """Loads with a kernel, in the order of their table."""
        self.storing = [*(load.name for load in self.acting if load.stores), *self.expressed.stores]
        """Loads with a potential energy, in the order of the figures; gravity is not one of them."""
        self.working = working(self.acting, self.expressed.works, assembly.rows.joints)
        """Section and name of each agent whose work is integrated, in the order of the state."""
        self._turns = 0 if assembly.dimension == 2 else sum(load.joint is not None for load in self.acting)
        self.y0 = np.concatenate([assembly.y, np.zeros(self._turns + len(self.working))])
        """State at the start: bodies, counted angles, works."""
        rows = assembly.rows
        self._tabulate(rows, load_tables(
            [*self.loads, *counters], len(rows.bodies), assembly.dimension == 3, self.expressed))

    def _tabulate(self, rows: RowSystem, loads: Loads, pairs: Pairs | None = None) -> None:
        """Tables of these rows, and their elimination."""
        self.rows = rows.copy(self._turns, len(self.storing), len(self.working))
        frictions, self.reports = make_frictions(self.rows)
        own, slides = self.rows.tables, self.rows.slides
        elimination = make_elimination(
            len(self.rows.bodies), own.ends, own.which[:, tables.JOINT].copy(), slides,
            metric(self.rows.bodies, self.rows.joints, self.rows.dimension == 2), pairs)
        self.model = Model(own, loads, frictions, elimination, programs(slides), np.zeros_like(self.y0))
        self.block = pack_block(self.model)

    def with_joints(self, joints: list[Joint], pairs: Pairs) -> BodySystem:
        """The same bodies and loads with some of the joints, eliminated along the graph of what they connect.

        Loads, inputs and what steers drives are shared: what a user changes holds for both.
        """
        other, rows = copy(self), self.rows
        fewer = make_row_system(rows.dimension, rows.bodies, joints, rows.motions)
        other._tabulate(fewer, self.model.loads, pairs)
        own = other.rows.tables._replace(steering=rows.tables.steering)
        other.rows = replace(other.rows, tables=own, block=pack_block(own))
        other.model = other.model._replace(tables=own)
        other.block = pack_block(other.model)
        return other

    @property
    def motions(self) -> list[Expression]:
        """Motions of drives."""
        return [joint.motion for joint in self.rows.joints]

    @property
    def places(self) -> dict[str, int]:
        """Places in the state of what formulas of loads call the positions of bodies and, in 2-D, their angles."""
        columns = [*POSITION[:2], ANGLE if self.rows.dimension == 2 else POSITION[2]]
        return {entry(body.index, column).name: body.index * self.rows.stride + k
                for body in self.rows.bodies for k, column in enumerate(columns)}

    @property
    def work_count(self) -> int:
        """Agents whose work is integrated: the last numbers of the state."""
        return len(self.working)


def working(acting: list[BodyLoad], expressed: list[tuple[str, str]], joints: list[Joint]) -> list[tuple[str, str]]:
    """Section and name of each agent whose work is integrated: loads without a potential and dampers, first those with
    a kernel; drives; sliding frictions.
    """
    drives = [joint.name for joint in joints if joint.driven]
    frictions = [f"{joint.name}.friction" for joint in joints if joint.friction is not None]
    return [*(("load", load.worker) for load in acting if load.worker is not None),
            *expressed, *(("constraint", name) for name in (*drives, *frictions))]


def refuse_unknown(assembly: Assembly) -> None:
    """Refuse what newton-euler cannot do: formulas, massless points, rotations without inertia."""
    scene = assembly.scene
    if scene.system.coordinates:
        raise SceneError([Problem(
            "run.formulation", "newton-euler supports point masses, rigid bodies, links and joints, but this scene has "
                               "formulas.", "Use one of lagrange, fundamental, gibbs-appell, virtual-work.")])
    problems = [Problem(f"body.{body.name}", "has no mass, but newton-euler needs masses.",
                        'Give it a mass, or use [run] formulation = "fundamental".')
                for body in assembly.bodies.values() if body.massless]
    problems += [Problem(f"constraint.{name}", f'kind "{entry.kind}" is not supported by newton-euler. Use formulation '
                                               '= "fundamental" or "virtual-work".')
                 for name, entry in scene.constraint.items() if type(entry) not in BUILDERS]
    if assembly.dimension == 3:
        for joint in assembly.joints:
            try:
                refuse_thin(joint)
            except GranumError as error:
                problems.append(Problem(joint.place, str(error)))
        problems += thin_twisted((load.name, end.body) for load in assembly.loads if load.twists and not load.stores
                                 for end in load.ends)
    if problems:
        raise SceneError(problems)


def thin_twisted(torques: Iterable[tuple[str, Body]]) -> list[Problem]:
    """Torques, by name and body, that act on thin bodies."""
    return [Problem(f"load.{name}", f'"{body.name}" is thin, so its rotation about its own axis is not determined. '
                                    "Give it a radius.") for name, body in torques if body.thin]
