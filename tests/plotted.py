"""Small runs of every kind for tests of plots, and what all figures must keep."""

from __future__ import annotations

from functools import cache
from typing import Any

from matplotlib.figure import Figure

import granum as gr

G = 9.81
RADIUS, MASS, HEIGHT = 0.1, 2.0, 4
"""Of the disks of the column, and how many there are."""
EVERY = 0.05
"""Seconds between two grains of the stream."""
WEIGHT = {"gravity": {"kind": "gravity", "acceleration": [0.0, -G]}}
DOWN = {"gravity": {"kind": "gravity", "acceleration": [0.0, 0.0, -G]}}
STONE = {"stone": {"density": 2500.0, "restitution": 0.0}}
FLOOR = {"kind": "plane", "position": [0.0, 0.0], "normal": [0.0, 1.0]}


def _pendulum() -> gr.Scene:
    """Twelve point masses on links."""
    return gr.Scene(title="Chain", body={"pivot": {"kind": "fixed-point", "position": [0.0, 0.0]}},
                    pattern={"chain": {"kind": "chain", "from": "pivot", "bodies": "bob", "links": "rod", "count": 12,
                                       "length": 0.1, "angles": 0.0, "mass": 1.0}}, load=WEIGHT, run={"until": 0.2})


def _formulas() -> gr.Scene:
    """A mass on a circle, by a constraint."""
    return gr.Scene(
        system={"coordinates": ["x", "y"], "kinetic": "(x_dot**2 + y_dot**2)/2", "potential": "9.81*y",
                "start": {"x": 1.0, "y": 0.0, "x_dot": 0.0, "y_dot": 0.0}, "points": {"P": ["x", "y"]}},
        constraint={"circle": {"kind": "formula", "formula": "x**2 + y**2 - 1"}},
        run={"until": 0.5, "formulation": "fundamental"})


def _rolling() -> gr.Scene:
    """A ball in a bowl."""
    return gr.Scene(
        title="Ball", body={"ball": {"kind": "sphere", "radius": 0.1, "mass": 1.0}},
        surface={"bowl": {"equation": "Z - (X**2 + 2*Y**2)/4"}},
        constraint={"roll": {"kind": "rolling", "body": "ball", "on": "bowl"}}, load=DOWN,
        start={"ball": {"contact": [0.5, 0.2], "velocity": [0.0, 0.3], "spin": 0.0}},
        run={"until": 0.3, "formulation": "fundamental"})


def _mechanism() -> gr.Scene:
    """Two rods that hang on hinges, at rest, and a cut through the first."""
    return gr.Scene(
        title="Rods", body={"wall": {"kind": "fixed-point", "position": [0.0, 0.0]},
                            "upper": {"kind": "rod", "length": 1.0, "mass": 1.0},
                            "lower": {"kind": "rod", "length": 1.0, "mass": 3.0}},
        constraint={"shoulder": {"kind": "hinge", "between": ["wall", "upper.tail"]},
                    "elbow": {"kind": "hinge", "between": ["upper.head", "lower.tail"]}},
        start={"upper": {"angle": -1.5707963267948966}, "lower": {"angle": -1.5707963267948966}},
        probe={"cut": {"kind": "section", "body": "upper", "position": [0.0, 0.0], "normal": [1.0, 0.0]}},
        load=WEIGHT, run={"until": 0.2})


def _actuated() -> gr.Scene:
    """A rod that hangs on a hinge with a motor, at rest."""
    return gr.Scene(
        title="Motor", body={"wall": {"kind": "fixed-point", "position": [0.0, 0.0]},
                             "rod": {"kind": "rod", "length": 1.0, "mass": 1.0}},
        constraint={"shoulder": {"kind": "hinge", "between": ["wall", "rod.tail"]}},
        start={"rod": {"angle": -1.5707963267948966}},
        actuator={"motor": {"kind": "torque", "joint": "shoulder", "torque": 0.1}}, load=WEIGHT, run={"until": 0.2})


def _column() -> gr.Scene:
    """Disks on one another, at rest."""
    names = [f"disk-{k + 1}" for k in range(HEIGHT)]
    return gr.Scene(
        title="Column", material={"stone": {"restitution": 0.0}},
        body={name: {"kind": "disk", "radius": RADIUS, "mass": MASS} for name in names},
        start={name: {"position": [0.0, (2 * k + 1) * RADIUS]} for k, name in enumerate(names)},
        boundary={"floor": FLOOR}, load=WEIGHT,
        probe={"core": {"kind": "packing", "region": {"kind": "box", "lower": [-RADIUS, 0.0],
                                                      "upper": [RADIUS, 2 * HEIGHT * RADIUS]}},
               "hard": {"kind": "rigidity"}},
        run={"until": 0.2, "interval": 0.02, "step": 1e-3, "solver": "moreau"})


def _stream() -> gr.Scene:
    """Grains that fall one after the other, all alike."""
    return gr.Scene(
        title="Stream", material=STONE, load=WEIGHT,
        source={"tap": {"radius": 0.01, "positions": [[0.0, 0.0]], "interval": EVERY, "velocity": [0.0, -1.0]}},
        probe={"below": {"kind": "flow", "position": [0.0, -0.3], "normal": [0.0, -1.0]}},
        sink={"end": {"region": {"kind": "half-space", "position": [0.0, -0.6], "normal": [0.0, -1.0]}}},
        run={"until": 2.0, "interval": 0.025, "step": 1e-3, "solver": "moreau"})


def _joined() -> gr.Scene:
    """A block that hangs on a hinge at rest, and a bonded pair of disks that falls."""
    return gr.Scene(
        title="Hung", material=STONE, boundary={"floor": FLOOR}, load=WEIGHT,
        body={"nail": {"kind": "fixed-point", "position": [0.0, 1.0]},
              "block": {"kind": "block", "size": [0.1, 0.4], "mass": 2.0, "points": {"top": [0.0, 0.2]}}},
        start={"block": {"position": [0.0, 0.8]}},
        constraint={"hinge": {"kind": "hinge", "between": ["nail", "block.top"]}},
        pattern={"loose": {"kind": "grains", "count": 2, "radius": 0.05, "arrangement": "lattice",
                           "region": {"kind": "box", "lower": [1.0, 0.0], "upper": [1.3, 0.11]}}},
        run={"until": 0.1, "interval": 0.01, "step": 1e-3, "solver": "moreau"})


def _bonded() -> gr.Scene:
    """A lump that hits the floor."""
    return gr.Scene(
        title="Lump", material=STONE, boundary={"floor": FLOOR}, load=WEIGHT,
        pattern={"lump": {"kind": "grains", "count": 12, "radius": 0.01, "arrangement": "lattice",
                          "region": {"kind": "round", "centre": [0.0, 0.06], "radius": 0.05},
                          "velocity": [0.0, -3.0]}},
        bond={"cement": {"among": "lump", "tensile_strength": 1e4, "shear_strength": 1e4, "gap_ratio": 0.01}},
        run={"until": 0.05, "interval": 0.005, "step": 1e-4, "solver": "moreau"})


SCENES = {"linked": _pendulum, "formulas": _formulas, "rolling": _rolling, "mechanism": _mechanism,
          "actuated": _actuated, "column": _column, "stream": _stream, "joined": _joined, "bonded": _bonded}


@cache
def run_of(kind: str) -> gr.Run:
    """The run of a kind, made once."""
    return gr.simulate(SCENES[kind]())


def unlabelled(drawn: Figure) -> list[str]:
    """Labels of axes that do not end in a unit; [-] is one."""
    labels: list[Any] = []
    for axis in drawn.axes:
        labels += [axis.get_xlabel(), axis.get_ylabel(), getattr(axis, "get_zlabel", str)()]
    return [label for label in labels if label and not label.rstrip().endswith("]")]


def is_empty(drawn: Figure) -> bool:
    """Has a figure nothing but axes?"""
    return not any(axis.lines or axis.collections or axis.patches for axis in drawn.axes)
