"""Draw the films of the gallery with stills: python docs/draw_films.py [--runs FOLDER] [--only-numbers] [NAME...]

The large scenes run for minutes; the numbers of docs/gallery-large.md are printed for them. With --runs, runs are kept
in a folder, and those that are there are not run again.
"""

from __future__ import annotations

import argparse
import runpy
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from draw_gallery import PICTURES, ROOT, save_thumbnail
from PIL import Image

import granum as gr
from granum.io.examples import LARGE
from granum.view.films import film, still

FILMS: dict[str, dict[str, Any]] = {
    "segregation": {"colour": "kind", "start": 0.4, "until": 4.8, "seconds": 5.5, "rate": 16, "size": (440, 400)},
    "silo-forces": {"colour": "none", "forces": True, "start": 0.55, "seconds": 5.0, "rate": 16, "size": (320, 480)},
    "collapse": {"start": 0.42, "seconds": 4.0, "rate": 20, "size": (480, 330)},
    "slider-crank": {"colour": "none", "forces": True, "until": 1.2, "seconds": 5.0, "rate": 25, "size": (480, 250)},
    "rolling-shell": {"colour": "none", "until": 12.5, "seconds": 6.0, "rate": 20, "size": (480, 330),
                      "traces": ["shell"]},
    "pipe-jam": {"forces": True, "seconds": 6.0, "rate": 20, "size": (480, 200)},
    "cart-pole": {"colour": "none", "until": 4.5, "seconds": 4.5, "rate": 25, "size": (560, 270), "traces": ["pole"]},
    "flow-control": {"seconds": 5.2, "rate": 20, "size": (320, 480)},
    "digging-blade": {"seconds": 6.0, "rate": 20, "size": (640, 220)},
}
"""What is seen of each scene."""
STILLS = {"segregation": 4.8, "silo-forces": 1.1, "collapse": 0.65, "slider-crank": 0.7, "rolling-shell": 12.5,
          "cart-pole": 2.0, "flow-control": 1.2, "digging-blade": 1.0}
"""Times of the stills [s]; left out, the end."""


def run(name: str, folder: Path) -> gr.Run:
    """A run of an example, read from the folder where it is there."""
    file, script = folder / f"{name}.h5", ROOT / "examples" / f"{name}.py"
    if file.exists():
        return gr.open_run(file)
    made: gr.Run = runpy.run_path(str(script))["simulate"](file) if script.exists() else gr.simulate(
        gr.example(name), output=file)
    return made


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


def segregation(made: gr.Run) -> str:
    """How much nearer small spheres are to the middle of the bed than large ones, settled and at the end."""
    found = []
    for t in (0.4, 4.8):
        frame = int(np.abs(made.t - t).argmin())
        at, radius, group = (made.recorded(name, frame) for name in ("position", "radius", "group"))
        middle = np.average(at, axis=0, weights=radius.astype(float) ** 3)
        distance = np.hypot(*(at - middle)[:, [0, 2]].T)
        large, small = (distance[group == list(made.groups).index(name)].mean() for name in ("large", "small"))
        found.append(f"{1.0 - small / large:.3f} at {made.t[frame]:.1f} s")
    return "segregation index 1 - d_small/d_large: " + ", ".join(found)


def discharge(made: gr.Run) -> str:
    """Steady rate, beside C rho_b sqrt(g) (D - k d)^(5/2) with C = 0.58 and k = 1.4 (Beverloo et al. 1961)."""
    t, opening, d, low = np.asarray(made.t), 0.056, 0.008, -0.02
    frames = np.flatnonzero(t >= 0.95)
    out = [int((made.recorded("position", k)[:, 2] < low).sum()) - int(made.counts[k]) for k in frames]
    volume = 4.0 / 3.0 * np.pi * made.recorded("radius", 0).astype(float) ** 3
    rate = float(np.polyfit(t[frames], out, 1)[0]) * 2500.0 * float(volume.mean())
    filled = int(np.abs(t - 0.69).argmin())
    z, radius = made.recorded("position", filled)[:, 2], made.recorded("radius", filled).astype(float)
    inside = (z > 0.1) & (z < 0.3)
    bulk = 2500.0 * float((4.0 / 3.0 * np.pi * radius[inside] ** 3).sum()) / (np.pi * 0.07**2 * 0.2)
    law = 0.58 * bulk * np.sqrt(9.81) * (opening - 1.4 * d) ** 2.5
    return f"discharge {rate:.3f} kg/s, Beverloo {law:.3f} kg/s (bulk density {bulk:.0f} kg/m3)"


def run_out(made: gr.Run) -> str:
    """Radius up to which grains cover half of the floor, and height, beside Lube et al. (2004) for h/a > 1.7."""
    a, before, end = 0.08, int(np.abs(made.t - 0.44).argmin()), len(made.t) - 1
    h = float(np.percentile(made.recorded("position", before)[:, 2] + made.recorded("radius", before), 99.0))
    at, radius = made.recorded("position", end), made.recorded("radius", end).astype(float)
    rings = np.arange(0.0, 0.6, 0.01)
    covered, _ = np.histogram(np.hypot(at[:, 0], at[:, 1]), rings, weights=np.pi * radius**2)
    front = float(rings[1:][covered >= 0.5 * np.pi * np.diff(rings**2)].max())
    top, ratio = float((at[:, 2] + radius).max()), h / a
    return (f"h/a = {ratio:.2f}: run-out {front:.2f} m, Lube {a * (1.0 + 1.6 * np.sqrt(ratio)):.3f} m; "
            f"height {top:.3f} m, Lube {0.88 * a * ratio ** (1.0 / 6.0):.3f} m")


NUMBERS: dict[str, Callable[[gr.Run], str]] = {
    "segregation": segregation, "silo-forces": discharge, "collapse": run_out}


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("names", nargs="*", metavar="NAME")
    asked.add_argument("--runs", type=Path)
    asked.add_argument("--only-numbers", action="store_true")
    options = asked.parse_args()
    with TemporaryDirectory() as passing:
        for name in options.names or FILMS:
            made = run(name, options.runs or Path(passing))
            if name in NUMBERS:
                print(f"{name}: {NUMBERS[name](made)}")
            if not options.only_numbers:
                draw(name, made)
