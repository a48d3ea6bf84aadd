"""Scenes of rigid bodies and joints that several tests share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

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


@dataclass(frozen=True)
class Governor:
    """A centrifugal governor on a free shaft: two arms with balls, two links to a sleeve, all on hinges along y.

    In 3-D each loop has three rows too many: 52 rows of rank 46. Its closed form has one angle θ, that of the arms from
    the vertical, and the angular momentum L = I(θ) φ' about the shaft, which stays.
    """

    thickness: float
    """Of shaft, arms and links [m]."""
    theta: float = 0.6
    speed: float = 6.0
    """Of the shaft at the start [rad/s]."""
    arm: float = 0.4
    offset: float = 0.05
    """Of the hinges on shaft and sleeve from the axis [m]."""
    top: float = 1.0
    ball_radius: float = 0.05
    shaft: float = 0.6
    rod: float = 0.5
    ball: float = 2.0
    sleeve_mass: float = 1.5

    def scene(self, spring: dict[str, Any] | None = None, **run: Any) -> gr.Scene:
        """The scene, with gravity."""
        l, h, r, s, c = self.arm, self.offset, self.thickness, np.sin(self.theta), np.cos(self.theta)
        spin = {"angular_velocity": (0.0, 0.0, self.speed)}
        body: dict[str, Any] = {
            "foot": {"kind": "fixed-point", "position": (0.0, 0.0, 0.0)},
            "shaft": {"kind": "block", "size": (r, r, self.top), "mass": self.shaft, "points": {
                "foot": (0.0, 0.0, -0.5 * self.top), "hinge-1": (h, 0.0, 0.5 * self.top),
                "hinge-2": (-h, 0.0, 0.5 * self.top)}},
            "sleeve": {"kind": "block", "size": (2 * h, 2 * h, 2 * h), "mass": self.sleeve_mass, "points": {
                "hinge-1": (h, 0.0, 0.0), "hinge-2": (-h, 0.0, 0.0)}}}
        start: dict[str, Any] = {"shaft": {"position": (0.0, 0.0, 0.5 * self.top), **spin},
                                 "sleeve": {"position": (0.0, 0.0, float(self.sleeve(self.theta))), **spin}}
        constraint: dict[str, Any] = {
            "bearing": {"kind": "hinge", "between": ("foot", "shaft.foot"), "axis": (0.0, 0.0, 1.0)},
            "guide": {"kind": "slider", "between": ("shaft", "sleeve"), "axis": (0.0, 0.0, 1.0)}}
        for k, side in ((1, 1.0), (2, -1.0)):
            for name, out, down in ((f"arm-{k}", side * s, 0.5), (f"link-{k}", -side * s, 1.5)):
                tilt = 0.5 * float(np.arctan2(c, out))  # about y, from x to outward and down
                body[name] = {"kind": "block", "size": (l, r, r), "mass": self.rod, "points": {
                    "upper": (-0.5 * l, 0.0, 0.0), "lower": (0.5 * l, 0.0, 0.0)}}
                start[name] = {"position": (side * (h + 0.5 * l * s), 0.0, self.top - down * l * c), **spin,
                               "orientation": (np.cos(tilt), 0.0, np.sin(tilt), 0.0)}
            body[f"ball-{k}"] = {"kind": "sphere", "radius": self.ball_radius, "mass": self.ball}
            start[f"ball-{k}"] = {"position": (side * (h + l * s), 0.0, self.top - l * c), **spin}
            for name, one, two in (("shoulder", f"shaft.hinge-{k}", f"arm-{k}.upper"),
                                   ("elbow", f"arm-{k}.lower", f"link-{k}.upper"),
                                   ("wrist", f"link-{k}.lower", f"sleeve.hinge-{k}")):
                constraint[f"{name}-{k}"] = {"kind": "hinge", "between": (one, two), "axis": (0.0, 1.0, 0.0)}
            constraint[f"weld-{k}"] = {"kind": "glue", "between": (f"arm-{k}.lower", f"ball-{k}")}
        load = {"gravity": {"kind": "gravity", "acceleration": (0.0, 0.0, -GRAVITY)}}
        return gr.Scene(body=body, start=start, constraint=constraint, run=run,
                        load=load if spring is None else {**load, "spring": spring})

    def sleeve(self, theta: Any) -> Any:
        """Height of the sleeve."""
        return self.top - 2.0 * self.arm * np.cos(theta)

    def potential_slope(self, theta: float) -> float:
        """dV/dθ of gravity."""
        levers = 2 * (0.5 + 1.5) * self.rod + 2 * self.ball + 2 * self.sleeve_mass
        return float(GRAVITY * self.arm * levers * np.sin(theta))

    def _moment(self, theta: float) -> tuple[float, float]:
        """I about the shaft and its derivative."""
        l, h, r, s, c = self.arm, self.offset, self.thickness, np.sin(theta), np.cos(theta)
        along, across = self.rod * r**2 / 6.0, self.rod * (l**2 + r**2) / 12.0
        fixed = self.shaft * r**2 / 6.0 + self.sleeve_mass * (2 * h) ** 2 / 6.0 + 0.8 * self.ball * self.ball_radius**2
        rods = self.rod * (h + 0.5 * l * s) ** 2 + along * c**2 + across * s**2
        slope = self.rod * (h + 0.5 * l * s) * l * c + 2.0 * (across - along) * s * c
        return (float(fixed + 4.0 * rods + 2.0 * self.ball * (h + l * s) ** 2),
                float(4.0 * slope + 4.0 * self.ball * (h + l * s) * l * c))

    def _inertia(self, theta: float) -> tuple[float, float]:
        """The inertia of θ and its derivative."""
        l, s, c = self.arm, np.sin(theta), np.cos(theta)
        across = self.rod * (l**2 + self.thickness**2) / 12.0
        ball = self.ball * (l**2 + 0.4 * self.ball_radius**2)
        links = self.rod * l**2 * (0.25 * c**2 + 2.25 * s**2)
        value = 2.0 * (0.25 * self.rod * l**2 + 2.0 * across + links + ball) + 4.0 * self.sleeve_mass * l**2 * s**2
        return float(value), float((8.0 * self.rod + 8.0 * self.sleeve_mass) * l**2 * s * c)

    def motion(self, t: Any) -> tuple[Any, Any]:
        """θ and the angle of the shaft at times, from θ'' and φ' = L/I by Lagrange's equations."""
        L = self._moment(self.theta)[0] * self.speed

        def rates(_: float, y: Any) -> list[float]:
            moment, slope = self._moment(y[0])
            inertia, bend = self._inertia(y[0])
            speed = L / moment
            push = 0.5 * slope * speed**2 - 0.5 * bend * y[1] ** 2 - self.potential_slope(y[0])
            return [y[1], push / inertia, speed]

        solved = solve_ivp(rates, (0.0, float(t[-1])), [self.theta, 0.0, 0.0], "DOP853", t, rtol=1e-13, atol=1e-14)
        return solved.y[0], solved.y[2]
