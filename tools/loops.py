"""`make loops`: which tests belong to the quick and to the long loop, from the durations and the coverage of all tests.

- A test is *long* if it takes more than `LONG` seconds. Three kinds of longer tests are not: the cheapest that run
  functions of Granum which no shorter test runs; the shortest case of a test function that has no shorter one, up to
  `ALONE` seconds; and that of a file, up to `LAST`. So `make test` runs every function that all tests run.
- Tests are *quick* if they are needed, the cheapest first, to run as many functions as `make quick` has time for. The
  files of `ALWAYS` are: every kind of entry in every formulation and by every solver, and every example described.
  Tests of any length are added for modules that would be left untouched.
"""

from __future__ import annotations

import ast
import sys
import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

from coverage import CoverageData

ROOT = Path(__file__).resolve().parents[1]
LISTS = ROOT / "tests" / "loops"
LONG, ALONE, LAST = 0.1, 0.3, 5.0
QUICK = 60.0
"""Seconds of the quick tests together."""
LONGEST_QUICK = 1.0
ALWAYS = ("tests/verification/test_every_kind.py", "tests/unit/test_check_examples.py", "tests/unit/test_messages.py")
_CALL = 0.02
"""Seconds that any test costs besides its own."""
Function = tuple[str, int]
"""File and first line of a function."""


def durations(report: Path) -> dict[str, float]:
    """Seconds of each test, set-up included, from a JUnit report."""
    return {f"{case.attrib['classname'].replace('.', '/')}.py::{case.attrib['name']}": float(case.attrib["time"])
            for case in ElementTree.parse(report).iter("testcase") if case.find("skipped") is None}


def functions_by_test(data: CoverageData) -> dict[str, set[Function]]:
    """The functions of Granum that each test runs."""
    ran: dict[str, set[Function]] = defaultdict(set)
    for file in data.measured_files():
        functions = _functions(Path(file))
        for line, contexts in data.contexts_by_lineno(file).items():
            if line in functions:
                for context in contexts:
                    ran[context.partition("|")[0]].add((file, functions[line]))
    return ran


def _functions(file: Path) -> dict[int, int]:
    """The first line of the innermost function that each line of a body belongs to."""
    lines: dict[int, int] = {}
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):  # outer functions come first
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines |= dict.fromkeys(range(node.body[0].lineno, (node.end_lineno or node.lineno) + 1), node.lineno)
    return lines


def cover(wanted: set[Function], tests: Iterable[str], ran: Mapping[str, set[Function]],
          seconds: Mapping[str, float], budget: float = float("inf")) -> list[str]:
    """Tests that together run what is wanted, each next one that which runs most of the rest for its time."""
    chosen: list[str] = []
    missing, left = set(wanted), {test: ran.get(test, set()) & wanted for test in tests}
    while missing and budget > 0.0:
        best = max(left, key=lambda test: (len(left[test]) / (seconds[test] + _CALL), test), default=None)
        if best is None or not left[best]:
            break
        gained = left.pop(best)
        chosen.append(best)
        budget -= seconds[best]
        missing -= gained
        left = {test: rest for test, functions in left.items() if (rest := functions - gained)}
    return chosen


def long_tests(seconds: Mapping[str, float], ran: Mapping[str, set[Function]]) -> set[str]:
    """Tests that `make test` leaves to `make test-all`."""
    over = {test for test, duration in seconds.items() if duration > LONG}
    short = seconds.keys() - over
    reached = set().union(*(ran.get(test, set()) for test in short))
    needed = set(cover(set().union(*ran.values()) - reached, over, ran, seconds))
    for part, limit in ((_function, ALONE), (_file, LAST)):
        kept = {part(test) for test in short | needed}
        for test in sorted(over - needed, key=lambda test: seconds[test]):
            if part(test) not in kept and seconds[test] <= limit:
                needed.add(test)
                kept.add(part(test))
    return over - needed


def quick_tests(seconds: Mapping[str, float], ran: Mapping[str, set[Function]], long: set[str]) -> set[str]:
    """Tests of `make quick`."""
    always = {test for test in seconds if _file(test) in ALWAYS and test not in long}
    others = [test for test, duration in seconds.items() if duration <= LONGEST_QUICK and test not in long | always]
    wanted = set().union(*(ran.get(test, set()) for test in others)) \
        - set().union(*(ran.get(test, set()) for test in always))
    budget = QUICK - sum(seconds[test] for test in always)
    chosen = always | set(cover(wanted, others, ran, seconds, budget))
    touched = {file for test in chosen for file, _ in ran.get(test, set())}
    files = {test: {(file, 0) for file, _ in functions if file not in touched} for test, functions in ran.items()
             if test not in long}
    return chosen | set(cover(set().union(*files.values()), files, files, seconds))


def _file(test: str) -> str:
    return test.partition("::")[0]


def _function(test: str) -> str:
    return test.partition("[")[0]


def lines(tests: set[str], every: set[str]) -> list[str]:
    """A list of tests: a function or a file alone where all of its tests among `every` are meant."""
    rest = every - tests
    whole = {part(test) for part in (_file, _function) for test in tests} - \
        {part(test) for part in (_file, _function) for test in rest}
    return sorted({next((one for one in (_file(test), _function(test)) if one in whole), test) for test in tests})


def main(*reports: str) -> None:
    """Write both lists and say what they hold; where several reports have a test, the last one counts."""
    seconds = {test: duration for report in reports for test, duration in durations(Path(report)).items()}
    data = CoverageData()
    data.read()
    ran = functions_by_test(data)
    ran = {test: functions for test, functions in ran.items() if test in seconds}
    long = long_tests(seconds, ran)
    loops = {"quick": quick_tests(seconds, ran, long), "long": long}
    functions = len(set().union(*ran.values()))
    for name, tests in {**loops, "test": seconds.keys() - long, "test-all": set(seconds)}.items():
        reached = set().union(*(ran.get(test, set()) for test in tests))
        print(f"{name:9} {len(tests):5d} tests {sum(seconds[test] for test in tests):7.1f} s "
              f"{len(reached)} of {functions} functions")
    for name, tests in loops.items():
        every = seconds.keys() - (long if name == "quick" else set())
        (LISTS / f"{name}.txt").write_text("\n".join(lines(tests, every)) + "\n", "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
