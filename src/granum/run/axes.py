"""Hinges and sliders in a run: their axes, and how far they have moved."""

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


def hinge_angle(run: Motion, hinge: Hinge) -> tuple[Floats, Floats]:
    """(frames,): angle of the second body about the axis that the first carries along, from the start, and its rate.

    Between two frames of a 3-D run the angle is taken to change by less than half a revolution.
    """
    axis = start_axis(run, hinge)
    first, second = (end.partition(".")[0] for end in hinge.between)
    R1, R2 = _rotation_from_start(run, first), _rotation_from_start(run, second)
    rate = np.einsum("fk,fk->f", R1 @ axis, _spatial_velocity(run, second) - _spatial_velocity(run, first))
    if run.dimension == 2:
        return axis[2] * (_angle_from_start(run, second) - _angle_from_start(run, first)), rate
    across = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
    across /= np.linalg.norm(across)
    carried = np.einsum("fki,fkj,j->fi", R1, R2, across)  # in the axes of the first body
    return np.unwrap(np.arctan2(carried @ np.cross(axis, across), carried @ across)), rate


def joint_motion(run: Motion, joint: Hinge | Slider) -> Floats:
    """(frames,): angle [rad] of a hinge or displacement [m] of a slider from the start."""
    if isinstance(joint, Hinge):
        return hinge_angle(run, joint)[0]
    first, second = joint.between
    axis = _rotation_from_start(run, first.partition(".")[0]) @ start_axis(run, joint)
    along = np.einsum("fk,fk->f", axis[:, : run.dimension], run.position(second) - run.position(first))
    return np.asarray(along - along[0])


def _rotation_from_start(run: Motion, body: str) -> Floats:
    """(frames, 3, 3): how a body has turned since the start; points do not."""
    if not run.has_orientation(body):
        return np.tile(np.eye(3), (len(run.t), 1, 1))
    rotation = run.rotation(body)
    turned: Floats = rotation @ rotation[0].T
    return turned


def _angle_from_start(run: Motion, body: str) -> Floats:
    """(frames,): how far a body has turned in 2-D, through full revolutions [rad]."""
    return run.angle(body) - run.angle(body)[0] if run.has_orientation(body) else np.zeros(len(run.t))


def _spatial_velocity(run: Motion, body: str) -> Floats:
    """(frames, 3): angular velocity of a body, also in 2-D; that of a point is zero [rad/s]."""
    w = np.zeros((len(run.t), 3))
    if run.has_orientation(body):
        w[:, 2 if run.dimension == 2 else slice(None)] = run.angular_velocity(body)
    return w
