"""What a mechanism is, in words: bodies, joints, freedoms by count and by rank, joints that are too many."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from granum.mechanisms import tables
from granum.mechanisms.equations import MechanismEquations
from granum.model.scene import Scene


@dataclass(frozen=True)
class MechanismDescription:
    """What `granum check` says about a scene of rigid bodies and joints."""

    title: str
    dimension: int
    bodies: int
    fixed_points: int
    joints: int
    rows: int
    rank: int
    degrees_of_freedom: int
    """Independent velocities in this position."""
    gruebler: int
    """Velocities of the bodies less rows (Grübler's count)."""
    redundant: tuple[tuple[tuple[str, ...], int], ...]
    """Joints that restrain the same motion, and how many rows of them are too many."""
    thin: tuple[str, ...]
    """Bodies whose turning about their own axis nothing determines, and nothing depends on."""
    start: dict[str, float]

    def as_json(self) -> dict[str, Any]:
        """All figures by name."""
        return asdict(self)

    def summary_lines(self) -> list[str]:
        """The description in words."""
        title, where = f"{self.title}: " if self.title else "", "the plane" if self.dimension == 2 else "space"
        lines = [f"{title}{_count(self.bodies, 'body', 'bodies')} and "
                 f"{_count(self.fixed_points, 'fixed point', 'fixed points')} in {where}, "
                 f"{_count(self.joints, 'connection', 'connections')} with {_count(self.rows, 'row', 'rows')} of rank "
                 f"{self.rank}.",
                 f"{_count(self.degrees_of_freedom, 'degree', 'degrees')} of freedom in this position; "
                 f"Grübler's count is {self.gruebler}."]
        for names, count in self.redundant:
            rows = "a row too many" if count == 1 else f"{count} rows too many"
            lines.append(f"{_listed(names)} restrain the same motion: {rows}. The motion is right; of their reactions "
                         "those that are not unique are marked, and given with the least norm.")
        if self.thin:
            lines.append(f"Turning about their own axis is left out of thin bodies: {_listed(self.thin)}.")
        lines.append("The start, computed from what is given: "
                     + ", ".join(f"{name} = {value:.6g}" for name, value in list(self.start.items())[:40]) + ".")
        return lines


def describe_mechanism(scene: Scene) -> MechanismDescription:
    """Build a mechanism, compute its start and say what it is."""
    equations = MechanismEquations(scene)
    mechanism = equations.mechanism
    q, v = equations.start
    rows = mechanism.row_count
    dropped = int(mechanism.model.tables.figures[tables.DROPPED])
    planar = mechanism.dimension == 2
    freedoms = sum((3 if planar else 5 if place.thin else 6) if place.turns else mechanism.dimension
                   for place in mechanism.places)
    found = equations.redundancy()
    values = dict(zip((*equations.coordinates, *(f"{name}_dot" for name in equations.coordinates)),
                      (*q.tolist(), *v.tolist()), strict=True))
    return MechanismDescription(
        scene.title, mechanism.dimension, len(mechanism.places), len(mechanism.fixed), len(mechanism.joints), rows,
        rows - dropped, freedoms - rows + dropped, freedoms - rows, found.parts,
        () if planar else tuple(place.name for place in mechanism.places if place.thin), values)


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _listed(names: tuple[str, ...]) -> str:
    if len(names) == 1:
        return names[0]
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) <= 12 else f"{', '.join(names[:12])} and others"
