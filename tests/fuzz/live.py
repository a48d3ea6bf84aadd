"""Wrong types, shapes and values through every public method of a Simulation: only Granum's own errors may escape.

Whatever was refused or taken, the simulation can still be read and, unless it says otherwise, stepped. One whose steps
have lost the state (a force of 1e300 N, a step of a given size) says so at once, and has no energy.
"""

from __future__ import annotations

import inspect
import math
import random
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import granum as gr
from tests.fuzz.campaign import SEED, Campaign, Finding
from tests.fuzz.small_runs import CASES, GRAVITY, scene_of

WRONG: list[Any] = [
    None, True, False, 0, 1, -1, 3, 10**30, 10**400, 0.5, -0.0, 1e-300, 1e300, math.nan, math.inf, -math.inf, 2j,
    "", "x", "1.5", "5 cm", "a" * 500, b"x", [], [0.0], [1.0, 2.0], (1.0, 2.0, 3.0), [1.0, 2.0, 3.0, 4.0], [[1.0, 2.0]],
    [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [1.0, [2.0, 3.0]], [None, None], ["a", "b"], [math.nan, 0.0], [1e300, 1e300],
    {}, {"x": 1.0}, {1, 2}, object(), np.zeros((2, 2)), np.zeros(0), np.array(["a", "b"]), np.float32(2.0),
    np.array(1.0), np.ones(2, np.complex128), np.ones(2, np.bool_), np.array([None, 1.0]), range(3), len, gr.Scene,
    iter([1.0, 2.0]), slice(2), Path("x"), np.array([[1.0], [2.0]]), np.datetime64("2026-01-01"),
]
LEFT_OUT = ("complete", "controlled", "of")
"""Methods for `gr.simulate`."""


def motor() -> gr.Scene:
    """A rod with a motor, and one that a drive turns."""
    return gr.Scene(
        body={"wall": {"kind": "fixed-point", "position": [0.0, 0.0]},
              "rod": {"kind": "rod", "length": 1.0, "mass": 1.0}, "arm": {"kind": "rod", "length": 1.0, "mass": 1.0}},
        constraint={"shoulder": {"kind": "hinge", "between": ["wall", "rod.tail"]},
                    "pin": {"kind": "hinge", "between": ["wall", "arm.tail"]},
                    "turn": {"kind": "drive", "joint": "pin", "motion": "0"}},
        start={"rod": {"angle": 0.0}, "arm": {"angle": 1.0}},
        actuator={"motor": {"kind": "torque", "joint": "shoulder", "torque": 0.1},
                  "jet": {"kind": "force", "body": "rod", "force": [0.0, 0.0]}},
        load=GRAVITY, run={"until": 0.03, "interval": 0.01})


SCENES: dict[str, Callable[[], gr.Scene]] = {"motor": motor, **{
    name: lambda name=name: scene_of(name) for name in CASES}}  # type: ignore[misc]


@cache
def methods() -> list[str]:
    """Every public method and property of a Simulation."""
    return [name for name in dir(gr.Simulation) if not name.startswith("_") and name not in LEFT_OUT]


def known_names(simulation: gr.Simulation) -> list[str]:
    """Names that something of a scene has."""
    scene = simulation.scene
    return [*list(simulation.bodies)[:4], *scene.constraint, *scene.link, *scene.actuator, *scene.pattern,
            *scene.source, *scene.boundary, *scene.probe, *scene.system.coordinates, "t",
            *list(simulation.commands)[:3]]


KEYS = {"actuate": ("torque", "force", "speed", "x"), "set_coordinates": ("x", "x_dot", "y", "q"),
        "set_body": ("position", "velocity", "angle", "orientation", "angular_velocity", "mass")}
"""Keywords of methods that take any."""


def arguments(simulation: gr.Simulation, name: str, rng: random.Random) -> tuple[list[Any], dict[str, Any]]:
    """Arguments of a call: as many as the method takes, each wrong or, now and then, right."""
    def one(parameter: str) -> Any:
        if parameter in ("name", "names", "body", "group") and rng.random() < 0.6:
            return rng.choice(known_names(simulation))
        if parameter == "output":  # files elsewhere are not to be made
            return rng.choice([None, 3, True, [], object(), 1.5])
        if parameter == "snapshot" and rng.random() < 0.3:
            return simulation.snapshot()
        value = rng.choice([1e-3, [0.1, 0.2], [0.3], 0.01]) if rng.random() < 0.25 else rng.choice(WRONG)
        if parameter in ("duration", "until") and isinstance(value, int | float) and 0.1 < value < 10.0:
            return 1e-3  # seconds take long
        return None if parameter == "progress" and callable(value) else value  # what a user's function raises is his

    positional, keyed = [], {}
    for parameter in inspect.signature(getattr(simulation, name)).parameters.values():
        if parameter.kind is parameter.VAR_KEYWORD:
            keyed |= {key: one(key) for key in rng.sample(KEYS[name], rng.choice([1, 1, 2]))}
        elif parameter.kind is parameter.VAR_POSITIONAL:
            positional += [one(parameter.name) for _ in range(rng.randrange(3))]
        elif parameter.default is parameter.empty or rng.random() < 0.7:
            keyed[parameter.name] = one(parameter.name)
    return positional, keyed


def call(simulation: gr.Simulation, name: str, rng: random.Random) -> str:
    """One call, and what came of it."""
    try:
        if isinstance(getattr(gr.Simulation, name), property):
            getattr(simulation, name)
            return "read"
        positional, keyed = arguments(simulation, name, rng)
        getattr(simulation, name)(*positional, **keyed)
    except gr.GranumError as error:
        if not str(error) or len(str(error)) > 5000:
            raise Finding(f"{name}: a message of {len(str(error))} characters") from error
        return "refused"
    return "taken"


def made(scene: gr.Scene, output: Path | None, rng: random.Random) -> tuple[gr.Simulation, list[str]]:
    """A simulation, after an attempt with wrong options."""
    wrong = {key: rng.choice(WRONG) for key in rng.sample(("room", "threads", "start", "until", "solver", "x"), 2)}
    try:
        gr.Simulation(scene if rng.random() < 0.7 else rng.choice(WRONG), **wrong)
        ends = ["taken"]
    except gr.GranumError:
        ends = ["refused"]
    return gr.Simulation(scene, output=output, room=2), ends


def readable(simulation: gr.Simulation) -> bool:
    """Is the energy finite? It is refused in words where steps have lost the state, and then there are no more."""
    try:
        return all(np.isfinite(value) for value in simulation.energy.values())
    except gr.GranumError:
        try:
            simulation.step(1e-4)
        except gr.GranumError:
            return True
        raise


def finished(simulation: gr.Simulation) -> gr.Run:
    """The run; where its last state cannot be recorded, that is said once."""
    try:
        return simulation.finish()
    except gr.GranumError:
        return simulation.finish()


def attack(number: int) -> str:
    """A simulation that is called with everything, stepped in between, and finished."""
    rng = random.Random(f"{SEED} live {number}")
    name = list(SCENES)[number % len(SCENES)]
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "run.h5" if rng.random() < 0.3 else None
        simulation, ends = made(SCENES[name](), output, rng)
        for _ in range(12):
            ends.append(call(simulation, rng.choice(methods()), rng))
            if rng.random() < 0.3:
                try:
                    simulation.step(1e-4)
                except gr.GranumError:
                    ends.append("stopped")
            elif not readable(simulation):
                raise Finding(f"{name}: an energy that is not finite")
        run = finished(simulation)
        run.summary, repr(run), repr(simulation)
        return f"{ends.count('refused') // 4 * 4}+ refused"


LIVE = Campaign("live", attack, 1500, least=45, patience=60.0)
