"""Static equilibria: positions in which applied forces and constraints balance (docs/theory/equilibrium.md).

    f(q, 0, t) + Aᵀλ = 0,      φ(q, t) = 0

With N a basis of A δq = 0 and λ the multipliers that leave the least force, Newton's method solves Nᵀf = 0 on the
constraints, with the slope K = Nᵀ ∂(f + Aᵀλ)/∂q N. Eigenvalues of the small motions say whether it is stable.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from granum.analytic.expressed_equations import ExpressedEquations
from granum.analytic.linearization import BALANCED, ROUNDING, Linearizer, null_space, pseudo_inverse
from granum.analytic.state_space import Linearization
from granum.base.arguments import checked
from granum.base.errors import GranumError
from granum.base.kernels import Floats
from granum.base.notebook import properties, table
from granum.base.offers import offered
from granum.base.text import listed
from granum.model.scene import Scene

if TYPE_CHECKING:
    from granum.analytic.expressed import System

ROUNDS = 300
HALVINGS = 30
FLAT = 1e-6
"""Curvature, relative to the largest, that counts as flat where the search goes downhill."""
FAR = 0.5
"""Largest change of a coordinate in one step, relative to max(1, |q|)."""
ASIDE = 1e-3
"""How far the search steps aside from an unstable equilibrium, relative to max(1, |q|)."""


@dataclass(frozen=True, repr=False)
class Equilibrium:
    """A state of rest in which all forces balance.

    >>> system = gr.analytic.System("theta", kinetic="theta_dot**2/2", potential="-9.81*cos(theta)")
    >>> gr.equilibrium(system, at={"theta": 1.0})
    <Equilibrium (stable): theta = 0>
    """

    coordinates: tuple[str, ...]
    q: Floats
    t: float
    """Time at which loads and drives are taken [s]."""
    linear: Linearization
    """Small motions about it."""
    reactions: Mapping[str, float]
    """Forces of links and constraints by name."""
    subject: Scene | System = field(compare=False)

    @property
    def stable(self) -> bool:
        """Does no small motion grow? Motions that neither grow nor decay, as without damping, count as stable."""
        return self.linear.unstable == 0

    def __getitem__(self, coordinate: str) -> float:
        return dict(zip(self.coordinates, self.q.tolist(), strict=True))[coordinate]

    def __repr__(self) -> str:
        return f"<Equilibrium ({'stable' if self.stable else 'unstable'}): {listed(_values(self.coordinates, self.q))}>"

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        head = properties({"equilibrium": "stable" if self.stable else "unstable", "motion": repr(self.linear)[1:-1]})
        rows = list(zip(self.coordinates, _numbers(self.q), strict=True))
        return f"<div>{head}{table(('coordinate', 'value'), rows)}</div>"

    def run(self, output: str | Path | None = None) -> Any:
        """A run with two frames, the initial state and the equilibrium: to draw, and to start scenes from.

        Args:
            output: run file to write; default: the run stays in memory.
        """
        return offered("equilibrium_run")(self, output)

    @property
    def scene(self) -> Scene:
        """The scene, starting from the equilibrium."""
        if not isinstance(self.subject, Scene):
            raise GranumError("this equilibrium is of a System, not of a scene. Pass its coordinates as start = ...")
        return self.subject.start_from(self.run())


@checked
def equilibrium(
    subject: Scene | System, *, at: str | Mapping[str, float] = "start", t: float = 0.0, stable: bool = True,
    ramp: Sequence[str] = (), formulation: str | None = None,
) -> Equilibrium:
    """Find a static equilibrium of a scene or system.

    Args:
        subject: a scene, or a `gr.analytic.System`.
        at: where the search begins: "start", or coordinates by name.
        t: time at which loads and drives are taken [s].
        stable: go downhill to a stable equilibrium; False: take the nearest by Newton's method, stable or not.
        ramp: loads that grow from zero to their full size during the search, which makes it follow the equilibrium.
        formulation: as in `derive`; those of arrays become "fundamental".

    >>> scene = gr.Scene(
    ...     body={"nail": gr.FixedPoint(position=(0, 0)), "bob": gr.PointMass(mass=1)},
    ...     link={"rod": gr.Link(between=("nail", "bob"))}, start={"bob": gr.Start(position=(0.3, -0.4))},
    ...     load={"gravity": gr.Gravity(acceleration=(0, -9.81))})
    >>> rest = gr.equilibrium(scene)
    >>> rest
    <Equilibrium (stable): bob.x = 0, bob.y = -0.5>
    >>> round(rest.reactions["rod"], 6)
    9.81
    """
    from granum.analytic.derive import as_formulas, position_near

    equations = as_formulas(subject, formulation)
    q = find_equilibrium(equations, position_near(equations, at), t, stable, ramp)
    rest = np.zeros(len(q))
    try:
        linear = equations.linearize(q, rest, t)
    except GranumError as error:
        raise GranumError(f"forces balance at {listed(_values(equations.coordinates, q))}, but small motions about it "
                          f"are not linear, so that they do not say whether it is stable: {error}") from None
    return Equilibrium(equations.coordinates, q, t, linear, equations.reactions(q, rest, t), subject)


def _values(coordinates: Sequence[str], q: Floats) -> list[str]:
    """Coordinates and their values in words; rounding errors are zero."""
    return [f"{name} = {number}" for name, number in zip(coordinates, _numbers(q), strict=True)]


def _numbers(q: Floats) -> list[str]:
    """Values of coordinates; rounding errors are zero."""
    small = 1e-12 * max(1.0, float(np.abs(q).max(initial=0.0)))
    return [f"{0.0 if abs(value) < small else value:.6g}" for value in q]


def find_equilibrium(
    equations: ExpressedEquations, q: Floats | None = None, t: float = 0.0, stable: bool = True,
    ramp: Sequence[str] = (),
) -> Floats:
    """Coordinates of an equilibrium; for arguments see `equilibrium`."""
    if q is None:
        q = equations.start[0]
    system = equations.system
    if not ramp:
        return Balance(system, t).find(q, stable)
    scaled, factor = system.with_ramp(ramp)
    balance = Balance(scaled, t)
    for part in np.linspace(0.0, 1.0, 11):
        balance.values[factor] = part
        q = balance.find(q, stable)
    return q


@dataclass(frozen=True)
class Rest:
    """Forces of a position at rest, in scaled coordinates (`linearization.Scaled`)."""

    light: Floats
    N: Floats
    """Basis of the velocities that the constraints allow, as columns."""
    N_h: Floats
    """Basis of the displacements."""
    A_h: Floats
    value: Floats
    """Constraints on positions, scaled."""
    sizes: Floats
    """What their rows were divided by."""
    force: Floats
    """Nᵀf"""
    K: Floats
    """(N, n): Nᵀ ∂(f + Aᵀλ)/∂q"""
    multipliers: Floats
    """λ, of rows as they stand."""
    tolerance: float
    """Force that is as good as none."""

    @property
    def push(self) -> float:
        """Size of the force."""
        return float(np.linalg.norm(self.force))


class Balance:
    """Applied forces and constraints of a system at rest; `values` are those of its parameters."""

    def __init__(self, system: System, t: float = 0.0) -> None:
        self.system, self.t = system, t
        self.linearizer = Linearizer(system, system.mass_formulas, system.force_formulas)
        self.values = self.linearizer.values
        self._still = np.zeros(len(system.q))

    def look(self, q: Floats) -> Rest:
        """Forces and their slopes in a position."""
        linearizer, n, t = self.linearizer, len(q), self.t
        free = linearizer.scaled(q, self._still, t, np.zeros(len(linearizer.holonomic)))
        A, held = free.A, linearizer.holonomic
        N = null_space(A)
        N_h = N if held.all() else null_space(A[held])
        multipliers = -pseudo_inverse(A).T @ free.f
        slope = linearizer.scaled(q, self._still, t, multipliers).df[:, :n]
        K = N.T @ slope
        rounding = ROUNDING * float(np.linalg.norm(slope) * np.linalg.norm(q / free.light))
        return Rest(free.light, N, N_h, A[held], free.value[held], free.size[held], N.T @ free.f, K,
                    multipliers / free.size, BALANCED * 1e-2 * float(np.linalg.norm(free.f)) + rounding)

    def close(self, q: Floats, reach: float = np.inf) -> Floats | None:
        """The nearest position on the constraints; None where there is none within a reach, in scaled coordinates."""
        moved = 0.0
        for _ in range(ROUNDS):
            free = self.linearizer.scaled(q, self._still, self.t, np.zeros(len(self.linearizer.holonomic)))
            held = self.linearizer.holonomic
            step = -pseudo_inverse(free.A[held]) @ free.value[held]
            size = float(np.linalg.norm(step))
            q, moved = q + free.light * step, moved + size
            if moved > reach:
                return None
            if size <= 1e-14 * (1e-300 + float(np.linalg.norm(q / free.light))):
                return q
        return q if size <= 1e-9 * float(np.linalg.norm(q / free.light)) else None

    def find(self, q: Floats, stable: bool) -> Floats:
        """An equilibrium near q: downhill to a stable one, or the nearest by Newton's method."""
        closed = self.close(q)
        if closed is None:
            raise GranumError("no position near the given one satisfies all constraints. Begin elsewhere.")
        q, asides = closed, 0
        rest = self.look(q)
        for _ in range(ROUNDS):
            if rest.push <= rest.tolerance:
                aside = self._aside(q, rest) if stable and asides < 5 else None
                if aside is None:
                    return self._polished(q, rest)
                q, asides = aside, asides + 1
                rest = self.look(q)
            moved = self._moved(q, rest, stable)
            if moved is None:
                if rest.push <= 1e4 * rest.tolerance:
                    return self._polished(q, rest)
                break
            q, rest = moved
        raise self._lost(q, rest)

    def _polished(self, q: Floats, rest: Rest) -> Floats:
        """Two more steps of Newton's method, as long as they improve."""
        for _ in range(2):
            moved = self._moved(q, rest, stable=False, once=True)
            if moved is None:
                break
            q, rest = moved
        return q

    def _moved(self, q: Floats, rest: Rest, stable: bool, once: bool = False) -> tuple[Floats, Rest] | None:
        """One step, halved until the force falls, or until it does not reverse where the search goes downhill."""
        step = rest.N_h @ (_downhill(rest) if stable else _newton(rest))
        change = rest.light * step
        far = float(np.abs(change).max(initial=0.0)) / (FAR * max(1.0, float(np.abs(q).max(initial=0.0))))
        if far == 0.0:
            return None
        step /= max(1.0, far)
        for _ in range(1 if once else HALVINGS):
            place = self.close(q + rest.light * step, 0.5 * float(np.linalg.norm(step)))
            if place is not None:
                now = self.look(place)
                if stable:
                    before, after = (float(one.N @ one.force @ (step * rest.light / one.light)) for one in (rest, now))
                    better = after >= -0.5 * before
                else:
                    better = now.push < rest.push
                if better:
                    return place, now
            step = 0.5 * step
        return None

    def _aside(self, q: Floats, rest: Rest) -> Floats | None:
        """A position beside an unstable equilibrium, along what grows; None beside a stable one."""
        if not rest.N_h.size:
            return None
        weights, directions = _curvature(rest)
        if weights[0] >= -FLAT * float(np.abs(weights).max()):
            return None
        change = rest.light * (rest.N_h @ directions[:, 0])
        wide = ASIDE * max(1.0, float(np.abs(q).max())) / float(np.abs(change).max())
        return self.close(q + wide * change)

    def _lost(self, q: Floats, rest: Rest) -> GranumError:
        """What is wrong where the search ends."""
        force = (rest.N @ rest.force) / rest.light
        k = int(np.abs(force).argmax())
        return GranumError(
            f"no equilibrium was found: the search ends where {self.system.coordinates[k]} = {q[k]:.6g} is pushed by "
            f"{force[k]:.3g}. There may be none; otherwise begin nearer to it with at = ..., or let loads grow with "
            "ramp = ...")


def _newton(rest: Rest) -> Floats:
    """Nᵀf + K δ = 0, the least δ where it is not unique."""
    K = rest.K @ rest.N_h
    return np.asarray(np.linalg.lstsq(K, -rest.force, rcond=1e-12)[0]) if K.size else np.zeros(K.shape[1])


def _curvature(rest: Rest) -> tuple[Floats, Floats]:
    """Eigenvalues and vectors of the symmetric part of the stiffness, the lowest first."""
    H = -rest.N_h.T @ rest.N @ rest.K @ rest.N_h
    weights, directions = np.linalg.eigh(0.5 * (H + H.T))
    return weights, directions


def _downhill(rest: Rest) -> Floats:
    """A step of Newton's method with all curvatures taken as positive: maxima and saddles repel it."""
    if not rest.N_h.size:
        return np.zeros(0)
    weights, directions = _curvature(rest)
    size = np.abs(weights)
    least = FLAT * float(size.max()) if size.any() else rest.push
    return np.asarray(directions @ (directions.T @ (rest.N_h.T @ (rest.N @ rest.force)) / np.maximum(size, least)))

