"""The summary of a run: one set of numbers for all runs, with the entries that apply to the run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from granum.base.text import count
from granum.model.connections import Rolling
from granum.run.reactions import UNLIMITED
from granum.run.warnings import warnings_of

if TYPE_CHECKING:
    from granum.run.result import Run

MOST_ENDS = 200
"""Bodies up to which the end positions are part of the summary."""


def summarize(run: Run) -> dict[str, Any]:
    """Numbers by name; `notes` are the warnings."""
    settings, statistics = run.scene.run, run.statistics
    summary: dict[str, Any] = {
        "title": run.scene.title, "solver": settings.solver, "t": float(run.t[-1]), "until": settings.until,
        "finished": run.finished, "frames": len(run.t), "steps": int(statistics["steps"].sum()),
        "evaluations": int(statistics["evaluations"].sum()), "iterations": int(statistics["iterations"].sum()),
        "bodies": run.other_bodies() if run.has.grains else len(run.body_names) - run.fixed_count,
        "links": len(run.link_names), "joints": len(run.joint_names), "energy": run.energy.summary, "event": run.event,
        "notes": warnings_of(run),
    }
    if "engine" in run.metadata:
        summary["engine"] = run.metadata["engine"]
    if run.has.constraints:
        errors = run.constraint_errors
        summary["constraint_errors"] = {name: float(getattr(errors, name).max()) for name in errors._fields
                                        if np.isfinite(getattr(errors, name)).all()}
    if run.has.coordinates:
        summary |= _of_coordinates(run)
    if run.has.grains:
        return summary | _of_grains(run)
    summary["formulation"] = settings.formulation
    if one_sided := run.metadata.get("one_sided"):
        happened = run.events
        summary["one_sided"] = {name: [{"t": event.t, "what": event.what} for event in happened if event.name == name]
                                for name in one_sided}
    if len(run.body_names) <= MOST_ENDS:
        summary["end"] = {name: run.positions[-1, k].tolist() for k, name in enumerate(run.body_names)}
    return summary


def count_in_words(summary: dict[str, Any]) -> str:
    """How many coordinates, or grains, bodies, joints and links a summary counts."""
    if "coordinates" in summary:
        counts = {"coordinate": summary["coordinates"], "constraint row": summary["constraints"]}
        return _listed({what: n for what, n in counts.items() if n or what == "coordinate"})
    bodies = _listed({what: summary[key] for key, what in (("bodies", "body"), ("joints", "joint"), ("links", "link"))
                      if summary[key] or (key == "bodies" and "grains" not in summary)})
    if "grains" not in summary:
        return bodies
    start, end = summary["grains"]["start"], summary["grains"]["end"]
    grains = count(end, "grain") if start == end else f"{count(start, 'grain')} at the start, {end} at the end"
    if summary["parts"] != end:
        grains += f" of {count(summary['parts'], 'part')}"
    return f"{grains}, {bodies}" if bodies and max(start, end) else bodies or grains


def _listed(counts: dict[str, int]) -> str:
    return ", ".join(count(number, what) for what, number in counts.items())


def _of_coordinates(run: Run) -> dict[str, Any]:
    """Coordinates of a system of formulas, and the friction that rolling needs."""
    summary: dict[str, Any] = {
        "coordinates": len(run.coordinate_names), "constraints": len(run.metadata["rows"]),
        "end_coordinates": dict(zip(run.coordinate_names, run.coordinates[-1].tolist(), strict=True)),
    }
    rolling = [name for name, entry in run.scene.constraint.items() if isinstance(entry, Rolling)]
    if rolling:
        summary["minimum_friction"] = {name: _needed(run, name) for name in rolling}
    return summary


def _needed(run: Run, name: str) -> dict[str, Any]:
    """The largest friction coefficient that rolling needs, None for more than any, when, and whether it is the largest
    along the steps; files of earlier versions have that of the frames only.
    """
    needed = run.reaction(name).needed_friction
    worst = int(needed.argmax())
    value, t = float(needed[worst]), float(run.t[worst])
    watched = run.metadata.get("rolling", [])
    if name in watched:
        on_the_way, when = run._recording.arrays["needed_friction"][len(run.t) - 1, watched.index(name)].tolist()
        value, t = (on_the_way, when) if on_the_way > value else (value, t)
    return {"coefficient": value if value < UNLIMITED else None, "t": t, "along_steps": name in watched}


def _of_imbalance(run: Run) -> dict[str, Any]:
    """What contacts lack, in the worst step and in the last one; nothing of runs that do not record it."""
    error = run.contact_error
    if np.isnan(error.imbalance).any():
        return {}
    worst = int(error.imbalance.argmax())
    return {"imbalance": float(error.imbalance[worst]), "t": float(run.t[worst]),
            "lost_power": float(error.lost_power.max()), "last_imbalance": float(error.last_imbalance[-1]),
            "last_lost_power": float(error.last_lost_power[-1]), "sweeps": int(run.statistics["iterations"].sum())}


def _of_grains(run: Run) -> dict[str, Any]:
    """Grains, contacts and what probes measured."""
    figures, last = run.figures, run.frame()
    summary: dict[str, Any] = {
        "grains": {when: int(run.body_counts[k]) - run.other_bodies(k) for when, k in (("start", 0), ("end", -1))},
        "parts": int(run.counts[-1]), "step": run.metadata["step"],
        "overlap": {"mean": float(figures["mean_overlap"][-1]), "largest": float(figures["largest_overlap"].max())},
        "residual": None if "residual" not in figures else {
            "relative": float(figures["residual"].max()), "velocity": float(figures["largest_residual"].max()),
            "tolerance": run.metadata["contact_tolerance"], **_of_imbalance(run)},
        "plastic_impacts": int(figures["plastic_impacts"].sum()) if "plastic_impacts" in figures else 0,
        "largest_speed": float(np.sqrt((last.velocities**2).sum(axis=1)).max(initial=0.0)),
        "contacts": int(run.contact_counts[-1]),
        "passed": {name: int(run.passed(name)[0][-1]) for name in run.probe_names("flow")},
        "packing": {name: float(run.packing(name)[-1]) for name in run.probe_names("packing")},
        "rigidity": {name: {key: int(values[-1]) for key, values in run.rigidity_probe(name).items()}
                     for name in run.probe_names("rigidity")},
        "sources": run.sources, "verdicts": [verdict._asdict() for verdict in run.verdicts],
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
        coordination = run.coordination()
        summary["coordination"] = {"mean": coordination.mean, "without_rattlers": coordination.backbone,
                                   "rattlers": int(np.count_nonzero(coordination.rattlers))}
    return summary
