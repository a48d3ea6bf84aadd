"""Small runs of every kind, and of every kind of event that ends one: a few frames each, in milliseconds."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import granum as gr
from tests.fuzz.campaign import Finding

GRAVITY = {"g": {"kind": "gravity", "acceleration": (0.0, -9.81)}}
SAND = {"friction": 0.4, "restitution": 0.3, "density": 2500.0, "stiffness": 1000.0}


def chain(**run: Any) -> gr.Scene:
    """Three points on links."""
    return gr.Scene(
        body={"pivot": {"kind": "fixed-point", "position": (0.0, 0.0)}}, load=GRAVITY, run=run,
        pattern={"chain": {"kind": "chain", "from": "pivot", "count": 3, "length": 1.0, "mass": 1.0,
                           "direction": (1.0, -1.0)}})


def hinged(**run: Any) -> gr.Scene:
    """A rod on a hinge."""
    return gr.Scene(
        body={"pivot": {"kind": "fixed-point", "position": (0.0, 0.0)},
              "rod": {"kind": "rod", "length": 1.0, "radius": 0.1, "mass": 1.0}},
        constraint={"hinge": {"kind": "hinge", "between": ("pivot", "rod.tail"), "axis": (0.0, 0.0, 1.0)}},
        load=GRAVITY, run=run)


def formulas(**run: Any) -> gr.Scene:
    """A point on a circle, by formulas."""
    return gr.Scene(
        system={"coordinates": ("x", "y"), "kinetic": "(x_dot**2 + y_dot**2)/2", "potential": "9.81*y",
                "start": {"x": 1.0, "y": 0.0, "x_dot": 0.0}},
        constraint={"circle": {"kind": "formula", "formula": "x**2 + y**2 - 1"}}, run=run)


def grains(**run: Any) -> gr.Scene:
    """Grains that enter, fall on a floor and leave, with probes."""
    return gr.Scene(
        material={"sand": SAND},
        boundary={"floor": {"kind": "plane", "position": (0.0, 0.0), "normal": (0.0, 1.0)}},
        pattern={"few": {"kind": "grains", "radius": 0.01,
                         "positions": ((0.0, 0.01), (0.005, 0.0305), (0.04, 0.0105))}},
        source={"tap": {"radius": 0.008, "interval": 0.002, "positions": [[0.02, 0.06]], "velocity": [0.0, -1.0]}},
        sink={"right": {"region": {"kind": "half-space", "position": [0.06, 0.0], "normal": [1.0, 0.0]}}},
        probe={"out": {"kind": "flow", "position": [0.03, 0.0], "normal": [1.0, 0.0]}}, load=GRAVITY, run=run)


def falling(**run: Any) -> gr.Scene:
    """Grains that fall on a floor: what all solvers of contact support."""
    scene = grains(**run)
    return scene.model_copy(update={"source": {}, "sink": {}, "probe": {}})


def bodies(**run: Any) -> gr.Scene:
    """A clump of two disks and a jointed rod among grains."""
    return gr.Scene(
        material={"sand": SAND}, shape={"bean": {"disks": [{"centre": [0.0, 0.0], "radius": 1.0},
                                                           {"centre": [1.3, 0.4], "radius": 0.8}]}},
        boundary={"floor": {"kind": "plane", "position": (0.0, 0.0), "normal": (0.0, 1.0)}},
        pattern={"few": {"kind": "grains", "radius": 0.01, "shape": "bean",
                         "positions": ((0.0, 0.03), (0.05, 0.03), (0.1, 0.03))}}, load=GRAVITY, run=run)


def rolls_off(**run: Any) -> gr.Scene:
    """A disk leaves the disk that it rolls on."""
    return gr.Scene(
        body={"big": {"kind": "disk", "radius": 1.0, "mass": 1.0},
              "small": {"kind": "disk", "radius": 0.5, "mass": 1.0},
              "o": {"kind": "fixed-point", "position": (0.0, 0.0)}},
        start={"big": {"position": (0.0, 0.0), "angle": 0.0},
               "small": {"position": (1.5 * np.sin(0.8), 1.5 * np.cos(0.8))}},
        constraint={"pin": {"kind": "hinge", "between": ("o", "big")},
                    "brake": {"kind": "drive", "joint": "pin", "motion": "0*t"},
                    "roll": {"kind": "rolling", "body": "small", "on": "big"}}, load=GRAVITY, run=run)


def slides_off(**run: Any) -> gr.Scene:
    """A mass leaves the ball that it slides on."""
    return gr.Scene(
        system={"coordinates": ("x", "z"), "kinetic": "0.35*(x_dot**2 + z_dot**2)", "potential": "0.7*9.81*z",
                "parameters": {"R": 1.5}, "start": {"x": 0.0, "z": 1.5, "x_dot": 2.0}},
        constraint={"ball": {"kind": "formula", "formula": "(x**2 + z**2 - R**2)/(2*R)"},
                    "rub": {"kind": "friction", "normal": "ball", "slip": ("(z*x_dot - x*z_dot)/R",),
                            "friction": 0.2}},
        run=run)


def blocked(**run: Any) -> gr.Scene:
    """Two grains lie over a hole that is too narrow for them: a jam ends the run."""
    return gr.Scene(
        material={"sand": {**SAND, "friction": 0.8, "restitution": 0.0}},
        boundary={"left": {"kind": "wall", "positions": [[-0.2, 0.0], [-0.008, 0.0]]},
                  "right": {"kind": "wall", "positions": [[0.008, 0.0], [0.2, 0.0]]}},
        pattern={"few": {"kind": "grains", "radius": 0.01, "positions": ((0.0, 0.0065), (0.03, 0.0105))}},
        probe={"out": {"kind": "flow", "position": [0.0, -0.02], "normal": [0.0, -1.0]},
               "jam": {"kind": "jam", "flow": "out", "window": 0.05}}, load=GRAVITY, run=run)


CASES: dict[str, Callable[[], gr.Scene]] = {
    "rattle": lambda: chain(until=3e-3, interval=1e-3, solver="rattle"),
    "mixed": lambda: chain(until=3e-3, interval=1e-3, solver="mixed", adapt_step=True),
    "dop853": lambda: chain(until=3e-2, interval=1e-2),
    "lagrange": lambda: chain(until=3e-2, interval=1e-2, formulation="lagrange"),
    "hinged": lambda: hinged(until=3e-2, interval=1e-2),
    "formulas": lambda: formulas(until=3e-2, interval=1e-2, formulation="fundamental"),
    "moreau": lambda: grains(until=6e-3, interval=2e-3, solver="moreau"),
    "soft": lambda: grains(until=6e-3, interval=2e-3, solver="soft"),
    "unilateral": lambda: falling(until=6e-3, interval=2e-3, solver="unilateral"),
    "events": lambda: falling(until=6e-3, interval=2e-3, solver="events"),
    "bodies": lambda: bodies(until=6e-3, interval=2e-3),
    "rolls off": lambda: rolls_off(until=2.0, interval=0.1),
    "slides off": lambda: slides_off(until=5.0, interval=0.1, formulation="virtual-work"),
    "blocked": lambda: blocked(until=5.0, interval=0.05),
}
ENDED = ("rolls off", "slides off", "blocked")
"""Cases that an event ends."""


@cache
def scene_of(name: str) -> gr.Scene:
    """The scene of a case."""
    return CASES[name]()


@cache
def whole(name: str) -> gr.Run:
    """The run of a case that nothing happens to."""
    run = gr.simulate(scene_of(name), progress=False)
    if (run.event is not None) != (name in ENDED):
        raise AssertionError(f"{name}: {run.event}")
    return run


def refuse_other_bits(found: gr.Run, name: str, all_frames: bool) -> None:
    """Raise a Finding unless the frames of a run are those of its case, bit by bit."""
    expected = whole(name)
    if all_frames and (len(found.t) != len(expected.t) or found.event != expected.event or not found.finished):
        raise Finding(f"{name}: {len(found.t)} of {len(expected.t)} frames, event {found.event}")
    for array in expected._recording.arrays:
        if array.startswith(("checkpoint/", "log/", "transition")):
            continue
        if not np.array_equal(found._frames(array), expected._frames(array)[: len(found.t)], equal_nan=True):
            raise Finding(f"{name}: {array} differs from that of an undisturbed run")


def in_child(task: Callable[[], object]) -> int:
    """Do something in a child process; returns its exit code, negative for a signal that ended it."""
    child = os.fork()
    if child == 0:
        code = 99
        try:
            task()
            code = 0
        except gr.GranumError:
            code = 2
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def simulate(name: str, file: Path, **options: Any) -> gr.Run:
    """Run or resume a case in a file."""
    return gr.simulate(scene_of(name), output=file, progress=False, **options)
