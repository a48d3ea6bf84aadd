"""The stiff flyball governor (A05 of the library of multibody benchmarks): a scene, and the same in two coordinates."""

from __future__ import annotations

import math
from typing import Any

from granum.base.kernels import Floats
from granum.model.scene import Scene
from granum.validation.runs import solved
from granum.validation.scenes import GRAVITY, fixed_point, gravity, hinge

_HALF = 0.05
"""Half of the distance of both arms' hinges, and of the slider's width [m]."""
_TURNING = 2.0 * math.pi
"""Of the shaft at the start [rad/s]."""
_BETA = math.radians(30.0)
"""Of the arms below the level at the start."""
_STIFFNESS, _DAMPING, _REST = 8e5, 4e4, 0.5
_THIN, _ROD, _BALL, _SLIDER = 0.01, 0.3, 5.0, 3.0
"""Width of shaft and arms [m]; masses of shaft and arm, ball, slider [kg] (3000 kg/m³)."""
_MASS = _ROD + _BALL
_OUT = (0.5 * _ROD + _BALL) / _MASS
"""Mass centre of an arm with its ball, from the hinge [m]."""
_AXIAL = _ROD * _THIN**2 / 6.0
_ACROSS = _ROD * (1.0 + _THIN**2) / 12.0 + _ROD * (0.5 - _OUT) ** 2 + _BALL * (1.0 - _OUT) ** 2


def governor() -> Scene:
    """A shaft that turns freely, a slider on it, two arms with balls, springs with dampers from arms to slider."""
    body: dict[str, Any] = {
        "foot": fixed_point(0.0, 0.0, 0.0),
        "shaft": {"kind": "block", "size": (_THIN, _THIN, 1.0), "mass": _ROD, "points": {
            "foot": (0.0, 0.0, -0.5), "A": (_HALF, 0.0, 0.5), "B": (-_HALF, 0.0, 0.5)}},
        "slider": {"kind": "block", "size": (2 * _HALF, 2 * _HALF, 2 * _HALF), "mass": _SLIDER, "points": {
            "A": (_HALF, 0.0, 0.0), "B": (-_HALF, 0.0, 0.0)}}}
    turn = {"angular_velocity": (0.0, 0.0, _TURNING)}
    start: dict[str, Any] = {name: {"position": (0.0, 0.0, 0.5), **turn} for name in ("shaft", "slider")}
    constraint: dict[str, Any] = {
        "bearing": hinge("foot", "shaft.foot", (0.0, 0.0, 1.0)),
        "guide": {"kind": "slider", "between": ("shaft", "slider"), "axis": (0.0, 0.0, 1.0)}}
    load = gravity(3)
    for side, sign in (("A", 1.0), ("B", -1.0)):
        body[f"arm-{side}"] = {"kind": "rigid-body", "mass": _MASS, "inertia": (_AXIAL, _ACROSS, _ACROSS), "points": {
            "hinge": (-_OUT, 0.0, 0.0), "middle": (0.5 - _OUT, 0.0, 0.0)}}
        tilt = _BETA if sign > 0.0 else math.pi - _BETA  # about y: x goes out and down
        at = (sign * (_HALF + _OUT * math.cos(_BETA)), 0.0, 1.0 - _OUT * math.sin(_BETA))
        u = (math.cos(tilt / 2), 0.0, math.sin(tilt / 2), 0.0)
        start[f"arm-{side}"] = {"position": at, "orientation": u, **turn}
        constraint[f"hinge-{side}"] = hinge(f"shaft.{side}", f"arm-{side}.hinge", (0.0, 1.0, 0.0))
        load[f"spring-{side}"] = {"kind": "spring", "between": (f"slider.{side}", f"arm-{side}.middle"),
                                  "stiffness": _STIFFNESS, "rest_length": _REST, "damping": _DAMPING}
    return Scene(title="Flyball governor", body=body, constraint=constraint, start=start, load=load)


def _moment(beta: float) -> tuple[float, float]:
    """Moment of inertia about the shaft and its derivative: arms, shaft and slider."""
    c, s = math.cos(beta), math.sin(beta)
    arm = _MASS * (_HALF + _OUT * c) ** 2 + _AXIAL * s * s + _ACROSS * c * c
    slope = -2.0 * _MASS * (_HALF + _OUT * c) * _OUT * s + 2.0 * (_AXIAL - _ACROSS) * s * c
    still = _ROD * _THIN**2 / 6.0 + _SLIDER * (2 * _HALF) ** 2 / 6.0
    return still + 2.0 * arm, 2.0 * slope


def governor_heights(t: Floats) -> Floats:
    """Height of the slider at given times [m].

    Both arms move alike, and the momentum about the shaft stays what it is: the angle β of the arms below the level and
    the height z of the slider are left.
    """
    momentum = _moment(_BETA)[0] * _TURNING
    about_hinge = 2.0 * (_MASS * _OUT**2 + _ACROSS)

    def rates(_: float, y: Floats) -> tuple[float, float, float, float]:
        beta, z, beta_dot, z_dot = y
        c, s = math.cos(beta), math.sin(beta)
        moment, slope = _moment(beta)
        dx, dz = 0.5 * c, 1.0 - 0.5 * s - z  # from the slider to the middle of an arm
        l = math.hypot(dx, dz)
        l_beta, l_z = (-0.5 * dx * s - 0.5 * dz * c) / l, -dz / l
        tension = _STIFFNESS * (l - _REST) + _DAMPING * (l_beta * beta_dot + l_z * z_dot)
        moment_sum = 0.5 * slope * (momentum / moment) ** 2 + 2.0 * _MASS * GRAVITY * _OUT * c - 2.0 * tension * l_beta
        return beta_dot, z_dot, moment_sum / about_hinge, -GRAVITY - 2.0 * tension * l_z / _SLIDER

    height: Floats = solved(rates, (_BETA, 0.5, 0.0, 0.0), t, "Radau", rtol=1e-10, atol=1e-12)[1]
    return height
