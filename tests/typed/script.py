"""A script of a user as a strict type checker without plugins reads it, in `make lint`; it is never run.

The last lines are mistakes. The checker must find each one: a comment that ignores nothing is an error too.
"""

import numpy as np

import granum as gr

disk = gr.Disk(radius="5 cm", mass="1 kg")
radius: float = disk.radius
bodies = {"pin": gr.FixedPoint(position=["10 cm", 0.0]), "post": gr.FixedPoint(position=np.zeros(2))}
scene = gr.Scene(
    body={"bob": gr.PointMass(mass="200 g"), **bodies}, link={"rod": gr.Link(between=("pin", "bob"), length="1 m")},
    load={"gravity": gr.Gravity(acceleration=(0, "-9.81 m/s^2")),
          "spring": gr.Spring(between=["post", "bob"], stiffness="1 N/cm")},
    start={"bob": {"position": (1.1, 0.0)}}, run=gr.RunSettings(until="0.2 s"))


def largest(scene: gr.Scene) -> float:
    run: gr.Run = gr.simulate(scene.vary({"body.bob.mass": 0.3}), until=0.1)
    tension = run.reaction("rod").tension
    force = run.spring("spring").force[:, 0]
    return float(tension.max() + force.max() + run.work("gravity")[-1] + run.energy.total[0])


equations: gr.Equations = gr.derive(scene, "lagrange")
q, v = equations.start
accelerations: "np.ndarray[tuple[int, ...], np.dtype[np.float64]]" = equations.accelerations(q, v)
lines: list[str] = gr.check(scene).summary_lines()
frequencies = gr.linearize(scene).frequencies.tolist()
table: gr.StudyResult = gr.study(scene, vary={"body.bob.mass": [0.1, 0.2]}, measure={"x": "position bob x"})
largest(gr.load("swing.toml"))
version: str = gr.__version__

gr.Disk(raduis=1.0)  # type: ignore[call-arg]
gr.Disk(mass=1.0)  # type: ignore[call-arg]
gr.Disk(radius=[1.0])  # type: ignore[arg-type]
gr.Scene(bodies={})  # type: ignore[call-arg]
text: str = gr.simulate(gr.Scene()).t  # type: ignore[assignment]
gr.simulate(gr.Scene()).positoin("x")  # type: ignore[attr-defined]
