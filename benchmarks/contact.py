"""`python -m benchmarks contact`: residual against CPU seconds of every solver of contact problems.

Problems are those of the FCLIB collection that are in a folder (skipped by name where none is given), and steps of our
own beds: disks on a hexagonal lattice, in equilibrium but without the impulses that hold them, and spheres that have
settled in a box. Impulses of beds are in units of 1/mean of diag W, so that the residual ‖r - P_K(r - û)‖/‖q‖ weighs
them as velocities; in SI units impulses of small grains are so small that any would do.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from granum import RunSettings, Scene, simulate
from granum.base.choices import CONTACT_METHODS
from granum.contact import ContactProblem, load_problem, solve_problem
from granum.contact.conic.solvers import Sample, Solution
from granum.contact.nonsmooth.moreau import Moreau
from granum.contact.world import World

MARKS = (1e-4, 1e-8)
"""Residuals whose times are in the table."""
ROWS = 100
"""Rows of a lattice at most: larger ones are wider."""
FACTORED = {2: 200_000, 3: 4_000}
"""Contacts up to which solvers with sparse factors are tried, by dimension: one factor of a 3-D bed of 2e4 contacts
takes half a minute, which no limit of time interrupts."""
FACTORS = ("newton", "admm")
LEAST = 1e-12
"""Residuals below are drawn there."""


@dataclass(frozen=True)
class Result:
    """Problems and what each solver did with them."""

    solved: dict[str, tuple[ContactProblem, list[Solution]]]
    skipped: list[str]

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        return {"problems": {name: {
            "contacts": problem.contacts, "dimension": problem.dimension, "solvers": {one.solver: {
                "residual": one.residual, "iterations": one.iterations, "seconds": one.seconds,
                "history": [(sample.seconds, sample.residual) for sample in one.history]} for one in solutions}}
            for name, (problem, solutions) in self.solved.items()}, "skipped": self.skipped}

    def summary_lines(self) -> list[str]:
        """For people."""
        heads = [f"to {mark:.0e} [s]" for mark in MARKS]
        lines = [f"{'problem':<44} {'contacts':>8} {'solver':<12} {heads[0]:>12} {heads[1]:>12} {'residual':>9} "
                 f"{'iterations':>10}"]
        for name, (problem, solutions) in self.solved.items():
            for k, one in enumerate(solutions):
                first = f"{name[:44]:<44} {problem.contacts:>8}" if k == 0 else " " * 53
                times = " ".join(f"{time_to(one.history, mark):>12}" for mark in MARKS)
                lines.append(f"{first} {one.solver:<12} {times} {one.residual:>9.1e} {one.iterations:>10}")
        return [*lines, *(f"Skipped: {what}" for what in self.skipped)]

    def draw(self) -> Any:
        """Residual against CPU time, a panel for each problem."""
        from granum.view import style

        columns = min(3, len(self.solved))
        rows = math.ceil(len(self.solved) / columns)
        drawn, panels = style.figure(rows, columns, width=4.4 * columns, height=3.4)
        for panel in panels.ravel()[len(self.solved) :]:
            panel.set_visible(False)
        for panel, (name, (problem, solutions)) in zip(panels.ravel(), self.solved.items(), strict=False):
            for one, (colour, dashes) in zip(solutions, style.curves(), strict=False):
                shown = [sample for sample in one.history if sample.iterations]
                panel.loglog([max(sample.seconds, 1e-6) for sample in shown],
                             [max(sample.residual, LEAST) for sample in shown], color=colour, linestyle=dashes,
                             marker="." if len(shown) < 4 else "", label=one.solver)
            short = name if len(name) <= 34 else f"{name[:31]}..."
            panel.set(title=f"{short}\n{problem.contacts} contacts, {problem.dimension}-D", xlabel="CPU time [s]",
                      ylabel="residual |r - P(r - û)|/|q|")
            style.legend(panel)
        return drawn


def time_to(history: tuple[Sample, ...], residual: float) -> str:
    """CPU seconds until a residual is reached, in words."""
    reached = next((sample.seconds for sample in history if sample.residual <= residual), None)
    return "not reached" if reached is None else f"{reached:.3g}"


def lattice(contacts: int) -> ContactProblem:
    """The first step of touching disks on a hexagonal lattice in a box, gravity having just been switched on."""
    rows = min(ROWS, max(3, round(math.sqrt(contacts / 3.0))))
    columns, radius = max(3, round(contacts / (3.0 * rows))), 0.005
    height = radius * math.sqrt(3.0)
    centres = [((2 * k + 1 + row % 2) * radius, radius + row * height)
               for row in range(rows) for k in range(columns - row % 2)]
    scene = Scene(
        material={"glass": {"density": 2500.0, "friction": 0.3, "restitution": 0.0}},
        pattern={"grains": {"kind": "grains", "radius": radius, "positions": centres}},
        boundary={"box": {"kind": "box", "lower": (0.0, 0.0), "upper": (2 * columns * radius, 2 * (rows + 1) * radius),
                          "open": ["+y"]}},
        load={"gravity": {"kind": "gravity", "acceleration": (0.0, -9.81)}},
        run=RunSettings(solver="moreau", until=0.01))
    world = World(scene)
    world.single_step(world.step)
    assert isinstance(world.solver, Moreau)
    return in_units_of_mass(world.solver.last_problem("lattice"))


def settled(count: int) -> ContactProblem:
    """A step of spheres that have fallen into a box, some of them still moving."""
    radius = 0.005
    width = radius * 2.2 * max(3.0, round(count ** (1.0 / 3.0)))
    scene = Scene(
        material={"glass": {"density": 2500.0, "friction": 0.3, "restitution": 0.2}},
        pattern={"grains": {"kind": "grains", "radius": (0.8 * radius, radius), "count": count, "region": {
            "kind": "box", "lower": (0.0, 0.0, 0.0), "upper": (width, width, 1.4 * width)}}},
        boundary={"box": {"kind": "box", "lower": (0.0, 0.0, 0.0), "upper": (width, width, 2.0 * width),
                          "open": ["+z"]}},
        load={"gravity": {"kind": "gravity", "acceleration": (0.0, 0.0, -9.81)}},
        run=RunSettings(until=0.25, interval=0.05))
    return in_units_of_mass(simulate(scene, progress=False).contact_problem())


def in_units_of_mass(problem: ContactProblem) -> ContactProblem:
    """With impulses in units of 1/mean of diag W."""
    diagonal = problem.W.diagonal()
    mean = float(np.mean(diagonal)) if len(diagonal) else 1.0
    return replace(problem, W=problem.W / mean, r=None if problem.r is None else problem.r * mean)


def measure(samples: Path | None, sizes: tuple[int, ...], spheres: tuple[int, ...], seconds: float) -> Result:
    """Solve all problems by all solvers."""
    problems, skipped = dict[str, ContactProblem](), list[str]()
    if samples is None:
        skipped.append("problems of the FCLIB collection. Give their folder with --samples, or in "
                       "GRANUM_CONTACT_PROBLEMS.")
    for file in sorted(samples.iterdir()) if samples is not None else ():
        if file.suffix in (".hdf5", ".dat"):
            problems[file.name] = load_problem(file)
    for contacts in sizes:
        problems[f"lattice of disks, {contacts}"] = lattice(contacts)
    for count in spheres:
        problems[f"settled bed of {count} spheres"] = settled(count)
    solved = {}
    for name, problem in problems.items():
        fits = problem.contacts <= FACTORED[problem.dimension]
        if not fits:
            skipped.append(f"{' and '.join(FACTORS)} on {name}: sparse factors of {problem.contacts} contacts.")
        solved[name] = problem, [solve_problem(problem, solver, MARKS[-1], seconds) for solver in CONTACT_METHODS
                                 if fits or solver not in FACTORS]
    return Result(solved, skipped)
