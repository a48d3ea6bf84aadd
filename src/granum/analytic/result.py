"""Equations: the one result of every formulation."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from granum.base.errors import GranumError
from granum.base.kernels import Floats

FORMATS = ("text", "latex", "python", "c")


@dataclass(frozen=True)
class Linearization:
    """Small motions about a state: d/dt (δq, δq̇) = matrix · (δq, δq̇)."""

    matrix: Floats
    """(2n, 2n)"""
    modes: Floats
    """Eigenvalues s of the motions that the constraints allow, e^{st}, sorted by |s| [1/s]."""

    @property
    def frequencies(self) -> Floats:
        """Angular frequencies of the oscillations, |Im s| > 0, each once [rad/s]."""
        turning = self.modes.imag
        # a free motion is a double zero, which differences of error 1e-13 split into ± the root of that
        found: Floats = np.sort(turning[turning > max(1e-6, 1e-5 * float(np.abs(self.modes).max(initial=0.0)))])
        return found


class Equations(ABC):
    """M(q) q̈ = f(q, q̇) with A q̈ = b where there are constraints: q̈ and the reactions of any state.

    `q` and `v` are vectors of the coordinates named in `coordinates` and of their rates, SI units and radians.
    """

    formulation: str
    coordinates: tuple[str, ...]

    @property
    @abstractmethod
    def start(self) -> tuple[Floats, Floats]:
        """Coordinates and rates at the start."""

    @abstractmethod
    def accelerations(self, q: Floats, v: Floats, t: float = 0.0) -> Floats:
        """Second derivatives of the coordinates."""

    @abstractmethod
    def reactions(self, q: Floats, v: Floats, t: float = 0.0) -> dict[str, float]:
        """Forces of links and constraints by name; of least norm where they are not unique."""

    @abstractmethod
    def mass_matrix(self, q: Floats, t: float = 0.0) -> Floats:
        """M(q), dense; for looking, not for solving."""

    @abstractmethod
    def latex(self) -> str:
        """The equations in LaTeX."""

    @abstractmethod
    def code(self, form: str) -> str:
        """The equations as text, latex, python or c; the last two stand alone and compute the accelerations."""

    def constraint_rows(self, q: Floats, v: Floats, t: float = 0.0) -> Floats:
        """A of A q̈ = b; no rows where coordinates are free."""
        return np.zeros((0, len(self.coordinates)))

    def linearize(self, q: Floats, v: Floats, t: float = 0.0) -> Linearization:
        """Jacobian of (q̇, q̈) by differences of fourth order, and the modes that the constraints leave.

        Where the state is an equilibrium, δq = N η with N a basis of A δq = 0 turns the matrix into that of η, η̇.
        """
        q, v = as_vector(q, len(self.coordinates)), as_vector(v, len(self.coordinates))
        n = len(q)
        y = np.concatenate([q, v])
        matrix = np.zeros((2 * n, 2 * n))
        matrix[:n, n:] = np.eye(n)
        scale = max(1.0, float(np.abs(y).max()))
        step = 1e-3 * scale  # the error of fourth order, step⁴, meets that of rounding, 1e-16/step
        for k in range(2 * n):
            shift = np.zeros(2 * n)
            shift[k] = step
            values = [self.accelerations((y + c * shift)[:n], (y + c * shift)[n:], t) for c in (-2, -1, 1, 2)]
            matrix[n:, k] = (values[0] - 8 * values[1] + 8 * values[2] - values[3]) / (12 * step)
        A = self.constraint_rows(q, v, t)
        N = null_space(A) if len(A) else np.eye(n)
        reduced = np.block([[np.zeros((N.shape[1],) * 2), np.eye(N.shape[1])],
                            [N.T @ matrix[n:, :n] @ N, N.T @ matrix[n:, n:] @ N]])
        modes = np.linalg.eigvals(reduced)
        return Linearization(matrix, modes[np.lexsort((modes.imag, np.abs(modes)))])


def null_space(A: Floats, tolerance: float = 1e-10) -> Floats:
    """Orthonormal basis of A x = 0, as columns."""
    _, sizes, V = np.linalg.svd(A, full_matrices=True)
    rank = int(np.count_nonzero(sizes > tolerance * max(1e-300, float(sizes.max(initial=0.0)))))
    return np.ascontiguousarray(V[rank:].T)


def as_vector(values: Floats, size: int) -> Floats:
    """`size` numbers as a contiguous array; anything else is refused."""
    vector = np.ascontiguousarray(values, dtype=float)
    if vector.shape != (size,):
        raise GranumError(f"a vector of {size} numbers is needed, found one of shape {vector.shape}.")
    return vector
