"""Scenes of rigid bodies and joints that several tests share."""

from __future__ import annotations

from typing import Any

import numpy as np

import granum as gr

GRAVITY = 9.81


def pendulum_of_rods(lengths: list[float], masses: list[float], angles: list[float], **run: Any) -> gr.Scene:
    """Rods in a row that hang on a fixed point, in the plane; angles from the x axis."""
    body: dict[str, Any] = {"pivot": {"kind": "fixed-point", "position": (0.0, 0.0)}}
    constraint, start, before = {}, {}, "pivot"
    for k, (length, mass, angle) in enumerate(zip(lengths, masses, angles, strict=True)):
        name = f"rod-{k + 1}"
        body[name] = {"kind": "rod", "length": length, "mass": mass}
        start[name] = {"angle": angle}
        constraint[f"hinge-{k + 1}"] = {"kind": "hinge", "between": (before, f"{name}.tail")}
        before = f"{name}.head"
    return gr.Scene(body=body, constraint=constraint, start=start, run=run,
                    load={"gravity": {"kind": "gravity", "acceleration": (0.0, -GRAVITY)}})


def slider_crank(crank: float, rod: float, angle: float, **run: Any) -> gr.Scene:
    """A crank on a fixed point, a connecting rod, a piston that slides along x; in the plane."""
    tilt = -np.arcsin(crank * np.sin(angle) / rod)
    return gr.Scene(
        body={"bearing": {"kind": "fixed-point", "position": (0.0, 0.0)},
              "crank": {"kind": "rod", "length": crank, "mass": 1.5},
              "rod": {"kind": "rod", "length": rod, "mass": 1.0},
              "piston": {"kind": "block", "size": (0.1, 0.1), "mass": 2.0}},
        start={"crank": {"angle": angle}, "rod": {"angle": float(tilt)}},
        constraint={"main": {"kind": "hinge", "between": ("bearing", "crank.tail")},
                    "pin": {"kind": "hinge", "between": ("crank.head", "rod.tail")},
                    "wrist": {"kind": "hinge", "between": ("rod.head", "piston")},
                    "bore": {"kind": "slider", "between": ("bearing", "piston"), "axis": (1.0, 0.0)}},
        load={"gravity": {"kind": "gravity", "acceleration": (0.0, -GRAVITY)}}, run=run)


def four_bar(spatial: bool, bars: tuple[float, float, float] = (1.0, 2.0, 1.5), base: float = 2.2, angle: float = 1.1,
             **run: Any) -> gr.Scene:
    """A crank, a coupler and a rocker between two fixed points; in space with parallel hinges."""
    a, b, c = bars
    knee = a * np.array([np.cos(angle), np.sin(angle)])
    to = np.array([base, 0.0]) - knee
    d = float(np.linalg.norm(to))
    inside = np.arccos((b * b + d * d - c * c) / (2 * b * d))
    coupler = float(np.arctan2(to[1], to[0]) + inside)
    elbow = knee + b * np.array([np.cos(coupler), np.sin(coupler)])
    rocker = float(np.arctan2(elbow[1], elbow[0] - base))
    turned = [angle, coupler, rocker]
    zero = (0.0,) if spatial else ()
    axis = {"axis": (0.0, 0.0, 1.0)} if spatial else {}
    size = {"radius": 0.05}

    def start(theta: float) -> dict[str, Any]:
        return {"orientation": (np.cos(theta / 2), 0.0, 0.0, np.sin(theta / 2))} if spatial else {"angle": theta}

    body: dict[str, Any] = {
        "left": {"kind": "fixed-point", "position": (0.0, 0.0, *zero)},
        "right": {"kind": "fixed-point", "position": (base, 0.0, *zero)}}
    for name, length, mass in zip(("crank", "coupler", "rocker"), bars, (1.0, 2.0, 1.5), strict=True):
        body[name] = {"kind": "rod", "length": length, "mass": mass, **size}
    joints = {"hinge-1": ("left", "crank.tail"), "hinge-2": ("crank.head", "coupler.tail"),
              "hinge-3": ("coupler.head", "rocker.head"), "hinge-4": ("right", "rocker.tail")}
    return gr.Scene(
        body=body,
        start={name: start(theta) for name, theta in zip(("crank", "coupler", "rocker"), turned, strict=True)},
        constraint={name: {"kind": "hinge", "between": between, **axis} for name, between in joints.items()},
        load={"gravity": {"kind": "gravity", "acceleration": (0.0, -GRAVITY, *zero)}}, run=run)


def parallelograms(count: int, **run: Any) -> gr.Scene:
    """Upright cranks side by side, joined by level bars (the N-four-bar of the benchmark library): it passes positions
    where all bars are in line.
    """
    body: dict[str, Any] = {}
    start: dict[str, Any] = {}
    joint: dict[str, tuple[str, str]] = {}
    for k in range(count + 1):
        body[f"ground-{k}"] = {"kind": "fixed-point", "position": (float(k), 0.0)}
        body[f"crank-{k}"] = {"kind": "rod", "length": 1.0, "mass": 1.0}
        start[f"crank-{k}"] = {"angle": np.pi / 2, "angular_velocity": -1.0}
        joint[f"foot-{k}"] = (f"ground-{k}", f"crank-{k}.tail")
    for k in range(count):
        body[f"bar-{k}"] = {"kind": "rod", "length": 1.0, "mass": 1.0}
        start[f"bar-{k}"] = {"angle": 0.0}
        joint[f"left-{k}"] = (f"crank-{k}.head", f"bar-{k}.tail")
        joint[f"right-{k}"] = (f"crank-{k + 1}.head", f"bar-{k}.head")
    return gr.Scene(body=body, start=start, run=run,
                    constraint={name: {"kind": "hinge", "between": ends} for name, ends in joint.items()},
                    load={"gravity": {"kind": "gravity", "acceleration": (0.0, -GRAVITY)}})


def bricard(**run: Any) -> gr.Scene:
    """Six hinges along the edges of a cube, square to the bars they join: Grübler counts no freedom, and it moves."""
    corner = np.array([[0, 0, 0], [1, 0, 0], [1, -1, 0], [1, -1, 1], [0, -1, 1], [0, 0, 1]], dtype=float)
    along = np.roll(corner, -1, axis=0) - corner
    body: dict[str, Any] = {"first": {"kind": "fixed-point", "position": corner[0].tolist()},
                            "last": {"kind": "fixed-point", "position": corner[5].tolist()}}
    start: dict[str, Any] = {}
    for k in range(5):
        body[f"bar-{k}"] = {"kind": "rod", "length": 1.0, "radius": 0.05, "mass": 1.0}
        u = np.array([1.0 + along[k, 0], *np.cross([1.0, 0.0, 0.0], along[k])]) if along[k, 0] > -0.5 \
            else np.array([0.0, 0.0, 0.0, 1.0])
        start[f"bar-{k}"] = {"orientation": (u / np.linalg.norm(u)).tolist()}
    between = [(f"bar-{k}.head", f"bar-{k + 1}.tail") for k in range(4)]
    ends = [("first", "bar-0.tail"), *between, ("last", "bar-4.head")]
    axes = [np.cross(along[k - 1], along[k]).tolist() for k in range(6)]
    constraint = {f"hinge-{k + 1}": {"kind": "hinge", "between": ends[k], "axis": axes[k]} for k in range(6)}
    return gr.Scene(body=body, start=start, constraint=constraint, run=run,
                    load={"gravity": {"kind": "gravity", "acceleration": (0.0, 0.0, -GRAVITY)}})
