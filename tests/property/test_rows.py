"""Elementary rows: the kernel against the derivatives of the expression, for random bodies in random motion."""

from __future__ import annotations

import numpy as np
import pytest

from granum.algebra import Expression, along, gradient, symbol
from granum.algebra.compiled import Compiled
from granum.algebra.expression import ZERO, function
from granum.algebra.vectors import quaternion_rotation, quaternion_spin, turned, vector
from granum.base.rotations import about_z, quaternion_rates
from granum.base.vectors import across
from granum.rows import tables
from granum.rows.body import Body, End
from granum.rows.elements import roll
from granum.rows.joint import FORMULAS, Joint, Row
from granum.rows.symbolic import Pair, Pose, RowFormula
from granum.rows.system import RowSystem, make_row_system

ELEMENTS = {"fixed": tables.FIXED, "carried": tables.CARRIED, "square": tables.SQUARE, "angle": tables.ANGLE,
            "distance": tables.DISTANCE, "roll": tables.ROLL, "roll flat": tables.ROLL_FLAT, "spin": tables.SPIN,
            "oval": tables.OVAL, "roll oval": tables.ROLL_OVAL}
ROUNDING = 1e-12
"""Both sides are sums of some ten products of numbers of the order of one."""


def random_body(rng: np.random.Generator, index: int, planar: bool) -> Body:
    """A body anywhere, in any orientation, with any velocities."""
    body = Body("ab"[index], "rigid", index, mass=1.0, inertia=np.diag(rng.uniform(1.0, 1.5, 3)))
    body.position, body.velocity, body.angular_velocity = rng.normal(size=(3, 3))
    if planar:
        body.position[2] = body.velocity[2] = 0.0
        body.angle, body.angular_velocity = float(rng.normal()), np.array([0.0, 0.0, rng.normal()])
    else:
        u = rng.normal(size=4)
        body.quaternion = tuple((u / np.linalg.norm(u)).tolist())
    return body


def random_row(rng: np.random.Generator, element: int, planar: bool) -> Row:
    """Numbers that fit an element."""
    u, w, p = rng.normal(size=(3, 3))
    if planar:
        u[2] = w[2] = 0.0
    if element == tables.ANGLE:
        u = np.array([0.0, 0.0, rng.choice([-1.0, 1.0])]) if planar else u / np.linalg.norm(u)
        p -= (p @ u) * u
        return Row(element, u, w, p / np.linalg.norm(p), offset=float(rng.normal()) if planar else 0.0)
    if element in (tables.ROLL, tables.SPIN):
        return Row(element, p=(float(rng.uniform(0.5, 1.0)), -float(rng.uniform(0.5, 1.0)), 0.0))
    if element == tables.ROLL_FLAT:
        return Row(element, u / np.linalg.norm(u), p=(0.0, -float(rng.uniform(0.5, 1.0)), 0.0 if planar else 1.0))
    if element in (tables.OVAL, tables.ROLL_OVAL):  # on a plane; one semi-axis may be zero
        return Row(element, u / np.linalg.norm(u), (*rng.uniform(0.5, 1.0, 2), rng.choice([0.0, 0.7])), (
            0.0, 0.0, float(rng.integers(2))))
    return Row(element, u, w, offset=0.0 if element == tables.SQUARE else float(rng.uniform(0.5, 2.0)))


def on_a_hinge(rng: np.random.Generator, row: Row, bodies: list[Body]) -> Row:
    """An angle in 3-D is measured in a hinge: let the axes of both bodies agree, and rotate them about it alone."""
    one, two = bodies
    axis, start = one.rotation @ np.array(row.u), one.rotation @ np.array(row.p)
    phi = float(rng.uniform(-3.0, 3.0))
    two.angular_velocity = one.angular_velocity + float(rng.normal()) * axis
    return row._replace(w=two.carried(np.cos(phi) * start + np.sin(phi) * np.cross(axis, start)))


def poses(bodies: list[Body], planar: bool) -> tuple[list[Pose], list[Expression], list[float], list[float]]:
    """Poses as expressions of positions and quaternions, and the numbers of these coordinates and their rates."""
    found, names, values, rates = [], [], [], []
    for body in bodies:
        own = [f"{body.name}{k}" for k in range(7)]
        x, v = (vector([symbol(n + dot) for n in own[:3]]) for dot in ("", "_dot"))
        u = [symbol(n) for n in own[3:]]
        R = quaternion_rotation(u)
        w = turned(R, quaternion_spin(u, [symbol(n + "_dot") for n in own[3:]]))
        angle = 2.0 * function("atan2", u[3], u[0]) if planar else ZERO
        found.append(Pose(x, v, R, w, angle))
        names += [symbol(n) for n in own]
        unit = about_z(np.array([body.angle]))[0].tolist() if planar else list(body.quaternion)
        assert body.position is not None
        values += [*body.position, *unit]
        rates += [*body.velocity, *quaternion_rates(unit, body.angular_velocity)]
    return found, names, values, rates


@pytest.mark.parametrize("planar", [True, False], ids=["2-D", "3-D"])
@pytest.mark.parametrize("name", ELEMENTS)
def test_kernel_is_the_derivative_of_the_expression(name: str, planar: bool) -> None:
    """Value, rate, J and b of the kernel are those of the expression along the same motion."""
    element, rng = ELEMENTS[name], np.random.default_rng(7)
    if planar and name in ("square", "spin", "oval", "roll oval"):
        pytest.skip("directions in the plane that stay square, spin, and ellipsoids are for 3-D")
    for _ in range(5):
        bodies = [random_body(rng, k, planar) for k in range(2)]
        arms = rng.normal(size=(2, 3))
        arms[:, 2] *= not planar
        row = random_row(rng, element, planar)
        if name == "angle" and not planar:
            row = on_a_hinge(rng, row, bodies)
        joint = Joint("j", name, End("a", bodies[0], arms[0]), End("b", bodies[1], arms[1]), [row])
        system = make_row_system(2 if planar else 3, bodies, [joint], None)
        system.configure(system.start())
        own = system.tables
        symbolic, q, values, rates = poses(bodies, planar)
        tangent = None
        if name == "roll":
            n = own.joints[0, tables.APART : tables.APART + 3] / (row.p[0] - row.p[1])
            tangent = vector(across(tuple(n), 0))
        motion = ZERO
        if name == "angle" and not planar:  # the expression is a sine, the same near zero: count from where it is
            motion = ZERO + float(own.value[0])
        pair = Pair(row, symbolic[0], symbolic[1], (arms[0], arms[1]), planar, motion)
        formula = roll.formula(pair, tangent) if name == "roll" else FORMULAS[element](pair)
        program = Program(formula, q)
        value, rate, second, wrench = program(values, rates)
        moving = name in ("roll", "roll flat", "spin", "roll oval")
        assert own.rate[0] == pytest.approx(rate, abs=ROUNDING)
        assert -own.b[0] == pytest.approx(second, abs=10 * ROUNDING)
        if name == "angle" and not planar:
            assert value == pytest.approx(0.0, abs=ROUNDING)
        else:
            assert own.value[0] == pytest.approx(0.0 if moving else value, abs=ROUNDING)
        check_blocks(system, program, values, wrench)


class Program:
    """Value, rate, and second derivative at zero accelerations of an expression; force and couple."""

    def __init__(self, formula: RowFormula, q: list[Expression]) -> None:
        v = [symbol(f"{c.name}_dot") for c in q]
        # ω̇ = 0 and v̇ = 0: quaternions have ü = ½ ω u̇ = -¼ ω² u
        second = [ZERO] * len(q)
        for body in range(2):
            u, r = q[7 * body + 3 : 7 * body + 7], v[7 * body + 3 : 7 * body + 7]
            size = sum((c * c for c in r), ZERO)
            for k in range(4):
                second[7 * body + 3 + k] = -size * u[k]
        velocity = any(not slope.is_zero for slope in gradient(formula.value, v))
        flow = {**dict(zip(q, v, strict=True)), **dict(zip(v, second, strict=True))}
        rate = formula.value if velocity else along([formula.value], flow)[0]
        outputs = [formula.value, rate, along([rate], flow)[0], *formula.force, *formula.couple]
        self.compiled = Compiled([s.name for s in (*q, *v)], [], outputs)

    def __call__(self, values: list[float], rates: list[float]) -> tuple[float, float, float, np.ndarray]:
        """Evaluate in a state."""
        numbers = self.compiled(0.0, np.array([*values, *rates]), np.zeros(0))
        return float(numbers[0]), float(numbers[1]), float(numbers[2]), numbers[3:]


def check_blocks(system: RowSystem, program: Program, values: list[float], wrench: np.ndarray) -> None:
    """J is the rate of the expression at unit velocities; that of the second body is the force and couple it names."""
    own, half = system.tables, system.half
    blocks = own.rows[0, tables.J : tables.J + 2 * half].reshape(2, half)
    for side in range(2):
        for k in range(half):
            velocity, w = np.zeros(3), np.zeros(3)
            if half == 3:
                (velocity if k < 2 else w)[k] = 1.0
            else:
                (velocity if k < 3 else w)[k % 3] = 1.0
            rates = np.zeros(14)
            unit = values[7 * side + 3 : 7 * side + 7]
            rates[7 * side : 7 * side + 7] = [*velocity, *quaternion_rates(unit, w)]
            assert blocks[side, k] == pytest.approx(program(values, rates.tolist())[1], abs=ROUNDING)
    force, couple = wrench[:3], wrench[3:]
    torque = np.cross(own.joints[0, tables.REACH + 3 : tables.REACH + 6], force) + couple
    expected = [*force[:2], torque[2]] if half == 3 else [*force, *torque]
    assert blocks[1] == pytest.approx(np.array(expected), abs=ROUNDING)
