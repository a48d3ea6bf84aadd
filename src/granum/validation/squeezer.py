"""Andrews' squeezing mechanism (A03 of the library of multibody benchmarks) by seven bodies in the plane."""

from __future__ import annotations

from typing import Any

from granum.base.kernels import Floats
from granum.model.scene import Scene
from granum.run import Run
from granum.validation.scenes import fixed_point, hinge, rotated

REFERENCE = {
    "beta": 15.81077119629904, "Theta": -15.75637105984298, "gamma": 0.04082224013073101, "Phi": -0.5347301163226948,
    "delta": 0.5244099658805304, "Omega": 0.5347301163226948, "epsilon": 1.048080741042263,
}
"""Angles at t = 0.03 s (Test Set for IVP Solvers)."""
_START = {"beta": -0.0617138900142764496, "Theta": 0.0, "gamma": 0.455279819163070380, "Phi": 0.222668390165885885,
          "delta": 0.487364979543842550, "Omega": -0.222668390165885885, "epsilon": 1.23054744454982119}

# mass [kg], moment of inertia [kg m²], and points from the mass centre in body axes [m]
_BODIES: dict[str, tuple[float, float, dict[str, tuple[float, float]]]] = {
    "K1": (0.04325, 2.194e-6, {"O": (-0.00092, 0.0), "Q": (0.007 - 0.00092, 0.0)}),
    "K2": (0.00365, 4.410e-7, {"Q": (0.0115, 0.0), "P": (0.0115 - 0.028, 0.0)}),
    "K3": (0.02373, 5.255e-6, {"B": (-0.01043, 0.01874), "P": (-0.01043, 0.01874 - 0.035),
                               "D": (0.02 - 0.01043, 0.01874 - 0.018)}),
    "K4": (0.00706, 5.667e-7, {"E": (0.0, 0.02 - 0.01421), "P": (0.0, -0.01421)}),
    "K5": (0.07050, 1.169e-5, {"A": (-0.02308, -0.00916), "E": (0.04 - 0.02308, -0.00916)}),
    "K6": (0.00706, 5.667e-7, {"F": (0.01421 - 0.02, 0.0), "P": (0.01421, 0.0)}),
    "K7": (0.05498, 1.912e-5, {"A": (0.00449, 0.01228), "F": (0.00449, 0.01228 - 0.04)}),
}
_GROUND = {"O": (0.0, 0.0), "A": (-0.06934, -0.00227), "B": (-0.03635, 0.03273), "C": (0.014, 0.072)}
_HINGES = (("O", "K1.O"), ("K1.Q", "K2.Q"), ("B", "K3.B"), ("A", "K5.A"), ("A", "K7.A"), ("K5.E", "K4.E"),
           ("K7.F", "K6.F"), ("K2.P", "K3.P"), ("K2.P", "K4.P"), ("K2.P", "K6.P"))
_TORQUE, _STIFFNESS, _REST = 0.033, 4530.0, 0.07785


def squeezer() -> Scene:
    """Seven bodies, ten hinges, a spring from K3 to the ground, a torque on K1; no gravity."""
    q = _START
    angles = {"K1": q["beta"], "K2": q["beta"] + q["Theta"], "K3": q["gamma"], "K4": q["Phi"] + q["delta"],
              "K5": q["delta"], "K6": q["Omega"] + q["epsilon"], "K7": q["epsilon"]}
    body: dict[str, Any] = {name: fixed_point(*at) for name, at in _GROUND.items()}
    for name, (mass, inertia, points) in _BODIES.items():
        body[name] = {"kind": "rigid-body", "mass": mass, "inertia": inertia, "points": points}
    start: dict[str, Any] = {}
    positions: dict[str, tuple[float, float]] = dict(_GROUND)
    for one, two in _HINGES[:7]:  # from the ground outward
        name, point = two.split(".")
        at = _shifted(positions[one], angles[name], _BODIES[name][2][point], -1.0)
        start[name] = {"angle": angles[name], "position": at}
        for other, arm in _BODIES[name][2].items():
            positions[f"{name}.{other}"] = _shifted(at, angles[name], arm, 1.0)
    return Scene(
        title="Andrews' squeezer", body=body, start=start,
        constraint={f"hinge-{k}": hinge(*ends) for k, ends in enumerate(_HINGES, 1)},
        load={"motor": {"kind": "torque", "on": "K1", "torque": _TORQUE},
              "spring": {"kind": "spring", "between": ("C", "K3.D"), "stiffness": _STIFFNESS, "rest_length": _REST}})


def _shifted(at: tuple[float, float], angle: float, arm: tuple[float, float], sign: float) -> tuple[float, float]:
    x, y = rotated(angle, arm)
    return at[0] + sign * x, at[1] + sign * y


def squeezer_angles(run: Run) -> dict[str, Floats]:
    """The seven angles of the test set, at all frames [rad]."""
    k: list[Floats] = [run.angle(name) for name in _BODIES]
    return {"beta": k[0], "Theta": k[1] - k[0], "gamma": k[2], "Phi": k[3] - k[4], "delta": k[4], "Omega": k[5] - k[6],
            "epsilon": k[6]}
