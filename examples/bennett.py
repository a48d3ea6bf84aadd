"""Bennett's linkage: a loop of four skew hinges that should lock, but moves.

Grübler's count gives 6·3 - 5·4 = -2 degrees of freedom; with link lengths a, b, a, b and twists α, β, α, β that satisfy
sin α / a = sin β / b it has one (Bennett 1903). Three of its constraint rows are redundant.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib import pyplot as plt

import granum as gr

SHORT, LONG = 0.3, 0.5
ALPHA = np.radians(30.0)
BETA = np.arcsin(LONG / SHORT * np.sin(ALPHA))
RATIO = np.sin((BETA + ALPHA) / 2) / np.sin((BETA - ALPHA) / 2)
"""tan(θ₁/2) tan(θ₂/2) of neighbouring hinges."""


def along(theta: float, length: float, twist: float) -> np.ndarray:
    """From one hinge to the next: turn about its axis z, go along x, twist about x."""
    c, s, k, h = np.cos(theta), np.sin(theta), np.cos(twist), np.sin(twist)
    return np.array([[c, -s * k, s * h, length * c], [s, c * k, -c * h, length * s], [0, h, k, 0], [0, 0, 0, 1.0]])


def hinges(theta: float) -> list[np.ndarray]:
    """Places of the four hinges for an angle of the first; the last goes back to the first."""
    other = 2 * np.arctan2(RATIO, np.tan(theta / 2))
    frames = [np.eye(4)]
    for angle, length, twist in ((theta, SHORT, ALPHA), (other, LONG, BETA), (-theta, SHORT, ALPHA),
                                 (-other, LONG, BETA)):
        frames.append(frames[-1] @ along(angle, length, twist))
    return frames


def scene(theta: float = 1.0, speed: float = 6.0) -> gr.Scene:
    """Three thin rods and the ground; the first rod is turned at a speed [rad/s]."""
    frames = hinges(theta)
    at, axes = [f[:3, 3] for f in frames], [f[:3, 2] for f in frames]
    body: dict[str, object] = {"ground-1": gr.FixedPoint(position=tuple(at[0])),
                               "ground-4": gr.FixedPoint(position=tuple(at[3]))}
    start = {}
    for k in range(3):
        rod = at[k + 1] - at[k]
        inertia = 1.0 / 12 * (rod @ rod * np.eye(3) - np.outer(rod, rod)) + 1e-4 * np.eye(3)
        body[f"rod-{k + 1}"] = gr.RigidBody(
            mass=1.0, inertia=tuple(map(tuple, inertia)), points={"near": tuple(-rod / 2), "far": tuple(rod / 2)})
        start[f"rod-{k + 1}"] = gr.Start(position=tuple((at[k] + at[k + 1]) / 2), orientation=(1.0, 0.0, 0.0, 0.0))
    start["rod-1"] = gr.Start(position=tuple(at[1] / 2), orientation=(1.0, 0.0, 0.0, 0.0),
                              angular_velocity=(0.0, 0.0, speed))
    ends = [("ground-1", "rod-1.near"), ("rod-1.far", "rod-2.near"), ("rod-2.far", "rod-3.near"),
            ("ground-4", "rod-3.far")]
    joints = {f"hinge-{k + 1}": gr.Hinge(between=pair, axis=tuple(axes[k])) for k, pair in enumerate(ends)}
    return gr.Scene(title="Bennett's linkage", body=body, constraint=joints, start=start,
                    run=gr.RunSettings(until=2.0, formulation="fundamental", tolerance=1e-12))


def turned(u: np.ndarray) -> np.ndarray:
    """Rotation matrix of a unit quaternion."""
    w, x, y, z = u
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def corners(run: gr.Run, frame: int) -> np.ndarray:
    """The four hinges in a frame of a run."""
    found = [np.array(run.scene.body["ground-1"].position)]
    for name in ("rod-1", "rod-2", "rod-3"):
        u = np.array([run.coordinate(f"{name.replace('-', '_')}.u{k}")[frame] for k in range(4)])
        found.append(run.position(name)[frame] + turned(u) @ run.scene.body[name].points["far"])
    return np.array(found)


def picture(run: gr.Run, file: Path) -> None:
    """The loop at some instants, early ones light."""
    drawn = plt.figure(figsize=(5.5, 4.5), layout="constrained")
    panel = drawn.add_subplot(projection="3d")
    frames = np.linspace(0, 40, 11).astype(int)
    for k, frame in enumerate(frames):
        loop = corners(run, int(frame))
        panel.plot(*np.vstack([loop, loop[:1]]).T, "o-", color=plt.get_cmap("viridis_r")(k / len(frames)), markersize=3)
    panel.set(xlabel="x [m]", ylabel="y [m]", zlabel="z [m]", aspect="equal", title="Bennett's linkage")
    panel.locator_params(nbins=5)
    drawn.savefig(file, dpi=90)


if __name__ == "__main__":
    run = gr.simulate(scene())
    print(f"energy error {run.energy_error:.1e}, constraint error {run.constraint_errors.relative.max():.1e}")
    picture(run, Path("bennett.png"))
