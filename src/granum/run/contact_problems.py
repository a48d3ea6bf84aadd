"""The contact problem of a step of a recorded run: the state of a frame, and one step from it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, cast

import numpy as np

from granum.base.errors import GranumError
from granum.contact.nonsmooth.moreau import Moreau
from granum.contact.world import World
from granum.run.restart import begun_from, earlier_grains

if TYPE_CHECKING:
    from granum.contact.conic.problem import ContactProblem
    from granum.run.grain_result import GrainMeasures
    from granum.run.result import Run


def contact_problem_after(run: GrainMeasures, index: int) -> ContactProblem:
    """See `Run.contact_problem`."""
    run.needs("grains")
    frame, scene = run.frame_number(index), run.scene
    if scene.run.solver != "moreau":
        raise GranumError(f'This run was made by the solver "{scene.run.solver}", which does not solve a problem of '
                          'rigid contacts in each step. Contact problems are those of "moreau".')
    started = begun_from(scene, cast("Run", run), frame)
    earlier = earlier_grains(started)
    assert earlier is not None
    earlier.time = t = float(run.t[frame])
    world = World(started, earlier)
    if world.joints is not None and world.joints.names:
        raise GranumError(f'This scene has joints ("{world.joints.names[0]}"), whose impulses are solved together with '
                          "those of contacts. Contact problems W, q, mu hold contacts alone: leave joints out.")
    if np.any(world.tables["rolling_friction"]):
        raise GranumError("This scene has rolling friction, which limits torques. Contact problems W, q, mu hold "
                          "forces alone: leave rolling_friction out.")
    if scene.run.merge_clusters:
        raise GranumError("This scene merges clusters, whose inner contacts are not in the contact problem. Set "
                          "merge_clusters = false.")
    world.begin()
    interval = float(run.t[frame + 1]) - t if frame + 1 < len(run.t) else scene.run.frame_interval
    count = max(1, math.ceil(interval / world.step * (1.0 - 1e-9)))
    world.single_step(interval / count)
    assert isinstance(world.solver, Moreau)
    return world.solver.last_problem(f"{'run' if run.path is None else run.path.name}, step after frame {frame}")
