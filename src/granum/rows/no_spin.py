"""No spin: a body that rolls does not rotate about the normal of its contact (Udwadia and Mogharabin 2022, eq. 39)."""

from __future__ import annotations

from granum.base.errors import GranumError
from granum.model.connections import NoSpin
from granum.rows.joint import AXES, MOMENT, Connecting, Joint, Row
from granum.rows.tables import ON_PLANE, SPIN, SPIN_FLAT


def build(name: str, entry: NoSpin, scene: Connecting) -> Joint:
    """No relative angular velocity about the normal of the rolling contact of the body."""
    rolling = [joint for joint in scene.joints if joint.kind == "rolling" and joint.two.body.name == entry.body]
    if not rolling or scene.dimension == 2:
        raise GranumError(f'"{entry.body}" does not roll in 3-D, but no-spin needs a rolling constraint.')
    contact = rolling[0].rows[0]
    row = Row(SPIN_FLAT if contact.element in ON_PLANE else SPIN, contact.u, p=contact.p)
    return Joint(name, entry.kind, rolling[0].one, rolling[0].two, [row],
                 labels=[(f"{name}.torque.{AXES[k]}", MOMENT + k) for k in range(3)])
