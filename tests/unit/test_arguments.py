"""Public functions, and methods of runs, refuse arguments of other types than they declare, in Granum's own words."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
import pytest

import granum as gr
from granum.base.arguments import checked
from messages import refused
from tests.fuzz.small_runs import CASES, scene_of

WRONG: list[Any] = [None, True, 3, -1, 10**30, 0.5, math.nan, 2j, "", "x", b"x", [], [1.0, 2.0], ["a"], {}, object(),
                    np.zeros((2, 2)), slice(2)]
FILES = ("file", "folder", "path", "output")
"""Arguments that would make files."""
FUNCTIONS = ("Simulation", "campbell", "check", "controller", "derive", "equilibria", "equilibrium", "example",
             "export", "inverse_dynamics", "linearize", "load", "load_study", "open_run", "open_study", "sensitivity",
             "simulate", "study")


def escaping(function: Callable[..., Any], right: Mapping[str, Any]) -> list[str]:
    """Calls with one wrong argument each that end in another error than Granum's."""
    found = []
    parameters = [one for one in inspect.signature(function).parameters.values()
                  if one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL) and one.name not in FILES]
    needed = {one.name: right.get(one.name, "x") for one in parameters if one.default is one.empty}
    for one in parameters:
        for wrong in WRONG:
            try:
                function(**{**needed, one.name: wrong})
            except gr.GranumError:
                continue
            except Exception as error:  # every other one is a finding
                found.append(f"{function.__name__}({one.name}={wrong!r:.40}): {error!r:.100}")
    return found


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_refuse_wrong_types(name: str) -> None:
    right = {"subject": scene_of("hinged"), "scene": scene_of("hinged"), "motion": {"hinge.angle": "t"},
             "parameter": "load.g", "over": (1.0, 2.0), "of": "frequencies", "to": ["body.rod.mass"], "measure": {},
             "reads": [], "writes": []}
    assert not escaping(getattr(gr, name), right)


@pytest.mark.parametrize("case", CASES)
def test_methods_of_runs_refuse_wrong_types(case: str) -> None:
    run = gr.simulate(scene_of(case), progress=False)
    right = {**dict.fromkeys(("name", "body"), next(iter(run.body_names), "x")), "quantity": "position"}
    methods = [getattr(run, name) for name, _ in inspect.getmembers_static(type(run), inspect.isfunction)
               if not name.startswith("_")]
    assert len(methods) > 20
    assert not [line for method in methods for line in escaping(method, right)]


@checked
def sample(name: str, index: int = -1, width: float | None = None, pair: tuple[float, float] = (0.0, 1.0),
           names: Sequence[str] = (), on: bool = False, way: Literal["up", "down"] = "up",
           table: Mapping[str, Any] | None = None, then: Callable[[], None] | None = None,
           array: np.ndarray[Any, Any] | None = None) -> str:
    """A function of every type that is checked."""
    return name


@pytest.mark.parametrize("right", [
    {"index": np.int64(3)}, {"width": 3}, {"width": np.float32(2.0)}, {"width": np.array(2.0)}, {"pair": [1, 2]},
    {"pair": np.array([1.0, 2.0])}, {"names": ["a", "b"]}, {"names": ()}, {"on": np.bool_(True)}, {"way": "down"},
    {"table": {}}, {"then": print}, {"array": [1.0, 2.0]}, {"array": np.zeros(2)}])
def test_right_types_are_taken(right: dict[str, Any]) -> None:
    assert sample("x", **right) == "x"


@pytest.mark.parametrize("wrong", [
    {"index": 0.5}, {"index": True}, {"width": "5 cm"}, {"pair": [1.0]}, {"pair": "ab"}, {"names": "ab"},
    {"names": [1.0]}, {"on": 1}, {"way": 3}, {"table": []}, {"then": 3}, {"array": "x"}])
def test_wrong_types_are_named(wrong: dict[str, Any]) -> None:
    ((key, _),) = wrong.items()
    with refused(gr.GranumError, f"for {key} of sample"):
        sample("x", **wrong)
