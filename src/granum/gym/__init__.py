"""Gymnasium environments of scenes, for reinforcement learning: `pip install "granum[gym]"`.

>>> scene = gr.example("cart-pole").vary({"actuator.motor.force": 0, "start.pole.angle": "90 deg"})
>>> env = gr.gym.Env(scene, observe=["track.displacement", "track.rate", "pivot.angle", "pivot.rate"], act=["motor"],
...                  reward="1 - pivot.angle**2", terminated={"pivot.angle": (-0.2, 0.2)}, every="20 ms",
...                  vary={"start.pole.angle": ("88 deg", "92 deg")})
>>> observation, info = env.reset(seed=1)
>>> observation, reward, terminated, truncated, info = env.step([2.0])
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from granum.base.extras import extra

if TYPE_CHECKING:
    from granum.gym.environment import Env

__all__ = ["Env"]


def __getattr__(name: str) -> Any:
    if name != "Env":
        raise AttributeError(f"module 'granum.gym' has no attribute {name!r}")
    extra("gymnasium", "gym")  # so that the package itself can be imported without Gymnasium
    from granum.gym.environment import Env

    return Env
