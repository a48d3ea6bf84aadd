"""Small runs of every family, for tests of what is exported of them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import granum as gr
from grain_scenes import G, gravity

EXAMPLES = Path(__file__).parents[1] / "examples"
SAND = {"friction": 0.4, "restitution": 0.3, "density": 2500.0}


@cache
def stream(dimension: int) -> gr.Run:
    """Grains that fall from a source through a sink, over an obstacle and past a flow probe: they come and go."""
    across, down = ([0.0], [0.0, -G]) if dimension == 2 else ([0.0, 0.0], [0.0, 0.0, -G])
    wide, beside = [0.1 for _ in across], [0.02 for _ in across]  # beside the top, so that they roll off
    return gr.simulate(gr.Scene(
        title="Stream", material={"sand": SAND}, load={"gravity": gravity(*down)},
        boundary={"post": {"kind": "disk" if dimension == 2 else "sphere", "centre": [*across, -0.06], "radius": 0.05}},
        pattern={"bed": {"kind": "grains", "radius": 0.01, "positions": [[*wide, 0.15], [*beside, 0.0],
                                                                         [*beside, 0.021]]}},
        source={"tap": {"radius": [0.008, 0.012], "interval": 0.05, "count": 4, "until": 0.15,
                        "region": {"kind": "box", "lower": [-w for w in wide] + [0.05], "upper": [*wide, 0.1]}}},
        sink={"end": {"region": {"kind": "half-space", "position": [*across, -0.1], "normal": [*across, -1.0]}}},
        probe={"gone": {"kind": "flow", "position": [*across, 0.0], "normal": [*across, -1.0]}},
        run={"until": 0.4, "interval": 0.02}), scene_text="# stream")


@cache
def clumps() -> gr.Run:
    """Bodies of two disks each, and the floor that shakes under them."""
    floor = {"kind": "plane", "position": [0.0, 0.0], "normal": [0.0, 1.0],
             "motion": {"amplitude": [0.0, 0.004], "frequency": 5.0}}
    return gr.simulate(gr.Scene(
        material={"sand": SAND}, boundary={"floor": floor}, load={"gravity": gravity(0.0, -G)},
        shape={"bean": {"disks": [{"centre": [0.0, 0.0], "radius": 1.0}, {"centre": [1.2, 0.0], "radius": 0.8}]}},
        pattern={"beans": {"kind": "grains", "shape": "bean", "radius": 0.02, "positions": [[0.0, 0.06], [0.1, 0.08]]}},
        run={"until": 0.2, "interval": 0.02}))


@cache
def mechanism() -> gr.Run:
    """The slider-crank."""
    return gr.simulate(gr.load(EXAMPLES / "slider-crank.toml"), until=0.05, interval=0.01)


@cache
def formulas() -> gr.Run:
    """A pendulum in one coordinate, with a point to see it by."""
    return gr.simulate(gr.Scene(
        system={"coordinates": ["q"], "kinetic": "q_dot**2/2", "potential": "-cos(q)",
                "start": {"q": 1.0, "q_dot": 0.0}, "points": {"hook": ("0", "0"), "bob": ("sin(q)", "-cos(q)")},
                "lines": [("hook", "bob")]},
        run={"formulation": "fundamental", "until": 1.0, "interval": 0.25}))
