"""Pictures of runs of grains: at an instant, with force chains, before and after."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from granum.base.kernels import Floats
from granum.model.solids import Block, Rod
from granum.run import Run
from granum.run.grain_result import in_space
from granum.view.pictures.grains import Snapshot, before_and_after, picture
from granum.view.pictures.outlines import Pose, Poses
from granum.view.plots.registry import plot


@plot("grains")
def grains(run: Run, frame: int = -1, colour: str = "speed") -> Figure:
    """Grains and boundaries at an instant, coloured by speed, size or force."""
    return picture(snapshot(run, run.frame_number(frame)), run.scene, colour=colour)


@plot("contacts", needs="grains whose contacts are recorded")
def forces(run: Run, frame: int = -1) -> Figure:
    """Force chains at an instant, lines as wide as contacts push, and the arch of a jam."""
    return picture(snapshot(run, run.frame_number(frame)), run.scene, colour="none", forces=True)


@plot("grains")
def before_after(run: Run, colour: str = "speed") -> Figure:
    """Grains in the first and in the last frame, one above the other; of a jammed flow with its force chains."""
    before, after = snapshot(run, beginning(run)), snapshot(run, -1)
    return before_and_after(before, after, run.scene, colour=colour, forces=after.arched is not None)


def beginning(run: Run) -> int:
    """The first frame with grains."""
    return int(np.argmax(run.counts > 0))


def snapshot(run: Run, frame: int = -1) -> Snapshot:
    """Grains of a frame for a picture."""
    shown = run.frame(frame)
    bonds = np.searchsorted(shown.numbers, run.bonds(frame)) if run.scene.bond else None
    several = len(shown.centres) < len(shown.radii)
    arched = run.arched(frame)
    return Snapshot(in_space(shown.positions), shown.radii, run.dimension, in_space(shown.velocities), shown.pair,
                    in_space(shown.normal), in_space(shown.force), shown.t, poses(run, frame), links(run, frame),
                    bonds, shown.bodies if several and bonds is None else None, arched if arched.any() else None)


def poses(run: Run, frame: int) -> Poses:
    """Where bodies are that boundaries belong to, rods and blocks."""
    poses = {}
    carrying = {boundary.body for boundary in run.scene.boundary.values()}
    for name, body in run.scene.body.items():
        if name in carrying or isinstance(body, Rod | Block):
            centre, (start, now) = in_space(run.position(name)[[0, frame]]), run.rotation(name)[[0, frame]]
            poses[name] = Pose(centre[1], centre[0], now @ start.T, now)
    return poses


def links(run: Run, frame: int) -> Floats:
    """(links, 2, 3): ends of the links of a scene [m]."""
    ends = [in_space(run.position(end)[[frame]])[0] for link in run.scene.link.values() for end in link.between]
    return np.array(ends).reshape(-1, 2, 3)
