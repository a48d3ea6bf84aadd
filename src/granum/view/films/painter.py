"""What painters of 2-D and 3-D have in common: the sheet, the paths, and the forces that are drawn widest."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from granum.view import style
from granum.view.films.scale import Scale, sampled, strongest, tick
from granum.view.films.sheet import Picture, Sheet
from granum.view.shapes.springs import SpringShape, spring_shape, spring_width
from granum.view.stage import Stage

PALE = 0.62
"""How far colours of grains go to white under force chains."""
SECOND = style.COLOURS[4]
"""Colour of drives, and of the second half of bodies that show how they turn."""
ARROWS = 80
"""Reactions up to which they are drawn as arrows."""


class Painter(ABC):
    """Draws frames of a stage."""

    def __init__(self, stage: Stage, scale: Scale, forces: bool, traces: list[str], size: tuple[int, int],
                 frames: list[int] | None = None) -> None:
        """`frames` are those that must fit into the picture; left out, some of all."""
        self.stage, self.scale, self.forces = stage, scale, forces
        self.frames = frames or sampled(stage)
        self.sheet = Sheet(size, stage.title, scale, tick(stage))
        self._paths = [(stage.trace(name), style.COLOURS[(1 + k) % 6]) for k, name in enumerate(traces)]
        self._chains = strongest([stage.chains(frame).forces for frame in self.frames]) if forces else 1.0
        self._reactions = strongest([np.linalg.norm(stage.reactions(frame).vectors, axis=1)
                                     for frame in self.frames]) if forces else 1.0
        self._spring_width = spring_width(stage.spring_ends(0), float(np.linalg.norm(np.diff(stage.box(), axis=0))))
        self.prepare()
        self.sheet.begin()

    def springs(self, frame: int) -> list[SpringShape]:
        """Springs and dampers of a frame."""
        return [spring_shape(spring, ends, self._spring_width, self.stage.dimension)
                for spring, ends in zip(self.stage.springs.values(), self.stage.spring_ends(frame), strict=True)]

    @abstractmethod
    def prepare(self) -> None:
        """Draw or compute once what is the same in all frames."""

    @abstractmethod
    def picture(self, frame: int) -> Picture:
        """A frame."""
