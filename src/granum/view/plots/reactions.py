"""Reactions of links, constraints and joints, and section forces and moments, in separate panels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.figure import Figure

from granum.base.kernels import Flags, Floats
from granum.run import Run
from granum.run.reactions import unit_of
from granum.view import style
from granum.view.plots.choosing import chosen, title
from granum.view.plots.registry import plot

_LABELS = {"N": "force [N]", "N m": "moment [N m]", "SI": "multiplier [SI]"}
"""Panels of reactions by unit, in their order."""


class Component(NamedTuple):
    """One curve of a reaction."""

    label: str
    unit: str
    values: Floats
    determined: Flags | None = None
    """(frames,): do the joints determine it? None where that is not recorded."""


@plot("reactions", needs="links, constraints or joints")
def reactions(run: Run, *names: str) -> Figure:
    """Forces and moments of links, joints and constraints over time."""
    shown, note = list(names), ""
    if not names:
        owners = run.joint_names and [*run.link_names, *run.joint_names, *run.friction_names]
        shown, note = chosen(owners or run.link_names, (), "joint", 3 if run.has.joints else style.MOST_CURVES)
    curves = [part for name in shown for part in _components(run, name)]
    what = "reactions" if run.has.joints else "link forces, tension positive"
    return _panels(run, curves, title(run, what, note))


@plot("sections", needs='a probe: add [probe.NAME] with kind = "section" to the scene')
def sections(run: Run, *names: str) -> Figure:
    """Section force and moment over time, for section probes."""
    shown, note = chosen(run.probe_names("section"), names, "section probe", 3)
    curves = [part for name in shown for part in _loads(name, *run.section(name))]
    return _panels(run, curves, title(run, "section forces and moments", note))


def _components(run: Run, name: str) -> list[Component]:
    """The curves of a link, constraint or joint, or one of them such as `knee.force.x`; none that is always zero."""
    owner, _, one = name.partition(".")
    whole = not one or name in run.link_names
    reaction = run.reaction(name if whole else owner)
    if not whole:
        reaction.component(one)  # refuses a name that is not there
    curves = [Component(f"{reaction.name}.{key}" if len(reaction.components) > 1 else reaction.name,
                        unit_of(key) or "SI", values, None if reaction.determined is None else reaction.determined[key])
              for key, values in reaction.components.items() if whole or key == one]
    return [curve for curve in curves if np.any(curve.values)] or curves[:1]


def _loads(name: str, force: Floats, moment: Floats) -> list[Component]:
    """Components along the axes; those that are always zero are left out, but for one force."""
    moment = moment[:, None] if moment.ndim == 1 else moment
    axes = "z" if moment.shape[1] == 1 else "xyz"
    curves = [Component(f"{name} {axis}", "N", force[:, k]) for k, axis in enumerate("xyz"[: force.shape[1]])]
    curves += [Component(f"{name} {axis}", "N m", moment[:, k]) for k, axis in enumerate(axes)]
    return [curve for curve in curves if np.any(curve.values)] or curves[:1]


def _panels(run: Run, curves: Sequence[Component], heading: str) -> Figure:
    """A panel for each unit; what joints do not determine is dashed."""
    units = [unit for unit in _LABELS if any(part.unit == unit for part in curves)]
    drawn, panels = style.over_time(heading, *(_LABELS[unit] for unit in units), height=3.6 if len(units) == 1 else 2.9)
    open_ = False
    for panel, unit in zip(panels, units, strict=True):
        for part, (colour, dashes) in zip((one for one in curves if one.unit == unit), style.curves(), strict=False):
            loose = part.determined is not None and not np.all(part.determined)
            open_ = open_ or loose
            panel.plot(run.t, part.values, color=colour, linestyle=(0, (3, 2)) if loose else dashes, label=part.label)
        style.legend(panel)
    if open_:
        drawn.text(0.99, 0.005, "dashed: not unique, least norm shown", ha="right", fontsize="x-small")
    return drawn
