"""The processor that machine code is made for.

A wheel may carry kernels in machine code (`granum/kernels`, made by `make wheel`) for a baseline that nearly all
processors of its kind have. Where this one has it, all code is made for the baseline, so that shipped and new code fit
together and results are bit-identical on all such machines. Otherwise, without shipped kernels, or with
GRANUM_NATIVE=1, code is made for this very processor. NUMBA_CPU_NAME and NUMBA_CPU_FEATURES take precedence.
"""

from __future__ import annotations

import os
import platform
from pathlib import Path
from typing import NamedTuple

from llvmlite import binding as llvm
from numba.core import config

SHIPPED = Path(__file__).resolve().parents[1] / "kernels"
"""Kernels that a wheel carries; a checkout has none."""


class Target(NamedTuple):
    """A processor as LLVM knows it."""

    name: str
    features: str


def baseline() -> Target:
    """What kernels of a wheel are made for, on machines like this one."""
    if platform.machine().lower() in ("x86_64", "amd64"):
        return Target("x86-64-v3", "")
    return Target("apple-m1" if platform.system() == "Darwin" else "generic", "")


_NEEDED = {"x86-64-v3": (  # of the psABI's level 3, beyond what all 64-bit processors have
    "avx", "avx2", "bmi", "bmi2", "cx16", "f16c", "fma", "lzcnt", "movbe", "popcnt", "sse3", "sse4.1", "sse4.2",
    "ssse3", "xsave")}


def has_baseline() -> bool:
    """Can this processor run code for the baseline?"""
    features = llvm.get_host_cpu_features()
    return all(features.get(name, False) for name in _NEEDED.get(baseline().name, ()))


def target() -> Target:
    """The processor that all code of this process is made for."""
    features = llvm.get_host_cpu_features().flatten() if config.CPU_FEATURES is None else config.CPU_FEATURES
    return Target(config.CPU_NAME or llvm.get_host_cpu_name(), features)


def choose_target() -> None:
    """Take the baseline where kernels are shipped for it; to be called before anything is compiled."""
    native = os.environ.get("GRANUM_NATIVE", "0") not in ("", "0")
    if SHIPPED.is_dir() and not native and config.CPU_NAME is None and has_baseline():
        config.CPU_NAME, config.CPU_FEATURES = baseline()
