"""SymPy's KanesMethod and LagrangesMethod on a planar N-link pendulum: `python -m ... METHOD N` prints seconds."""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import numpy as np


def equations(method: str, links: int) -> tuple[Any, Any, list[Any]]:
    """Mass matrix, forcing and variables (q, u) of equal masses on equal rods, 3 m in all."""
    import sympy as sp
    import sympy.physics.mechanics as me

    q, u = me.dynamicsymbols(f"q:{links}"), me.dynamicsymbols(f"u:{links}")
    rates = [s.diff() for s in q] if method == "LagrangesMethod" else u
    frame, origin = me.ReferenceFrame("N"), me.Point("O")
    origin.set_vel(frame, 0)
    length, gravity = 3.0 / links, 9.81
    particles, loads, point, height = [], [], origin, sp.Integer(0)
    velocity: Any = 0
    for k in range(links):
        arm = length * (sp.sin(q[k]) * frame.x - sp.cos(q[k]) * frame.y)
        point = point.locatenew(f"P{k}", arm)
        velocity = velocity + length * rates[k] * (sp.cos(q[k]) * frame.x + sp.sin(q[k]) * frame.y)
        point.set_vel(frame, velocity)
        height -= length * sp.cos(q[k])
        particle = me.Particle(f"m{k}", point, 1)
        particle.potential_energy = gravity * height
        particles.append(particle)
        loads.append((point, -gravity * frame.y))
    if method == "KanesMethod":
        kane = me.KanesMethod(frame, q_ind=q, u_ind=u, kd_eqs=[a - b.diff() for a, b in zip(u, q, strict=True)])
        kane.kanes_equations(particles, loads)
        return kane.mass_matrix, kane.forcing, [*q, *u]
    lagrange = me.LagrangesMethod(me.Lagrangian(frame, *particles), q)
    lagrange.form_lagranges_equations()
    return lagrange.mass_matrix, lagrange.forcing, [*q, *rates]


def main(method: str, links: int) -> dict[str, float]:
    """Derive, lambdify with common subexpressions, evaluate."""
    import sympy as sp

    began = time.perf_counter()
    mass, forcing, variables = equations(method, links)
    function = sp.lambdify([variables], [mass, forcing], cse=True)
    state = np.concatenate([np.full(links, np.pi / 6), np.zeros(links)])

    def accelerations() -> Any:
        M, f = function(state)
        return np.linalg.solve(M, f)

    accelerations()
    seconds = time.perf_counter() - began
    repeats = 20
    began = time.perf_counter()
    for _ in range(repeats):
        accelerations()
    return {"seconds": seconds, "microseconds": (time.perf_counter() - began) / repeats * 1e6}


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], int(sys.argv[2]))))
