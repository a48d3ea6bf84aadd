"""Two spheres in prescribed motion: forces and torques that `soft` computes at states it is given.

Before each step both spheres get the state from which leapfrog computes forces at the prescribed positions: the mean
velocity between the middle of the last step and that of this one, and a position half a step of drift before the
latter. What the velocities change by in the step, times mass and inertia, are force and torque; their effect on the
motion is overwritten. The history of the contact is the solver's own.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from granum.base.kernels import Floats
from granum.model.scene import Scene
from granum.run.simulation import Simulation
from granum.validation.single_contacts.closed_forms import INERTIA

STIFFNESS, RATIO, FRICTION, RADIUS = 1e7, 0.5, 0.5, 1.0
"""k_n [N/m], k_t/k_n, μ and the radius [m] of all ON-DEM interaction tests."""
OVERLAP = 0.05 * RADIUS
UNTIL, INSTANTS = 6.0 * math.pi, 201
MASS = 1e9
"""Of a sphere where there are no dashpots [kg]: its contact lasts 22 s, some hundred steps."""


@dataclass(frozen=True)
class Motion:
    """Positions and angular velocities of two spheres over time; velocities are derivatives of positions."""

    position: tuple[Callable[[float], Floats], Callable[[float], Floats]]
    omega: tuple[Callable[[float], Floats], Callable[[float], Floats]]
    radii: tuple[float, float] = (RADIUS, RADIUS)


@dataclass(frozen=True)
class Response:
    """What the spheres feel at the instants."""

    t: Floats
    force: Floats
    """(instants, 3): on the second one [N]."""
    torque: Floats
    """(instants, 2, 3): on either [N m]."""
    between: Floats
    """(instants, 3): vector from the centre of the first to that of the second [m]."""

    @property
    def normal(self) -> Floats:
        """(instants, 3): unit vectors from the first to the second."""
        return np.asarray(self.between / np.linalg.norm(self.between, axis=1)[:, None])

    @property
    def shear(self) -> Floats:
        """(instants, 3): the tangential part of the force on the second."""
        n = self.normal
        return np.asarray(self.force - np.sum(self.force * n, axis=1)[:, None] * n)


def respond(motion: Motion, steps: int, mass: float = MASS, restitution: float = 1.0, friction: float = FRICTION,
            ) -> Response:
    """Forces and torques at 200 instants after the start, with so many steps from each to the next."""
    h, names = UNTIL / ((INSTANTS - 1) * steps), ("first", "second")
    sim = Simulation(_scene(motion, mass, restitution, friction, h))
    inertias = [INERTIA * mass * r**2 for r in motion.radii]
    t, forces, torques, between = [], [], [], []
    for count in range((INSTANTS - 1) * steps):
        begin, middle = (count + 0.5) * h, (count + 1.0) * h
        velocities = [(place(middle) - place(middle - h)) / h for place in motion.position]
        spins = [omega(begin) for omega in motion.omega]
        for name, place, velocity, spin in zip(names, motion.position, velocities, spins, strict=True):
            sim.set_body(name, position=place(middle) - 0.5 * h * velocity, velocity=velocity, angular_velocity=spin)
        sim.step(h)
        if (count + 1) % steps == 0:
            states = [sim.body(name) for name in names]
            t.append(middle)
            forces.append(mass * (states[1].velocity - velocities[1]) / h)
            torques.append([inertia * (np.asarray(state.angular_velocity) - spin) / h
                            for inertia, state, spin in zip(inertias, states, spins, strict=True)])
            between.append(motion.position[1](middle) - motion.position[0](middle))
    return Response(np.array(t), np.array(forces), np.array(torques), np.array(between))


def _scene(motion: Motion, mass: float, restitution: float, friction: float, step: float) -> Scene:
    """Both where they just touch: an overlap is given to them later, as scenes do not start with one."""
    material = {"stiffness": STIFFNESS, "stiffness_ratio": RATIO, "friction": friction, "restitution": restitution}
    bodies = {name: {"kind": "sphere", "radius": r, "mass": mass}
              for name, r in zip(("first", "second"), motion.radii, strict=True)}
    return Scene(material={"ball": material}, body=bodies,
                 start={"first": {"position": (0.0, 0.0, 0.0)}, "second": {"position": (0.0, 0.0, sum(motion.radii))}},
                 run={"solver": "soft", "step": step, "until": 2.0 * UNTIL, "interval": 2.0 * UNTIL})


# ---- motions


def still(*position: float) -> Callable[[float], Floats]:
    """The same at all times."""
    fixed = np.array(position, dtype=float)
    return lambda t: fixed


def rolling_shear(amplitude: float, radii: tuple[float, float] = (RADIUS, RADIUS)) -> Motion:
    """Centres at rest; both spin about y such that the second surface slips by amplitude (1 - cos t) x.

    Each surface passes the contact at r - δ/2 from its centre with half of the slip velocity.
    """
    spins = tuple(lambda t, arm=r - 0.5 * OVERLAP: np.array([0.0, -0.5 * amplitude * math.sin(t) / arm, 0.0])
                  for r in radii)
    return Motion((still(0, 0, 0), still(0, 0, sum(radii) - OVERLAP)), (spins[0], spins[1]), radii)


LOADED = 3.0 * math.pi
"""When the pair of the tests of rotation is loaded: its slip is twice the amplitude, and at rest."""


def loaded_rotation(amplitude: float, axis: Floats) -> Motion:
    """Shear until `LOADED`, then both rotate as one body with 1 rad/s about an axis through the first."""
    loading, apart = rolling_shear(amplitude), np.array([0.0, 0.0, 2.0 * RADIUS - OVERLAP])
    spin = loading.omega[0]

    def omega(t: float) -> Floats:
        return spin(t) if t < LOADED else axis

    return Motion((still(0, 0, 0), lambda t: rotated(apart, axis, max(t - LOADED, 0.0))), (omega, omega))


def rotated(vector: Floats, axis: Floats, angle: float) -> Floats:
    """By Rodrigues' formula, about a unit vector."""
    cosine = math.cos(angle)
    return np.asarray(cosine * vector + math.sin(angle) * np.cross(axis, vector)
                      + (1.0 - cosine) * (axis @ vector) * axis)


def breathing(amplitude: float) -> Motion:
    """The overlap is 0.05 R + amplitude sin t; nothing rotates."""
    apart = 2.0 * RADIUS - OVERLAP
    return Motion((still(0, 0, 0), lambda t: np.array([0.0, 0.0, apart - amplitude * math.sin(t)])),
                  (still(0, 0, 0), still(0, 0, 0)))


# ---- closed forms


def slider(t: Floats, amplitude: float) -> Floats:
    """Force of spring and slider on the second under the slip a (1 - cos t): elastic from each turn on, up to μ F_n."""
    limit, k, force, turn, found = FRICTION * STIFFNESS * OVERLAP, RATIO * STIFFNESS, 0.0, 0.0, []
    half = 0
    for time in t:
        while time > (half + 1) * math.pi:
            force = _clipped(force + k * (_slip(amplitude, (half + 1) * math.pi) - turn), limit)
            half += 1
            turn = _slip(amplitude, half * math.pi)
        found.append(_clipped(force + k * (_slip(amplitude, float(time)) - turn), limit))
    return -np.array(found)


def _slip(amplitude: float, t: float) -> float:
    return amplitude * (1.0 - math.cos(t))


def _clipped(force: float, limit: float) -> float:
    return min(max(force, -limit), limit)
