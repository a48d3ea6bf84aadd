"""The part of an assembly that scenes of grains have: all that they say, short of the placed grains."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from granum.base.errors import Problem, SceneError
from granum.grains.aggregates.parts import Parts
from granum.grains.generation.finder import foreign_bodies
from granum.grains.generation.generate import Groups, begin_bodies, compile_groups
from granum.grains.generation.restart import EarlierGrains, starts_of
from granum.grains.generation.sources import Sinks
from granum.grains.geometry.boundaries import Elements, compile_boundaries
from granum.grains.loads.compile import GrainLoads, compile_loads
from granum.grains.probes import packing, rigidity  # noqa: F401 (each registers its kind)
from granum.grains.probes.flows import check_flows
from granum.grains.probes.frames import FrameProbe, frame_probes
from granum.grains.state import Grains
from granum.grains.tables import Tables, compile_tables
from granum.model.scene import Scene
from granum.model.start import Start

if TYPE_CHECKING:
    from granum.assembly.held_bodies import JointedStart


@dataclass(eq=False)
class GrainPart:
    """Materials, boundaries, bodies, patterns, sources and sinks, loads and probes; a run copies what changes in it."""

    groups: Groups
    tables: Tables
    elements: Elements
    loads: GrainLoads
    sinks: Sinks
    frame_probes: dict[str, FrameProbe]

    @cached_property
    def jointed(self) -> JointedStart | None:
        """Where joints hold the bodies at the start that the scene gives: they are moved there when this is read.

        None for single grains, and where an earlier run says where bodies are. Raises SceneError where the start
        contradicts the joints.
        """
        scene = self.groups.scene
        return None if scene.start_frame is not None else self._jointed(self.groups.bodies, scene.start)

    def _jointed(self, bodies: Grains, start: Mapping[str, Start], fitting: bool = False) -> JointedStart | None:
        if not isinstance(bodies, Parts):
            return None
        from granum.assembly.held_bodies import JointedStart  # single grains need neither this nor joints

        return JointedStart(self.groups, bodies, start, fitting)

    def begin(self, earlier: EarlierGrains | None) -> tuple[JointedStart | None, Grains, Mapping[str, Start]]:
        """The start of a run: what joints say of it, bodies in arrays of their own, and the starts that are given of
        bodies and grains, by name.
        """
        scene = self.groups.scene
        if earlier is None:
            jointed = self.jointed  # moves the bodies
            return jointed, deepcopy(self.groups.bodies), scene.start
        start = starts_of(scene, earlier, self.groups.dimension)
        bodies = begin_bodies(self.groups, earlier, start)
        given = {name: own for name, own in start.items() if name in earlier.given}
        return self._jointed(bodies, start, earlier.keeps_joints), bodies, given


def compile_grains(scene: Scene) -> GrainPart:
    """All that a scene of grains says; raises SceneError with all that is wrong between its entries."""
    dimension, materials = scene.dimension, list(scene.material)
    # of a body that solvers of contact refuse nothing else is asked, neither a shape nor a start
    refused = tuple(f"{section}.{name}." for name in foreign_bodies(scene) for section in ("body", "start"))
    problems: list[Problem] = []

    def compiled(compile_: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return compile_(scene, *arguments)
        except SceneError as error:
            problems.extend(problem for problem in error.problems if not f"{problem.place}.".startswith(refused))

    tables = compiled(compile_tables)
    elements = compiled(compile_boundaries, dimension, materials)
    loads = compiled(compile_loads, dimension, Path())
    compiled(check_flows, dimension)
    probes = compiled(frame_probes, dimension)
    sinks = compiled(Sinks, dimension)
    groups = compiled(compile_groups, dimension, materials)
    if problems:
        raise SceneError(problems)
    return GrainPart(groups, tables, elements, loads, sinks, probes)
