"""Where a formula changes quickly: parts of a line, and how far one may go in each without overlooking anything.

A part [a, b] is resolved where slopes do not differ by more than a multiple of F/(b - a), F the largest size of the
formula: there it departs from a straight line by a fraction of F at most. Slopes are enclosed (`intervals`), not
sampled, so no pulse is too narrow to be found. Sums are taken apart, since a small ripple on a large constant counts as
a ripple.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from granum.algebra.calculus import gradient
from granum.algebra.expression import Expression, evaluate, free_symbols, walk
from granum.algebra.intervals import enclosures
from granum.base.errors import GranumError
from granum.base.kernels import Floats

BEND = 1.0
"""Difference of slopes times length, as a part of the size F: a radian of a sine, 0.7 τ of exp(-(t/τ)²)."""
STRIDE = 2.0
"""Longest step, as a multiple of the length of the part: a step has several stages."""
FINEST = 1e-9
"""Shortest part, as a part of the whole: where a formula jumps, or has a pole."""
MOST_PARTS = 20_000
MANY = 32
"""Switches from which a term is a table: its slopes are sampled between them, since it is a polynomial there."""
_SAMPLES = 4
"""Differences of values between two switches of a table."""
BOUNDED = ("sin", "cos", "exp", "tanh", "atan")
"""Functions that say something of unknown arguments too: neither their values nor their slopes have poles."""
NEGLIGIBLE = 1e-12
"""Least size F, as a part of the largest anywhere on the line: far tails need no resolution."""
_JUMPS = 1e-6
"""Difference of values on both sides of a switch, as a part of F, that is a jump."""


class Parts(NamedTuple):
    """Adjoining parts of a line."""

    edges: Floats
    """Where parts begin and end, rising."""
    longest: Floats
    """Longest step that touches each part."""


def terms_of(
    roots: Iterable[Expression], by: Expression, values: Mapping[str, float], at: Floats,
) -> list[Expression]:
    """Terms that say how quickly formulas change with a symbol, whatever the symbols without a value are.

    `at`: values of the symbol at which terms are tried. A term with unknown symbols that is unbounded there, or might
    have poles, is taken apart: of x sin(3 t) with unknown x, sin(3 t) is left.
    """
    roots = list(roots)
    depends = _depending(roots, by)
    found: dict[Expression, None] = {}
    seen: set[Expression] = set()
    left = [root for root in roots if root in depends]
    while left:
        node = left.pop()
        if node in seen or node is by:
            continue
        seen.add(node)
        arguments = [argument for argument in node.arguments if argument in depends]
        if node.kind == "neg" or (node.kind in "+-" and not _switched_together(node, by)):
            left.extend(arguments)
        elif len(arguments) == 1 and (node.kind == "*" or (node.kind == "/" and arguments[0] is node.arguments[0])):
            left.extend(arguments)  # times or over something else
        elif _known(node, by, values) or (node.kind in BOUNDED and all(
                np.isfinite(part.size).all() for part in enclosures([node], by, at, at, values)[0])):
            found[node] = None
        else:
            left.extend(arguments)
    return list(found)


def _depending(roots: Iterable[Expression], by: Expression) -> set[Expression]:
    """All nodes that depend on the symbol."""
    depends = {by}
    for node in walk(roots):
        if any(argument in depends for argument in node.arguments):
            depends.add(node)
    return depends


def _known(node: Expression, by: Expression, values: Mapping[str, float]) -> bool:
    return not free_symbols([node]) - {by.name} - set(values)


def _switches(node: Expression, by: Expression) -> set[Expression]:
    """Operations below a node that switch: sign and abs of the symbol."""
    depends = _depending([node], by)
    return {part for part in depends if part.kind in ("sign", "abs")}


def _switched_together(node: Expression, by: Expression) -> bool:
    """Do both sides of a sum switch together, as the pieces of a spline do? Then only the sum is smooth."""
    a, b = node.arguments
    return bool(_switches(a, by) & _switches(b, by))


def parts_of(
    terms: Sequence[Expression], by: Expression, begin: float, end: float, values: Mapping[str, float],
) -> Parts | None:
    """Parts of the line from begin to end that resolve all terms; None where they would be more than MOST_PARTS."""
    each = []
    for term in terms:
        switches = _switch_points(term, by, begin, end, values)
        edges = np.array([begin, *switches, end])
        table = len(switches) >= MANY and _known(term, by, values)
        cells = (_sampled if table else _resolved)(term, by, edges, values)
        if cells is None:
            return None
        each.append(_merged(*cells, [] if table else switches, (term, by, values)))
    edges = np.unique(np.concatenate([[begin, end], *(part.edges for part in each)]))
    middles, longest = 0.5 * (edges[:-1] + edges[1:]), np.full(len(edges) - 1, STRIDE * (end - begin))
    for part in each:
        longest = np.minimum(longest, part.longest[np.searchsorted(part.edges, middles) - 1])
    return Parts(edges, longest) if len(edges) <= MOST_PARTS else None


def _switch_points(
    term: Expression, by: Expression, begin: float, end: float, values: Mapping[str, float],
) -> list[float]:
    """Where sign and abs of straight lines switch; those of other arguments are found by dividing."""
    points = set()
    for node in _switches(term, by):
        (argument,) = node.arguments
        (slope,) = gradient(argument, [by])
        if free_symbols([argument]) - {by.name} - set(values) or by.name in free_symbols([slope]):
            continue
        rate, offset = evaluate([slope, argument], {**values, by.name: 0.0})
        if rate != 0.0 and begin < -offset / rate < end:
            points.add(-offset / rate)
    return sorted(points)


def _resolved(
    term: Expression, by: Expression, edges: Floats, values: Mapping[str, float],
) -> tuple[Floats, Floats, Floats, Floats, float] | None:
    """Divide until all cells are resolved: their ends and slopes, in order, and the size F of the term."""
    low, high = edges[:-1], edges[1:]
    everywhere = enclosures([term], by, np.array([-np.inf]), np.array([np.inf]), values)[0].value.size[0]
    size = NEGLIGIBLE * float(everywhere) if np.isfinite(everywhere) else 0.0
    # of an unknown phase all slopes are possible anywhere
    allowed, shortest = BEND if _known(term, by, values) else 2.0 * BEND, FINEST * (edges[-1] - edges[0])
    done: list[Floats] = []
    count = 0
    while len(low):
        middle = 0.5 * (low + high)
        (here,) = enclosures([term], by, middle, middle, values)
        sizes = here.value.size
        size = max(size, float(sizes[np.isfinite(sizes)].max(initial=0.0)))
        (cells,) = enclosures([term], by, low, high, values)
        with np.errstate(invalid="ignore"):
            bend = (cells.slope.high - cells.slope.low) * (high - low)
        good = (bend <= allowed * size) | (high - low <= shortest)
        done.append(np.stack([low, high, cells.slope.low, cells.slope.high])[:, good])
        count += int(np.count_nonzero(good))
        low, high, middle = low[~good], high[~good], middle[~good]
        if count + 2 * len(low) > MOST_PARTS:
            return None
        low, high = np.concatenate([low, middle]), np.concatenate([middle, high])
    cells_done = np.concatenate(done, axis=1)
    low, high, least, most = cells_done[:, np.argsort(cells_done[0])]
    return low, high, least, most, size


def _sampled(
    term: Expression, by: Expression, edges: Floats, values: Mapping[str, float],
) -> tuple[Floats, Floats, Floats, Floats, float]:
    """As `_resolved`, of a table: the cells are those between its switches."""
    low, high = edges[:-1], edges[1:]
    parts = (np.arange(_SAMPLES + 1) + 0.5) / (_SAMPLES + 1.0)
    points = low + parts[:, None] * (high - low)
    sampled = _values_at(term, by, points, values)
    slopes = np.diff(sampled, axis=0) / np.diff(points, axis=0)
    return low, high, slopes.min(axis=0), slopes.max(axis=0), float(np.abs(sampled).max())


def _values_at(term: Expression, by: Expression, points: Floats, values: Mapping[str, float]) -> Floats:
    """Values of a term at many points."""
    made: dict[Expression, Any] = {by: points}
    for node in walk([term]):
        if node not in made:
            made[node] = (node.value if node.kind == "number" else values[node.name] if node.kind == "symbol" else
                          _OPERATIONS[node.kind](*(made[argument] for argument in node.arguments)))
    result: Floats = np.broadcast_to(made[term], points.shape)
    return result


_OPERATIONS: dict[str, Any] = {
    "+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide, "^": np.power, "neg": np.negative,
    "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "atan2": np.arctan2,
    **{name: getattr(np, name) for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "log", "sqrt", "abs",
                                            "sign")}}


def _merged(
    low: Floats, high: Floats, least: Floats, most: Floats, size: float, switches: Sequence[float],
    term: tuple[Expression, Expression, Mapping[str, float]],
) -> Parts:
    """Join cells as long as they are resolved together and no jump is between them; jumps become parts of their own."""
    jumps, shortest = set(_jumps(term, switches, size, float(high[-1] - low[0]))), FINEST * (high[-1] - low[0])
    edges, longest = [float(low[0])], []
    begin, bottom, top = float(low[0]), np.inf, -np.inf
    for k in range(len(low)):
        jumped = float(low[k]) in jumps
        bottom_now, top_now = min(bottom, least[k]), max(top, most[k])
        with np.errstate(invalid="ignore"):
            together = (top_now - bottom_now) * (high[k] - begin) <= BEND * size
        if k and (jumped or not together):
            at = float(low[k])
            edges.append(at - shortest if jumped else at)
            longest.append(STRIDE * (edges[-1] - begin))
            if jumped:
                edges.append(at + shortest)
                longest.append(STRIDE * shortest)
            begin, bottom_now, top_now = edges[-1], least[k], most[k]
        bottom, top = bottom_now, top_now
    edges.append(float(high[-1]))
    longest.append(STRIDE * (edges[-1] - begin))
    return Parts(np.array(edges), np.array(longest))


def _jumps(
    term: tuple[Expression, Expression, Mapping[str, float]], switches: Sequence[float], size: float, length: float,
) -> list[float]:
    """Switches at which the term jumps, from its values just before and just after."""
    if not switches:
        return []
    root, by, values = term
    points, near = np.array(switches), FINEST * 1e-2 * length
    (before,), (after,) = (enclosures([root], by, points + a * near, points + b * near, values)
                           for a, b in ((-2.0, -1.0), (1.0, 2.0)))
    apart = np.maximum(before.value.low - after.value.high, after.value.low - before.value.high)
    return [float(point) for point in points[apart > _JUMPS * size]]


class Resolution:
    """Parts of a line that is divided window by window, for formulas of one symbol that may have further unknowns.

    Windows divide the line evenly, beginning at zero or centred there; one of too many parts is divided further. Which
    window a point is in does not depend on where one comes from.
    """

    def __init__(
        self, formulas: Iterable[Expression], by: Expression, values: Mapping[str, float], length: float,
        centred: bool = False,
    ) -> None:
        self._by, self._values, self._length = by, dict(values), length
        self._shift = 0.5 if centred else 0.0
        # irrational parts of the line, so that no formula is special at all of them
        at = length * (np.modf(np.arange(1, 8) * 0.6180339887498949)[0] - self._shift)
        self._terms = terms_of(formulas, by, values, at)
        self._windows: dict[tuple[float, int], Parts] = {}
        """The last one, by its length and number."""
        self._crowded: set[tuple[float, int]] = set()
        """Windows of too many parts."""

    def __bool__(self) -> bool:
        """Is there anything to resolve?"""
        return bool(self._terms)

    def parts(self, at: float) -> Parts:
        """Parts of the window that contains a point: it does not begin behind the point, and ends behind it."""
        length = self._length
        while True:
            window = math.floor(at / length + self._shift)
            window += at >= (window + 1 - self._shift) * length
            if (length, window) in self._windows:
                return self._windows[length, window]
            begin, end = ((window + side - self._shift) * length for side in (0, 1))
            if (length, window) not in self._crowded:
                parts = parts_of(self._terms, self._by, begin, end, self._values)
                if parts is not None:
                    self._windows = {(length, window): parts}
                    return parts
                self._crowded.add((length, window))
            length /= 8.0
            if not end > begin + 1e-12 * abs(end):
                raise GranumError(f"a formula changes too quickly with {self._by.name} to be followed.")
