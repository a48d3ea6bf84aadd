"""Many rigid steps in one call, slab by slab: one function for one thread and for several, with the same bits."""

from __future__ import annotations

import math

import numba

from granum.base.kernels import Floats, Ints, kernel, parallel_kernel, small_kernel
from granum.contact.nonsmooth import moreau
from granum.contact.nonsmooth.moreau import (
    CHOSEN,
    CLOSED,
    LISTED,
    MISSED,
    SINGLE,
    account_slab,
    bounce_slab,
    calm_slab,
    choose_slab,
    close_slab,
    drift_slab,
    kick,
    lead_slab,
    prepare_slab,
    relax_slab,
    roll_slab,
)
from granum.grains.geometry.elements import Boundaries
from granum.grains.geometry.motion import move_elements, moved_distance
from granum.grains.orientation import pack_blocks, rotate_slab, unpack_blocks
from granum.grains.search.neighbour_list import Neighbours
from granum.grains.state import Indices, Int32s

prange = numba.prange

STEPS, IMPACT, FRICTION, ROLLING, BOUNDARY, RELATIVE, WORST, CONTACTS, PUSHING, OVERLAP, DEEPEST, MOVE, SWEEPS, \
    CALMED, TOTALS = range(15)
"""Totals over steps: steps; work of normal impulses, friction, rolling friction and boundaries [J]; the largest
relative residual of a step and the largest residual of a contact [m/s]; contacts and those that push; sum and largest
of relative overlaps; the largest move of a step in radii; sweeps; impacts made plastic."""
MISSES = 4.0
"""By how many times the velocity at which sweeps end a contact that was not swept again may miss its law."""
ROUND, PATIENCE = 250, 1000
"""Sweeps after which all contacts are checked, and after which the relative residual alone decides: grains that are
wedged with friction may change for ever."""


@small_kernel
def relative_residual(sums: Floats, slab_count: int) -> float:
    """√(Σ μ r² / Σ μ u²) of a step: what contacts miss of their law, measured by the speeds at which they meet."""
    total, scale = 0.0, 0.0
    for s in range(slab_count):
        total += sums[s, moreau.RESIDUAL]
        scale += sums[s, moreau.SCALE]
    return math.sqrt(total / scale) if scale > 0.0 else 0.0


@small_kernel
def worst_residual(sums: Floats, slab_count: int) -> float:
    """The largest residual of a contact in a step [m/s]."""
    worst = 0.0
    for s in range(slab_count):
        worst = max(worst, sums[s, moreau.WORST])
    return math.sqrt(worst)


@small_kernel
def calm(slabs: Ints, first: Ints, wall_first: Ints, ends: Ints, closed: Indices, ci: Indices, cj: Indices,
         degree: Int32s, bodies: int, contact: Floats, least: int, sums: Floats) -> int:
    """If the contacts of a step have made energy, make impacts plastic beside those that did, or else all of them.

    Returns how many there were.
    """
    made, count = 0.0, 0
    for s in range(len(slabs) - 1):
        made += sums[s, moreau.IMPACT] + sums[s, moreau.RUBBED] + sums[s, moreau.ROLLED] - sums[s, moreau.BLURRED]
    for everywhere in (False, True):
        if made > 0.0 and count == 0:
            for s in range(len(slabs) - 1):
                count += calm_slab(first[slabs[s]] + wall_first[slabs[s]], ends[s, CLOSED], closed, ci, cj, degree,
                                   bodies, contact, least, everywhere)
    return count


@small_kernel
def add_up(sums: Floats, moves: Floats, slab_count: int, totals: Floats) -> float:
    """Add the sums of slabs to the totals; returns the largest move since the lists were made [m]."""
    move, step = 0.0, 0.0
    for s in range(slab_count):
        for k in range(4):
            totals[IMPACT + k] += sums[s, moreau.IMPACT + k]
        totals[WORST] = max(totals[WORST], math.sqrt(sums[s, moreau.WORST]))
        totals[CONTACTS] += sums[s, moreau.CONTACTS]
        totals[PUSHING] += sums[s, moreau.PUSHING]
        totals[OVERLAP] += sums[s, moreau.OVERLAP]
        totals[DEEPEST] = max(totals[DEEPEST], sums[s, moreau.DEEPEST])
        move = moves[s, 0] if not moves[s, 0] <= move else move
        step = moves[s, 1] if not moves[s, 1] <= step else step
    totals[RELATIVE] = max(totals[RELATIVE], relative_residual(sums, slab_count))
    totals[STEPS] += 1.0
    totals[MOVE] = math.sqrt(step) if not math.sqrt(step) <= totals[MOVE] else totals[MOVE]
    return math.sqrt(move)


def _steps(
    count: int, t: float, h: float, ratio: float, gravity: Floats, extra: Floats, x: Floats, v: Floats,
    turned: Floats, blocks: Floats, before: Floats, lead: Floats, material: Int32s, degree: Int32s, changed: Int32s,
    near: Neighbours, boundaries: Boundaries, friction: Floats, restitution: Floats, rolling: Floats, rolls: bool,
    sweeps: int, tolerance: float, slow: float, rest: float, allowed: float, extent: float, built_t: float,
    ci: Indices, cj: Indices, slot: Int32s, contact: Floats, closed: Indices, chosen: Indices, ends: Ints, sums: Floats,
    moves: Floats, scratch: Floats, totals: Floats,
) -> int:
    """Up to `count` steps; fewer when the lists must be made anew, and then the number that is returned is negative.

    Args:
        ratio: step over the last step, for the impulses that are remembered.
        extra: (grains, 3) velocities that loads add in a step, or an empty array.
        blocks: room for how grains are turned, see `turning`.
        sweeps: limit of the sweeps in a step; tolerance: relative residual at which they end.
        slow: what gravity gives to a velocity in a step [m/s]; rest: what contacts at rest may miss of their law before
            they are swept again [m/s].
        allowed: distance a grain may move before the lists are outdated [m].
    """
    gx, gy, gz = gravity
    # loops of several threads see arrays, no tuples of them: numba loses what is written there
    slabs, first, other, pair, wall_first, wall_element, wall, built_at = near
    elements, motion = boundaries.element, boundaries.motion
    slab_count, made, grains = len(slabs) - 1, count, len(x)
    for s in prange(slab_count):
        pack_blocks(slabs[s], slabs[s + 1], s, x, turned, blocks)
    for done in range(count):
        again = ratio if done == 0 else 1.0
        move_elements(boundaries.home, motion, t + done * h, elements)
        for s in prange(slab_count):
            begin, end = slabs[s], slabs[s + 1]
            kick(v, before, degree, changed, begin, end, gx, gy, gz, h)
            for row in range(grains + wall_first[begin], grains + wall_first[end]):
                changed[row] = 0
            if len(extra) > 0:
                for i in range(begin, end):
                    v[i, 0] += extra[i, 0]
                    v[i, 1] += extra[i, 1]
                    v[i, 2] += extra[i, 2]
        for parity in range(2):
            for half in prange((slab_count + 1 - parity) // 2):
                s = 2 * half + parity
                ends[s, LISTED] = prepare_slab(
                    x, v, before, material, slabs[s], slabs[s + 1], first, other, pair, wall_first, wall_element,
                    wall, elements, friction, restitution, rolling, h, again, ci, cj, slot, contact, degree, gx, gy, gz,
                    slow, scratch[s], sums[s])
        for s in prange(slab_count):
            lead_slab(slabs[s], slabs[s + 1], v, before, lead)
        for parity in range(2):
            for half in prange((slab_count + 1 - parity) // 2):
                s = 2 * half + parity
                begin = first[slabs[s]] + wall_first[slabs[s]]
                sums[s, moreau.FASTEST] = close_slab(begin, ends[s, LISTED], ci, cj, v, contact, degree, grains, h,
                                                     closed, chosen, ends[s])
                if rolls:
                    roll_slab(begin, ends[s, CLOSED], closed, ci, cj, slot, x, v, contact, pair, wall, changed, 0, 0.0)
        for s in prange(slab_count):
            moves[s] = 0.0
            drift_slab(slabs[s], slabs[s + 1], s, x, v, lead, turned, blocks, built_at, h, moves[s])
        for s in prange(slab_count):
            bounce_slab(first[slabs[s]] + wall_first[slabs[s]], ends[s, SINGLE], chosen, s, slabs[s], slabs[s + 1], ci,
                        cj, slot, x, v, before, turned, blocks, contact, wall_element, elements, slow, h, scratch[s],
                        moves[s])
        for s in prange(slab_count):
            rotate_slab(slabs[s], slabs[s + 1], s, blocks, h)
        fastest, swept = 0.0, 0
        for s in range(slab_count):
            fastest = max(fastest, sums[s, moreau.FASTEST])
        small = max(tolerance * fastest, rest)
        while True:
            # one sweep over all closed contacts, then some over those of grains that have changed
            whole, most = True, min(sweeps, swept + ROUND)
            while swept < most:
                swept += 1
                listed, column = (closed, CLOSED) if whole else (chosen, CHOSEN)
                for parity in range(2):
                    for half in prange((slab_count + 1 - parity) // 2):
                        s = 2 * half + parity
                        begin, end = first[slabs[s]] + wall_first[slabs[s]], ends[s, column]
                        ends[s, MISSED] = relax_slab(begin, end, listed, ci, cj, v, contact, changed, swept,
                                                     small * small)
                        if rolls:
                            ends[s, MISSED] += roll_slab(begin, end, listed, ci, cj, slot, x, v, contact, pair, wall,
                                                         changed, swept, small * small)
                left = 0
                for s in range(slab_count):
                    left += ends[s, MISSED]
                if left == 0:
                    break
                for s in prange(slab_count):
                    begin = first[slabs[s]] + wall_first[slabs[s]]
                    ends[s, CHOSEN] = choose_slab(begin, ends[s, column], listed, ci, cj, changed, swept, chosen)
                whole = False
            for s in prange(slab_count):
                account_slab(first[slabs[s]] + wall_first[slabs[s]], ends[s, LISTED], ci, cj, slot, x, v, before,
                             contact, pair, wall, degree, slow, rest / tolerance, sums[s])
            if swept >= sweeps:
                break
            calmed = calm(slabs, first, wall_first, ends, closed, ci, cj, degree, grains, contact, moreau.LEAST, sums)
            totals[CALMED] += calmed
            if calmed == 0:
                if relative_residual(sums, slab_count) > tolerance:
                    small *= 0.5
                elif swept >= PATIENCE or worst_residual(sums, slab_count) <= MISSES * small:
                    break
        totals[SWEEPS] += swept
        for s in range(slab_count):
            sums[s, moreau.IMPACT] += moves[s, 2]
            sums[s, moreau.RUBBED] += moves[s, 3]
            sums[s, moreau.DRIVEN] += moves[s, 4]
        move = add_up(sums, moves, slab_count, totals)
        gone = moved_distance(motion, boundaries.reach, extent, built_t, t + (done + 1) * h, boundaries.shift)
        # a move that is no number is not within what is allowed either
        if not move + 0.5 * gone <= allowed:
            made = -done - 1
            break
    for s in prange(slab_count):
        unpack_blocks(slabs[s], slabs[s + 1], s, blocks, turned)
    return made


steps = kernel(_steps)
parallel_steps = parallel_kernel(_steps)
