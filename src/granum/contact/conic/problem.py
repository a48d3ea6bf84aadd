"""A contact problem given by numbers alone: W, q and μ, with blocks of 3 × 3 for each two contacts that meet a body."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from granum.base.errors import GranumError
from granum.base.kernels import Floats, Ints
from granum.contact.conic.cone import multiply, natural_map

if TYPE_CHECKING:
    from scipy.sparse import csc_matrix, spmatrix

LARGEST_RANK = 2000
"""Unknowns up to which the rank of W is computed, from all its singular values."""


class Blocks(NamedTuple):
    """W by rows of blocks: those of contact c are `begin[c]` to `begin[c + 1]`, in columns `column`."""

    begin: Ints
    column: Ints
    block: Floats
    """(blocks, 3, 3)"""
    diagonal: Ints
    """(contacts,): block of each contact with itself."""


@dataclass(frozen=True)
class ContactProblem:
    """Find r with u = W r + q, û = u + (μ |u_T|, 0, 0) and K* ∋ û ⊥ r ∈ K at each contact."""

    W: spmatrix
    """(d n, d n), of n contacts in d dimensions; rows of a contact are normal first. It need not be symmetric, nor of
    full rank."""
    q: Floats
    """(d n,): velocities without impulses; restitution is in them."""
    mu: Floats
    """(n,): coefficients of friction."""
    dimension: int
    """d: 2 or 3."""
    name: str = "problem"
    r: Floats | None = None
    """(d n,): impulses that came with it."""
    u: Floats | None = None
    """(d n,): velocities that came with it."""

    @property
    def contacts(self) -> int:
        """How many there are."""
        return len(self.mu)

    @cached_property
    def rank(self) -> int | None:
        """Rank of W; None for more than 2000 unknowns."""
        if len(self.q) > LARGEST_RANK:
            return None
        return int(np.linalg.matrix_rank(self.W.toarray())) if len(self.q) else 0

    @cached_property
    def square(self) -> csc_matrix:
        """W of three components for each contact.

        A 2-D problem gets a third one in which nothing happens: u = w r there, and Coulomb's law has r against u.
        """
        from scipy.sparse import coo_matrix, csc_matrix

        if self.dimension == 3:
            return csc_matrix(self.W)
        W = coo_matrix(self.W)
        w = self.W.diagonal()[1::2]
        w = np.where(w > 0.0, w, 1.0)
        third = np.arange(self.contacts) * 3 + 2
        rows, columns = (np.concatenate([3 * (index // 2) + index % 2, third]) for index in (W.row, W.col))
        return csc_matrix((np.concatenate([W.data, w]), (rows, columns)), shape=(3 * self.contacts,) * 2)

    @cached_property
    def blocks(self) -> Blocks:
        """W as the kernels take it."""
        from scipy.sparse import coo_matrix

        W, diagonal = coo_matrix(self.square), np.arange(3 * self.contacts)
        # zeros on the diagonal stay: each contact has a block of its own
        data, rows, columns = (np.concatenate(parts) for parts in (
            (W.data, np.zeros(len(diagonal))), (W.row, diagonal), (W.col, diagonal)))
        pattern = coo_matrix((data, (rows, columns)), shape=W.shape).tocsr().tobsr((3, 3))
        pattern.sort_indices()
        begin, column = pattern.indptr.astype(np.int64), pattern.indices.astype(np.int64)
        row = np.repeat(np.arange(self.contacts), np.diff(begin))
        return Blocks(begin, column, np.ascontiguousarray(pattern.data), np.flatnonzero(row == column))

    @cached_property
    def weights(self) -> Floats:
        """(n,): mean of the diagonal of W of each contact, above zero."""
        mean = self.square.diagonal().reshape(-1, 3).mean(axis=1)
        return np.where(mean > 0.0, mean, mean.max(initial=1e-300))

    @cached_property
    def free(self) -> Floats:
        """(n, 3): q by contact."""
        return self._wide(self.q)

    def _wide(self, vector: Floats) -> Floats:
        """(n, 3) of a vector of d n."""
        wide = np.zeros((self.contacts, 3))
        wide[:, : self.dimension] = np.asarray(vector, float).reshape(self.contacts, self.dimension)
        return wide

    def start(self) -> Floats:
        """(n, 3): zeros, with which all solvers begin."""
        return np.zeros((self.contacts, 3))

    def velocities(self, r: Floats) -> Floats:
        """(n, 3): u = W r + q of impulses (n, 3)."""
        blocks, u = self.blocks, np.empty((self.contacts, 3))
        multiply(blocks.begin, blocks.column, blocks.block, self.free, r, u)
        return u

    def narrow(self, values: Floats) -> Floats:
        """(d n,) of (n, 3)."""
        return values[:, : self.dimension].ravel().copy()

    def save(self, path: str | Path, title: str = "", description: str = "") -> None:
        """Write it in the layout of FCLIB (.hdf5), with `r` and `u` as its solution; an existing file is replaced."""
        from granum.contact.conic.hdf5 import write_hdf5

        write_hdf5(self, Path(path), title, description)

    def residual(self, r: Floats) -> float:
        """‖r - P_K(r - û)‖/‖q‖ of impulses (d n,) or (n, 3), 0 for a solution; not divided where q is zero."""
        wide = r if r.ndim == 2 else self._wide(r)
        u = self.velocities(wide)
        return math.sqrt(natural_map(self.mu, wide, u, np.empty_like(u))) / (float(np.linalg.norm(self.q)) or 1.0)


def checked(problem: ContactProblem) -> ContactProblem:
    """The problem, if its parts fit each other and are numbers."""
    n, d = problem.contacts, problem.dimension
    if problem.W.shape != (d * n, d * n):
        raise GranumError(f"{problem.name}: W is {problem.W.shape[0]} × {problem.W.shape[1]}, but mu has {n} contacts "
                          f"in {d}-D. W must be {d * n} × {d * n}.")
    if len(problem.q) != d * n:
        raise GranumError(f"{problem.name}: q has {len(problem.q)} values, but mu has {n} contacts in {d}-D. "
                          f"q must have {d * n} values.")
    for name, values in (("W", problem.W.data), ("q", problem.q), ("mu", problem.mu)):
        if not np.isfinite(values).all():
            raise GranumError(f"{problem.name}: {name} contains {int((~np.isfinite(values)).sum())} values that are "
                              "not finite. All must be finite numbers.")
    if n and problem.mu.min() < 0.0:
        worst = int(np.argmin(problem.mu))
        raise GranumError(f"{problem.name}: mu of contact {worst} is {problem.mu[worst]:g}. Coefficients of friction "
                          "are at least 0.")
    return problem
