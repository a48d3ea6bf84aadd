"""Loads by formulas of the state, and actuators, whose commands are numbers that a controller may change.

Every load of this file comes down to efforts u along what it acts on: a torque u e in a hinge or a force u e in a
slider, e the axis that its first body carries, on the second body, with the opposite on the first; components of a
force or torque on one body in inertial axes; a tension between two points; a force on a coordinate. A number that the
scene gives is an input, a symbol whose value may change from step to step; a formula is not.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from granum.algebra import Expression, gradient, symbol
from granum.algebra import vectors as formulas
from granum.algebra.compiled import Compiled
from granum.algebra.expression import ZERO, free_symbols, function
from granum.algebra.vectors import Vector
from granum.base.errors import GranumError
from granum.base.text import count as in_words
from granum.loads.load import BodyLoad, Expressing, LoadFormula
from granum.loads.measured import ANGLE, RATE, Reader, line
from granum.model.actuators import Actuator, AppliedForces, ForceActuator, PositionServo, TorqueActuator, VelocityServo
from granum.model.loads import FormulaLoad, JointFriction, Stop
from granum.model.quantities import refuse_other_joint
from granum.rows.joint import Connecting, Joint, movable_joint, refuse_one_body
from granum.rows.symbolic import NOTHING

AXES = "xyz"
APPLIED = ("fx", "fy", "fz", "tx", "ty", "tz")
"""What can be applied to a body, in inertial axes at its mass centre."""


def applied_names(dimension: int, rotates: bool) -> tuple[str, ...]:
    """Those of `APPLIED` that a body has."""
    turning = () if not rotates else APPLIED[5:] if dimension == 2 else APPLIED[3:]
    return (*APPLIED[:dimension], *turning)


def applied_values(inputs: Collection[str], actuator: str, body: str, wrench: Sequence[float]) -> dict[str, float]:
    """Values of the inputs that apply a force and a torque (6,) to a body; refuses what the body has no input for."""
    given = {f"{actuator}.{body}.{key}": float(value) for key, value in zip(APPLIED, wrench, strict=True)}
    if any(value for name, value in given.items() if name not in inputs):
        raise GranumError(f'"{body}" is a point and cannot rotate. Apply a force.')
    return {name: value for name, value in given.items() if name in inputs}


# ---- building


def build_torque(name: str, entry: TorqueActuator, scene: Connecting) -> BodyLoad:
    """A torque in a hinge or on a body."""
    return _commanded(_placed(name, entry, scene), "torque", entry.torque, AXES if len(entry.torque) == 3 else ("",))


def build_force(name: str, entry: ForceActuator, scene: Connecting) -> BodyLoad:
    """A force in a slider, on a body or on a coordinate."""
    return _commanded(_placed(name, entry, scene), "force", entry.force,
                      AXES[: len(entry.force)] if entry.body is not None else ("",))


def build_servo(name: str, entry: PositionServo | VelocityServo, scene: Connecting) -> BodyLoad:
    """k (target - position) - c rate, or c (target - rate), in a joint or for each component of a point."""
    key, target = ("position", entry.position) if isinstance(entry, PositionServo) else ("velocity", entry.velocity)
    load = _commanded(_placed(name, entry, scene), key, target, ("",) if entry.body is None else AXES[: len(target)])
    if load.joint is not None:
        motion = [_own_motion(load)]
    else:
        assert load.reader is not None
        motion = [(load.reader.read(axis, name), load.reader.read(f"v{axis}", name)) for axis in AXES[: len(target)]]
    return replace(load, efforts=tuple(
        entry.stiffness * (aim - value) - entry.damping * rate if isinstance(entry, PositionServo)
        else entry.gain * (aim - rate) for aim, (value, rate) in zip(load.efforts, motion, strict=True)))


def _own_motion(load: BodyLoad) -> tuple[Expression, Expression]:
    """What the joint of a load measures, and its rate, as symbols that its reader knows."""
    assert load.reader is not None and load.joint is not None
    return load.reader.read(str(load.joint.measured), load.name), load.reader.read(RATE, load.name)


def build_formula(name: str, entry: FormulaLoad, scene: Connecting) -> BodyLoad:
    """A load whose forces are formulas."""
    load = _placed(name, entry, scene)
    assert load.reader is not None
    key = "force" if entry.force is not None else "torque" if entry.torque is not None else "tension"
    given = getattr(entry, key)
    texts = given if isinstance(given, tuple) else (given,)
    return replace(load, efforts=tuple(load.reader.read(text, key) for text in texts))


def build_stop(name: str, entry: Stop, scene: Connecting) -> BodyLoad:
    """Beyond a limit by z: -(k z + c ż), as long as that pushes back."""
    load = _placed(name, entry, scene)
    value, rate = _own_motion(load)
    effort = ZERO
    for limit, sign in ((entry.lower, -1.0), (entry.upper, 1.0)):
        if limit is not None:
            beyond = sign * (value - limit)
            inside = 0.5 * (1.0 + function("sign", beyond))  # 1 beyond the limit, 0 before it
            effort = effort - sign * positive(inside * (entry.stiffness * beyond + entry.damping * sign * rate))
    return replace(load, efforts=(effort,))


def build_friction(name: str, entry: JointFriction, scene: Connecting) -> BodyLoad:
    """-T sign(rate): motions locate where the rate passes zero, and hold it there (`algebra.switches`)."""
    load = _placed(name, entry, scene)
    size = entry.torque if entry.torque is not None else entry.force
    assert size is not None
    return replace(load, efforts=(-size * function("sign", _own_motion(load)[1]),))


def build_applied(name: str, entry: AppliedForces, scene: Connecting) -> BodyLoad:
    """Forces and torques on every movable body, and forces on coordinates of [system], each an input."""
    bodies = [body for body in scene.bodies.values() if body.kind in ("rigid", "point") and not body.massless]
    inputs = {f"{name}.{body.name}.{key}": 0.0 for body in bodies
              for key in applied_names(scene.dimension, body.kind == "rigid")}
    inputs |= {f"{name}.{coordinate}.force": 0.0 for coordinate in scene.scene.system.coordinates}
    return BodyLoad(name, entry, tuple(scene.end(body.name) for body in bodies), stores=False, section="actuator",
                    inputs=inputs)


def _placed(name: str, entry: Any, scene: Connecting) -> BodyLoad:
    """Ends of what a load acts on, checked against the number of its components."""
    if getattr(entry, "joint", None) is not None:
        joint = movable_joint(entry.joint, scene, f"a load of kind {entry.kind}")
        _refuse_kind(entry, joint)
        refuse_other_joint(entry, joint.kind)
        _refuse_driven(entry, joint, scene)
        return BodyLoad(name, entry, (joint.one, joint.two), joint=joint, stores=False, reader=Reader(scene, joint))
    if getattr(entry, "between", None) is not None:
        one, two = (scene.end(end) for end in entry.between)
        refuse_one_body(one.body, two.body)
        return BodyLoad(name, entry, (one, two), stores=False, reader=Reader(scene, ends=(one, two)))
    if getattr(entry, "coordinate", None) is not None:
        if entry.coordinate not in scene.scene.system.coordinates:
            raise GranumError(f'there is no coordinate "{entry.coordinate}" in [system].')
        return BodyLoad(name, entry, stores=False, reader=Reader(scene))
    on: str = getattr(entry, "on", None) or entry.body
    end = scene.end(on)
    if end.body is scene.ground:
        raise GranumError(f'"{on}" is a fixed point, so a load on it has no effect. Put it on a body with mass.')
    key = next(key for key in ("torque", "force", "position", "velocity") if getattr(entry, key, None) is not None)
    turns = key == "torque"
    if turns and end.body.kind != "rigid":
        raise GranumError(f'"{on}" is a point and cannot rotate. Apply the torque to a rigid body.')
    count, needed = len(getattr(entry, key)), (1 if scene.dimension == 2 else 3) if turns else scene.dimension
    if count != needed:
        raise GranumError(f"{key} has {in_words(count, 'component')}, but on a "
                          f"body in {scene.dimension}-D it needs {needed}.")
    return BodyLoad(name, entry, (end,), stores=False, twists=turns, reader=Reader(scene, ends=(end,)))


def _refuse_kind(entry: Any, joint: Joint) -> None:
    """A torque acts in a hinge, a force in a slider, by one component."""
    for key, kind in (("torque", "hinge"), ("force", "slider"), ("position", joint.kind), ("velocity", joint.kind)):
        given = getattr(entry, key, None)
        if given is not None and joint.kind != kind:
            other = "force" if key == "torque" else "torque"
            raise GranumError(f'"{joint.name}" is a {joint.kind}, which takes a {other} and no {key}.')
        if isinstance(given, tuple) and len(given) != 1:
            raise GranumError(f"{key} has {len(given)} components, but in a {kind} it is one number or formula.")


def _refuse_driven(entry: Any, joint: Joint, scene: Connecting) -> None:
    """An actuator cannot move a joint whose motion is prescribed."""
    if not isinstance(entry, Actuator):
        return
    for name, drive in scene.scene.drives.items():
        if drive.joint == joint.name:
            raise GranumError(f'acts on "{joint.name}", whose motion the drive "{name}" prescribes, so it would have '
                              "no effect. Remove one of the two.")


def _commanded(load: BodyLoad, key: str, texts: Sequence[str], axes: Sequence[str]) -> BodyLoad:
    """Efforts by a command: numbers become inputs, formulas stay."""
    assert load.reader is not None
    efforts, inputs = [], {}
    for text, axis in zip(texts, axes, strict=False):
        expression = load.reader.read(text, key)
        if expression.kind == "number":
            name = f"{load.name}.{key}.{axis}" if axis else f"{load.name}.{key}"
            inputs[name], expression = expression.value, symbol(name)
        efforts.append(expression)
    return replace(load, efforts=tuple(efforts), inputs=inputs, section="actuator")


def gains(load: BodyLoad) -> tuple[float, float]:
    """How an effort in a joint falls with its angle or displacement and with its rate, at the start: k and c."""
    assert load.joint is not None
    own = [symbol(str(load.joint.measured)), symbol(RATE)]
    slopes = gradient(load.efforts[0], own)
    names = sorted(free_symbols(slopes) - {"t"})
    if isinstance(load.entry, Stop):  # not at the start, but where it acts
        return load.entry.stiffness, load.entry.damping
    k, c = Compiled(names, [], slopes)(0.0, np.zeros(len(names)), np.zeros(0)).tolist()
    return (max(0.0, -k) if math.isfinite(k) else 0.0), (max(0.0, -c) if math.isfinite(c) else 0.0)


# ---- expressing


def positive(value: Expression) -> Expression:
    """max(x, 0)."""
    return 0.5 * (value + function("abs", value))


def limited(value: Expression, limit: float | None) -> Expression:
    """Between -limit and limit: ½ (|x + l| - |x - l|)."""
    if limit is None:
        return value
    return 0.5 * (function("abs", value + limit) - function("abs", value - limit))


def formula(load: BodyLoad, scene: Expressing) -> LoadFormula:
    """Forces at the points of a load, and torques on its bodies."""
    assert load.reader is not None
    efforts = [limited(effort, getattr(load.entry, "limit", None))
               for effort in load.reader.express(load.efforts, scene)]
    if getattr(load.entry, "coordinate", None) is not None:
        return LoadFormula(generalised={load.entry.coordinate: efforts[0]})
    if load.joint is not None:
        return _in_joint(load.joint, efforts[0], scene)
    if getattr(load.entry, "between", None) is not None:
        (a, _), (b, _) = (scene.pose(end.body).point(end.arm) for end in load.ends)
        pull = formulas.times(efforts[0] / line(load.ends, scene)[0], formulas.minus(b, a))
        return LoadFormula(forces=(pull, formulas.times(-1.0, pull)))
    if load.twists:
        return LoadFormula(torques=(_vector(efforts, last=True),))
    return LoadFormula(forces=(_vector(efforts, last=False),))


def _in_joint(joint: Joint, effort: Expression, scene: Expressing) -> LoadFormula:
    """The effort along the axis of a joint, on its second body, and its opposite on the first."""
    assert joint.measure is not None
    push = formulas.times(effort, scene.pose(joint.one.body).carried(joint.measure.u))
    both = formulas.times(-1.0, push), push
    return LoadFormula(torques=both) if joint.measured == ANGLE else LoadFormula(forces=both)


def _vector(components: Sequence[Expression], last: bool) -> Vector:
    """Components along x, y, z; a single one about z."""
    if last and len(components) == 1:
        return ZERO, ZERO, components[0]
    return formulas.vector(components)


def applied_formula(load: BodyLoad, scene: Expressing) -> LoadFormula:
    """The inputs themselves."""
    forces, torques = [], []
    for end in load.ends:
        force, torque = ([limited(symbol(name), load.entry.limit) if (
            name := f"{load.name}.{end.body.name}.{key}") in load.inputs else ZERO
            for key in keys] for keys in (APPLIED[:3], APPLIED[3:]))
        forces.append(formulas.vector(force))
        torques.append(formulas.vector(torque) if end.body.kind == "rigid" else NOTHING)
    return LoadFormula(forces=tuple(forces), torques=tuple(torques), generalised={
        name.split(".")[1]: limited(symbol(name), load.entry.limit) for name in load.inputs if name.endswith(".force")})


BUILDERS: dict[type[Any], Callable[..., BodyLoad]] = {
    FormulaLoad: build_formula, Stop: build_stop, JointFriction: build_friction, TorqueActuator: build_torque,
    ForceActuator: build_force, PositionServo: build_servo, VelocityServo: build_servo}
"""Loads of this file, by the class of the schema entry."""
