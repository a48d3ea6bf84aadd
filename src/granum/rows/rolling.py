"""Rolling: two round bodies touch and do not slip, or one on a plane (Sun 1996, eq. 3.64).

Formulas take rolling on a surface Γ(X, Y, Z) = 0 by another model, with massless contact points: `rolling_on_surface`.
"""

from __future__ import annotations

from granum.model.connections import Rolling
from granum.rows.contact import touching
from granum.rows.joint import AXES, Connecting, Joint, Row
from granum.rows.tables import ROLL, ROLL_FLAT


def build(name: str, entry: Rolling, scene: Connecting) -> Joint:
    """The distance, and no slip along the tangents."""
    joint, normal = touching(name, entry, scene)
    near, far, _ = joint.rows[0].p

    def no_slip(tangents: int) -> list[Row]:
        element, direction = (ROLL, (0.0, 0.0, 0.0)) if normal is None else (ROLL_FLAT, normal)
        return [Row(element, direction, p=(near, far, float(k))) for k in range(tangents)]

    joint.limit = entry.friction
    joint.row_labels = f"{name}.contact", f"{name}.slip"
    if scene.dimension == 3:
        joint.formula_rows = [*joint.rows, *no_slip(3)]
        joint.row_labels = f"{name}.contact", *(f"{name}.slip.{axis}" for axis in AXES)
    joint.rows += no_slip(scene.dimension - 1)
    return joint
