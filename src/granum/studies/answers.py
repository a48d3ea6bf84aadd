"""What a run answers, by name: the words of measures, with their units and what they need of a scene.

    @answer("passed", "", "flow probe")
    def _(run, probe): ...

makes `passed outlet` a measure of scenes that have a flow probe `outlet`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from typing import NamedTuple

import numpy as np

from granum.base.errors import did_you_mean
from granum.grains.measuring.jam import VERDICTS
from granum.model.patterns import Stack
from granum.model.probes import FlowProbe, JamProbe, PackingProbe, RigidityProbe
from granum.model.scene import Scene
from granum.run import Run

Value = float | bool | str


class Answer(NamedTuple):
    """One thing that a run answers."""

    name: str
    unit: str
    arguments: tuple[str, ...]
    """What each word behind the name names, such as "flow probe"."""
    evaluate: Callable[..., Value]
    kind: str
    """number, boolean or text."""
    values: Collection[str]
    """Of a text that is one of a few words."""
    needs: str
    """What scenes must have: "", "grains"."""

    @property
    def form(self) -> str:
        """How it is written: `flow_rate FLOW-PROBE`."""
        return " ".join([self.name, *(word.replace(" ", "-").upper() for word in self.arguments)])


ANSWERS: dict[str, Answer] = {}


def answer(name: str, unit: str, *arguments: str, kind: str = "number", values: Collection[str] = (),
           needs: str = "") -> Callable[[Callable[..., Value]], Callable[..., Value]]:
    """Let measures ask for something under a name."""
    def register(evaluate: Callable[..., Value]) -> Callable[..., Value]:
        ANSWERS[name] = Answer(name, unit, arguments, evaluate, kind, values, needs)
        return evaluate

    return register


def problem_of(asked: Answer, words: tuple[str, ...], scene: Scene) -> tuple[str, str] | None:
    """Why runs of a scene do not answer this, and a remedy; None if they do."""
    if asked.needs == "grains" and not scene.has_grains:
        return f"{asked.name} needs a scene with grains, but this scene has none.", ""
    for what, word in zip(asked.arguments, words, strict=True):
        known, more = _names(what, scene)
        if word not in known and not any(word.startswith(f"{beginning}-") for beginning in more):
            return f'the scene has no {what} "{word}".', did_you_mean(word, known, what)
    return None


def _names(what: str, scene: Scene) -> tuple[list[str], list[str]]:
    """Names that a word may be, and beginnings of names that patterns make."""
    kinds: dict[str, type] = {"flow probe": FlowProbe, "jam probe": JamProbe, "packing probe": PackingProbe,
                              "rigidity probe": RigidityProbe}
    if what in kinds:
        return [name for name, probe in scene.probe.items() if isinstance(probe, kinds[what])], []
    if what == "rolling constraint":
        return list(scene.rolling), []
    if what == "stack":
        return [name for name, pattern in scene.pattern.items() if isinstance(pattern, Stack)], []
    if what == "axis":
        return ["x", "y", "z"][: scene.dimension], []
    if what == "coordinate":
        return list(scene.system.coordinates), []
    points = [f"{name}.{point}" for name, body in scene.body.items() for point in getattr(body, "points", {})]
    own = {"body": [*scene.body, *points, *scene.system.points], "link": list(scene.link)}[what]
    given = {"body": "bodies", "link": "links"}[what]
    return own, [getattr(pattern, given, None) or name for name, pattern in scene.pattern.items()]


AXES = {"x": 0, "y": 1, "z": 2}


@answer("t", "s")
def _end(run: Run) -> float:
    return float(run.t[-1])


@answer("steps", "")
def _steps(run: Run) -> float:
    return float(run.statistics["steps"].sum())


@answer("iterations", "")
def _iterations(run: Run) -> float:
    return float(run.statistics["iterations"].sum())


@answer("energy_error", "")
def _energy_error(run: Run) -> float:
    return run.energy_error


def residual(run: Run) -> float:
    """The largest relative residual of contact, or error of constraints; not a number where a run cannot say."""
    if run.has.residual:
        return float(run.figures["residual"].max())
    if run.has.constraints and not run.has.grains:
        return float(run.constraint_errors.relative.max())
    return math.nan


answer("residual", "")(residual)


@answer("kinetic_energy", "J")
def _kinetic(run: Run) -> float:
    return float(run.energy.kinetic[-1])


@answer("potential_energy", "J")
def _potential(run: Run) -> float:
    return float(run.energy.potential[-1])


@answer("total_energy", "J")
def _total(run: Run) -> float:
    return float(run.energy.total[-1])


@answer("constraint_error", "")
def _constraint_error(run: Run) -> float:
    run.needs("constraints")
    return float(run.constraint_errors.relative.max())


@answer("ended_early", "", kind="boolean")
def _ended_early(run: Run) -> bool:
    return run.event is not None


@answer("position", "m", "body", "axis")
def _position(run: Run, body: str, axis: str) -> float:
    return float(run.position(body)[-1, AXES[axis]])


@answer("velocity", "m/s", "body", "axis")
def _velocity(run: Run, body: str, axis: str) -> float:
    return float(run.velocity(body)[-1, AXES[axis]])


@answer("angle", "rad", "body")
def _angle(run: Run, body: str) -> float:
    return float(run.angle(body)[-1])


@answer("coordinate", "", "coordinate")
def _coordinate(run: Run, name: str) -> float:
    return float(run.coordinate(name)[-1])


@answer("rate", "", "coordinate")
def _rate(run: Run, name: str) -> float:
    return float(run.rate(name)[-1])


@answer("largest_tension", "N", "link")
def _tension(run: Run, link: str) -> float:
    return float(run.reaction(link).tension.max())


@answer("minimum_friction", "", "rolling constraint")
def _minimum_friction(run: Run, constraint: str) -> float:
    return run.minimum_friction(constraint).value


@answer("time_to_instability", "s", "stack")
def _time_to_instability(run: Run, stack: str) -> float:
    from granum.run.instability import time_to_instability

    return time_to_instability(run, stack)


@answer("flow_rate", "1/s", "flow probe", needs="grains")
def _flow_rate(run: Run, probe: str) -> float:
    return run.flow_rate(probe).mean


@answer("passed", "", "flow probe", needs="grains")
def _passed(run: Run, probe: str) -> float:
    return float(run.passed(probe)[0][-1])


@answer("passed_mass", "kg", "flow probe", needs="grains")
def _passed_mass(run: Run, probe: str) -> float:
    return float(run.passed(probe)[1][-1])


@answer("packing", "", "packing probe", needs="grains")
def _packing(run: Run, probe: str) -> float:
    return float(run.packing(probe)[-1])


@answer("pressure", "Pa", "packing probe", needs="grains")
def _pressure(run: Run, probe: str) -> float:
    return float(np.trace(run.stress(probe=probe).tensor)) / run.dimension


@answer("largest_cluster", "", "rigidity probe", needs="grains")
def _largest_cluster(run: Run, probe: str) -> float:
    return float(run.rigidity_probe(probe)["largest"][-1])


@answer("verdict", "", "jam probe", kind="text", values=VERDICTS, needs="grains")
def _verdict(run: Run, probe: str) -> str:
    return run.verdict(probe).verdict


@answer("verdict_time", "s", "jam probe", needs="grains")
def _verdict_time(run: Run, probe: str) -> float:
    return run.verdict(probe).begin


@answer("arch", "", "jam probe", needs="grains")
def _arch(run: Run, probe: str) -> float:
    return float(run.verdict(probe).arch)


@answer("inflow", "1/s", "jam probe", needs="grains")
def _inflow(run: Run, probe: str) -> float:
    return run.verdict(probe).inflow


@answer("discharge", "1/s", "jam probe", needs="grains")
def _discharge(run: Run, probe: str) -> float:
    return run.verdict(probe).discharge


@answer("backed_up", "", "jam probe", kind="boolean", needs="grains")
def _backed_up(run: Run, probe: str) -> bool:
    return any(one.backed_up is not None for one in run.verdicts if one.probe == probe)


@answer("grains", "", needs="grains")
def _grains(run: Run) -> float:
    return float(run.counts[-1])


@answer("contacts", "", needs="grains")
def _contacts(run: Run) -> float:
    return float(run.contact_counts[-1])


@answer("coordination", "", needs="grains")
def _coordination(run: Run) -> float:
    return float(run.coordination().mean)


@answer("largest_overlap", "", needs="grains")
def _overlap(run: Run) -> float:
    return float(run.figures["largest_overlap"].max())


@answer("largest_speed", "m/s", needs="grains")
def _speed(run: Run) -> float:
    return float(np.sqrt((run.frame().velocities ** 2).sum(axis=1)).max(initial=0.0))
