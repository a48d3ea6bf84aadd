"""What a scene of grains is, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from granum.contact.world import World
from granum.grains.aggregates.parts import Parts
from granum.grains.making.generate import largest_coordination, size_range
from granum.model.scene import Scene
from granum.run.description import Description
from granum.run.earlier import earlier_grains
from granum.run.summary import count


@dataclass(frozen=True)
class GrainDescription(Description):
    """What `granum check` says about a scene of grains."""

    dimension: int
    grains: int
    groups: dict[str, int]
    """Grains of each body, pattern and source at the start."""
    boundaries: int
    elements: int
    mass: float
    """[kg]"""
    radii: tuple[float, float]
    """Smallest and largest [m]."""
    most_contacts: int
    """Largest coordination number by 002 eqs 4.3-4.6."""
    touching: int
    solver: str
    step: dict[str, Any]
    joints: int = 0
    redundant: tuple[str, ...] = ()
    """Which joints restrain the same motion, in words."""
    bodies: int = 0
    """Bodies that no disk or ball is part of, such as rods."""

    def summary_lines(self) -> list[str]:
        """In words."""
        groups = ", ".join(f"{name} {number}" for name, number in self.groups.items() if number)
        what = [count(self.grains, "grain")] * (self.grains > 0 or not self.bodies) + [
            count(self.bodies, "other body" if self.grains else "body")] * (self.bodies > 0)
        several = f" ({groups})" if groups and len(self.groups) > 1 else ""
        step = self.step
        lines = [f"{self.title or 'Scene'}: {' and '.join(what)} in {self.dimension}-D{several}, "
                 f"{count(self.boundaries, 'boundary')} of {count(self.elements, 'element')}."]
        if self.grains:
            lines.append(f"  Radii {self.radii[0]:.4g} to {self.radii[1]:.4g} m, mass {self.mass:.4g} kg; at most "
                         f"{self.most_contacts} grains fit around one; {self.touching} pairs touch at the start.")
        if self.joints:
            lines.append(f"  Links, joints and drives solved with the contacts: {self.joints}.")
            lines += [f"  {sentence}" for sentence in self.redundant]
        lines.append(f"  {self.solver}: step {step['step']:.3g} s; proposed {step['proposed']:.3g} s, limit "
                     f"{step['limit']:.3g} s from {step['reason']}.")
        return lines


def describe_grains(scene: Scene) -> GrainDescription:
    """Compile a scene of grains and say what it is."""
    world = World(scene, earlier_grains(scene))
    grains = world.grains
    low, high = size_range(scene, grains)
    names, redundant = ([], []) if world.joints is None else (world.joints.names, world.joints.redundant)
    counts = np.bincount(grains.group, minlength=len(world.groups))
    others = grains.bodies.count - len(np.unique(grains.body)) if isinstance(grains, Parts) else 0
    return GrainDescription(
        scene.title, world.dimension, grains.count, dict(zip(world.groups, counts.tolist(), strict=True)),
        len(scene.boundary), world.elements.count, float(grains.mass.sum()), (low, high),
        largest_coordination(low, high, world.dimension), len(world.touching(1e-6)),
        scene.run.solver, world.choice._asdict(), len(names), tuple(redundant), others)
