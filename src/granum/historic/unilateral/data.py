"""Data of a step with unilateral links: links, contacts to be corrected, and named groups of arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from granum.base.kernels import Floats, Ints, Records
from granum.contact.problem import CONTACT
from granum.contact.totals import TOTALS
from granum.grains.geometry.elements import Boundaries
from granum.grains.state import Int32s

ROUNDS, MOST, UNSETTLED, DIVIDED = range(TOTALS, TOTALS + 4)
"""Totals beyond those of all rigid steps: rounds and the most in a step; steps whose corrections were left unfinished;
steps that were divided."""
OWN_TOTALS = TOTALS + 4
NEAR = 1e-4
"""Gap in smaller radii below which grains touch (published: about 3e-5)."""
LINK = np.dtype([
    ("i", np.int64), ("j", np.int64), ("slot", np.int64), ("mass", float), ("friction", float), ("normal", float, 3),
    ("drift", float), ("normal_force", float), ("friction_force", float, 3), ("last_force", float, 3),
    ("first_normal", float, 3), ("first_normal_force", float), ("first_friction_force", float, 3),
    ("first_velocity", float, 3), ("wall_velocity", float, 3), ("least_force", float),
    ("law", np.int64), ("epsilon", float)])
"""A link of a step: rows i and j (i behind the grains: a boundary), its place in the lists (pairs, then boundaries);
effective mass m = 1/w [kg], μ; normal; the rest of the relative acceleration along it, without forces [m/s²]; γ and f
[N]; the force of the round before. At the beginning of the step: normal, γ, f, relative velocity, and velocity of the
boundary. The least γ: minus its cohesion, 0 of links that cannot pull or are broken [N]. The
friction model and its ε [m/s]."""
CORRECTED = np.dtype([
    *CONTACT.descr, ("i", np.int64), ("j", np.int64), ("slot", np.int64), ("link", np.int64), ("touches", np.int64),
    ("restitution", float), ("radius", float), ("approach", float), ("least_impulse", float), ("change", float),
    ("shift", float), ("least_shift", float), ("cohesion", float), ("pull", float), ("impact_friction", float)],
    align=True)
"""A contact in corrections: CONTACT, whose p and q are those of δv, u is the relative velocity before the correction;
rows, place in the lists, number of its link or -1, whether it touches; restitution, smaller radius; approach at the
touch [m/s]; least p [N s]; what the last sweep changed [m/s]; δl and its least value [kg m]; tension that it may bear
[N], and as an impulse of the step where its link holds [N s]; μ of the correction."""


class State(NamedTuple):
    """The grains; rows of `v` behind them stand for near boundaries."""

    x: Floats
    v: Floats
    orientation: Floats


class Moments(NamedTuple):
    """Boundaries now, a moment earlier and later."""

    now: Boundaries
    earlier: Records
    later: Records


class Coefficients(NamedTuple):
    """What acts: gravity, and coefficients by materials of grains."""

    gravity: Floats
    friction: Floats
    restitution: Floats
    cohesion: Floats
    material: Int32s
    law: int
    """The friction model, as `friction` names them."""
    epsilon: float
    """Sliding at which smoothed friction is fully developed [m/s]."""


class Limits(NamedTuple):
    """When sweeps over links and contacts end."""

    tolerance: float
    """Relative change at which they have settled."""
    sweeps: int
    """How many there are at most."""


class Workspace(NamedTuple):
    """Arrays of a step. Rows behind the grains stand for near boundaries, as rows of v do: without mass."""

    x1: Floats
    v1: Floats
    a1: Floats
    a: Floats
    a_before: Floats
    base: Floats
    load: Floats
    link: Records
    """of LINK"""
    link_of: Int32s
    """Link of each place of the lists (pairs, then boundaries), or -1."""
    contact: Records
    """of CORRECTED"""
    out: Floats
    out_ahead: Floats
    worst: Ints
    """Rows i and j of the link that changed most in the last round."""


def new_workspace(grains: int, pairs: int, walls: int, out: int) -> Workspace:
    """Room for so many grains, near pairs and near boundaries; `out` as `touch` needs it."""
    def rows(count: int) -> Floats:
        return np.zeros((count, 3))

    return Workspace(
        x1=rows(grains), v1=rows(grains), a1=rows(grains), a=rows(grains + walls), a_before=rows(grains),
        base=rows(grains + walls), load=rows(grains), link=np.zeros(pairs + walls, LINK),
        link_of=np.zeros(pairs + walls, np.int32), contact=np.zeros(pairs + walls, CORRECTED), out=np.zeros(out),
        out_ahead=np.zeros(out), worst=np.zeros(2, np.int64))
