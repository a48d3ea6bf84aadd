"""A run in a few figures, and what a careful reader would notice in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from granum.model.connections import Rolling
from granum.run.guard import energy_warnings

if TYPE_CHECKING:
    from granum.run.result import Run

LENGTH_NOTE = 1e-4
"""Length error relative to a link from which a run is not to be trusted without a look."""
MOST_ENDS = 200
"""Bodies up to which the end positions are part of the summary."""


def summarize(run: Run) -> dict[str, Any]:
    """Figures by name; `notes` are sentences for the reader."""
    settings, energy, statistics = run.scene.run, run.energy, run.statistics
    errors = run.constraint_errors
    summary: dict[str, Any] = {
        "title": run.scene.title,
        "bodies": len(run.body_names) - run.fixed_count,
        "links": len(run.link_names),
        "formulation": settings.formulation,
        "solver": settings.solver,
        "t": float(run.t[-1]),
        "until": settings.until,
        "finished": run.finished,
        "frames": len(run.t),
        "steps": int(statistics["steps"].sum()),
        "evaluations": int(statistics["evaluations"].sum()),
        "iterations": int(statistics["iterations"].sum()),
        "energy": energy.summary,
        "constraint_errors": {"length": float(errors[:, 0].max()), "rate": float(errors[:, 1].max())},
        "notes": notes(run),
    }
    if run.by_formulas:
        summary |= _of_formulas(run)
    if "mechanism" in run.metadata:
        summary["joints"] = len(run.metadata["joints"])
    if len(run.body_names) <= MOST_ENDS:
        summary["end"] = {name: run.positions[-1, k].tolist() for k, name in enumerate(run.body_names)}
    return summary


def _of_formulas(run: Run) -> dict[str, Any]:
    """What a run of a system of formulas has beyond bodies and links."""
    found: dict[str, Any] = {
        "coordinates": len(run.coordinate_names), "constraints": len(run.metadata["rows"]), "event": run.event,
        "end_coordinates": dict(zip(run.coordinate_names, run.coordinates[-1].tolist(), strict=True)),
    }
    rolling = [name for name, entry in run.scene.constraint.items() if isinstance(entry, Rolling)]
    if rolling:
        located = {name: run.minimum_friction(name) for name in rolling}
        found["minimum_friction"] = {name: {"coefficient": m.value, "t": m.t} for name, m in located.items()}
    return found


def notes(run: Run) -> list[str]:
    """What was noticed: anything that makes a result less than it seems."""
    settings, statistics = run.scene.run, run.statistics
    found = []
    if not run.finished:
        found.append(f"Stopped at t = {run.t[-1]:g} s of {settings.until:g} s; --resume continues.")
    if run.event is not None:
        found.append(f"{run.event} The run ends there.")
    if run.by_formulas:
        return found + _notes_of_formulas(run)
    if (length := float(run.constraint_errors[:, 0].max())) > LENGTH_NOTE:
        worst = float(run.t[run.constraint_errors[:, 0].argmax()])
        found.append(f"Links are off by up to {length:.1e} of their length (t = {worst:g} s): take a smaller step or "
                     'tolerance, corrections = ["position", "velocity"], or solver = "rattle".')
    found += energy_warnings(run)
    if (skipped := int(statistics["energy_uncorrected"].sum())) > 0:
        found.append(f"At {skipped} steps energy could not be corrected: the system was too near rest for its "
                     "velocities to take up the error.")
    if settings.solver == "mixed" and (residual := float(statistics["residual"].max())) > 10 * settings.tolerance:
        found.append(f"Link forces changed by less than the tolerance {settings.tolerance:g}, but H γ = b was met "
                     f'only to {residual:.1e}: sweeps converge slowly here; inner = "direct" solves it.')
    redundant = statistics["redundant"]
    if redundant.max() > 0:
        what = "rows of joints" if "mechanism" in run.metadata else "links"
        found.append(f"Up to {int(redundant.max())} {what} were redundant; forces of least norm are given. "
                     "`granum check` names them.")
    if (changes := int(statistics.get("rank_changes", np.zeros(1)).sum())) > 0:
        found.append(f"The number of redundant rows changed {changes} times: the mechanism passes singular positions, "
                     "where it could go on in more than one way.")
    if settings.corrections and "energy" in settings.corrections and _damped(run):
        found.append("The energy correction counts the work of dampers, which is known to the order of the solver.")
    return found


def _notes_of_formulas(run: Run) -> list[str]:
    found = []
    if (off := float(run.constraint_errors[:, 0].max(initial=0.0))) > LENGTH_NOTE:
        found.append(f"Constraints are off by up to {off:.1e}: take a smaller tolerance, or let corrections = "
                     '["position", "velocity"] hold them.')
    return found + energy_warnings(run)


def _damped(run: Run) -> bool:
    return any(getattr(load, "damping", 0.0) > 0.0 for load in run.scene.load.values())
