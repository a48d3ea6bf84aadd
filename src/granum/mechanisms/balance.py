"""The energy balance of a mechanism: all that does work on its bodies, by name.

Gravity, constant forces and springs do the work that their potential energy gives up. The work of torques, dampers,
drives and sliding friction is integrated along with the motion; it stands behind the bodies in the state, in that
order.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from granum.base.kernels import Floats
from granum.mechanisms import tables
from granum.mechanisms.places import three
from granum.model.connections import Drive
from granum.model.loads import Force, Gravity, Spring, Torque, TorsionSpring, agent_names, damper

if TYPE_CHECKING:
    from granum.mechanisms.build import Mechanism
    from granum.mechanisms.joints import Joint
    from granum.model.scene import Scene


def working(scene: Scene, joints: list[Joint]) -> list[tuple[str, str]]:
    """Section and name of each agent whose work is integrated, in the order of the state."""
    loads = [*_names(scene, Torque), *(damper(name) for kind in (Spring, TorsionSpring) for name in _names(scene, kind)
                                       if getattr(scene.load[name], "damping", 0.0) > 0.0)]
    drives = [name for name, entry in scene.constraint.items() if isinstance(entry, Drive)]
    rubbing = [f"{joint.name}.friction" for joint in joints if joint.friction is not None]
    return [*(("load", name) for name in loads), *(("constraint", name) for name in (*drives, *rubbing))]


def storing(scene: Scene) -> list[tuple[str, str]]:
    """Section and name of each load with a potential energy: gravity first, then in the order of the figures."""
    return [("load", name) for kind in (Gravity, Force, Spring, TorsionSpring) for name in _names(scene, kind)]


def _names(scene: Scene, kind: type) -> list[str]:
    return [name for name, load in scene.load.items() if isinstance(load, kind)]


class Balance:
    """Work of each agent since the start, for a mechanism whose tables hold the start."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism = mechanism
        agents = [*storing(mechanism.scene), *working(mechanism.scene, mechanism.joints)]
        self.names = agent_names(agents)
        self._gravity = np.array([three(load.acceleration) for load in mechanism.scene.load.values()
                                  if isinstance(load, Gravity)]).reshape(-1, 3)
        self._at_start = self._potentials()

    @cached_property
    def unit(self) -> float:
        """Σ |m g x| + Σ |F x| over axes, at the start [J]: the terms that the potential energy is made of."""
        found, dimension = self.mechanism.model.tables, self.mechanism.dimension
        places = self.mechanism.y[: len(self.mechanism.places) * self.mechanism.stride].reshape(
            -1, self.mechanism.stride)[:, :dimension]
        masses = 1.0 / found.bodies[: len(places), tables.MASS]
        weights = masses[:, None] * self.mechanism.model.loads.gravity[:dimension]
        loads = self.mechanism.model.loads
        pushed = loads.force[:, 3 : 3 + dimension] * places[loads.force_body]
        return float(np.abs(weights * places).sum() + np.abs(pushed).sum())

    def work(self, y: Floats) -> Floats:
        """Work of each agent [J], in the order of `names`; the tables hold the state y."""
        given_up: Floats = self._at_start - self._potentials()
        return np.concatenate([given_up, y[len(y) - self.mechanism.work_count :]])

    def _potentials(self) -> Floats:
        """Potential energy of each load that has one [J]."""
        found = self.mechanism.model.tables
        n = found.shape[tables.BODIES]
        moment = (found.bodies[:n, tables.X : tables.X + 3] / found.bodies[:n, tables.MASS, None]).sum(axis=0)
        held = found.figures[tables.FIGURES : len(found.figures) - self.mechanism.work_count]
        return np.concatenate([-self._gravity @ moment, held])
