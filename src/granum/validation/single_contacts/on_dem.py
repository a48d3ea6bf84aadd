"""Two spheres in prescribed motion: the six interaction tests of the ON-DEM network, by `soft`.

R = 1 m, k_n = 1e7 N/m, k_t = 0.5e7 N/m, μ = 0.5, overlap 0.05 R, 201 instants over 6π s. The network publishes the
motion and the forces of the first test; the motions of the others are ours, made from its descriptions.
"""

from __future__ import annotations

import math

import numpy as np

from granum.base.kernels import Floats
from granum.base.text import count
from granum.validation.case import Curve, Panel, Sheet
from granum.validation.single_contacts.integration import damping_ratio
from granum.validation.single_contacts.prescribed import (
    FRICTION,
    INSTANTS,
    LOADED,
    OVERLAP,
    RATIO,
    STIFFNESS,
    UNTIL,
    Response,
    breathing,
    loaded_rotation,
    respond,
    rolling_shear,
    rotated,
    slider,
)

SOURCE = "ON-DEM interaction tests 2024"
ELASTIC, SLIDING = 0.02, 0.08
"""Amplitudes of the slip [m]."""
ROUND_OFF = 1e-9
"""Forces are read from velocities of up to 2 m/s that they change by some 1e-5 m/s: to 1e-10 and better."""
DAMPED_MASS, DAMPED_RESTITUTION, BREATH = 2e7, 0.2, 0.04
"""Of the viscous test [kg, -, m]: dashpots as strong as the springs."""
RIGID = ("moreau", "events")
NO_STIFFNESS = ("does not apply: the test prescribes an overlap and a stiffness, which rigid contact does not have; "
                "its forces follow from the motion, and here the motion is given.")


def interaction_tests(sheet: Sheet, quick: bool) -> tuple[Panel, ...]:
    """Rows of all six, and a panel each of shear, sliding, rotation and viscous force."""
    steps = 1 if quick else 5
    panels = (_sheared(sheet, steps), _slid(sheet, steps), _turned(sheet, steps), _damped(sheet, steps))
    _lever_arms(sheet, steps)
    for solver in RIGID:
        sheet.leave_out(f"ON-DEM 1 to 6 {solver}", SOURCE, f"{solver} {NO_STIFFNESS}")
    sheet.leave_out("ON-DEM 1 to 6 soft, Hertz's law", SOURCE, "The law of Hertz does not apply: the test prescribes "
                    "constant stiffnesses, which the linear law has.")
    return panels


def midpoint_error(steps: int) -> float:
    """Largest relative error of the slip, a sum of velocities at the middles of steps: h²/24 and higher; twice that."""
    return (UNTIL / ((INSTANTS - 1) * steps)) ** 2 / 12.0


def _note(steps: int, words: str) -> str:
    return f"soft, linear law, {count(steps, 'step')} from each of 201 instants to the next. {words}"


def _largest(sheet: Sheet, name: str, error: Floats, allowed: float, note: str, unit: str = "kN") -> None:
    """A row of the largest deviation of a history from its reference, in thousands of a unit."""
    sheet.compare(f"ON-DEM {name} largest deviation [{unit}]", SOURCE, 1e-3 * float(np.abs(error).max()), 0.0,
                  1e-3 * allowed, note, unit=unit)


def _sheared(sheet: Sheet, steps: int) -> Panel:
    """1: elastic shear, the force -k_t a (1 - cos t)."""
    found = respond(rolling_shear(ELASTIC), steps)
    exact = -RATIO * STIFFNESS * ELASTIC * (1.0 - np.cos(found.t))
    largest = 2.0 * RATIO * STIFFNESS * ELASTIC
    note = _note(steps, "Reference: k_t times the slip 0.02 R (1 - cos t); the slip is summed with second order.")
    sheet.compare("ON-DEM 1 shear force at its largest [kN] soft", SOURCE, 1e-3 * float(np.abs(found.shear).max()),
                  1e-3 * largest, 1e-3 * largest * midpoint_error(steps), note, unit="kN")
    _largest(sheet, "1 shear force soft", found.shear[:, 0] - exact, largest * midpoint_error(steps), note)
    normal = np.sum(found.force * found.normal, axis=1)
    sheet.compare("ON-DEM 1 normal force [kN] soft", SOURCE, 1e-3 * float(normal.mean()), 1e-3 * STIFFNESS * OVERLAP,
                  1e-3 * ROUND_OFF * STIFFNESS * OVERLAP, _note(steps, "Reference: k_n times the overlap."), unit="kN")
    return Panel("t [s]", "shear force on the second sphere [kN]",
                 (_marks("soft", found.t, found.shear[:, 0]), Curve("closed form", found.t, 1e-3 * exact)),
                 title="1 elastic shear")


def _slid(sheet: Sheet, steps: int) -> Panel:
    """2: sliding, a play of spring and slider."""
    found = respond(rolling_shear(SLIDING), steps)
    exact, slip = slider(found.t, SLIDING), SLIDING * (1.0 - np.cos(found.t))
    note = _note(steps, "Reference: elastic from each turn of the motion on, until Coulomb's limit μ k_n 0.05 R.")
    allowed = 2.0 * RATIO * STIFFNESS * SLIDING * midpoint_error(steps)
    _largest(sheet, "2 sliding force soft", found.shear[:, 0] - exact, allowed, note)
    sheet.compare("ON-DEM 2 largest force [kN] soft", SOURCE, 1e-3 * float(np.abs(found.shear).max()),
                  1e-3 * FRICTION * STIFFNESS * OVERLAP, 1e-3 * ROUND_OFF * FRICTION * STIFFNESS * OVERLAP, note,
                  unit="kN")
    return Panel("slip [m]", "shear force on the second sphere [kN]",
                 (_marks("soft", slip, found.shear[:, 0]), Curve("closed form", slip, 1e-3 * exact)), title="2 sliding")


AXES = {"3 rotation about y": (0.0, 1.0, 0.0), "3 rotation about x": (1.0, 0.0, 0.0),
        "3 rotation about (1, 1, 1)": (1.0, 1.0, 1.0), "4 spin about the normal": (0.0, 0.0, 1.0)}


def _turned(sheet: Sheet, steps: int) -> Panel:
    """3 and 4: a loaded pair that rotates as one body, across its normal, obliquely and about it."""
    curves: list[Curve] = []
    for name, given in AXES.items():
        axis = np.array(given) / np.linalg.norm(given)
        found = respond(loaded_rotation(ELASTIC, axis), steps)
        exact = expected_rotation(found, axis)
        # the mean normal of a step of the angle θ is as long as its arc to θ²/24, and what is missed is slip
        apart, angle = 2.0 - OVERLAP, UNTIL - LOADED
        allowed = RATIO * STIFFNESS * (2.0 * ELASTIC + apart * angle) * midpoint_error(steps)
        _largest(sheet, f"{name} soft", found.force - exact, allowed, _note(
            steps, "Both rotate with 1 rad/s for 1.5 turns after a shear of 0.04 R. Reference: the force rotates with "
                   "them. A step of 0.03π rad is a coarse one: the deviation falls with its square."))
        if name.startswith("3 rotation about (1"):
            for k, letter in enumerate("xyz"):
                curves += [_marks(f"F{letter} soft", found.t, found.force[:, k]),
                           Curve(f"F{letter} closed form", found.t, 1e-3 * exact[:, k])]
    return Panel("t [s]", "force on the second sphere [kN]", tuple(curves), title="3 rotation about (1, 1, 1)")


def expected_rotation(found: Response, axis: Floats) -> Floats:
    """(instants, 3): the force of the sheared pair until it rotates, then that at the end of the shear, rotated."""
    normal = STIFFNESS * OVERLAP
    shear = -RATIO * STIFFNESS * ELASTIC * (1.0 - np.cos(np.minimum(found.t, LOADED)))
    still = np.column_stack([shear, np.zeros(len(shear)), np.full(len(shear), normal)])
    return np.array([rotated(force, axis, max(float(t) - LOADED, 0.0))
                     for force, t in zip(still, found.t, strict=True)])


def _damped(sheet: Sheet, steps: int) -> Panel:
    """5: springs and dashpots along the normal, without attraction."""
    found = respond(breathing(BREATH), steps, DAMPED_MASS, DAMPED_RESTITUTION, 0.0)
    mass, h = 0.5 * DAMPED_MASS, UNTIL / ((INSTANTS - 1) * steps)
    damping = 2.0 * damping_ratio(DAMPED_RESTITUTION) * math.sqrt(mass * STIFFNESS)
    exact = np.maximum(STIFFNESS * (OVERLAP + BREATH * np.sin(found.t)) + damping * BREATH * np.cos(found.t), 0.0)
    # velocities are h/2 late, and the coefficient is less by c h/(4 m)
    allowed = damping * BREATH * (0.5 * h + 0.25 * damping * h / mass)
    _largest(sheet, "5 viscous force soft", found.force[:, 2] - exact, allowed, _note(
        steps, "Overlap 0.05 R + 0.04 R sin t. Reference: max(k δ + c δ̇, 0). Dashpots see velocities that are half a "
               "step old, so that this is of first order."))
    sheet.compare("ON-DEM 5 least normal force [kN] soft", SOURCE, 1e-3 * float(found.force[:, 2].min()), 0.0, 1e-6,
                  _note(steps, "Springs and dashpots together do not pull."), unit="kN")
    return Panel("t [s]", "normal force [kN]",
                 (_marks("soft", found.t, found.force[:, 2]), Curve("closed form", found.t, 1e-3 * exact)),
                 title="5 viscous without attraction")


def _lever_arms(sheet: Sheet, steps: int) -> None:
    """6: torques are the force times r - δ/2, and balance that of the force about any point."""
    for radii in ((1.0, 1.0), (1.0, 0.5)):
        found = respond(rolling_shear(ELASTIC, radii), steps)
        shear, name = float(np.abs(found.shear).max()), f"6 radii {radii[0]:g} and {radii[1]:g}"
        words = "Reference: the shear force times r - δ/2, half of the overlap nearer than the surface."
        for k, which in enumerate(("first", "second")):
            sheet.compare(f"ON-DEM {name} torque on the {which} [kN m] soft", SOURCE,
                          1e-3 * float(np.abs(found.torque[:, k]).max()), 1e-3 * shear * (radii[k] - 0.5 * OVERLAP),
                          1e-3 * ROUND_OFF * shear, _note(steps, words), unit="kN m")
        balance = found.torque.sum(axis=1) + np.cross(found.between, found.force)
        _largest(sheet, f"{name} angular momentum soft", balance, ROUND_OFF * shear, _note(
            steps, "Torques on both and the moment of the forces add up to nothing."), "kN m")


def _marks(label: str, x: Floats, y: Floats) -> Curve:
    """Every fourth instant."""
    return Curve(label, x[::4], 1e-3 * y[::4], "marks")
