"""Contact problems in HDF5, in the layout of the FCLIB collection.

    fclib_local/{W[, V, R], vectors/{q, mu[, s]}, spacedim, info}
    fclib_global/{M, H[, G], vectors/{f, w, mu[, b]}, spacedim, info}
    solution/{r, u}

A sparse matrix has m, n, nzmax, nz, p, i, x; nz = -2 for rows, -1 for columns, else the number of triplets (p, i, x).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from granum.base.errors import GranumError
from granum.base.kernels import Floats, Ints
from granum.contact.conic.problem import ContactProblem
from granum.contact.conic.reduction import without_bodies, without_equalities

if TYPE_CHECKING:
    import h5py
    from scipy.sparse import spmatrix

ROWS, COLUMNS = -2, -1
"""Values of nz."""
MOST_ENTRIES = 2**31
"""Entries of a matrix at most: their numbers are 32-bit integers there."""


def read_hdf5(path: Path) -> ContactProblem:
    """The problem of a file."""
    import h5py

    try:
        file = h5py.File(path, "r")
    except OSError:
        raise GranumError(f"{path}: is not an HDF5 file, or is damaged. A file of the FCLIB collection is "
                          "needed.") from None
    with file:
        kinds = [kind for kind in ("fclib_local", "fclib_global") if kind in file]
        if not kinds:
            there = ", ".join(file) or "nothing"
            raise GranumError(f"{path}: has neither fclib_local nor fclib_global, but {there}. A file of the FCLIB "
                              "collection has one of them.")
        source = _Source(path, file[kinds[0]])
        dimension = source.integer("spacedim")
        if dimension not in (2, 3):
            raise GranumError(f"{source.place('spacedim')}: is {dimension}; must be 2 or 3.")
        W, q = _local(source) if kinds[0] == "fclib_local" else _global(source)
        stored = _Source(path, file["solution"]) if "solution" in file else None
        r, u = (stored.vector(key, len(q)) if stored is not None and key in stored.group else None for key in "ru")
        if len(q) % dimension:
            raise GranumError(f"{source.place('spacedim')}: is {dimension}, but the problem has {len(q)} rows. Their "
                              f"number must be a multiple of {dimension}.")
        mu = source.vector("vectors/mu", len(q) // dimension)
        return ContactProblem(W, q, mu, dimension, path.name, r, u)


def _local(source: _Source) -> tuple[spmatrix, Floats]:
    W = source.matrix("W")
    q = source.vector("vectors/q", W.shape[0])
    if "V" not in source.group:
        return W, q
    R, V = source.matrix("R"), source.matrix("V", W.shape[0])
    if R.shape != (V.shape[1],) * 2:
        raise GranumError(f"{source.place('R')}: is {R.shape[0]} × {R.shape[1]}, but V has {V.shape[1]} columns. R "
                          f"must be {V.shape[1]} × {V.shape[1]}.")
    return without_equalities(W, q, V, R, source.vector("vectors/s", R.shape[0]), source.path.name)


def _global(source: _Source) -> tuple[spmatrix, Floats]:
    M = source.matrix("M")
    H = source.matrix("H", M.shape[0])
    G, b = None, None
    if "G" in source.group:
        G = source.matrix("G", M.shape[0])
        b = source.vector("vectors/b", G.shape[1])
    f, w = source.vector("vectors/f", M.shape[0]), source.vector("vectors/w", H.shape[1])
    return without_bodies(M, H, f, w, G, b, source.path.name)


class _Source:
    """A group of a file, with messages that name what is wrong in it."""

    def __init__(self, path: Path, group: h5py.Group) -> None:
        self.path, self.group = path, group

    def place(self, key: str) -> str:
        """File and dataset, as messages name them."""
        return f"{self.path} {self.group.name}/{key}"

    def values(self, key: str) -> Any:
        """A dataset as a flat array."""
        import h5py

        data = self.group.get(key)
        if not isinstance(data, h5py.Dataset):
            where = self.group.get(key.rpartition("/")[0]) if "/" in key else self.group
            there = ", ".join(where) if isinstance(where, h5py.Group) else "nothing"
            raise GranumError(f"{self.place(key)}: is missing. There is {there or 'nothing'}.")
        try:
            return np.atleast_1d(np.asarray(data[()])).ravel()
        except OSError:
            raise GranumError(f"{self.place(key)}: cannot be read. The file is damaged.") from None

    def integer(self, key: str) -> int:
        """A dataset of one integer."""
        values = self.values(key)
        if len(values) != 1 or not np.issubdtype(values.dtype, np.integer):
            raise GranumError(f"{self.place(key)}: has {len(values)} values of type {values.dtype}; must be one "
                              "integer.")
        return int(values[0])

    def vector(self, key: str, count: int) -> Floats:
        """A dataset of `count` numbers."""
        values = self.values(key)
        if len(values) != count or not np.issubdtype(values.dtype, np.number):
            raise GranumError(f"{self.place(key)}: has {len(values)} values of type {values.dtype}; must be {count} "
                              "numbers.")
        return np.array(values, float)

    def indices(self, key: str, count: int, below: int) -> Ints:
        """A dataset of at least `count` integers from 0 to `below` (exclusive); returns the first `count`."""
        values = self.values(key)
        if len(values) < count or not np.issubdtype(values.dtype, np.integer):
            raise GranumError(f"{self.place(key)}: has {len(values)} values of type {values.dtype}; must be {count} "
                              "integers.")
        values = values[:count].astype(np.int64)
        if count and not 0 <= values.min() <= values.max() < below:
            wrong = int(np.flatnonzero((values < 0) | (values >= below))[0])
            raise GranumError(f"{self.place(key)}: value {wrong} is {values[wrong]}; must be 0 to {below - 1}.")
        return cast(Ints, values)

    def matrix(self, key: str, rows: int | None = None) -> spmatrix:
        """A sparse matrix by rows, by columns or of triplets."""
        from scipy.sparse import coo_matrix, csc_matrix, csr_matrix

        m, n, nz = (self.integer(f"{key}/{name}") for name in ("m", "n", "nz"))
        if min(m, n) < 0 or nz < ROWS:
            raise GranumError(f"{self.place(key)}: m, n, nz are {m}, {n}, {nz}; sizes must be at least 0, and nz -2 "
                              "(rows), -1 (columns) or a number of triplets.")
        if rows is not None and m != rows:
            raise GranumError(f"{self.place(key)}: has {m} rows; must have {rows}.")
        if nz >= 0:
            p, i = self.indices(f"{key}/p", nz, m), self.indices(f"{key}/i", nz, n)
            return csr_matrix(coo_matrix((self._entries(key, nz), (p, i)), shape=(m, n)))
        length, across = (m, n) if nz == ROWS else (n, m)
        p = self.indices(f"{key}/p", length + 1, MOST_ENTRIES)
        if p[0] != 0 or (np.diff(p) < 0).any():
            raise GranumError(f"{self.place(f'{key}/p')}: must begin with 0 and never decrease.")
        x, i = self._entries(key, int(p[-1])), self.indices(f"{key}/i", int(p[-1]), across)
        return csr_matrix((csr_matrix if nz == ROWS else csc_matrix)((x, i, p), shape=(m, n)))

    def _entries(self, key: str, count: int) -> Floats:
        """The first `count` values of a matrix: nzmax may be more."""
        values = self.values(f"{key}/x")
        if len(values) < count:
            raise GranumError(f"{self.place(f'{key}/x')}: has {len(values)} values; must be {count}.")
        return np.array(values[:count], float)


def write_hdf5(problem: ContactProblem, path: Path, title: str = "", description: str = "") -> None:
    """Write a problem as a local one of FCLIB, with the solution that came with it."""
    import h5py
    from scipy.sparse import csr_matrix

    W = csr_matrix(problem.W)
    W.sum_duplicates()
    with h5py.File(path, "w") as file:
        local = file.create_group("fclib_local")
        local["spacedim"] = np.array([problem.dimension], np.int32)
        sizes = {"m": W.shape[0], "n": W.shape[1], "nzmax": W.nnz, "nz": ROWS}
        for name, value in sizes.items():
            local[f"W/{name}"] = np.array([value], np.int32)
        local["W/p"], local["W/i"], local["W/x"] = W.indptr.astype(np.int32), W.indices.astype(np.int32), W.data
        local["vectors/q"], local["vectors/mu"] = problem.q, problem.mu
        for name, text in (("title", title), ("description", description), ("math_info", "")):
            local[f"info/{name}"] = np.bytes_(text.encode())
        for name, values in (("r", problem.r), ("u", problem.u)):
            if values is not None:
                file[f"solution/{name}"] = values
