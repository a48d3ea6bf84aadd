"""`granum linearize`: the modes of small motions of a scene about its start."""

from __future__ import annotations

import json
import math
from typing import Any

from granum.cli.options import AsJson, FormulationName, SceneFile


def command(
    scene: SceneFile,
    formulation: FormulationName = None,
    as_json: AsJson = False,
) -> None:
    """Print the modes of small motions about an equilibrium.

    The modes have the form e^(st). The initial state of the scene must be an equilibrium or a steady motion.
    """
    from granum.analytic.derive import linearize
    from granum.io.scenefile import load_scene, naming

    loaded = load_scene(scene)
    with naming(scene):
        linear = linearize(loaded, formulation=formulation)
    rows = [_row(complex(s)) for s in linear.modes]
    if as_json:
        print(json.dumps({"coordinates": list(linear.coordinates), "frequencies": linear.frequencies.tolist(),
                          "modes": rows, "matrix": linear.matrix.tolist()}))
        return
    print(f"{'Re s [1/s]':>16} {'Im s [1/s]':>16} {'frequency [Hz]':>16} {'damping ratio':>16}")
    for row in rows:
        print(" ".join(f"{'-' if value is None else f'{value:.9g}':>16}" for value in row.values()))


def _row(s: complex) -> dict[str, Any]:
    """An eigenvalue, |Im s|/2π, and the damping ratio -Re s/|s|; the last two where it oscillates."""
    oscillates = s.imag != 0.0
    return {"real": s.real, "imaginary": s.imag, "frequency": abs(s.imag) / math.tau if oscillates else None,
            "damping_ratio": -s.real / abs(s) if oscillates else None}
