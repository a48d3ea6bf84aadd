"""Granum itself on the benchmark of settling grains: `python -m ... FACTOR SOLVER TASK.npz END.npz`, as its peers."""

from __future__ import annotations

import json
import sys
import time
from importlib import metadata
from typing import Any

import numpy as np

from benchmarks.costs import peak_megabytes
from benchmarks.peers.settling import Task
from granum.base.kernels import Floats
from granum.contact.world import World
from granum.model.scene import Scene


def scene_of(task: Task, solver: str, step: float | None = None) -> Scene:
    """The task as a scene."""
    dimension = task.centres.shape[1]
    up = (0.0,) * (dimension - 1)
    width, height = (task.width,) * (dimension - 1), max(task.height, 1.0)
    return Scene(
        material={"glass": {"density": task.density, "friction": task.friction, "restitution": task.restitution,
                            "stiffness": task.stiffness}},
        pattern={"grains": {"kind": "grains", "radius": task.radius, "positions": task.centres.tolist()}},
        boundary={"box": {"kind": "box", "lower": (0.0,) * dimension, "upper": (*width, height),
                          "open": ["+z" if dimension == 3 else "+y"]}},
        load={"gravity": {"kind": "gravity", "acceleration": (*up, -task.gravity)}},
        run={"solver": solver, "until": task.until, **({} if step is None else {"step": step})})


def world_of(task: Task, solver: str, factor: float) -> World:
    """The task compiled, with `factor` times the step that is proposed."""
    world = World(scene_of(task, solver))
    world.step *= factor
    return world


def settle(task: Task, solver: str, factor: float) -> tuple[tuple[Floats, Floats], dict[str, Any]]:
    """Simulate; the clock runs from the first step on, once compiled code is loaded."""
    first = world_of(task.part(20), solver, factor)
    first.begin()
    first.advance(2.0 * first.step, lambda _: None)
    world = world_of(task, solver, factor)
    if task.warm:
        world.begin()
        world.advance(task.warm, lambda _: None)
    began, cpu = time.perf_counter(), time.process_time()
    if not task.warm:
        world.begin()
    steps = world.advance(task.warm + task.until, lambda _: None)
    figures = {"seconds": time.perf_counter() - began, "cpu": time.process_time() - cpu, "steps": steps,
               "step": task.until / steps, "version": metadata.version("granum"),
               "setting": "step as proposed" if factor == 1.0 else f"{factor:g} times the step proposed",
               "gigabytes": peak_megabytes() / 1024}
    order = np.argsort(world.grains.number)
    dimension = task.centres.shape[1]
    return (world.grains.x[order, :dimension], world.grains.v[order, :dimension]), figures


def main(factor: str, solver: str, task: str, end: str) -> None:
    """Simulate and print."""
    (x, v), figures = settle(Task(np.load(task)), solver, float(factor))
    np.savez(end, x=x, v=v)
    print(json.dumps(figures))


if __name__ == "__main__":
    main(*sys.argv[1:])
