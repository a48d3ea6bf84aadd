"""`granum linearize`: the small motions of a scene about its start or an equilibrium."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from granum.base.errors import GranumError
from granum.cli.options import AsJson, CoordinateNames, FormulationName, SceneFile

if TYPE_CHECKING:
    from granum.analytic.state_space import Linearization


def command(
    scene: SceneFile,
    formulation: FormulationName = None,
    coordinates: CoordinateNames = None,
    at: Annotated[str, typer.Option(help="State to linearise about: start or equilibrium.")] = "start",
    inputs: Annotated[list[str] | None, typer.Option(
        "--input", metavar="NAME", show_default="all actuators",
        help="Input: an actuator or a parameter; repeatable.")] = None,
    outputs: Annotated[list[str] | None, typer.Option(
        "--output", metavar="NAME", show_default="all coordinates",
        help="Output: a coordinate, a rate, HINGE.angle, BODY.vx or a formula; repeatable.")] = None,
    matrices: Annotated[bool, typer.Option("--matrices", help="Print M, C, K and the state space too.")] = False,
    mode: Annotated[int | None, typer.Option(help="Write a run that shows this mode, by its number.",
                                             show_default=False)] = None,
    amplitude: Annotated[float | None, typer.Option(
        help="Amplitude of the largest component of the mode.", show_default="a tenth of the size")] = None,
    file: Annotated[Path | None, typer.Option("-o", metavar="RUN.h5", show_default="SCENE-mode-N.h5",
                                              help="Run file of the mode.")] = None,
    as_json: AsJson = False,
) -> None:
    """Print the modes of small motions about an equilibrium.

    The modes have the form e^(st). The initial state of the scene must be an equilibrium or a steady motion; with
    --at equilibrium the stable one downhill from it is found first.
    """
    from granum.analytic.derive import linearize
    from granum.io.scenefile import load_scene, naming

    if at not in ("start", "equilibrium"):
        raise GranumError(f'--at {at} is not a state. Use "start" or "equilibrium".')
    loaded = load_scene(scene)
    with naming(scene):
        linear = linearize(loaded.with_run(coordinates=coordinates), formulation=formulation, at=at,
                           inputs=inputs or None, outputs=outputs or None)
    written = None
    if mode is not None:
        written = file or Path(f"{scene.stem}-mode-{mode}.h5")
        linear.mode_run(mode, amplitude, output=written)
    if as_json:
        print(json.dumps({**_as_json(linear), "file": written and str(written)}))
        return
    _print_modes(linear)
    if matrices:
        _print_matrices(linear)
    if written is not None:
        print(f"Written: {written}. Look at it with granum view {written}")


def _print_modes(linear: Linearization) -> None:
    print(f"{'mode':>4} {'Re s [1/s]':>16} {'Im s [1/s]':>16} {'frequency [Hz]':>16} {'damping ratio':>16}")
    for k, s in enumerate(linear.modes):
        print(f"{k:>4}", *(f"{'-' if value is None else f'{value:.9g}':>16}" for value in _row(complex(s)).values()))


def _print_matrices(linear: Linearization) -> None:
    """All matrices with the names of their rows."""
    rates = [f"{name}_dot" for name in linear.rates]
    for title, rows, columns, table in (
            ("M", rates, rates, linear.mass), ("C", rates, rates, linear.damping),
            ("K", rates, linear.positions, linear.stiffness), ("A", linear.states, linear.states, linear.A),
            ("B", linear.states, linear.inputs, linear.B), ("C (outputs)", linear.outputs, linear.states, linear.C),
            ("D", linear.outputs, linear.inputs, linear.D)):
        if not table.size:
            continue
        wide = max(map(len, rows))
        print(f"\n{title}\n{'':{wide}} " + " ".join(f"{name:>16}" for name in columns))
        for name, row in zip(rows, table, strict=True):
            print(f"{name:{wide}} " + " ".join(f"{value:>16.9g}" for value in row))


def _as_json(linear: Linearization) -> dict[str, Any]:
    return {"coordinates": list(linear.coordinates), "frequencies": linear.frequencies.tolist(),
            "modes": [_row(complex(s)) for s in linear.modes],
            "shapes": {"real": linear.shapes.real.tolist(), "imaginary": linear.shapes.imag.tolist()},
            "matrix": linear.matrix.tolist(), "states": list(linear.states), "inputs": list(linear.inputs),
            "outputs": list(linear.outputs), "mass": linear.mass.tolist(), "damping": linear.damping.tolist(),
            "stiffness": linear.stiffness.tolist(), "A": linear.A.tolist(), "B": linear.B.tolist(),
            "C": linear.C.tolist(), "D": linear.D.tolist()}


def _row(s: complex) -> dict[str, Any]:
    """An eigenvalue, |Im s|/2π, and the damping ratio -Re s/|s|; the last two where it oscillates."""
    oscillates = s.imag != 0.0
    return {"real": s.real, "imaginary": s.imag, "frequency": abs(s.imag) / math.tau if oscillates else None,
            "damping_ratio": 0.0 - s.real / abs(s) if oscillates else None}
