"""Flow of a fluid that drag acts in: velocities on a regular grid from a file, or a parabolic profile between walls."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from granum.base.errors import GranumError
from granum.base.kernels import Floats, Ints, kernel
from granum.base.text import count
from granum.state.table import X, Y, Z

LARGEST_FILE = 500_000_000
"""Bytes of a file with velocities."""
COLUMNS = {2: ("x", "y", "u", "v"), 3: ("x", "y", "z", "u", "v", "w")}
"""Columns of such a file, by dimension."""
UNEVEN = 0.01
"""Part of the spacing by which a point may be off its position: as much as printing with few digits takes."""

SAME = 1e-6
"""Part of the length of an axis within which coordinates are the same."""


class Grid(NamedTuple):
    """Velocities on a regular grid; an axis with one point means that nothing changes along it."""

    lower: Floats
    """(3,): the corner with the smallest coordinates [m]."""
    spacing: Floats
    """(3,): distance of neighbouring points [m]; 1 along an axis with one point."""
    size: Ints
    """(3,): points along each axis."""
    velocity: Floats
    """(points, 3) [m/s]; z changes fastest, x slowest."""


def read_grid(file: Path, dimension: int) -> Grid:
    """Velocities on a grid from lines of numbers with commas, points in any order; refuses holes and uneven grids."""
    lines, numbers = _numbers(file, dimension)
    lower, spacing, size = np.zeros(3), np.ones(3), np.ones(3, dtype=np.int64)
    place = np.zeros((len(numbers), 3), dtype=np.int64)
    for k in range(dimension):
        lower[k], spacing[k], size[k] = _axis(file, COLUMNS[dimension][k], lines, numbers[:, k])
        place[:, k] = np.rint((numbers[:, k] - lower[k]) / spacing[k])
    row = (place[:, X] * size[Y] + place[:, Y]) * size[Z] + place[:, Z]
    _each_once(file, lines, row, lower, spacing, size, dimension)
    velocity = np.zeros((len(numbers), 3))
    velocity[row, :dimension] = numbers[:, dimension:]
    return Grid(lower, spacing, size, velocity)


def _numbers(file: Path, dimension: int) -> tuple[Ints, Floats]:
    """The numbers of every line, and the lines they are in."""
    rows: list[list[float]] = []
    lines: list[int] = []
    for place, (line, text) in enumerate(_lines(file)):
        cells = [cell.strip() for cell in text.split(",")]
        if place == 0 and not any(map(_is_number, cells)):
            _check_header(file, line, cells, COLUMNS[dimension])
            continue
        needed = ", ".join(COLUMNS[dimension])
        if len(cells) != 2 * dimension:
            raise GranumError(f"{file.name} line {line} has {count(len(cells), 'column')}, but {2 * dimension} are "
                              f"needed: {needed}.")
        wrong = [cell for cell in cells if not _is_number(cell)]
        if wrong:
            raise GranumError(f"{file.name} line {line}: found {wrong[0][:30]!r}, but a finite number is needed: "
                              f"{needed} in m and m/s.")
        rows.append([float(cell) for cell in cells])
        lines.append(line)
    if not rows:
        raise GranumError(f"{file.name} has no row of numbers; the columns {', '.join(COLUMNS[dimension])} are needed.")
    return np.array(lines), np.array(rows)


def _lines(file: Path) -> Iterator[tuple[int, str]]:
    """Lines that say something, with their numbers; a line that begins with # is a remark."""
    try:
        if file.exists() and not file.is_file():  # a device or a pipe may never end
            raise GranumError(f"{file.name} is not a regular file; a CSV file of numbers is needed.")
        if file.stat().st_size > LARGEST_FILE:
            raise GranumError(f"{file.name} has {file.stat().st_size / 1e6:.0f} MB, but a velocity field may have at "
                              f"most {LARGEST_FILE / 1e6:.0f} MB.")
        with file.open(encoding="utf-8-sig") as opened:
            for line, text in enumerate(opened, 1):
                if text.strip() and not text.lstrip().startswith("#"):
                    yield line, text
    except FileNotFoundError:
        raise GranumError(f"there is no file {file}. Give its path relative to the scene file, or in full.") from None
    except UnicodeDecodeError:
        raise GranumError(f"{file.name} is not text; a CSV file of numbers is needed.") from None
    except OSError as error:
        raise GranumError(f"{file} cannot be read: {error.strerror}.") from None


def _is_number(cell: str) -> bool:
    try:
        return math.isfinite(float(cell))
    except ValueError:
        return False


def _check_header(file: Path, line: int, cells: list[str], columns: tuple[str, ...]) -> None:
    """A header with the names of the columns must have them in their order."""
    names = [cell.strip('"').split()[0].lower() if cell.strip('" ') else "" for cell in cells]
    if sorted(names) == sorted(columns) and names != list(columns):
        raise GranumError(f"{file.name} line {line} has the columns {', '.join(names)}, but {', '.join(columns)} are "
                          "needed, in this order.")


def _axis(file: Path, name: str, lines: Ints, values: Floats) -> tuple[float, float, int]:
    """Lowest value, spacing and number of the values along one axis; refuses what is not evenly spaced."""
    known = np.unique(values)
    # the same coordinate computed twice, or in single precision, may differ in its last digits
    known = known[np.concatenate([[True], np.diff(known) > SAME * max(known[-1] - known[0], 1e-300)])]
    if len(known) == 1:
        return float(known[0]), 1.0, 1
    spacing = (known[-1] - known[0]) / (len(known) - 1)
    off = np.abs(known - known[0] - spacing * np.arange(len(known)))
    if off.max() > UNEVEN * spacing:
        gaps = np.diff(known)
        widest = int(np.argmax(gaps))
        line = int(lines[np.argmin(np.abs(values - known[widest + 1]))])
        raise GranumError(f"{file.name} line {line}: {name} = {known[widest + 1]:g} m comes {gaps[widest]:g} m after "
                          f"{known[widest]:g} m, elsewhere {name} steps by {gaps.min():g} m; a regular grid is needed.")
    return float(known[0]), float(spacing), len(known)


def _each_once(file: Path, lines: Ints, row: Ints, lower: Floats, spacing: Floats, size: Ints,
               dimension: int) -> None:
    """Refuse a grid with a point twice or missing, and say which."""
    def point(number: int) -> str:
        place = np.array(np.unravel_index(number, size.tolist()))
        return ", ".join(f"{c:g}" for c in (lower + spacing * place)[:dimension])

    order = np.argsort(row, kind="stable")
    again = np.flatnonzero(np.diff(row[order]) == 0)
    if len(again):
        first, second = lines[order[again[0]]], lines[order[again[0] + 1]]
        raise GranumError(f"{file.name} line {second} gives the point ({point(int(row[order[again[0]]]))}) m again, "
                          f"which is already in line {first}; give each point once.")
    points = math.prod(size.tolist())
    if len(row) < points:
        there = row[order]
        gap = np.flatnonzero(there != np.arange(len(there)))
        missing = int(gap[0]) if len(gap) else len(there)
        shape = " by ".join(map(str, size[:dimension]))
        raise GranumError(f"{file.name} has {len(row)} points, but its coordinates span a grid of {shape} = {points}; "
                          f"the first missing point is ({point(missing)}) m.")


@kernel
def profile_factor(dimension: int, distance: float, half_width: float) -> float:
    """Velocity over mean velocity at a distance from the axis: 3/2 (1 - d²/h²) between planes, 2 (1 - d²/R²) in a
    round pipe, zero beyond the walls.
    """
    across = distance / half_width
    if across >= 1.0:
        return 0.0
    return (1.5 if dimension == 2 else 2.0) * (1.0 - across * across)


@kernel
def grid_flow(
    lower: Floats, spacing: Floats, size: Ints, velocity: Floats, x: float, y: float, z: float,
) -> tuple[float, float, float, int]:
    """Velocity at a point, linear along each axis between the points of a grid; beyond it that of the nearest edge.

    The last number is 1 if the point is outside.
    """
    outside = 0
    i, a, far = _cell(x, lower[X], spacing[X], size[X])
    outside |= far
    j, b, far = _cell(y, lower[Y], spacing[Y], size[Y])
    outside |= far
    k, c, far = _cell(z, lower[Z], spacing[Z], size[Z])
    outside |= far
    u, v, w = 0.0, 0.0, 0.0
    for corner in range(8):
        di, dj, dk = corner >> 2, (corner >> 1) & 1, corner & 1
        weight = (a if di else 1.0 - a) * (b if dj else 1.0 - b) * (c if dk else 1.0 - c)
        if weight != 0.0:  # a corner beyond an axis of one point has none
            row = ((i + di) * size[Y] + j + dj) * size[Z] + k + dk
            u += weight * velocity[row, X]
            v += weight * velocity[row, Y]
            w += weight * velocity[row, Z]
    return u, v, w, outside


@kernel
def _cell(x: float, lower: float, spacing: float, size: int) -> tuple[int, float, int]:
    """Cell of a coordinate, the part of it that lies before the coordinate, and 1 if it is beyond the grid."""
    if size == 1:
        return 0, 0.0, 0
    place = (x - lower) / spacing
    if not place > 0.0:
        return 0, 0.0, 1 if place < 0.0 else 0
    if place >= size - 1.0:
        return size - 2, 1.0, 1 if place > size - 1.0 else 0
    cell = int(place)
    return cell, place - cell, 0
