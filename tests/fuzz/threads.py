"""Beds above the size from which several threads are used: bit-identical on any number of them."""

from __future__ import annotations

import hashlib
import random
from typing import Any

import numpy as np

import granum as gr
from granum.base.kernel_cache import config
from granum.contact.contact_solver import PARALLEL_GRAINS
from tests.fuzz.campaign import SEED, Campaign, Finding


def bed(number: int) -> gr.Scene:
    """Grains in a shaken box, of random number, size, friction and shape of the box."""
    rng = random.Random(f"{SEED} threads {number}")
    d, count = rng.choice([2, 3]), PARALLEL_GRAINS + rng.randrange(2000)
    radius = 0.01
    width = 1.6 * 2.0 * radius * (count ** (1 / d)) * rng.uniform(1.0, 2.0)
    upper = [width, *[1.6**d * (2.0 * radius) ** d * count / width if d == 2 else
                      (1.6**d * (2.0 * radius) ** d * count / width) ** 0.5] * (d - 1)]
    walls: dict[str, Any] = {"kind": "box", "lower": [0.0] * d, "upper": upper, "motion": {
        "amplitude": [0.1 * radius] + [0.0] * (d - 1), "frequency": rng.uniform(5.0, 50.0)}}
    inside = {"kind": "box", "lower": [radius] * d, "upper": [c - radius for c in upper]}
    material = {"friction": rng.uniform(0.0, 1.0), "restitution": rng.uniform(0.0, 0.9), "density": 2500.0,
                "rolling_friction": rng.choice([0.0, 0.05]), "stiffness": 1e5}
    return gr.Scene(
        material={"sand": material}, boundary={"box": walls},
        pattern={"sand": {"kind": "grains", "count": count, "radius": [0.8 * radius, radius],
                          "arrangement": "lattice", "region": inside}},
        load={"gravity": {"kind": "gravity", "acceleration": [0.3] + [0.0] * (d - 2) + [-9.81]}},
        run={"until": 0.05, "interval": 0.01, "solver": rng.choice(["moreau", "soft"]), "seed": number})


def digest(run: gr.Run) -> str:
    """A hash of all bits of all frames."""
    parts = hashlib.blake2b()
    for frame in range(len(run.t)):
        for array in run.frame(frame):
            parts.update(b"" if array is None else np.ascontiguousarray(array).tobytes())
    return parts.hexdigest()


def attack(number: int) -> str:
    """The same bed on one thread, on two, and on all."""
    scene = bed(number)
    most = config.NUMBA_NUM_THREADS
    hashes = {digest(gr.simulate(scene, threads=count, progress=False)) for count in {1, 2, most}}
    if len(hashes) > 1:
        raise Finding("bits depend on the number of threads")
    return f"{scene.run.solver} in {scene.dimension}-D"


THREADS = Campaign("threads", attack, 24, least=1, patience=600.0)
