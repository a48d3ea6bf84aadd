"""A pytest plugin for `make quick`: the session fails if it leaves a module of Granum untouched.

`pytest -p touched --cov=granum` counts a module as touched if a function of it ran; one without functions, if it was
imported. Coverage does not see compiled code: kernels count if one of them was called from Python, or can be called by
such a kernel.
"""

from __future__ import annotations

import ast
import gc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from coverage import CoverageData

from granum.base.compiler import KernelDispatcher

PACKAGE = Path(__file__).parents[1] / "src" / "granum"
PROCESSES = {"__main__.py": "runs in a process of its own", "cli/__main__.py": "runs in a process of its own"}
"""Modules that cannot be touched from within the tests' process, and why; longer tests start them."""


class Touched:
    """Modules whose kernels were called, of all workers."""

    def __init__(self) -> None:
        self.kernels: set[str] = set()

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """A worker ends: take what it has called."""
        self.kernels |= set(getattr(node, "workeroutput", {}).get("kernels", ()))

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Hand over what was called; where all comes together, compare it with what there is."""
        self.kernels |= {str(file) for file in called_kernels()}
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput["kernels"] = sorted(self.kernels)
        elif missing := untouched(self.kernels):
            print("\nNo quick test touches these; add one of each to tests/loops/quick.txt:", *missing, sep="\n  ")
            session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_configure(config: pytest.Config) -> None:
    """Take part in the session."""
    config.pluginmanager.register(Touched())


def untouched(kernels: set[str]) -> list[str]:
    """Modules of the package that nothing of the session has touched, from the coverage data of all workers."""
    data = CoverageData()
    data.read()
    return [module for file in sorted(PACKAGE.rglob("*.py"))
            if (module := file.relative_to(PACKAGE).as_posix()) not in PROCESSES
            and not (set(data.lines(str(file)) or ()) & body_lines(file) or str(file) in kernels)]


def body_lines(file: Path) -> set[int]:
    """Lines inside functions of a module; all lines of one that has none."""
    tree = ast.parse(file.read_text("utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    bodies = [node.body for node in functions] or [tree.body]
    return {line for body in bodies for node in body for line in range(node.lineno, (node.end_lineno or 0) + 1)}


def called_kernels() -> Iterator[Path]:
    """Files of the kernels that were called from Python, and of all they can call."""
    waiting = [one for one in gc.get_objects() if isinstance(one, KernelDispatcher) and (one._called or one._entries)]
    seen = {id(one) for one in waiting}
    while waiting:
        function = waiting.pop().py_func
        yield Path(function.__code__.co_filename)
        named = [function.__globals__.get(name) for name in function.__code__.co_names]
        for callee in named:
            if isinstance(callee, KernelDispatcher) and id(callee) not in seen:
                seen.add(id(callee))
                waiting.append(callee)
