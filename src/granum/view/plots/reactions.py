"""Reactions of links, constraints and joints, and loads across sections: forces and moments in panels of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.figure import Figure

from granum.base.errors import GranumError, did_you_mean
from granum.base.kernels import Flags, Floats
from granum.model.connections import BallJoint, Drive, Link
from granum.run import Run
from granum.run.grain_result import GrainRun
from granum.run.mechanism_result import MechanismRun
from granum.system import Names
from granum.view import style
from granum.view.plots.choosing import chosen, title

_LABELS = {"N": "force [N]", "N m": "moment [N m]", "SI": "multiplier [SI]"}
"""Panels of reactions by unit, in their order."""


class Component(NamedTuple):
    """One curve of a reaction."""

    label: str
    unit: str
    values: Floats
    unique: Flags | None = None
    """(frames,): do the joints determine it? None where that is always so."""


def has_reactions(run: Run) -> bool:
    """Does anything in this run have a reaction that is recorded?"""
    return bool(len(_owners(run)))


def reactions(run: Run, *names: str) -> Figure:
    """Forces and moments of links, constraints and joints; of those named, or of some."""
    shown, note = list(names), ""
    if not names:
        shown, note = chosen(_owners(run), (), "joint", style.MOST_CURVES if _single(run) else 3)
    found = [part for name in shown for part in _components(run, name)]
    what = "link forces, tension positive" if _single(run) else "reactions"
    return _panels(run, found, title(run, what, note))


def sections(run: Run, *names: str) -> Figure:
    """Force and moment across the cuts of section probes."""
    assert isinstance(run, GrainRun | MechanismRun)
    shown, note = chosen(section_names(run), names, "section probe", 3)
    found = []
    for name in shown:
        force, moment = run.section(name)
        found += _vectors(name, force, moment)
    return _panels(run, found, title(run, "loads across sections", note))


def section_names(run: Run) -> list[str]:
    """Section probes of a run."""
    return list(run.metadata.get("section_probes", run.metadata.get("sections", [])))


def _owners(run: Run) -> list[str] | Names:
    """What has reactions: links, constraints, joints."""
    if isinstance(run, GrainRun):
        return list(run.metadata["joints"])
    if isinstance(run, MechanismRun) or run.by_formulas:
        return list(dict.fromkeys(_owner(run, name) for name in run.metadata["reactions"]))
    return run.link_names


def _owner(run: Run, reaction: str) -> str:
    """The link, constraint or joint that a reaction is of."""
    return reaction if reaction in run.scene.link else reaction.partition(".")[0]


def _single(run: Run) -> bool:
    """Has every link one force, and is there nothing else?"""
    return not (isinstance(run, GrainRun | MechanismRun) or run.by_formulas)


def _components(run: Run, name: str) -> list[Component]:
    """The curves of a link, constraint or joint, or of one component such as `knee.force.x`."""
    if isinstance(run, GrainRun):
        return _of_joint(run, name)
    if _single(run):
        return [Component(name, "N", run.reaction(name))]
    names: list[str] = run.metadata["reactions"]
    mine = [one for one in names if one == name or _owner(run, one) == name]
    if not mine:
        raise GranumError(f'There is no reaction "{name}". {did_you_mean(name, [*_owners(run), *names], "reaction")}')
    unique = run.unique if isinstance(run, MechanismRun) else None
    return [Component(one, _unit(run, one), run.reactions[:, names.index(one)], None if unique is None else unique(one))
            for one in mine]


def _unit(run: Run, reaction: str) -> str:
    """Unit by the name of a reaction; those of formulas have the unit that the formula gives them."""
    parts = reaction.split(".")[1:]
    if reaction in run.scene.link or {"force", "normal", "friction"} & set(parts):
        return "N"
    if {"moment", "torque"} & set(parts):
        return "N m"
    ball = isinstance(run.scene.constraint.get(_owner(run, reaction)), BallJoint)
    return "N" if ball or isinstance(run, MechanismRun) else "SI"


def _of_joint(run: GrainRun, name: str) -> list[Component]:
    """A joint among grains: tension of a link, force or torque of a drive, else force and moment."""
    entry = run.scene.link.get(name) or run.scene.constraint.get(name)
    if isinstance(entry, Link):
        return [Component(name, "N", run.reaction(name))]
    force, moment, unique = run.joint_reaction(name)
    if isinstance(entry, Drive):
        turning = not np.any(force)
        return [Component(name, "N m" if turning else "N", run.reaction(name), unique)]
    return [part._replace(unique=unique) for part in _vectors(name, force, moment)]


def _vectors(name: str, force: Floats, moment: Floats) -> list[Component]:
    """Components along the axes; those that are always zero are left out, but for one force."""
    moment = moment[:, None] if moment.ndim == 1 else moment
    axes = "z" if moment.shape[1] == 1 else "xyz"
    found = [Component(f"{name} {axis}", "N", force[:, k]) for k, axis in enumerate("xyz"[: force.shape[1]])]
    found += [Component(f"{name} {axis}", "N m", moment[:, k]) for k, axis in enumerate(axes)]
    return [part for part in found if np.any(part.values)] or found[:1]


def _panels(run: Run, found: Sequence[Component], heading: str) -> Figure:
    """A panel for each unit; what joints do not determine is dashed."""
    units = [unit for unit in _LABELS if any(part.unit == unit for part in found)]
    drawn, panels = style.figure(len(units), sharex=True, height=3.6 if len(units) == 1 else 2.9)
    open_ = False
    for panel, unit in zip(panels[:, 0], units, strict=True):
        for part, (colour, dashes) in zip((one for one in found if one.unit == unit), style.curves(), strict=False):
            loose = part.unique is not None and not np.all(part.unique)
            open_ = open_ or loose
            panel.plot(run.t, part.values, color=colour, linestyle=(0, (3, 2)) if loose else dashes, label=part.label)
        panel.set(ylabel=_LABELS[unit])
        style.legend(panel)
    panels[0, 0].set(title=heading)
    panels[-1, 0].set(xlabel="time [s]")
    if open_:
        drawn.text(0.99, 0.005, "dashed: joints do not determine it; of least norm", ha="right", fontsize="x-small")
    return drawn
