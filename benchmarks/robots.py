"""`python -m benchmarks robots`: accelerations of imported robots beside MuJoCo's, in random states.

A model is read by Granum (`granum convert`) and by MuJoCo. States are random, with velocities; both give the
accelerations of every body, which are compared as a part of the largest one. What has no counterpart in Granum is zero
in MuJoCo too; loops, which are soft there, are taken as rigid with MuJoCo's own matrices.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

import granum
from granum.analytic.derive import derive
from granum.base.kernels import Floats
from granum.base.rotations import product, quaternion_rates
from granum.model.loads import JointFriction, Stop
from granum.robots.mjcf import read_mjcf
from granum.robots.reading import read_robot
from granum.robots.scene import SceneText
from granum.robots.tree import Link, Placed, Robot, placed_links
from granum.robots.urdf import read_urdf
from granum.rows.system import symbol_name

COORDINATES = ("x", "y", "z", "u0", "u1", "u2", "u3")
_BACK = np.array([1.0, -1.0, -1.0, -1.0])
"""Turns a quaternion into its conjugate."""
MODELS = (
    "dm_control/suite/pendulum.xml", "dm_control/suite/cartpole.xml", "dm_control/suite/acrobot.xml",
    "dm_control/suite/reacher.xml", "dm_control/suite/finger.xml", "dm_control/suite/swimmer.xml",
    "dm_control/suite/cheetah.xml", "dm_control/suite/hopper.xml", "dm_control/suite/walker.xml",
    "dm_control/suite/fish.xml", "dm_control/suite/quadruped.xml", "dm_control/suite/humanoid.xml",
    "dm_control/suite/manipulator.xml", "dm_control/mjcf/test_assets/robot_arm.xml",
    "gymnasium/envs/mujoco/assets/ant.xml", "gymnasium/envs/mujoco/assets/half_cheetah.xml",
    "gymnasium/envs/mujoco/assets/humanoid.xml", "gymnasium/envs/mujoco/assets/inverted_double_pendulum.xml",
    "gymnasium/envs/mujoco/assets/reacher.xml", "gymnasium/envs/mujoco/assets/swimmer.xml",
    "gymnasium/envs/mujoco/assets/pusher_v5.xml", "gymnasium/envs/mujoco/assets/walker2d_v5.xml",
    "pybullet_data/cartpole.urdf", "pybullet_data/pendulum5.urdf", "pybullet_data/kuka_iiwa/model.urdf",
    "pybullet_data/franka_panda/panda.urdf", "pybullet_data/r2d2.urdf", "pybullet_data/a1/a1.urdf",
    "pybullet_data/quadruped/minitaur.urdf", "pybullet_data/quadruped/vision60.urdf",
    "pybullet_data/laikago/laikago_toes_zup.urdf", "pybullet_data/racecar/racecar.urdf")
"""Models inside packages that install by name: dm_control, gymnasium, pybullet."""
FREE = ("pybullet_data/a1/a1.urdf", "pybullet_data/quadruped/minitaur.urdf", "pybullet_data/quadruped/vision60.urdf",
        "pybullet_data/laikago/laikago_toes_zup.urdf")
"""Those of them that stand on their legs: URDF files whose root link is free."""


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
        return (f"{self.model:58} {self.bodies:6} {self.massless:8} {self.freedoms:8} {self.formulation:12} "
                f"{self.position:8.0e} {self.velocity:8.0e} {self.acceleration:12.0e}")


def find_model(name: str) -> Path | None:
    """A file inside an installed package."""
    package, inside = name.split("/", 1)
    spec = find_spec(package)
    folders = [] if spec is None else list(spec.submodule_search_locations or ())
    return next((Path(folder) / inside for folder in folders if (Path(folder) / inside).is_file()), None)


def compare(
    path: Path, states: int = 3, free_base: bool = False, keyframe: str = "", formulation: str | None = None,
) -> Comparison:
    """Positions, velocities and accelerations of all bodies beside MuJoCo's: at the start, and in random states."""
    from benchmarks.peers.robots import Model

    peer, rng = Model(path, free_base), np.random.default_rng(7)
    scene = read_robot(path, free_base, keyframe).scene
    # in MuJoCo limits and dry friction are switched off, as they are soft there
    loads = {name: load for name, load in scene.load.items() if not isinstance(load, Stop | JointFriction)}
    equations = derive(scene.model_copy(update={"load": loads}), formulation)
    robot, left_out = read_urdf(path, free_base) if path.suffix == ".urdf" else read_mjcf(path, keyframe)
    text = SceneText(robot, left_out, str(path))
    actuators = text.robot.actuators
    peer.keep_actuators({actuator.name for actuator in actuators}, {actuator.joint for actuator in actuators})
    starts = {link.joint.name: link.joint.start for link in text.links if link.joint is not None}
    peer.set_keyframe(keyframe)
    worst = _differences(text, _take_state(text.robot, peer), peer, equations, starts, equations.start)
    for _ in range(states):
        peer.set_state(*peer.random_state(rng))
        bodies = _take_state(text.robot, peer)
        worst = np.maximum(worst, _differences(text, bodies, peer, equations, starts))
    return Comparison("/".join(path.parts[-2:]), len(text.links), len(text.massless), peer.model.nv,
                      equations.formulation, states + 1, *map(float, worst))


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


def _state(links: list[Link], placed: list[Placed], starts: dict[str, float]) -> tuple[dict[str, float], ...]:
    """Coordinates of all bodies and of torsion springs, and their rates, by the names that formulas have for them."""
    q: dict[str, float] = {}
    v: dict[str, float] = {}
    for link, own in zip(links, placed, strict=True):
        centre, u = own.pose.then(link.body_axes)
        names = [f"{symbol_name(link.name)}.{c}" for c in COORDINATES]
        q.update(zip(names, [*centre, *u], strict=True))
        spin = quaternion_rates(u.tolist(), own.angular_velocity)
        v.update(zip(names, [*own.velocity_at(centre), *spin], strict=True))
        if link.joint is not None and link.joint.kind == "hinge":
            assert link.joint.velocity is not None
            angle = f"{symbol_name(link.joint.name)}.angle"
            q[angle], v[angle] = link.joint.start - starts[link.joint.name], float(link.joint.velocity[0])
    return q, v


def _differences(
    text: SceneText, bodies: list[int], peer: Any, equations: Any, starts: dict[str, float],
    start: tuple[Floats, Floats] | None = None,
) -> Floats:
    """Of positions [m], velocities and accelerations (parts of the largest), for the state of the joints."""
    placed = placed_links(text.links)
    own_q, own_v = _state(text.links, placed, starts)
    q, v = (np.array([own[name] for name in equations.coordinates]) for own in (own_q, own_v))
    second = dict(zip(equations.coordinates, equations.accelerations(q, v), strict=True))
    qacc = peer.accelerations()
    rows = []
    for link, own, body in zip(text.links, placed, bodies, strict=True):
        if body < 0:
            continue
        centre, u = own.pose.then(link.body_axes)
        velocity, acceleration = peer.motion_of(body, centre, qacc)
        name = symbol_name(link.name)
        u_first, u_second = (np.array([of[f"{name}.u{k}"] for k in range(4)]) for of in (own_v, second))
        # ω = 2 u̇ ū, so that α = 2 (ü ū + u̇ ū̇)
        alpha = 2.0 * (product(u_second, u * _BACK) + product(u_first, u_first * _BACK))[1:]
        ours = np.array([*own.velocity_at(centre), *own.angular_velocity]), np.array(
            [*(second[f"{name}.{c}"] for c in "xyz"), *alpha])
        rows.append((np.abs(own.pose.position - peer.data.xpos[body]).max(), np.abs(ours[0] - velocity).max(),
                     np.abs(ours[1] - acceleration).max(), np.abs(velocity).max(), np.abs(acceleration).max()))
    position, *differences, speed, largest = np.array(rows).max(axis=0)
    if start is not None:
        position, differences[0] = max(position, np.abs(start[0] - q).max()), max(
            differences[0], np.abs(start[1] - v).max())
    return np.array([position, differences[0] / max(1.0, speed), differences[1] / max(1.0, largest)])


@dataclass(frozen=True)
class Result:
    """All models that were compared."""

    models: list[Comparison]
    missing: list[str]
    """Models of packages that are not installed."""
    mujoco: str
    """Version."""

    def as_json(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)

    def summary_lines(self) -> list[str]:
        """A table."""
        head = (f"{'model':58} {'bodies':>6} {'massless':>8} {'freedoms':>8} {'formulation':12} {'position':>8} "
                f"{'velocity':>8} {'acceleration':>12}")
        lines = [f"Bodies of imported robots, Granum {granum.__version__} beside MuJoCo {self.mujoco}:", head,
                 *map(str, self.models)]
        return [*lines, *([f"Not installed: {', '.join(self.missing)}"] if self.missing else [])]


def measure(models: tuple[str, ...] = (), states: int = 3) -> Result:
    """All models that are installed."""
    import mujoco

    paths = {name: Path(name) if Path(name).is_file() else find_model(name) for name in models or MODELS}
    found = [replace(compare(path, states, name in FREE), model=name) for name, path in paths.items()
             if path is not None]
    return Result(found, [name for name, path in paths.items() if path is None], mujoco.__version__)
