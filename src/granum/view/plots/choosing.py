"""What all plots share: titles, which curves are shown where there are too many, frames that are there."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill

import numpy as np

from granum.base.errors import GranumError, did_you_mean
from granum.base.names import Names
from granum.run import Run
from granum.view import style

_WIDE = 74
"""Letters in a line of a title."""


def title(run: Run, what: str, note: str = "") -> str:
    """Title of the scene and what is drawn of it."""
    named = f"{run.scene.title}: {what}" if run.scene.title else what.capitalize()
    return fill(f"{named} ({note})" if note else named, _WIDE)


def chosen(
    names: Sequence[str] | Names, wanted: Sequence[str], what: str, most: int = style.MOST_CURVES,
) -> tuple[list[str], str]:
    """The names asked for, or some spread evenly over all of them, the last included; and a note on how many."""
    if not isinstance(names, Names):
        for name in wanted:
            if name not in names:
                raise GranumError(f'There is no {what} "{name}". {did_you_mean(name, names, what)}')
    if wanted:
        return list(wanted), ""
    count = len(names)
    if count <= most:
        return [names[k] for k in range(count)], ""
    places = np.linspace(0, count - 1, most).round().astype(int).tolist()
    return [names[k] for k in places], f"{most} of {count} shown"
