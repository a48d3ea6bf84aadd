"""A run as it shows itself: in one line at a prompt, as a table with a picture in a notebook."""

from __future__ import annotations

from base64 import b64encode
from html import escape
from typing import TYPE_CHECKING, Any

from granum.base.errors import GranumError
from granum.base.offers import offered

if TYPE_CHECKING:
    from granum.run.result import Run


def in_a_line(run: Run) -> str:
    """Title, time reached and how it went; a run without frames says so."""
    title = f" {run.metadata['title']!r}" if run.metadata.get("title") else ""
    if not len(run.t):
        return f"<{type(run).__name__}{title}: no frame yet>"
    state = "" if run.finished else ", unfinished"
    parts = [f"t = {run.t[-1]:g} of {run.scene.run.until:g} s{state}", f"{len(run.t)} frames", run.scene.run.solver,
             *run.vital_signs]
    return f"<{type(run).__name__}{title}: {', '.join(parts)}>"


def as_html(run: Run) -> str:
    """A table of the summary beside a picture, what was noticed below; titles and names are data, and escaped."""
    if not len(run.t):
        return f"<p>{escape(in_a_line(run))}</p>"
    summary = run.summary
    lines = "".join(f"<tr><th style='text-align:left'>{escape(name)}</th><td style='text-align:left'>{escape(value)}"
                    "</td></tr>" for name, value in table_of(summary).items())
    notes = "".join(f"<p style='margin:2px 0'><b style='color:#D55E00'>&#9888; Note:</b> {escape(note)}</p>"
                    for note in summary["notes"])
    return (f"<div><b>{escape(summary['title'] or 'Run')}</b><div style='display:flex;gap:1.5em;align-items:center'>"
            f"<table>{lines}</table>{_picture(run)}</div>{notes}</div>")


def table_of(summary: dict[str, Any]) -> dict[str, str]:
    """What the table of a summary says, by name."""
    energy = summary["energy"]
    rows = {"time": f"{summary['t']:g} of {summary['until']:g} s, {summary['frames']} frames"
             + ("" if summary["finished"] else ", unfinished")}
    if "grains" in summary:
        start, end = summary["grains"]["start"], summary["grains"]["end"]
        rows["grains"] = f"{end}" if start == end else f"{start} at the start, {end} at the end"
        rows["contacts"] = f"{summary['contacts']} at the end"
    shown = ("coordinates", "constraints") if "coordinates" in summary else ("links", "joints")
    rows |= {what: f"{summary[what]}" for what in ("bodies", *shown) if summary[what] or (
        what == "bodies" and "grains" not in summary)}
    by = f"{summary['solver']} on {summary['formulation']}" if "formulation" in summary else summary["solver"]
    rows["solver"] = by if summary["solver"] == "events" else f"{by}, {summary['steps']} steps"
    rows["energy"] = f"{energy['start']:.6g} J at the start, {energy['end']:.6g} J at the end"
    rows["energy error"] = f"{energy['relative_error']:.1e}, relative to {energy['scale']:.3g} J"
    if "overlap" in summary:
        overlap = summary["overlap"]
        rows["overlap"] = f"{overlap['mean']:.1e} radii on average, {overlap['largest']:.1e} at most"
        rows["residual"] = "none" if summary["residual"] is None else \
            f"{summary['residual']['relative']:.1e}, tolerance {summary['residual']['tolerance']:.1e}"
    if "constraint_errors" in summary:
        rows["constraint errors"] = f"{summary['constraint_errors']['relative']:.1e} at most, relative"
    for last in {one["probe"]: one for one in summary.get("verdicts", ())}.values():
        rows[f"flow ({last['probe']})"] = f"{last['verdict']} since {last['begin']:.4g} s"
    return rows


def _picture(run: Run) -> str:
    """A small picture; a run that has nothing to draw has none."""
    try:
        drawn: bytes = offered("thumbnail")(run)
    except GranumError:
        return ""
    return f"<img alt='Picture of the run' src='data:image/png;base64,{b64encode(drawn).decode()}'/>"
