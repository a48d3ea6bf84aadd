"""Drag with a viscosity: C_D by the Reynolds number (Sun 1996, eq. 4.9), of spheres and of disks.

The drag curves are written here as published, C_D(Re), and compared with measured values; runs are compared with what
follows from them in closed form, or with SciPy. How long steps behave is in `tests/unit/test_grain_loads.py`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import granum as gr
from grain_scenes import G, gravity
from granum.run.warnings import warnings_of
from messages import says

RHO, NU, DENSITY = 1000.0, 1e-6, 2500.0
"""Water, and grains of glass."""


def sphere_coefficient(re: float) -> float:
    """Clift and Gauvin (1971)."""
    return 24.0 / re * (1.0 + 0.15 * re**0.687) + 0.42 / (1.0 + 42500.0 * re**-1.16)


def cylinder_coefficient(re: float) -> float:
    """Sucker and Brauer (1975)."""
    return 1.18 + 6.8 / re**0.89 + 1.96 / re**0.5 - 0.0004 * re / (1.0 + 3.64e-7 * re**2)


def drag_over_mass(dimension: int, r: float, speed: float) -> float:
    """½ ρ A C_D w²/m [m/s²]: a sphere in 3-D, a disk in 2-D."""
    if speed == 0.0:
        return 0.0
    if dimension == 3:
        area_over_mass = 0.75 / (DENSITY * r)
        return 0.5 * RHO * area_over_mass * sphere_coefficient(2.0 * r * speed / NU) * speed**2
    return 0.5 * RHO * 2.0 / (math.pi * DENSITY * r) * cylinder_coefficient(2.0 * r * speed / NU) * speed**2


def tank(dimension: int, r: float, step: float, until: float, velocity: float = 0.0, down: float = -G,
         **more: Any) -> gr.Scene:
    """A grain in water, which flows along the last axis."""
    flow, fall = [0.0] * dimension, [0.0] * dimension
    flow[-1], fall[-1] = velocity, down
    fields: dict[str, Any] = {
        "material": {"glass": {"density": DENSITY}},
        "body": {"grain": {"kind": "disk" if dimension == 2 else "sphere", "radius": r}},
        "start": {"grain": {"position": [0.0] * dimension}},
        "load": {"water": {"kind": "drag", "density": RHO, "kinematic_viscosity": NU, "velocity": flow},
                 "g": gravity(*fall)},
        "run": {"until": until, "interval": until, "step": step, "solver": "moreau"}}
    return gr.Scene(**fields | more)


def speed_at_end(scene: gr.Scene) -> float:
    return -float(gr.simulate(scene, progress=False).velocity("grain")[-1, scene.dimension - 1])


# measured, rounded as in handbooks: spheres by Lapple and Shepherd (1940), cylinders by Wieselsberger (1921)
SPHERES = {0.1: 244.0, 1.0: 26.5, 10.0: 4.1, 100.0: 1.07, 1000.0: 0.46, 1e4: 0.405, 1e5: 0.48}
CYLINDERS = {0.1: 58.0, 1.0: 10.0, 10.0: 2.7, 100.0: 1.4, 1000.0: 0.98, 1e4: 1.1, 1e5: 1.2}


def test_the_drag_curves_are_those_that_were_measured() -> None:
    """Within 13 %, which is the scatter of the measurements and of fits to them; above Re = 2e5 they do not hold."""
    for coefficient, measured in ((sphere_coefficient, SPHERES), (cylinder_coefficient, CYLINDERS)):
        for re, value in measured.items():
            assert coefficient(re) == pytest.approx(value, rel=0.13), re


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("r", [2e-5, 5e-4, 2e-2])
def test_terminal_velocity(dimension: int, r: float) -> None:
    """m g = ½ ρ A C_D(Re) v², by a root of the printed formula; Re is from 0.05 to 5e4. The end has no error of the
    step, which is long.
    """
    wanted = brentq(lambda v: drag_over_mass(dimension, r, v) - G, 1e-9, 50.0, xtol=1e-15)
    assert 0.01 < 2.0 * r * wanted / NU < 2e5
    time, step = wanted / G, 0.2 * math.sqrt(r / G)
    assert speed_at_end(tank(dimension, r, step, max(40.0 * time, step))) == pytest.approx(wanted, rel=1e-10)


def test_stokes_limit() -> None:
    """v_t = m g/(3 π μ d) and w = w₀ exp(-t/τ), τ = m/(3 π μ d), at any step; C_D differs by 0.15 Re^0.687."""
    r, until = 1e-6, 3e-6
    tau = DENSITY * (2.0 * r) ** 2 / (18.0 * RHO * NU)
    reynolds = 2.0 * r * G * tau / NU
    assert reynolds < 2e-5
    bound = 0.15 * reynolds**0.687
    assert speed_at_end(tank(3, r, tau, 40.0 * tau)) == pytest.approx(G * tau, rel=bound)
    for step in (0.01 * tau, until):
        w = speed_at_end(tank(3, r, step, until, velocity=-1e-7, down=0.0))
        assert w == pytest.approx(1e-7 * -math.expm1(-until / tau), rel=0.15 * 2e-7**0.687 * until / tau)


@pytest.mark.parametrize("dimension", [2, 3])
def test_a_falling_grain_is_of_second_order(dimension: int) -> None:
    """Against SciPy, while the grain still accelerates: halving the step divides the error by 4."""
    r, until = 5e-4, 0.03
    solution = solve_ivp(lambda t, v: [G - drag_over_mass(dimension, r, float(v[0]))], (0.0, until), [0.05],
                         method="DOP853", rtol=1e-12, atol=1e-15)
    start = {"grain": {"position": [0.0] * dimension, "velocity": [0.0] * (dimension - 1) + [-0.05]}}
    errors = [abs(speed_at_end(tank(dimension, r, until / count, until, start=start)) - solution.y[0, -1])
              for count in (20, 40, 80)]
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.25)
    assert errors[1] / errors[2] == pytest.approx(4.0, rel=0.15)


def test_the_wall_that_holds_a_grain_bears_its_drag() -> None:
    """F = ½ ρ A C_D(Re) u² + m g at any step: nothing moves. Forces are recorded in single precision."""
    r, u = 5e-4, 0.2
    wall = {"wall": {"kind": "plane", "position": [0.0, 0.0, r], "normal": [0.0, 0.0, -1.0]}}
    wanted = DENSITY * 4.0 / 3.0 * math.pi * r**3 * (drag_over_mass(3, r, u) + G)
    for step in (1e-4, 1e-3):
        run = gr.simulate(tank(3, r, step, 0.3, velocity=u, down=G, boundary=wall), progress=False)
        arrays = run._recording.arrays
        force = arrays["contact_force"][-1, : int(arrays["contact_count"][-1])]
        assert abs(float(force[0, 2])) == pytest.approx(wanted, rel=3e-7)
        assert np.all(np.abs(run.position("grain")[-1]) < 1e-9 * r)


def test_beyond_the_curve_is_reported() -> None:
    """Re = 3e5 is above the drag crisis."""
    run = gr.simulate(tank(3, 0.15, 1e-3, 2e-3, velocity=1.0, down=0.0), progress=False)
    (warning,) = [warning for warning in warnings_of(run) if "load.water" in warning]
    says(warning, "1 grain", "200000", "drag_coefficient")
