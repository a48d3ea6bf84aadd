"""The summary of a run in words: what was done, how well, what was noticed, and what to do next."""

from __future__ import annotations

import shlex
from typing import Any

EARLIER = 5
"""Verdicts before the last one that a summary names."""


def print_summary(summary: dict[str, Any]) -> None:
    """Print a summary; on a terminal what was noticed stands out, unless NO_COLOR is set."""
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text

    console, file = Console(highlight=False), shlex.quote(summary["file"])
    notes = [Text.assemble(("Note:", "bold yellow"), f" {note}") for note in summary["notes"]]
    first, *others = summary_lines(summary)
    wide = not console.is_terminal  # what is not read on a terminal is not cut into lines
    console.print(Text(first), soft_wrap=wide)
    for line in [*map(Text, others), *notes, Text(f"Written to {file}. See it:")]:
        console.print(Text("  ") + line if wide else Padding(line, (0, 0, 0, 2)), soft_wrap=wide)
    for command in (f"granum view {file}", f"granum plot {file} {'grains' if 'grains' in summary else 'path'}"):
        console.print(Text(f"    {command}"), soft_wrap=True)


def _title(summary: dict[str, Any]) -> str:
    """The title of a scene, without what a terminal would take for a command."""
    return "".join(c if c.isprintable() else "?" for c in summary["title"]) or "Run"


def summary_lines(summary: dict[str, Any]) -> list[str]:
    """A summary in words, without its notes."""
    from granum.run.summary import count_in_words

    if "grains" in summary:
        return _of_grains(summary)
    lines = [
        f"{_title(summary)}: {count_in_words(summary)}, t = {summary['t']:g} s by {summary['solver']} on "
        f"{summary['formulation']}.",
        f"{summary['steps']} steps, {summary['evaluations']} evaluations, wall time {summary['seconds']:.2f} s.",
        *_of_energy(summary["energy"]), *_of_constraints(summary),
    ]
    return lines + [f"{name} needs a friction coefficient of {need['coefficient']:.5f} (at t = {need['t']:.4f} s)."
                    for name, need in summary.get("minimum_friction", {}).items()]


def _of_constraints(summary: dict[str, Any]) -> list[str]:
    """Errors of links, joints and constraint rows, relative and in units."""
    if (errors := summary.get("constraint_errors")) is None:
        return []
    units = {"distance": "m", "angle": "rad"}
    told = [f"{errors[name]:.1e} {unit}" for name, unit in units.items() if errors.get(name)]
    rate = f"; rates {errors['rate']:.1e} (SI) at most" if "rate" in errors else ""
    return [f"Constraint error {errors['relative']:.1e} at most (relative{''.join(f', {one}' for one in told)}){rate}."]


def _of_energy(energy: dict[str, Any]) -> list[str]:
    """Energies, the work of each agent, and the error of their balance."""
    work = ", ".join(f"{name} {done:.3g} J" for name, done in energy["work"].items() if done)
    parts = ", ".join(f"{name} corrections {added:.2g} J" for name, added in energy["corrected"].items() if added)
    return [
        f"Energy {energy['start']:.6g} J at the start, {energy['end']:.6g} J at the end. Work: {work or 'none'}.",
        f"Energy balance error {energy['relative_error']:.1e} (relative to {energy['scale']:.3g} J)"
        f"{f'; it includes {parts}' if parts else ''}.",
    ]


def _of_grains(summary: dict[str, Any]) -> list[str]:
    """The summary of a run of grains in words."""
    from granum.run.summary import count_in_words

    step, residual = summary["step"], summary["residual"]
    lines = [
        f"{_title(summary)}: {count_in_words(summary)}, t = {summary['t']:g} s by {summary['solver']}.",
        f"From event to event, wall time {summary['seconds']:.2f} s." if summary["solver"] == "events" else
        f"{summary['steps']} steps of {step['step']:.3g} s (limit {step['limit']:.3g} s from {step['reason']}), "
        f"wall time {summary['seconds']:.2f} s.",
    ]
    lines += _of_flows(summary["verdicts"])
    lines += [f"{passed} grains passed {name}." for name, passed in summary["passed"].items()]
    lines += [f"Packing fraction in {name}: {fraction:.4f}." for name, fraction in summary["packing"].items()]
    lines += [f"Rigidity {name}: {found['largest']} grains in the largest rigid cluster, "
              f"{found['redundant']} redundant rows of contacts, {found['floppy_modes']} floppy modes."
              for name, found in summary["rigidity"].items()]
    if (merged := summary.get("merged")) is not None:
        lines.append(f"Clusters merged {merged['merges']} times and came apart {merged['splits']} times; at the end "
                     f"{merged['grains']} grains move as {merged['bodies']} bodies.")
    if (bonds := summary.get("bonds")) is not None:
        lines.append(f"{bonds['broke']} of {bonds['start']} bonds broke; {bonds['fragments']} fragments, the largest "
                     f"of {bonds['largest']} of {bonds['grains']} grains.")
    if "coordination" in summary:
        found = summary["coordination"]
        lines.append(f"{summary['contacts']} contacts push at the end: {found['mean']:.2f} per grain, "
                     f"{found['without_rattlers']:.2f} without {found['rattlers']} rattlers; fastest grain "
                     f"{summary['largest_speed']:.2e} m/s.")
    lines += _of_constraints(summary)
    solved = "none: contact is not solved for" if residual is None else \
        f"{residual['relative']:.1e} at most (tolerance {residual['tolerance']:.1e}), {residual['velocity']:.1e} m/s"
    overlap = summary["overlap"]
    lines.append(f"Overlap {overlap['mean']:.1e} radii on average, {overlap['largest']:.1e} at most; residual of "
                 f"contact {solved}.")
    return lines + _of_energy(summary["energy"])


def _of_flows(verdicts: list[dict[str, Any]]) -> list[str]:
    """Of each jam probe the last verdict with its evidence, and those before it in a few words."""
    from granum.grains.measuring.jam import Verdict
    from granum.run.verdicts import in_words

    lines = []
    for name in dict.fromkeys(found["probe"] for found in verdicts):
        *before, last = [Verdict(**one) for one in verdicts if one["probe"] == name]
        told = ", ".join(f"{found.verdict} from t = {found.begin:.4g} s" for found in before[-EARLIER:])
        lines.append(in_words(last) + (f" Before: {told}." if before else ""))
    return lines
