"""Draw the films of the gallery and a still of each: python docs/draw_films.py [--runs FOLDER] [NAME...]

The large scenes run for minutes. With --runs, runs are kept in a folder, and those that are there are not run again.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from draw_gallery import PICTURES, save_thumbnail
from PIL import Image

import granum as gr
from granum.io.examples import LARGE
from granum.view.films import film, still

FILMS: dict[str, dict[str, Any]] = {
    "segregation": {"colour": "kind", "start": 0.4, "until": 4.8, "seconds": 5.5, "rate": 20, "size": (480, 420)},
    "silo-forces": {"colour": "none", "forces": True, "start": 0.55, "seconds": 5.0, "rate": 16, "size": (320, 480)},
    "collapse": {"start": 0.42, "seconds": 4.0, "rate": 20, "size": (480, 330)},
    "slider-crank": {"colour": "none", "forces": True, "until": 1.2, "seconds": 5.0, "rate": 25, "size": (480, 250)},
    "rolling-shell": {"colour": "none", "until": 12.5, "seconds": 6.0, "rate": 20, "size": (480, 330),
                      "traces": ["shell"]},
    "pipe-jam": {"forces": True, "seconds": 6.0, "rate": 20, "size": (480, 200)},
}
"""What is seen of each scene."""
STILLS = {"segregation": 4.8, "silo-forces": 1.1, "collapse": 0.65, "slider-crank": 0.7, "rolling-shell": 12.5}
"""Times of the stills [s]; left out, the end."""


def run(name: str, folder: Path) -> gr.Run:
    """A run of an example, read from the folder where it is there."""
    file = folder / f"{name}.h5"
    return gr.open_run(file) if file.exists() else gr.simulate(gr.example(name), output=file)


def draw(name: str, made: gr.Run) -> None:
    """The film, a still twice as large, and a thumbnail of a large scene."""
    look = FILMS[name]
    film(made, PICTURES / f"film-{name}.webp", **look)
    seen = {key: look[key] for key in ("colour", "forces", "traces") if key in look}
    width, height = look["size"]
    shown = np.flatnonzero((made.t >= look.get("start", 0.0)) & (made.t <= look.get("until", made.t[-1])))
    frame = int(np.abs(made.t - STILLS.get(name, made.t[-1])).argmin())
    file = still(made, PICTURES / f"film-{name}.png", frame=frame, size=(2 * width, 2 * height),
                 fitting=shown[:: max(1, len(shown) // 12)].tolist(), **seen)
    picture = Image.open(file).convert("RGB")
    picture.save(file, optimize=True)
    if name in LARGE:
        save_thumbnail(picture.crop((0, 60, *picture.size)), PICTURES / f"small-{name}.png")


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("names", nargs="*", metavar="NAME")
    asked.add_argument("--runs", type=Path)
    options = asked.parse_args()
    with TemporaryDirectory() as passing:
        for name in options.names or FILMS:
            draw(name, run(name, options.runs or Path(passing)))
