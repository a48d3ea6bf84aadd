"""`python -m benchmarks chain`: the pendulum of N masses against the peers that are installed."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from benchmarks import scaling
from benchmarks.comparison import Accuracy, Fastest, Peer, fastest
from benchmarks.costs import curves_of
from benchmarks.granum_chain import Granum, reference_tip
from benchmarks.peers import PEERS

if TYPE_CHECKING:
    from granum.view.plots.several import Chart

_BUDGET = 30.0
"""Seconds a single run of a peer may take."""


@dataclass(frozen=True)
class Comparison:
    """All programs at one size."""

    bodies: int
    runs: dict[str, tuple[str | None, Fastest]]
    """By name: version and fastest accurate run."""
    reference: tuple[float, float]

    @property
    def ratio(self) -> float | None:
        """Time of the fastest peer over that of Granum; None where no peer is there."""
        own = self.runs["Granum"][1].run
        others = [found.run.seconds for name, (_, found) in self.runs.items() if name != "Granum" and found.run]
        return min(others) / own.seconds if own is not None and others else None


@dataclass(frozen=True)
class Result:
    """What the benchmark found."""

    comparisons: list[Comparison]
    costs: list[scaling.Cost]

    @property
    def growth(self) -> float | None:
        """Cost per body and step at the largest size over that at the smallest."""
        return self.costs[-1].nanoseconds / self.costs[0].nanoseconds if self.costs else None

    def as_json(self) -> dict[str, Any]:
        """All figures by name."""
        return {
            "accuracy": asdict(Accuracy()),
            "comparisons": [
                {"bodies": c.bodies, "ratio": c.ratio, "runs": {
                    name: {"version": version, "seconds": f.run.seconds if f.run else None,
                           "setting": str(f.run.setting) if f.run else None, "reason": f.reason}
                    for name, (version, f) in c.runs.items()}}
                for c in self.comparisons
            ],
            "scaling": [asdict(cost) for cost in self.costs],
            "growth": self.growth,
        }

    def charts(self) -> list[Chart]:
        """Seconds against N by program, and the cost of a step up to a million bodies."""
        from granum.view.plots.several import Chart

        runs = curves_of((name, comparison.bodies, found.run.seconds) for comparison in self.comparisons
                         for name, (_, found) in comparison.runs.items() if found.run is not None)
        steps = ([cost.bodies for cost in self.costs], [cost.nanoseconds for cost in self.costs])
        return [Chart(runs, y_label="time of 1 s simulated [s]", heading="Pendulum at equal accuracy",
                      guides=(1.0, 2.0)),
                Chart({"Granum": steps} if self.costs else {}, y_label="time per body and step [ns]", guides=(0.0,),
                      heading="A step of rk4 with position correction")]

    def summary_lines(self) -> list[str]:
        """The result as text."""
        lines = ["Pendulum of N masses, 1 s, at equal accuracy (energy and rods 1e-6, tip 1e-5 m):"]
        for comparison in self.comparisons:
            lines.append(f"  N = {comparison.bodies}")
            for name, (version, found) in comparison.runs.items():
                lines.append(f"    {name + ' ' + (version or ''):22} {_told(found, comparison.reference)}")
            if comparison.ratio is not None:
                lines.append(f"    Granum is {comparison.ratio:.1f} times as fast as the fastest peer.")
        if self.costs:
            lines.append("Cost of a step of rk4 with position correction:")
            lines += [f"  N = {c.bodies:>8}  {c.nanoseconds:6.1f} ns per body and step, {c.megabytes:6.0f} MB"
                      for c in self.costs]
            lines.append(f"  The cost per body grows by {self.growth:.2f} from the smallest to the largest.")
        return lines


def _told(found: Fastest, reference: tuple[float, float]) -> str:
    run = found.run
    if run is None:
        return found.reason
    return (f"{run.seconds * 1e3:10.3f} ms   {run.setting} (energy {run.energy_drift:.0e}, rods {run.rod_error:.0e}, "
            f"tip {run.tip_error(reference):.0e} m)")


def measure(sizes: tuple[int, ...], with_scaling: bool) -> Result:
    """Run the benchmark: every installed program at every size, then the cost up to a million bodies."""
    programs: tuple[Peer, ...] = (Granum(), *PEERS)
    comparisons = []
    for size in sizes:
        tip = reference_tip(size)
        runs = {program.name: (program.version(), fastest(program, size, tip, _BUDGET)) for program in programs}
        comparisons.append(Comparison(size, runs, tip))
    return Result(comparisons, scaling.measure() if with_scaling else [])
