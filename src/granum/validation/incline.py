"""A sphere rolling on an inclined plane (Nguyen Van Khang, §3): acceleration and least friction for rolling."""

from __future__ import annotations

import math

import numpy as np

from granum.analytic.build import Built, build
from granum.analytic.expressed_equations import ExpressedEquations
from granum.analytic.fundamental import Fundamental
from granum.analytic.gibbs_appell import GibbsAppell
from granum.analytic.starts import consistent
from granum.base.kernels import Floats
from granum.model.scene import Scene
from granum.validation.case import Case, Curve, Figure, Panel, Sheet
from granum.validation.scenes import GRAVITY, gravity

SOURCE = "Nguyen Van Khang, §3, eqs. 3.9-3.11"
RADIUS, MASS = 0.1, 2.0
ANGLES = (10.0, 30.0, 45.0)
BODIES: dict[str, float] = {"solid": 0.0, "shell": 0.08}
"""Inner radius [m]."""
ALLOWED = 1e-12


def incline(angle: float, inner: float) -> Scene:
    """A ball on the plane X sin α + Z cos α = 0, which falls towards +X."""
    a = math.radians(angle)
    ball = {"kind": "sphere", "radius": RADIUS, "mass": MASS, **({"inner_radius": inner} if inner else {})}
    return Scene.model_validate({
        "title": f"Sphere on a {angle:g}° incline", "body": {"ball": ball},
        "surface": {"plane": {"equation": f"X*{math.sin(a)!r} + Z*{math.cos(a)!r}"}},
        "constraint": {"roll": {"kind": "rolling", "body": "ball", "on": "plane"}},
        "load": gravity(3),
        "start": {"ball": {"contact": [0.0, 0.0], "velocity": [0.0, 0.0], "spin": 0.0}},
    })


def inertia(inner: float) -> float:
    """I = 2/5 m (a⁵ - b⁵)/(a³ - b³)."""
    return 0.4 * MASS * (RADIUS**5 - inner**5) / (RADIUS**3 - inner**3)


def exact(angle: float, inner: float) -> tuple[float, float]:
    """Acceleration g sin α m a²/(I + m a²), and least friction tan α I/(I + m a²)."""
    a, own, whole = math.radians(angle), inertia(inner), inertia(inner) + MASS * RADIUS**2
    return GRAVITY * math.sin(a) * MASS * RADIUS**2 / whole, math.tan(a) * own / whole


def computed(built: Built, equations: ExpressedEquations, q: Floats, v: Floats) -> tuple[float, float]:
    """Acceleration of the centre [m/s²] and friction over normal force."""
    place = [built.system.coordinates.index(f"ball.{axis}") for axis in "xyz"]
    reactions = equations.reactions(q, v)
    return (float(np.linalg.norm(equations.accelerations(q, v)[place])),
            reactions["roll.friction"] / reactions["roll.normal"])


def compute(sheet: Sheet, quick: bool) -> list[Figure]:
    """Solid and hollow, three slopes, Gibbs-Appell and the fundamental equations."""
    angles = np.linspace(0.0, 60.0, 61)
    curves: list[list[Curve]] = [[], []]
    for body, inner in BODIES.items():
        values = np.array([_rows(sheet, body, inner, angle) for angle in ANGLES]).T
        laws = np.array([exact(angle, inner) for angle in angles]).T
        for own, law, value in zip(curves, laws, values, strict=True):
            own += [Curve(f"{body}, exact", angles, law),
                    Curve(f"{body}, gibbs-appell", np.array(ANGLES), value, "marks")]
    labels = "acceleration [m/s²]", "least friction [-]"
    panels = tuple(Panel("slope [°]", label, tuple(own)) for label, own in zip(labels, curves, strict=True))
    return [Figure("eqs-3-9-to-3-11", "Sphere rolling on an inclined plane", panels)]


CASE = Case("incline", "a sphere rolling on an inclined plane: acceleration and least friction", "Nguyen Van Khang, §3",
            ("eqs-3-9-to-3-11",), compute)


def _rows(sheet: Sheet, body: str, inner: float, angle: float) -> tuple[float, float]:
    """Both values by both formulations; returns those of Gibbs-Appell."""
    built = build(incline(angle, inner))
    q, v = consistent(built.system, built.given, built.conditions, built.guess)
    reference = exact(angle, inner)
    found = {equations.formulation: computed(built, equations, q, v)
             for equations in (GibbsAppell(built.system, (q, v)), Fundamental(built.system, (q, v)))}
    for formulation, values in found.items():
        for name, unit, value, expected in zip(("acceleration", "least-friction"), ("m/s²", "1"), values, reference,
                                               strict=True):
            sheet.compare(f"{name} {body} alpha={angle:g} {formulation}", SOURCE, value, expected, ALLOWED,
                          "At rest, from a scene of a ball rolling on a plane. Reference: closed form.", unit=unit)
    return found["gibbs-appell"]
