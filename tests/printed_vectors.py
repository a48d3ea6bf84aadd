"""Derivations in vectors and matrices as a reader of the printed text has them: evaluated with NumPy.

Rates of what depends on coordinates alone are taken by a complex step along the motion, so that a printed rate can be
compared with the derivative of what it is the rate of.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

_STEP = 1e-30
_WORD = re.compile(r"[A-Za-z]\w*")


class Matrix:
    """A number, vector or matrix; products with a 1 x 1 matrix are multiples."""

    def __init__(self, values: Any) -> None:
        self.a = np.atleast_2d(np.asarray(values, complex))

    def __add__(self, other: Any) -> Matrix:
        other = sized(other, self.a.shape)
        return Matrix(self.a + other.a)

    __radd__ = __add__

    def __neg__(self) -> Matrix:
        return Matrix(-self.a)

    def __sub__(self, other: Any) -> Matrix:
        return self + -other

    def __rsub__(self, other: Any) -> Matrix:
        return -self + other

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, Eye):
            return other * self
        b = other.a if isinstance(other, Matrix) else np.atleast_2d(other)
        return Matrix(self.a * b if 1 in (self.a.size, b.size) else self.a @ b)

    def __rmul__(self, other: Any) -> Matrix:
        return Matrix(other * self.a)

    def __truediv__(self, other: Any) -> Matrix:
        return Matrix(self.a / (other.a.item() if isinstance(other, Matrix) else other))

    def __rtruediv__(self, other: Any) -> Matrix:
        return Matrix(other / self.a.item())

    def __pow__(self, exponent: Any) -> Matrix:
        assert self.a.size == 1
        return Matrix(self.a ** (exponent.a if isinstance(exponent, Matrix) else exponent))

    @property
    def T(self) -> Matrix:  # noqa: N802
        """Its transpose."""
        return Matrix(self.a.T)

    @property
    def inverse(self) -> Matrix:
        """Its inverse."""
        return Matrix(np.linalg.inv(self.a))

    @property
    def pseudo(self) -> Matrix:
        """Its Moore-Penrose inverse."""
        return Matrix(np.linalg.pinv(self.a.real, rcond=1e-11))


class Eye:
    """An identity, or a multiple of it, whose size its place decides."""

    def __init__(self, factor: complex = 1.0) -> None:
        self.factor = factor

    def __neg__(self) -> Eye:
        return Eye(-self.factor)

    def __add__(self, other: Matrix) -> Matrix:
        return other + self

    def __sub__(self, other: Matrix) -> Matrix:
        return -other + self

    def __mul__(self, other: Matrix) -> Any:
        assert other.a.size == 1
        return Eye(self.factor * other.a.item())


def sized(value: Any, shape: tuple[int, ...]) -> Matrix:
    """Something with the shape that its place needs: an identity, zero, or what has it."""
    if isinstance(value, Eye):
        assert shape[0] == shape[1]
        return Matrix(value.factor * np.eye(shape[0]))
    own = value if isinstance(value, Matrix) else Matrix(value)
    if own.a.shape != shape and not own.a.any():
        return Matrix(np.zeros(shape))
    assert own.a.shape == shape, (own.a.shape, shape)
    return own


def tilde(vector: Matrix) -> Matrix:
    x, y, z = vector.a.ravel()
    return Matrix([[0, -z, y], [z, 0, -x], [-y, x, 0]])


class Page:
    """The equations of a printed derivation, in a state."""

    def __init__(self, text: str, known: Mapping[str, float], coordinates: tuple[str, ...]) -> None:
        """`known` has numbers of constants, coordinates and rates."""
        body, _, table = text.partition("\nSymbols\n")
        self.known, self.coordinates = dict(known), coordinates
        self.sizes = {name: int(size) for name, size in re.findall(r"^   (\w+) +(\d+)-vector", table, re.M)}
        self.lines = _lines(body)
        last = next(step for step in re.split(r"\n(?=\d+\. )", body) if re.match(r"\d+\. Equations of motion", step))
        self.equations = _lines(last)
        self.defined: dict[str, str] = {}
        for left, right in self.lines:
            if _WORD.fullmatch(left) and left not in known:
                self.defined.setdefault(left, right)
        self.guess: dict[str, np.ndarray] = {}
        self._kept: dict[tuple[str, bool], Any] = {}

    # ---- values

    def value(self, name: str, stepped: bool = False) -> Any:
        """Value of a symbol; `stepped` a small imaginary time along the motion."""
        if name in self.guess:
            return Matrix(self.guess[name].reshape(-1, 1))
        key = name, stepped
        if key not in self._kept:
            self._kept[key] = self._value(name, stepped)
        return self._kept[key]

    def _value(self, name: str, stepped: bool) -> Any:
        if name in self.known:
            rate = self.known.get(f"{name}_dot", float(name == "t"))
            return Matrix(self.known[name] + (1j * _STEP * rate if stepped else 0.0))
        base = name.removesuffix("_dot")
        if base != name and self._by_coordinates(base):
            assert not stepped, f"the rate of {name} is not known"
            return Matrix(np.imag(self.value(base, True).a) / _STEP)
        return self.evaluate(self.defined[name], stepped)

    def _by_coordinates(self, name: str) -> bool:
        """Does a symbol depend on coordinates alone, so that its rate is known?"""
        if name.endswith("_dot") or name not in {*self.known, *self.defined}:
            return False
        if name in self.known:
            return True
        return all(word in ("I", "T", "tilde", "sin", "cos", "sqrt", "exp") or self._by_coordinates(word)
                   for word in _WORD.findall(self.defined[name]))

    def rates_that_are_printed(self) -> list[tuple[str, np.ndarray, np.ndarray]]:
        """Rates that have a line of their own, as printed and as derivatives."""
        return [(name, np.real(self.evaluate(right).a), np.real(self.value(name).a))
                for name, right in self.defined.items()
                if name.endswith("_dot") and self._by_coordinates(name.removesuffix("_dot"))]

    def evaluate(self, formula: str, stepped: bool = False) -> Any:
        """A formula as the text has it."""
        rows = formula.split("\n")
        if len(rows) > 1:
            return self._grid([self._row(row, stepped) for row in rows])
        python = re.sub(r"\^T", ".T", formula)
        python = python.replace("^+", ".pseudo").replace("^-1", ".inverse")
        python = re.sub(r"\[([^\[\]]*)\]", lambda found: _bracket(found[1]), python)
        names = _Names(self, stepped)
        return eval(python, {"__builtins__": {}}, names)

    def _row(self, row: str, stepped: bool) -> list[Any]:
        return [self.evaluate(entry.strip(), stepped) for entry in row.strip().strip("[]").split(", ")]

    @property
    def widths(self) -> list[int]:
        """Sizes of the vectors of coordinates in q."""
        names = _WORD.findall(self.defined.get("q", self.defined.get("q_sys", "")))
        return [len(self.value(name).a) for name in names]

    def _grid(self, rows: list[list[Any]]) -> Matrix:
        """A matrix of numbers, or one of blocks whose columns belong to the vectors of coordinates."""
        if not any(isinstance(entry, Eye) or _matrix(entry) for row in rows for entry in row):
            return Matrix([[entry.a.item() if isinstance(entry, Matrix) else entry for entry in row] for row in rows])
        if all(len(row) == 1 for row in rows):
            return self.stack("", *(row[0] for row in rows))
        made = []
        for k, row in enumerate(rows):
            sizes = [len(entry.a) for entry in row if _matrix(entry)]
            sizes += [width for entry, width in zip(row, self.widths, strict=True) if isinstance(entry, Eye)]
            height = sizes[0] if sizes else self.widths[k]
            made.append(np.hstack([sized(entry, (height, width)).a
                                   for entry, width in zip(row, self.widths, strict=True)]))
        return Matrix(np.vstack(made))

    def diagonal(self, *entries: Any) -> Matrix:
        """A matrix with numbers on its diagonal, or with blocks that belong to the vectors of coordinates."""
        if not any(isinstance(entry, Eye) or _matrix(entry) for entry in entries):
            return Matrix(np.diag([entry.a.item() if isinstance(entry, Matrix) else entry for entry in entries]))
        return self._grid([[entry if i == j else 0 for j in range(len(entries))] for i, entry in enumerate(entries)])

    def stack(self, names: str, *entries: Any) -> Matrix:
        """Vectors or matrices one below the other; a zero among them is as high as it has to be."""
        if not any(_matrix(entry) for entry in entries) and not names.startswith("b"):
            return Matrix([[entry.a.item() if isinstance(entry, Matrix) else entry] for entry in entries])
        heights = [None] * len(entries) if len(entries) != len(self.widths) else self.widths
        labels = [re.fullmatch(r"(\w+?)_(\w+)", part.strip()) for part in names.split(";")] if names else [
            None] * len(entries)
        parts = []
        for entry, height, label in zip(entries, heights, labels, strict=True):
            if label and label[1] in ("b", "b_sys"):
                height = len(self.value(f"A{label[1][1:]}_{label[2]}").a)
            own = entry if isinstance(entry, Matrix) else Matrix(entry)
            parts.append(own.a if own.a.any() or height is None else np.zeros((height, 1)))
        return Matrix(np.vstack(parts))

    # ---- accelerations

    def accelerations(self) -> np.ndarray:
        """q̈ that the equations give: as a formula, or as the solution of a linear system."""
        names = _WORD.findall(self.defined.get("q", ""))
        if "q_ddot" in self.defined:
            return np.real(self.value("q_ddot").a).ravel()
        unknown = sorted({word for left, right in self.equations for word in self._unknown(f"{left} {right}", set())})
        sizes = [self._size(name) for name in unknown]
        zero = self._residual(unknown, sizes, np.zeros(sum(sizes)))
        columns = [self._residual(unknown, sizes, one) - zero for one in np.eye(sum(sizes))]
        matrix = np.column_stack(columns)
        solution = np.linalg.lstsq(matrix, -zero, rcond=1e-12)[0]
        assert np.abs(matrix @ solution + zero).max() <= 1e-9 * (1.0 + np.abs(zero).max()), "the equations contradict"
        self._take(unknown, sizes, solution)
        found: dict[str, float] = {}
        vectors = names or [name for name in self.sizes if f"{name}_ddot" in {*self.defined, *unknown}]
        for name in vectors:
            if f"{name}_ddot" in {*self.defined, *unknown}:
                parts = _WORD.findall(self.defined[name])
                found.update(zip(parts, np.real(self.value(f"{name}_ddot").a).ravel(), strict=True))
        return np.array([found.get(name, np.nan) for name in self.coordinates])

    def _unknown(self, formula: str, seen: set[str]) -> set[str]:
        """Symbols that neither the state nor a definition gives."""
        found = set()
        for word in set(_WORD.findall(formula)) - {"I", "T", "tilde", "sin", "cos", "sqrt", "exp"}:
            if word in seen or word in self.known or self._by_coordinates(word.removesuffix("_dot")):
                continue
            seen.add(word)
            found |= self._unknown(self.defined[word], seen) if word in self.defined else {word}
        return found

    def _size(self, name: str) -> int:
        base = name.removesuffix("_ddot")
        return self.sizes.get(name) or (self.sizes.get(base, 1) if base != name else 1)

    def _take(self, unknown: list[str], sizes: list[int], values: np.ndarray) -> None:
        parts = np.split(values, np.cumsum(sizes)[:-1])
        self.guess, self._kept = dict(zip(unknown, parts, strict=True)), {}

    def _residual(self, unknown: list[str], sizes: list[int], values: np.ndarray) -> np.ndarray:
        self._take(unknown, sizes, values)
        return np.concatenate([
            np.real(np.atleast_1d(_difference(self.evaluate(left), self.evaluate(right)))) for left, right in
            self.equations if not (_WORD.fullmatch(left) and left in self.defined)])


class _Names(dict[str, Any]):
    """Symbols of a page, looked up when a formula needs them."""

    def __init__(self, page: Page, stepped: bool) -> None:
        super().__init__(tilde=tilde, stack=page.stack, diag=page.diagonal, I=Eye(),
                         row=lambda *entries: page._grid([list(entries)]), sin=_by(np.sin), cos=_by(np.cos),
                         sqrt=_by(np.sqrt), exp=_by(np.exp))
        if "I" in page.known:
            self["I"] = page.value("I", stepped)
        self.page, self.stepped = page, stepped

    def __missing__(self, name: str) -> Any:
        return self.page.value(name, self.stepped)


def _by(function: Any) -> Any:
    return lambda x: Matrix(function(x.a if isinstance(x, Matrix) else x))


def _difference(left: Any, right: Any) -> np.ndarray:
    one, two = (side if isinstance(side, Matrix) else Matrix(side) for side in (left, right))
    return np.asarray((one.a - two.a).ravel())


def _matrix(entry: Any) -> bool:
    return isinstance(entry, Matrix) and entry.a.size > 1


def _bracket(inner: str) -> str:
    if ";" in inner:
        return f"stack({inner!r}, {inner.replace(';', ',')})"
    return f"row({inner})"


def _lines(body: str) -> list[tuple[str, str]]:
    """Both sides of all equations; rows of a matrix are lines of the right one."""
    found = []
    for match in re.finditer(r"^ {6}(\S.*?) =(?: (.+)|((?:\n {9}\[.*\])+))$", body, re.M):
        if "^(" in (match[2] or ""):  # roots of matrices are for people
            continue
        found.append((match[1], match[2] or "\n".join(row.strip() for row in match[3].strip().splitlines())))
    return found
