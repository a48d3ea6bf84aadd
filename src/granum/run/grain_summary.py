"""A run of grains in a few figures, and what a careful reader would notice in it."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from granum.grains.loads import outside_note
from granum.model.loads import Drag

if TYPE_CHECKING:
    from granum.run.grain_result import GrainRun

ENERGY_NOTE = 1e-6
"""Part of the energy turned over that nothing accounts for from which a rigid run is not to be trusted."""
SOFT_ENERGY_NOTE = 1e-2
"""The same where the ledger closes to the order of the step only."""
OVERLAP_NOTE = 0.01
"""Mean overlap in radii from which grains are not rigid any more."""
AT_REST = 1e-3
"""Part of the energy that lifts all grains by their radius which counts as turned over by grains at rest."""
SOFT_REBOUND = math.exp(-2.0)
"""Restitution of a spring with critical damping that does not pull."""
JOINT_NOTE = 1e-3
"""How far joints may be off, in radii of the smallest grain (in metres without grains)."""
MOVE_NOTE = 0.5
"""Move of a step in radii from which grains may pass through each other."""


def summarize(run: GrainRun) -> dict[str, Any]:
    """Figures by name; `notes` are sentences for the reader."""
    settings, energy, figures = run.scene.run, run.energy, run.figures
    turned = turned_over(run)
    off = run.energy_error
    last = run.frame()
    summary: dict[str, Any] = {
        "title": run.scene.title, "grains": {"start": int(run.body_counts[0]), "end": int(run.body_counts[-1])},
        "parts": int(run.counts[-1]),
        "solver": settings.solver, "t": float(run.t[-1]), "until": settings.until, "finished": run.finished,
        "frames": len(run.t), "steps": int(run.statistics["steps"].sum()), "step": run.metadata["step"],
        "energy": {
            "start": float(energy.total[0]), "end": float(energy.total[-1]), "turned_over": turned,
            "relative_error": off, "work": {name: float(work[-1]) for name, work in energy.work.items()},
            "corrected": {name: float(added[-1]) for name, added in energy.corrected.items()},
        },
        "overlap": {"mean": float(figures["mean_overlap"][-1]), "largest": float(figures["largest_overlap"].max())},
        "residual": {"rms": float(figures["rms_residual"][-1]), "largest": float(figures["largest_residual"].max())},
        **({"joints": {"off": float(figures["joint_error"].max()), "turned": float(figures["joint_turn"].max())}}
           if "joint_error" in figures else {}),
        "largest_speed": float(np.sqrt((last.velocities**2).sum(axis=1)).max(initial=0.0)),
        "contacts": int(run.contact_counts[-1]),
        "passed": {name: int(run.passed(name)[0][-1]) for name in run.metadata["flow_probes"]},
        "packing": {name: float(run.packing(name)[-1]) for name in run.metadata["packing_probes"]},
        "rigidity": {name: {key: int(values[-1]) for key, values in run.rigidity_probe(name).items()}
                     for name in run.metadata["rigidity_probes"]},
        "sources": run.sources, "verdicts": [found._asdict() for found in run.verdicts],
        "jam": None if run.jam is None else run.jam._asdict(),
        "notes": notes(run, off),
    }
    if run.scene.run.merge_clusters:
        summary["merged"] = {"bodies": int(run.merged[-1, 0]), "grains": int(run.merged[-1, 1]),
                             "merges": sum(one.grains > 0 for one in run.merges),
                             "splits": sum(one.grains < 0 for one in run.merges)}
    if run.scene.bond:
        sizes, left = run.fragments(), run.bonds_left
        summary["bonds"] = {"start": len(run._recording.arrays["log/bond_pair"]), "left": int(left[-1]),
                            "broke": len(run.breaks), "fragments": len(sizes), "largest": int(sizes.max(initial=0)),
                            "grains": int(sizes.sum())}
    if len(last.pair):
        found = run.coordination()
        summary["coordination"] = {"mean": found.mean, "without_rattlers": found.backbone,
                                   "rattlers": int(np.count_nonzero(found.rattlers))}
    return summary


def turned_over(run: GrainRun) -> float:
    """Energy that was turned over: all work of each kind as far as it went up and down, at least the kinetic [J].

    Grains at rest turn over nothing: a small part of what lifts them by their radius stands for that, against which
    round-off is none.
    """
    energy = run.energy
    paths = sum(float(np.abs(np.diff(work)).sum()) for work in energy.work.values())
    return max(paths, float(energy.kinetic.max()), AT_REST * run.metadata["lift"]) or 1.0


def notes(run: GrainRun, off: float) -> list[str]:
    """What was noticed: anything that makes a result less than it seems."""
    settings, figures, step = run.scene.run, run.figures, run.metadata["step"]
    found = []
    if not run.finished:
        found.append(f"Stopped at t = {run.t[-1]:g} s of {settings.until:g} s; --resume continues.")
    if (overlap := float(figures["mean_overlap"].max())) > OVERLAP_NOTE:
        worst = float(run.t[figures["mean_overlap"].argmax()])
        found.append(f"Grains overlap by {overlap:.1%} of their radius on average (t = {worst:g} s): "
                     f"take a smaller step than {step['step']:.3g} s{_stiffer(settings.solver)}.")
    if (move := float(figures["largest_move"].max())) > MOVE_NOTE:
        found.append(f"A grain moved by {move:.2g} of its radius in one step: thin walls and small grains may be "
                     f"passed through. Take a step below {step['step'] * MOVE_NOTE / move:.2g} s.")
    limit = ENERGY_NOTE if settings.solver in ("moreau", "events") else SOFT_ENERGY_NOTE
    if off > limit:
        found.append(f"Energy is off by {off:.1e} of what was turned over without anything to account for it: take a "
                     "smaller step.")
    corrected = abs(float(run.energy.corrected["position"][-1])) / turned_over(run)
    if corrected > 0.05:
        found.append(f"Moves against overlap and the steps themselves made {corrected:.1%} of the energy turned over: "
                     "take a smaller step.")
    if "joint_error" in figures and (error := float(figures["joint_error"].max())) > JOINT_NOTE * _size(run):
        found.append(f"Joints are off by up to {error:.2g} m: take a smaller step than {step['step']:.3g} s.")
    least = min((material.restitution for material in run.scene.material.values()), default=1.0)
    if settings.solver == "soft" and least < SOFT_REBOUND:
        found.append(f"Restitution {least:g} is not reached by springs and dashpots that do not pull: grains rebound "
                     f"with {SOFT_REBOUND:.3f}.")
    count = int(run.contact_counts.max())
    room = run._recording.arrays["contact_pair"].shape
    if room[0] and count > room[1]:
        found.append(f"Up to {count} contacts were there, and only the strongest {room[1]} are recorded.")
    if not room[0]:
        found.append("The network of contacts is too large to be recorded in every frame; contacts are left out.")
    return found + _notes_of_inflow(run)


def _notes_of_inflow(run: GrainRun) -> list[str]:
    """Sources that could not place their grains, and flows that do not reach as far as the grains."""
    found = []
    for name, counts in run.sources.items():
        remedy = "Give it a larger region, smaller grains or more time between batches."
        if counts["waiting"]:
            found.append(f"source.{name}: {counts['entered']} grains came and {counts['waiting']} still wait for room. "
                         f"{remedy}")
        if counts["skipped"]:
            found.append(f"source.{name}: {counts['entered']} grains came and {counts['skipped']} found no room and "
                         f"were left out. {remedy}")
    for name, most in zip(run.metadata["loads"], run._recording.arrays["log/outside"], strict=True):
        load = run.scene.load[name]
        if most and isinstance(load, Drag) and load.field is not None:
            found.append(outside_note(name, Path(load.field).name, int(most)))
    return found


def _size(run: GrainRun) -> float:
    """Radius of the smallest grain at the end [m], 1 m without any."""
    return float(run.frame().radii.min(initial=1.0))


def _stiffer(solver: str) -> str:
    return " or a larger stiffness" if solver == "soft" else ""
