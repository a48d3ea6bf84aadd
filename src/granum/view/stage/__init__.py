"""The stage: one description of what a run looks like, for pictures, films and the page alike."""

from granum.view.shapes.meshes import Mesh
from granum.view.stage.items import Balls, Chains, Solid
from granum.view.stage.stage import Stage

__all__ = ["Balls", "Chains", "Mesh", "Solid", "Stage"]
