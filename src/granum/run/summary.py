"""A run in a few figures, and what a careful reader would notice in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from granum.model.connections import Rolling
from granum.run.grain_summary import notes_of_grains, of_grains
from granum.run.guard import energy_warnings

if TYPE_CHECKING:
    from granum.run.result import Run

LENGTH_NOTE = 1e-4
"""Length error relative to a link from which a run is not to be trusted without a look."""
MOST_ENDS = 200
"""Bodies up to which the end positions are part of the summary."""


def summarize(run: Run) -> dict[str, Any]:
    """Numbers by name; `notes` are sentences for the reader."""
    settings, statistics = run.scene.run, run.statistics
    summary: dict[str, Any] = {
        "title": run.scene.title, "solver": settings.solver, "t": float(run.t[-1]), "until": settings.until,
        "finished": run.finished, "frames": len(run.t), "steps": int(statistics["steps"].sum()),
        "energy": run.energy.summary, "event": run.event, "notes": notes(run),
    }
    if run.has.constraints:
        errors = run.constraint_errors
        summary["constraint_errors"] = {name: float(getattr(errors, name).max()) for name in errors._fields
                                        if np.isfinite(getattr(errors, name)).all()}
    if run.has.grains:
        return summary | of_grains(run)
    summary |= {
        "bodies": len(run.body_names) - run.fixed_count, "links": len(run.link_names), "joints": len(run.joint_names),
        "formulation": settings.formulation, "evaluations": int(statistics["evaluations"].sum()),
        "iterations": int(statistics["iterations"].sum()),
    }
    if run.has.coordinates:
        summary |= _of_formulas(run)
    if len(run.body_names) <= MOST_ENDS:
        summary["end"] = {name: run.positions[-1, k].tolist() for k, name in enumerate(run.body_names)}
    return summary


def _of_formulas(run: Run) -> dict[str, Any]:
    """What a run of a system of formulas has beyond bodies and links."""
    summary: dict[str, Any] = {
        "coordinates": len(run.coordinate_names), "constraints": len(run.metadata["rows"]),
        "end_coordinates": dict(zip(run.coordinate_names, run.coordinates[-1].tolist(), strict=True)),
    }
    rolling = [name for name, entry in run.scene.constraint.items() if isinstance(entry, Rolling)]
    if rolling:
        located = {name: run.minimum_friction(name) for name in rolling}
        summary["minimum_friction"] = {name: {"coefficient": m.value, "t": m.t} for name, m in located.items()}
    return summary


def notes(run: Run) -> list[str]:
    """What was noticed: anything that makes a result less than it seems."""
    noticed = []
    if not run.finished:
        noticed.append(f"Stopped at t = {run.t[-1]:g} s of {run.scene.run.until:g} s; --resume continues.")
    if run.has.grains:
        return noticed + notes_of_grains(run)
    if run.event is not None:
        noticed.append(f"{run.event} The run ends there.")
    noticed += _notes_of_constraints(run) + energy_warnings(run)
    return noticed if run.has.coordinates else noticed + _notes_of_steps(run)


def _notes_of_constraints(run: Run) -> list[str]:
    """Links, joints and rows that do not hold."""
    if not run.has.constraints or (worst := float(run.constraint_errors.relative.max())) <= LENGTH_NOTE:
        return []
    when = f"{worst:.1e} (t = {float(run.t[run.constraint_errors.relative.argmax()]):g} s)"
    if run.has.coordinates or run.has.joints:
        return [f"Constraints have a relative error of up to {when}: take a smaller tolerance, or let corrections = "
                '["position", "velocity"] hold them.']
    return [f"Links have a length error of up to {when}, relative to their length: take a smaller step or "
            'tolerance, corrections = ["position", "velocity"], or solver = "rattle".']


def _notes_of_steps(run: Run) -> list[str]:
    """What solvers of links and joints count as they go."""
    settings, statistics, noticed = run.scene.run, run.statistics, []
    if (skipped := int(statistics["energy_uncorrected"].sum())) > 0:
        noticed.append(f"At {skipped} steps energy could not be corrected: the system was too near rest for its "
                       "velocities to take up the error.")
    if settings.solver == "mixed" and (residual := float(statistics["residual"].max())) > 10 * settings.tolerance:
        noticed.append(f"Link forces changed by less than the tolerance {settings.tolerance:g}, but H γ = b was met "
                       f'only to {residual:.1e}: sweeps converge slowly here; inner_solver = "direct" solves it.')
    redundant = statistics["redundant"]
    if redundant.max() > 0:
        what = "rows of joints" if run.has.joints else "links"
        noticed.append(f"Up to {int(redundant.max())} {what} were redundant; forces of least norm are given. "
                       "`granum check` names them.")
    if (changes := int(statistics.get("rank_changes", np.zeros(1)).sum())) > 0:
        noticed.append(f"The number of redundant rows changed {changes} times: the mechanism passes singular "
                       "positions, where it could go on in more than one way.")
    if settings.corrections and "energy" in settings.corrections and _damped(run):
        noticed.append("The energy correction counts the work of dampers, which is known to the order of the solver.")
    return noticed


def _damped(run: Run) -> bool:
    return any(getattr(load, "damping", 0.0) > 0.0 for load in run.scene.load.values())
