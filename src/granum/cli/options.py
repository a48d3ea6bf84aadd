"""Arguments and options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from granum.base.choices import FORMULATIONS, one_of

SceneFile = Annotated[Path, typer.Argument(metavar="SCENE.toml", help="Scene file.", show_default=False)]
RunFile = Annotated[Path, typer.Argument(metavar="RUN.h5", help="Run file.", show_default=False)]
RunOrStudyFile = Annotated[Path, typer.Argument(metavar="FILE.h5", help="Run file or study table.",
                                                show_default=False)]
FormulationName = Annotated[str | None, typer.Option("--formulation", help=f"Formulation: {one_of(FORMULATIONS)}.",
                                                     show_default="from the scene")]
CoordinateNames = Annotated[str | None, typer.Option(
    "--coordinates", metavar="NAMES", show_default="from the scene",
    help="Coordinates of the equations, with commas, as in cart.x,arm.angle.")]
QuasiVelocities = Annotated[list[str] | None, typer.Option(
    "--quasi", metavar="NAME=FORMULA", show_default="from the scene",
    help='Quasi-velocity of gibbs-appell, as in "w=arm.wz-cart.wz"; repeatable.')]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace an existing file.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
