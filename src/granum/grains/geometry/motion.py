"""Elements of boundaries in motion: prescribed, or carried by a body; and the boxes around them."""

from __future__ import annotations

import math

from granum.base.kernels import Floats, Ints, Record, Records, kernel
from granum.grains.geometry.elements import (
    ARC,
    BALL,
    DIRECTIONS,
    FACET,
    PLANE,
    POINTS,
    REST,
    RING,
    ROD,
    SEGMENT,
    TURNS,
)
from granum.state.rotation import rotated
from granum.state.table import QA, QB, QC, QD, X, Y, Z


@kernel
def _elapsed(motion: Record, t: float) -> float:
    """For how long the uniform part of the motion has been going on."""
    return min(max(t, motion.begin), motion.end) - motion.begin


@kernel
def _rotated(
    k_x: float, k_y: float, k_z: float, c: float, s: float, v_x: float, v_y: float, v_z: float
) -> tuple[float, float, float]:
    """v rotated about the unit vector k by the angle of cosine c and sine s (Rodrigues)."""
    along = (1.0 - c) * (k_x * v_x + k_y * v_y + k_z * v_z)
    return (c * v_x + s * (k_y * v_z - k_z * v_y) + along * k_x, c * v_y + s * (k_z * v_x - k_x * v_z) + along * k_y,
            c * v_z + s * (k_x * v_y - k_y * v_x) + along * k_z)


@kernel
def move_elements(home: Records, motions: Records, t: float, elements: Records) -> None:
    """Move all elements to time t: x(t) = C + D(t) + R(t)(x₀ - C), D = V τ + a sin(2π f t + φ), R rotates by Ω τ.

    Elements at rest are left alone; `elements` begins as a copy of `home`.
    """
    for e in range(len(elements)):
        motion, element = motions[e], elements[e]
        if motion.kind == REST:
            continue
        V, a, C, omega = motion.velocity, motion.amplitude, motion.centre, motion.angular_velocity
        tau = _elapsed(motion, t)
        going = 1.0 if motion.begin <= t < motion.end else 0.0
        swing, sway = math.sin(motion.frequency * t + motion.phase), math.cos(motion.frequency * t + motion.phase)
        D_x, D_y, D_z = V[X] * tau + a[X] * swing, V[Y] * tau + a[Y] * swing, V[Z] * tau + a[Z] * swing
        C_x, C_y, C_z = C[X], C[Y], C[Z]
        O_x, O_y, O_z = going * omega[X], going * omega[Y], going * omega[Z]
        sway *= motion.frequency
        element.velocity[X] = going * V[X] + sway * a[X] - (O_y * (C_z + D_z) - O_z * (C_y + D_y))
        element.velocity[Y] = going * V[Y] + sway * a[Y] - (O_z * (C_x + D_x) - O_x * (C_z + D_z))
        element.velocity[Z] = going * V[Z] + sway * a[Z] - (O_x * (C_y + D_y) - O_y * (C_x + D_x))
        element.angular_velocity[X], element.angular_velocity[Y], element.angular_velocity[Z] = O_x, O_y, O_z
        turns = motion.kind == TURNS
        k_x, k_y, k_z, c, s = 1.0, 0.0, 0.0, 1.0, 0.0
        if turns:
            O_x, O_y, O_z = omega[X], omega[Y], omega[Z]
            size = math.sqrt(O_x * O_x + O_y * O_y + O_z * O_z)
            k_x, k_y, k_z, c, s = O_x / size, O_y / size, O_z / size, math.cos(size * tau), math.sin(size * tau)
        old, new = home[e].point, element.point
        for k in range(POINTS[element.kind]):
            x, y, z = old[k, X], old[k, Y], old[k, Z]
            if turns:
                x, y, z = _rotated(k_x, k_y, k_z, c, s, x - C_x, y - C_y, z - C_z)
                x, y, z = x + C_x, y + C_y, z + C_z
            new[k, X], new[k, Y], new[k, Z] = x + D_x, y + D_y, z + D_z
        if turns:
            old_axis, axis = home[e].direction, element.direction
            for k in range(DIRECTIONS[element.kind]):
                axis[k, X], axis[k, Y], axis[k, Z] = _rotated(k_x, k_y, k_z, c, s, old_axis[k, X], old_axis[k, Y],
                                                              old_axis[k, Z])


@kernel
def accelerate_elements(motions: Records, t: float, h: float, elements: Records) -> None:
    """How A of each element changes in the step from t to t + h: by its end, and on the mean of the step.

    With Ḋ = V + a ω cos(ω t + φ) and A = Ḋ - Ω × (C + D), where h times the mean of Ḋ is what D changes by, exactly.
    Where uniform velocity or rotation begins or ends within the step, it does so at its end: that is an impact, which
    the next step finds.
    """
    for e in range(len(elements)):
        motion, element = motions[e], elements[e]
        rotates = motion.kind == TURNS and motion.begin <= t < motion.end
        element.accelerates = 1 if rotates or (motion.kind != REST and motion.frequency != 0.0) else 0
        if element.accelerates == 0:
            continue
        V, a, omega, O = motion.velocity, motion.amplitude, motion.angular_velocity, element.turning
        frequency, middle = motion.frequency, motion.frequency * (t + 0.5 * h) + motion.phase
        half = math.sin(0.5 * frequency * h)
        gain = -2.0 * frequency * half * math.sin(middle)
        mean = 2.0 / h * half * math.cos(middle)
        mean_gain = mean - frequency * math.cos(frequency * t + motion.phase)
        d, going = element.mean_gain, 1.0 if rotates else 0.0
        for axis in range(3):
            O[axis] = going * omega[axis]
            # the mean of Ḋ, for a moment
            d[axis] = going * V[axis] + mean * a[axis]
        x, y, z = O[Y] * d[Z] - O[Z] * d[Y], O[Z] * d[X] - O[X] * d[Z], O[X] * d[Y] - O[Y] * d[X]
        for axis, turn in ((X, h * x), (Y, h * y), (Z, h * z)):
            element.gain[axis] = gain * a[axis] - turn
            element.mean_gain[axis] = mean_gain * a[axis] - 0.5 * turn


@kernel
def moved_distance(motions: Records, reach: Floats, radius: float, t0: float, t1: float, out: Floats) -> float:
    """Write to `out` how far any point of each element may be at t1 from its position at t0; return the largest.

    An element without end that rotates counts as far as `radius` from the centre of its rotation, where the centre is
    at t1: no distance of a point there from it changes by more.
    """
    largest = 0.0
    for e in range(len(motions)):
        out[e] = 0.0
        motion = motions[e]
        if motion.kind == REST:
            continue
        V, a, omega = motion.velocity, motion.amplitude, motion.angular_velocity
        tau = _elapsed(motion, t1) - _elapsed(motion, t0)
        swing = math.sin(motion.frequency * t1 + motion.phase) - math.sin(motion.frequency * t0 + motion.phase)
        D_x, D_y, D_z = V[X] * tau + a[X] * swing, V[Y] * tau + a[Y] * swing, V[Z] * tau + a[Z] * swing
        out[e] = math.sqrt(D_x * D_x + D_y * D_y + D_z * D_z)
        if motion.kind == TURNS:
            angle = abs(tau) * math.sqrt(omega[X] ** 2 + omega[Y] ** 2 + omega[Z] ** 2)
            out[e] += min(angle, 2.0) * (reach[e] if reach[e] < math.inf else radius)
        largest = max(largest, out[e])
    return largest


@kernel
def carry_elements(own: Records, row: Ints, pose: Floats, elements: Records) -> None:
    """Move elements that belong to a body to where it is: x = c + R s, d = R e with s, e in body axes.

    row: the body of each element in `pose`, -1 for none.
    """
    for e in range(len(elements)):
        i = row[e]
        if i < 0:
            continue
        element, q = elements[e], pose[i]
        a, b, c, d = q[QA], q[QB], q[QC], q[QD]
        for k in range(POINTS[element.kind]):
            x, y, z = rotated(a, b, c, d, own[e].point[k, X], own[e].point[k, Y], own[e].point[k, Z])
            element.point[k, X], element.point[k, Y], element.point[k, Z] = x + q[X], y + q[Y], z + q[Z]
        for k in range(DIRECTIONS[element.kind]):
            x, y, z = rotated(a, b, c, d, own[e].direction[k, X], own[e].direction[k, Y], own[e].direction[k, Z])
            element.direction[k, X], element.direction[k, Y], element.direction[k, Z] = x, y, z


@kernel
def carried_distance(row: Ints, span: Floats, radius: float, built: Floats, pose: Floats) -> float:
    """The largest distance that a point of an element of a body may be from where it was with the poses `built`.

    An element without end counts as far as `radius` from the origin.
    """
    largest = 0.0
    for e in range(len(row)):
        i = row[e]
        if i < 0:
            continue
        x, y, z = pose[i, X] - built[i, X], pose[i, Y] - built[i, Y], pose[i, Z] - built[i, Z]
        cosine = (pose[i, QA] * built[i, QA] + pose[i, QB] * built[i, QB] + pose[i, QC] * built[i, QC]
                  + pose[i, QD] * built[i, QD])
        # a chord is 2 sin(θ/2) times the arm, and the cosine of θ/2 is that of the quaternions
        chord = 2.0 * math.sqrt(max(0.0, 1.0 - cosine * cosine))
        reach = span[e]
        if not reach < math.inf:
            reach = radius + math.sqrt(pose[i, X] ** 2 + pose[i, Y] ** 2 + pose[i, Z] ** 2)
        gone = math.sqrt(x * x + y * y + z * z) + chord * reach
        largest = gone if not gone <= largest else largest
    return largest


@kernel
def bound(elements: Records, lower: Floats, upper: Floats) -> None:
    """Boxes around the elements where they are now, with what is solid behind them; ±∞ where they have no end."""
    for e in range(len(elements)):
        element = elements[e]
        k, point, direction, length = element.kind, element.point, element.direction, element.length
        for i in range(3):
            low, high = -math.inf, math.inf
            if k == PLANE:
                if direction[0, i] == 1.0:
                    high = point[0, i]
                elif direction[0, i] == -1.0:
                    low = point[0, i]
            elif k == BALL:
                if length[0] > 0.0:
                    low, high = point[0, i] - length[0], point[0, i] + length[0]
            elif k == SEGMENT:
                low, high = min(point[0, i], point[1, i]), max(point[0, i], point[1, i])
            elif k == ARC:
                low, high = min(point[1, i], point[2, i]), max(point[1, i], point[2, i])
                if i < 2 and direction[0, i] >= length[1]:
                    high = point[0, i] + length[0]
                if i < 2 and -direction[0, i] >= length[1]:
                    low = point[0, i] - length[0]
            elif k == FACET:
                low = min(point[0, i], point[1, i], point[2, i], point[3, i])
                high = max(point[0, i], point[1, i], point[2, i], point[3, i])
            elif k == RING:
                low, high = _circles(element, i, length[0], length[1], length[0] + length[4] * length[2],
                                     length[1] + length[4] * length[3])
            elif k == ROD:
                low, high = _circles(element, i, length[0], -length[1], length[0], length[1])
            lower[e, i], upper[e, i] = low, high


@kernel
def _circles(element: Record, i: int, rho_1: float, h_1: float, rho_2: float, h_2: float) -> tuple[float, float]:
    """Extent along axis i of two circles about the axis of an element."""
    u, base = element.direction[0, i], element.point[0, i]
    across = math.sqrt(max(0.0, 1.0 - u * u))
    return (base + min(h_1 * u - rho_1 * across, h_2 * u - rho_2 * across),
            base + max(h_1 * u + rho_1 * across, h_2 * u + rho_2 * across))
