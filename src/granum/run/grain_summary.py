"""A run of grains in a few figures, and what a careful reader would notice in it."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from granum.grains.loads.drag import outside_note
from granum.model.loads import Drag
from granum.run.energy import WARNING
from granum.run.guard import energy_warnings

if TYPE_CHECKING:
    from granum.run.result import Run

OVERLAP_NOTE = 0.01
"""Mean overlap in radii from which grains are not rigid any more."""
DEEP_NOTE = 0.2
"""Largest overlap in radii of the smaller grain from which a contact is wrong: two grains that meet at the expected
speed of impact overlap by no more with the proposed step (`grains/steps.py`, IMPACT for each)."""
SOFT_REBOUND = math.exp(-2.0)
"""Restitution of a spring with critical damping that does not pull."""
JOINT_NOTE = 1e-3
"""How far joints may be off, in radii of the smallest grain (in metres without grains)."""
MOVE_NOTE = 0.5
"""Move of a step in radii from which grains may pass through each other."""


def of_grains(run: Run) -> dict[str, Any]:
    """Numbers by name that runs of grains have beyond others."""
    figures, last = run.figures, run.frame()
    summary: dict[str, Any] = {
        "grains": {"start": int(run.body_counts[0]), "end": int(run.body_counts[-1])},
        "parts": int(run.counts[-1]), "step": run.metadata["step"],
        "overlap": {"mean": float(figures["mean_overlap"][-1]), "largest": float(figures["largest_overlap"].max())},
        "residual": None if "residual" not in figures else {
            "relative": float(figures["residual"].max()), "velocity": float(figures["largest_residual"].max()),
            "tolerance": run.metadata["contact_tolerance"]},
        "plastic_impacts": int(figures["plastic_impacts"].sum()) if "plastic_impacts" in figures else 0,
        "largest_speed": float(np.sqrt((last.velocities**2).sum(axis=1)).max(initial=0.0)),
        "contacts": int(run.contact_counts[-1]),
        "passed": {name: int(run.passed(name)[0][-1]) for name in run.probe_names("flow")},
        "packing": {name: float(run.packing(name)[-1]) for name in run.probe_names("packing")},
        "rigidity": {name: {key: int(values[-1]) for key, values in run.rigidity_probe(name).items()}
                     for name in run.probe_names("rigidity")},
        "sources": run.sources, "verdicts": [found._asdict() for found in run.verdicts],
        "jam": None if run.jam is None else run.jam._asdict(),
    }
    if run.has.merging:
        summary["merged"] = {"bodies": int(run.merged[-1, 0]), "grains": int(run.merged[-1, 1]),
                             "merges": sum(one.grains > 0 for one in run.merges),
                             "splits": sum(one.grains < 0 for one in run.merges)}
    if run.has.bonds:
        sizes, left = run.fragments(), run.bonds_left
        summary["bonds"] = {"start": len(run._recording.arrays["log/bond_pair"]), "left": int(left[-1]),
                            "broke": len(run.breaks), "fragments": len(sizes), "largest": int(sizes.max(initial=0)),
                            "grains": int(sizes.sum())}
    if len(last.pair):
        found = run.coordination()
        summary["coordination"] = {"mean": found.mean, "without_rattlers": found.backbone,
                                   "rattlers": int(np.count_nonzero(found.rattlers))}
    return summary


def notes_of_grains(run: Run) -> list[str]:
    """What was noticed of grains and contacts: anything that makes a result less than it seems."""
    settings, figures, step = run.scene.run, run.figures, run.metadata["step"]
    found = []
    if (overlap := float(figures["mean_overlap"].max())) > OVERLAP_NOTE:
        worst = float(run.t[figures["mean_overlap"].argmax()])
        found.append(f"Grains overlap by {overlap:.1%} of their radius on average (t = {worst:g} s): "
                     f"take a smaller step than {step['step']:.3g} s{_stiffer(settings.solver)}.")
    if (deepest := float(figures["largest_overlap"].max())) > DEEP_NOTE:
        frame = int(figures["largest_overlap"].argmax())
        when = f"at t = {run.t[0]:g} s" if frame == 0 else f"between t = {run.t[frame - 1]:g} s and {run.t[frame]:g} s"
        found.append("Two grains, or a grain and a boundary, overlapped by "
                     f"{deepest:.2g} radii of the smaller one {when}: take a smaller step than {step['step']:.3g} s"
                     f"{_stiffer(settings.solver)}, or look for grains that start or enter inside others.")
    if (move := float(figures["largest_move"].max())) > MOVE_NOTE:
        found.append(f"A grain moved by {move:.2g} of its radius in one step: thin walls and small grains may be "
                     f"passed through. Take a step below {step['step'] * MOVE_NOTE / move:.2g} s.")
    found += _residual_warnings(run) + _gain_warnings(run) + energy_warnings(run)
    if run.has.constraints and (error := float(run.constraint_errors.distance.max())) > JOINT_NOTE * _size(run):
        found.append(f"Joints are off by up to {error:.2g} m: take a smaller step than {step['step']:.3g} s.")
    least = min((material.restitution for material in run.scene.material.values()), default=1.0)
    if settings.solver == "soft" and least < SOFT_REBOUND:
        found.append(f"Restitution {least:g} is not reached by springs and dashpots that do not pull: grains rebound "
                     f"with {SOFT_REBOUND:.3f}.")
    count = int(run.contact_counts.max())
    if run.has.contacts and count > run.contact_room:
        found.append(f"Up to {count} contacts were there, and only the strongest {run.contact_room} are recorded.")
    if not run.has.contacts:
        found.append("The network of contacts is too large to be recorded in every frame; contacts are left out.")
    return found + _notes_of_inflow(run)


def _residual_warnings(run: Run) -> list[str]:
    """Contact problems that were not solved to the tolerance, where there is one."""
    tolerance, residual = run.metadata.get("contact_tolerance"), run.figures.get("residual")
    if tolerance is None or residual is None or (largest := float(residual.max())) <= tolerance:
        return []
    return [f"Contact was solved to a relative residual of {largest:.1e} only (t = {run.t[residual.argmax()]:g} s; "
            f"tolerance {tolerance:.1e}): take more sweeps, or a step smaller than "
            f"{run.metadata['step']['step']:.3g} s."]


def _gain_warnings(run: Run) -> list[str]:
    """Contacts that made energy between two frames: Newton's law with friction allows it (docs/theory/grains.md)."""
    energy = run.energy
    taken = np.diff(sum(energy.work[name] for name in ("impact", "friction", "rolling friction")))
    gain = float(taken[taken > 0.0].sum())
    if not gain > WARNING * float(energy.scale[-1]):
        return []
    return [f"Simultaneous impacts with friction made {gain:.2g} J (most before t = {run.t[1:][taken.argmax()]:g} s), "
            f"{gain / float(energy.scale[-1]):.1%} of the largest energy. Newton's law of restitution allows this "
            "where a grain is squeezed between others: take a smaller restitution or friction."]


def _notes_of_inflow(run: Run) -> list[str]:
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
        if most and isinstance(load, Drag) and load.velocity_field is not None:
            found.append(outside_note(name, Path(load.velocity_field).name, int(most)))
    return found


def _size(run: Run) -> float:
    """Radius of the smallest grain at the end [m], 1 m without any."""
    return float(run.frame().radii.min(initial=1.0))


def _stiffer(solver: str) -> str:
    return " or a larger stiffness" if solver == "soft" else ""
