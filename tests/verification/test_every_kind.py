"""Every kind of entry of the scene schema, offered to every formulation and solver: right, or refused by name.

The list of kinds comes from the schema, so that a new kind fails here until it has a sample. "Right" is agreement with
another formulation, or with a closed form where only one takes the kind. "Refused" is a SceneError that names an entry
of the scene or a key of the run. Nothing may be ignored.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import granum as gr
from granum.base.choices import FORMULATIONS, GRAIN_SOLVERS, SOLVERS
from granum.model.scene import SECTIONS, kinds
from granum.validation.wheel import Throw, phases

G = 9.81
Sample = dict[str, dict[str, Any]]


KINDS: dict[tuple[str, str], type] = {
    (section, kind): entry for section, of in SECTIONS.items() for kind, entry in kinds(of).items()}
KINDS["system", ""] = gr.FormulaSystem
"""Entries of the schema: (section, kind), or (section, "") where a section has one kind alone."""
FALL2, FALL3 = {"load": {"weight": gr.Gravity(acceleration=(0.0, -G))}}, {
    "load": {"weight": gr.Gravity(acceleration=(0.0, 0.0, -G))}}


def joined(*parts: Sample) -> Sample:
    """Sections of several samples together."""
    found: Sample = {}
    for part in parts:
        for section, entries in part.items():
            found[section] = {**found.get(section, {}), **entries}
    return found


PENDULUM: Sample = joined(FALL2, {
    "body": {"pivot": gr.FixedPoint(position=(0.0, 0.0)), "bob": gr.PointMass(mass=2.0)},
    "link": {"rod": gr.Link(between=("pivot", "bob"))}, "start": {"bob": gr.Start(position=(0.8, -0.6))}})
PIVOT3: Sample = joined(FALL3, {"body": {"pivot": gr.FixedPoint(position=(0.0, 0.0, 0.0))}})
POINT = {"points": {"top": (0.1, 0.2, 0.3)}}


def swinging(body: Any) -> Sample:
    """A rigid body in 3-D on a ball joint beside its centre."""
    place = tuple(-x for x in body.fixed_points()["top"])
    return joined(PIVOT3, {"body": {"swing": body}, "constraint": {"eye": gr.BallJoint(between=("pivot", "swing.top"))},
                           "start": {"swing": gr.Start(position=place)}})


def arm(**more: Any) -> Sample:
    """A rod on a hinge in 2-D, level at the start."""
    return joined(FALL2, {
        "body": {"pivot": gr.FixedPoint(position=(0.0, 0.0)), "arm": gr.Rod(length=1.0, mass=2.0)},
        "constraint": {"pin": gr.Hinge(between=("pivot", "arm.tail"))},
        "start": {"arm": gr.Start(position=(0.5, 0.0))}},
        more)


def two_arms(coupling: Any) -> Sample:
    """The same beside a wheel on another hinge, with what couples both."""
    return arm(body={"post": gr.FixedPoint(position=(2.0, 0.0)), "wheel": gr.RigidBody(
        mass=1.0, inertia=0.1, points={"pin": (-0.2, 0.0)})},
        constraint={"axle": gr.Hinge(between=("post", "wheel.pin")), "coupling": coupling},
        start={"wheel": gr.Start(position=(2.2, 0.0))})


def rolling(**more: Any) -> Sample:
    """A ball on a slope, with spin about the normal."""
    return joined(FALL3, {
        "body": {"ball": gr.Sphere(radius=0.1, mass=1.5)}, "surface": {"slope": gr.Surface(equation="Z - 0.3*X")},
        "constraint": {"rolls": gr.Rolling(body="ball", on="slope")},
        "start": {"ball": gr.Start(contact=(0.3, -0.2), velocity=(0.4, 0.3))}}, more)


DISKS: Sample = joined(FALL2, {
    "body": {"hub": gr.FixedPoint(position=(0.0, 0.0)), "drum": gr.Disk(radius=1.0, mass=1.0),
             "disk": gr.Disk(radius=0.2, mass=1.0)},
    "constraint": {"pin": gr.Hinge(between=("hub", "drum")),
                   "slides": gr.Sliding(body="disk", on="drum", friction=0.3)},
    "start": {"drum": gr.Start(position=(0.0, 0.0), angular_velocity=5.0),
              "disk": gr.Start(position=(0.0, 1.2), velocity=(0.5, 0.0))}})
FORMULA: dict[str, Any] = {"coordinates": ("x", "y"), "kinetic": "0.5*(x_dot**2 + y_dot**2)",
                           "potential": f"{G}*y",
                           "forces": {"x": "-0.2*x_dot"}, "start": {"x": 0.8, "y": -0.6}, "points": {"bob": ("x", "y")}}
WIRE: dict[str, Any] = {"wire": gr.FormulaConstraint(formula="x**2 + y**2 - 1")}
WHEEL: Sample = {
    "system": {"coordinates": ("x", "y", "a"), "kinetic": "0.5*(x_dot**2 + y_dot**2) + 0.25*a_dot**2",
               "potential": f"{G}*(x*sin(0.6) + y*cos(0.6))",
               "start": {"x": 0.0, "a": 0.0, "x_dot": 2.0, "a_dot": 3.0},
               "points": {"hub": ("x", "y")}},
    "constraint": {"floor": gr.FormulaConstraint(formula="y - 1"),
                   "rub": gr.FrictionConstraint(normal="floor", slip=("x_dot + a_dot",), friction=0.2)}}
WOODEN: dict[str, Any] = {"wood": gr.Material(friction=0.3)}
BOX = gr.BoxRegion(lower=(-3.0, -3.0), upper=(-2.0, -2.0))

MECHANICS: dict[tuple[str, str], Sample] = {
    ("body", "point-mass"): PENDULUM, ("body", "fixed-point"): PENDULUM, ("link", ""): PENDULUM,
    ("start", ""): PENDULUM,
    ("body", "massless-point"): joined(FALL2, {
        "body": {"p": gr.FixedPoint(position=(-1.0, 0.0)), "q": gr.FixedPoint(position=(1.0, 0.0)),
                 "knot": gr.MasslessPoint(), "bob": gr.PointMass(mass=1.0)},
        "link": {"left": gr.Link(between=("p", "knot")), "right": gr.Link(between=("q", "knot")),
                 "cord": gr.Link(between=("knot", "bob"))},
        "start": {"knot": gr.Start(position=(0.0, -1.0)), "bob": gr.Start(position=(0.6, -1.8))}}),
    ("body", "massless-body"): joined(PIVOT3, {  # a universal joint: the cross between two hinges
        "body": {"cross": gr.MasslessBody(), "swing": gr.RigidBody(mass=1.0, inertia=(0.1, 0.2, 0.25), **POINT)},
        "constraint": {"one": gr.Hinge(between=("pivot", "cross"), axis=(1, 0, 0)),
                       "two": gr.Hinge(between=("cross", "swing.top"), axis=(0, 1, 0))},
        "start": {"cross": gr.Start(position=(0, 0, 0)), "swing": gr.Start(position=(-0.1, -0.2, -0.3))}}),
    ("body", "rigid-body"): swinging(gr.RigidBody(mass=1.0, inertia=(0.1, 0.2, 0.25), **POINT)),
    ("body", "sphere"): swinging(gr.Sphere(radius=0.5, mass=1.0, **POINT)),
    ("body", "disk"): joined(FALL2, {
        "body": {"pivot": gr.FixedPoint(position=(0.0, 0.0)),
                 "coin": gr.Disk(radius=0.5, mass=1.0, points={"top": (0.1, 0.2)})},
        "constraint": {"pin": gr.Hinge(between=("pivot", "coin.top"))},
        "start": {"coin": gr.Start(position=(-0.1, -0.2))}}),
    ("body", "rod"): swinging(gr.Rod(length=1.0, radius=0.1, mass=1.0, **POINT)),
    ("body", "ellipsoid"): swinging(gr.Ellipsoid(semi_axes=(0.5, 0.4, 0.3), mass=1.0, **POINT)),
    ("body", "block"): swinging(gr.Block(size=(1.0, 0.5, 0.8), mass=1.0, **POINT)),
    ("body", "half-shell"): swinging(gr.HalfShell(radius=0.5, inner_radius=0.4, mass=1.0, **POINT)),
    ("body", "two-half-shell"): swinging(gr.TwoHalfShell(
        radius=0.5, inner_radius=0.4, density=(10.0, 5.0), **POINT)),
    ("body", "clump"): swinging(gr.Clump(spheres=(gr.Part(centre=(0.0, 0.0, 0.0), radius=0.3), gr.Part(
        centre=(0.3, 0.0, 0.0), radius=0.2)), mass=1.0, **POINT)),
    ("pattern", "chain"): joined(FALL2, {"pattern": {"row": gr.Chain(position=(0.0, 0.0), count=3, length=0.5,
                                                                     angles=0.3,
                                                                     mass=1.0)}}),
    ("pattern", "stack"): joined(FALL2, {"pattern": {"row": gr.Stack(position=(0.0, 0.0), count=3, height=1.5, tilt=0.2,
                                                                     mass=1.0)}}),
    ("pattern", "ring"): joined(FALL2, {"pattern": {"row": gr.Ring(
        count=4, radius=1.0, centre=(0.0, 0.0), angular_velocity=2.0, mass=1.0)}}),
    ("pattern", "net"): joined(FALL2, {"pattern": {"row": gr.Net(
        rows=2, columns=2, spacing=1.0, position=(0.0, 0.0), across=(1.0, 0.0), down=(0.0, -1.0), mass=1.0)},
        "load": {"pull": gr.Force(on="row-1-1", force=(2.0, 1.0))}}),
    ("pattern", "tree"): joined(FALL2, {"pattern": {"row": gr.Tree(
        position=(0.0, 0.0), depth=2, length=1.0, direction=(1.0, 0.0), spread=0.5, mass=1.0)}}),
    ("surface", ""): rolling(), ("constraint", "rolling"): rolling(),
    ("constraint", "no-spin"): rolling(constraint={"straight": gr.NoSpin(body="ball")}),
    ("constraint", "sliding"): DISKS,
    ("constraint", "ball-joint"): swinging(gr.Sphere(radius=0.4, mass=1.0, **POINT)),
    ("constraint", "hinge"): arm(),
    ("constraint", "slider"): joined(FALL2, {
        "body": {"rail": gr.FixedPoint(position=(0.0, 0.0)), "shoe": gr.Block(size=(0.2, 0.2), mass=1.0)},
        "constraint": {"slot": gr.Slider(between=("rail", "shoe"), axis=(1.0, -1.0))},
        "start": {"shoe": gr.Start(position=(0.0, 0.0))}}),
    ("constraint", "glue"): arm(body={"tip": gr.Rod(length=0.5, mass=1.0)},
                                constraint={"weld": gr.Glue(between=("arm.head", "tip.tail"))},
                                start={"tip": gr.Start(position=(1.25, 0.0))}),
    ("constraint", "drive"): arm(constraint={"motor": gr.Drive(joint="pin", motion="t**2")}),
    ("constraint", "gear"): two_arms(gr.Gear(joints=("pin", "axle"), ratio=-2.0)),
    ("constraint", "belt"): two_arms(gr.Belt(joints=("pin", "axle"), radii=(0.2, 0.3))),
    ("constraint", "cam"): two_arms(gr.Cam(joints=("pin", "axle"), profile="angle**2 - sin(angle)")),
    ("constraint", "formula"): {"system": FORMULA, "constraint": WIRE}, ("system", ""): {"system": FORMULA},
    ("constraint", "energy"): {"system": {**FORMULA, "forces": {}},
                               "constraint": {**WIRE, "total": gr.EnergyConstraint()}},
    ("constraint", "friction"): WHEEL,
    ("load", "gravity"): PENDULUM,
    ("load", "force"): joined(PENDULUM, {"load": {"push": gr.Force(on="bob", force=(3.0, 2.0))}}),
    ("load", "spring"): joined(PENDULUM, {
        "body": {"wall": gr.FixedPoint(position=(2.0, 0.0))},
        "load": {"coil": gr.Spring(between=("wall", "bob"), stiffness=30.0, rest_length=0.5, damping=1.0)}}),
    ("load", "torque"): arm(load={"twist": gr.Torque(on="arm", torque=5.0)}),
    ("load", "torsion-spring"): arm(load={"coil": gr.TorsionSpring(hinge="pin", stiffness=20.0, rest_angle=0.5,
                                                                   damping=1.0)}),
    ("load", "formula"): arm(load={"wind": gr.FormulaLoad(on="arm.head", force=("2 - 0.3*vx", "4*cos(t) + arm.y"))}),
    ("load", "joint-friction"): arm(load={"rub": gr.JointFriction(joint="pin", torque=0.5)}),
    ("load", "stop"): arm(load={"rest": gr.Stop(joint="pin", lower=0.2, stiffness=80.0, damping=2.0)}),
    ("actuator", "torque"): arm(actuator={"motor": gr.TorqueActuator(joint="pin", torque="9 - 2*rate")}),
    ("actuator", "force"): arm(actuator={"jet": gr.ForceActuator(body="arm.head", force=(1.0, 6.0))}),
    ("actuator", "position"): arm(actuator={"servo": gr.PositionServo(joint="pin", position=0.5, stiffness=60.0,
                                                                      damping=2.0)}),
    ("actuator", "velocity"): arm(actuator={"servo": gr.VelocityServo(joint="pin", velocity=1.0, gain=3.0)}),
    ("actuator", "applied"): arm(actuator={"hand": gr.AppliedForces()}),
}
"""A small scene for each kind of mechanics that differs without the entry."""

GRAINS: dict[tuple[str, str], Sample] = {
    ("pattern", "grains"): {"pattern": {"bed": gr.Grains(radius=0.1, positions=((-2.0, -2.0),), density=1000.0)}},
    ("load", "drag"): {"load": {"wind": gr.Drag(density=1.0, drag_coefficient=1.0, velocity=(1.0, 0.0))}},
    ("load", "force-field"): {"load": {"pull": gr.ForceField(force=("1", "0"))}},
    ("material", ""): {"material": WOODEN},
    ("pair", ""): {"material": WOODEN, "pair": {"same": gr.Pair(between=("wood", "wood"), friction=0.1)}},
    ("shape", ""): {"shape": {"twin": gr.Shape(disks=(gr.Part(centre=(0.0, 0.0), radius=0.1),))}},
    ("bond", ""): {"bond": {"cement": gr.Bond(among="bob", tensile_strength=1e5, shear_strength=1e5)}},
    ("source", ""): {"source": {"tap": gr.Source(radius=0.1, interval=0.1, region=BOX, density=1000.0)}},
    ("sink", ""): {"sink": {"drain": gr.Sink(region=BOX)}},
    ("boundary", "plane"): {"boundary": {"edge": gr.Plane(position=(0.0, -5.0), normal=(0.0, 1.0))}},
    ("boundary", "wall"): {"boundary": {"edge": gr.Wall(positions=((-1.0, -5.0), (1.0, -5.0)))}},
    ("boundary", "disk"): {"boundary": {"edge": gr.FixedDisk(centre=(0.0, -5.0), radius=1.0)}},
    ("boundary", "sphere"): {"boundary": {"edge": gr.FixedSphere(centre=(0.0, -5.0, 0.0), radius=1.0)}},
    ("boundary", "box"): {"boundary": {"edge": gr.Box(lower=(-9.0, -9.0), upper=(9.0, 9.0))}},
    ("boundary", "cylinder"): {"boundary": {"edge": gr.Cylinder(ends=((0.0, -9.0, 0.0), (0.0, 9.0, 0.0)), radius=9.0)}},
    ("boundary", "hopper"): {"boundary": {"edge": gr.Hopper(position=(0.0, -9.0), opening=1.0, width=9.0,
                                                            funnel_height=1.0,
                                                            height=20.0)}},
    ("boundary", "implicit-surface"): {"boundary": {"edge": gr.ImplicitSurface(equation="Y + 5")}},
    ("probe", "flow"): {"probe": {"look": gr.FlowProbe(position=(0.0, -0.9), normal=(1.0, 0.0))}},
    ("probe", "packing"): {"probe": {"look": gr.PackingProbe(region=BOX)}},
    ("probe", "jam"): {"probe": {"look": gr.JamProbe(flow="gate", window=0.1),
                                 "gate": gr.FlowProbe(position=(0.0, -0.9), normal=(1.0, 0.0))}},
    ("probe", "rigidity"): {"probe": {"look": gr.RigidityProbe()}},
    ("probe", "section"): {"probe": {"look": gr.SectionProbe(body="bob", position=(0.0, 0.0), normal=(1.0, 0.0))}},
}
"""Entries about grains, offered to a pendulum of a point mass: no formulation may take and ignore them."""


def test_every_kind_of_the_schema_has_a_sample() -> None:
    assert set(KINDS) == set(MECHANICS) | set(GRAINS)


def scene(sample: Sample, **run: Any) -> gr.Scene:
    return gr.Scene(**sample, run=gr.RunSettings(until=0.2, interval=0.1, tolerance=1e-10, **run))


def ends(made: gr.Scene) -> dict[str, Any]:
    """Positions of all bodies that move, and of points, at the end; a run that an event cuts short is not right."""
    run = gr.simulate(made, progress=False)
    assert run.finished and run.event is None and run.t[-1] == pytest.approx(0.2)
    fixed = {name for name, body in made.body.items() if isinstance(body, gr.FixedPoint)}
    return {name: np.asarray(run.position(name)[-1]) for name in run.body_names if name not in fixed}


@cache
def outcomes(section: str, kind: str) -> dict[str, Any]:
    """By formulation: where the bodies are at the end, or the refusal."""
    found: dict[str, Any] = {}
    for formulation in FORMULATIONS:
        try:
            found[formulation] = ends(scene(MECHANICS[section, kind], formulation=formulation))
        except gr.SceneError as error:
            found[formulation] = error
    return found


def named(error: gr.SceneError, sample: Sample) -> bool:
    """Does every problem of a refusal name an entry of the scene, or the key of the run that does not suit it?"""
    keys = [problem.place.split(".") for problem in error.problems]
    return bool(keys) and all(key[0] == "run" or (key[0] in sample and (len(key) == 1 or key[1] in sample[key[0]]))
                              for key in keys)


def assert_same(one: dict[str, Any], two: dict[str, Any], tolerance: float, what: str) -> None:
    shared = one.keys() & two.keys()
    assert shared
    for name in shared:
        assert_allclose(one[name], two[name], rtol=0, atol=tolerance, err_msg=f"{what}: {name}")


def reference(section: str, kind: str) -> dict[str, Any]:
    """Where the bodies are by the first formulation that takes the kind, or by a closed form."""
    if (section, kind) == ("constraint", "friction"):
        parts = [part for part in phases(Throw(math.degrees(0.6), 0.2, 2.0, 3.0)) if part.begin <= 0.2]
        return {"hub": np.array([parts[-1].at(0.2)[0], 1.0])}
    return next(found for found in outcomes(section, kind).values() if not isinstance(found, gr.SceneError))


@pytest.mark.parametrize(("section", "kind"), MECHANICS, ids=lambda part: part or "-")
def test_formulations_are_right_or_refuse_by_name(section: str, kind: str) -> None:
    """1e-7 m: the errors of a few tens of steps of 1e-10, and what position corrections leave, with room."""
    taken = 0
    for formulation, found in outcomes(section, kind).items():
        if isinstance(found, gr.SceneError):
            assert named(found, MECHANICS[section, kind]), f"{formulation}: {found}"
        else:
            taken += 1
            assert_same(found, reference(section, kind), 1e-7, formulation)
    assert taken >= (1 if (section, kind) == ("constraint", "friction") else 2), "nothing independent to compare with"


@pytest.mark.parametrize("solver", [*SOLVERS, *GRAIN_SOLVERS])
@pytest.mark.parametrize(("section", "kind"), MECHANICS, ids=lambda part: part or "-")
def test_solvers_are_right_or_refuse_by_name(section: str, kind: str, solver: str) -> None:
    """Steps of 1e-3 s and order one at least leave a g h t = 2e-3 m; an entry that is ignored shows by far more."""
    settings: dict[str, Any] = {} if solver == "dop853" else {"step": 1e-3}
    try:
        found = ends(scene(MECHANICS[section, kind], solver=solver, **settings))
    except gr.SceneError as error:
        assert named(error, MECHANICS[section, kind]), f"{solver}: {error}"
        return
    assert_same(found, reference(section, kind), 4e-3, solver)


@pytest.mark.parametrize("way", [*(("formulation", name) for name in FORMULATIONS if name != "newton-euler"),
                                 *(("solver", name) for name in SOLVERS)], ids="-".join)
@pytest.mark.parametrize(("section", "kind"), GRAINS, ids=lambda part: part or "-")
def test_entries_of_grains_are_not_ignored(section: str, kind: str, way: tuple[str, str]) -> None:
    """A pendulum with an entry about grains is refused by name by all that knows no grains (newton-euler is what scenes
    have that choose nothing: there the solvers of grains take over).
    """
    sample = joined(PENDULUM, GRAINS[section, kind])
    with pytest.raises(gr.SceneError) as refusal:
        gr.simulate(scene(sample, **{way[0]: way[1]}), progress=False)
    assert named(refusal.value, sample), str(refusal.value)
