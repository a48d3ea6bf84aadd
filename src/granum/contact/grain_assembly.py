"""The assembly of a scene of grains, made once: reading, checking and running take it, none compiles again."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from granum.base.errors import Problem, SceneError
from granum.base.kernels import Floats
from granum.contact.refusals import foreign_bodies, refuse_foreign
from granum.grains.aggregates.parts import Parts
from granum.grains.generation.finder import jointed_bodies, named_grains
from granum.grains.generation.generate import Groups, Names, begin_bodies, compile_groups
from granum.grains.generation.restart import EarlierGrains, starts_of
from granum.grains.generation.sources import Sinks
from granum.grains.geometry.boundaries import Elements, compile_boundaries
from granum.grains.loads.compile import GrainLoads, compile_loads
from granum.grains.probes import packing, rigidity  # noqa: F401 (each registers its kind)
from granum.grains.probes.flows import check_flows
from granum.grains.probes.frames import FrameProbe, frame_probes
from granum.grains.state import Grains
from granum.grains.tables import Tables, compile_tables
from granum.model.body_entries import FixedPoint
from granum.model.scene import Scene
from granum.model.start import Start

if TYPE_CHECKING:
    from granum.contact.bodies.joints import JointAssembly


class Begun:
    """Bodies at the start of a run, where joints hold them, before grains are placed around them."""

    def __init__(self, groups: Groups, bodies: Grains, start: Mapping[str, Start], fitting: bool = False) -> None:
        """Join the bodies, unless joints are attached to grains of patterns, which are placed later.

        Args:
            bodies: as they are given; joints move them.
            fitting: are they where joints of an earlier run have left them, and stay there?
        """
        self.bodies, self._groups, self._start, self._fitting = bodies, groups, start, fitting
        self._axes: Mapping[str, Floats] | None = None
        self._joints: JointAssembly | None = None
        if not isinstance(bodies, Parts):
            return
        names = Names(groups.scene, bodies)
        if all(names.number(name) is not None for name in named_grains(groups.scene)):
            self._joints = self._joined(bodies)
        elif self._unplaced():
            known = self._joined(bodies, known_only=True)
            self._start, self._axes = known.poses(), known.carried_axes()

    @property
    def jointed(self) -> Collection[str]:
        """Bodies whose start the joints have found."""
        return () if self._joints is None else self._joints.held

    def joints_among(self, grains: Parts) -> JointAssembly:
        """The joints, when all grains are placed."""
        return self._joined(grains) if self._joints is None else self._joints

    def _joined(self, parts: Parts, known_only: bool = False) -> JointAssembly:
        from granum.contact.bodies.joints import JointAssembly  # single grains need neither these nor the assembly

        fitting = self._fitting and not known_only
        return JointAssembly(self._groups.scene, parts, self._groups.dimension, self._start, fitting, self._axes,
                             known_only)

    def _unplaced(self) -> bool:
        """Is there a body whose position or orientation follows from joints?"""
        scene, key = self._groups.scene, "angle" if self._groups.dimension == 2 else "orientation"
        starts = (self._start.get(name, Start()) for name in jointed_bodies(scene)
                  if name in scene.body and not isinstance(scene.body[name], FixedPoint))
        return any(not (start.holds("position") and start.holds(key)) for start in starts)


@dataclass(eq=False)
class GrainAssembly:
    """Everything that a scene of grains says, short of its placed grains; what changes in a run is copied for it."""

    groups: Groups
    tables: Tables
    elements: Elements
    loads: GrainLoads
    sinks: Sinks
    frame_probes: dict[str, FrameProbe]
    _begun: Begun | None
    """The start; none where an earlier run says it."""

    def begun(self, earlier: EarlierGrains | None) -> tuple[Begun, Grains, Mapping[str, Start]]:
        """The start of a run: what joints say of it, bodies in arrays of their own, and the starts that are given of
        bodies and grains, by name.
        """
        scene = self.groups.scene
        if self._begun is not None and earlier is None:
            return self._begun, deepcopy(self._begun.bodies), scene.start
        assert earlier is not None
        start = starts_of(scene, earlier, self.groups.dimension)
        begun = Begun(self.groups, begin_bodies(self.groups, earlier, start), start, earlier.keeps_joints)
        return begun, begun.bodies, {name: own for name, own in start.items() if name in earlier.given}


def grain_assembly(scene: Scene) -> GrainAssembly:
    """The assembly of a scene of grains; made once for a scene and its copies with other run settings.

    Raises SceneError with all that is wrong between its entries, and where its start contradicts the joints.
    """
    key = "grains", scene.dimension, scene.run.merge_clusters, scene.run.project_start
    if key not in scene._compiled:
        scene._compiled[key] = _assemble(scene)
    assembly: GrainAssembly = scene._compiled[key]
    return assembly


def _assemble(scene: Scene) -> GrainAssembly:
    dimension, materials = scene.dimension, list(scene.material)
    # of a body that is refused nothing else is asked, neither a shape nor a start
    refused = tuple(f"{section}.{name}." for name in foreign_bodies(scene) for section in ("body", "start"))
    problems: list[Problem] = []

    def compiled(compile_: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return compile_(scene, *arguments)
        except SceneError as error:
            problems.extend(problem for problem in error.problems if not f"{problem.place}.".startswith(
                () if compile_ is refuse_foreign else refused))

    compiled(refuse_foreign)
    tables = compiled(compile_tables)
    elements = compiled(compile_boundaries, dimension, materials)
    loads = compiled(compile_loads, dimension, Path())
    compiled(check_flows, dimension)
    probes = compiled(frame_probes, dimension)
    sinks = compiled(Sinks, dimension)
    groups = compiled(compile_groups, dimension, materials)
    if problems:
        raise SceneError(problems)
    # bodies of an earlier run are where its frame says, which is read when the run begins
    begun = None if scene.start_frame is not None else Begun(groups, groups.bodies, scene.start)
    return GrainAssembly(groups, tables, elements, loads, sinks, probes, begun)
