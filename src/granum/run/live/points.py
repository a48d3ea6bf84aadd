"""Point masses and links, while they run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from granum.base.errors import GranumError
from granum.base.kernels import Floats
from granum.run.live.handle import BodyState, Handle, find

if TYPE_CHECKING:
    from granum.run.linked import LinkedSubject


class PointHandle(Handle):
    """Points and links of a LinkedSubject."""

    subject: LinkedSubject
    what = "a scene of point masses and links"

    def __init__(self, subject: LinkedSubject) -> None:
        self.subject, self._system = subject, subject.system
        self._struck = 0.0
        """Work of impacts that a change of the state has caused [J]: it is booked already."""

    @property
    def bodies(self) -> Sequence[str]:
        """Names of all bodies, fixed points included."""
        return list(self._system.body_names)

    def _slot(self, name: str) -> int:
        number = self._system.body_names.find(name)
        if number is None:
            find(name, self.bodies, "body")
            raise AssertionError
        return int(self._system.body_rank[number])

    def body(self, name: str) -> BodyState:
        """State of a point."""
        slot, state = self._slot(name), self.subject.state
        return BodyState(state.x[:, slot].copy(), state.v[:, slot].copy())

    def set_body(self, name: str, state: BodyState) -> None:
        """Move a point, as far as its links allow."""
        from granum.run.linked import start_violations

        slot, changed = self._slot(name), self.subject.state.copy()
        if self._system.fixed[slot]:
            raise GranumError(f'"{name}" is a fixed point. Set a body with mass.')
        changed.x[:, slot], changed.v[:, slot] = state.position, state.velocity
        if violations := start_violations(self._system, changed):
            raise GranumError(f'link "{violations[0].link}" does not allow this: {violations[0].text} Give a state '
                              "that fits the links.")
        self.subject.state.x[:], self.subject.state.v[:] = changed.x, changed.v
        if (one_sided := self.subject.one_sided) is not None:
            before = float(one_sided.work.sum())
            one_sided.close_touching(one_sided.closed)
            self._struck = float(one_sided.work.sum()) - before

    def apply(self, name: str, force: Floats, torque: Floats) -> None:
        """Add it to the forces on the point."""
        slot = self._slot(name)
        if self._system.fixed[slot]:
            raise GranumError(f'"{name}" is a fixed point, so a force on it has no effect.')
        if torque.any():
            raise GranumError(f'"{name}" is a point and cannot rotate. Apply a force.')
        self.subject.apply(slot, np.asarray(force[: self._system.dimension]))

    def book(self, energy: float) -> None:
        """As work of applied forces."""
        self.subject.applied_work += energy - self._struck
        self._struck = 0.0
