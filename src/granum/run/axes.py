"""Axes of hinges and sliders in a run."""

from __future__ import annotations

import numpy as np

from granum.base.kernels import Floats
from granum.base.rotations import three
from granum.model.connections import Hinge, Slider
from granum.run.motion import Motion


def carried_axis(run: Motion, joint: Hinge | Slider) -> Floats:
    """Unit vector along the axis of a joint, in the axes of its first body; that of a hinge in 2-D is z."""
    from granum.assembly.axes import body_axis, first_body  # runs of grains do not need them
    from granum.assembly.parametrised import parametrised_bodies

    first = first_body(joint)
    if joint.axis is not None and joint.axis_in == "scene" and first in parametrised_bodies(run.scene):
        axis: Floats = run.rotation(first)[0].T @ three(joint.axis)  # formulas say where it is at the start
        return axis / np.linalg.norm(axis)
    return body_axis(run.scene, joint)


def start_axis(run: Motion, joint: Hinge | Slider) -> Floats:
    """Unit vector along the axis of a joint at the start, in inertial axes; that of a hinge in 2-D is z."""
    from granum.assembly.axes import first_body

    first, axis = first_body(joint), carried_axis(run, joint)
    at_start: Floats = run.rotation(first)[0] @ axis if run._tracks.has_orientation(first) else axis
    return at_start
