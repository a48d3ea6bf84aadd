"""Contact problems as text (.dat), as Siconos writes them: numbers in one order, in lines of any length.

    dimension, number of contacts, matrix W, q, μ                    local
    dimension, number of contacts, matrices M and H, f, w, μ         global

A matrix is its storage, rows and columns, then for storage
    0   rows and columns again, and all entries by columns
    1   blocks: their number, rows and columns of blocks, where these end, and the blocks by rows; each block has its
    number
        and its entries by columns
    2   what CSparse prints: a kind (1 triplets, 2 columns, 3 rows), two lines of heading, and a line for each entry
What follows μ is ignored, as Siconos does.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from granum.base.errors import GranumError, shortened
from granum.base.kernels import Floats, Ints
from granum.contact.conic.problem import ContactProblem
from granum.contact.conic.reduction import without_bodies

if TYPE_CHECKING:
    from scipy.sparse import spmatrix

DENSE, BLOCKS, PRINTED = 0, 1, 2
"""Storages."""
TRIPLETS, BY_COLUMNS, BY_ROWS = 1, 2, 3
"""Kinds of what CSparse prints."""
_COLUMN = re.compile(r"\s*col\s+(\d+)\s*:\s*locations\s+(-?\d+)\s+to\s+(-?\d+)\s*$")
_ENTRY = re.compile(r"\s*(\d+)\s*:\s*(\S+)\s*$")
_TRIPLET = re.compile(r"\s*(\d+)\s+(\d+)\s*:\s*(\S+)\s*$")
_SIZE = re.compile(r".*?(\d+)-by-(\d+), nzmax: (\d+) nnz: (\d+)")


def read_text(path: Path) -> ContactProblem:
    """The problem of a file."""
    try:
        text = path.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise GranumError(f"{path}: byte {error.start} is no text. A .dat file contains numbers as text.") from None
    source = _Numbers(path, text)
    dimension, contacts = source.integer("the dimension"), source.integer("the number of contacts")
    if dimension not in (2, 3):
        more = " Problems with rolling friction (5) are not supported." if dimension == 5 else ""
        raise GranumError(f"{path}:1: the dimension is {dimension}; must be 2 or 3.{more}")
    if contacts < 0:
        raise GranumError(f"{source.before()}: the number of contacts is {contacts}; must be at least 0.")
    unknowns = dimension * contacts
    W = source.matrix("W")
    if W.shape != (unknowns, unknowns) or source.left > unknowns + contacts + 1:
        M, H = W, source.matrix("H")
        if M.shape[0] != M.shape[1] or H.shape != (M.shape[0], unknowns):
            raise GranumError(f"{source.before()}: matrices are {M.shape[0]} × {M.shape[1]} and {H.shape[0]} × "
                              f"{H.shape[1]}. {contacts} contacts in {dimension}-D need W of {unknowns} × {unknowns}, "
                              f"or M of n × n and H of n × {unknowns}.")
        f, w = source.floats(M.shape[0], "f"), source.floats(unknowns, "w")
        W, q = without_bodies(M, H, f, w, None, None, path.name)
    else:
        q = source.floats(unknowns, "q")
    return ContactProblem(W, q, source.floats(contacts, "mu"), dimension, path.name)


class _Numbers:
    """The words of a text one after another, with messages that name file, line and what was expected."""

    def __init__(self, path: Path, text: str) -> None:
        self.path, self.lines = path, text.splitlines()
        self.words = text.split()
        self.ends = np.cumsum([len(line.split()) for line in self.lines] or [0])
        """Words up to the end of each line."""
        self.at = 0

    @property
    def left(self) -> int:
        """Words that are not read yet."""
        return len(self.words) - self.at

    def line(self, word: int) -> int:
        """Index of the line of a word."""
        return int(np.searchsorted(self.ends, word, side="right"))

    def before(self) -> str:
        """File and line of the word that was read last."""
        return f"{self.path}:{self.line(max(self.at - 1, 0)) + 1}"

    def _take(self, count: int, what: str) -> list[str]:
        if count > self.left:
            raise GranumError(f"{self.path}: ends within {what}: {self.left} of {count} values are there. The file is "
                              "cut off, or the sizes at its beginning are wrong.")
        self.at += count
        return self.words[self.at - count : self.at]

    def floats(self, count: int, what: str) -> Floats:
        """The next `count` numbers."""
        words = self._take(count, what)
        try:
            return np.array(words, float)
        except ValueError:
            raise self._wrong(words, float, what, "a number") from None

    def integers(self, count: int, what: str) -> Ints:
        """The next `count` integers."""
        words = self._take(count, what)
        try:
            return np.array([int(word) for word in words], np.int64)
        except ValueError:
            raise self._wrong(words, int, what, "an integer") from None

    def integer(self, what: str) -> int:
        """The next integer."""
        return int(self.integers(1, what)[0])

    def _wrong(self, words: list[str], kind: type[float] | type[int], what: str, right: str) -> GranumError:
        for index, word in enumerate(words):
            try:
                kind(word)
            except ValueError:
                line = self.line(self.at - len(words) + index) + 1
                return GranumError(f'{self.path}:{line}: "{shortened(word, 40)}" in {what}; must be {right}.')
        raise AssertionError

    def matrix(self, name: str) -> spmatrix:
        """The next matrix."""
        storage = self.integer(f"the storage of {name}")
        where = self.before()
        rows, columns = self.integers(2, f"the size of {name}").tolist()
        if storage not in (DENSE, BLOCKS, PRINTED) or min(rows, columns) < 0:
            raise GranumError(f"{where}: storage {storage}, {rows} × {columns} of {name}; the storage must be 0 "
                              "(dense), 1 (blocks) or 2 (CSparse), and sizes at least 0.")
        read = {DENSE: self._dense, BLOCKS: self._blocks, PRINTED: self._printed}[storage]
        return read(name, rows, columns)

    def _dense(self, name: str, rows: int, columns: int) -> spmatrix:
        from scipy.sparse import csr_matrix

        again = self.integers(2, f"the size of {name}").tolist()
        if again != [rows, columns]:
            raise GranumError(f"{self.before()}: {name} is {again[0]} × {again[1]} here, but {rows} × {columns} "
                              "before. Both must be the same.")
        return csr_matrix(self.floats(rows * columns, name).reshape(columns, rows).T)

    def _blocks(self, name: str, rows: int, columns: int) -> spmatrix:
        from scipy.sparse import coo_matrix, csr_matrix

        count, down, across = self.integers(3, f"the numbers of blocks of {name}").tolist()
        index = f"the index of {name}"
        bottoms, rights = self.integers(down, index), self.integers(across, index)
        sizes = self.integers(2, index).tolist()
        firsts, others = self.integers(sizes[0], index), self.integers(sizes[1], index)
        here = self.before()
        if (list(bottoms[-1:]) != [rows] * bool(down) or list(rights[-1:]) != [columns] * bool(across)
                or sizes[0] > down + 1 or len(others) < count or firsts[-1:].sum() != count
                or (np.diff(firsts) < 0).any() or (np.diff(bottoms) < 0).any() or (np.diff(rights) < 0).any()
                or (count and not 0 <= others[:count].min() <= others[:count].max() < across)):
            raise GranumError(f"{here}: the index of {name} does not describe {count} blocks in {down} × {across} that "
                              f"fill {rows} × {columns}. Block rows must end at {rows}, block columns at {columns}, "
                              f"and the index at {count}.")
        tops, lefts = bottoms - np.diff(bottoms, prepend=0), rights - np.diff(rights, prepend=0)
        block_row = np.repeat(np.arange(len(firsts) - 1), np.diff(firsts))
        parts = []
        for k, (i, j) in enumerate(zip(block_row.tolist(), others[:count].tolist(), strict=True)):
            number = self.integer(f"the number of a block of {name}")
            if number != k:
                raise GranumError(f"{self.before()}: block {number} of {name} where block {k} is due.")
            height, width = int(bottoms[i] - tops[i]), int(rights[j] - lefts[j])
            values = self.floats(height * width, f"block {k} of {name}")
            parts.append((values, tops[i] + np.tile(np.arange(height), width),
                          lefts[j] + np.repeat(np.arange(width), height)))
        if not parts:
            return csr_matrix((rows, columns))
        x, down_to, across_to = (np.concatenate(part) for part in zip(*parts, strict=True))
        return csr_matrix(coo_matrix((x, (down_to, across_to)), shape=(rows, columns)))

    def _printed(self, name: str, rows: int, columns: int) -> spmatrix:
        from scipy.sparse import coo_matrix, csr_matrix

        kind = self.integer(f"the kind of {name}")
        if kind not in (TRIPLETS, BY_COLUMNS, BY_ROWS):
            raise GranumError(f"{self.before()}: kind {kind} of {name}; must be 1 (triplets), 2 (columns) or 3 (rows).")
        line = self.line(self.at) if self.left else len(self.lines)
        if line < len(self.lines) and "CSparse" in self.lines[line]:
            line += 1
        size = _SIZE.match(self.lines[line]) if line < len(self.lines) else None
        printed = (columns, rows) if kind == BY_ROWS else (rows, columns)
        if size is None or (int(size[1]), int(size[2])) != printed:
            raise GranumError(f"{self.path}:{line + 1}: no heading of a matrix of {name}. CSparse writes "
                              f"{printed[0]}-by-{printed[1]}, nzmax: ... nnz: ... here.")
        x, i, j, line = self._entries(line + 1, int(size[4]), kind == TRIPLETS, name)
        self.at = int(self.ends[line - 1])
        i, j = (j, i) if kind == BY_ROWS else (i, j)
        if len(x) and (max(i) >= rows or max(j) >= columns):
            raise GranumError(f"{self.path}:{line}: {name} has an entry in row {max(i)}, column {max(j)} before this; "
                              f"it is {rows} × {columns}.")
        return csr_matrix(coo_matrix((x, (i, j)), shape=(rows, columns)))

    def _entries(self, line: int, count: int, triplets: bool, name: str) -> tuple[list[float], list[int], list[int],
    int]:
        """`count` entries from a line on, their rows and columns, and the line after them."""
        x, i, j, column = list[float](), list[int](), list[int](), 0
        while line < len(self.lines) and (len(x) < count or _COLUMN.match(self.lines[line])):
            text = self.lines[line]
            line += 1
            heading = None if triplets else _COLUMN.match(text)
            if heading is not None:
                column = int(heading[1])
                continue
            entry = (_TRIPLET if triplets else _ENTRY).match(text)
            try:
                x.append(float(entry[entry.re.groups] if entry else ""))
            except ValueError:
                raise GranumError(f'{self.path}:{line}: "{shortened(text.strip(), 40)}" is no entry of {name}. CSparse '
                                  f"writes {'row column : value' if triplets else 'row : value'}.") from None
            assert entry is not None
            i.append(int(entry[1]))
            j.append(int(entry[2]) if triplets else column)
        if len(x) < count:
            raise GranumError(f"{self.path}: ends within {name}: {len(x)} of {count} entries are there. The file is "
                              "cut off.")
        return x, i, j, line
