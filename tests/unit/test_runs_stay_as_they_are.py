"""What a user does to the arrays of a run in memory does not change the run."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import granum as gr

SCENES = {"cart-pole": 0.02, "hopper": 0.004, "pendulum": 0.02, "rolling-shell": 0.02, "crumbling": 0.002,
          "gate": 0.002, "slider-crank": 0.02}
MARK = 77


def arrays_in(value: Any, name: str, depth: int = 0) -> Iterator[tuple[str, NDArray[Any]]]:
    """Arrays of numbers in an answer: itself, entries of mappings and sequences, attributes of Granum's own records."""
    if isinstance(value, np.ndarray):
        if value.size and value.dtype.kind in "fiu":
            yield name, value
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from arrays_in(one, f"{name}[{key!r}]", depth + 1)
    elif type(value).__module__.startswith("granum") and depth < 3:
        for attribute in dir(value):
            if not attribute.startswith("_") and not callable(one := attribute_of(value, attribute)):
                yield from arrays_in(one, f"{name}.{attribute}", depth + 1)


def attribute_of(value: Any, name: str) -> Any:
    """None where it is refused."""
    try:
        return getattr(value, name)
    except gr.GranumError:
        return None


def answers_of(run: gr.Run) -> Iterator[tuple[str, NDArray[Any]]]:
    """All arrays that attributes and methods of a run give, for its first frame, body, joint and link."""
    names = [next(iter(names)) for names in (run.body_names, run.joint_names, run.link_names) if len(names)]
    for name in sorted({name for name in dir(run) if not name.startswith("_")} - {"scene", "plot", "animate", "needs"}):
        value = attribute_of(run, name)
        if not callable(value):
            yield from arrays_in(value, name)
            continue
        parameters = list(inspect.signature(value).parameters.values())
        takes = parameters[0].annotation if parameters else None
        for subject in [[]] if takes is None else [[0]] if "int" in takes else [[], *([one] for one in names)]:
            try:
                answer = value(*subject)
            except (gr.GranumError, TypeError):
                continue
            yield from arrays_in(answer, f"{name}({', '.join(map(str, subject))})")


@pytest.mark.parametrize("name", SCENES)
def test_arrays_of_a_run_cannot_change_it(name: str) -> None:
    """Each array is read-only, or a copy that can be marked all over without a trace in later answers."""
    run = gr.simulate(gr.example(name), until=SCENES[name])
    names = set()
    for where, array in list(answers_of(run)):  # answers are made from one another
        names.add(where)
        if array.flags.writeable:
            array[...] = MARK
    assert {"positions", "velocities", "t", "energy.kinetic"} <= names
    assert [where for where, array in answers_of(run) if (array == MARK).all()] == []
