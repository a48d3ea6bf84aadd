"""`python -m tests.fuzz`: all campaigns or some, and a table of what came of them; findings are printed at once."""

from __future__ import annotations

import argparse
import os
import sys
from importlib.metadata import version

from tests.fuzz.campaign import SEED, Outcome
from tests.fuzz.campaigns import CAMPAIGNS
from tests.fuzz.workers import run


def main() -> int:
    """Run campaigns; the exit code says whether there were findings."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("campaigns", nargs="*", help=f"one or more of: {', '.join(CAMPAIGNS)}; left out, all")
    parser.add_argument("--factor", type=float, default=float(os.environ.get("FUZZ", 1)),
                        help="so many times as many inputs (also FUZZ=10)")
    parser.add_argument("--input", type=int, help="one input alone, in this process")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    chosen = [CAMPAIGNS[name] for name in given.campaigns or CAMPAIGNS]
    if given.input is not None:
        chosen[0].prepare()
        print(chosen[0].attack(given.input))
        return 0
    print(f"granum {version('granum')}, seed {SEED}, factor {given.factor:g}, {given.workers} workers\n")
    print(f"{'campaign':<14}{'inputs':>8}{'kills':>8}{'findings':>10}{'seconds':>9}  how inputs ended", flush=True)
    total = Outcome()
    for campaign in chosen:
        outcome = run(campaign, range(campaign.count(given.factor)), given.workers)
        total.inputs, total.kills = total.inputs + outcome.inputs, total.kills + outcome.kills
        total.seconds += outcome.seconds
        total.findings |= {f"{campaign.name}: {finding}": inputs for finding, inputs in outcome.findings.items()}
        print(_row(campaign.name, outcome), flush=True)
    print(_row("all", total))
    for finding, inputs in total.findings.items():
        print(f"\n{finding}\n  {len(inputs)} inputs, such as {inputs[:5]}")
    return 1 if total.findings else 0


def _row(name: str, outcome: Outcome) -> str:
    ends = ", ".join(f"{count} {ending}" for ending, count in sorted(outcome.notes.items()))
    numbers = f"{outcome.inputs:>8}{outcome.kills:>8}{len(outcome.findings):>10}{outcome.seconds:>9.0f}"
    return f"{name:<14}{numbers}  {ends}"


if __name__ == "__main__":
    sys.exit(main())
