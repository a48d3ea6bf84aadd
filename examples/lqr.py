"""A linear-quadratic regulator balances a pole on a cart: the linear model comes from the scene, the gain from SciPy.

The scene is linearised about the upright pole. The gain K minimises the integral of yᵀ Q y + R u² for the linear model
(Kalman 1960). It becomes a formula of the actuator, so that the controller is compiled into the solver.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib import pyplot as plt
from scipy.linalg import solve_continuous_are

import granum as gr

WEIGHTS = {"track.displacement": 1.0, "track.rate": 0.1, "pole.angle": 10.0, "pole.wz": 0.1}
"""What is to stay small, in SI units, ..."""
EFFORT = 0.02
"""... and the weight of the force [1/N²]."""


def upright() -> gr.Scene:
    """The cart with its pole upright and the motor at rest."""
    return gr.example("cart-pole").vary({"actuator.motor.force": 0, "start.pole.angle": "90 deg"})


def regulator(scene: gr.Scene) -> tuple[gr.Linearization, np.ndarray]:
    """The linear model and the gain K of u = -K z."""
    linear = gr.linearize(scene, outputs=list(WEIGHTS))
    Q = linear.C.T @ np.diag(list(WEIGHTS.values())) @ linear.C
    P = solve_continuous_are(linear.A, linear.B, Q, np.array([[EFFORT]]))
    return linear, (linear.B.T @ P / EFFORT)[0]


def controlled(scene: gr.Scene, linear: gr.Linearization, gain: np.ndarray) -> gr.Scene:
    """The scene with u = -K z as the formula of its motor; z counts from the state that was linearised."""
    at = dict(zip(linear.coordinates, linear.q, strict=True))
    terms = [f"({k:.15g})*({name} - ({at[name]:.15g}))" for k, name in zip(gain, linear.positions, strict=False)]
    terms += [f"({k:.15g})*{name}_dot" for k, name in zip(gain[len(terms):], linear.rates, strict=True)]
    formula = f"-({' + '.join(terms)})"
    for name in linear.rates:
        body, axis = name.split(".")
        formula = formula.replace(f"{name}_dot", f"{body}.v{axis}")
    return scene.vary({"actuator.motor.force": formula})


def main() -> None:
    """Let the pole go at several angles, and draw how it comes back."""
    scene = upright()
    linear, gain = regulator(scene)
    loop = linear.A - linear.B @ gain[None, :]
    print(f"without control: {np.round(linear.modes.real.max(), 3)} 1/s grows; with control the modes are "
          f"{np.round(np.sort_complex(np.linalg.eigvals(loop)), 2)} 1/s")
    figure, (tilt, place) = plt.subplots(2, sharex=True, layout="constrained")
    for start in (2, 10, 20, 30):
        tilted = scene.vary({"start.pole.angle": f"{90 - start} deg"})
        run = gr.simulate(controlled(tilted, linear, gain), until=5.0, progress=False)
        tilt.plot(run.t, 90.0 - np.degrees(run.angle("pole")), label=f"{start}°")
        place.plot(run.t, run.position("cart")[:, 0])
    tilt.set(ylabel="tilt of the pole [°]", title="A pole balanced by a linear-quadratic regulator")
    tilt.legend(title="start", fontsize="small")
    place.set(xlabel="time [s]", ylabel="cart [m]")
    file = Path("lqr.png")
    figure.savefig(file, dpi=150)
    print(f"Drawn: {file}")


if __name__ == "__main__":
    main()
