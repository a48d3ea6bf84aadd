"""Pictures of 2-D runs: what stays is drawn once, what moves over it for every frame."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.collections import EllipseCollection, LineCollection, PolyCollection
from matplotlib.patches import Rectangle

from granum.base.kernels import Floats
from granum.base.rotations import half_angle
from granum.view import style
from granum.view.films.painter import ARROWS, PALE, SECOND, Painter
from granum.view.films.scale import FORCES, framed
from granum.view.films.sheet import Picture
from granum.view.stage.poses import placed

_MARKED = 4000
"""Balls up to which each shows its orientation, and has a rim."""
_EDGE, _BODY, _LINK, _SPRING = "#3A4148", "#5B6770", "#59626B", "#4A7A5C"
_FACES = {"boundary": "#DDE1E5", "joint": "white"}
_ORDER = {"boundary": 2.5, "body": 2.0, "joint": 3.5}
_WIDTHS = {"boundary": 2.2, "body": 3.0, "joint": 1.2}
"""Of lines [pixels]."""
_UNITS = ((1.0, "m"), (1e-2, "cm"), (1e-3, "mm"), (1e-6, "µm"))


class FlatPainter(Painter):
    """Draws frames of a 2-D stage."""

    def prepare(self) -> None:
        """Draw what stays."""
        stage = self.stage
        self.axis = self._axis()
        self._pixel = 72.0 / self.sheet.figure.dpi
        self._oriented = stage.balls(0).orientations is not None
        self._still = [k for k, solid in enumerate(stage.solids) if solid.kind == "boundary" and not solid.moves]
        self._moving = [k for k in range(len(stage.solids)) if k not in self._still]
        for artist in self._solids(self._still, 0):
            self.axis.add_artist(artist)
        self._ruler()

    def _axis(self) -> Any:
        """Axes that show the box of the stage, as large as the field allows, without a frame."""
        left, top, width, height = self.sheet.field
        w, h = self.sheet.size
        (x0, y0, _), (x1, y1, _) = framed(self.stage, self.forces)
        per_metre = min(width / (x1 - x0), height / (y1 - y0))
        cx, cy = 0.5 * (x0 + x1), 0.5 * (y0 + y1)
        axis = self.sheet.figure.add_axes((left / w, (h - top - height) / h, width / w, height / h))
        axis.set(xlim=(cx - 0.5 * width / per_metre, cx + 0.5 * width / per_metre),
                 ylim=(cy - 0.5 * height / per_metre, cy + 0.5 * height / per_metre))
        axis.axis("off")
        self.per_metre = per_metre
        return axis

    def _ruler(self) -> None:
        """A bar of a round length, in place of axes."""
        _, _, width, _ = self.sheet.field
        metres = 0.16 * width / self.per_metre
        power = 10.0 ** np.floor(np.log10(metres))
        length = power * max(k for k in (1.0, 2.0, 5.0) if k * power <= metres)
        unit, name = next(((value, name) for value, name in _UNITS if length >= value), _UNITS[-1])
        (x0, x1), (y0, y1) = self.axis.get_xlim(), self.axis.get_ylim()
        x, y = x1 - 0.015 * (x1 - x0) - length, y0 + 0.02 * (y1 - y0)
        thick = 3.0 / self.per_metre
        self.axis.add_patch(Rectangle((x, y), length, thick, color="#2B3036", zorder=9, linewidth=0.0))
        self.axis.text(x + 0.5 * length, y + 2.2 * thick, f"{length / unit:g} {name}", ha="center", va="bottom",
                       fontsize=0.9 * self.sheet.points, color="#2B3036", zorder=9)

    def picture(self, frame: int) -> Picture:
        """One frame."""
        artists = [*self._balls(frame), *self._lines(frame), *self._springs(frame), *self._solids(self._moving, frame)]
        if self.forces:
            artists += [*self._force_chains(frame), *self._arrows(frame)]
        for path, colour in self._paths:
            artists.append(LineCollection([path[: frame + 1, :2]], colors=[colour], linewidths=1.6 * self._pixel,
                                          zorder=5, capstyle="round"))
        for artist in artists:
            self.axis.add_artist(artist)
        try:
            return self.sheet.draw(float(self.stage.t[frame]), sorted(artists, key=lambda one: one.get_zorder()))
        finally:
            for artist in artists:
                artist.remove()

    def _balls(self, frame: int) -> list[Any]:
        """Disks with a rim, and a spoke where it is known how they are turned."""
        balls, colours = self.stage.balls(frame), self.scale.colours(frame)
        if self.forces and len(self.stage.chains(frame).forces):
            colours = style.paler(colours, PALE)
        few = len(balls.radii) <= _MARKED
        joined = self._oriented and len(np.unique(balls.bodies)) < len(balls.bodies)
        size = 2.0 * balls.radii
        offsets = {"offsets": balls.positions[:, :2], "offset_transform": self.axis.transData, "units": "xy"}
        rim = {"edgecolors": 0.62 * colours, "linewidths": 0.8 * self._pixel} if few else {"linewidths": 0.0}
        artists: list[Any] = [EllipseCollection(size, size, np.zeros(len(size)), facecolors=colours, zorder=1,
                                                **offsets, **rim)]
        if joined and few:  # faces once more, over the rims inside bodies
            inner = np.maximum(size - 1.6 / self.per_metre, 0.0)
            artists.append(EllipseCollection(inner, inner, np.zeros(len(size)), facecolors=colours, linewidths=0.0,
                                             zorder=1.1, **offsets))
        elif balls.orientations is not None and few:
            angle = 2.0 * half_angle(balls.orientations)
            spoke = balls.radii[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
            ends = np.stack([balls.positions[:, :2] + 0.2 * spoke, balls.positions[:, :2] + 0.85 * spoke], axis=1)
            artists.append(LineCollection([*ends], colors=0.5 * colours, linewidths=1.2 * self._pixel, zorder=1.2,
                                          capstyle="round"))
        return artists

    def _lines(self, frame: int) -> list[Any]:
        """Links, bonds and lines of formulas."""
        links = self.stage.links(frame)
        width = 2.4 if len(links) <= 200 else 1.2
        return [LineCollection([*links[..., :2]], colors=_LINK, linewidths=width * self._pixel,
                               zorder=3 if self.stage.run.scene.bond else 0.9, capstyle="round")] if len(links) else []

    def _springs(self, frame: int) -> list[Any]:
        """Springs as zigzags, dampers as dashpots."""
        shapes = self.springs(frame)
        lines = [line[:, :2] for shape in shapes for line in shape.lines]
        if not lines:
            return []
        look: dict[str, Any] = {"colors": _SPRING, "zorder": 2.2, "capstyle": "butt", "joinstyle": "round"}
        pots = [shape.pot[:, :2] for shape in shapes if shape.pot is not None]
        wide = 0.7 * self._spring_width * self.per_metre * self._pixel
        return [LineCollection(lines, linewidths=1.8 * self._pixel, **look),
                LineCollection(pots, linewidths=wide, **look)]

    def _solids(self, chosen: list[int], frame: int) -> list[Any]:
        """Solids as filled rims and lines; what is not there is left out."""
        artists: list[Any] = []
        poses = self.stage.poses(frame)
        grainy = self.stage.run.has.grains
        for k in chosen:
            solid = self.stage.solids[k]
            if not np.isfinite(poses[k]).all():
                continue
            lines: list[Floats] = [placed(poses[k], line)[:, :2] for line in solid.mesh.lines]
            order = _ORDER[solid.kind]
            if len(solid.mesh.faces):
                face = _FACES.get(solid.kind, _BODY if grainy else style.COLOURS[k % 6])
                face = SECOND if solid.mesh.tones is not None and solid.mesh.tones.all() else face
                artists += self._filled(lines.pop(0), face, order, joined=solid.kind == "boundary")
            if lines:
                artists.append(LineCollection(lines, colors=_EDGE, linewidths=_WIDTHS[solid.kind] * self._pixel,
                                              zorder=order, capstyle="round"))
        return artists

    def _filled(self, rim: Floats, face: str, order: float, joined: bool) -> list[Any]:
        """A face with its rim; faces that are joined lie over all rims, so that only what is outside is seen."""
        edge: dict[str, Any] = {"edgecolors": [_EDGE], "joinstyle": "round"}
        if not joined:
            return [PolyCollection([rim], facecolors=[face], linewidths=1.2 * self._pixel, zorder=order, **edge)]
        return [PolyCollection([rim], facecolors=[face], linewidths=3.0 * self._pixel, zorder=order - 0.1, **edge),
                PolyCollection([rim], facecolors=[face], linewidths=0.0, zorder=order)]

    def _force_chains(self, frame: int) -> list[Any]:
        """Contact forces as lines as wide as they are strong."""
        chains = self.stage.chains(frame)
        part = np.minimum(chains.forces / self._chains, 1.5)
        seen = part > 0.01
        lines = np.stack([chains.starts[seen, :2], chains.ends[seen, :2]], axis=1)
        widest = min(9.0, 0.9 * float(np.mean(self.stage.balls(frame).radii)) * self.per_metre) if len(lines) else 1.0
        return [LineCollection([*lines], colors=FORCES, linewidths=max(widest, 2.0) * part[seen] * self._pixel,
                               zorder=4, capstyle="round")] if len(lines) else []

    def _arrows(self, frame: int) -> list[Any]:
        """Reactions as arrows."""
        arrows = self.stage.reactions(frame)
        if not 0 < len(arrows.names) <= ARROWS:
            return []
        _, _, width, height = self.sheet.field
        longest = 0.16 * min(width, height) / self.per_metre
        along = longest * arrows.vectors[:, :2] / self._reactions
        size = np.linalg.norm(along, axis=1, keepdims=True)
        unit = along / np.where(size > 0.0, size, 1.0)
        head = np.minimum(0.35 * size, 9.0 / self.per_metre)
        tip, across = arrows.origins[:, :2] + along, head * 0.45 * np.column_stack([-unit[:, 1], unit[:, 0]])
        neck = tip - head * unit
        shafts = np.stack([arrows.origins[:, :2], neck], axis=1)
        heads = np.stack([tip, neck + across, neck - across], axis=1)
        return [LineCollection([*shafts], colors=FORCES, linewidths=2.2 * self._pixel, zorder=6),
                PolyCollection([*heads], facecolors=FORCES, linewidths=0.0, zorder=6)]
