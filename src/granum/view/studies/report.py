"""The report of a study: one HTML file with tables, plots, failures and provenance, which asks nobody for anything."""

from __future__ import annotations

import base64
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from html import escape
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from granum.base.errors import GranumError
from granum.base.text import count
from granum.run import Run, open_run
from granum.studies.result import StudyResult
from granum.studies.runner import kept_file
from granum.studies.statistics import Estimate, by_point
from granum.view import style
from granum.view.files import replacing
from granum.view.plots.catalogue import draw, plots_of
from granum.view.studies.choosing import (
    crossing_of,
    label,
    measured,
    probabilities,
    quantities,
    rows_at,
    second_parameter,
    value_label,
    varied,
)
from granum.view.studies.curves import interval_text

_MOST_POINTS = 400
"""Rows of the table of points; a larger study has its table as CSV."""
_MOST_REASONS = 40
_RUN_PLOTS = ("before-after", "surface", "path", "coordinates", "energy")
"""Plots for the picture of a run: the first that it has."""
_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #1b1f24; max-width: 62rem; margin: 2rem auto; padding: 0 1.2rem; }
h1 { font-size: 1.7rem; margin-bottom: .2rem; } h2 { font-size: 1.2rem; margin-top: 2.2rem;
border-bottom: 1px solid #d5d9de; padding-bottom: .2rem; }
.note { color: #57606a; } .scroll { overflow-x: auto; } figure { margin: 1rem 0 1.6rem; }
figure img { max-width: 100%; max-height: 40rem; height: auto; } figcaption { color: #57606a; font-size: .9rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .88rem; margin: .6rem 0; }
th, td { padding: .25rem .7rem; border-bottom: 1px solid #e4e7eb; text-align: right; white-space: nowrap; }
th { background: #f6f8fa; font-weight: 600; } td.text, th.text { text-align: left; white-space: normal; }
.failed { color: #b3261e; } footer { margin-top: 3rem; color: #57606a; font-size: .85rem; }
@media print { body { margin: 0; max-width: none; } }
"""


def write_report(result: StudyResult, file: Path, run: tuple[int, int] | None = None) -> None:
    """Write the report of a study; `run` is the point and the repeat of the run that is shown, if its file was kept."""
    result.refuse_empty()
    text = "\n".join(_parts(result, run))
    with replacing(Path(file)) as part:
        part.write_text(text, "utf-8")


def _parts(result: StudyResult, run: tuple[int, int] | None) -> Iterable[str]:
    title = escape(result.title or result.path.stem)
    yield ('<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" '
           "content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">"
           '<meta name="viewport" content="width=device-width, initial-scale=1">'
           f"<title>{title}</title><style>{_STYLE}</style></head><body>")
    yield f"<h1>{title}</h1>{_summary(result)}"
    yield f"<h2>Parameters</h2>{_varied(result)}"
    yield f"<h2>Measures</h2>{_measured(result)}"
    if probabilities(result) and varied(result):
        yield f"<h2>Boundaries</h2>{_boundaries(result)}"
    yield "<h2>Plots</h2>" + "".join(_plots(result))
    yield f"<h2>Points</h2>{_points(result)}"
    yield f"<h2>Failed runs</h2>{_failures(result)}"
    yield _shown_run(result, run)
    yield f"<h2>Provenance</h2>{_provenance(result)}</body></html>\n"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], text: Sequence[int] = ()) -> str:
    """A table; cells are HTML already, and columns in `text` are set left."""
    def line(cells: Sequence[str], tag: str) -> str:
        return "<tr>" + "".join(f'<{tag}{" class=text" if k in text else ""}>{cell}</{tag}>'
                                for k, cell in enumerate(cells)) + "</tr>"

    return f'<div class=scroll><table>{line(head, "th")}{"".join(line(row, "td") for row in rows)}</table></div>'


def _number(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, int | float | np.number) else escape(str(value))


def _estimate(one: Estimate | None) -> str:
    """An estimate with its interval, or a dash."""
    return "–" if one is None else interval_text(one.value, one.low, one.high)


def _summary(result: StudyResult) -> str:
    summary = result.summary()
    failed = f'<span class=failed>{summary["failed"]} failed</span>' if summary["failed"] else "none failed"
    state = "finished" if summary["finished"] else "not finished"
    return (f'<p>{summary["runs"]} of {count(summary["planned"], "run")} at {count(summary["points"], "point")} '
            f'({state}); {failed}; {summary["warned"]} with warnings. Intervals are 95 % confidence intervals.</p>')


def _varied(result: StudyResult) -> str:
    rows = []
    for name in result.parameters:
        values = result.column(name).tolist()
        distinct = sorted(set(values)) if result.column(name).dtype != object else list(dict.fromkeys(map(str, values)))
        shown = ", ".join(map(_number, distinct)) if len(distinct) <= 12 else \
            f"{_number(distinct[0])} to {_number(distinct[-1])}, {len(distinct)} values"
        rows.append((escape(name), escape(result.units.get(name) or "-"), shown))
    study = result.study
    return _table(("parameter", "unit", "values"), rows, (0, 1, 2)) + (
        f"<p class=note>Design: {study.design.kind}; repeats: {study.repeats}; seed: {study.seed}.</p>")


def _measured(result: StudyResult) -> str:
    return _table(("measure", "unit", "formula"), [
        (escape(name), escape(result.units.get(name) or "-"), f"<code>{escape(text)}</code>")
        for name, text in result.study.measure.items()], (0, 1, 2))


def _boundaries(result: StudyResult) -> str:
    """Where probabilities cross 1/2, for each value of the second parameter."""
    over = varied(result)[0]
    if result.study.design.kind == "boundary":
        over = result.boundary.parameter
    by = second_parameter(result, None, over)
    rows = []
    for measure in probabilities(result):
        values = list(dict.fromkeys(result.column(by).tolist())) if by else [None]
        for value in values:
            found = crossing_of(result, measure, over, rows_at(result, by, value) if by else slice(None))
            known = found.state in ("fitted", "separated")
            rows.append((escape(measure), escape(value_label(result, by, value)) if by else "all",
                         interval_text(found.x50, found.low, found.high) if known else "–",
                         f"{found.width:.3g}" if known else "–", str(found.runs), found.state))
    return _table(("measure", "where", f"crosses 1/2 at {escape(label(result, over))}", "width of the curve", "runs",
                   "state"), rows, (0, 1, 5)) + (
        "<p class=note>Logistic fit with Firth's penalty; intervals by profile likelihood. separated: outcomes do not "
        "overlap, so the width is an upper estimate; undetermined: no significant slope; constant: all runs have the "
        "same outcome.</p>")


def _plots(result: StudyResult) -> Iterable[str]:
    """The plots that a study has; those of one measure for each."""
    there = plots_of(result)
    wanted = [("probability", name) for name in probabilities(result)]
    wanted += [("jam-diagram", name) for name in probabilities(result)]
    wanted += [(plot, name) for name in quantities(result) for plot in ("curve", "heat-map", "sensitivity")]
    wanted += [("parallel-coordinates", quantities(result)[0])] if quantities(result) else []
    for plot, name in dict.fromkeys(wanted):
        if plot in there:
            yield _figure(draw(result, plot, None, [name]), f"{plot}: {name}. {there[plot].description}")


def _figure(drawn: Figure, caption: str) -> str:
    written = BytesIO()
    with style.house():
        drawn.savefig(written, format="svg", metadata={"Date": None})
    return _image("svg+xml", written.getvalue(), caption)


def _image(kind: str, data: bytes, caption: str) -> str:
    return (f'<figure><img alt="{escape(caption)}" src="data:image/{kind};base64,{base64.b64encode(data).decode()}">'
            f"<figcaption>{escape(caption)}</figcaption></figure>")


def _points(result: StudyResult) -> str:
    """Each point with the means and probabilities of its measures."""
    names = measured(result)
    if not names:
        return "<p>No run has a value of a numeric measure.</p>"
    columns = [by_point(result, name) for name in names]
    rows = [(*(_number(value) for value in groups[0].values.values()), str(groups[0].runs + groups[0].failed),
             *(_estimate(group.estimate) for group in groups)) for groups in zip(*columns, strict=True)]
    head = [*(escape(label(result, name)) for name in (*result.parameters,)), "runs",
            *(escape(label(result, name)) for name in names)]
    left = f"<p class=note>{len(rows) - _MOST_POINTS} more points are in the study table.</p>"
    return _table(head, rows[:_MOST_POINTS]) + (left if len(rows) > _MOST_POINTS else "")


def _failures(result: StudyResult) -> str:
    """Why runs failed, the most frequent reason first."""
    rows = [row for row in result.table if row.status != "done"]
    if not rows:
        return "<p>None.</p>"
    reasons = Counter((row.status, row.reason) for row in rows)
    first = {(row.status, row.reason): row for row in reversed(rows)}
    return _table(("runs", "status", "reason", "first at", "seed"), [
        (str(count), escape(status), escape(reason),
         escape(", ".join(value_label(result, name, value) for name, value in first[status, reason].values.items())),
         str(first[status, reason].seed)) for (status, reason), count in reasons.most_common(_MOST_REASONS)], (1, 2, 3))


def _shown_run(result: StudyResult, wanted: tuple[int, int] | None) -> str:
    """The picture of a run whose file was kept: the one asked for, or the first that is there."""
    for row in result.table:
        file = kept_file(result.path, row.point, row.repeat)
        if (wanted is None or wanted == row.key) and file.exists():
            run = open_run(file)
            values = ", ".join(value_label(result, name, value) for name, value in row.values.items())
            what, data = _pictured(run)
            return "<h2>Example run</h2>" + _image("png", data, f"{what} of point {row.point}, repeat {row.repeat} "
                                                          f"({values}; seed {row.seed}; {row.status}).")
    if wanted is not None:
        raise GranumError(f"There is no run file of point {wanted[0]}, repeat {wanted[1]}. Keep run files with keep = "
                          '"all", and give a run of the table.')
    return ""


def _pictured(run: Run) -> tuple[str, bytes]:
    there = plots_of(run)
    what = next((name for name in _RUN_PLOTS if name in there), next(iter(there)))
    written = BytesIO()
    drawn = draw(run, what)
    with style.house():
        drawn.savefig(written, format="png", metadata={"Software": None})
    return what, written.getvalue()


def _provenance(result: StudyResult) -> str:
    """What made the table, and how far its numbers can be trusted."""
    worst = {name: result.column(name) for name in ("energy_error", "residual")}
    known = {name: values[np.isfinite(values)] for name, values in worst.items()}
    facts = {
        "table": result.path.name, "scene": result.scene.title or result.study.scene,
        "total wall time of all runs": f"{np.nansum(result.column('wall_time')):.4g} s",
        **{f"largest {name.replace('_', ' ')}": f"{values.max():.3g}" if len(values) else "unknown"
           for name, values in known.items()},
        **{f"version of {name}": value for name, value in result.metadata["versions"].items()},
        **{name.replace("_", " "): value if isinstance(value, str) else json.dumps(value)
           for name, value in result.metadata["provenance"].items()},
    }
    return _table(("", ""), [(escape(name), escape(str(value))) for name, value in facts.items()], (0, 1))
