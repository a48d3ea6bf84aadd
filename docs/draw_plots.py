"""Draw the pictures of the page on plots: python docs/draw_plots.py"""

from __future__ import annotations

from pathlib import Path

import granum as gr

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "docs" / "pictures"
SHOWN = {"surface": "rolling-shell", "reactions": "slider-crank", "flow": "hopper", "force-distribution": "gate",
         "stress": "gate"}
"""Plots by name, and the examples they are drawn of."""

if __name__ == "__main__":
    for what, example in SHOWN.items():
        run = gr.simulate(gr.load(ROOT / "examples" / f"{example}.toml"))
        drawn = getattr(run.plot, what.replace("-", "_"))()
        drawn.savefig(PICTURES / f"plot-{what}.png", dpi=72)
