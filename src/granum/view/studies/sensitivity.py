"""Sobol's indices of a study as bars."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from granum.base.text import count
from granum.studies.result import StudyResult
from granum.studies.statistics import Sensitivity, by_point, sobol_indices
from granum.studies.statistics.sensitivity import is_saltelli
from granum.view import style
from granum.view.plots.registry import study_plot
from granum.view.studies.choosing import heading, measured, one_measure, quantities


def indices_of(result: StudyResult, measure: str) -> Sensitivity:
    """Sobol's indices of a measure: repeats of a point count as their mean."""
    groups = by_point(result, measure)
    points = np.array([[float(group.values[name]) for name in result.parameters] for group in groups])
    values = [np.nan if group.estimate is None else group.estimate.value for group in groups]
    return sobol_indices(result.parameters, points, values)


def _is_design(result: StudyResult) -> bool:
    if not measured(result) or any(result.column(name).dtype == object for name in result.parameters):
        return False
    groups = by_point(result, measured(result)[0])
    return is_saltelli(np.array([[float(group.values[name]) for name in result.parameters] for group in groups]))


@study_plot(_is_design, 'a finished study with design.kind = "sobol"')
def sensitivity(result: StudyResult, *measures: str) -> Figure:
    """Sobol indices: share of the variance due to each parameter, alone and with interactions."""
    measure = one_measure(result, measures, quantities)
    found = indices_of(result, measure)
    names = result.parameters
    drawn, panels = style.figure(height=1.3 + 0.55 * len(names))
    panel = panels[0, 0]
    place = np.arange(len(names), dtype=float)
    for offset, (what, indices) in zip((-0.18, 0.18), (("alone", found.first), ("with interactions", found.total)),
                                       strict=True):
        values = np.array([indices[name].value for name in names])
        errors = np.array([indices[name].half_width for name in names])
        panel.barh(place + offset, values, 0.34, xerr=errors, label=what, capsize=2, alpha=0.85)
    panel.set_yticks(place, names)
    panel.invert_yaxis()
    panel.set(xlabel=f"share of the variance of {measure} [-]")
    dropped = f", {count(found.dropped, 'block')} with failed runs omitted" if found.dropped else ""
    panel.set(title=heading(result, f"sensitivity of {measure}", names, "Sobol indices from "
                                                                        f"{count(found.blocks, 'block')}, 95 % "
                                                                        f"confidence intervals{dropped}"))
    style.legend(panel)
    return drawn
