"""Section loads of a system of formulas: forces across cuts do not depend on how the motion was computed.

Newton's and Euler's laws of the same scene, in the state of a frame, give accelerations and joint forces, and with
them what one part of a body does to the other (`analytic.sections`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from granum.analytic.rigid_bodies.equations import BodyEquations
from granum.analytic.sections import loads_across
from granum.base.errors import Problem, SceneError
from granum.base.kernels import Floats
from granum.base.rotations import rotation_of
from granum.base.text import listed
from granum.integrate.rigid_bodies import BodyMotion
from granum.model.probes import SectionProbe
from granum.model.scene import Scene
from granum.rows import tables
from granum.run.control.live_system import BodyState, Inputs


class Sections:
    """Cuts through the bodies of a scene that a formulation of formulas runs."""

    def __init__(self, scene: Scene) -> None:
        """Prepare the cuts; raises SceneError where newton-euler does not support the scene."""
        probes = [name for name, probe in scene.probe.items() if isinstance(probe, SectionProbe)]
        try:
            self.equations = BodyEquations(scene.with_run(formulation="newton-euler", coordinates=(), quasi={}))
        except SceneError as error:
            refused = listed([problem.place for problem in error.problems])
            raise SceneError([Problem(f"probe.{probes[0]}", "section loads follow from the equations of newton-euler, "
                                                            f"which do not support {refused}.", "Remove the probe.")]
                             ) from None
        system = self.equations.system
        self.cuts = system.assembly.cuts
        if system.rows.tables.shape[tables.TURNS]:
            raise SceneError([Problem(f"probe.{probes[0]}", "a torsion spring or a formula uses the angle of a hinge "
                                                            "in 3-D, which newton-euler alone counts beside cuts.",
                                      'Use formulation = "newton-euler", or remove the probe.')])
        self._motion = BodyMotion(self.equations, scene.run)
        """Of which the forces that hold what is at rest are asked."""
        self._inputs = Inputs((system.inputs, system.expressed.data),
                              (system.rows.steering, system.rows.tables.steering))

    @property
    def names(self) -> list[str]:
        """Names of the probes."""
        return [cut.name for cut in self.cuts]

    def at(self, t: float, state: Callable[[str], BodyState | None], inputs: Mapping[str, float]) -> Floats:
        """(cuts, 6): force and moment across each cut, for the states of bodies by name and what is commanded."""
        self._inputs.set({name: inputs[name] for name in self._inputs})
        equations, rows = self.equations, self.equations.rows
        y = equations.y0.copy()
        for body in rows.bodies:
            own, now, d = rows.own(y, body), state(body.name), rows.dimension
            assert now is not None
            own[:d] = now.position
            if d == 2:
                own[3:5] = now.velocity
                if now.angle is not None:
                    own[2], own[5] = now.angle, body.inertia[2, 2] * float(np.asarray(now.angular_velocity))
            else:
                own[7:10] = now.velocity
                if now.orientation is not None:
                    own[3:7] = now.orientation
                    R = rotation_of(now.orientation / np.linalg.norm(now.orientation))
                    own[10:13] = R @ body.inertia @ R.T @ np.asarray(now.angular_velocity)
        self._motion.y[:], self._motion.t = y, t
        with self._motion.sampling():
            equations.evaluate(y, t)
            return loads_across(equations, y)
