"""`granum campbell`: modes and critical speeds of a rotor over its spin."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Annotated, Any

import typer

from granum.cli.options import AsJson, FormulationName, SceneFile


def command(
    scene: SceneFile,
    over: Annotated[tuple[float, float], typer.Option(metavar="FIRST LAST", show_default=False,
                                                      help="Range of the spin [rad/s].")],
    spin: Annotated[str | None, typer.Option(metavar="BODY", show_default="the fastest body",
                                             help="Body whose angular velocity is the spin.")] = None,
    points: Annotated[int, typer.Option(help="Number of speeds.")] = 61,
    orders: Annotated[list[float] | None, typer.Option(
        "--order", metavar="N", show_default="1",
        help="Critical speeds at which a frequency is N times the spin; repeatable.")] = None,
    formulation: FormulationName = None,
    file: Annotated[Path | None, typer.Option("-o", metavar="FILE", show_default="none",
                                              help="Picture of the diagram: .png, .svg or .pdf.")] = None,
    as_json: AsJson = False,
) -> None:
    """Print modes and critical speeds of a rotor over its spin.

    The scene starts with the rotor spinning about its axis, at any speed. Frequencies are those in the inertial frame.
    """
    from granum.analytic.campbell import campbell
    from granum.io.scenefile import load_scene, naming

    loaded = load_scene(scene)
    with naming(scene):
        found = campbell(loaded, over, spin=spin, points=points, orders=orders or (1.0,), formulation=formulation)
    if file is not None:
        found.plot(file)
    critical: list[dict[str, Any]] = [{"speed": one.speed, "order": one.order, "whirl": one.whirl}
                                      for one in found.critical_speeds]
    if as_json:
        print(json.dumps({
            "rotor": found.rotor, "speeds": found.speeds.tolist(), "frequencies": found.frequencies.tolist(),
            "directions": list(found.directions), "modes": {"real": found.modes.real.tolist(),
                                                            "imaginary": found.modes.imag.tolist()},
            "stable": found.stable.tolist(), "critical_speeds": critical, "file": file and str(file)}))
        return
    first, last = f"at {found.speeds[0]:g} rad/s", f"at {found.speeds[-1]:g} rad/s"
    print(f"Angular frequencies [rad/s] over the spin of {found.rotor}\n")
    print(f"{'mode':>4} {first:>16} {last:>16}  whirl")
    for k, direction in enumerate(found.directions):
        print(f"{k:>4} {found.frequencies[0, k]:>16.9g} {found.frequencies[-1, k]:>16.9g}  {direction or 'none'}")
    unstable = found.speeds[~found.stable]
    print("\nNo mode grows at these speeds." if not len(unstable) else
          f"\nModes grow from {unstable[0]:g} rad/s on, at {len(unstable)} of {len(found.speeds)} speeds.")
    print(f"\n{'critical speed [rad/s]':>22} {'[rpm]':>12} {'order':>6}  whirl" if critical else
          "\nNo critical speed in this range.")
    for one in critical:
        speed, order = one["speed"], one["order"]
        print(f"{speed:>22.9g} {speed * 30.0 / math.pi:>12.6g} {order:>6g}  {one['whirl'] or 'none'}")
    if file is not None:
        print(f"\nWritten: {file}")
