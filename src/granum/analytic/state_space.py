"""Small motions in independent coordinates: M, C, K, state space and modes (docs/theory/linearization.md).

Of all coordinates q, as many are independent as the constraints leave free: displacements ξ = δq_i and rates η = δq̇_j.
The others follow from them. With inputs u and outputs y,

    M η̇ + C η + K ξ = F u,        ż = A z + B u,    y = C z + D u,      z = (ξ, η).

Without nonholonomic rows i = j and ξ̇ = η.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from scipy.linalg import qr

from granum.base.errors import GranumError
from granum.base.kernels import Floats
from granum.base.notebook import properties, table
from granum.base.offers import offered
from granum.base.text import count, listed
from granum.rows.symbolic import rate_name

if TYPE_CHECKING:
    from granum.analytic.expressed import System
    from granum.model.scene import Scene

Complexes = npt.NDArray[np.complex128]

_SHOWN = 20
"""Modes that a notebook shows."""
FREE = 1e-6
"""Eigenvalues below this part of the largest are free motions: rounding splits a double zero into its square root."""
_EARLIER = 1e-6
"""How much a later coordinate has to be better than an earlier one to be taken as independent instead of it."""


@dataclass(frozen=True)
class LinearMotion:
    """ż = matrix z + drive u, y = observe z + direct u, in any basis z = (ξ, η) of what the constraints allow."""

    whole: Floats
    """(2n, 2n): d/dt (δq, δq̇) of all coordinates, the constraints not regarded."""
    matrix: Floats
    basis: Floats
    """(2n, k): (δq, δq̇) = basis z"""
    scale: Floats
    """(n,): what a coordinate changes by where one of equal inertia changes by 1."""
    displacements: int
    """How many of z are ξ."""
    mass: Floats
    """Mass matrix of η."""
    drive: Floats
    observe: Floats
    direct: Floats
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()

    def mapped(self, P: Floats, back: Floats) -> LinearMotion:
        """The same motions in other coordinates, δq' = P δq and δq = back δq'."""
        both = np.kron(np.eye(2), P)
        whole = both @ self.whole @ np.kron(np.eye(2), back)
        whole[: len(P), len(P) :] = np.eye(len(P))
        return replace(self, whole=whole, basis=both @ self.basis, scale=np.abs(P) @ self.scale)


@dataclass(frozen=True)
class LinearState:
    """The state that was linearised and its modes in the coordinates of formulas: what a picture of a mode needs."""

    subject: Scene | System
    q: Floats
    t: float
    basis: Floats
    """(n, k): δq = basis z, z in the basis of the eigenvectors."""


@dataclass(frozen=True, repr=False)
class Linearization:
    """Small motions about a state: mass η̇ + damping η + stiffness ξ = F u; ż = A z + B u, y = C z + D u, z = (ξ, η).

    >>> system = gr.analytic.System("x", parameters={"F": 0.0}, kinetic="x_dot**2", potential="50*x**2",
    ...                             forces={"x": "F - 2*x_dot"})
    >>> linear = gr.linearize(system, at={"x": 0.0}, inputs=["F"])
    >>> linear.mass, linear.damping, linear.stiffness
    (array([[2.]]), array([[2.]]), array([[100.]]))
    >>> linear.A, linear.B, linear.states
    (array([[  0.,   1.],
           [-50.,  -1.]]), array([[0. ],
           [0.5]]), ('x', 'x_dot'))
    """

    coordinates: tuple[str, ...]
    """All n coordinates of the equations."""
    q: Floats
    """The state that was linearised: coordinates,"""
    v: Floats
    """rates"""
    t: float
    """and time [s]."""
    matrix: Floats
    """(2n, 2n): d/dt (δq, δq̇) = matrix · (δq, δq̇) in all coordinates."""
    modes: Complexes
    """Eigenvalues s of the motions that the constraints allow, e^{st}, sorted by |s| [1/s]."""
    shapes: Complexes
    """(n, modes): δq of each mode, its largest component 1."""
    positions: tuple[str, ...]
    """Independent coordinates ξ."""
    rates: tuple[str, ...]
    """Coordinates whose rates η are independent; fewer than positions where constraints are nonholonomic."""
    mass: Floats
    """M of the independent rates."""
    damping: Floats
    """C: damping and gyroscopic terms."""
    stiffness: Floats
    """K, by the independent coordinates."""
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    A: Floats
    B: Floats
    C: Floats
    D: Floats
    state: LinearState = field(compare=False)

    def __repr__(self) -> str:
        return f"<Linearization of {count(len(self.coordinates), 'coordinate')}: {self._frequencies_in_words()}>"

    def _repr_html_(self) -> str:
        """What a notebook shows: the modes."""
        rows = [(f"{s.real:.6g}", f"{s.imag:.6g}") for s in self.modes[:_SHOWN]]
        more = "" if len(self.modes) <= _SHOWN else f"<p>and {len(self.modes) - _SHOWN} more</p>"
        return (f"<div>{properties({'coordinates': listed(self.coordinates), 'motion': self._frequencies_in_words()})}"
                f"{table(('Re s [1/s]', 'Im s [rad/s]'), rows)}{more}</div>")

    def _frequencies_in_words(self) -> str:
        frequencies = [f"{frequency:.6g}" for frequency in self.frequencies]
        return (f"angular frequencies {listed(frequencies)} rad/s" if frequencies else "no oscillation") + (
            f", {self.unstable} unstable" if self.unstable else "")

    @property
    def _least(self) -> float:
        return FREE * float(np.abs(self.modes).max(initial=0.0))

    @property
    def unstable(self) -> int:
        """Number of modes that grow, Re s > 0."""
        return int(np.count_nonzero(self.modes.real > self._least))

    @property
    def frequencies(self) -> Floats:
        """Angular frequencies of the oscillations, Im s > 0, each once [rad/s]."""
        return np.asarray(np.sort(self.modes.imag[self.modes.imag > self._least]))

    @property
    def damping_ratios(self) -> Floats:
        """-Re s/|s| of each mode; nan for free motions, s = 0."""
        size = np.abs(self.modes)
        return np.asarray(np.divide(-self.modes.real, size, out=np.full(len(size), np.nan), where=size > self._least))

    @property
    def states(self) -> tuple[str, ...]:
        """Names of z: independent coordinates, then independent rates."""
        return (*self.positions, *map(rate_name, self.rates))

    def oscillation(self, number: int) -> int:
        """Index in `modes` of the oscillation of a number, 0 for the lowest frequency."""
        order = sorted(np.flatnonzero(self.modes.imag > self._least), key=lambda k: float(self.modes[k].imag))
        if not -len(order) <= number < len(order):
            raise GranumError(f"there is no oscillation {number}: this system has {count(len(order), 'oscillation')}, "
                              "numbered from 0.")
        return int(order[number])

    def mode_run(self, mode: int, amplitude: float | None = None, frames: int = 48, periods: float = 1.0,
                 output: str | Path | None = None) -> Any:
        """A run that shows a mode: δq = amplitude · Im(shape e^{iωt}), closed on the constraints.

        The amplitude stays constant: growth and decay are not shown. The run is a picture, not a simulation.

        Args:
            mode: number in `modes`; see `oscillation`.
            amplitude: of the largest component of the shape, in its unit; default: a tenth of the size of the system.
            frames: frames per period.
            periods: how many periods 2π/|Im s| to show; 2π/|s| without oscillation, 1 s of a free motion.
            output: run file to write; default: the run stays in memory.
        """
        return offered("mode_run")(self, mode, amplitude, frames, periods, output)


def linearization(motion: LinearMotion, coordinates: tuple[str, ...], at: tuple[Floats, Floats, float],
                  state: tuple[Scene | System, Floats, Floats]) -> Linearization:
    """Linear equations in independent coordinates.

    Args:
        motion: the linear equations, in any basis.
        coordinates, at: coordinates of the motion, and the state (q, q̇, t).
        state: what was linearised, its coordinates of formulas, and δ of these by z.
    """
    n, h, size = len(coordinates), motion.displacements, len(motion.matrix)
    rates = _independent(motion.basis[n:, h:] / motion.scale[:, None])
    positions = rates if 2 * h == size else _independent(motion.basis[:n, :h] / motion.scale[:, None])
    T = motion.basis[[*positions, *(n + j for j in rates)]]
    back = np.linalg.inv(T) if size else np.zeros((0, 0))
    A, B = T @ motion.matrix @ back, T @ motion.drive
    turn = back[h:, h:]
    mass = turn.T @ motion.mass @ turn
    modes, vectors = np.linalg.eig(motion.matrix)
    order = np.lexsort((modes.imag, np.abs(modes)))
    modes, vectors = modes[order].astype(complex), vectors[:, order].astype(complex)
    shapes = motion.basis[:n] @ vectors
    largest = shapes[np.abs(shapes).argmax(axis=0), np.arange(size)] if size else np.ones(0)
    largest = np.where(largest == 0.0, 1.0, largest)
    subject, q, basis = state
    return Linearization(
        coordinates, *at, motion.whole, modes, shapes / largest, tuple(coordinates[k] for k in positions),
        tuple(coordinates[k] for k in rates), mass, -mass @ A[h:, h:], -mass @ A[h:, :h], motion.inputs,
        motion.outputs, A, B, motion.observe @ back, motion.direct,
        LinearState(subject, q, at[2], basis @ (vectors / largest)))


def _independent(basis: Floats) -> list[int]:
    """Rows of a basis by which all others are determined best, the earlier ones where it makes no difference."""
    rows, free = basis.shape
    if not free:
        return []
    preferred = basis * (1.0 - _EARLIER * np.arange(rows) / rows)[:, None]
    return sorted(qr(preferred.T, mode="r", pivoting=True)[1][:free].tolist())

