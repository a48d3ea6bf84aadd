"""A rigid body divided into two parts, on springs (Souchet, example 2): frequencies and the force across the cut."""

from __future__ import annotations

import math

import numpy as np

from granum.analytic.derive import derive
from granum.analytic.virtual_work import VirtualWork
from granum.base.kernels import Floats
from granum.integrate.friction import FrictionMotion
from granum.io.examples import example
from granum.model.scene import Scene
from granum.validation.case import Case, Curve, Figure, Panel, Sheet

SOURCE = "Souchet, example 2"
MASSES = (1.0, 2.0, 1.5)
K0, K3 = 100.0, 50.0
START = (0.1, 0.1, 0.05)
"""q₁ = q₂, and q₃, the stretch of the second spring [m]; at rest."""
TIMES = (0.0, 1.0)


def divided() -> Scene:
    """The example: masses that move by q₁, q₂ and q₂ + q₃ on one line, the first two held together by q₂ = q₁."""
    masses = {f"body.B{k}.mass": mass for k, mass in enumerate(MASSES, 1)}
    start = {"q1": START[0], "q3": START[2]}
    return example("divided-body").vary({
        **masses, "system.parameters.k0": K0, "system.parameters.k3": K3,
        **{f"system.start.{name}": value for name, value in start.items()}})


def frequencies() -> tuple[float, float]:
    """Roots of det(K - ω² M) with masses m₁ + m₂ and m₃, from the quadratic formula."""
    m, m3 = MASSES[0] + MASSES[1], MASSES[2]
    half, product = 0.5 * ((K0 + K3) / m + K3 / m3), K0 * K3 / (m * m3)
    root = math.sqrt(half * half - product)
    return math.sqrt(half - root), math.sqrt(half + root)


def modal_cut(times: Floats) -> Floats:
    """The force on B₂ by B₁ [N] by superposition of the two modes: F = m₂ q̈₂ - k₃ q₃."""
    m = MASSES[0] + MASSES[1]
    # positions X and Y of both bodies: m Ẍ = -k₀ X + k₃ (Y - X), m₃ Ÿ = -k₃ (Y - X); mode (1, r) with ω²
    squares = [omega**2 for omega in frequencies()]
    shapes = [(K0 + K3 - m * s) / K3 for s in squares]
    X, Y = START[0], START[0] + START[2]
    parts = np.linalg.solve(np.array([[1.0, 1.0], shapes]), np.array([X, Y]))
    total = np.zeros(len(times))
    for part, s, shape in zip(parts, squares, shapes, strict=True):
        total += part * np.cos(math.sqrt(s) * times) * (-MASSES[1] * s - K3 * (shape - 1.0))
    return total


def compute(sheet: Sheet, quick: bool) -> list[Figure]:
    """Frequencies by linearization, the force by integration."""
    equations = derive(divided())
    assert isinstance(equations, VirtualWork)
    computed_frequencies = equations.linearize(np.zeros(3), np.zeros(3)).frequencies
    for k, (computed, reference) in enumerate(zip(computed_frequencies, frequencies(), strict=True)):
        # derivatives are exact: what is left is the rounding of an eigenvalue problem
        sheet.compare(f"frequency mode={k + 1}", SOURCE, float(computed), reference, 1e-12,
                      "Angular frequency [rad/s] from virtual-work, linearised. Reference: quadratic formula.",
                      relative=True)
    times = np.linspace(0.0, TIMES[-1], 101)
    expected, computed_cut = modal_cut(times), _integrated(equations, times)
    for t in TIMES:
        k = int(np.searchsorted(times, t))
        sheet.compare(f"cut-force t={t:g}", SOURCE, computed_cut[k], expected[k], 1e-9,
                      "Force of B₁ on B₂, released at rest from q₁ = q₂ = 0.1 m, q₃ = 0.05 m: multiplier of q₂ = q₁, "
                      "dop853 at 1e-12. Reference: modal superposition.", unit="N")
    panel = Panel("t [s]", "force across the cut [N]", (
        Curve("virtual-work", times, computed_cut), Curve("modes", times, expected, "dashed")))
    return [Figure("example-2", "Force across the cut of a divided body", (panel,))]


CASE = Case("divided-body", "a mass on springs divided in two: frequencies and the force across the cut", SOURCE,
            ("example-2",), compute)


def _integrated(equations: VirtualWork, times: Floats) -> Floats:
    """The multiplier of the cut along the motion."""
    moving, forces = FrictionMotion(equations), []
    for t in times:
        moving.advance(float(t))
        forces.append(equations.reactions(*moving.state, moving.t)["cut"])
    return np.array(forces)
