"""Plots of runs of grains: pictures, energy, contacts, flow."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from matplotlib.figure import Figure

from granum.base.errors import GranumError, pick
from granum.base.kernels import Floats
from granum.model.bodies import FixedPoint, Rigid
from granum.model.solids import Block, Rod
from granum.run.grain_result import GrainRun, in_space
from granum.run.grain_summary import turned_over
from granum.view import style
from granum.view.pictures.grains import Snapshot, before_and_after, picture
from granum.view.pictures.outlines import Pose, Poses
from granum.view.plots.rigidity import grain_rigidity

_LEAST = 1e-17


def draw_grain_plot(run: GrainRun, what: str, frame: int, colour: str) -> Figure:
    """One plot of a run of grains."""
    plots: dict[str, Callable[[GrainRun], Figure]] = {
        "grains": lambda run: picture(snapshot(run, frame), run.scene, colour=colour),
        "forces": lambda run: picture(snapshot(run, frame), run.scene, colour="none", forces=True),
        "before-after": lambda run: before_and_after(snapshot(run, beginning(run)), snapshot(run, -1), run.scene,
                                                     colour=colour),
        "energy": _energy, "contacts": _contacts, "flow": _flow, "coordination": _coordination,
        "rigidity": lambda run: grain_rigidity(run, frame),
    }
    return plots[pick(what, plots, "plot of grains")](run)


def beginning(run: GrainRun) -> int:
    """The first frame with grains."""
    return int(np.argmax(run.counts > 0))


def snapshot(run: GrainRun, frame: int = -1) -> Snapshot:
    """Grains of a frame for a picture."""
    shown = run.frame(frame)
    bonds = np.searchsorted(shown.numbers, run.bonds(frame)) if run.scene.bond else None
    several = len(shown.centres) < len(shown.radii)
    return Snapshot(in_space(shown.positions), shown.radii, run.dimension, in_space(shown.velocities), shown.pair,
                    in_space(shown.normal), in_space(shown.force), shown.t, poses(run, frame), links(run, frame),
                    bonds, shown.bodies if several and bonds is None else None)


def poses(run: GrainRun, frame: int) -> Poses:
    """Where bodies are that boundaries belong to, rods and blocks."""
    found = {}
    carrying = {boundary.body for boundary in run.scene.boundary.values()}
    for name, body in run.scene.body.items():
        if name in carrying or isinstance(body, Rod | Block):
            centre, (start, now) = in_space(run.position(name)[[0, frame]]), run.rotation(name)[[0, frame]]
            found[name] = Pose(centre[1], centre[0], now @ start.T, now)
    return found


def links(run: GrainRun, frame: int) -> Floats:
    """(links, 2, 3): ends of the links of a scene [m]."""
    return np.array([[_point(run, end, frame) for end in link.between] for link in run.scene.link.values()]
                    ).reshape(-1, 2, 3)


def _point(run: GrainRun, name: str, frame: int) -> Floats:
    """Where a point of a body, or a fixed point, is."""
    own, _, point = name.partition(".")
    body = run.scene.body.get(own)
    centre: Floats = in_space(
        np.array([body.position]) if isinstance(body, FixedPoint) else run.position(own)[[frame]])[0]
    if isinstance(body, Rigid) and point:
        centre = centre + run.rotation(own)[frame] @ np.array(body.fixed_points()[point])
    return centre


def _title(run: GrainRun, what: str) -> str:
    return f"{run.scene.title}: {what}" if run.scene.title else what.capitalize()


def _energy(run: GrainRun) -> Figure:
    """Where the energy went, and what nothing accounts for."""
    energy, turned = run.energy, turned_over(run)
    drawn, panels = style.figure(2, sharex=True)
    top, bottom = panels[:, 0]
    top.plot(run.t, energy.kinetic, label="kinetic")
    top.plot(run.t, energy.potential - energy.potential[0], label="potential, gained")
    for name, values in energy.work.items():
        if np.any(values) and name != "gravity":
            top.plot(run.t, values, "--", linewidth=1.0, label=f"work of {name}")
    top.set(ylabel="energy [J]", title=_title(run, "energy ledger"))
    bottom.semilogy(run.t, np.maximum(np.abs(energy.error) / turned, _LEAST), color=style.COLOURS[6],
                    label="not accounted for")
    bottom.semilogy(run.t, np.maximum(np.abs(energy.corrected["position"]) / turned, _LEAST), label="by corrections")
    bottom.set(xlabel="time [s]", ylabel=f"part of {turned:.3g} J turned over [-]")
    for panel in (top, bottom):
        panel.legend(loc="best", ncols=2)
    return drawn


def _contacts(run: GrainRun) -> Figure:
    """How well contact was solved: overlaps and residuals of the steps."""
    drawn, panels = style.figure(2, sharex=True)
    top, bottom = panels[:, 0]
    t, figures = run.t[1:], {name: values[1:] for name, values in run.figures.items()}
    top.semilogy(t, np.maximum(figures["mean_overlap"], _LEAST), label="mean")
    top.semilogy(t, np.maximum(figures["largest_overlap"], _LEAST), label="largest")
    top.set(ylabel="overlap [radii]", title=_title(run, "contacts"))
    bottom.semilogy(t, np.maximum(figures["rms_residual"], _LEAST), label="root mean square")
    bottom.semilogy(t, np.maximum(figures["largest_residual"], _LEAST), label="largest")
    bottom.set(xlabel="time [s]", ylabel="residual of contact [m/s]")
    for panel in (top, bottom):
        panel.legend()
    return drawn


def _flow(run: GrainRun) -> Figure:
    """What has passed the sections, and how many grains are there."""
    names = run.metadata["flow_probes"]
    if not names:
        raise GranumError('This run has no flow probe. Give the scene [probe.NAME] with kind = "flow".')
    drawn, panels = style.figure(2, sharex=True)
    top, bottom = panels[:, 0]
    for name in names:
        top.plot(run.t, run.passed(name)[0], label=f"passed {name}")
    top.set(ylabel="grains passed", title=_title(run, "flow"))
    bottom.plot(run.t, run.counts, label="grains there")
    bottom.set(xlabel="time [s]", ylabel="grains")
    if run.jam is not None:
        for panel in (top, bottom):
            panel.axvline(run.jam.t, color=style.COLOURS[6], linewidth=1.0, label=f"jam at {run.jam.t:.3g} s")
    for panel in (top, bottom):
        panel.legend()
    return drawn


def _coordination(run: GrainRun) -> Figure:
    """Contacts per grain over time."""
    drawn, panels = style.figure()
    found = [run.coordination(index) for index in range(len(run.t))]
    panels[0, 0].plot(run.t, [one.mean for one in found], label="all grains")
    panels[0, 0].plot(run.t, [one.backbone for one in found], label="without rattlers")
    panels[0, 0].set(xlabel="time [s]", ylabel="contacts per grain", title=_title(run, "coordination number"))
    panels[0, 0].legend()
    return drawn
