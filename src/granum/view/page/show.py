"""A run as the page asks for it: what is the same for all frames, and each frame as a block of arrays."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from functools import cached_property
from itertools import cycle
from typing import Any

import numpy as np
from numpy.typing import NDArray

from granum.base.kernels import Floats
from granum.view.page.packing import Packed, pack, rounded
from granum.view.shapes.springs import spring_width
from granum.view.stage import Balls, Chains, Solid, Stage
from granum.view.stage.items import spread

_SAMPLED = 12
"""Frames that ranges of colours and forces are taken from."""
_FEW, _STRONG = 0.99, 0.95
"""Scales of colours end where one value in a hundred is beyond, those of forces where one in twenty is."""
_ENERGIES = ("kinetic", "potential", "total")
_BODY = "#8fb3d0"
"""Colour of bodies among grains."""
_STILL = 1e-9
"""Speeds that are no motion, in sizes of the whole in the time of the run."""
_COMPARED = 400
"""Bodies among which the one that moves most is looked for."""
_NAMED_LINKS = 10_000
"""Links up to which the page knows their names."""


class Show:
    """A stage as blocks of bytes. With `step` [m], places are rounded to it."""

    def __init__(self, stage: Stage, step: float | None = None) -> None:
        self.stage, self.step = stage, step

    @cached_property
    def _sampled(self) -> list[int]:
        return spread(len(self.stage.t), _SAMPLED)

    @cached_property
    def _box(self) -> Floats:
        return self.stage.box()

    @property
    def _pace(self) -> float:
        """The size of the whole in the time of the run [m/s]."""
        return float(np.linalg.norm(self._box[1] - self._box[0]) / (np.ptp(self.stage.t) or 1.0))

    def header(self) -> dict[str, Any]:
        """What the page needs to know before the first frame."""
        stage = self.stage
        size = float(np.linalg.norm(self._box[1] - self._box[0])) or 1.0
        radii = np.concatenate(self._radii())
        radius = float(radii.mean()) if len(radii) else 0.01 * size
        reactions = [np.linalg.norm(stage.reactions(k).vectors, axis=1) for k in self._sampled]
        forces = [stage.chains(k).forces for k in self._sampled]
        return {
            "title": stage.title, "dimension": stage.dimension, "times": stage.t.tolist(),
            "finished": stage.run.finished, "box": self._box.tolist(), "kinds": stage.kinds,
            "solids": self._solids(), "grains": stage.run.has.grains,
            "balls": len(radii) > 0, "turning": stage.balls(0).orientations is not None,
            "chains": any(len(f) for f in forces), "jammed": "arch" in stage.quantities,
            "large_force": _large(forces, _STRONG) or 1.0, "chain_width": 1.2 * radius,
            "reactions": any(len(r) for r in reactions), "largest_reaction": _largest(reactions),
            "link_width": 0.004 * size, "links": list(stage.run.link_names)[:_NAMED_LINKS], "path": self._path(),
            "springs": [{"name": name, "elastic": spring.stiffness > 0.0, "damped": spring.damping > 0.0}
                        for name, spring in stage.springs.items()],
            "spring_width": spring_width(stage.spring_ends(0), size),
            "plots": {name: plot["label"] for name, plot in self.series().items()},
            "quantities": self._quantities(), "colour": next(iter(stage.quantities), "none"),
            "colours": {"scale": base64.b64encode(_colour_scale().tobytes()).decode(), "palette": _palette()},
        }

    def _path(self) -> str:
        """The path that is shown at first: of the body that gets around most, but none among grains."""
        if self.stage.run.has.grains:
            return "none"
        reach = {name: float(np.ptp(self.stage.trace(name), axis=0).max()) for name in self.stage.names()[:_COMPARED]}
        return max(reach, key=lambda name: reach[name], default="none")

    def _solids(self) -> list[dict[str, str]]:
        """Names and kinds of solids; without grains, each body has a colour of its own."""
        tints = cycle(_soft(_palette()) if not self.stage.run.has.grains else [_BODY])
        return [{"name": solid.name, "kind": solid.kind, "detail": self._detail(solid)}
                | ({"colour": next(tints)} if solid.kind == "body" else {}) for solid in self.stage.solids]

    def _detail(self, solid: Solid) -> str:
        """The kind of a solid as its scene has it, such as a hinge."""
        scene = self.stage.scene
        sections: dict[str, list[Mapping[str, Any]]] = {
            "body": [scene.body], "joint": [scene.constraint, scene.load, scene.actuator], "boundary": [scene.boundary]}
        found = next((section[solid.name] for section in sections[solid.kind] if solid.name in section), None)
        return str(getattr(found, "kind", "surface")).replace("-", " ")

    def names(self) -> dict[str, Any]:
        """Names of all bodies that are seen as balls, as the run has them, and their numbers in frames."""
        known = self.stage.body_names
        return {"names": list(known.values()), "numbers": list(known)}

    def _radii(self) -> list[Floats]:
        return [self.stage.balls(k).radii for k in self._sampled]

    def _quantities(self) -> dict[str, Any]:
        """Colourings with the range of their values over the run."""
        quantities = {}
        for name, quantity in self.stage.quantities.items():
            marks = name in ("kind", "cluster", "arch")
            values = [] if marks else [self.stage.values(k, name) for k in self._sampled]
            high = _largest(values) if quantity.discrete or name == "size" else _large(values, _FEW)
            if name == "speed" and high < _STILL * self._pace:  # round-off is not worth a colour
                high = self._pace
            low = min((float(v.min()) for v in values if len(v)), default=0.0) if name == "size" else 0.0
            quantities[name] = {"label": quantity.label, "unit": quantity.unit, "discrete": quantity.discrete,
                                "palette": marks, "range": [low, high if high > low else low + (abs(low) or 1.0)],
                                "beyond": _largest(values) > high}
        return quantities

    def series(self) -> dict[str, Any]:
        """Plots over time by name; kinds of energy share one."""
        plots: dict[str, Any] = {}
        for name, series in self.stage.series().items():
            together = name in _ENERGIES
            plot = plots.setdefault("energy" if together else name, {
                "label": "energy" if together else series.label, "unit": series.unit, "curves": []})
            values = [float(value) if np.isfinite(value) else None for value in series.values]
            plot["curves"].append({"label": name if together else series.label, "values": values})
        return plots

    def solids(self) -> bytes:
        """Triangles and lines of solids, in their own axes."""
        arrays: dict[str, Packed] = {}
        for k, solid in enumerate(self.stage.solids):
            arrays[f"vertices/{k}"] = np.asarray(solid.mesh.vertices, np.float32)
            arrays[f"faces/{k}"] = np.asarray(solid.mesh.faces, np.uint32)
            tones = solid.mesh.tones
            arrays[f"tones/{k}"] = np.zeros(0, np.uint8) if tones is None else tones.astype(np.uint8)
            segments = [np.stack([line[:-1], line[1:]], axis=1).reshape(-1, 3) for line in solid.mesh.lines]
            arrays[f"lines/{k}"] = np.concatenate([np.zeros((0, 3)), *segments]).astype(np.float32)
        return pack(arrays)

    def frame(self, k: int) -> bytes:
        """Everything of a frame."""
        balls = self.stage.balls(k)
        return pack({**self.lasting(k, balls), **self.moving(k, balls)})

    def lasting(self, k: int, balls: Balls) -> dict[str, Packed]:
        """What most frames share: which balls there are, and which bodies they belong to."""
        return {"radii": balls.radii.astype(np.float32), "kinds": balls.kinds.astype(np.uint8),
                "bodies": self.stage.body_numbers(k).astype(np.uint32)}

    def moving(self, k: int, balls: Balls) -> dict[str, Packed]:
        """Places of everything in a frame with these balls."""
        stage, arrows = self.stage, self.stage.reactions(k)
        arrays: dict[str, Packed] = {
            "positions": self._places(balls.positions), "poses": stage.poses(k).astype(np.float32),
            "links": self._places(stage.links(k).reshape(-1, 3)),
            "springs": stage.spring_ends(k).reshape(-1, 3).astype(np.float32),
            "origins": arrows.origins.astype(np.float32), "vectors": arrows.vectors.astype(np.float32),
        }
        if balls.orientations is not None:  # as a card takes it: x, y, z, w, of 32767; rounded, in steps of 258
            turning = balls.orientations[:, [1, 2, 3, 0]]
            whole = np.rint(32767.0 * turning) if self.step is None else 258.0 * np.rint(127.0 * turning)
            arrays["turning"] = whole.astype(np.int16)
        return arrays

    def _places(self, points: Floats) -> Packed:
        if self.step is None:
            return points.astype(np.float32)
        return rounded(points, self.step, np.minimum(self._box[0], points.min(axis=0, initial=np.inf)))

    def values(self, k: int, quantity: str) -> bytes:
        """What balls of a frame are coloured by."""
        values = self.stage.values(k, quantity)
        if self.step is None:
            return pack({"values": values.astype(np.float32)})
        if self.stage.quantities[quantity].discrete:
            return pack({"values": rounded(values[:, None], 1.0, np.array([-1.0]))})
        most = float(values.max(initial=0.0)) or 1.0
        return pack({"values": rounded(values[:, None], most / 4095.0, np.zeros(1))})

    def chains(self, k: int) -> bytes:
        """Contact forces of a frame; rounded, only those above the mean, which are called force chains."""
        chains = self.stage.chains(k)
        if self.step is not None and len(chains.forces):
            chains = strong(chains)
        return pack(_joined(chains, len(self.stage.balls(k).radii), self._places, self.step is not None))

    def trace(self, name: str) -> bytes:
        """The path of a body."""
        return pack({"points": self.stage.trace(name).astype(np.float32)})


def strong(chains: Chains) -> Chains:
    """Contacts that carry more than the mean force."""
    kept = chains.forces > chains.forces.mean()
    return Chains(*(array[kept] for array in chains))


def _joined(chains: Chains, balls: int, places: Any, narrow: bool) -> dict[str, Packed]:
    """Contacts as pairs of balls; at a boundary the second is a point of it, counted on from the balls."""
    pairs, wall = chains.pairs.astype(np.int64), chains.pairs[:, 1] < 0
    pairs[wall, 1] = balls + np.arange(int(wall.sum()))
    whole = np.uint16 if narrow and balls + int(wall.sum()) < 2**16 else np.uint32
    forces: Packed = chains.forces.astype(np.float32)
    if narrow:
        forces = rounded(chains.forces[:, None], (float(chains.forces.max(initial=0.0)) or 1.0) / 255.0, np.zeros(1))
    return {"pairs": pairs.astype(whole), "walls": places(chains.ends[wall]), "forces": forces}


def _largest(values: list[Floats]) -> float:
    """Of the numbers that are known."""
    return max((float(v[np.isfinite(v)].max(initial=0.0)) for v in values), default=0.0)


def _large(values: list[Floats], part: float) -> float:
    """What few values are above: one hard hit would leave everything else thin and dark."""
    there = np.concatenate([np.zeros(0), *values])
    there = there[np.isfinite(there)]
    return float(np.quantile(there, part)) if len(there) else 0.0


def _colour_scale() -> NDArray[np.uint8]:
    """(256, 3) colours of a scale, as in all pictures."""
    from granum.view import style

    scale: NDArray[np.uint8] = (255.0 * style.VALUE_COLOURS(np.arange(256))[:, :3]).round().astype(np.uint8)
    return scale


def _soft(colours: list[str]) -> list[str]:
    """Colours for large faces, on which lines and arrows must be seen."""
    from matplotlib.colors import to_hex, to_rgb

    from granum.view import style

    return [to_hex(tuple(style.paler(np.array(to_rgb(colour)), 0.3))) for colour in colours]


def _palette() -> list[str]:
    from granum.view import style

    return list(style.COLOURS[:6])
