"""An impact by the law of Hertz and Mindlin (no slip) with dashpots and Coulomb's slider, integrated independently.

The normal motion does not depend on the rest and is solved by SciPy; friction then follows on a fine grid of times:

    F_n = max(K δ^1.5 + c δ̇, 0), K = 4/3 E* √R*, c = √5 ζ √(m_n K) δ^¼     (Tsuji et al. 1992, Antypov and Elliott 2011)
    Ḟ_s = -k_t u while δ grows, F_s = -k_t ξ with ξ̇ = u while it falls, k_t = 8 G* √(R* δ)
    F_t = F_s - c m_t/m_n u, |F_t| ≤ μ F_n; where that limits F_t, |F_s| ≤ μ F_n too

Friction acts at r - δ/2 from the centres of two spheres, at r from that of one on a plane.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from granum.base.kernels import Floats
from granum.validation.single_contacts.closed_forms import INERTIA, Ball, Solid, hertz, reduced_mass

TIMES = 8000


def damping_ratio(restitution: float) -> float:
    """ζ with which springs that do not pull rebound with e: e = exp(-2 ψ/tan ψ), ζ = cos ψ (Schwager, Pöschel 2007)."""
    if restitution == 1.0:
        return 0.0
    psi = brentq(lambda x: 2.0 * x / math.tan(x) + math.log(restitution), 1e-9, 0.5 * math.pi, xtol=1e-14)
    return math.cos(psi)


def hertz_mindlin(solid: Solid, ball: Ball, other: Ball | None, restitution: float,
                  friction: float) -> tuple[Ball, Ball | None]:
    """Both after the impact, of one material; a plane is rigid. Of second order but where sliding begins or ends."""
    half = 1.0 if other is None else 0.5
    mass = reduced_mass(ball, other)
    radius = ball.radius if other is None else 1.0 / (1.0 / ball.radius + 1.0 / other.radius)
    closing = ball.vx - (0.0 if other is None else other.vx)
    elastic = hertz(mass, radius, half * solid.modulus, closing)
    stiffness = 4.0 / 3.0 * half * solid.modulus * math.sqrt(radius)
    damping = math.sqrt(5.0) * damping_ratio(restitution) * math.sqrt(mass * stiffness)

    def push(depth: Floats, rate: Floats) -> Floats:
        held = np.maximum(depth, 0.0)
        return np.asarray(stiffness * held**1.5 + damping * held**0.25 * rate)

    def ends(t: float, y: Floats) -> float:
        """The force before it is cut off, which passes through zero; not that of the start, which is zero too."""
        root = math.sqrt(abs(y[0]))
        whole = stiffness * root * y[0] + damping * math.sqrt(root) * y[1]
        return float(whole) if t > 0.1 * elastic.duration else 1.0

    ends.terminal = True  # type: ignore[attr-defined]
    motion = solve_ivp(lambda t, y: (y[1], -float(push(y[0], y[1])) / mass), (0.0, 5.0 * elastic.duration),
                       (0.0, closing), "DOP853", events=ends, dense_output=True, rtol=1e-11,
                       atol=1e-13 * elastic.overlap)
    times = np.linspace(0.0, float(motion.t_events[0][0]), TIMES + 1)
    h, middle = times[1], 0.5 * (times[1:] + times[:-1])
    depth, rate = motion.sol(middle)
    shear = 8.0 * half * solid.shear_modulus * np.sqrt(radius * depth)
    slows = damping * depth**0.25 / (1.0 + 1.0 / INERTIA)
    one, two = _rub(ball, other, h, depth, rate, friction * push(depth, rate), shear, slows)
    parting = -float(motion.y[1, -1])
    lost = mass * (closing + parting)
    one = replace(one, vx=ball.vx - lost / ball.mass)
    return one, None if other is None or two is None else replace(two, vx=other.vx + lost / other.mass)


def _rub(ball: Ball, other: Ball | None, h: float, depth: Floats, rate: Floats, limit: Floats, shear: Floats,
         slows: Floats) -> tuple[Ball, Ball | None]:
    """Both after the friction of all steps, whose limits, stiffnesses and dashpots are given."""
    part = 0.0 if other is None else 0.5
    vy, spin, across = ball.vy, ball.spin, (1.0 + 1.0 / INERTIA) / reduced_mass(ball, other)
    other_vy, other_spin = (0.0, 0.0) if other is None else (other.vy, other.spin)
    spring, before = 0.0, 0.0
    for deep, faster, most, k, c in zip(depth, rate, limit, shear, slows, strict=True):
        arm = ball.radius - part * deep
        other_arm = 0.0 if other is None else other.radius - part * deep
        u = vy + arm * spin - other_vy + other_arm * other_spin
        spring = spring - 0.5 * (k + before) * u * h if faster > 0.0 else spring * k / before - k * u * h
        before = k
        force = (spring - c * u) / (1.0 + 0.5 * h * c * across)  # u of the middle of the step
        if abs(force) > most:
            force, spring = math.copysign(most, force), min(max(spring, -most), most)
        vy += h * force / ball.mass
        spin += h * force * arm / (INERTIA * ball.mass * ball.radius**2)
        if other is not None:
            other_vy -= h * force / other.mass
            other_spin += h * force * other_arm / (INERTIA * other.mass * other.radius**2)
    return (replace(ball, vy=vy, spin=spin),
            None if other is None else replace(other, vy=other_vy, spin=other_spin))
