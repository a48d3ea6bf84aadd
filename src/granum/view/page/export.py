"""A run as one HTML file that plays in any browser, without a server and without a network."""

from __future__ import annotations

import base64
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from granum.view.files import Progress, replacing
from granum.view.page.document import document
from granum.view.page.packing import as_json, pack
from granum.view.page.show import Show
from granum.view.stage import Stage

_MOST_FRAMES = 200
_STEPS_PER_RADIUS = 200.0
"""How finely places are kept: a step is far below what can be seen unless one grain fills the screen."""


def html(stage: Stage, every: int | None = None, colour: str | None = None, progress: Progress | None = None) -> str:
    """The page with the run in it: every so many frames (left out, at most 200 in all), places rounded.

    Args:
        colour: a further colouring to keep; clusters take long to find and are kept only if asked for.
        progress: called with frames done and frames in all.
    """
    count = len(stage.t)
    frames = _frames(count, every)
    show = Show(stage, _step(stage))
    header = show.header()
    chosen = colour or header["colour"]
    kept = [name for name in header["quantities"]
            if name not in ("size", "kind") and (name != "cluster" or name == chosen)]
    blocks = {"solids": show.solids()}
    for place, k in enumerate(frames):
        balls = stage.balls(k)
        blocks |= {f"lasting/{place}": pack(show.lasting(k, balls)), f"moving/{place}": pack(show.moving(k, balls))}
        blocks |= {f"values/{place}/{name}": show.values(k, name) for name in kept}
        if header["chains"]:
            blocks[f"chains/{place}"] = show.chains(k)
        if progress is not None:
            progress(place + 1, len(frames))
    if header["path"] != "none":
        blocks[f"trace/{header['path']}"] = show.trace(header["path"])
    header |= {"times": stage.t[frames].tolist(), "finished": True, "colour": chosen, "names": show.names(),
               "quantities": {name: quantity for name, quantity in header["quantities"].items()
                              if name in kept or name in ("size", "kind")}}
    return document(_embedded(header, _thinned(show.series(), frames), blocks))


def _frames(count: int, every: int | None) -> list[int]:
    """Every so many frames and the last one; left out, so many as are kept, spread evenly."""
    if every is None:
        return sorted({round(k) for k in np.linspace(0, count - 1, min(count, _MOST_FRAMES)).tolist()})
    return sorted({*range(0, count, every), count - 1})


def _step(stage: Stage) -> float:
    """How finely places are kept [m]."""
    radii = np.concatenate([stage.balls(k).radii for k in (0, len(stage.t) // 2, len(stage.t) - 1)])
    low, high = stage.box()
    return float(radii.min(initial=0.01 * float(np.linalg.norm(high - low)) or 1.0)) / _STEPS_PER_RADIUS


def _thinned(series: dict[str, Any], frames: list[int]) -> dict[str, Any]:
    """Curves at the frames that are kept."""
    return {name: {**plot, "curves": [{**curve, "values": [curve["values"][k] for k in frames]}
                                      for curve in plot["curves"]]} for name, plot in series.items()}


def _embedded(header: dict[str, Any], series: dict[str, Any], blocks: dict[str, bytes]) -> str:
    """All blocks one after the other, compressed, as text; the first says where the others begin."""
    places, kept = {}, dict[bytes, int]()
    offset = 0
    for name, block in blocks.items():
        if block not in kept:  # which balls there are is mostly the same in all frames
            kept[block] = offset
            offset += len(block)
        places[name] = kept[block]

    def first(begin: int) -> bytes:
        parts = {"header": header, "series": series, "places": {name: begin + at for name, at in places.items()}}
        return pack({"parts": np.frombuffer(as_json(parts), np.uint8)})

    # how long the first block is depends on the places in it: room enough, and the rest is filled up
    begin = len(first(0)) + 8 * (2 * len(places) + 1)
    lead = first(begin)
    content = b"".join([lead, bytes(begin - len(lead)), *kept])
    return base64.b64encode(zlib.compress(content, 6)).decode()


def write_html(stage: Stage, file: Path, every: int | None = None, colour: str | None = None,
               progress: Progress | None = None) -> Path:
    """Write the page with the run in it; the file is there whole or not at all."""
    with replacing(file) as part:
        part.write_text(html(stage, every, colour, progress), "utf-8")
    return file
