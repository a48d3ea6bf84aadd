"""What benchmarks share: measurements in processes of their own, peak memory, and curves of costs against sizes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from benchmarks import ROOT

Curves = dict[str, tuple[list[float], list[float]]]
"""Sizes and costs by label."""


def measured_apart(module: str, sizes: Iterable[int], environment: Mapping[str, str] | None = None) -> list[Any]:
    """What `python -m MODULE SIZE` prints as JSON, for one size after the other, each in a process of its own."""
    results = []
    for size in sizes:
        done = subprocess.run([sys.executable, "-m", module, str(size)], check=True, capture_output=True, text=True,
                              env={**os.environ, **(environment or {})}, cwd=ROOT)
        results.append(json.loads(done.stdout))
    return results


def peak_megabytes() -> float:
    """Largest memory of this process; what getrusage says would include that of the parent before exec."""
    return int(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0]) / 1024


def curves_of(points: Iterable[tuple[str, float, float]]) -> Curves:
    """Curves from points: label, size, cost."""
    curves: Curves = {}
    for label, size, cost in points:
        sizes, costs = curves.setdefault(label, ([], []))
        sizes.append(size)
        costs.append(cost)
    return curves
