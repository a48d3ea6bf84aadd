"""Motion of bodies, read by name from the recording: the readers behind `run.position` and its like.

There are two layouts. `BodyTracks`: named bodies that stay, a column each. `GrainTracks`: grains and bodies that enter
and leave, found in each frame by their number. Both list bodies in the order of the scene.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from granum.base.errors import GranumError, did_you_mean
from granum.base.kernels import Flags, Floats
from granum.base.names import Names
from granum.base.rotations import about_z
from granum.io.runfile import read_only
from granum.model.body_entries import FixedPoint, PointMass, Rigid
from granum.run.recorded import find_name, listed_names, scene_order

if TYPE_CHECKING:
    from granum.assembly.points.collect import PointArrays
    from granum.run.recorded import Recorded

Quantity = Literal["position", "velocity", "orientation", "angle", "angular_velocity"]


class Tracks(ABC):
    """Motion of bodies by name. Angles and angular velocities of 2-D have one component, others three."""

    def __init__(self, run: Recorded) -> None:
        self.run = run

    @property
    @abstractmethod
    def names(self) -> Names:
        """All bodies that have a position, in the order of the scene."""

    @property
    @abstractmethod
    def fixed(self) -> Flags:
        """(bodies,): which of them are fixed points."""

    @abstractmethod
    def read(self, quantity: Quantity, name: str, frames: range) -> Floats:
        """(frames, components) of a body in some frames, without reading the others."""

    def follow(self, quantity: Quantity, name: str) -> Floats:
        """(frames, components) of a body."""
        return self.read(quantity, name, range(len(self.run.t)))

    def value(self, quantity: Quantity, name: str, index: int) -> Floats:
        """(components,) of a body in one frame."""
        index = range(len(self.run.t))[index]
        components: Floats = self.read(quantity, name, range(index, index + 1))[0]
        return components

    @abstractmethod
    def all(self, quantity: Literal["position", "velocity"]) -> Floats:
        """(frames, bodies, dimension), in the order of the names."""

    @abstractmethod
    def has_orientation(self, name: str) -> bool:
        """Has a body an orientation?"""

    def refuse_point(self, name: str) -> None:
        """Refuse the orientation of a point."""
        if not self.has_orientation(name):
            others = [one for one in self.names.some() if self.has_orientation(one)]
            raise GranumError(f'"{name}" is a point and has no orientation. Bodies of this run that have one: '
                              f"{', '.join(others[:12]) or 'none'}.")


class BodyTracks(Tracks):
    """Bodies with a column each: of links, of mechanisms, or with coordinates of formulas."""

    @cached_property
    def assembly(self) -> PointArrays:
        """The scene of point masses and links as arrays."""
        from granum.assembly.assembly import assembly_of  # loads what other runs do not need

        return assembly_of(self.run.scene).points

    @cached_property
    def names(self) -> Names:
        """As recorded."""
        if "bodies" in self.run.metadata:
            return self.run._names_of("bodies")
        return Names.of_blocks(self._points["bodies"]) if self._points is not None else self.assembly.body_names

    @cached_property
    def link_names(self) -> Names:
        """Names of the links between point masses."""
        return Names.of_blocks(self._points["links"]) if self._points is not None else self.assembly.link_names

    @property
    def _points(self) -> dict[str, Any] | None:
        """Names that a run of point masses and links has recorded; files of before say them by their scenes alone."""
        points: dict[str, Any] | None = self.run.metadata.get("points")
        return points

    @cached_property
    def fixed(self) -> Flags:
        """Fixed points of the scene."""
        if self._points is not None:
            fixed = np.zeros(len(self.names), np.bool_)
            fixed[self._points["fixed"]] = True
            return fixed
        if "bodies" not in self.run.metadata:
            return self.assembly.fixed
        return np.array([isinstance(self.run.scene.body.get(name), FixedPoint) for name in self.names], dtype=np.bool_)

    def all(self, quantity: Literal["position", "velocity"]) -> Floats:
        """As recorded."""
        return self.run._frames(quantity)

    def has_orientation(self, name: str) -> bool:
        """Rigid bodies have one."""
        return isinstance(self.run.scene.body.get(name), Rigid)

    def read(self, quantity: Quantity, name: str, frames: range) -> Floats:
        """A column; orientations of formulas are among their coordinates, unless formulas give R."""
        number, rows = find_name(self.names, name, "body"), slice(frames.start, frames.stop)
        if quantity in ("position", "velocity"):
            column: Floats = self.run._frames(quantity, rows)[:, number]
            return column
        self.refuse_point(name)
        if "coordinates" in self.run.metadata and name not in self.run._names_of("oriented"):
            return self._by_coordinates(quantity, name, rows)
        recorded: Floats = self.run._frames("angular_velocity" if quantity == "angular_velocity" else "orientation",
                                            rows)[:, find_name(self.run._names_of("oriented"), name, "body")]
        return about_z(recorded[:, 0]) if quantity == "orientation" and recorded.shape[1] == 1 else recorded

    def _by_coordinates(self, quantity: Quantity, name: str, rows: slice) -> Floats:
        """From the angle or the quaternion among the coordinates, and its rate."""
        symbol, flat = name.replace("-", "_"), self.run.dimension == 2  # in formulas `-` is a sign
        own = [f"{symbol}.angle"] if flat else [f"{symbol}.u{k}" for k in range(4)]
        columns = [find_name(self.run._names_of("coordinates"), one, "coordinate") for one in own]
        values: Floats = self.run._frames("coordinate", rows)[:, columns]
        if quantity != "angular_velocity":
            return about_z(values[:, 0]) if flat and quantity == "orientation" else values
        rates: Floats = self.run._frames("rate", rows)[:, columns]
        return rates if flat else angular_velocities(values, rates)


class GrainTracks(Tracks):
    """Grains, and the bodies they are parts of; fixed points of the scene stay where it says."""

    def __init__(self, run: Recorded) -> None:
        super().__init__(run)
        self._known: tuple[int, dict[str, int], Names] = -1, {}, Names()
        self._all: dict[str, tuple[int, Floats]] = {}
        self._fixed_points = {name: np.array(body.position, dtype=float) for name, body in run.scene.body.items()
                       if isinstance(body, FixedPoint)}

    def _refresh(self) -> None:
        """New grains may have entered since the last look at a run that goes on."""
        if self._known[0] != len(self.run.t):
            numbers = self._numbers_by_name()
            names = [*numbers, *self._fixed_points]
            ordered = [names[k] for k in scene_order(self.run.scene, names)]
            self._known = len(self.run.t), numbers, listed_names(ordered)

    @property
    def numbers(self) -> dict[str, int]:
        """Numbers of all that ever moved, by name: bodies by their own, others `<group>-1`, `<group>-2`, ..."""
        self._refresh()
        return self._known[1]

    @property
    def names(self) -> Names:
        """Bodies of the scene, fixed points among them, then grains of patterns and sources."""
        self._refresh()
        return self._known[2]

    @property
    def fixed(self) -> Flags:
        """Fixed points of the scene."""
        return np.array([name in self._fixed_points for name in self.names], dtype=np.bool_)

    @property
    def groups(self) -> list[str]:
        """Bodies, patterns and sources that grains are from."""
        return list(self.run.metadata["grains"])

    def has_orientation(self, name: str) -> bool:
        """All but points have one."""
        return not isinstance(self.run.scene.body.get(name), FixedPoint | PointMass)

    def _numbers_by_name(self) -> dict[str, int]:
        numbers: dict[str, int] = {}
        counted, parts = [0] * len(self.groups), self.run.has.parts
        for number, place in sorted(self.group_by_number(bodies=parts).items()):
            group = self.groups[place]
            if group in self.run.scene.body:
                numbers.setdefault(group, number)  # a clump that falls apart is where its first part is
            elif not self.by_grain(place):
                counted[place] += 1
                numbers[f"{group}-{counted[place]}"] = number
        for number, place in sorted(self.group_by_number(bodies=False).items()) if parts else ():
            if self.by_grain(place):
                counted[place] += 1
                numbers[f"{self.groups[place]}-{counted[place]}"] = number
        return numbers

    def group_by_number(self, bodies: bool) -> dict[int, int]:
        """Group of each number, of bodies or of grains."""
        what = {"count": "grain_count", "number": "number", "group": "group"}
        names = [f"body_{name}" if bodies else what[name] for name in what]
        counts, numbers, groups = (self.run._frames(name) for name in names)
        seen: dict[int, int] = {}
        last = np.zeros((2, 0))
        for index in range(len(self.run.t)):
            n = int(counts[index])
            now = np.stack([numbers[index, :n], groups[index, :n]])
            if not np.array_equal(now, last):  # mostly the same grains are there still
                seen |= dict(now.T.tolist())
                last = now
        return seen

    def by_grain(self, group: int) -> bool:
        """Is a group followed grain by grain though bodies may hold several of them: disks and balls of a pattern?"""
        if not 0 <= group < len(self.groups):
            raise GranumError(f"there is no group {group}: this run has {len(self.groups)}, numbered from 0.")
        name, scene = self.groups[group], self.run.scene
        kind = scene.pattern.get(name) or scene.source.get(name)
        return self.run.has.parts and name not in scene.body and (getattr(kind, "shape", None) or "disk") in (
            "disk", "sphere")

    def _array_of(self, quantity: str, name: str) -> str:
        """The array of bodies or of grains; in 2-D `orientation` of grains is the angle."""
        group = name if name in self.run.scene.body else name.rpartition("-")[0]
        if self.run.has.parts and not self.by_grain(self.groups.index(group)):
            return f"body_{quantity}"
        return {"count": "grain_count", "angle": "orientation"}.get(quantity, quantity)

    def _recorded(self, quantity: Quantity, name: str,
                  rows: slice = slice(None)) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], int]:
        """Values, numbers and counts of the frames that a name is followed in, and its number."""
        if name not in self.numbers:
            raise GranumError(f'There is no grain or body "{name}". {did_you_mean(name, self.names.some(), "grain")}')
        values, numbers, counts = (self.run._frames(self._array_of(what, name), rows)
                                   for what in (quantity, "number", "count"))
        return values, numbers, counts, self.numbers[name]

    def read(self, quantity: Quantity, name: str, frames: range) -> Floats:
        """Not a number where it is not there."""
        if name in self._fixed_points:
            return self._at_rest(quantity, name, len(frames))
        rows = slice(frames.start, frames.stop)
        values, numbers, counts, number = self._recorded(quantity, name, rows)
        path = np.full((len(frames), *values.shape[2:]), np.nan, values.dtype)
        for index, count in enumerate(counts):
            row = int(np.searchsorted(numbers[index, :count], number))
            if row < count and numbers[index, row] == number:
                path[index] = values[index, row]
        return quaternions(path) if quantity == "orientation" else path.reshape(len(path), -1).astype(float)

    def _at_rest(self, quantity: Quantity, name: str, frames: int) -> Floats:
        if quantity not in ("position", "velocity"):
            self.refuse_point(name)
        at = self._fixed_points[name] if quantity == "position" else np.zeros(self.run.dimension)
        return np.tile(at, (frames, 1))

    def all(self, quantity: Literal["position", "velocity"]) -> Floats:
        """Not a number where a body is not there; kept for those who read frame by frame."""
        if quantity not in self._all or self._all[quantity][0] != len(self.run.t):
            self._all[quantity] = len(self.run.t), read_only(self._gathered(quantity))
        return self._all[quantity][1]

    def _gathered(self, quantity: Literal["position", "velocity"]) -> Floats:
        table = np.full((len(self.run.t), len(self.names), self.run.dimension), np.nan)
        columns: dict[str, list[tuple[int, int]]] = {"": [], "body_": []}
        for k, name in enumerate(self.names):
            if name in self._fixed_points:
                table[:, k] = self._at_rest(quantity, name, 1)
            else:
                prefix = "body_" if self._array_of("number", name) == "body_number" else ""
                columns[prefix].append((self.numbers[name], k))
        for prefix, listed in columns.items():
            if listed:
                self._scatter(table, prefix, quantity, np.array(sorted(listed)))
        return table

    def _scatter(self, table: Floats, prefix: str, quantity: str, listed: NDArray[Any]) -> None:
        """Values of each frame into the columns of their names; `listed` are numbers, sorted, and columns."""
        values, numbers = self.run._frames(prefix + quantity), self.run._frames(f"{prefix}number")
        counts = self.run._frames("body_count" if prefix else "grain_count")
        for index, count in enumerate(counts):
            now = numbers[index, :count]
            at = np.minimum(np.searchsorted(listed[:, 0], now), len(listed) - 1)
            known = listed[at, 0] == now
            table[index, listed[at[known], 1]] = values[index, :count][known]


def quaternions(orientation: NDArray[Any]) -> Floats:
    """(n, 4): of unit length, from what is recorded: angles (n, 1) or quaternions, of grains in single precision."""
    if orientation.shape[1] == 1:
        planar = about_z(orientation[:, 0].astype(float))
        planar[np.isnan(orientation[:, 0])] = np.nan
        return planar
    exact = orientation.astype(float)
    if orientation.dtype == np.float32:
        exact /= np.linalg.norm(exact, axis=1)[:, None]
    return exact


def angular_velocities(u: Floats, rates: Floats) -> Floats:
    """(n, 3) in inertial axes, 2 u̇ ū / |u|², of quaternions and their rates (n, 4)."""
    a, v = u[:, :1], u[:, 1:]
    return np.asarray(2.0 * (a * rates[:, 1:] - rates[:, :1] * v - np.cross(rates[:, 1:], v))
                      / (u * u).sum(axis=1, keepdims=True))


def rotations(quaternion: Floats) -> Floats:
    """(n, 3, 3): from body axes to inertial axes, of quaternions (n, 4)."""
    w, x, y, z = quaternion.T
    rows = [[w * w + x * x - y * y - z * z, 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
            [2.0 * (x * y + w * z), w * w - x * x + y * y - z * z, 2.0 * (y * z - w * x)],
            [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), w * w - x * x - y * y + z * z]]
    return np.array(rows).transpose(2, 0, 1)
