"""Many rigid steps of bodies in one call, slab by slab, with the same bits on one thread and on several."""

from __future__ import annotations

import numba

from granum.base.kernels import Floats, Ints, kernel, parallel_kernel, small_kernel
from granum.contact.bodies.arrays import BodyArrays, Coefficients, PartArrays, Workspace
from granum.contact.bodies.contacts import (
    LEAST,
    account_slab,
    bounce_slab,
    close_slab,
    drift_slab,
    finish_slab,
    kick,
    lead_slab,
    prepare_slab,
    push,
    relax_slab,
    roll_slab,
)
from granum.contact.bodies.jointed import (
    Jointed,
    account_joints,
    begin_joints,
    mark_joints,
    shift_joints,
    solve_joints,
)
from granum.contact.nonsmooth import moreau
from granum.contact.nonsmooth.moreau import CHOSEN, CLOSED, LISTED, MISSED, SINGLE, choose_slab
from granum.contact.nonsmooth.stepping import (
    CALMED,
    MISSES,
    PATIENCE,
    ROUND,
    SWEEPS,
    add_up,
    calm,
    relative_residual,
    worst_residual,
)
from granum.grains.geometry.elements import Boundaries
from granum.grains.geometry.motion import carried_distance, carry_elements, move_elements, moved_distance
from granum.grains.search.neighbour_list import Neighbours

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
    parts: PartArrays, near: Neighbours, boundaries: Boundaries, joints: Jointed, table: Coefficients,
    work: Workspace, rolls: bool, sweeps: int, tolerance: float, slow: float, rest: float, allowed: float,
    extent: float, built_t: float, built_pose: Floats, totals: Floats,
) -> int:
    """Up to `count` steps; fewer when the lists must be made anew, and then the number that is returned is negative.

    Args:
        ratio: step over the last step, for the impulses that are remembered.
        extra: (parts, 3) velocities that loads add in a step, or an empty array.
        after: (parts, 3) velocities at the end of the step of the places where loads push; written if they do.
        sweeps, tolerance, slow, rest: as in `rigid.stepping`.
        allowed: distance a part may move before the lists are outdated [m].
    """
    gx, gy, gz = gravity
    # loops of several threads see arrays, no tuples of them: numba loses what is written there
    pose, motion, inertia, before, lead, shift, degree, changed, part, body_slabs = bodies
    x, v, arm, body, material = parts
    slabs, first, other, pair, wall_first, wall_element, wall, built_at = near
    ci, cj, slot, contact, rare, closed, chosen, ends, sums, moves, scratch = work
    elements, wall_body = boundaries.element, boundaries.body
    friction, restitution, rolling = table
    slab_count, joined, count_of = len(body_slabs) - 1, len(joints.row) > 0, len(pose)
    for done in range(count):
        again = ratio if done == 0 else 1.0
        move_elements(boundaries.home, boundaries.motion, t + done * h, elements)
        carry_elements(boundaries.own, wall_body, pose, elements)
        for s in prange(slab_count):
            begin, end = body_slabs[s], body_slabs[s + 1]
            kick(pose, motion, before, shift, degree, changed, begin, end, gx, gy, gz, h)
            for row in range(count_of + wall_first[slabs[s]], count_of + wall_first[slabs[s + 1]]):
                changed[row] = 0
            if len(extra) > 0:
                for i in range(begin, end):
                    for k in range(part[i], part[i + 1]):
                        for axis in range(3):
                            after[k, axis] = x[k, axis] - pose[i, axis]
                load_slab(begin, end, pose, motion, part, x, v, extra)
        if joined:
            begin_joints(joints, pose, inertia, motion, before, degree, t + done * h, h)
        for parity in range(2):
            for half in prange((slab_count + 1 - parity) // 2):
                s = 2 * half + parity
                ends[s, LISTED] = prepare_slab(
                    x, body, material, pose, motion, before, shift, slabs[s], slabs[s + 1], first, other, pair,
                    wall_first, wall_element, wall, elements, wall_body, friction, restitution, rolling, h, again, slow,
                    gx, gy, gz, degree, ci, cj, slot, contact, rare, scratch[s], sums[s])
        for s in prange(slab_count):
            lead_slab(body_slabs[s], body_slabs[s + 1], motion, before, lead)
        if joined:
            shift_joints(joints, shift)
            solve_joints(joints, motion, joints.close)
        closings = CLOSINGS if joined else 1
        for closing in range(closings):
            for parity in range(2):
                for half in prange((slab_count + 1 - parity) // 2):
                    s = 2 * half + parity
                    begin, last = first[slabs[s]] + wall_first[slabs[s]], closing == closings - 1
                    sums[s, moreau.FASTEST] = close_slab(begin, ends[s, LISTED], ci, cj, motion, contact, rare, degree,
                                                         count_of, h, last, closed, chosen, ends[s])
                    if rolls:
                        roll_slab(begin, ends[s, CLOSED], closed, ci, cj, slot, motion, contact, rare, pair, wall,
                                  changed, 0, 0.0)
            if joined:
                solve_joints(joints, motion, joints.close)
        for s in prange(slab_count):
            for k in range(moves.shape[1]):  # no slice: numba would make a loop of its own of it
                moves[s, k] = 0.0
            drift_slab(body_slabs[s], body_slabs[s + 1], pose, inertia, motion, lead, shift, part, arm, x, built_at, h,
                       moves[s])
        for s in prange(slab_count):
            bounce_slab(first[slabs[s]] + wall_first[slabs[s]], ends[s, SINGLE], chosen, ci, cj, pose, motion, before,
                        part, arm, x, contact, rare, count_of, slow, h, moves[s])
        fastest, swept = 0.0, 0
        for s in range(slab_count):
            fastest = max(fastest, sums[s, moreau.FASTEST])
        small = max(tolerance * fastest, rest)
        if joined:  # contacts that were in balance with the joints find them as they left them
            solve_joints(joints, motion, joints.after)
        while True:
            # one sweep over all closed contacts, then some over those of bodies that have changed
            whole, most = True, min(sweeps, swept + ROUND)
            while swept < most:
                swept += 1
                listed, column = (closed, CLOSED) if whole else (chosen, CHOSEN)
                for parity in range(2):
                    for half in prange((slab_count + 1 - parity) // 2):
                        s = 2 * half + parity
                        begin, end = first[slabs[s]] + wall_first[slabs[s]], ends[s, column]
                        ends[s, MISSED] = relax_slab(begin, end, listed, ci, cj, motion, contact, changed, swept,
                                                     small * small)
                        if rolls:
                            ends[s, MISSED] += roll_slab(begin, end, listed, ci, cj, slot, motion, contact, rare,
                                                         pair, wall, changed, swept, small * small)
                left = 0
                for s in range(slab_count):
                    left += ends[s, MISSED]
                if joined:
                    solve_joints(joints, motion, joints.after)
                    left += mark_joints(joints, pose, changed, swept, small * small)
                if left == 0:
                    break
                if joined:  # joints carry a change to bodies whose contacts are not in the list
                    listed, column = closed, CLOSED
                for s in prange(slab_count):
                    begin = first[slabs[s]] + wall_first[slabs[s]]
                    ends[s, CHOSEN] = choose_slab(begin, ends[s, column], listed, ci, cj, changed, swept, chosen)
                whole = False
            for s in prange(slab_count):
                account_slab(first[slabs[s]] + wall_first[slabs[s]], ends[s, LISTED], ci, cj, slot, count_of, motion,
                             before, contact, rare, pair, wall, degree, slow, rest / tolerance, sums[s])
            if swept >= sweeps:
                break
            calmed = calm(slabs, first, wall_first, ends, closed, ci, cj, degree, count_of, contact, LEAST, sums)
            totals[CALMED] += calmed
            if calmed == 0:
                if relative_residual(sums, slab_count) > tolerance:
                    small *= 0.5
                elif swept >= PATIENCE or worst_residual(sums, slab_count) <= MISSES * small:
                    break
        totals[SWEEPS] += swept
        for s in prange(slab_count):
            if len(extra) > 0:
                loaded_slab(body_slabs[s], body_slabs[s + 1], motion, part, after)
            finish_slab(body_slabs[s], body_slabs[s + 1], pose, inertia, motion, before)
        if joined:
            account_joints(joints, motion, before, h)
        for s in range(slab_count):
            sums[s, moreau.IMPACT] += moves[s, 2]
            sums[s, moreau.RUBBED] += moves[s, 3]
            sums[s, moreau.DRIVEN] += moves[s, 4]
        move = add_up(sums, moves, slab_count, totals)
        # a move that is no number is not within what is allowed either
        gone = max(moved_distance(boundaries.motion, boundaries.reach, extent, built_t, t + (done + 1) * h,
                                  boundaries.shift),
                   carried_distance(wall_body, boundaries.span, extent, built_pose, pose))
        if not move + 0.5 * gone <= allowed:
            return -done - 1
    return count


steps = kernel(_steps)
parallel_steps = parallel_kernel(_steps)
