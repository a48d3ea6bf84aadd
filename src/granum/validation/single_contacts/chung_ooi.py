"""Impacts of one or two spheres: tests 1 to 8 of Chung and Ooi, Granular Matter 13 (2011) 643.

Parameters of tests 1 to 4 are those of the scripts that authors of YADE publish, those of tests 5 to 8 those of the
scripts of PySPH; planes are rigid here. `moreau` and `events` know rigid bodies: they have velocities after the impact,
which are compared with closed forms, but no overlap, force or duration.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from granum.base.kernels import Floats
from granum.validation.case import Curve, Panel, Sheet
from granum.validation.single_contacts.closed_forms import Ball, Solid, rigid_impact, slip, sticking_slip
from granum.validation.single_contacts.integration import TIMES, hertz_mindlin
from granum.validation.single_contacts.running import STEPS, after, elastic_impact, impact, overlaps

SOURCE = "Chung and Ooi 2011"
RIGID = ("moreau", "events")
EXACT = 1e-12
"""Rigid impacts: round-off of some operations."""
SAMPLED = 1e-5
"""Largest overlaps and forces are those of a frame, two steps: (π/2000)²/2 of them is missed; leapfrog is better."""
KINKS = 1.0 / STEPS
"""Dashpots begin with δ^¼ and end where the force would pull: within a step, of first order."""
TANGENTIAL = 1.0 / STEPS
"""Sliding begins and ends within a step, and the springs with the root of the overlap: of first order."""

GLASS, LIMESTONE = Solid("glass", 48e9, 0.20, 2800.0), Solid("limestone", 20e9, 0.25, 2500.0)
ALUMINIUM_IN_2, MAGNESIUM = Solid("aluminium alloy", 70e9, 0.30, 2699.0), Solid("magnesium alloy", 40e9, 0.35, 1800.0)
OXIDE, IRON = Solid("aluminium oxide", 380e9, 0.23, 4000.0), Solid("cast iron", 100e9, 0.25, 7000.0)
STEEL, ALUMINIUM = Solid("steel", 208e9, 0.30, 7850.0), Solid("aluminium alloy", 70e9, 0.33, 2700.0)

NO_OVERLAP = ("does not apply: rigid bodies do not overlap, and an impact takes no time. The velocities after the "
              "impact are compared instead.")


@dataclass(frozen=True)
class Throw:
    """One impact."""

    name: str
    solid: Solid
    ball: Ball
    other: Ball | None
    restitution: float
    friction: float

    @property
    def slides(self) -> bool:
        """Does friction fail to stop the slip of rigid bodies?"""
        return abs(slip(self.ball, self.other)) > sticking_slip(self.ball, self.other, self.restitution, self.friction)

    def rigid(self) -> tuple[Ball, Ball | None]:
        """After the impact of rigid bodies."""
        return rigid_impact(self.ball, self.other, self.restitution, self.friction)

    def elastic(self) -> tuple[Ball, Ball | None]:
        """After that of elastic ones with dashpots, by an integration of their own."""
        return hertz_mindlin(self.solid, self.ball, self.other, self.restitution, self.friction)

    def by(self, solver: str) -> tuple[Ball, Ball | None]:
        """As a solver has it."""
        run = impact(solver, self.solid, self.ball, self.other, self.restitution, self.friction)
        return after(run, "ball", self.ball), None if self.other is None else after(run, "other", self.other)


# ---- tests 1 and 2: elastic, along the normal


def head_on(solid: Solid) -> Throw:
    """Test 1: two spheres of 10 mm at ± 10 m/s."""
    ball, other = (Ball.of(solid, 0.01, speed) for speed in (10.0, -10.0))
    return Throw(f"1 {solid.name}", solid, ball, other, 1.0, 0.0)


def on_plane(solid: Solid) -> Throw:
    """Test 2: a sphere of 0.1 m on a rigid plane at 0.2 m/s."""
    return Throw(f"2 {solid.name}", solid, Ball.of(solid, 0.1, 0.2), None, 1.0, 0.0)


def elastic_impacts(sheet: Sheet) -> Panel:
    """Overlap, force and duration by `soft`, and the rebound of all solvers; force over overlap is drawn."""
    curves = []
    for throw in (head_on(GLASS), head_on(LIMESTONE), on_plane(ALUMINIUM_IN_2), on_plane(MAGNESIUM)):
        exact = elastic_impact(throw.solid, throw.ball, throw.other)
        deep, force, duration = _history(throw)
        note = f"soft, Hertz's law, {STEPS} steps in the contact. Reference: Hertz's theory in closed form."
        for name, unit, scale, computed, reference in (
                ("overlap", "µm", 1e6, float(deep.max()), exact.overlap),
                ("force", "kN", 1e-3, float(force.max()), exact.force),
                ("duration", "µs", 1e6, duration, exact.duration)):
            sheet.compare(f"{throw.name} {name} [{unit}] soft", SOURCE, scale * computed, scale * reference, SAMPLED,
                          note, unit=unit, relative=True)
        if throw.name.startswith("1"):
            held = 0.5 * (deep[1:] + deep[:-1])
            shown = np.flatnonzero(held > 0.0)[::10]
            curves.append(Curve(throw.solid.name, held[shown] / exact.overlap, force[shown] / exact.force, "marks"))
        for solver in (*RIGID, "soft"):
            out = throw.by(solver)[0]
            sheet.compare(f"{throw.name} rebound [m/s] {solver}", SOURCE, -out.vx, throw.ball.vx,
                          EXACT if solver in RIGID else SAMPLED, "Speed after the impact. Reference: that before it.",
                          unit="m/s", relative=True)
    for test in (1, 2):
        for solver in RIGID:
            sheet.leave_out(f"{test} overlap, force and duration {solver}", SOURCE, f"{solver} {NO_OVERLAP}")
    x = np.linspace(0.0, 1.0, 101)
    curves.append(Curve("Hertz, closed form", x, x**1.5, "line"))
    return Panel("overlap over its largest [-]", "force over its largest [-]", tuple(curves), title="1 elastic impact")


def _history(throw: Throw) -> tuple[Floats, Floats, float]:
    """Overlap, force (mean from frame to frame) of `soft`, and how long bodies overlap."""
    run = impact("soft", throw.solid, throw.ball, throw.other, throw.restitution, throw.friction, frames=True)
    deep, t = overlaps(run, throw.ball, throw.other), run.t
    force: Floats = -throw.ball.mass * np.diff(run.velocity("ball")[:, 0]) / np.diff(t)
    last = int(np.flatnonzero((deep[:-1] > 0.0) & (deep[1:] <= 0.0))[0])
    part = deep[last] / (deep[last] - deep[last + 1])
    return deep, force, float(t[last] + part * (t[last + 1] - t[last]))


# ---- test 3: restitution


def restitutions(sheet: Sheet, quick: bool) -> Panel:
    """Restitution out for restitution in; their difference is drawn."""
    values = (0.2, 0.6, 1.0) if quick else (0.2, 0.4, 0.6, 0.8, 1.0)
    errors: dict[str, list[tuple[float, float]]] = {"moreau and events": [], "soft": []}
    for solid, solvers in ((OXIDE, (*RIGID, "soft")), (IRON, ("soft",))):
        for solver in solvers:
            for e in values:
                throw = Throw(f"3 {solid.name} e={e:g}", solid, Ball.of(solid, 0.0025, 3.9), None, e, 0.0)
                found = -throw.by(solver)[0].vx / 3.9
                errors["soft" if solver == "soft" else "moreau and events"].append((e, found - e))
                sheet.compare(f"{throw.name} restitution {solver}", SOURCE, found, e,
                              EXACT if solver in RIGID else KINKS,
                              "Speed after over speed before the impact on a rigid plane. Reference: as the scene has "
                              "it.", unit="-")
    curves = tuple(Curve.along(label, np.array(pairs), "marks") for label, pairs in errors.items())
    return Panel("restitution of the scene [-]", "error of the restitution [-]", curves, title="3 restitution")


# ---- tests 4 to 8: with friction


def oblique(angle: float) -> Throw:
    """Test 4: 3.9 m/s at an angle from the normal [°], on a plane."""
    a = math.radians(angle)
    ball = Ball.of(OXIDE, 0.0025, 3.9 * math.cos(a), 3.9 * math.sin(a))
    return Throw(f"4 {angle:g}°", OXIDE, ball, None, 0.98, 0.092)


def tangential(speed: float) -> Throw:
    """Test 5: 5 m/s along the normal and a speed across it, on a plane."""
    return Throw(f"5 v={speed:g} m/s", STEEL, Ball.of(STEEL, 1e-5, 5.0, speed), None, 1.0, 0.3)


def spinning(spin: float) -> Throw:
    """Test 6: 0.2 m/s along the normal and a spin, on a plane."""
    return Throw(f"6 ω={spin:g} rad/s", ALUMINIUM, Ball.of(ALUMINIUM, 0.1, 0.2, 0.0, spin), None, 0.5, 0.4)


def equal_spins(spin: float) -> Throw:
    """Test 7: two spheres of the same spin, so that their surfaces slip on each other by 2 R ω."""
    one, two = (Ball.of(ALUMINIUM, 0.1, speed, 0.0, spin) for speed in (0.2, -0.2))
    return Throw(f"7 ω={spin:g} rad/s", ALUMINIUM, one, two, 0.5, 0.4)


def unequal(spin: float) -> Throw:
    """Test 8: a sphere that spins meets one of five times its radius and a thousand times its density, at rest."""
    large = replace(Ball.of(ALUMINIUM, 0.5), mass=1000.0 * Ball.of(ALUMINIUM, 0.5).mass)
    return Throw(f"8 ω={spin:g} rad/s", ALUMINIUM, Ball.of(ALUMINIUM, 0.1, 0.2, 0.0, spin), large, 0.5, 0.4)


ANGLES = (5.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 85.0)


def frictional(quick: bool) -> Iterator[Throw]:
    """Tests 5 to 8, sticking and sliding."""
    yield from map(tangential, (1.0, 20.0) if quick else (1.0, 5.0, 20.0, 50.0))
    for test in (spinning, equal_spins, unequal):
        yield from map(test, (1.0, 12.0) if quick else (0.5, 1.0, 4.0, 12.0, 22.0))


def oblique_impacts(sheet: Sheet, quick: bool) -> Panel:
    """Angular velocity and speed across after the impact of test 4; the former is drawn over the angle."""
    angles = (10.0, 40.0, 60.0) if quick else ANGLES
    spins = {solver: [_compare(sheet, oblique(angle), solver)[0].spin for angle in angles]
             for solver in (*RIGID, "soft")}
    curves = [Curve("moreau and events", np.array(2 * angles), np.array(spins["moreau"] + spins["events"]), "marks"),
              Curve("soft", np.array(angles), np.array(spins["soft"]), "marks")]
    fine = np.linspace(1.0, 89.0, 45)
    curves.append(Curve("rigid, closed form", fine, np.array([oblique(a).rigid()[0].spin for a in fine])))
    curves.append(Curve("Hertz and Mindlin, integrated", fine, np.array([oblique(a).elastic()[0].spin for a in fine]),
                        "dashed"))
    return Panel("angle of incidence [°]", "angular velocity after the impact [rad/s]", tuple(curves),
                 title="4 oblique impact")


def frictional_impacts(sheet: Sheet, quick: bool) -> None:
    """Tests 5 to 8 by all solvers."""
    for throw in frictional(quick):
        for solver in (*RIGID, "soft"):
            _compare(sheet, throw, solver)


def _compare(sheet: Sheet, throw: Throw, solver: str) -> tuple[Ball, Ball | None]:
    """Rows of what an impact leaves: spin and speed across of the ball, and the spin of the other."""
    found, reference = throw.by(solver), throw.rigid()
    allowed, words = EXACT, "rigid bodies in closed form"
    if solver == "soft" and throw.slides:
        allowed = KINKS
        if throw.other is not None:
            allowed += 0.5 * elastic_impact(throw.solid, throw.ball, throw.other).overlap / throw.ball.radius
            words += "; in soft friction acts at the contact, nearer to the centres by half of the overlap"
    elif solver == "soft":
        reference, allowed = throw.elastic(), TANGENTIAL
        words = (f"Hertz and Mindlin's law by SciPy and {TIMES} steps of our own, because tangential springs give back "
                 "what rigid bodies lose where they stick")
    regime = "Slides throughout" if throw.slides else "Sticks before the end"
    note = (f"{regime}. Reference: {words}. Allowed: {allowed:.2g} of the speed at which the surfaces slip before the "
            "impact (over the radius, for spins).")
    speed = allowed * abs(slip(throw.ball, throw.other))
    rows = [("ω", "rad/s", found[0].spin, reference[0].spin, speed / throw.ball.radius),
            ("v across", "m/s", found[0].vy, reference[0].vy, speed)]
    if found[1] is not None and reference[1] is not None:
        rows.append(("ω of the other", "rad/s", found[1].spin, reference[1].spin, speed / found[1].radius))
    for name, unit, computed, own, most in rows:
        sheet.compare(f"{throw.name} {name} [{unit}] {solver}", SOURCE, computed, own, most, note, unit=unit)
    return found
