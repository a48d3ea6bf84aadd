"""`python -m benchmarks robots`: accelerations of imported robots beside MuJoCo's, in random states.

A model is read by Granum (`granum convert`) and by MuJoCo. States are random, with velocities; both give the
accelerations of every body, which are compared as a part of the largest one. What has no counterpart in Granum is zero
in MuJoCo too; loops, which are soft there, are taken as rigid with MuJoCo's own matrices.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from granum.analytic.derive import derive
from granum.base.kernels import Floats
from granum.base.rotations import product, quaternion_rates
from granum.io.robots.mjcf import read_mjcf
from granum.io.robots.reading import read_robot
from granum.io.robots.scene import SceneText
from granum.io.robots.tree import Placed, Robot, placed_links
from granum.io.robots.urdf import read_urdf
from granum.model.loads import Stop

MODELS = (
    "dm_control/suite/pendulum.xml", "dm_control/suite/cartpole.xml", "dm_control/suite/acrobot.xml",
    "dm_control/suite/reacher.xml", "dm_control/suite/finger.xml", "dm_control/suite/swimmer.xml",
    "dm_control/suite/cheetah.xml", "dm_control/suite/hopper.xml", "dm_control/suite/walker.xml",
    "dm_control/suite/fish.xml", "dm_control/suite/quadruped.xml", "dm_control/suite/humanoid.xml",
    "gymnasium/envs/mujoco/assets/ant.xml", "gymnasium/envs/mujoco/assets/half_cheetah.xml",
    "gymnasium/envs/mujoco/assets/humanoid.xml", "gymnasium/envs/mujoco/assets/inverted_double_pendulum.xml",
    "gymnasium/envs/mujoco/assets/reacher.xml", "gymnasium/envs/mujoco/assets/swimmer.xml",
    "pybullet_data/cartpole.urdf", "pybullet_data/pendulum5.urdf", "pybullet_data/kuka_iiwa/model.urdf",
    "pybullet_data/franka_panda/panda.urdf", "pybullet_data/r2d2.urdf", "pybullet_data/a1/a1.urdf",
    "pybullet_data/quadruped/minitaur.urdf")
"""Models inside packages that install by name: dm_control, gymnasium, pybullet."""


@dataclass(frozen=True)
class Comparison:
    """One model in several states."""

    model: str
    bodies: int
    """Bodies of the scene that move."""
    massless: int
    """Those of them that the file has without mass, for bodies with several joints."""
    freedoms: int
    formulation: str
    states: int
    position: float
    """Largest difference of positions [m]."""
    velocity: float
    """Largest difference of velocities, as a part of the largest one."""
    acceleration: float
    """Largest difference of accelerations, as a part of the largest one, or of 1 m/s² where all are smaller."""

    def __str__(self) -> str:
        return (f"{self.model:52} {self.bodies:6} {self.freedoms:8} {self.formulation:13} {self.position:9.0e} "
                f"{self.velocity:9.0e} {self.acceleration:9.0e}")


def find_model(name: str) -> Path | None:
    """A file inside an installed package."""
    package, inside = name.split("/", 1)
    spec = find_spec(package)
    folders = [] if spec is None else list(spec.submodule_search_locations or ())
    return next((Path(folder) / inside for folder in folders if (Path(folder) / inside).is_file()), None)


def compare(path: Path, states: int = 3, free_base: bool = False, formulation: str | None = None) -> Comparison:
    """Positions, velocities and accelerations of all bodies beside MuJoCo's."""
    from benchmarks.peers.robots import Model

    peer, rng = Model(path, free_base), np.random.default_rng(7)
    scene = read_robot(path, free_base).scene
    # in MuJoCo limits are switched off, as they are soft there
    loads = {name: load for name, load in scene.load.items() if not isinstance(load, Stop)}
    equations = derive(scene.model_copy(update={"load": loads}), formulation)
    robot, left_out = read_urdf(path, free_base) if path.suffix == ".urdf" else read_mjcf(path)
    text = SceneText(robot, left_out, str(path))
    robot = text.robot
    peer.keep_actuators({actuator.name for actuator in robot.actuators})
    worst = np.zeros(3)
    for _ in range(states):
        peer.set_state(*peer.random_state(rng))
        bodies = _take_state(robot, peer)
        placed = placed_links(robot.links)
        worst = np.maximum(worst, _differences(text, placed, bodies, peer, equations))
    return Comparison("/".join(path.parts[-2:]), len(robot.links), len(text.massless), peer.model.nv,
                      equations.formulation, states, *map(float, worst))


def _take_state(robot: Robot, peer: Any) -> list[int]:
    """Give the joints of the robot MuJoCo's coordinates; returns the body of each link, -1 for links without mass."""
    m, d = peer.model, peer.data
    by_name = {m.joint(k).name: k for k in range(m.njnt)}
    bodies = []
    for k, link in enumerate(robot.links):
        assert link.joint is not None
        own = by_name.get(link.joint.name, k)
        at, rate = m.jnt_qposadr[own], m.jnt_dofadr[own]
        link.joint.position = d.qpos[at:at + link.joint.size[0]].copy()
        link.joint.velocity = d.qvel[rate:rate + link.joint.size[1]].copy()
        bodies.append(int(m.jnt_bodyid[own]) if link.inertial is not None else -1)
    return bodies


def _differences(text: SceneText, placed: list[Placed], bodies: list[int], peer: Any, equations: Any) -> Floats:
    """Of positions [m], velocities and accelerations (parts of the largest)."""
    q: dict[str, float] = {}
    v: dict[str, float] = {}
    for link, own in zip(text.links, placed, strict=True):
        centre, u = own.pose.then(link.body_axes)
        names = [f"{link.name.replace('-', '_')}.{c}" for c in ("x", "y", "z", "u0", "u1", "u2", "u3")]
        q.update(zip(names, [*centre, *u], strict=True))
        if link.joint is not None and link.joint.kind == "hinge":  # of a torsion spring, since the start
            assert link.joint.velocity is not None
            angle = f"{link.joint.name.replace('-', '_')}.angle"
            q[angle], v[angle] = link.joint.start - link.joint.reference, float(link.joint.velocity[0])
        spin = quaternion_rates(u.tolist(), own.angular_velocity)
        v.update(zip(names, [*own.velocity_at(centre), *spin], strict=True))
    order = [name.replace("-", "_") for name in equations.coordinates]
    second = dict(zip(order, equations.accelerations(np.array([q[name] for name in order]),
                                                     np.array([v[name] for name in order])), strict=True))
    qacc = peer.accelerations()
    rows = []
    for link, own, body in zip(text.links, placed, bodies, strict=True):
        if body < 0:
            continue
        centre, u = own.pose.then(link.body_axes)
        velocity, acceleration = peer.motion_of(body, centre, qacc)
        name = link.name.replace("-", "_")
        a = np.array([second[f"{name}.{c}"] for c in "xyz"])
        rate = np.array(quaternion_rates(u.tolist(), own.angular_velocity))
        u_second = np.array([second[f"{name}.u{k}"] for k in range(4)])
        back = u * np.array([1.0, -1.0, -1.0, -1.0])
        alpha = 2.0 * (product(u_second, back) + product(rate, rate * np.array([1.0, -1.0, -1.0, -1.0])))[1:]
        rows.append((np.abs(own.pose.position - peer.data.xpos[body]).max(),
                     np.abs(np.concatenate([own.velocity_at(centre), own.angular_velocity]) - velocity),
                     np.abs(np.concatenate([a, alpha]) - acceleration), np.abs(velocity), np.abs(acceleration)))
    position = max(row[0] for row in rows)
    parts = [max(row[k].max() for row in rows) / max(1.0, *(row[k + 2].max() for row in rows)) for k in (1, 2)]
    return np.array([position, *parts])


def measure(models: tuple[str, ...] = (), states: int = 3) -> dict[str, Any]:
    """All models that are installed."""
    outcomes, missing = [], []
    for name in models or MODELS:
        path = Path(name) if Path(name).is_file() else find_model(name)
        if path is None:
            missing.append(name)
        else:
            outcomes.append(compare(path, states))
    lines = [f"{'model':52} {'bodies':>6} {'freedoms':>8} {'formulation':13} {'position':>9} {'velocity':>9} "
             f"{'acceleration':>9}", *map(str, outcomes)]
    lines += [f"not installed: {', '.join(missing)}"] if missing else []
    return {"text": "\n".join(lines), "models": [asdict(outcome) for outcome in outcomes], "missing": missing}
