"""What a 3-D scene in vectors is made of: bodies, contacts, rows of constraints, and definitions of their symbols."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from granum.algebra import Expression
from granum.algebra.polynomial import CONSTANT
from granum.analytic.derivations.blocks import NOTHING, Block, named_block
from granum.analytic.derivations.derivation import Grid, Line
from granum.analytic.derivations.notation import Notation
from granum.analytic.derivations.quantities import Quantity, subscripts
from granum.analytic.derivations.symbols import alone


@dataclass(frozen=True)
class Solid:
    """A body that moves; one that is a point has no u."""

    name: str
    mass: Block
    w: Block
    """Mass centre."""
    force: Block
    """Applied, in inertial axes."""
    u: Block = NOTHING
    """Quaternion."""
    E: Block = NOTHING
    S: Block = NOTHING
    J: Block = NOTHING
    omega: Block = NOTHING
    """Angular velocity in body axes (1)."""
    torque: Block = NOTHING
    """Applied, about the mass centre in body axes."""
    isotropic: bool = False

    @property
    def rotates(self) -> bool:
        """Has it an orientation?"""
        return not self.u.is_zero


@dataclass(frozen=True)
class Contact:
    """A body that rolls on a surface; one that is not round has no `beta`."""

    solid: Solid
    slope: Sequence[Expression]
    """∇Γ, of the coordinates of the contact."""
    drift: Sequence[Expression]
    """Velocity of the surface at the contact, of the same."""
    alpha: Block
    """Point of contact (9)."""
    beta: Block
    """Geometric centre (9)."""
    radius: Block
    rho: Block
    """From the geometric centre to the mass centre, in body axes."""
    normal: Block
    k: Block
    K: Block
    """∂k/∂α; zero on a plane."""
    J_f: Block
    velocity: Block
    """Of the surface at the contact; zero at rest."""

    @property
    def normal_rate(self) -> Block:
        """Of the unit normal (A2); zero on a plane."""
        return NOTHING if self.K.is_zero else self.normal.rate


@dataclass(frozen=True)
class Held:
    """Rows of A q̈ = b that belong together."""

    label: str
    """What stands for it below A and b."""
    meaning: str
    value: Block
    """What is zero, φ."""
    entries: dict[Block, Block]
    """Blocks of A by coordinates; those that are missing are zero."""
    right: Block
    kind: str
    height: int
    invariant: bool = False
    between: tuple[tuple[Solid | None, Block, Block], ...] = ()
    """Of a ball joint: both bodies, their points in body axes, and these in inertial axes; of a hinge: both bodies, B
    and the axis."""


@dataclass
class Spatial:
    """Bodies, contacts and rows of a scene, with the definitions of their symbols."""

    n: Notation
    columns: list[tuple[Block, Sequence[Expression]]] = field(default_factory=list)
    """Vectors of coordinates and their components, in the order of the coordinates."""
    solids: dict[str, Solid] = field(default_factory=dict)
    contacts: list[Contact] = field(default_factory=list)
    rows: list[Held] = field(default_factory=list)
    rotations: list[Line] = field(default_factory=list)
    loads: list[Line] = field(default_factory=list)
    surfaces: list[Line] = field(default_factory=list)
    arms: list[Line] = field(default_factory=list)
    links: list[Line] = field(default_factory=list)
    hinges: list[Line] = field(default_factory=list)
    outlines: list[Line] = field(default_factory=list)
    """Where bodies touch that are not round."""

    @property
    def vectors(self) -> list[Line]:
        """What the vectors of coordinates are."""
        return [Line(vector, column(parts)) for vector, parts in self.columns]

    def vector(self, vector: Block, parts: Sequence[Expression]) -> None:
        """Add coordinates that form a vector."""
        self.columns.append((vector, parts))
        for part in parts:
            self.n.quantities[part.name] = replace(self.n.quantities[part.name], part_of=vector.text)

    def define(self, wanted: Sequence[str], meaning: str, unit: str = "", latex: str = "") -> Block:
        """A new symbol for a vector or a matrix."""
        one = self.n.new(wanted, meaning, unit, latex=latex)
        self.n.call(wanted[0], one.name)
        return named_block(one.name, latex)

    def letter(self, name: str, meaning: str, unit: str = "") -> Block:
        """A quantity of the theory, under its own letter where nothing else has it."""
        one = self.n.letter(name)
        self.n.add(Quantity(one, meaning, unit), CONSTANT)
        return named_block(one)


def column(entries: Sequence[Expression]) -> Grid:
    """A vector by its components."""
    return Grid(tuple((entry,) for entry in entries))


def tail_of(m: Spatial, body: str) -> str:
    """What follows a letter to say whose it is; nothing where there is one body only."""
    assembly = m.n.assembly
    assert assembly is not None
    return "" if body == alone(assembly) else f"_{subscripts(assembly.scene.body)[body]}"


def next_label(m: Spatial) -> str:
    """The number of the next constraint."""
    return str(1 + sum(row.label.isdigit() for row in m.rows))
