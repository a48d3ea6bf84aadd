"""Warnings about the accuracy of a run, and the guard that stops a run whose energy grows without a source."""

from __future__ import annotations

import math
from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np

from granum.base.errors import GranumError, NotConvergedError, SceneError
from granum.base.kernels import Floats
from granum.base.text import count, listed
from granum.model.body_entries import Rigid
from granum.model.loads import Drag
from granum.model.scene import Scene
from granum.run.energy import SLOWEST, WARNING, Energy

if TYPE_CHECKING:
    from granum.run.result import Run

LENGTH_NOTE = 1e-4
"""Length error relative to a link from which a run is not to be trusted without a look."""
OVERLAP_NOTE = 0.01
"""Mean overlap in radii from which grains are not rigid any more."""
DEEP_NOTE = 0.2
"""Largest overlap in radii of the smaller grain from which a contact is wrong: two grains that meet at the expected
speed of impact overlap by no more with the proposed step (`grains/steps.py`, IMPACT for each)."""
SOFT_REBOUND = math.exp(-2.0)
"""Restitution of a spring with critical damping that does not pull."""
JOINT_NOTE = 1e-3
"""Largest error of joints without a warning, in radii of the smallest grain (in metres without grains)."""
TOUCHING = 1e-6
"""Difference between the length of a link and the sum of two radii, relative, up to which the link is a contact."""
PULLS = 1e-9
"""Tension, relative to the largest force of the link, that is not rounding."""
MOVE_NOTE = 0.5
"""Move of a step in radii from which grains may pass through each other."""


def warnings_of(run: Run) -> list[str]:
    """All warnings of a run."""
    warnings = []
    if not run.finished:
        goes_on = "" if "engine" in run.metadata else "; continue with --resume"
        warnings.append(f"Stopped at t = {run.t[-1]:g} of {run.scene.run.until:g} s{goes_on}.")
    warnings += _of_guesses(run)
    if run.has.grains:
        return warnings + _of_contacts(run) + _of_pulling_contacts(run) + _of_reactions(run)
    if run.event is not None:
        warnings.append(f"{run.event} The run ends there.")
    warnings += _of_constraints(run) + _of_energy(run) + _of_pulling_contacts(run) + _of_reactions(run)
    if (room := len(run._recording.arrays.get("transition", ()))) and sum(
            event.name in run.changing for event in run.events) >= room:
        warnings.append(f"The list of events is full: only the first {room} are recorded.")
    return warnings if run.has.coordinates else warnings + _of_steps(run)


def _of_guesses(run: Run) -> list[str]:
    """Orientations that start far from what the scene guesses."""
    if not any(start.guess for start in run.scene.start.values()):
        return []
    from granum.assembly.assembly import assembly_of  # few scenes have guesses
    from granum.assembly.ways import SEARCHED, far_line, turned_from_guess

    turned = turned_from_guess(run.scene, lambda name: run.rotation(name)[0])
    if not turned:
        return []
    searched = bool(run.metadata.get("searched", False))
    if run.scene.has_joints and "searched" not in run.metadata:  # a file that an earlier version wrote
        with suppress(SceneError):
            searched = assembly_of(run.scene).searched
    return [SEARCHED] * searched + far_line(turned)


def _of_constraints(run: Run) -> list[str]:
    """Links, joints and rows that do not hold."""
    if not run.has.constraints or (worst := float(run.constraint_errors.relative.max())) <= LENGTH_NOTE:
        return []
    when = f"{worst:.1e} (t = {float(run.t[run.constraint_errors.relative.argmax()]):g} s)"
    if run.has.coordinates or run.has.joints:
        return [f"The constraint error reaches {when}, relative: use a smaller tolerance, or set corrections = "
                '["position", "velocity"].']
    return [f"The length error of links reaches {when}, relative to their length: use a smaller step or "
            'tolerance, corrections = ["position", "velocity"], or solver = "rattle".']


def _of_pulling_contacts(run: Run) -> list[str]:
    """Links that push and pull between round bodies that touch, where they pull: a contact would have opened."""
    listed = [name for name, link in run.scene.link.items() if not link.sense and all(
        isinstance(run.scene.body.get(end.partition(".")[0]), Rigid) for end in link.between)]
    if not listed:
        return []
    from granum.assembly.assembly import assembly_of  # few scenes have such links

    assembly, warnings = assembly_of(run.scene), []
    for joint in assembly.joints:
        if joint.name not in listed or joint.length is None:
            continue
        try:
            reach = sum(assembly.connecting.round_end(end.name).radius or 0.0 for end in (joint.one, joint.two))
        except GranumError:
            continue  # not round, or a point of a body that is not its centre
        tension = run.reaction(joint.name).tension
        if abs(reach - joint.rows[0].offset) <= TOUCHING * reach and tension.max() > PULLS * np.abs(tension).max():
            worst = int(tension.argmax())
            warnings.append(f'Link "{joint.name}" stands for a contact (its length is the sum of both radii), but it '
                            f"pulls with up to {tension[worst]:.3g} N (t = {run.t[worst]:g} s): a contact only pushes. "
                            f"Set one_sided = true in [link.{joint.name}].")
    return warnings


def _of_reactions(run: Run) -> list[str]:
    """Reactions that the joints leave open."""
    names = run.not_unique
    if not names:
        return []
    most = int(run.statistics.get("redundant", np.zeros(1)).max())
    what = count(most, "constraint row" if run.has.joints else "link")
    why = f": {what} {'is' if most == 1 else 'are'} redundant (see `granum check`)" if most else ""
    return [f"The reactions of {listed(names, 6)} are not unique{why}. Those of least norm are given, and marked in "
            "`run.reaction(name).determined`."]


def _of_steps(run: Run) -> list[str]:
    """What solvers of links and joints count as they go."""
    settings, statistics, warnings = run.scene.run, run.statistics, []
    if (skipped := int(statistics["energy_uncorrected"].sum())) > 0:
        warnings.append(f"The energy could not be corrected in {count(skipped, 'step')}: the system was too close to "
                       "rest for its velocities to absorb the error.")
    if settings.solver == "mixed" and (residual := float(statistics["residual"].max())) > 10 * settings.tolerance:
        warnings.append(f"Link forces changed by less than the tolerance {settings.tolerance:g}, but their equations "
                       f'hold only to {residual:.1e}: the sweeps converge slowly; use inner_solver = "direct".')
    if (changes := int(statistics.get("rank_changes", np.zeros(1)).sum())) > 0:
        warnings.append(f"The number of redundant rows changed {count(changes, 'time')}: the mechanism passes singular "
                       "positions, after which more than one motion is possible.")
    if settings.corrections and "energy" in settings.corrections and _damped(run):
        warnings.append("The energy correction includes the work of dampers, which is only as accurate as the solver.")
    return warnings


def _damped(run: Run) -> bool:
    return any(getattr(load, "damping", 0.0) > 0.0 for load in run.scene.load.values())


def _of_contacts(run: Run) -> list[str]:
    """Overlaps, moves, residuals and joints among grains, and contacts that are not recorded."""
    settings, figures, step = run.scene.run, run.figures, run.metadata["step"]
    notes = []
    if (overlap := float(figures["mean_overlap"].max())) > OVERLAP_NOTE:
        worst = float(run.t[figures["mean_overlap"].argmax()])
        notes.append(f"The mean overlap of grains reaches {overlap:.1%} of their radius (t = {worst:g} s): "
                     f"use a step smaller than {step['step']:.3g} s{_stiffer(settings.solver)}.")
    if (deepest := float(figures["largest_overlap"].max())) > DEEP_NOTE:
        frame = int(figures["largest_overlap"].argmax())
        when = f"at t = {run.t[0]:g} s" if frame == 0 else f"between t = {run.t[frame - 1]:g} s and {run.t[frame]:g} s"
        notes.append("Two grains, or a grain and a boundary, overlapped by "
                     f"{deepest:.2g} radii of the smaller one {when}: use a step smaller than {step['step']:.3g} s"
                     f"{_stiffer(settings.solver)}, or check for grains that start or enter inside others.")
    if (move := float(figures["largest_move"].max())) > MOVE_NOTE:
        notes.append(f"A grain moved by {move:.2g} of its radius in one step and may pass through thin walls and "
                     f"small grains: use a step below {step['step'] * MOVE_NOTE / move:.2g} s.")
    notes += _of_residuals(run) + (_of_gains(run) if run.has.energy_balance else []) + _of_energy(run)
    if run.has.constraints and (error := float(run.constraint_errors.distance.max())) > JOINT_NOTE * _size(run):
        notes.append(f"The joint error reaches {error:.2g} m: use a step smaller than {step['step']:.3g} s.")
    least = min((material.restitution for material in run.scene.material.values()), default=1.0)
    if settings.solver == "soft" and least < SOFT_REBOUND:
        notes.append(f"Springs and dashpots without tension cannot reach restitution {least:g}: grains rebound with "
                     f"{SOFT_REBOUND:.3f}.")
    most = int(run.contact_counts.max())
    if run.has.contacts and most > run.contact_room:
        notes.append(f"There were up to {most} contacts; only the strongest {run.contact_room} are recorded.")
    if not run.has.contacts:
        notes.append("The contact network is too large to record in every frame; contacts are not recorded.")
    return notes + _of_inflow(run)


def _of_residuals(run: Run) -> list[str]:
    """Contact problems that were not solved to the tolerance, where there is one."""
    tolerance, residual = run.metadata.get("contact_tolerance"), run.figures.get("residual")
    if tolerance is None or residual is None or (largest := float(residual.max())) <= tolerance:
        return []
    return [f"The contact problem was solved only to a relative residual of {largest:.1e} (before t = "
            f"{run.t[residual.argmax()]:g} s; tolerance {tolerance:.1e}), because max_sweeps = "
            f"{run.scene.run.max_sweeps} was reached: increase max_sweeps."]


def _of_gains(run: Run) -> list[str]:
    """Contacts that made energy between two frames: Newton's law with friction allows it (docs/theory/grains.md)."""
    energy = run.energy
    taken = np.diff(sum(energy.work[name] for name in ("impact", "friction", "rolling friction")))
    gain = float(taken[taken > 0.0].sum())
    if not gain > WARNING * float(energy.scale[-1]):
        return []
    return [f"Simultaneous impacts with friction created {gain:.2g} J (most before t = "
            f"{run.t[1:][taken.argmax()]:g} s), {gain / float(energy.scale[-1]):.1%} of the largest energy. "
            "Newton's law of restitution allows this where a grain is squeezed between others: use a smaller "
            "restitution or friction."]


def _of_inflow(run: Run) -> list[str]:
    """Sources that could not place their grains, and flows that do not reach as far as the grains."""
    notes: list[str] = []
    for name, counts in run.sources.items():
        entered = f"{count(counts['entered'], 'grain')} entered"
        remedy = "Give it a larger region, smaller grains or more time between batches."
        if counts["waiting"]:
            notes.append(f"source.{name}: {entered}, {counts['waiting']} still waiting for room. {remedy}")
        if counts["skipped"]:
            notes.append(f"source.{name}: {entered}, {counts['skipped']} skipped for lack of room. {remedy}")
    for name, most in zip(run.metadata["loads"], run._recording.arrays["log/outside"], strict=True):
        load = run.scene.load.get(name)  # forces applied from outside and actuators are loads of no such entry
        if most and isinstance(load, Drag):
            from granum.grains.loads.drag import outside_notes

            notes += outside_notes(name, load, int(most))
    return notes


def _size(run: Run) -> float:
    """Radius of the smallest grain at the end [m], 1 m without any."""
    return float(run.frame().radii.min(initial=1.0))


def _stiffer(solver: str) -> str:
    return " or a larger stiffness" if solver == "soft" else ""


def _of_energy(run: Run) -> list[str]:
    """What the reader of a run with an energy error of 1 % or more must know."""
    energy = run.energy
    if not energy.complete or energy.largest_error < WARNING:
        return []
    worst = int(np.abs(energy.error).argmax())
    return [f"Energy balance error {energy.error[worst]:+.3g} J at t = {run.t[worst]:g} s, {energy.largest_error:.1%} "
            f"of {energy.scale[-1]:.3g} J: no load, drive or contact accounts for it; {remedy(run.scene)}."]


def remedy(scene: Scene) -> str:
    """What makes the energy error of a run of this scene smaller, to follow on a colon."""
    settings = scene.run
    if settings.solver in ("dop853", "radau", "adams"):
        return f"use a tolerance smaller than {settings.tolerance:g}"
    if settings.solver == "events":
        return "check the start for grains that overlap, and loads that change within a flight"
    if scene.has_grains:
        return "use a smaller step" if settings.solver == "soft" else "use a smaller tolerance or a smaller step"
    return 'use a smaller step, or solver = "dop853"'


class Guard:
    """Checks the energy of each new frame; keeps only the frames that matter, so that a check costs little."""

    def __init__(self, run: Run) -> None:
        table = run.energy_table()
        self._run, self._kept = run, table[:-1]
        self.check(table[-1])

    def check(self, energies: Floats) -> None:
        """Refuse to go on from a frame, given its row of the energy table, if no agent has supplied most of it."""
        kept = np.vstack([self._kept, energies])
        energy = Energy.recorded(kept, self._run.metadata)
        if energy.exploded and energy.kinetic[-1] > self._unresolved():
            raise NotConvergedError(
                f"at t = {self._run.t[-1]:g} s the kinetic energy is {energy.kinetic[-1]:.3g} J, of which "
                f"{energy.error[-1]:.3g} J no load, drive or contact supplied: the computed motion is unstable; "
                f"{remedy(self._run.scene)}.")
        self._kept = kept[energy.extremes]

    def _unresolved(self) -> float:
        """Kinetic energy of a motion by the tolerance of the solver, relative to the size, in every step [J].

        Stiff springs turn errors of positions that the tolerance allows into speeds of this size.
        """
        run = self._run
        if run.scene.run.solver not in ("dop853", "radau", "adams") or run.t[-1] <= 0.0:
            return 0.0
        whole = float(run.statistics["steps"].sum()) * run.scene.run.until / float(run.t[-1])
        return float(run.metadata.get("energy_floor", 0.0) * (run.scene.run.tolerance * whole / SLOWEST) ** 2)
