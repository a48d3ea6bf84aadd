"""A run as text: one line at a prompt, the lines of its summary, a table with a picture in a notebook."""

from __future__ import annotations

from base64 import b64encode
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from granum.base.errors import GranumError
from granum.base.notebook import properties
from granum.base.offers import offered
from granum.base.text import count, visible
from granum.run.summary import count_in_words

if TYPE_CHECKING:
    from granum.grains.measuring.jam import Verdict
    from granum.run.result import Run

MOST_EVENTS = 4
"""Events of a one-sided link that a summary lists one by one."""
EARLIER = 5
"""Verdicts before the last one that a summary names."""


def in_a_line(run: Run) -> str:
    """Title, time reached and how it went; a run without frames says so."""
    title = f" {run.metadata['title']!r}" if run.metadata.get("title") else ""
    if not len(run.t):
        return f"<{type(run).__name__}{title}: no frame yet>"
    state = "" if run.finished else ", unfinished"
    parts = [f"t = {run.t[-1]:g} of {run.scene.run.until:g} s{state}", count(len(run.t), "frame"), run.scene.run.solver,
             *run.vital_signs]
    return f"<{type(run).__name__}{title}: {', '.join(parts)}>"


def as_html(run: Run) -> str:
    """A table of the summary beside a picture, warnings below; titles and names are data, and escaped."""
    if not len(run.t):
        return f"<p>{escape(in_a_line(run))}</p>"
    summary = run.summary
    notes = "".join(f"<p style='margin:2px 0'><b style='color:#D55E00'>&#9888; Note:</b> {escape(note)}</p>"
                    for note in summary["notes"])
    return (f"<div><b>{escape(summary['title'] or 'Run')}</b><div style='display:flex;gap:1.5em;align-items:center'>"
            f"{properties(table_of(summary))}{_picture(run)}</div>{notes}</div>")


def table_of(summary: dict[str, Any]) -> dict[str, str]:
    """What the table of a summary says, by name."""
    energy = summary["energy"]
    rows = {"time": f"{summary['t']:g} of {summary['until']:g} s, {count(summary['frames'], 'frame')}"
             + ("" if summary["finished"] else ", unfinished")}
    if "grains" in summary:
        start, end = summary["grains"]["start"], summary["grains"]["end"]
        rows["grains"] = f"{end}" if start == end else f"{start} at the start, {end} at the end"
        rows["contacts"] = f"{summary['contacts']} at the end"
    shown = ("coordinates", "constraints") if "coordinates" in summary else ("links", "joints")
    rows |= {what: f"{summary[what]}" for what in ("bodies", *shown) if summary[what] or (
        what == "bodies" and "grains" not in summary)}
    by = f"{summary['solver']} with {summary['formulation']}" if "formulation" in summary else summary["solver"]
    by += f" in {summary['engine']}" if "engine" in summary else ""
    rows["solver"] = by if summary["solver"] == "events" else f"{by}, {count(summary['steps'], 'step')}"
    rows["energy"] = f"{energy['start']:.6g} J at the start, {energy['end']:.6g} J at the end"
    rows["energy error"] = "unknown" if energy["relative_error"] is None else \
        f"{energy['relative_error']:.1e}, relative to {energy['scale']:.3g} J ({energy['scale_name']})"
    if "overlap" in summary:
        overlap = summary["overlap"]
        rows["overlap"] = f"{overlap['mean']:.1e} radii on average, at most {overlap['largest']:.1e}"
        rows["residual"] = "none" if summary["residual"] is None else \
            f"{summary['residual']['relative']:.1e}, tolerance {summary['residual']['tolerance']:.1e}"
    if "relative" in summary.get("constraint_errors", ()):
        rows["constraint errors"] = f"at most {summary['constraint_errors']['relative']:.1e}, relative"
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


def _title(summary: dict[str, Any]) -> str:
    """The title of a scene, without what a terminal would take for a command."""
    return "".join(c if c.isprintable() else "?" for c in summary["title"]) or "Run"


def summary_lines(summary: dict[str, Any]) -> list[str]:
    """A summary in words, without its notes."""
    if "grains" in summary:
        return _of_grains(summary)
    lines = [
        f"{_title(summary)}: {count_in_words(summary)}, t = {summary['t']:g} s, solved by {summary['solver']} "
        f"with {summary['formulation']}.",
        f"{count(summary['steps'], 'step')}, {count(summary['evaluations'], 'evaluation')}, {_wall_time(summary)}.",
        *_of_energy(summary["energy"]), *_of_constraints(summary),
        *(_of_link(name, happened) for name, happened in summary.get("one_sided", {}).items() if happened),
    ]
    return lines + [_of_friction(name, need) for name, need in summary.get("minimum_friction", {}).items()]


def _of_friction(name: str, need: dict[str, Any]) -> str:
    """What rolling needs, as the steps of the run tell, or its frames."""
    if need["coefficient"] is None:
        return (f"{name} needs unlimited friction: its normal force has vanished at t = {need['t']:.4f} s, where "
                "friction is still needed.")
    largest = "the largest along the steps of the run" if need["along_steps"] else \
        "the largest in a frame, more may be needed between frames"
    return (f"{name} needs a friction coefficient of at least {need['coefficient']:.5f} ({largest}, at t = "
            f'{need["t"]:.4f} s; run.minimum_friction("{name}") locates it exactly).')


def _of_link(name: str, happened: list[dict[str, Any]]) -> str:
    """When a one-sided link opened, closed and rebounded: each time, or how often and the last one."""
    if len(happened) <= MOST_EVENTS:
        return f"{name} {', '.join('{what} at t = {t:.6g} s'.format(**event) for event in happened)}."
    kinds = [event["what"] for event in happened]
    often = ", ".join(f"{what} {count(kinds.count(what), 'time')}" for what in dict.fromkeys(kinds))
    return f"{name} {often}; it {'{what} last at t = {t:.6g} s'.format(**happened[-1])}."


def _wall_time(summary: dict[str, Any]) -> str:
    """How long the run took; compilation is given separately, as it happens only once."""
    compiled = summary.get("compile_seconds", 0.0)
    compilation = f" plus {compiled:.1f} s of compilation" if compiled >= 0.1 else ""
    return f"wall time {summary['seconds']:.2f} s{compilation}"


def _of_constraints(summary: dict[str, Any]) -> list[str]:
    """Errors of links, joints and constraint rows, relative and in units."""
    if (errors := summary.get("constraint_errors")) is None:
        return []
    units = {"distance": "m", "angle": "rad"}
    in_units = "".join(f", {errors[name]:.1e} {unit}" for name, unit in units.items() if errors.get(name))
    rate = f"; rate error at most {errors['rate']:.1e} (SI)" if "rate" in errors else ""
    return [f"Constraint error at most {errors['relative']:.1e} (relative{in_units}){rate}."]


def _of_energy(energy: dict[str, Any]) -> list[str]:
    """Energies, the work of each agent, and the error of their balance."""
    if energy["relative_error"] is None:
        return [f"Energy {energy['start']:.6g} J at the start, {energy['end']:.6g} J at the end "
                "(kinetic plus gravitational). There is no energy balance: the work of contacts is not reported."]
    scale = energy["scale"]
    work = ", ".join(f"{name} {done:.3g} J" for name, done in energy["work"].items() if visible(done, scale))
    parts = ", ".join(f"{name} corrections {added:.2g} J" for name, added in energy["corrected"].items()
                      if visible(added, scale))
    start, end = (visible(energy[when], scale) for when in ("start", "end"))
    return [
        f"Energy {start:.6g} J at the start, {end:.6g} J at the end. Work: {work or 'none'}.",
        f"Energy balance error {energy['relative_error']:.1e} (relative to {energy['scale']:.3g} J, "
        f"{energy['scale_name']}){f'; this includes {parts}' if parts else ''}.",
    ]


def _of_grains(summary: dict[str, Any]) -> list[str]:
    """The summary of a run of grains in words."""
    step, residual = summary["step"], summary["residual"]
    lines = [
        f"{_title(summary)}: {count_in_words(summary)}, t = {summary['t']:g} s, solved by {summary['solver']}"
        f"{' in ' + summary['engine'] if 'engine' in summary else ''}.",
        f"Event-driven, {_wall_time(summary)}." if summary["solver"] == "events" else
        f"{count(summary['steps'], 'step')} of {step['step']:.3g} s (limit {step['limit']:.3g} s, set by "
        f"{step['reason']}), {_wall_time(summary)}.",
    ]
    lines += _of_flows(summary["verdicts"])
    lines += [f"{count(passed, 'grain')} passed {name}." for name, passed in summary["passed"].items()]
    lines += [f"Packing fraction in {name}: {fraction:.4f}." for name, fraction in summary["packing"].items()]
    lines += [f"Rigidity ({name}): largest rigid cluster {count(rigid['largest'], 'grain')}, "
              f"{count(rigid['redundant'], 'redundant contact row')}, {count(rigid['floppy_modes'], 'floppy mode')}."
              for name, rigid in summary["rigidity"].items()]
    if (merged := summary.get("merged")) is not None:
        lines.append(f"Clusters: {count(merged['merges'], 'merge')}, {count(merged['splits'], 'split')}; at the end "
                     f"{count(merged['grains'], 'grain')} merged into {count(merged['bodies'], 'body')}.")
    if (bonds := summary.get("bonds")) is not None:
        lines.append(f"{bonds['broke']} of {count(bonds['start'], 'bond')} broke; "
                     f"{count(bonds['fragments'], 'fragment')}, the largest with {bonds['largest']} of "
                     f"{count(bonds['grains'], 'grain')}.")
    if "coordination" in summary:
        number = summary["coordination"]
        lines.append(f"{count(summary['contacts'], 'contact')} at the end: coordination number {number['mean']:.2f}, "
                     f"{number['without_rattlers']:.2f} without {count(number['rattlers'], 'rattler')}; fastest grain "
                     f"{summary['largest_speed']:.2e} m/s.")
    lines += _of_constraints(summary)
    overlap = summary["overlap"]
    lines.append(f"Overlap {overlap['mean']:.1e} radii on average, at most {overlap['largest']:.1e}; contact residual "
                 f"{_of_residual(residual)}.")
    if residual is not None and "imbalance" in residual:
        lines.append(f"Grains lack {residual['last_imbalance']:.2g} of their weight (rms) in the last step, at most "
                     f"{residual['imbalance']:.2g} (t = {residual['t']:g} s); contacts lose "
                     f"{residual['last_lost_power']:.1%} of the power in the last step, at most "
                     f"{residual['lost_power']:.1%}; {count(residual['sweeps'], 'sweep')}.")
    return lines + _of_energy(summary["energy"])


def _of_residual(residual: dict[str, Any] | None) -> str:
    """How well contacts satisfy their law at least."""
    if residual is None:
        return "none (the solver does not iterate for contact forces)"
    return f"at most {residual['relative']:.1e} (tolerance {residual['tolerance']:.1e}), {residual['velocity']:.1e} m/s"


def _of_flows(verdicts: list[dict[str, Any]]) -> list[str]:
    """Of each jam probe the last verdict with its evidence, and those before it in a few words."""
    from granum.grains.measuring.jam import Verdict

    lines = []
    for name in dict.fromkeys(one["probe"] for one in verdicts):
        *before, last = [Verdict(**one) for one in verdicts if one["probe"] == name]
        earlier = ", ".join(f"{one.verdict} from t = {one.begin:.4g} s" for one in before[-EARLIER:])
        lines.append(in_words(last) + (f" Earlier verdicts: {earlier}." if before else ""))
    return lines


def in_words(verdict: Verdict) -> str:
    """A verdict and why, in a sentence."""
    flow = f"{verdict.probe} (flow towards {verdict.direction})"
    return f"{flow}: {verdict.verdict} since t = {verdict.begin:.4g} s{_why(verdict)}."


def _why(verdict: Verdict) -> str:
    """The evidence, as it follows the time."""
    quiet = f"no grain has passed for {verdict.without_passage:.3g} s"
    upstream = count(verdict.upstream, "grain")
    moving = f"the fastest of {upstream} upstream moves at {verdict.fastest:.1e} m/s (driving speed " \
             f"{verdict.driving_speed:.3g} m/s)"
    rates = f"{verdict.inflow:.3g} grains per second enter, {verdict.discharge:.3g} pass"
    if verdict.verdict == "jammed":
        assert verdict.position is not None and verdict.wall_forces is not None
        at = ", ".join(f"{c:.3g}" for c in verdict.position)
        low, high = (float(np.linalg.norm(force)) for force in verdict.wall_forces)
        arch = count(verdict.arch, "grain")
        return f", at ({at}) m: {quiet}, {moving}, and an arch of {arch} bridges the opening; the " \
               f"boundary carries {low:.3g} N on one side and {high:.3g} N on the other"
    if verdict.verdict == "closed":
        return f": {quiet}, {upstream} at rest upstream, and a boundary closes the opening"
    if verdict.verdict == "drained":
        left = f"; {upstream} at rest upstream, without an arch" if verdict.upstream else \
            "; no grain is left upstream"
        return f": {quiet}{left}"
    back = "" if verdict.backed_up is None else f"; backed up to the inlet since t = {verdict.backed_up:.4g} s"
    return f": {rates}{back}; {moving}" if verdict.upstream else f": {rates}{back}"
