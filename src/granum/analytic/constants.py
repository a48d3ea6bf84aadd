"""Constants of a scene on their way into its formulas: as numbers, to compute, or as named symbols, to read."""

from __future__ import annotations

from collections.abc import Sequence

from granum.algebra import Expression, as_expression
from granum.algebra.expression import Scalar
from granum.algebra.vectors import Matrix
from granum.base.kernels import Floats
from granum.loads.load import BodyLoad
from granum.rows.body import Body, End
from granum.rows.joint import Joint


class Constants:
    """Constants as the numbers that they are; `shown.symbols` gives them names instead."""

    @property
    def values(self) -> dict[str, float]:
        """Numbers of the symbols that were given, by name: none."""
        return {}

    def mass(self, body: Body) -> Expression:
        """Mass of a body [kg]."""
        return as_expression(body.mass)

    def inertia(self, body: Body) -> Floats | Matrix:
        """Central inertia of a body in its axes [kg m²]."""
        return body.inertia

    def position(self, name: str, position: Sequence[float]) -> Sequence[Scalar]:
        """Position of a fixed point [m]."""
        return position

    def rolling(self, body: Body, radius: float, centre: Sequence[float]) -> tuple[Scalar, Sequence[Scalar]]:
        """Radius of a body that rolls on a surface, and its geometric centre in body axes [m]."""
        return radius, centre

    def end(self, end: End) -> End:
        """A point of a body."""
        return end

    def joint(self, joint: Joint) -> Joint:
        """A joint with the constants of its rows."""
        return joint

    def start_angle(self, joint: Joint, angle: float) -> Scalar:
        """Relative angle of the bodies of a 3-D hinge at the start, where they differ by a rotation about its axis."""
        return angle

    def load(self, load: BodyLoad) -> BodyLoad:
        """A load with its constants."""
        return load
