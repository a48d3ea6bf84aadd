"""Every public name has a short example in its docstring, and it runs."""

import doctest
from pathlib import Path
from types import ModuleType

import pytest

import granum as gr


@pytest.mark.parametrize("name", gr.__all__)
def test_examples_run(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    thing = getattr(gr, name)
    if isinstance(thing, ModuleType):
        tests = [doctest.DocTestParser().get_doctest(thing.__doc__ or "", {"gr": gr}, name, None, None)]
    else:
        tests = doctest.DocTestFinder(recurse=False).find(thing, name, globs={"gr": gr})
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    report: list[str] = []
    for test in tests:
        runner.run(test, out=report.append)
    assert runner.summarize(verbose=False).attempted, f"{name} has no example."
    assert not runner.failures, "".join(report)
