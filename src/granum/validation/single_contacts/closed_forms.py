"""Closed forms of one contact: Hertz's elastic impact, and the impact of rigid spheres with Coulomb friction."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

DURATION = 4.0 * math.sqrt(math.pi) * math.gamma(0.4) / (5.0 * math.gamma(0.9))
"""Of an elastic impact, times speed over largest overlap (Johnson, Contact Mechanics, eq. 11.24)."""
INERTIA = 0.4
"""I/(m r²) of a sphere."""


@dataclass(frozen=True)
class Solid:
    """What a sphere is made of."""

    name: str
    young: float
    """[Pa]"""
    poisson: float
    density: float
    """[kg/m³]"""

    @property
    def modulus(self) -> float:
        """E/(1 - ν²) [Pa], E* against a rigid plane; half of it against the same material."""
        return self.young / (1.0 - self.poisson**2)

    @property
    def shear_modulus(self) -> float:
        """G/(2 - ν) [Pa], G* against a rigid plane; half of it against the same material (Mindlin)."""
        return self.young / (2.0 * (1.0 + self.poisson) * (2.0 - self.poisson))


@dataclass(frozen=True)
class Ball:
    """A sphere before or after an impact, whose normal is x and whose motion is in x and y."""

    radius: float
    mass: float
    vx: float = 0.0
    vy: float = 0.0
    spin: float = 0.0
    """About z [rad/s]."""

    @classmethod
    def of(cls, solid: Solid, radius: float, vx: float = 0.0, vy: float = 0.0, spin: float = 0.0) -> Ball:
        """A ball of a material."""
        return cls(radius, solid.density * 4.0 / 3.0 * math.pi * radius**3, vx, vy, spin)


@dataclass(frozen=True)
class Hertz:
    """An elastic impact along the normal: m ẍ = -4/3 E* √R* x^1.5 (Johnson, Contact Mechanics, §11.4)."""

    overlap: float
    """Largest [m]."""
    force: float
    """Largest [N]."""
    duration: float
    """[s]"""


def hertz(mass: float, radius: float, modulus: float, speed: float) -> Hertz:
    """With the reduced mass, radius and modulus; ½ m v² = 8/15 E* √R* δ^2.5 at the largest overlap."""
    overlap = (15.0 * mass * speed**2 / (16.0 * modulus * math.sqrt(radius))) ** 0.4
    return Hertz(overlap, 4.0 / 3.0 * modulus * math.sqrt(radius) * overlap**1.5, DURATION * overlap / speed)


def slip(ball: Ball, other: Ball | None) -> float:
    """Velocity along y of the surface of a ball, where its right touches the left of another one or a plane."""
    against = 0.0 if other is None else other.vy - other.radius * other.spin
    return ball.vy + ball.radius * ball.spin - against


def reduced_mass(ball: Ball, other: Ball | None) -> float:
    """1/m_n = 1/m_1 + 1/m_2; that of the ball at a plane."""
    return ball.mass if other is None else 1.0 / (1.0 / ball.mass + 1.0 / other.mass)


def sticking_slip(ball: Ball, other: Ball | None, restitution: float, friction: float) -> float:
    """Largest slip that friction stops: (1 + m r²/I) μ (1 + e) V."""
    closing = ball.vx - (0.0 if other is None else other.vx)
    return (1.0 + 1.0 / INERTIA) * friction * (1.0 + restitution) * closing


def rigid_impact(ball: Ball, other: Ball | None, restitution: float, friction: float) -> tuple[Ball, Ball | None]:
    """Both after the impact.

    The normal impulse is P = (1 + e) m_n V. Friction gives Q against the slip u, at most μ P and at most what stops the
    slip: |u| = (1/m_1 + 1/m_2)(1 + m r²/I) Q = (7/2) Q/m_n. It rotates both by r Q/I, in the same sense.
    """
    mass, u = reduced_mass(ball, other), slip(ball, other)
    closing = ball.vx - (0.0 if other is None else other.vx)
    push = (1.0 + restitution) * mass * closing
    rub = -math.copysign(min(friction * push, abs(u) * mass / (1.0 + 1.0 / INERTIA)), u)
    return _struck(ball, -push, rub), None if other is None else _struck(other, push, rub, -1.0)


def _struck(ball: Ball, push: float, rub: float, side: float = 1.0) -> Ball:
    """A ball after impulses; on the other side friction is opposite and so is the arm."""
    return replace(ball, vx=ball.vx + push / ball.mass, vy=ball.vy + side * rub / ball.mass,
                   spin=ball.spin + rub / (INERTIA * ball.mass * ball.radius))
