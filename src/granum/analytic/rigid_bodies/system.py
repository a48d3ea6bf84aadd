"""Rigid bodies with joints and loads as tables for newton-euler."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from granum.analytic.rigid_bodies.friction import make_frictions
from granum.analytic.rigid_bodies.rates import Model
from granum.assembly.assembly import Assembly
from granum.base.errors import GranumError, Problem, SceneError
from granum.base.pointers import pack_block
from granum.loads.expressed import express
from granum.loads.load import BodyLoad
from granum.loads.tables import KERNELS, load_tables
from granum.model.loads import Force, Spring, Torque, TorsionSpring, damper
from granum.rows import tables
from granum.rows.bodies import Body
from granum.rows.elimination import make_elimination
from granum.rows.joint import Joint, refuse_thin
from granum.rows.registry import BUILDERS


class BodySystem:
    """The tables of an assembly for one run: bodies, rows, loads, frictions, and the pattern of elimination."""

    def __init__(self, assembly: Assembly) -> None:
        refuse_unknown(assembly)
        self.assembly, self.scene, self.loads = assembly, assembly.scene, assembly.loads
        springs = [load for load in self.loads if type(load.entry) is TorsionSpring]
        self.expressed = express([load for load in self.loads if type(load.entry) not in KERNELS],
                                 assembly.rows.bodies, assembly.dimension == 2)
        """Loads without a kernel."""
        if assembly.dimension == 3 and (problems := thin_twisted(self.expressed.twisted)):
            raise SceneError(problems)
        stores = len(self.expressed.stores) + sum(
            type(load.entry) in (Force, Spring, TorsionSpring) for load in self.loads)
        self.working = working(self.loads, self.expressed.works, assembly.rows.joints)
        """Section and name of each agent whose work is integrated, in the order of the state."""
        turns = 0 if assembly.dimension == 2 else len(springs)
        self.rows = assembly.rows.copy(turns, stores, len(self.working))
        frictions, self.reports = make_frictions(self.rows)
        own = self.rows.tables
        count = len(self.rows.bodies)
        self.model = Model(own, load_tables(self.loads, count, self.expressed), frictions, make_elimination(
            count, own.ends, own.which[:, tables.JOINT].copy(), self.rows.slides))
        self.block = pack_block(self.model)
        self.y0 = np.concatenate([assembly.y, np.zeros(turns + len(self.working))])
        """State at the start: bodies, counted angles, works."""

    @property
    def work_count(self) -> int:
        """Agents whose work is integrated: the last numbers of the state."""
        return len(self.working)


def working(loads: list[BodyLoad], expressed: list[str], joints: list[Joint]) -> list[tuple[str, str]]:
    """Section and name of each agent whose work is integrated: torques, dampers, loads without a kernel, drives,
    sliding frictions.
    """
    torques = [load.name for load in loads if type(load.entry) is Torque]
    dampers = [damper(load.name) for kind in (Spring, TorsionSpring) for load in loads
               if type(load.entry) is kind and load.entry.damping > 0.0]
    drives = [joint.name for joint in joints if joint.kind == "drive"]
    frictions = [f"{joint.name}.friction" for joint in joints if joint.friction is not None]
    return [*(("load", name) for name in (*torques, *dampers, *expressed)),
            *(("constraint", name) for name in (*drives, *frictions))]


def refuse_unknown(assembly: Assembly) -> None:
    """Refuse what newton-euler cannot do: formulas, massless points, rotations without inertia."""
    scene = assembly.scene
    if scene.system.coordinates:
        raise SceneError([Problem(
            "run.formulation", "newton-euler is for point masses, rigid bodies, links and joints, and this scene has "
            "formulas.", "Take one of lagrange, fundamental, gibbs-appell, virtual-work.")])
    problems = [Problem(f"body.{body.name}", "has no mass, and newton-euler divides by masses.",
                        'Give it a mass, or take [run] formulation = "fundamental".')
                for body in assembly.bodies.values() if body.kind == "massless"]
    problems += [Problem(f"constraint.{name}", f'kind "{entry.kind}" is not known to newton-euler. Take formulation = '
                         '"fundamental" or "virtual-work".')
                 for name, entry in scene.constraint.items() if type(entry) not in BUILDERS]
    if assembly.dimension == 3:
        for joint in assembly.joints:
            try:
                refuse_thin(joint)
            except GranumError as error:
                problems.append(Problem(joint.place, str(error)))
        problems += thin_twisted((load.name, load.ends[0].body) for load in assembly.loads
                                 if type(load.entry) is Torque)
    if problems:
        raise SceneError(problems)


def thin_twisted(torques: Iterable[tuple[str, Body]]) -> list[Problem]:
    """Torques, by name and body, that act on thin bodies."""
    return [Problem(f"load.{name}", f'"{body.name}" is thin: turning about its own axis is not determined. Give it a '
                    "radius.") for name, body in torques if body.thin]
