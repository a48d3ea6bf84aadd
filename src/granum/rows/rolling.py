"""Rolling: two round bodies touch and do not slip, or a body on a plane (Sun 1996, eq. 3.64).

On a plane roll round bodies, ellipsoids, thin disks on their edge, and cylinders, which touch it along a line: their
axis stays parallel to it, and they do not turn about its normal. Formulas take rolling on a surface Γ(X, Y, Z) = 0 by
another model, with massless contact points: `rolling_on_surface`.
"""

from __future__ import annotations

import math

from granum.model.connections import Rolling
from granum.rows.body import End
from granum.rows.contact import contact_labels, refuse_lying, refuse_unknown, touching
from granum.rows.joint import AXES, Connecting, Joint, Row
from granum.rows.tables import FIXED, OVAL, ROLL, ROLL_FLAT, ROLL_OVAL, SPIN_FLAT, SQUARE


def build(name: str, entry: Rolling, scene: Connecting) -> Joint:
    """The distance, and no slip along the tangents."""
    refuse_unknown(entry, scene)
    oval = scene.oval_end(entry.body)
    if oval is not None and entry.on in scene.scene.surface:
        return _on_plane(name, entry, scene, *oval)
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


def _on_plane(name: str, entry: Rolling, scene: Connecting, two: End, semi_axes: tuple[float, float, float]) -> Joint:
    """An ellipsoid, a thin disk or a cylinder on a plane."""
    normal, point = scene.plane(entry.on)
    refuse_lying(two.body, semi_axes, normal, entry.on)
    joint = Joint(name, entry.kind, End(entry.on, scene.ground, point), two, [], labels=contact_labels(name, 3),
                  contact=True)
    joint.limit = entry.friction
    if math.inf in semi_axes:
        axis, radius = [float(a == math.inf) for a in semi_axes], min(semi_axes)
        joint.rows = [Row(FIXED, normal, p=(0.0, -radius, 0.0), offset=radius),
                      *(Row(ROLL_FLAT, normal, p=(0.0, -radius, float(k))) for k in range(2)),
                      Row(SQUARE, normal, axis), Row(SPIN_FLAT, normal)]
        joint.half_length = 0.5 * two.body.entry.length
    else:
        joint.rows = [Row(OVAL, normal, semi_axes), *(
            Row(ROLL_OVAL, normal, semi_axes, (0.0, 0.0, float(k))) for k in range(2))]
    return joint
