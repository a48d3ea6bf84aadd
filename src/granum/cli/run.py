"""`granum run`: simulate a scene and leave a run file."""

from __future__ import annotations

import json
import signal
import sys
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from granum.cli.options import AsJson, SceneFile


def command(
    scene: SceneFile,
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="RUN.h5", show_default="SCENE.h5",
                                                help="Run file to write.")] = None,
    until: Annotated[float | None, typer.Option(help="End time [s].", show_default="as the scene says")] = None,
    solver: Annotated[str | None, typer.Option(help="dop853, adams, rk4, rattle or mixed; of grains "
                                                  "moreau, soft, events or mixed.")] = None,
    formulation: Annotated[str | None, typer.Option(
        help="newton-euler, lagrange, scalar, fundamental, gibbs-appell or virtual-work.")] = None,
    tolerance: Annotated[float | None, typer.Option(help="Tolerance of solver and corrections.")] = None,
    step: Annotated[float | None, typer.Option(help="Time step of rk4, rattle and mixed [s].")] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of everything random in the scene.")] = None,
    threads: Annotated[int | None, typer.Option(help="Threads for large scenes of grains.",
                                                show_default="one for each processor")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue an interrupted run, to the same bits.")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an unfinished run.")] = False,
    as_json: AsJson = False,
) -> None:
    """Simulate a scene and leave a run file. Ctrl-C keeps what is done; --resume continues it."""
    from granum.cli.progress import ProgressBar
    from granum.io.legacy import load_scene_and_text
    from granum.io.scenefile import naming
    from granum.run import simulate

    # a polite kill is an interrupt too: keep what is done
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    loaded, text = load_scene_and_text(scene)
    file = output or Path(scene.stem + ".h5")
    began = time.perf_counter()
    with naming(scene), ProgressBar(quiet=as_json or not sys.stderr.isatty()) as progress:
        run = simulate(
            loaded, output=file, resume=resume, overwrite=overwrite, scene_text=text,
            progress=progress, until=until, solver=solver, formulation=formulation, tolerance=tolerance, step=step,
            seed=seed, threads=threads,
        )
    summary = {**run.summary, "file": str(file), "seconds": round(time.perf_counter() - began, 3)}
    if as_json:
        print(json.dumps(summary))
    else:
        print("\n".join(_sentences(summary)))
    if not run.finished:
        raise typer.Exit(130)


command.__name__ = "run"


def _sentences(summary: dict[str, Any]) -> list[str]:
    """The summary in words."""
    if "grains" in summary:
        return _of_grains(summary)
    energy, errors = summary["energy"], summary["constraint_errors"]
    parts = f"{summary['bodies']} bodies, {summary['links']} links"
    if "coordinates" in summary:
        parts = f"{summary['coordinates']} coordinates, {summary['constraints']} constraint rows"
    elif "joints" in summary:
        parts = f"{summary['bodies']} bodies, {summary['joints']} joints"
    lines = [
        f"{summary['title'] or 'Run'}: {parts}, t = {summary['t']:g} s by {summary['solver']} on "
        f"{summary['formulation']}.",
        f"  {summary['steps']} steps, {summary['evaluations']} evaluations, {summary['seconds']:.2f} s of your time.",
        f"  Energy {energy['start']:.6g} J at the start, {energy['end']:.6g} J at the end; "
        f"not accounted for: {energy['relative_error']:.1e} of its scale.",
    ]
    if "coordinates" in summary:
        lines.append(f"  Constraints are off by at most {errors['length']:.1e}, their rates by {errors['rate']:.1e}.")
        lines += [f"  {name} needs a friction coefficient of {need['coefficient']:.5f} (at t = {need['t']:.4f} s)."
                  for name, need in summary.get("minimum_friction", {}).items()]
    elif "joints" in summary:
        lines.append(f"  Joints are off by at most {errors['length']:.1e} m or rad, rates by {errors['rate']:.1e}.")
    else:
        lines.append(f"  Links are off by at most {errors['length']:.1e} of their length; it changes by "
                     f"{errors['rate']:.1e} m/s.")
    lines += [f"  Note: {note}" for note in summary["notes"]]
    lines.append(f"  Written to {summary['file']}. See it: granum plot {summary['file']} path")
    return lines




def _of_grains(summary: dict[str, Any]) -> list[str]:
    """The summary of a run of grains in words."""
    energy, step, grains = summary["energy"], summary["step"], summary["grains"]
    count = f"{grains['end']} grains" if grains["start"] == grains["end"] else \
        f"{grains['start']} grains at the start, {grains['end']} at the end"
    if summary["parts"] != grains["end"]:
        count += f" of {summary['parts']} parts"
    lines = [
        f"{summary['title'] or 'Run'}: {count}, t = {summary['t']:g} s by {summary['solver']}.",
        f"  From event to event, {summary['seconds']:.2f} s of your time." if summary["solver"] == "events" else
        f"  {summary['steps']} steps of {step['step']:.3g} s (limit {step['limit']:.3g} s from {step['reason']}), "
        f"{summary['seconds']:.2f} s of your time.",
    ]
    if (jam := summary["jam"]) is not None:
        place = ", ".join(f"{c:.3g}" for c in jam["place"])
        axis = f"x = {jam['place'][0]:.3g} m" if len(jam["place"]) == 2 else f"({place}) m"
        how = "grains are backed up to where they enter" if jam["backed_up"] else "nothing has passed since"
        arch = f"; {jam['arch']} grains hold each other from wall to wall" if jam["arch"] else ""
        lines.append(f"  Jammed at t = {jam['t']:.4g} s, {axis}, density {jam['density']:.3f} upstream of it: "
                     f"{how}{arch}.")
    lines += [f"  {passed} grains passed {name}." for name, passed in summary["passed"].items()]
    lines += [f"  Packing fraction in {name}: {fraction:.4f}." for name, fraction in summary["packing"].items()]
    lines += [f"  Rigidity {name}: {found['largest']} grains in the largest rigid cluster, "
              f"{found['redundant']} redundant rows of contacts, {found['floppy_modes']} floppy modes."
              for name, found in summary["rigidity"].items()]
    if (merged := summary.get("merged")) is not None:
        lines.append(f"  Clusters merged {merged['merges']} times and came apart {merged['splits']} times; at the end "
                     f"{merged['grains']} grains move as {merged['bodies']} bodies.")
    if (bonds := summary.get("bonds")) is not None:
        lines.append(f"  {bonds['broke']} of {bonds['start']} bonds broke; {bonds['fragments']} fragments, the largest "
                     f"of {bonds['largest']} of {bonds['grains']} grains.")
    if "coordination" in summary:
        found = summary["coordination"]
        lines.append(f"  {summary['contacts']} contacts push at the end: {found['mean']:.2f} per grain, "
                     f"{found['without_rattlers']:.2f} without {found['rattlers']} rattlers; fastest grain "
                     f"{summary['largest_speed']:.2e} m/s.")
    if (joints := summary.get("joints")) is not None:
        lines.append(f"  Joints off by at most {joints['off']:.1e} m and {joints['turned']:.1e} rad.")
    spent = ", ".join(f"{name} {work:.3g} J" for name, work in energy["work"].items() if work)
    lines += [
        f"  Overlap {summary['overlap']['mean']:.1e} radii on average, {summary['overlap']['largest']:.1e} at most; "
        f"residual {summary['residual']['rms']:.1e} m/s.",
        f"  Work: {spent or 'none'}; corrections {energy['corrected']['position']:.2g} J. Not accounted for: "
        f"{energy['relative_error']:.1e} of {energy['turned_over']:.3g} J turned over.",
    ]
    lines += [f"  Note: {note}" for note in summary["notes"]]
    lines.append(f"  Written to {summary['file']}. See it: granum plot {summary['file']} grains")
    return lines
