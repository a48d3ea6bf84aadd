"""A scene as a Gymnasium environment: observations, actions and rewards by the names that formulas use."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import gymnasium
import numpy as np
from gymnasium.spaces import Box
from numpy.typing import ArrayLike

from granum.base.errors import GranumError, NotConvergedError
from granum.base.kernels import Floats
from granum.base.text import count
from granum.base.units import si
from granum.gym.actions import Bounds, commands_of, give
from granum.gym.formulas import Quantity, quantity
from granum.io.scenefile import load_scene
from granum.model.scene import Scene
from granum.run import Run
from granum.run.simulation import Simulation

Observe: TypeAlias = Sequence[str] | Callable[[Simulation], ArrayLike]
End: TypeAlias = Mapping[str, tuple[float, float]] | Callable[[Simulation], bool]
Start: TypeAlias = Callable[[Simulation, np.random.Generator], None]
NEAR = 1e-9
"""Part of a step by which the end of an episode may be missed by rounding."""


class Env(gymnasium.Env):  # type: ignore[misc]  # Gymnasium need not be installed where types are checked
    """A Gymnasium environment of a scene.

    Observations, rewards and ends read the state by the names that formulas of actuators use: `pivot.angle`,
    `pivot.rate`, `cart.vx`, `motor.force`, `t`, ... (`Simulation.value` lists them), or call a function of the
    Simulation. Spaces are boxes of float64 in SI units; wrappers of Gymnasium rescale them. An episode is truncated at
    `until` of the scene.

    Args:
        scene: a scene or the name of a scene file.
        observe: names of the quantities observed, or a function of the Simulation that returns an array.
        act: names of actuators, bounded by their limit, or a mapping from names of actuators and drives to (low, high).
            The action is their commands, in this order; of a drive its rate.
        reward: a formula of quantities, or a function of the Simulation, evaluated after each step.
        terminated: ranges that the state must not leave, such as {"pole.angle": (1.3, 1.8)}; keys may be formulas. Or a
            function of the Simulation that says whether the episode ends. By default episodes end in time only.
        every: duration of a step, such as "20 ms"; default: the interval between frames of the scene.
        vary: values of the scene that `reset` draws uniformly between two limits, by their paths:
            {"start.pole.angle": ("85 deg", "95 deg"), "body.pole.mass": (0.08, 0.12)}.
        start: a function of the Simulation and a random generator that changes the state at the start of an episode.
        render_mode: "rgb_array" for pictures of the last recorded frame.
        size: width and height of pictures [pixels].
        settings: run settings that replace those of the scene: until, interval, solver, ...

    >>> scene = gr.example("cart-pole").vary({"actuator.motor.force": 0})
    >>> env = gr.gym.Env(scene, observe=["pole.angle", "pole.wz"], act=["motor"], reward="sin(pole.angle)")
    >>> observation, info = env.reset(seed=1)
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"]}  # noqa: RUF012  # Gymnasium declares it so

    def __init__(
        self, scene: Scene | str | Path, *, observe: Observe, act: Sequence[str] | Mapping[str, Bounds],
        reward: str | Callable[[Simulation], float], terminated: End | None = None, every: str | float | None = None,
        vary: Mapping[str, tuple[float | str, float | str]] | None = None, start: Start | None = None,
        render_mode: str | None = None, size: tuple[int, int] = (640, 480), **settings: Any,
    ) -> None:
        if render_mode not in (None, "rgb_array"):
            raise GranumError(f'found render_mode = {render_mode!r}, but an environment draws "rgb_array" or nothing.')
        loaded = scene if isinstance(scene, Scene) else load_scene(scene)
        self.scene = loaded.with_run(**settings)
        self.period: float = self.scene.run.frame_interval if every is None else si(every, "s")
        if not self.period > 0.0:
            raise GranumError(f"found every = {self.period:g} s, but the duration of a step must be positive.")
        self._vary, self._start, self._size = dict(vary or {}), start, size
        self._observe, self._reward, self._end = observe, reward, terminated
        self.render_mode = render_mode
        self.metadata = {**self.metadata, "render_fps": round(1.0 / self.period) or 1}
        self._begin(self.scene)
        self._commands = commands_of(self.simulation, act)
        low, high = np.array([command.bounds for command in self._commands]).T
        self.action_space = Box(low, high, dtype=np.float64)
        self.observation_space = Box(-np.inf, np.inf, np.shape(self._observation()), dtype=np.float64)

    def _begin(self, scene: Scene) -> None:
        """Begin a simulation, and find what is read of it."""
        self.simulation = sim = Simulation(scene)
        self._first = sim.snapshot()
        self._observed: Callable[[Simulation], ArrayLike]
        if callable(self._observe):
            self._observed = self._observe
        else:
            names = list(self._observe)
            self._observed = lambda sim: [sim.value(name) for name in names]
        self._rewarded: Quantity = quantity(sim, self._reward, "reward") if isinstance(
            self._reward, str) else self._reward
        self._ranges = [] if self._end is None or callable(self._end) else [
            (quantity(sim, name, "terminated"), low, high) for name, (low, high) in self._end.items()]

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Floats, dict[str, Any]]:
        """Begin an episode; the seed determines what is drawn for its start."""
        super().reset(seed=seed)
        if self._vary:
            self._begin(self.scene.vary({path: self.np_random.uniform(*self._limits(path)) for path in self._vary}))
        else:
            self.simulation.restore(self._first)
        if self._start is not None:
            self._start(self.simulation, self.np_random)
        return self._observation(), self._info()

    def _limits(self, path: str) -> tuple[float, float]:
        """The limits of a value of the scene that varies, as the scene reads them."""
        low, high = (_value_at(self.scene.vary({path: limit}), path) for limit in self._vary[path])
        return low, high

    def step(self, action: ArrayLike) -> tuple[Floats, float, bool, bool, dict[str, Any]]:
        """Give the commands of an action, and advance."""
        sim, values = self.simulation, np.asarray(action, dtype=float)
        if values.shape != self.action_space.shape:
            names = [command.name for command in self._commands]
            raise GranumError(f"found an action of shape {values.shape}, but it has {count(len(names), 'number')}: "
                              f"{', '.join(names)}.")
        give(sim, self._commands, values)
        until = self.scene.run.until
        sim.advance(min(sim.t + self.period, until))
        observation, reward = self._observation(), float(self._rewarded(sim))
        if not (np.isfinite(observation).all() and np.isfinite(reward)):
            raise NotConvergedError(f"t = {sim.t:g} s: found the observation {observation.tolist()} and the reward "
                                    f"{reward}, but both must be finite.")
        truncated = sim.t >= until - NEAR * self.period
        return observation, reward, self._terminated(), truncated, self._info()

    def render(self) -> Any:
        """A picture of the last recorded frame, (height, width, 3) bytes; nothing without a render mode."""
        if self.render_mode is None:
            return None
        from granum.view.films.film import picture  # drawing takes longer to load than a short episode takes

        return picture(self.simulation.run, size=self._size)

    @property
    def run(self) -> Run:
        """The episode so far, at the frames of the scene."""
        return self.simulation.run

    def _observation(self) -> Floats:
        return np.array(self._observed(self.simulation), dtype=np.float64)

    def _terminated(self) -> bool:
        sim = self.simulation
        if callable(self._end) and self._end(sim):
            return True
        return sim.ended is not None or any(not low <= read(sim) <= high for read, low, high in self._ranges)

    def _info(self) -> dict[str, Any]:
        return {"t": self.simulation.t, "event": self.simulation.ended}


def _value_at(scene: Scene, path: str) -> float:
    """The number at a path of a scene."""
    value: Any = scene
    for key in path.split("."):
        if isinstance(value, Mapping):
            value = value[key]
        elif isinstance(value, Sequence):
            value = value[int(key)]
        else:
            value = getattr(value, key)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise GranumError(f"vary: {path} is not a single number. Give the path of one, such as start.pole.angle or "
                          "start.cart.position.0.")
    return float(value)
