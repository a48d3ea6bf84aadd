"""Pictures of 3-D runs: spheres, solids, tubes and glass, lit and with depth."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from matplotlib.colors import to_rgb

from granum.base.kernels import Floats, Ints
from granum.model.boundaries import FixedSphere, ImplicitSurface, Plane, Wall
from granum.view import style
from granum.view.films import raster
from granum.view.films.camera import camera_of, looking
from granum.view.films.painter import ARROWS, PALE, SECOND, Painter
from granum.view.films.scale import FORCES, contents, framed
from granum.view.films.sheet import Picture
from granum.view.shapes.boundaries import ENDLESS
from granum.view.shapes.meshes import NO_POINTS, great_circles
from granum.view.stage import Solid
from granum.view.stage.poses import TURN, placed, rotation

_FINE = 2
"""Pixels drawn along each side of one that is seen, so that rims are smooth."""
_MARKED = 300
"""Balls up to which each shows its orientation."""
_CREASE = 0.75
"""Cosine of the angle between faces from which it is an edge."""
_GROUND, _GLASS, _EDGE, _BODY, _JOINT, _LINK, _SPRING = (
    "#B4BAC1", "#8FA3B5", "#7D8894", "#5B6770", "#F2F2F2", "#59626B", "#4A7A5C")
_FAR, _NEAR = 0.30, 0.06
"""How much of the far and of the near side of glass is seen."""
_AROUND = 0.08
"""How much of a ground is seen around what is on it, in the size of that."""
_LAMP, _FAR_AWAY = 1200, 0.03
"""Pixels along each side of what the lamp sees, and the tangent of half its angle: its rays are nearly parallel."""
_SAMPLES = 14
"""Places around a pixel that are looked at for shadows."""
_SEEN_THROUGH = 0.25
"""What is left at least of a reaction that grains hide."""


class _Body(NamedTuple):
    """A solid as it is drawn."""

    place: int
    solid: Solid
    facing: Floats
    """(faces, 3, 3) normals at corners."""
    tint: Floats
    """(faces, 3)"""
    lines: tuple[Floats, Floats]
    """(k, 3) starts and ends of its lines."""
    glass: bool


class SpacePainter(Painter):
    """Draws frames of a 3-D stage."""

    def prepare(self) -> None:
        """Room for the picture, the camera, and normals and colours of the solids."""
        stage = self.stage
        _, _, width, height = self.sheet.field
        fine = _FINE * height, _FINE * width
        self.camera = camera_of(self._framed(), (fine[1], fine[0]))
        self._target = _target(fine, self.camera.focal)
        self._lit = self._target._replace(colour=np.zeros_like(self._target.colour))
        self._over = _target(fine, self.camera.focal) if self.forces else self._target
        self._shade, self._open, self._seen, self._bright = (np.zeros((height, width), np.float32) for _ in range(4))
        self._small = np.zeros((height, width, 3), np.uint8)
        self._bodies = [self._prepared(k, solid) for k, solid in enumerate(stage.solids)]
        self._span = float(np.linalg.norm(stage.box()[1] - stage.box()[0]))
        radii = stage.balls(len(stage.t) - 1).radii
        self._reach = 2.5 * float(np.mean(radii)) if len(radii) > 20 else 0.03 * self._span
        angle = 2.399963 * np.arange(_SAMPLES)
        self._turns = (np.sqrt((np.arange(_SAMPLES)[:, None] + 0.5) / _SAMPLES)
                       * np.column_stack([np.cos(angle), np.sin(angle)]))
        self._lamp = looking(contents(stage, self.frames), np.array(raster.LAMP) @ self.camera.axes, (_LAMP, _LAMP),
                             _FAR_AWAY)
        self._lamp_sees = _target((_LAMP, _LAMP), self._lamp.focal)

    def _framed(self) -> Floats:
        """(n, 3) points that the picture shows: all that is seen, the surfaces of formulas, and some ground around."""
        there = contents(self.stage, self.frames)
        if self.forces and len(self.stage.reactions(0).names):
            there = np.concatenate([there, framed(self.stage, True)])
        low, high = there.min(axis=0), there.max(axis=0)
        reach = _AROUND * float((high - low).max())
        grounds = [solid for solid in self.stage.solids if solid.kind == "boundary" and not solid.moves]
        return np.concatenate([
            there, *(solid.mesh.vertices for solid in grounds if solid.name in self.stage.scene.surface),
            *(solid.mesh.vertices.clip(low - reach, high + reach) for solid in grounds if self._endless(solid)
              and solid.name in self.stage.scene.boundary)])

    def _endless(self, solid: Solid) -> bool:
        boundary = self.stage.run.scene.boundary.get(solid.name)
        return boundary is None or isinstance(boundary, ENDLESS)

    def _prepared(self, place: int, solid: Solid) -> _Body:
        """Normals, colours and lines of a solid, in its own axes."""
        faces, vertices = solid.mesh.faces, solid.mesh.vertices
        order = np.argsort(faces.ravel(), kind="stable")
        first = np.searchsorted(faces.ravel()[order], np.arange(len(vertices) + 1))
        facing = np.zeros((len(faces), 3, 3))
        if len(faces):
            a, b, c = vertices[faces].transpose(1, 0, 2)
            raster.corner_normals(np.cross(b - a, c - a), faces, first, order // 3, _CREASE, facing)
        glass = solid.kind == "boundary" and self._is_glass(solid)
        one = {"boundary": _GLASS if glass else _GROUND, "joint": _JOINT}.get(
            solid.kind, _BODY if self.stage.run.has.grains else style.COLOURS[place % 6])
        tint = np.tile(to_rgb(one), (len(faces), 1))
        if solid.mesh.tones is not None:
            tint[solid.mesh.tones == 1] = to_rgb(SECOND)
        lines = (np.concatenate([NO_POINTS, *(line[:-1] for line in solid.mesh.lines)]),
                 np.concatenate([NO_POINTS, *(line[1:] for line in solid.mesh.lines)]))
        return _Body(place, solid, facing, tint, lines, glass)

    def _is_glass(self, solid: Solid) -> bool:
        """Does it stand between the eye and the grains? Grounds one looks at from their grains' side do not."""
        boundary = self.stage.run.scene.boundary.get(solid.name)
        if isinstance(boundary, Plane):
            return float((self.camera.eye - np.array(boundary.position)) @ np.array(boundary.normal)) < 0.0
        if isinstance(boundary, FixedSphere):
            return boundary.radius < 0.0
        return not (boundary is None or isinstance(boundary, Wall | ImplicitSurface))

    def picture(self, frame: int) -> Picture:
        """One frame."""
        self._target.depth[:] = np.inf
        poses = self.stage.poses(frame)
        there = [body for body in self._bodies if np.isfinite(poses[body.place]).all()]
        self._draw_balls(frame)
        for body in there:
            self._draw_solid(body, poses[body.place])
        self._draw_tubes(frame)
        self._light(frame, there, poses)
        if self.forces:
            self._over.depth[:] = np.inf
            self._draw_chains(frame)
            raster.lay_over(self._over, self._target.depth, 1.6 * self._reach, 0.0, self._lit.colour)
            self._over.depth[:] = np.inf
            self._draw_arrows(frame)
            raster.lay_over(self._over, self._target.depth, 1.6 * self._reach, _SEEN_THROUGH, self._lit.colour)
        for body in there:
            if body.glass:
                self._draw_glass(body, poses[body.place])
        raster.shrink(self._lit.colour, _FINE, self._small)
        picture = self.sheet.draw(float(self.stage.t[frame]), [])
        left, top, width, height = self.sheet.field
        picture[top : top + height, left : left + width] = self._small
        return picture

    def _light(self, frame: int, there: list[_Body], poses: Floats) -> None:
        """Light what is drawn: less where it is closed to the sky by its neighbours, or hidden from the lamp."""
        lamp, sees, balls = self._lamp, self._lamp_sees, self.stage.balls(frame)
        sees.depth[:] = np.inf
        centre = np.ascontiguousarray(lamp.seen(balls.positions))
        raster.draw_spheres(sees, centre, balls.radii, np.zeros((len(centre), 3)), np.argsort(centre[:, 2]))
        for body in there:
            if len(body.tint) and not body.glass and (body.solid.kind != "boundary" or not self._endless(body.solid)):
                corners = lamp.seen(placed(poses[body.place], body.solid.mesh.vertices))[body.solid.mesh.faces]
                raster.draw_triangles(sees, np.ascontiguousarray(corners), body.facing, body.tint,
                                      np.ones(len(body.tint)))
        fine = float(np.linalg.norm(self._lamp.eye - self.stage.box().mean(axis=0))) / lamp.focal
        raster.cast_shadow(self._target, np.ascontiguousarray(lamp.axes @ self.camera.axes.T),
                           lamp.directions(self.camera.eye - lamp.eye), sees, max(3.0 * fine, 0.04 * self._reach),
                           max(2.0 * fine, 0.3 * self._reach), self._turns, _FINE, self._seen)
        raster.blurred(self._seen, self._bright)
        raster.shadow(self._target, self._reach, self._turns, _FINE, self._shade)
        raster.blurred(self._shade, self._open)
        raster.light(self._target, self._open, self._bright, _FINE, self._lit.colour)

    def _draw_balls(self, frame: int) -> None:
        """Spheres; under force chains they are pale."""
        balls, tint = self.stage.balls(frame), self.scale.colours(frame)
        if self.forces and len(self.stage.chains(frame).forces):
            tint = style.paler(tint, PALE)
        centre = np.ascontiguousarray(self.camera.seen(balls.positions))
        raster.draw_spheres(self._target, centre, balls.radii, tint, np.argsort(centre[:, 2]))
        if balls.orientations is not None and len(balls.radii) <= _MARKED:
            self._mark(balls.positions, balls.radii, balls.orientations, 0.45 * tint)

    def _mark(self, centres: Floats, radii: Floats, turning: Floats, tint: Floats) -> None:
        """Great circles on balls that turn."""
        for centre, radius, turned, colour in zip(centres, radii, turning, tint, strict=True):
            for ring in great_circles(radius):
                self._tubes(centre + ring @ rotation(turned).T, colour, 0.02 * radius)

    def _tubes(self, path: Floats, tint: Floats, radius: float, least: float = 0.8) -> None:
        """A tube along a path (k, 3)."""
        self._segments(path[:-1], path[1:], np.full(len(path) - 1, radius), np.tile(tint, (len(path) - 1, 1)), least)

    def _segments(self, starts: Floats, ends: Floats, radii: Floats, tint: Floats, least: float,
                  into: raster.Target | None = None) -> None:
        a, b = (np.ascontiguousarray(self.camera.seen(points)) for points in (starts, ends))
        raster.draw_tubes(into or self._target, a, b, radii, tint, least * _FINE)

    def _corners(self, body: _Body, pose: Floats) -> Floats:
        return self.camera.seen(placed(pose, body.solid.mesh.vertices))[body.solid.mesh.faces]

    def _draw_solid(self, body: _Body, pose: Floats) -> None:
        """Faces, unless they are glass, and lines."""
        if len(body.tint) and not body.glass:
            facing = self.camera.directions(body.facing @ rotation(pose[TURN]).T)
            raster.draw_triangles(self._target, self._corners(body, pose), np.ascontiguousarray(facing), body.tint,
                                  np.ones(len(body.tint)))
        starts, ends = body.lines
        if not len(starts):
            return
        if body.solid.kind == "boundary":
            width, colour = 0.0, _EDGE if body.glass else "#AEB7C0"
        else:
            size = float(np.linalg.norm(np.ptp(np.concatenate(body.lines), axis=0)))
            width = min(0.0012 * self._span, 0.01 * size)
            colour = _BODY if len(body.tint) else style.COLOURS[body.place % 6]
        self._segments(placed(pose, starts), placed(pose, ends), np.full(len(starts), width),
                       np.tile(to_rgb(colour), (len(starts), 1)), 0.7)

    def _draw_glass(self, body: _Body, pose: Floats) -> None:
        """Faces one looks through: those at the back are seen, those in front hardly."""
        if not len(body.tint):
            return
        corners = self._corners(body, pose)
        middle = corners.mean(axis=1)
        out = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        out *= np.sign(np.einsum("fi,fi->f", out, middle - middle.mean(axis=0)))[:, None]
        far = np.einsum("fi,fi->f", out, middle) > 0.0
        order: Ints = np.argsort(-middle[:, 2])
        raster.draw_triangles(self._lit, corners[order], body.facing, body.tint[order],
                              np.where(far, _FAR, _NEAR)[order])

    def _draw_tubes(self, frame: int) -> None:
        """Links, springs and paths."""
        links = self.stage.links(frame)
        self._segments(links[:, 0], links[:, 1], np.full(len(links), 0.0016 * self._span),
                       np.tile(to_rgb(_LINK), (len(links), 1)), 0.8)
        for shape in self.springs(frame):
            for line in shape.lines:
                self._tubes(line, np.array(to_rgb(_SPRING)), 0.08 * self._spring_width)
            if shape.pot is not None:
                self._tubes(shape.pot, np.array(to_rgb(_SPRING)), 0.35 * self._spring_width)
        for path, colour in self._paths:
            self._tubes(path[: frame + 1], np.array(to_rgb(colour)), 0.0016 * self._span)

    def _draw_chains(self, frame: int) -> None:
        """Contact forces as tubes as wide as they are strong."""
        chains, balls = self.stage.chains(frame), self.stage.balls(frame)
        part = np.minimum(chains.forces / self._chains, 1.5)
        strong = part > 0.02
        if strong.any():
            radius = 0.45 * float(np.mean(balls.radii))
            self._segments(chains.starts[strong], chains.ends[strong], radius * part[strong],
                           np.tile(to_rgb(FORCES), (int(strong.sum()), 1)), 0.3, self._over)

    def _draw_arrows(self, frame: int) -> None:
        """Reactions as tubes that grow thin toward their tips."""
        arrows = self.stage.reactions(frame)
        if not 0 < len(arrows.names) <= ARROWS:
            return
        along = 0.12 * self._span * arrows.vectors / self._reactions
        tint, r = np.tile(to_rgb(FORCES), (len(along), 1)), 0.003 * self._span
        self._segments(arrows.origins, arrows.origins + 0.8 * along, np.full(len(along), r), tint, 0.8,
                       self._over)
        for k in range(6):  # the head: rings of falling width
            a, b = 0.76 + 0.04 * k, 0.80 + 0.04 * k
            self._segments(arrows.origins + a * along, arrows.origins + b * along,
                           np.full(len(along), 2.4 * r * (1.0 - k / 6.0)), tint, 0.5, self._over)


def _target(shape: tuple[int, int], focal: float) -> raster.Target:
    """Room for a picture of so many rows and columns."""
    colour, normal = (np.zeros((*shape, 3), np.float32) for _ in range(2))
    return raster.Target(colour, normal, np.zeros(shape, np.float32), focal)
