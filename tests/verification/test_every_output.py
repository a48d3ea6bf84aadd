"""The product of runs and results: every solver, whichever way a run is made, gives all that a run offers.

Runs are made in memory, into a file, by steps, by a controller and in two parts; each is then summarised, shown, drawn,
exported and served as a page. What a kind of run cannot show is refused in words, and the same for each way.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import granum as gr
from granum.base.choices import EXPORTS, FORMULATIONS, GRAIN_SOLVERS, SOLVERS
from granum.run.progress import Moment
from granum.run.show import summary_lines
from granum.view.export import FOLDERS, SUFFIXES, export
from granum.view.page.server import Pages
from granum.view.plots.catalogue import plots_of
from granum.view.stage import Stage
from plotted import SCENES
from tests.fuzz.small_runs import (
    GRAVITY,
    SAND,
    bodies,
    chain,
    falling,
    formulas,
    grains,
    hinged,
    rolls_off,
    slides_off,
)

SHORT: dict[str, Any] = {"until": 0.02, "interval": 0.005}
FEW: dict[str, Any] = {"until": 4e-3, "interval": 1e-3, "step": 1e-4}


def applied(**run: Any) -> gr.Scene:
    """A rod on a hinge, with an actuator that applies forces to any body."""
    return hinged(**run).model_copy(update={"actuator": {"hand": gr.AppliedForces()}})


def merging(**run: Any) -> gr.Scene:
    """Grains at rest on one another, which become one body."""
    return gr.Scene(material={"sand": {**SAND, "restitution": 0.0}}, load=GRAVITY,
                    boundary={"floor": {"kind": "plane", "position": (0.0, 0.0), "normal": (0.0, 1.0)}},
                    pattern={"pile": {"kind": "grains", "radius": 0.01, "positions": (
                        (0.0, 0.01), (0.02, 0.01), (0.01, 0.0273205))}}, run={**run, "merge_clusters": True})


def one_sided(**run: Any) -> gr.Scene:
    """A bob on a rope that is slack at first."""
    return gr.Scene(
        body={"nail": {"kind": "fixed-point", "position": (0.0, 0.0)}, "bob": {"kind": "point-mass", "mass": 1.0}},
        link={"rope": {"between": ("nail", "bob"), "length": 0.5001, "one_sided": "pull", "restitution": 0.5}},
        start={"bob": {"position": (0.0, -0.5)}}, load=GRAVITY, run=run)


SUBJECTS: dict[str, Callable[[], gr.Scene]] = {
    **{solver: lambda solver=solver: chain(**SHORT, solver=solver, **(  # type: ignore[misc]
        {"step": 1e-3} if solver in ("rk4", "rattle", "mixed") else {})) for solver in SOLVERS},
    **{solver: lambda solver=solver: falling(**FEW, solver=solver) for solver in GRAIN_SOLVERS},  # type: ignore[misc]
    "lagrange": lambda: chain(**SHORT, formulation="lagrange"),
    "scalar": lambda: chain(**SHORT, formulation="scalar"),
    "newton-euler": lambda: hinged(**SHORT),
    "fundamental": lambda: hinged(**SHORT, formulation="fundamental"),
    "gibbs-appell": lambda: hinged(**SHORT, formulation="gibbs-appell"),
    "virtual-work": lambda: slides_off(**SHORT, formulation="virtual-work"),
    "system": lambda: formulas(**SHORT, formulation="fundamental"),
    "system with points": lambda: SCENES["formulas"]().with_run(**SHORT),
    "applied": lambda: applied(**SHORT), "one-sided": lambda: one_sided(**SHORT),
    "rolling disks": lambda: rolls_off(**SHORT), "rolling": lambda: SCENES["rolling"]().with_run(**SHORT),
    "section": lambda: SCENES["mechanism"]().with_run(**SHORT),
    "motor": lambda: SCENES["actuated"]().with_run(**SHORT),
    "inflow": lambda: grains(**FEW, solver="moreau"), "soft inflow": lambda: grains(**FEW, solver="soft"),
    "clumps": lambda: bodies(**FEW), "joined": lambda: SCENES["joined"]().with_run(**FEW),
    "bonded": lambda: SCENES["bonded"]().with_run(**FEW), "merging": lambda: merging(**FEW),
    "probes": lambda: SCENES["column"]().with_run(**FEW),
}
COORDINATES_ALONE = ("system", "virtual-work")
"""Subjects without bodies: nothing of them is seen, and they have no table of bodies."""
REPRESENTATIVES = (("dop853", "controlled"), ("newton-euler", "resumed"), ("system", "stepped"), ("moreau", "stepped"),
                   ("bonded", "resumed"))


def in_memory(scene: gr.Scene, folder: Path) -> gr.Run:
    return gr.simulate(scene, progress=False)


def in_a_file(scene: gr.Scene, folder: Path) -> gr.Run:
    return gr.simulate(scene, output=folder / "run.h5", progress=False)


def stepped(scene: gr.Scene, folder: Path) -> gr.Run:
    simulation = gr.Simulation(scene)
    while simulation.t < scene.run.until and not simulation.ended:
        simulation.step(0.4 * (scene.run.interval or 1.0))
    return simulation.finish()


def stepped_into_a_file(scene: gr.Scene, folder: Path) -> gr.Run:
    simulation = gr.Simulation(scene, output=folder / "run.h5")
    simulation.advance(0.6 * scene.run.until)
    simulation.finish()
    return gr.open_run(folder / "run.h5")


def controlled(scene: gr.Scene, folder: Path) -> gr.Run:
    def control(simulation: gr.Simulation) -> None:
        for name in pushed(scene) if simulation.scene.applied else ():
            simulation.apply(name, force=np.full(1 if scene.system.coordinates else scene.dimension, 1e-3))

    return gr.simulate(scene, control=control, every=0.4 * (scene.run.interval or 1.0), progress=False)


def pushed(scene: gr.Scene) -> list[str]:
    """One body, grain or coordinate that a force may act on; no grain among bodies of several parts."""
    moving = [name for name, body in scene.body.items() if not isinstance(body, gr.FixedPoint)]
    loose = [f"{name}-1" for name, pattern in scene.pattern.items()] if not scene.shape and not moving else []
    return [*scene.system.coordinates, *moving, *loose][:1]


def resumed(scene: gr.Scene, folder: Path) -> gr.Run:
    def stop(moment: Moment) -> None:
        if moment.t > 0.4 * scene.run.until:
            raise KeyboardInterrupt

    gr.simulate(scene, output=folder / "run.h5", progress=stop)
    return gr.simulate(scene, output=folder / "run.h5", resume=True, progress=False)


WAYS: dict[str, Callable[[gr.Scene, Path], gr.Run]] = {
    "in memory": in_memory, "in a file": in_a_file, "stepped": stepped, "stepped into a file": stepped_into_a_file,
    "controlled": controlled, "resumed": resumed}


def shown(run: gr.Run, folder: Path) -> None:
    """A summary in words and as JSON, as `granum run` prints it, and what Python and notebooks show."""
    summary = json.loads(json.dumps(run.summary))
    assert summary["frames"] == len(run.t)
    assert all(summary_lines({**run.summary, "seconds": 1.0, "compilation": 0.0}))
    assert repr(run).startswith("<") and "<table" in run._repr_html_()
    assert run.vital_signs
    assert len(run.energy.total) == len(run.t)
    run.events  # noqa: B018


def drawn(run: gr.Run, folder: Path) -> None:
    """All plots that it offers."""
    for name in plots_of(run):
        assert getattr(run.plot, name.replace("-", "_"))().axes


def saved(run: gr.Run, folder: Path) -> None:
    """All plots that it offers, as pictures."""
    for name in plots_of(run):
        getattr(run.plot, name.replace("-", "_"))().savefig(folder / f"{name}.png", dpi=20)


def paged(run: gr.Run, folder: Path) -> None:
    """All that the page in a browser asks for."""
    pages = Pages(lambda: Stage(run))
    last = len(run.t) - 1
    header = pages.answer("/header")
    assert header is not None
    asked = json.loads(header[1])
    for path in ("/", "/state", "/series", "/names", "/solids", f"/frame/{last}", f"/chains/{last}",
                 *(f"/values/{last}/{name}" for name in asked["quantities"]),
                 *(f"/trace/{name}" for name in (asked["path"],) if name != "none"),
                 *(f"/about/{last}/solid/{k}" for k in range(len(asked["solids"]))),
                 *(f"/about/{last}/line/{name}" for name in asked["links"][:1])):
        assert pages.answer(path) is not None, path


def framed(run: gr.Run, folder: Path) -> None:
    """As pandas and xarray have it."""
    assert len(run.to_pandas("energy")) == len(run.t)
    assert len(run.to_xarray().t) == len(run.t)


def exported(to: str) -> Callable[[gr.Run, Path], None]:
    def write(run: gr.Run, folder: Path) -> None:
        name = f"out-{to}" if to in FOLDERS else f"out.{SUFFIXES.get(to, to)}"
        assert export(run, to, folder / name).path.exists()

    return write


FILMS = ("mp4", "gif", "webp")
"""Exports that share the film."""
OUTPUTS: dict[str, Callable[[gr.Run, Path], None]] = {
    "shown": shown, "drawn": drawn, "page": paged, "frames": framed,
    **{to: exported(to) for to in EXPORTS if to not in FILMS}}
PICTURES = {"saved": saved, "mp4": exported("mp4")}
"""What takes long and is made of what the other outputs have computed: tried once for each subject."""
SEEN = {"page", "html", "png", "mp4"}
"""Outputs that need bodies to look at."""
POSED = {"moreau", "clumps", "bonded", "probes", "inflow"}
"""Subjects whose steps solve a problem of contacts alone."""
NO_PROBLEM = ("This run has no grains", "does not solve a problem of rigid contacts", "merges clusters", "has joints")
"""What the others say of it."""


def test_every_choice_is_tried() -> None:
    assert {*SOLVERS, *GRAIN_SOLVERS, *FORMULATIONS} <= set(SUBJECTS)


def all_outputs(subject: str, way: str, folder: Path) -> None:
    run = WAYS[way](SUBJECTS[subject](), folder)
    refused = set()
    outputs = OUTPUTS | PICTURES if way == "in memory" else OUTPUTS
    for name, give in outputs.items():
        try:
            give(run, folder)
        except gr.GranumError as error:
            refused.add(name)
            reasons = NO_PROBLEM if name == "fclib" else ("has only coordinates",)
            assert any(reason in str(error) for reason in reasons), f"{name}: {error}"
    unseen = SEEN & set(outputs) if subject in COORDINATES_ALONE else set()
    assert refused == unseen | (set() if subject in POSED else {"fclib"})


@pytest.mark.parametrize(("subject", "way"), REPRESENTATIVES)
def test_a_run_gives_all_outputs(subject: str, way: str, tmp_path: Path) -> None:
    all_outputs(subject, way, tmp_path)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("subject", SUBJECTS)
def test_every_run_gives_all_outputs(subject: str, way: str, tmp_path: Path) -> None:
    all_outputs(subject, way, tmp_path)
