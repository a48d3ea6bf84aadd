"""Compile every kernel once, so that no user waits for it: `python -m granum.run.warm`.

It runs the beginning of every example but the large ones, which need no other kernels, and small scenes for the solvers
and formulations that no example uses.
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from granum.base.choices import GRAIN_SOLVERS, SOLVERS
from granum.io.examples import example, example_scenes
from granum.model.scene import Scene
from granum.run.check import check
from granum.run.simulate import simulate


def _scenes() -> list[Scene]:
    """Small scenes that between them pass through every kernel: a chain and a braced net, in plane and space."""
    scenes = []
    for zero in ((), (0.0,)):
        gravity = {"kind": "gravity", "acceleration": (0.0, -9.81, *zero)}
        chain = {"kind": "chain", "from": "pivot", "count": 3, "length": 1.0, "mass": 1.0,
                 "direction": (1.0, -1.0, *zero)}
        scenes.append(Scene(body={"pivot": {"kind": "fixed-point", "position": (0.0, 0.0, *zero)}},
                            pattern={"chain": chain}, load={"gravity": gravity}))
        net = {"kind": "net", "rows": 3, "columns": 3, "spacing": 1.0, "mass": 1.0, "position": (0.0, 0.0, *zero),
               "across": (1.0, 0.0, *zero), "down": (0.0, -1.0, *zero), "fixed": "first-row"}
        spring = {"kind": "spring", "between": ("net-1-1", "net-3-3"), "stiffness": 1.0, "damping": 1.0}
        scenes.append(Scene(pattern={"net": net}, load={"gravity": gravity, "spring": spring}))
    return scenes


def links() -> None:
    """Point masses and links: each scene for an instant with every solver, formulation and correction it takes."""
    for scene in _scenes():
        check(scene)
        for solver in SOLVERS:
            corrections = () if solver == "rattle" else ("position", "velocity", "energy")
            simulate(scene, until=2e-3, interval=1e-3, solver=solver, corrections=corrections)
        simulate(scene, until=2e-3, solver="mixed", inner_solver="gauss-seidel", tolerance=1e-6, adapt_step=True)
    for scene in _scenes()[:2]:
        for solver in ("rk4", "dop853", "radau", "adams"):
            simulate(scene, until=2e-3, interval=1e-3, solver=solver, formulation="lagrange")
    for scene in _scenes():
        for solver in ("rk4", "dop853", "radau", "adams"):
            simulate(scene, until=2e-3, interval=1e-3, solver=solver, formulation="scalar")


def formulas() -> None:
    """Systems of formulas, and rigid bodies with joints."""
    for zero in ((), (0.0,)):
        simulate(_hinged(zero), until=2e-3, interval=1e-3)
    for formulation in ("fundamental", "gibbs-appell", "virtual-work"):
        simulate(_rolling(), until=2e-3, interval=1e-3, formulation=formulation).minimum_friction("roll")
    simulate(_rolling(), until=2e-3, interval=1e-3, formulation="fundamental", solver="radau")


def grains(solver: str) -> None:
    """Grains by one solver."""
    simulate(_grains(), until=2e-2, interval=1e-2, solver=solver)


def bodies() -> None:
    """Bodies and joints among grains."""
    simulate(_hinged(()), until=2e-3, interval=1e-3, solver="moreau")


def examples(names: tuple[str, ...]) -> None:
    """What `granum check` says of examples, and their first frames."""
    for name in names:
        scene = example(name)
        check(scene)
        interval = scene.run.frame_interval
        simulate(scene, until=min(2.0 * interval, scene.run.until), interval=interval)


def warm() -> None:
    """All of them, in two processes with few kernels in common, so that neither compiles what the other one does."""
    by_engine = {name: example(name).has_grains for name in example_scenes(large=False)}
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        parts = [pool.submit(_grains_of, tuple(name for name, grains in by_engine.items() if grains)),
                 pool.submit(_others_of, tuple(name for name, grains in by_engine.items() if not grains))]
        for part in parts:
            part.result()


def _grains_of(names: tuple[str, ...]) -> None:
    examples(names)
    for solver in GRAIN_SOLVERS:
        grains(solver)
    bodies()


def _others_of(names: tuple[str, ...]) -> None:
    examples(names)
    formulas()
    links()


def _rolling() -> Scene:
    """A ball on a slope: constraints, corrections and events of systems of formulas."""
    return Scene(
        surface={"slope": {"equation": "Z - X/4"}}, body={"ball": {"kind": "sphere", "radius": 0.1, "mass": 1.0}},
        constraint={"roll": {"kind": "rolling", "body": "ball", "on": "slope"}},
        load={"gravity": {"kind": "gravity", "acceleration": (0.0, 0.0, -9.81)}},
        start={"ball": {"contact": (0.0, 0.0), "velocity": (0.0, 0.0)}})


def _hinged(zero: tuple[float, ...]) -> Scene:
    """A hanging rod: rows, elimination and corrections of joints."""
    return Scene(
        body={"pivot": {"kind": "fixed-point", "position": (0.0, 0.0, *zero)},
              "rod": {"kind": "rod", "length": 1.0, "radius": 0.1, "mass": 1.0}},
        constraint={"hinge": {"kind": "hinge", "between": ("pivot", "rod.tail"), "axis": (0.0, 0.0, 1.0)}},
        load={"gravity": {"kind": "gravity", "acceleration": (0.0, -9.81, *zero)}})


def _grains() -> Scene:
    """A few disks that fall on a floor."""
    return Scene(
        material={"glass": {"friction": 0.3, "restitution": 0.5, "density": 2500.0}},
        boundary={"floor": {"kind": "plane", "position": (0.0, 0.0), "normal": (0.0, 1.0)}},
        pattern={"few": {"kind": "grains", "radius": 0.01, "positions": ((0.0, 0.01), (0.005, 0.0305),
                                                                         (0.04, 0.0105))}},
        load={"gravity": {"kind": "gravity", "acceleration": (0.0, -9.81)}})


if __name__ == "__main__":
    warm()
