"""What every solver of contact adds up over steps, by name: the rows of `Solver.totals`."""

from __future__ import annotations

STEPS, IMPACT, FRICTION, ROLLING, BOUNDARY, RELATIVE, WORST, CONTACTS, PUSHING, OVERLAP, DEEPEST, MOVE, SWEEPS, \
    PLASTIC, TOTALS = range(15)
"""Totals over steps: steps; work of normal impulses, friction, rolling friction and boundaries [J]; the largest
relative residual of a step and the largest residual of a contact [m/s]; contacts and those that push; sum and largest
of relative overlaps; the largest move of a step in radii; sweeps; impacts made plastic."""
