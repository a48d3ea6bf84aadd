"""What one part of a body does to the other (Souchet): across a glued joint of formulas (example 2), across a cut."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from granum.analytic.expressed_equations import ExpressedEquations
from granum.analytic.rigid_bodies.equations import BodyEquations
from granum.analytic.rigid_bodies.system import BodySystem
from granum.assembly.cuts import Cut
from granum.base.errors import GranumError, did_you_mean
from granum.base.kernels import Floats
from granum.loads.registry import without_kernels
from granum.loads.tables import apply_load
from granum.rows import tables
from granum.rows.body import Body
from granum.state.table import LOAD, WX, WZ, A, X, Z

ROUNDING = 1e-12
"""Of moments of inertia, relative to those of the whole, that may lack to those of a possible body."""


class Part(NamedTuple):
    """Mass properties of a body or of a part of it, all in the same axes."""

    mass: float
    """[kg]"""
    centre: Floats
    """Mass centre [m]."""
    inertia: Floats
    """(3, 3), about its own mass centre [kg m²]."""


class Section(NamedTuple):
    """What the first part does to the second across a cut, in inertial axes."""

    force: Floats
    """[N], at the glued point."""
    moment: Floats
    """About the glued point [N m]."""


def part(mass: float, centre: Sequence[float], inertia: Sequence[float] | Sequence[Sequence[float]] | Floats) -> Part:
    """A part from plain numbers; three moments of inertia stand for a diagonal."""
    given = np.array(inertia, dtype=float)
    return Part(float(mass), np.array(centre, dtype=float), np.diag(given) if given.ndim == 1 else given)


def divide(whole: Part, first: Part) -> Part:
    """The other part of a body: masses and first moments are what is left, second moments follow by Steiner."""
    mass = whole.mass - first.mass
    if not 0.0 < first.mass < whole.mass:
        raise GranumError(f"a part of {first.mass:g} kg cannot be cut from a body of {whole.mass:g} kg: both parts "
                          "need mass.")
    centre = (whole.mass * whole.centre - first.mass * first.centre) / mass
    about = whole.inertia - first.inertia - _steiner(first.mass, first.centre - whole.centre)
    inertia = about - _steiner(mass, centre - whole.centre)
    # ∫ρ X Xᵀ = ½ tr(I) 1 - I of real matter has no negative eigenvalue
    least = float(np.linalg.eigvalsh(0.5 * np.trace(inertia) * np.eye(3) - inertia).min())
    if least < -ROUNDING * float(np.trace(whole.inertia)):
        raise GranumError(f"the remainder after cutting off {first.mass:g} kg is not a possible body: its second "
                          f"moment of mass would be {least:g} kg m² along some axis. The part is too large for the "
                          "whole.")
    return Part(mass, centre, inertia)


def _steiner(mass: float, arm: Floats) -> Floats:
    """M (|d|² 1 - d dᵀ)."""
    shift: Floats = mass * (float(arm @ arm) * np.eye(3) - np.outer(arm, arm))
    return shift


def section_loads(equations: ExpressedEquations, glue: str, q: Floats, v: Floats, t: float = 0.0) -> Section:
    """Force and moment across the cut that a constraint of kind `glue` closes: on its second body by its first."""
    names = equations.reaction_names
    glued = [name.removesuffix(".moment.z") for name in names if name.endswith(".moment.z")]
    if glue not in glued:
        raise GranumError(f'there is no cut "{glue}". {did_you_mean(glue, glued, "glue constraint")}')
    reactions = equations.reactions(q, v, t)
    # in 2-D some are zero
    force, moment = (np.array([reactions.get(f"{glue}.{kind}.{axis}", 0.0) for axis in "xyz"])
                     for kind in ("force", "moment"))
    return Section(force, moment)


def loads_across(equations: BodyEquations, y: Floats) -> Floats:
    """(cuts, 6): force and moment across each cut of a scene, in the state that was evaluated last.

    Where joints are redundant, their reactions are those of least norm, as elsewhere.
    """
    cuts = equations.system.assembly.cuts
    if not cuts:
        return np.zeros((0, 6))
    multiplier = equations.least_multiplier()
    return np.array([np.concatenate(_across(equations.system, cut, y, multiplier)) for cut in cuts])


def _across(system: BodySystem, cut: Cut, y: Floats, multiplier: Floats) -> Section:
    """What the rest of a body does to the part behind a cut: D'Alembert on that part (Souchet).

    m' a' = F + (what acts on the part), and the same of moments about the point of the cut. Loads and joints act on the
    part that has their point.
    """
    own, i = system.rows.tables.bodies, cut.body.index
    R, x, w = own.rotation(i), own.pose[i, X : Z + 1], own.motion[i, WX : WZ + 1]
    a, angular = own.derived[i, A : A + 3], own.derived[i, A + 3 : A + 6]
    arm, point = R @ cut.centre, x + R @ cut.point
    acceleration = a + np.cross(angular, arm) + np.cross(w, np.cross(w, arm))
    inertia = R @ cut.inertia @ R.T
    force_ = cut.mass * (acceleration - system.model.loads.gravity)
    moment = inertia @ angular + np.cross(w, inertia @ w) + np.cross(x + arm - point, force_)
    for at, push, torque in _actions(system, cut.body, y, multiplier):
        if (R.T @ (at - x) - cut.point) @ cut.normal < 0.0:
            force_ = force_ - push
            moment = moment - torque - np.cross(at - point, push)
    return Section(force_, moment)


def _actions(system: BodySystem, body: Body, y: Floats, multiplier: Floats) -> list[tuple[Floats, Floats, Floats]]:
    """Point, force and moment about that point of every load and joint on a body, gravity left out."""
    own_tables, loads, bodies = system.rows.tables, system.model.loads, system.rows.tables.bodies
    x, R, force = bodies.pose[body.index, X : Z + 1], bodies.rotation(body.index), bodies.derived[:, LOAD : LOAD + 6]
    actions, kept = _joint_actions(system, body, multiplier), force.copy()
    for k, load in enumerate(system.acting):
        own = [end for end in load.ends if end.body is body]
        if own:
            force[:] = 0.0
            apply_load(own_tables.shape, own_tables.body_block, loads, 0.0, y, k)
            actions.append(_at(x, R @ own[0].arm, force[body.index]))
    force[:] = kept
    others, expressed = without_kernels(system.loads), system.expressed
    first = len(expressed.stores) + len(expressed.works)
    wrenches = loads.expressed_values[first : first + 6 * len(expressed.owners)].reshape(-1, 6)
    for number, index, wrench in zip(expressed.owners, expressed.bodies, wrenches, strict=True):
        if index == body.index:
            arm = next(end.arm for end in others[number].ends if end.body is body)
            actions.append(_at(x, R @ arm, wrench))
    return actions


def _at(x: Floats, arm: Floats, wrench: Floats) -> tuple[Floats, Floats, Floats]:
    """A point, and force and moment there, from force and torque about the mass centre x."""
    force, torque = wrench[:3].copy(), wrench[3:].copy()
    return x + arm, force, torque - np.cross(arm, force)


def _joint_actions(system: BodySystem, body: Body, multiplier: Floats) -> list[tuple[Floats, Floats, Floats]]:
    """What joints do to a body."""
    own, actions, rows, half = system.rows.tables, [], system.rows, system.rows.half
    skipped = 4 if rows.slides else 0
    x = own.bodies.pose[body.index, X : Z + 1]
    for k, joint in enumerate(rows.joints):
        for side in (0, 1):
            if own.ends[k, side] != body.index:
                continue
            part = slice(int(rows.first[k]), int(rows.first[k + 1]))
            begin = tables.J + (skipped + side) * half
            acting = multiplier[part] @ own.rows[part, begin : begin + half]
            push, torque = (np.array([*acting[:2], 0.0]), np.array([0.0, 0.0, acting[2]])) if half == 3 \
                else (acting[:3], acting[3:])
            arm = own.joints[k, tables.REACH + 3 * side : tables.REACH + 3 * side + 3]
            if joint.measured == "displacement" and side == 0:  # the line pushes where the second body is
                arm = arm + own.joints[k, tables.APART : tables.APART + 3]
            actions.append((x + arm, push, torque - np.cross(arm, push)))
    return actions
