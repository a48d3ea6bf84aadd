"""Forces of one soft contact: springs, dashpots and sliders.

A contact with overlap δ, unit normal n and relative velocity u = u_n n + u_t (approach: u_n < 0) has springs by the law
of the scene (`laws`):

    normal   F_n = max(F(δ) - c u_n, F_least), c = d √(S m_n), S = dF/dδ        (d from restitution: coefficients.py)
    across   F_t = -k_t ξ - c_t u_t, |F_t| ≤ μ (F_n - F_least), ξ̇ = u_t          (c_t m_n = c m_t: equal rates)
    rolling  T = -k_r θ - c_r ω_t, |T| ≤ μ_r R* (F_n - F_least), θ̇ = ω_t        (ω = ω_j - ω_i, k_r = k_t R*²)

with 1/m_n = 1/m_i + 1/m_j, 1/m_t = 1/m_n + κ_i/m_i + κ_j/m_j and 1/R* = 1/r_i + 1/r_j. The force acts at the distances
r_i - δ/2 and r_j - δ/2 from the centres (r at a boundary), where u is taken too: together they are the distance of the
centres, so that angular momentum is conserved and a pair that rotates as one body has no slip. The springs ξ and θ are
rotated with the pair in each step (`carry_springs`); where the slider slides they are shortened to what it carries.

Dashpots see velocities that are h/2 older than positions; that acts like a mass less by c h/2 (F = c u(t - h/2)), and c
is chosen such that restitution holds in spite of it: c² = c₀² (1 - c h/2 m_n).

Work is counted where it is lost: by dashpots with the mean velocity of the step as far as the contact itself changes
it, by sliders as mean force of the spring times slip. Nothing is lost at rest.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from granum.base.kernels import Floats, Record, Records, inlined, small_kernel
from granum.base.pointers import call_on_rows
from granum.base.vectors import Vector
from granum.contact.penalty.coefficients import SoftContact
from granum.contact.penalty.laws.hertz import hertz_springs
from granum.contact.penalty.laws.law import BY_ADDRESS, HERTZ, LINEAR, springs_function
from granum.contact.penalty.laws.linear import linear_springs
from granum.grains.cones import limit_friction
from granum.grains.search.history import clear
from granum.grains.tables import Tables

PAIRING = np.dtype([("stiffness", float), ("shear", float), ("damping", float), ("friction", float),
                    ("rolling", float)])
"""Two materials in contact: moduli of their springs, d of the dashpots, friction and rolling friction."""
SLAB_SUMS = np.dtype({
    "names": ["impact", "friction", "rolling", "boundary", "contacts", "pushing", "overlap", "deepest"],
    "formats": 8 * [float], "itemsize": 128})
"""Sums of a slab over a step: work of dashpots, of friction, of rolling friction and of boundaries [J]; contacts, those
that push; sum and largest of overlaps relative to the smaller radius. The rest is room to the next cache line."""
STRAIGHT = 1e-14
"""Squared angle of a rotation below which the length of a spring need not be mended."""


class Law(NamedTuple):
    """The law of a scene as kernels see it."""

    code: int
    address: int
    pairings: Records
    """(materials, materials) of PAIRING."""
    parameters: Floats
    """(materials · materials, count): of springs that are called by their address, for each pairing."""


def compile_law(contact: SoftContact, tables: Tables) -> Law:
    """The law of a scene with the parameters of every two of its materials."""
    law, pairings = contact.law, np.zeros(contact.damping.shape, PAIRING)
    named = {"damping": contact.damping, "friction": tables["friction"], "rolling": tables["rolling_friction"]}
    if law.code != BY_ADDRESS:
        for name, table in {**contact.parameters, **named}.items():
            pairings[name] = table
        return Law(law.code, 0, pairings, np.zeros((1, 1)))
    for name, table in named.items():
        pairings[name] = table
    parameters = np.stack(list(contact.parameters.values()), axis=-1).reshape(pairings.size, -1)
    return Law(law.code, springs_function(type(law), tuple(contact.parameters)).address, pairings, parameters)


class Pair(NamedTuple):
    """What a contact has from masses and materials alone: most contacts of a scene share it."""

    stiffness: float
    shear: float
    damping: float
    friction: float
    rolling: float
    w_n: float
    """1/m_n [1/kg]"""
    w_t: float
    """1/m_t [1/kg]"""
    m_n: float
    m_t: float
    rate: float
    """c/m_n [1/s] by the linear law; by others it depends on the overlap."""
    row: int
    """Of `Law.parameters`."""


class Overlap(NamedTuple):
    """Where a contact is: R* and overlap [m], unit normal from i (or the boundary) to j."""

    radius: float
    depth: float
    nx: float
    ny: float
    nz: float
    first: float
    """Distance of the contact from the centre of i over r_i; 1 at a boundary."""
    second: float
    """The same of j; 0 at a boundary."""
    w_t: float
    """1/m_t with these arms [1/kg]; `Pair` has it for bodies that just touch."""


class Force(NamedTuple):
    """What a contact does to j, and -1 times that to i."""

    pressing: float
    """What sliders are limited by: F_n - F_least [N]."""
    k_t: float
    rate: float
    """c/m_n [1/s]"""
    u_n: float
    px: float
    py: float
    pz: float
    tx: float
    """n × F_t, which turns both grains: times their arms it is their torque."""
    ty: float
    tz: float
    impact: float
    """Work of the dashpot along the normal [J]."""
    friction: float
    """Work across it [J]."""
    pushing: float
    """1 where F_n > 0, else 0."""


@inlined
def pair_of(law: Law, a: int, b: int, w_n: float, w_t: float, h: float) -> Pair:
    """A pair of materials a and b with inverse masses along and across the normal."""
    p = law.pairings[a, b]
    return Pair(p.stiffness, p.shear, p.damping, p.friction, p.rolling, w_n, w_t, 1.0 / w_n, 1.0 / w_t,
                damping_rate(p.damping, p.stiffness, w_n, h), a * law.pairings.shape[1] + b)


@inlined
def springs(law: Law, pair: Pair, radius: float, overlap: float,
            room: Floats) -> tuple[float, float, float, float, float]:
    """The springs of the law, see `laws.law`; `room` has at least ROOM places."""
    if law.code == LINEAR:
        return linear_springs(pair, radius, overlap)
    if law.code == HERTZ:
        return hertz_springs(pair, radius, overlap)
    room[0] = radius
    call_on_rows(law.address, overlap, room, law.parameters, law.parameters, pair.row)
    return room[1], room[2], room[3], room[4], room[5]


@inlined
def damping_rate(damping: float, slope: float, w_n: float, h: float) -> float:
    """Rate c/m_n of the dashpots of a contact with the slope S of its elastic force."""
    rate = damping * math.sqrt(slope * w_n)
    late = 0.25 * h * rate
    return rate * (1.0 - late + 0.5 * late * late)  # √(1 + late²) - late


@inlined
def lean_of(at: Overlap, inverse: float, w: Vector, h: float) -> Vector:
    """q, by which the normal of a pair has rotated in a step that ends here, with relative velocity w of the centres.

    The normal was m = (d n - h w)/d₀ before; n - q, with q = h w_t/(d₀ + d - h w_n), has the direction of m + n. To the
    fourth order in the angle q = h w_t/(2 (d - h w_n)), and 1/(d - h w_n) = (1 + h w_n/d)/d; inverse = 1/d.
    """
    wx, wy, wz = h * w[0], h * w[1], h * w[2]
    w_n = wx * at.nx + wy * at.ny + wz * at.nz
    part = 0.5 * inverse * (1.0 + w_n * inverse)
    return part * (wx - w_n * at.nx), part * (wy - w_n * at.ny), part * (wz - w_n * at.nz)


@inlined
def carry_spring(ax: float, ay: float, az: float, at: Overlap, q: Vector, cosine: float, sine: float) -> Vector:
    """A spring a ⊥ m, rotated as its pair: by the least rotation from m to n, a - (a·n)(n - q), and then about n."""
    nx, ny, nz = at.nx, at.ny, at.nz
    an = ax * nx + ay * ny + az * nz
    ax, ay, az = ax - an * (nx - q[0]), ay - an * (ny - q[1]), az - an * (nz - q[2])
    return (cosine * ax + sine * (ny * az - nz * ay), cosine * ay + sine * (nz * ax - nx * az),
            cosine * az + sine * (nx * ay - ny * ax))


@inlined
def carry_springs(slot: Record, at: Overlap, q: Vector, angle: float, rolls: bool) -> None:
    """Rotate the springs that a pair remembers into this step; it has rotated by `angle` about the normal.

    The angle enters by the tangent of its half (two terms of it), so that lengths are kept to round-off
    (Šmilauer and Chareyre, Yade DEM formulation, shear deformation: the same two rotations, to first order).
    """
    half = 0.5 * angle
    half *= 1.0 + half * half / 3.0
    per = 1.0 / (1.0 + half * half)
    cosine, sine = (1.0 - half * half) * per, 2.0 * half * per
    slot.fx, slot.fy, slot.fz = carry_spring(slot.fx, slot.fy, slot.fz, at, q, cosine, sine)
    if rolls:
        slot.tx, slot.ty, slot.tz = carry_spring(slot.tx, slot.ty, slot.tz, at, q, cosine, sine)


@inlined
def level_spring(ax: float, ay: float, az: float, at: Overlap) -> Vector:
    """A spring at a boundary, rotated into the plane across n: there is no telling how the normal came to be there."""
    nx, ny, nz = at.nx, at.ny, at.nz
    an = ax * nx + ay * ny + az * nz
    ax, ay, az = ax - an * nx, ay - an * ny, az - an * nz
    square = ax * ax + ay * ay + az * az
    if an * an > STRAIGHT * square and square > 0.0:
        scale = math.sqrt(1.0 + an * an / square)
        ax, ay, az = scale * ax, scale * ay, scale * az
    return ax, ay, az


@inlined
def level_springs(slot: Record, at: Overlap, rolls: bool) -> None:
    """Rotate the springs that a contact with a boundary remembers into this step."""
    slot.fx, slot.fy, slot.fz = level_spring(slot.fx, slot.fy, slot.fz, at)
    if rolls:
        slot.tx, slot.ty, slot.tz = level_spring(slot.tx, slot.ty, slot.tz, at)


@inlined
def slide(k_t: float, c_t: float, limit: float, ux: float, uy: float, uz: float, ax: float, ay: float, az: float,
          w_t: float, h: float) -> tuple[float, float, float, float, float, float, float]:
    """Force of a spring, stretched by a, a dashpot and a slider; what the stretch becomes, and work (no gain) [J]."""
    bx, by, bz = ax + h * ux, ay + h * uy, az + h * uz
    dx, dy, dz = -c_t * ux, -c_t * uy, -c_t * uz
    fx, fy, fz = dx - k_t * bx, dy - k_t * by, dz - k_t * bz
    (fx, fy, fz, slips), work = limit_friction(fx, fy, fz, limit), 0.0
    if slips:
        stretch = k_t * math.sqrt(bx * bx + by * by + bz * bz)
        scale = limit / stretch if stretch > limit else 1.0
        work = -0.5 * k_t * (1.0 - scale) * ((ax + scale * bx) * bx + (ay + scale * by) * by + (az + scale * bz) * bz)
        bx, by, bz = scale * bx, scale * by, scale * bz
        dx, dy, dz = fx + k_t * bx, fy + k_t * by, fz + k_t * bz
    half = 0.5 * h * w_t
    work += h * (dx * (ux + half * fx) + dy * (uy + half * fy) + dz * (uz + half * fz))
    return fx, fy, fz, bx, by, bz, work


@inlined
def stiffness_before(law: Law, pair: Pair, at: Overlap, k_t: float, u_n: float, h: float, room: Floats) -> float:
    """k_t of the last step over that of this one."""
    if law.code == LINEAR:
        return 1.0
    if law.code == HERTZ:  # k_t goes with the root of the overlap
        part = 1.0 + h * u_n / at.depth
        return math.sqrt(part) if part > 0.0 else 0.0
    return springs(law, pair, at.radius, max(at.depth + h * u_n, 0.0), room)[2] / k_t


@inlined
def middle_stiffness(part: float) -> float:
    """k_t by which the force grows in a step, over that at its end: the mean of both ends while a contact is loaded.

    In unloading the stretch is kept, and the force is that at the end.
    """
    return 0.5 * (1.0 + part) if part < 1.0 else 1.0


@inlined
def stiffen(k_t: float, part: float, ax: float, ay: float, az: float) -> tuple[float, float, float, float]:
    """A spring after its stiffness has changed from part · k_t to k_t, and what that costs [J].

    Loading leaves the force alone, unloading the stretch: no energy is gained in either.
    """
    held = 0.5 * k_t * (ax * ax + ay * ay + az * az)
    if part < 1.0:
        return part * ax, part * ay, part * az, -held * part * (1.0 - part)
    return ax, ay, az, -held * (part - 1.0)


@inlined
def contact_force(law: Law, pair: Pair, at: Overlap, u: Vector, h: float, slot: Record, room: Floats) -> Force:
    """Force of a contact, grain or boundary alike, with the velocity u of j against i; the tangential spring in its
    slot, which lies across n, goes on by h.
    """
    (ux, uy, uz), nx, ny, nz = u, at.nx, at.ny, at.nz
    u_n = ux * nx + uy * ny + uz * nz
    elastic, k_t, rate, least = pair.stiffness * at.depth, pair.shear, pair.rate, 0.0
    if law.code != LINEAR:
        elastic, slope, k_t, least, _ = springs(law, pair, at.radius, at.depth, room)
        rate = damping_rate(pair.damping, slope, pair.w_n, h)
    f_n = max(elastic - rate * pair.m_n * u_n, least)
    impact, rubbed, pressing = h * (f_n - elastic) * (u_n + 0.5 * h * pair.w_n * f_n), 0.0, f_n - least
    px, py, pz, tx, ty, tz = f_n * nx, f_n * ny, f_n * nz, 0.0, 0.0, 0.0
    if pair.friction > 0.0:
        ax, ay, az, share = slot.fx, slot.fy, slot.fz, 1.0
        if law.code != LINEAR:
            part = stiffness_before(law, pair, at, k_t, u_n, h, room)
            share = middle_stiffness(part)
            ax, ay, az, rubbed = stiffen(share * k_t, part / share, ax, ay, az)
        ux, uy, uz, ax, ay, az, work = slide(share * k_t, rate * pair.m_t, pair.friction * pressing, ux - u_n * nx,
                                             uy - u_n * ny, uz - u_n * nz, ax, ay, az, at.w_t, h)
        if law.code != LINEAR:
            ax, ay, az, lost = stiffen(k_t, share, ax, ay, az)
            rubbed += lost
        slot.fx, slot.fy, slot.fz = ax, ay, az
        rubbed += work
        px, py, pz = px + ux, py + uy, pz + uz
        tx, ty, tz = ny * uz - nz * uy, nz * ux - nx * uz, nx * uy - ny * ux
    return Force(pressing, k_t, rate, u_n, px, py, pz, tx, ty, tz, impact, rubbed, 1.0 if f_n > 0.0 else 0.0)


@small_kernel
def rolling_torque(law: Law, pair: Pair, at: Overlap, force: Force, omega: Vector, w_r: float, h: float, slot: Record,
                   room: Floats) -> tuple[float, float, float, float]:
    """Torque on j against rolling with the relative angular velocity ω, and its work [J]; w_r = 1/I_i + 1/I_j."""
    (ox, oy, oz), nx, ny, nz = omega, at.nx, at.ny, at.nz
    o_n, k_r, work = ox * nx + oy * ny + oz * nz, force.k_t * at.radius * at.radius, 0.0
    ax, ay, az, share = slot.tx, slot.ty, slot.tz, 1.0
    if law.code != LINEAR:
        part = stiffness_before(law, pair, at, force.k_t, force.u_n, h, room)
        share = middle_stiffness(part)
        ax, ay, az, work = stiffen(share * k_r, part / share, ax, ay, az)
    limit = pair.rolling * at.radius * force.pressing
    tx, ty, tz, ax, ay, az, lost = slide(share * k_r, force.rate / w_r, limit, ox - o_n * nx, oy - o_n * ny,
                                         oz - o_n * nz, ax, ay, az, w_r, h)
    if law.code != LINEAR:
        ax, ay, az, late = stiffen(k_r, share, ax, ay, az)
        work += late
    slot.tx, slot.ty, slot.tz = ax, ay, az
    return tx, ty, tz, work + lost


@small_kernel
def open_contact(law: Law, a: int, b: int, radius: float, slot: Record, room: Floats, sums: Record) -> None:
    """A contact has opened: what its springs still hold is lost."""
    k_t = springs(law, pair_of(law, a, b, 1.0, 1.0, 0.0), radius, 0.0, room)[2]
    sums.friction -= 0.5 * k_t * (slot.fx * slot.fx + slot.fy * slot.fy + slot.fz * slot.fz)
    sums.rolling -= 0.5 * k_t * radius * radius * (slot.tx * slot.tx + slot.ty * slot.ty + slot.tz * slot.tz)
    clear(slot)
