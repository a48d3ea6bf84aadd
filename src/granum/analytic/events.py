"""Events that end ideal rolling: leaving the surface, slipping, a surface too curved.

Udwadia and Mogharabin (2022), §2.1 and §2.4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from granum.algebra import Expression
from granum.algebra.compiled import Compiled
from granum.analytic.row_equations import RowEquations
from granum.base.errors import Problem, SceneError
from granum.base.kernels import Floats, Ints
from granum.rows.contact import undetermined_normal
from granum.rows.rolling_on_surface import Contact, Touching

LEAST_ROOM = 1e-3
"""det J_f at which the surface counts as too curved: at zero the contact point is infinitely fast, and steps end
before."""
LEAST_FREE = 1e-7
"""Part of a row, of unit length, that others do not imply, from which it counts as one of its own."""


@dataclass(frozen=True)
class Event:
    """A number that is positive while all is well."""

    formula: Expression
    report: str
    """What has happened when it is not."""


@dataclass(frozen=True)
class Events:
    """The events of a system, compiled for its data block."""

    listed: tuple[Event, ...]
    equations: RowEquations
    """Those that give their multipliers."""
    compiled: Compiled
    directions: Ints
    rubbing: tuple[Touching, ...]
    """Contacts whose friction over normal force is watched, behind the events."""

    def values(self, q: Floats, v: Floats, t: float = 0.0) -> Floats:
        """Numbers of the events in a state."""
        return self.equations.event_values(self.compiled, q, v, t)[: len(self.listed)]

    @property
    def quotients(self) -> list[Expression]:
        """Friction force and normal force of each contact [N]."""
        return quotients_of(self.rubbing)


def rolling_events(contacts: Sequence[Touching]) -> list[Event]:
    """What ends the rolling of each body."""
    events = []
    for contact in contacts:
        events.append(Event(contact.pressing, f"{contact.body} leaves {contact.on}: the normal force becomes "
                                              "negative."))
        if isinstance(contact, Contact):
            # where it is too curved both ways, det J_f is positive again: the trace tells
            events += [Event(formula - LEAST_ROOM, contact.crowded.format(body=contact.body))
                       for formula in contact.room]
            if contact.spare is not None:
                events.append(Event(contact.spare, f"{contact.body} tips over its end."))
        if contact.friction is not None:
            events.append(Event(contact.friction * contact.pressing - contact.sliding,
                                f"{contact.body} slips: rolling needs a larger friction coefficient than "
                                f"{contact.friction:g}."))
    return events


def quotients_of(contacts: Sequence[Touching]) -> list[Expression]:
    """Friction force and normal force of each contact [N]."""
    return [force for contact in contacts for force in (contact.sliding, contact.pressing)]


def pressed(equations: RowEquations, contacts: Sequence[Touching]) -> list[Touching]:
    """Contacts whose normal force is determined: not those of wheels that hinges hold at their distance."""
    rows = equations.system.rows
    if all(isinstance(contact, Contact) for contact in contacts):
        return list(contacts)
    q, v = equations.start
    A = equations.matrices(q, v)[2]
    A = A / np.maximum(np.linalg.norm(A, axis=1, keepdims=True), 1e-300)
    pressed_contacts = []
    for contact in contacts:
        own = [k for k, row in enumerate(rows) if row.constraint == contact.name]
        others = np.array([k not in own for k in range(len(rows))])
        away = A[own[0]]  # the row that keeps the distance: others that hold it too leave its force open
        left = away - A[others].T @ np.linalg.lstsq(A[others].T, away, rcond=1e-10)[0]
        if isinstance(contact, Contact) or np.linalg.norm(left) > LEAST_FREE:
            pressed_contacts.append(contact)
        elif contact.friction is not None:
            raise SceneError([undetermined_normal(contact.name, contact.body, contact.on)])
    return pressed_contacts


def prepare_events(equations: RowEquations, contacts: Sequence[Touching]) -> Events | None:
    """Events compiled into the block of a system, none where nothing rolls; a start beyond one is refused."""
    rubbing = pressed(equations, contacts)
    listed = rolling_events(rubbing)
    if not listed:
        return None
    compiled = equations.compile_events([*(event.formula for event in listed), *quotients_of(rubbing)])
    events = Events(tuple(listed), equations, compiled, np.full(len(listed), -1, dtype=np.int64), tuple(rubbing))
    values = events.values(*equations.start)
    bad = dict.fromkeys(event.report for event, value in zip(listed, values, strict=True) if value <= 0.0)
    if bad:
        remedy = "Give another start, or, where it slips, more friction."
        raise SceneError([Problem("start", f"at the start {report}", remedy) for report in bad])
    return events
