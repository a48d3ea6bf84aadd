"""Commands of actuators over time."""

from __future__ import annotations

from matplotlib.figure import Figure

from granum.run import Run
from granum.view import style
from granum.view.plots.choosing import chosen, title
from granum.view.plots.registry import plot

_LABELS = {"torque": "torque [N m]", "force": "force [N]", "position": "position [rad, m]",
           "velocity": "velocity [rad/s, m/s]"}
"""Panels by what is commanded, in their order."""


@plot(lambda run: bool(run.metadata.get("commands")), needs="actuators whose commands are numbers")
def commands(run: Run, *names: str) -> Figure:
    """Commands of actuators over time, such as motor.torque."""
    shown, note = chosen(run.metadata["commands"], names, "command")
    kinds = [kind for kind in _LABELS if any(name.split(".")[1] == kind for name in shown)]
    drawn, panels = style.over_time(title(run, "commands", note), *(_LABELS[kind] for kind in kinds),
                                    height=3.6 if len(kinds) == 1 else 2.9)
    for panel, kind in zip(panels, kinds, strict=True):
        own = [name for name in shown if name.split(".")[1] == kind]
        for name, (colour, dashes) in zip(own, style.curves(), strict=False):
            # the command of a frame is the one that held until then
            panel.step(run.t, run.command(name), where="pre", color=colour, linestyle=dashes, label=name)
        style.legend(panel)
    return drawn
