"""A pytest plugin for `make touched`: the session fails if it leaves a module of Granum untouched.

`pytest -p touched --cov=granum` counts a module as touched if a function of it ran; one without functions, if it was
imported. Coverage does not see compiled code: a kernel counts if machine code was made or loaded for a kernel that
calls it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import pytest
from coverage import CoverageData

from granum.base.compiler import KernelDispatcher

PACKAGE = Path(__file__).parents[1] / "src" / "granum"
ELSEWHERE = {
    "__main__.py": "starts a process, in tests/unit/test_command_line.py",
    "cli/__main__.py": "starts a process, in tests/unit/test_command_line.py",
    "base/lowering.py": "compiles kernels, which are compiled before the tests run",
    "contact/nonsmooth/mechanics.py": "is a protocol, read in tests/unit/test_contact_template.py",
    "base/stock_compiler.py": "is chosen by a variable of the environment, in tests/unit/test_stock_compiler.py",
    "run/warm.py": "compiles kernels before the tests run",
    "rows/registry.py": "is called by other packages, in tests/unit/test_extending.py",
}
"""Modules that cannot be touched from within the tests' process, and where they are."""


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
        self.kernels |= set(called_kernels())
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput["kernels"] = sorted(self.kernels)
        elif missing := untouched(self.kernels):
            print("\nNo quick test touches these; add one of each to tests/loops/quick.txt:", *missing, sep="\n  ")
            session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_configure(config: pytest.Config) -> None:
    """Take part in the session, and watch which kernels are called."""
    config.pluginmanager.register(Touched())
    for way in ("compile", "c_function"):
        setattr(KernelDispatcher, way, _watched(getattr(KernelDispatcher, way)))


_called: list[FunctionType] = []


def _watched(method: Callable[..., Any]) -> Callable[..., Any]:
    def watched(self: Any, *arguments: Any) -> Any:
        _called.append(self.py_func)
        return method(self, *arguments)

    return watched


def untouched(kernels: set[str]) -> list[str]:
    """Modules of the package that nothing of the session has touched, from the coverage data of all workers."""
    data = CoverageData()
    data.read()
    return [module for file in sorted(PACKAGE.rglob("*.py"))
            if (module := file.relative_to(PACKAGE).as_posix()) not in ELSEWHERE and file.name != "__init__.py"
            and not (set(data.lines(str(file)) or ()) & body_lines(file) or str(file) in kernels)]


def body_lines(file: Path) -> set[int]:
    """Lines inside functions of a module; all lines of one that has none."""
    tree = ast.parse(file.read_text("utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    bodies = [node.body for node in functions] or [tree.body]
    return {line for body in bodies for node in body for line in range(node.lineno, (node.end_lineno or 0) + 1)}


def called_kernels() -> Iterator[str]:
    """Files of the kernels that were called from Python or by their address, and of all that they can call."""
    waiting, seen = list(_called), set(_called)
    while waiting:
        function = waiting.pop()
        yield function.__code__.co_filename
        yield function.__globals__.get("__file__", "")  # of a kernel that is an instance of a template
        names = function.__code__.co_names
        named = [function.__globals__.get(name) for name in names]
        named += [getattr(module, name, None) for module in named if isinstance(module, ModuleType) for name in names]
        for callee in (getattr(one, "py_func", None) for one in named):
            if isinstance(callee, FunctionType) and callee not in seen:
                seen.add(callee)
                waiting.append(callee)
