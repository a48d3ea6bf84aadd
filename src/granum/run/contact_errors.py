"""How well contact was solved, frame by frame: one type for every run."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from granum.base.kernels import Floats
from granum.run.constraint_errors import Constraints


class ContactErrors(NamedTuple):
    """Largest values of the steps since the frame before, where nothing else is said; not a number (nan) where a run
    does not record it.
    """

    imbalance: Floats
    """(frames,): impulse that the contacts of a grain lack together, in units of its weight times the step (or 1 % of
    the impulse of an impact): root of the mean square over the grains."""
    largest_imbalance: Floats
    """(frames,): the same of the worst grain."""
    lost_power: Floats
    """(frames,): power that contacts lose by missing their law, relative to the power turned over: what is wrong in a
    bed as a whole shows here, even if little is wrong at each contact."""
    velocity: Floats
    """(frames,): velocity by which a contact misses its law [m/s]."""
    last_imbalance: Floats
    """(frames,): imbalance in the step that ends at the frame, whose contact forces it shows."""
    last_lost_power: Floats
    """(frames,): lost power in that step."""
    relative: Floats
    """(frames,): relative residual, at which sweeps end when it is below `tolerance`."""
    sweeps: Floats
    """(frames,): mean number of sweeps in a step."""
    most_sweeps: Floats
    """(frames,): largest number of sweeps in a step."""
    tolerance: float
    """Relative residual at which sweeps end."""


_COLUMNS = {"velocity": "largest_residual", "relative": "residual"}
"""Columns of the figures with another name; files of earlier versions and `unilateral` have not all of them."""


class SolvedContacts(Constraints):
    """Errors of contact in a run."""

    @property
    def contact_error(self) -> ContactErrors:
        """How well contact was solved in each frame; see `ContactErrors`."""
        self.needs("residual")
        figures, unknown = self._table("figures", "figure_columns"), np.full(len(self.t), np.nan)
        return ContactErrors(**{name: figures.get(_COLUMNS.get(name, name), unknown)
                                for name in ContactErrors._fields if name != "tolerance"},
                             tolerance=float(self.metadata["contact_tolerance"]))
