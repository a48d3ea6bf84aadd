"""The assembly of a scene: all that it says, resolved and in arrays, made once. Formulations and solvers read it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from granum.model.scene import Scene

if TYPE_CHECKING:  # each part loads what it needs when it is first read
    from granum.assembly.connected import Connected
    from granum.assembly.cuts import Cut
    from granum.assembly.grains import GrainPart
    from granum.assembly.points import PointArrays
    from granum.base.kernels import Floats
    from granum.loads.load import BodyLoad
    from granum.rows.body import Body
    from granum.rows.joint import Connecting, Joint
    from granum.rows.system import RowSystem


class Assembly:
    """Everything that a scene says: point masses and links, bodies and joints, grains.

    Each of these parts is compiled when it is first read, once. A scene has what it needs of each: point masses and
    links are read as arrays (`points`) or as bodies with joints, depending on the formulation.
    """

    def __init__(self, scene: Scene, surfaces: bool, near: Mapping[str, Body] | None = None) -> None:
        """Prepare to compile a scene.

        Args:
            surfaces: are contacts with planes, or with lines in 2-D, rows? Otherwise they are left to formulas.
            near: bodies of another assembly, from whose configuration the loops are closed; left out, from [start].
        """
        self._scene, self._surfaces, self._near = scene, surfaces, near

    @cached_property
    def scene(self) -> Scene:
        """The scene with its patterns of links written out."""
        if not self._scene.pattern:
            return self._scene
        from granum.assembly.patterns import explicit

        return explicit(self._scene, self.points)

    @cached_property
    def points(self) -> PointArrays:
        """Point masses, links and springs as arrays in the order of the scene, with what is wrong between them."""
        from granum.assembly.points.collect import collect_points

        return collect_points(self._scene)

    @cached_property
    def grains(self) -> GrainPart:
        """Grains, boundaries, their loads and probes; raises SceneError with all that is wrong between them."""
        from granum.assembly.grains import compile_grains

        return compile_grains(self._scene)

    # ---- bodies and joints; each raises SceneError with what is wrong, and where the start contradicts the joints

    @cached_property
    def _connected(self) -> Connected:
        from granum.assembly.connected import assemble

        return assemble(self.scene, self._surfaces, self._near)


    @property
    def dimension(self) -> int:
        """2 or 3."""
        return self._scene.dimension

    @property
    def bodies(self) -> dict[str, Body]:
        """Movable bodies by name, massless ones included, with their start in the initial configuration."""
        return self._connected.bodies

    @property
    def fixed(self) -> dict[str, Floats]:
        """Fixed points."""
        return self._connected.fixed

    @property
    def joints(self) -> list[Joint]:
        """All connections; contacts with surfaces are left to formulas, unless newton-euler takes planes as rows, or
        the scene is 2-D.
        """
        return self._connected.joints

    @property
    def loads(self) -> list[BodyLoad]:
        """Loads on bodies, and actuators."""
        return self._connected.loads

    @property
    def rows(self) -> RowSystem:
        """Tables of the bodies with mass and of the joints between them. Copy it to run: it is shared."""
        return self._connected.rows

    @property
    def y(self) -> Floats:
        """State of these bodies in the initial configuration."""
        return self._connected.y

    @property
    def connecting(self) -> Connecting:
        """Finds points and joints by name."""
        return self._connected.connecting

    @property
    def searched(self) -> bool:
        """Did the path from the guesses end before the loops closed, so that a search took its place?"""
        return self._connected.searched

    @property
    def complete(self) -> bool:
        """Do bodies and joints determine the initial configuration? Otherwise formulas may still change it."""
        return self._scene.has_joints or not self._scene.has_formulas

    @cached_property
    def cuts(self) -> list[Cut]:
        """Cuts through bodies with mass; raises SceneError where one cannot be made."""
        from granum.assembly.cuts import cuts_of

        return cuts_of(self.scene, self.rows.bodies, self.loads)


def assembly_of(scene: Scene) -> Assembly:
    """The assembly of a scene; made once for a scene and its copies with other run settings."""
    surfaces = scene.formulation == "newton-euler" or scene.dimension == 2
    seed = None if scene.has_grains else scene.run.seed  # grains are placed when a run begins
    key = ("assembly", scene.dimension, surfaces and bool(scene.surface), scene.run.project_start,
           scene.run.merge_clusters, seed)
    if key not in scene._compiled:
        scene._compiled[key] = Assembly(scene, surfaces)
    assembly: Assembly = scene._compiled[key]
    return assembly
