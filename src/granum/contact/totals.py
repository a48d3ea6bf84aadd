"""What every solver of contact adds up over steps, by name: the rows of `Solver.totals`."""

from __future__ import annotations

STEPS, IMPACT, FRICTION, ROLLING, BOUNDARY, RELATIVE, WORST, IMBALANCE, MOST_IMBALANCE, POWER, LAST_IMBALANCE, \
    LAST_POWER, CONTACTS, PUSHING, OVERLAP, DEEPEST, MOVE, SWEEPS, MOST_SWEEPS, PLASTIC, TOTALS = range(21)
"""Totals over steps: steps; work of normal impulses, friction, rolling friction and boundaries [J]; the largest
relative residual of a step and the largest residual of a contact [m/s]; the largest rms imbalance of a step, the
largest of a grain and the largest part of the power that is lost (`contact.residual`), and the first and last of these
in the last step; contacts and those that push; sum and largest of relative overlaps; the largest move of a step in
radii; sweeps, and the most of a step; impacts made plastic."""
