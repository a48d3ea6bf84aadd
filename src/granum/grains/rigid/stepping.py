"""Many rigid steps in one call, slab by slab: one function for one thread and for several, with the same bits."""

from __future__ import annotations

import math

import numba

from granum.base.kernels import Flags, Floats, Ints, kernel, parallel_kernel, small_kernel
from granum.grains.geometry.surfaces import OUT, moved, place
from granum.grains.rigid.moreau import (
    account_slab,
    close_slab,
    drift_slab,
    gravity_work,
    kick,
    prepare_slab,
    relax_slab,
    roll_slab,
)
from granum.grains.state import Int32s
from granum.grains.turning import lay_out, take_back, turn_slab

prange = numba.prange

STEPS, IMPACT, FRICTION, ROLLING, BOUNDARY, CORRECTION, RESIDUAL, WORST, CONTACTS, PUSHING, OVERLAP, DEEPEST, MOVE, \
    SWEEPS = range(14)
"""Totals over steps: steps; work of normal impulses, friction, rolling friction and boundaries, and what corrections of
position added [J]; squared residuals and the largest one; contacts and those that push; sum and largest of relative
overlaps; the largest move of a step in radii."""
TOTALS = 14
MOST_SWEEPS = 256
"""Sweeps after which a step that makes energy is left as it is."""


@small_kernel
def add_up(sums: Floats, moves: Floats, slab_count: int, totals: Floats) -> tuple[float, float]:
    """Add the sums of slabs to the totals; returns the largest squared move since the lists were made and of a step."""
    move, step = 0.0, 0.0
    for s in range(slab_count):
        for k in range(4):
            totals[IMPACT + k] += sums[s, k]
        totals[CORRECTION] += moves[s, 0]
        totals[RESIDUAL] += sums[s, 4]
        totals[WORST] = max(totals[WORST], sums[s, 5])
        totals[CONTACTS] += sums[s, 6]
        totals[PUSHING] += sums[s, 7]
        totals[OVERLAP] += sums[s, 8]
        totals[DEEPEST] = max(totals[DEEPEST], sums[s, 9])
        move = moves[s, 1] if not moves[s, 1] <= move else move
        step = moves[s, 2] if not moves[s, 2] <= step else step
    return move, step


def _steps(
    count: int, t: float, h: float, ratio: float, gravity: Floats, extra: Floats, x: Floats, v: Floats, turned: Floats,
    blocks: Floats, before: Floats, material: Int32s, touched: Flags, slabs: Ints, first: Ints, other: Int32s,
    memory: Floats, wall_first: Ints, wall_element: Int32s, wall_memory: Floats, built_at: Floats, kind: Ints,
    data: Floats, home: Floats, motion: Floats, address: Ints, element_material: Ints, friction: Floats,
    restitution: Floats, rolling: Floats, rolls: bool, sweeps: int, slow: float, allowed: float, reach: Floats,
    extent: float, built_t: float, ci: Int32s, cj: Int32s, slot: Int32s, contact: Floats, ends: Ints, sums: Floats,
    moves: Floats, scratch: Floats, shifts: Floats, totals: Floats,
) -> int:
    """Up to `count` steps; fewer when the lists must be made anew, and then the number that is returned is negative.

    Args:
        ratio: step over the last step, for the impulses that are remembered.
        extra: (grains, 3) velocities that loads add in a step, or an empty array.
        blocks: room for how grains are turned, see `turning`.
        allowed: distance a grain may move before the lists are outdated [m].
    """
    gx, gy, gz = gravity
    slab_count, made = len(slabs) - 1, count
    for s in prange(slab_count):
        lay_out(slabs[s], slabs[s + 1], s, x, turned, blocks)
    for done in range(count):
        place(home, motion, kind, t + done * h, data)
        for s in prange(slab_count):
            begin, end = slabs[s], slabs[s + 1]
            kick(v, before, begin, end, gx, gy, gz, h)
            for i in range(begin, end):
                touched[i] = False
            if len(extra) > 0:
                for i in range(begin, end):
                    v[i, 0] += extra[i, 0]
                    v[i, 1] += extra[i, 1]
                    v[i, 2] += extra[i, 2]
        for parity in range(2):
            for half in prange((slab_count + 1 - parity) // 2):
                s = 2 * half + parity
                scratch[s, OUT:] = 0.0
                ends[s] = prepare_slab(x, v, before, material, slabs[s], slabs[s + 1], first, other, memory, wall_first,
                                       wall_element, wall_memory, kind, data, address, element_material, friction,
                                       restitution, rolling, h, ratio if done == 0 else 1.0, ci, cj, slot, contact,
                                       scratch[s, :OUT], scratch[s, OUT:])
        for parity in range(2):
            for half in prange((slab_count + 1 - parity) // 2):
                s = 2 * half + parity
                begin = first[slabs[s]] + wall_first[slabs[s]]
                close_slab(begin, ends[s], ci, cj, v, contact, touched, h)
                if rolls:
                    roll_slab(begin, ends[s], ci, cj, slot, x, v, contact, memory, wall_memory)
        for s in prange(slab_count):
            moves[s] = 0.0
            drift_slab(slabs[s], slabs[s + 1], s, x, v, turned, blocks, built_at, touched, gx, gy, gz, h, moves[s])
            turn_slab(slabs[s], slabs[s + 1], s, blocks, h)
        todo, swept = sweeps, 0
        while todo > 0:
            for _ in range(todo):
                for parity in range(2):
                    for half in prange((slab_count + 1 - parity) // 2):
                        s = 2 * half + parity
                        begin = first[slabs[s]] + wall_first[slabs[s]]
                        relax_slab(begin, ends[s], ci, cj, v, contact, slow)
                        if rolls:
                            roll_slab(begin, ends[s], ci, cj, slot, x, v, contact, memory, wall_memory)
            for s in prange(slab_count):
                account_slab(first[slabs[s]] + wall_first[slabs[s]], ends[s], ci, cj, slot, x, v, before, contact,
                             memory, wall_memory, slow, sums[s])
            gained = 0.0
            for s in range(slab_count):
                gained += sums[s, 0] + sums[s, 1] + sums[s, 2] - sums[s, 10]
            # contacts take energy; where they give some, their sweeps have not come far enough
            swept += todo
            todo = min(swept, MOST_SWEEPS - swept) if gained > 0.0 else 0
        totals[SWEEPS] += swept
        for s in prange(slab_count):
            moves[s, 0] = (gravity_work(slabs[s], slabs[s + 1], v, before, gx, gy, gz, h) - moves[s, 0]
                           - gx * scratch[s, OUT] - gy * scratch[s, OUT + 1] - gz * scratch[s, OUT + 2])
        move, step = add_up(sums, moves, slab_count, totals)
        totals[STEPS] += 1.0
        totals[MOVE] = math.sqrt(step) if not math.sqrt(step) <= totals[MOVE] else totals[MOVE]
        # a move that is no number is not within what is allowed either
        if not math.sqrt(move) + 0.5 * moved(motion, reach, extent, built_t, t + (done + 1) * h, shifts) <= allowed:
            made = -done - 1
            break
    for s in prange(slab_count):
        take_back(slabs[s], slabs[s + 1], s, blocks, turned)
    return made


steps = kernel(_steps)
parallel_steps = parallel_kernel(_steps)
