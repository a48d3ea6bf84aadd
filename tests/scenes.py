"""Scenes that several tests use, each a function of its size; run settings are left to the test."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import granum as gr

G = 9.81
"""Acceleration of free fall [m/s²]."""
DOWN = {"gravity": gr.Gravity(acceleration=(0.0, -G))}
DOWN_3D = {"gravity": gr.Gravity(acceleration=(0.0, 0.0, -G))}
PIVOT = {"pivot": gr.FixedPoint(position=(0.0, 0.0))}


def pendulum(count: int = 10, total: float = 3.0, angle: float = np.radians(30.0)) -> gr.Scene:
    """`count` masses of 1 kg on links of total/count, at one angle from the vertical, at rest (Sun 1996, §6.2)."""
    chain = gr.Chain(from_="pivot", bodies="bob", links="rod", count=count, length=total / count,
                     angles=angle - np.pi / 2, mass=1.0)
    return gr.Scene(title=f"Pendulum of {count}", body=PIVOT, pattern={"chain": chain}, load=DOWN)


def spinning_ring(count: int = 6, spin: float = 2.0) -> gr.Scene:
    """A free ring of radius 0.5 m and masses of 0.2 kg that turns in its plane."""
    ring = gr.Ring(count=count, radius=0.5, centre=(1.0, 2.0), angular_velocity=spin, mass=0.2)
    return gr.Scene(title="Spinning ring", pattern={"ring": ring})


def hanging_ring(count: int = 5) -> gr.Scene:
    """A ring that hangs on the pivot by one link and swings: a loop that deforms."""
    ring = gr.Ring(count=count, radius=0.5, centre=(1.0, -0.2), mass=0.4)
    link = gr.Link(between=("pivot", "ring-1"))
    return gr.Scene(title="Hanging ring", body=PIVOT, pattern={"ring": ring}, link={"hook": link}, load=DOWN)


def tree(depth: int = 4) -> gr.Scene:
    """A planar tree that hangs on the pivot, let go sideways."""
    grown = gr.Tree(from_="pivot", depth=depth, branching=2, length=0.4, direction=(1.0, -0.5), spread=1.0,
                    mass=0.3)
    return gr.Scene(title="Tree", body=PIVOT, pattern={"tree": grown}, load=DOWN)


def net(rows: int = 4, columns: int = 4) -> gr.Scene:
    """A net in space, its first row fixed, let go horizontally: loops that bend."""
    grid = gr.Net(rows=rows, columns=columns, spacing=0.25, position=(0.0, 0.0, 0.0), across=(1.0, 0.0, 0.0),
                  down=(0.0, 1.0, 0.0), fixed="first-row", mass=0.1)
    push = gr.Force(on=f"net-{rows}-1", force=(0.1, 0.05, 0.0))
    return gr.Scene(title="Net", pattern={"net": grid}, load={**DOWN_3D, "push": push})


def truss(velocity: tuple[float, float] = (1.0, 3.0), spin: float = 2.0, pinned: bool = False) -> gr.Scene:
    """A hexagon with a centre (Sun 1996, fig. 2.2b): 7 bodies and 12 links, one more than it takes to be rigid.

    Free, it starts as the rigid body it is; pinned, its first corner is a fixed point and it starts at rest.
    """
    corners = [np.array([np.cos(a), np.sin(a)]) for a in np.arange(6) * np.pi / 3]
    points = {"centre": np.zeros(2)} | {f"corner-{k + 1}": corner for k, corner in enumerate(corners)}
    spokes = {f"spoke-{k}": gr.Link(between=("centre", f"corner-{k}")) for k in range(1, 7)}
    sides = {f"side-{k}": gr.Link(between=(f"corner-{k}", f"corner-{k % 6 + 1}")) for k in range(1, 7)}
    body: dict[str, gr.PointMass | gr.FixedPoint] = {name: gr.PointMass(mass=0.5) for name in points}
    move = np.zeros(2) if pinned else np.array(velocity)
    turn = 0.0 if pinned else spin
    start = {
        name: gr.Start(position=tuple(p), velocity=tuple(move + turn * np.array([-p[1], p[0]])))
        for name, p in points.items()
    }
    if pinned:
        body["corner-1"] = gr.FixedPoint(position=start.pop("corner-1").position)
    return gr.Scene(title="Truss", body=body, link=spokes | sides, load=DOWN, start=start)


def components() -> gr.Scene:
    """A chain that hangs, a ring that flies, and a single mass that falls, all in one scene."""
    hanging, flying = pendulum(3), spinning_ring(4)
    return gr.Scene(
        title="Several components", body=PIVOT | {"stone": gr.PointMass(mass=2.0)},
        pattern={**hanging.pattern, **flying.pattern}, load=DOWN,
        start={"stone": gr.Start(position=(-1.0, 1.0), velocity=(1.0, 2.0))},
    )


def sprung(damping: float = 0.3) -> gr.Scene:
    """A pendulum of four whose end is held by springs with dampers, to the ground and to another mass."""
    hanging = pendulum(4, total=2.0)
    springs = {
        "to-wall": gr.Spring(between=("wall", "bob-4"), stiffness=20.0, damping=damping),
        "across": gr.Spring(between=("bob-1", "bob-4"), stiffness=15.0, rest_length=0.8, damping=damping),
    }
    return gr.Scene(title="Springs", body=PIVOT | {"wall": gr.FixedPoint(position=(2.0, -1.0))},
                    pattern=hanging.pattern, load=DOWN | springs)


def suspended(count: int = 7) -> gr.Scene:
    """A chain between two fixed points, its links fanned out like a catenary but not in equilibrium."""
    angles = np.linspace(-1.1, 1.1, count + 1)
    far = 0.3 * np.array([np.cos(angles).sum(), np.sin(angles).sum()])
    chain = gr.Chain(from_="pivot", to="far", count=count, length=0.3, angles=tuple(angles[:-1]), mass=0.5)
    push = {"push": gr.Force(on="chain-2", force=(0.0, 3.0))}
    return gr.Scene(title="Suspended chain", body=PIVOT | {"far": gr.FixedPoint(position=tuple(far))},
                    pattern={"chain": chain}, load=DOWN | push)


SCENES: dict[str, Callable[[], gr.Scene]] = {
    "pendulum": pendulum, "spinning-ring": spinning_ring, "hanging-ring": hanging_ring, "tree": tree,
    "net": net, "truss": truss, "components": components, "sprung": sprung, "suspended": suspended,
}
"""One scene of every kind, by name."""

PLANAR = [name for name in SCENES if name != "net"]
"""Those that `lagrange` can describe."""
