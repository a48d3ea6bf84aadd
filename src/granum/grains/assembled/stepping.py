"""Many rigid steps of bodies in one call, slab by slab, with the same bits on one thread and on several."""

from __future__ import annotations

import math

import numba

from granum.base.kernels import Floats, Ints, kernel, parallel_kernel, small_kernel
from granum.grains.assembled.arrays import BodyArrays, Coefficients, PartArrays, Walls, Workspace
from granum.grains.assembled.contacts import (
    account_slab,
    close_slab,
    drift_slab,
    finish_slab,
    kick,
    prepare_slab,
    push,
    relax_slab,
    roll_slab,
)
from granum.grains.assembled.jointed import (
    Jointed,
    begin_joints,
    release_joints,
    shift_joints,
    solve_joints,
    work_of_joints,
)
from granum.grains.geometry.surfaces import carried, carry, moved, place
from granum.grains.rigid.stepping import CORRECTION, MOST_SWEEPS, MOVE, STEPS, SWEEPS, add_up

prange = numba.prange

CLOSINGS = 4
"""Sweeps before the move where there are joints, which pass impulses on to bodies that were swept before."""


@small_kernel
def load_slab(begin: int, end: int, pose: Floats, motion: Floats, part: Ints, x: Floats, v: Floats,
              extra: Floats) -> None:
    """Loads push at the centres of parts: `extra` are the velocities they would give to a grain of its share."""
    for i in range(begin, end):
        for k in range(part[i], part[i + 1]):
            m = 1.0 / v[k, 3]
            push(motion, i, x[k, 0] - pose[i, 0], x[k, 1] - pose[i, 1], x[k, 2] - pose[i, 2], m * extra[k, 0],
                 m * extra[k, 1], m * extra[k, 2])


@small_kernel
def loaded_slab(begin: int, end: int, motion: Floats, part: Ints, after: Floats) -> None:
    """Velocities at the end of a step of the places where loads pushed at its beginning."""
    for i in range(begin, end):
        wx, wy, wz = motion[i, 4], motion[i, 5], motion[i, 6]
        for k in range(part[i], part[i + 1]):
            rx, ry, rz = after[k, 0], after[k, 1], after[k, 2]
            after[k, 0] = motion[i, 0] + wy * rz - wz * ry
            after[k, 1] = motion[i, 1] + wz * rx - wx * rz
            after[k, 2] = motion[i, 2] + wx * ry - wy * rx


def _steps(
    count: int, t: float, h: float, ratio: float, gravity: Floats, extra: Floats, after: Floats, bodies: BodyArrays,
    parts: PartArrays, walls: Walls, joints: Jointed, table: Coefficients, work: Workspace, rolls: bool, sweeps: int,
    slow: float, allowed: float, extent: float, built_t: float, totals: Floats,
) -> int:
    """Up to `count` steps; fewer when the lists must be made anew, and then the number that is returned is negative.

    Args:
        ratio: step over the last step, for the impulses that are remembered.
        extra: (parts, 3) velocities that loads add in a step, or an empty array.
        after: (parts, 3) velocities at the end of the step of the places where loads push; written if they do.
        allowed: distance a part may move before the lists are outdated [m].
    """
    gx, gy, gz = gravity
    # loops of several threads see arrays, no tuples of them: numba loses what is written there
    pose, motion, inertia, before, shift, touched, part, body_slabs = bodies
    x, v, arm, body, material, slabs, first, other, memory, wall_first, wall_element, wall_memory, built_at = parts
    ci, cj, slot, contact, rare, ends, sums, moves, scratch = work
    kind, data, address, wall_material, wall_body = walls.kind, walls.data, walls.address, walls.material, walls.body
    friction, restitution, rolling = table
    slab_count, joined = len(body_slabs) - 1, len(joints.row) > 0
    for done in range(count):
        again = ratio if done == 0 else 1.0
        place(walls.home, walls.motion, kind, t + done * h, data)
        carry(walls.own, wall_body, kind, pose, data)
        for s in prange(slab_count):
            begin, end = body_slabs[s], body_slabs[s + 1]
            kick(pose, motion, before, shift, touched, begin, end, gx, gy, gz, h)
            if len(extra) > 0:
                for i in range(begin, end):
                    for k in range(part[i], part[i + 1]):
                        for axis in range(3):
                            after[k, axis] = x[k, axis] - pose[i, axis]
                load_slab(begin, end, pose, motion, part, x, v, extra)
        if joined:
            begin_joints(joints, pose, inertia, motion, before, t + done * h, h)
        for parity in range(2):
            for half in prange((slab_count + 1 - parity) // 2):
                s = 2 * half + parity
                ends[s] = prepare_slab(x, body, material, pose, motion, before, shift, slabs[s], slabs[s + 1], first,
                                       other, memory, wall_first, wall_element, wall_memory, kind, data, address,
                                       wall_material, wall_body, friction, restitution, rolling, h, again, slow, ci, cj,
                                       slot, contact, rare, scratch[s])
        if joined:
            shift_joints(joints, shift)
            solve_joints(joints, motion, joints.close)
        for _ in range(CLOSINGS if joined else 1):
            for parity in range(2):
                for half in prange((slab_count + 1 - parity) // 2):
                    s = 2 * half + parity
                    begin = first[slabs[s]] + wall_first[slabs[s]]
                    close_slab(begin, ends[s], ci, cj, motion, contact, touched, h)
                    if rolls:
                        roll_slab(begin, ends[s], ci, cj, slot, motion, contact, rare, memory, wall_memory)
            if joined:
                solve_joints(joints, motion, joints.close)
        if joined:
            release_joints(joints, motion, before, shift, touched, h)
        for s in prange(slab_count):
            for k in range(moves.shape[1]):  # no slice: numba would make a loop of its own of it
                moves[s, k] = 0.0
            drift_slab(body_slabs[s], body_slabs[s + 1], pose, inertia, motion, shift, part, arm, x, built_at, touched,
                       gx, gy, gz, h, moves[s])
        todo, swept = sweeps, 0
        while todo > 0:
            for _ in range(todo):
                for parity in range(2):
                    for half in prange((slab_count + 1 - parity) // 2):
                        s = 2 * half + parity
                        begin = first[slabs[s]] + wall_first[slabs[s]]
                        relax_slab(begin, ends[s], ci, cj, motion, contact)
                        if rolls:
                            roll_slab(begin, ends[s], ci, cj, slot, motion, contact, rare, memory, wall_memory)
                if joined:
                    solve_joints(joints, motion, joints.after)
            for s in prange(slab_count):
                account_slab(first[slabs[s]] + wall_first[slabs[s]], ends[s], ci, cj, slot, len(pose), motion, before,
                             contact, rare, memory, wall_memory, slow, sums[s])
            made = 0.0
            for s in range(slab_count):
                made += sums[s, 0] + sums[s, 1] + sums[s, 2] - sums[s, 10]
            # contacts take energy; where they give some, their sweeps have not come far enough
            swept += todo
            todo = min(swept, MOST_SWEEPS - swept) if made > 0.0 else 0
        totals[SWEEPS] += swept
        if joined:
            totals[CORRECTION] += work_of_joints(joints, motion, before, False)
        for s in prange(slab_count):
            if len(extra) > 0:
                loaded_slab(body_slabs[s], body_slabs[s + 1], motion, part, after)
            finish_slab(body_slabs[s], body_slabs[s + 1], pose, inertia, motion, before, gx, gy, gz, h, moves[s])
        if joined:  # with the velocities that turning has changed: the step made the difference
            totals[CORRECTION] -= work_of_joints(joints, motion, before, True)
        move, step = add_up(sums, moves, slab_count, totals)
        totals[STEPS] += 1.0
        totals[MOVE] = math.sqrt(step) if not math.sqrt(step) <= totals[MOVE] else totals[MOVE]
        # a move that is no number is not within what is allowed either
        gone = max(moved(walls.motion, walls.reach, extent, built_t, t + (done + 1) * h, walls.shifts),
                   carried(wall_body, walls.span, extent, walls.built_pose, pose))
        if not math.sqrt(move) + 0.5 * gone <= allowed:
            return -done - 1
    return count


steps = kernel(_steps)
parallel_steps = parallel_kernel(_steps)
