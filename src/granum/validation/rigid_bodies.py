"""The systems of figures 3.4-3.7 (Sun 1996, §3.5): the printed equations, corrected, on what the engine computes.

The document gives no data for them; those here are ours. Links point from tail to head, n along a link and τ across; a
body at the tail is pulled by γⁿ n + γ^τ τ (appendix B). E has +1 at the tail, -1 at the head.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from granum.analytic.derive import derive
from granum.base.kernels import Floats
from granum.model.body_entries import RigidBody
from granum.model.clumps import Clump, Part
from granum.model.scene import Scene
from granum.model.solids import Sphere
from granum.validation.case import Case, Curve, Figure, Panel, Sheet
from granum.validation.scenes import GRAVITY, fixed_point, gravity, hinge, rotated

SOURCE = "Sun (1996), §3.5"
ALLOWED = 1e-12
"""Of the largest term of an equation: some tens of operations on numbers of 16 digits."""
AS_PRINTED = ("3.69", "3.83-3.84", "3.85", "3.86", "3.87", "3.95", "3.96", "3.97")
"""Equations that hold as the source prints them; all others but Coulomb's law are corrected (theory/errata.md)."""
_ANY = np.array([[math.cos(0.7)], [math.sin(0.7)]])
"""Direction of a link of no length: any does."""
FRICTION = 0.2
"""Coefficient of friction where bodies slip."""

Residuals = dict[str, tuple[Floats, float]]
"""By equation: what is left, and the largest term."""
Terms = dict[str, Sequence[Floats]]
"""By equation: its terms, which add up to zero."""


@dataclass(frozen=True)
class Joined:
    """A link of the document: a contact of two disks, a link connector, or a revolute joint (both lengths zero)."""

    name: str
    tail: str | None
    """Body, or None for the ground, whose point is then in inertial axes."""
    head: str
    near: tuple[float, float]
    """Point of the tail, where r ends, from the mass centre in body axes [m]."""
    far: tuple[float, float]
    l_tail: float = 0.0
    l_head: float = 0.0


@dataclass(frozen=True)
class Measured:
    """What the engine says about a scene at its start: motion of the bodies and reactions."""

    q: dict[str, float]
    v: dict[str, float]
    a: dict[str, float]
    reactions: dict[str, float]

    @classmethod
    def of(cls, scene: Scene) -> Measured:
        """Accelerations and reactions by newton-euler of rigid bodies and joints."""
        equations = derive(scene, "newton-euler")
        q, v = equations.start
        motion = [dict(zip(equations.coordinates, values.tolist(), strict=True))
                  for values in (q, v, equations.accelerations(q, v))]
        return cls(motion[0], motion[1], motion[2], equations.reactions(q, v))

    def vector(self, kind: str, body: str, dimension: int = 2) -> Floats:
        """Position (q), velocity (v) or acceleration (a) of a body."""
        return np.array([getattr(self, kind)[f"{body}.{axis}"] for axis in "xyz"[:dimension]])


class Plane:
    """The matrices of §3.5.1 for bodies in the plane."""

    def __init__(self, scene: Scene, bodies: Sequence[str], joined: Sequence[Joined], torque: Sequence[float]) -> None:
        self.found, self.joined = Measured.of(scene), joined
        shape = len(bodies), len(joined)
        properties = [scene.body[name].properties() for name in bodies]  # type: ignore[attr-defined]
        self.mass = np.diag([p.mass for p in properties])
        self.inertia = np.diag([p.inertia[2, 2] for p in properties])
        self.E, self.Cr, self.Sr, self.Lr = (np.zeros(shape) for _ in range(4))
        self.psi_dot, self.psi_ddot = (np.array([getattr(self.found, kind)[f"{name}.angle"] for name in bodies])
                                       for kind in "va")
        self.f = np.outer((0.0, -GRAVITY), np.diag(self.mass))
        self.torque = np.array(torque)
        self._ends(list(bodies))
        C, S, V = self.C, self.S, self.E.T @ np.linalg.inv(self.mass) @ self.E
        self.V, self.H, self.K = V, C @ V @ C + S @ V @ S, S @ V @ C - C @ V @ S
        self.C_psi, self.S_psi = self.Cr @ C + self.Sr @ S, self.Sr @ C - self.Cr @ S  # (3.65), (3.66)

    def _ends(self, bodies: list[str]) -> None:
        """Arms of the links, and the relative motion of the points they join."""
        apart, rate, change = (np.zeros((2, len(self.joined))) for _ in range(3))
        for i, one in enumerate(self.joined):
            for body, arm, l, sign in ((one.tail, one.near, one.l_tail, 1.0), (one.head, one.far, one.l_head, -1.0)):
                if body is None:
                    apart[:, i] -= arm
                    continue
                j, angle = bodies.index(body), self.found.q[f"{body}.angle"]
                r = rotated(angle, arm)
                across, w = np.array([-r[1], r[0]]), self.psi_dot[j]
                self.E[j, i], self.Lr[j, i] = sign, l
                self.Cr[j, i], self.Sr[j, i] = sign * r  # r cos ψ and r sin ψ
                apart[:, i] -= sign * (self.found.vector("q", body) + r)
                rate[:, i] -= sign * (self.found.vector("v", body) + w * across)
                change[:, i] -= sign * (self.found.vector("a", body) + self.psi_ddot[j] * across - w * w * r)
        self.l = np.hypot(*apart)
        direction = np.divide(apart, self.l, out=np.tile(_ANY, len(self.joined)), where=self.l > 1e-9)
        self.C, self.S = np.diag(direction[0]), np.diag(direction[1])
        self.theta_dot = self._turn(rate)  # l θ̇
        self.theta_ddot = self._turn(change)  # l θ̈, which needs no θ̇: n and τ are those of the moment

    def _turn(self, vectors: Floats) -> Floats:
        turned: Floats = -self.S @ vectors[0] + self.C @ vectors[1]
        return turned

    @property
    def forces(self) -> tuple[Floats, Floats]:
        """Fⁿ and F^τ (3.33), (3.34)."""
        x, y = (self.E.T @ np.linalg.solve(self.mass, part) for part in self.f)
        return self.C @ x + self.S @ y, -self.S @ x + self.C @ y

    def pulls(self, label: Callable[[str, str], str]) -> tuple[Floats, Floats]:
        """γ_x, γ_y on the tails: the engine's reactions act on the heads."""
        x, y = (np.array([-self.found.reactions[label(one.name, axis)] for one in self.joined]) for axis in "xy")
        return x, y

    def split(self, x: Floats, y: Floats) -> tuple[Floats, Floats]:
        """γⁿ, γ^τ of γ_x, γ_y (3.83), (3.84)."""
        return self.C @ x + self.S @ y, -self.S @ x + self.C @ y


def left_over(terms: Terms) -> Residuals:
    """What each equation leaves, and its largest term."""
    return {name: (np.sum(parts, axis=0), max(float(np.abs(part).max()) for part in parts))
            for name, parts in terms.items()}


def contact_equations(p: Plane, slips: bool) -> Terms:
    """(3.61)-(3.64): bodies in contact, with their corrections (errata); where they slip, Coulomb's law for (3.64)."""
    gn, gt = p.split(*p.pulls(lambda name, axis: f"{name}.force.{axis}"))
    Fn, Ft = p.forces
    terms: Terms = {
        "3.61": (p.theta_dot**2 / p.l, -p.H @ gn, -p.K @ gt, p.C_psi.T @ p.psi_dot**2, p.S_psi.T @ p.psi_ddot, -Fn),
        "3.62": (p.theta_ddot, -p.K @ gn, p.H @ gt, -p.S_psi.T @ p.psi_dot**2, p.C_psi.T @ p.psi_ddot, Ft),
        "3.63": (p.inertia @ p.psi_ddot, p.S_psi @ gn, -(p.Lr + p.C_psi) @ gt, -p.torque),
    }
    slip = p.Lr.T @ p.psi_dot - p.theta_dot  # of the tail's disk on the head's, along τ
    if slips:
        return {**terms, "Coulomb": (gt, FRICTION * np.abs(gn) * np.sign(slip))}
    return {**terms, "3.64": (p.theta_dot, -p.Lr.T @ p.psi_dot)}


def connector_equations(p: Plane) -> Terms:
    """(3.67)-(3.73): link connectors pull along themselves alone."""
    g = np.array([p.found.reactions[one.name] for one in p.joined])
    (Fn, Ft), inverse = p.forces, np.linalg.inv(p.inertia)
    H_psi, K_psi = p.S_psi.T @ inverse @ p.S_psi, p.C_psi.T @ inverse @ p.S_psi
    w2, turned = p.psi_dot**2, inverse @ p.torque
    return {
        "3.67": (p.theta_dot**2 / p.l, -p.H @ g, p.C_psi.T @ w2, p.S_psi.T @ p.psi_ddot, -Fn),
        "3.68": (p.theta_ddot, -p.K @ g, -p.S_psi.T @ w2, p.C_psi.T @ p.psi_ddot, Ft),
        "3.69": (p.inertia @ p.psi_ddot, p.S_psi @ g, -p.torque),
        "3.70": (p.theta_dot**2 / p.l, -(p.H + H_psi) @ g, -Fn, p.C_psi.T @ w2, p.S_psi.T @ turned),
        "3.71": (p.theta_ddot, -(p.K + K_psi) @ g, Ft, -p.S_psi.T @ w2, p.C_psi.T @ turned),
    }


def hinge_equations(p: Plane) -> Terms:
    """(3.76)-(3.84): revolute joints, links of no length."""
    x, y = p.pulls(lambda name, axis: f"{name}.force.{axis}")
    inverse, w2 = np.linalg.inv(p.inertia), p.psi_dot**2
    H, K = p.Sr.T @ inverse @ p.Sr, p.Cr.T @ inverse @ p.Cr
    D1, D2 = p.Sr.T @ inverse @ p.Cr, p.Cr.T @ inverse @ p.Sr
    bx, by = (p.E.T @ np.linalg.solve(p.mass, part) for part in p.f)
    whole = np.block([[p.V + H, -D1], [-D2, p.V + K]])
    right = np.concatenate([-bx + p.Sr.T @ inverse @ p.torque + p.Cr.T @ w2,
                            -by - p.Cr.T @ inverse @ p.torque + p.Sr.T @ w2])
    gn, gt = p.split(x, y)
    return {
        "3.76": ((p.V + H) @ x, -D1 @ y, bx, -p.Sr.T @ inverse @ p.torque, -p.Cr.T @ w2),
        "3.77": (-D2 @ x, (p.V + K) @ y, by, p.Cr.T @ inverse @ p.torque, -p.Sr.T @ w2),
        "3.80": (np.linalg.solve(whole, right), -np.concatenate([x, y])),
        "3.82": (p.inertia @ p.psi_ddot, p.Sr @ x, -p.Cr @ y, -p.torque),
        "3.83-3.84": (p.H @ gn, p.K @ gt, -p.C_psi.T @ w2, -p.S_psi.T @ p.psi_ddot, p.forces[0]),  # (3.61) with l = 0
    }


def ball_equations(scene: Scene, balls: Sequence[str], joined: Sequence[tuple[str, str | None, str]]) -> Terms:
    """(3.85)-(3.97): balls that touch in space without friction."""
    measured = Measured.of(scene)
    masses = np.array([scene.body[name].properties().mass for name in balls])  # type: ignore[attr-defined]
    E = np.zeros((len(balls), len(joined)))
    for i, (_, tail, head) in enumerate(joined):
        E[balls.index(head), i] = -1.0
        if tail is not None:
            E[balls.index(tail), i] = 1.0
    g = np.array([-measured.reactions[f"{name}.normal"] for name, _, _ in joined])  # contacts press
    x, v, a = (np.array([measured.vector(kind, ball, 3) for ball in balls]).T for kind in "qva")
    X, U, A = (-part @ E for part in (x, v, a))  # along the links; the ground ball is at the origin
    l = np.linalg.norm(X, axis=0)
    sin_phi, theta = np.hypot(X[0], X[1]) / l, np.arctan2(X[1], X[0])
    C, S, Cp, Sp = (np.diag(part) for part in (np.cos(theta), np.sin(theta), X[2] / l, sin_phi))
    L, V = np.diag(l), E.T @ np.diag(1.0 / masses) @ E
    H, K = C @ V @ C + S @ V @ S, S @ V @ C - C @ V @ S
    e_phi, e_theta = (Cp @ C, Cp @ S, -Sp), (-S, C, np.zeros_like(S))
    phi_dot = sum(e @ u for e, u in zip(e_phi, U, strict=True)) / l
    theta_dot = sum(e @ u for e, u in zip(e_theta, U, strict=True)) / (l * sin_phi)
    a_phi, a_theta = (sum(e @ u for e, u in zip(way, A, strict=True)) for way in (e_phi, e_theta))
    b = [E.T @ (part / masses) for part in np.outer((0.0, 0.0, -GRAVITY), masses)]
    e_n = (Sp @ C, Sp @ S, Cp)
    Fn, Fp, Ft = (sum(e @ part for e, part in zip(way, b, strict=True)) for way in (e_n, e_phi, e_theta))
    H_phi, K_phi = Cp @ V @ Cp + Sp @ H @ Sp, Sp @ V @ Cp - Cp @ H @ Sp
    f = np.outer((0.0, 0.0, -GRAVITY), masses)
    return {
        "3.85": (L @ phi_dot**2, L @ Sp @ Sp @ theta_dot**2, -H_phi @ g, -Fn),
        "3.86": (a_phi, -K_phi @ g, Fp),
        "3.87": (a_theta, -K @ Sp @ g, Ft),
        "3.94": (H_phi @ g, -(U**2).sum(axis=0) / l, Fn),
        "3.95": (masses * a[0], -E @ Sp @ C @ g, -f[0]),
        "3.96": (masses * a[1], -E @ Sp @ S @ g, -f[1]),
        "3.97": (masses * a[2], -E @ Cp @ g, -f[2]),
    }


_DISKS: dict[str, list[tuple[float, float, float]]] = {
    "one": [(0.0, 0.0, 0.3), (0.45, 0.1, 0.25), (0.1, 0.5, 0.2)],
    "two": [(0.0, 0.0, 0.25), (0.4, 0.1, 0.3)],
    "three": [(0.0, 0.0, 0.2), (-0.2, 0.3, 0.25), (0.1, 0.35, 0.2)],
}
"""Quasi-rigid bodies: centres and radii of their disks [m]."""
_BASE = 0.5
"""Radius of the disk of the ground [m]."""
_FAR_ENDS = {"one": (0.4, -0.2), "two": (0.3, 0.1)}
"""Of the bodies with connectors, from the mass centre in body axes [m]."""
_TORQUES = (1.5, -0.7, 0.4)
"""On the bodies [N m]."""


def _clump(name: str) -> Clump:
    return Clump(disks=tuple(Part(centre=(x, y), radius=r) for x, y, r in _DISKS[name]), density=100.0)


def three_bodies(kind: str) -> tuple[Scene, list[str], list[Joined]]:
    """Figure 3.4: a disk of the ground, body one on it, bodies two and three on body one; `kind` of contact."""
    angles, directions = {"one": 0.4, "two": -0.6, "three": 1.1}, (1.3, 0.5, 2.0)
    pairs = ((None, 0, "one", 0), ("one", 1, "two", 0), ("one", 2, "three", 0))
    body: dict[str, Any] = {"origin": fixed_point(0.0, 0.0),
                            "base": {"kind": "disk", "radius": _BASE, "mass": 1.0}}
    constraint: dict[str, Any] = {"held": {"kind": "glue", "between": ("origin", "base")}}
    start: dict[str, Any] = {"base": {"position": (0.0, 0.0)}}
    joined: list[Joined] = []
    centres: dict[str, Floats] = {}
    for k, ((tail, i, head, j), direction) in enumerate(zip(pairs, directions, strict=True), 1):
        near = np.zeros(2) if tail is None else rotated(angles[tail], _arm(tail, i))
        from_, l_tail = (np.zeros(2), _BASE) if tail is None else (centres[tail], _DISKS[tail][i][2])
        l_head = _DISKS[head][j][2]
        reach = (l_tail + l_head) * np.array([math.cos(direction), math.sin(direction)])
        centres[head] = from_ + near + reach - rotated(angles[head], _arm(head, j))
        body[head] = {"kind": "clump", **_clump(head).model_dump(include={"disks", "density"})}
        start[head] = {"position": tuple(centres[head]), "angle": angles[head],
                       "angular_velocity": (2.0, -1.0, 3.0)[k - 1]}
        constraint[f"contact-{k}"] = {"kind": kind, "body": f"{head}.{j + 1}",
                                      "on": f"{tail}.{i + 1}" if tail else "base",
                                      **({"friction": FRICTION} if kind == "sliding" else {})}
        joined.append(Joined(f"contact-{k}", tail, head, (0.0, 0.0) if tail is None else _arm(tail, i), _arm(head, j),
                             l_tail, l_head))
    return _scene(body, constraint, start, list(angles)), list(angles), joined


def _arm(name: str, part: int) -> tuple[float, float]:
    """A disk of a quasi-rigid body, from its mass centre in body axes."""
    x, y, _ = _clump(name).fixed_points()[str(part + 1)]
    return x, y


def _moved(omega: float, r: Floats) -> Floats:
    """ω × r."""
    return omega * np.array([-r[1], r[0]])


def _scene(body: dict[str, Any], constraint: dict[str, Any], start: dict[str, Any], turned: Sequence[str],
           link: dict[str, Any] | None = None) -> Scene:
    loads = gravity()
    for name, torque in zip(turned, _TORQUES, strict=False):
        loads[f"turn-{name}"] = {"kind": "torque", "on": name, "torque": torque}
    return Scene(body=body, constraint=constraint, start=start, load=loads, link=link or {})


def two_bodies(kind: str) -> tuple[Scene, list[str], list[Joined]]:
    """Figures 3.5 and 3.6: body one on the ground, body two on body one, by link connectors or revolute joints."""
    arms = {"one": ((-0.3, 0.1), _FAR_ENDS["one"]), "two": ((-0.25, -0.15), _FAR_ENDS["two"])}
    angles, turning = {"one": 0.5, "two": -0.8}, {"one": 1.5, "two": -2.5}
    links = np.array([[0.5, -0.3], [0.6, 0.4]]) if kind == "link" else np.zeros((2, 2))
    centre_one = links[0] - rotated(0.5, arms["one"][0])
    centre_two = centre_one + rotated(0.5, arms["one"][1]) + links[1] - rotated(-0.8, arms["two"][0])
    body: dict[str, Any] = {"ground": fixed_point(0.0, 0.0)}
    start: dict[str, Any] = {}
    for name, centre, mass, inertia in (("one", centre_one, 2.0, 0.3), ("two", centre_two, 1.5, 0.2)):
        body[name] = RigidBody(mass=mass, inertia=inertia, points={"a": arms[name][0], "b": arms[name][1]}).model_dump()
        start[name] = {"position": tuple(centre), "angle": angles[name], "angular_velocity": turning[name]}
    ends = {"joint-1": ("ground", "one.a"), "joint-2": ("one.b", "two.a")}
    joined = [Joined("joint-1", None, "one", (0.0, 0.0), arms["one"][0]),
              Joined("joint-2", "one", "two", arms["one"][1], arms["two"][0])]
    if kind == "link":  # the links turn by 1.2 and -0.7 rad/s, the bodies as given
        v_one = _moved(1.2, links[0]) - _moved(turning["one"], rotated(0.5, arms["one"][0]))
        v_two = (v_one + _moved(turning["one"], rotated(0.5, arms["one"][1])) + _moved(-0.7, links[1])
                 - _moved(turning["two"], rotated(-0.8, arms["two"][0])))
        start["one"]["velocity"], start["two"]["velocity"] = tuple(v_one), tuple(v_two)
        link = {name: {"between": between} for name, between in ends.items()}
        return _scene(body, {}, start, list(angles), link), list(angles), joined
    hinges = {name: hinge(*between) for name, between in ends.items()}
    return _scene(body, hinges, start, list(angles)), list(angles), joined


def three_balls(closed: bool) -> tuple[Scene, list[str], list[tuple[str, str | None, str]]]:
    """Figure 3.7: ball one on a ball of the ground, two balls on ball one; or three that touch, in flight."""
    radii, balls = {"base": 0.4, "one": 0.3, "two": 0.25, "three": 0.2}, ["one", "two", "three"]
    body: dict[str, Any] = {name: {"kind": "sphere", "radius": radii[name], "mass": m}
                            for name, m in zip(balls, (2.0, 1.5, 1.0), strict=True)}
    constraint: dict[str, Any] = {}
    at = {"one": (radii["base"] + radii["one"]) * _direction(0.5, 0.8)}
    pairs: list[tuple[str | None, str]]
    if closed:
        a, b, c = (radii[p] + radii[q] for p, q in (("one", "two"), ("one", "three"), ("two", "three")))
        e = _direction(1.1, 0.3)
        f = np.cross(e, _direction(0.4, 2.0))
        f /= np.linalg.norm(f)
        x = (a * a + b * b - c * c) / (2.0 * a)
        at["two"], at["three"] = at["one"] + a * e, at["one"] + x * e + math.sqrt(b * b - x * x) * f
        pairs = [("one", "two"), ("two", "three"), ("three", "one")]
    else:
        body["base"] = {"kind": "sphere", "radius": radii["base"], "mass": 1.0}
        body["origin"] = fixed_point(0.0, 0.0, 0.0)
        constraint["held"] = {"kind": "glue", "between": ("origin", "base")}
        at |= {"base": np.zeros(3)}
        at["two"] = at["one"] + (radii["one"] + radii["two"]) * _direction(1.2, 2.0)
        at["three"] = at["one"] + (radii["one"] + radii["three"]) * _direction(0.7, -1.0)
        pairs = [(None, "one"), ("one", "two"), ("one", "three")]
    for k, (tail, head) in enumerate(pairs, 1):
        constraint[f"contact-{k}"] = {"kind": "sliding", "body": head, "on": tail or "base"}
    start: dict[str, Any] = {name: {"position": tuple(x)} for name, x in at.items()}
    start["three"]["velocity"] = _across(at["three"] - at["one"])
    scene = Scene(body=body, constraint=constraint, start=start,
                  load=gravity(3))
    return scene, balls, [(f"contact-{k}", tail, head) for k, (tail, head) in enumerate(pairs, 1)]


def _direction(phi: float, theta: float) -> Floats:
    return np.array([math.sin(phi) * math.cos(theta), math.sin(phi) * math.sin(theta), math.cos(phi)])


def _across(n: Floats) -> tuple[float, ...]:
    """A velocity across a direction [m/s]."""
    v = np.cross(n / np.linalg.norm(n), (0.3, -0.5, 0.8))
    return tuple((1.4 * v / np.linalg.norm(v)).tolist())


_SYSTEMS: dict[str, tuple[str, Callable[[], Terms]]] = {
    "three-bodies rolling": ("fig 3.4", lambda: _contact_terms("rolling")),
    "three-bodies sliding": ("fig 3.4", lambda: _contact_terms("sliding")),
    "link-connectors": ("fig 3.5", lambda: connector_equations(_plane(two_bodies("link")))),
    "revolute-joints": ("fig 3.6", lambda: hinge_equations(_plane(two_bodies("hinge")))),
    "three-balls": ("fig 3.7", lambda: ball_equations(*three_balls(False))),
    "three-balls in a ring": ("fig 3.7", lambda: ball_equations(*three_balls(True))),
}


def _plane(joined_scene: tuple[Scene, list[str], list[Joined]]) -> Plane:
    scene, bodies, joined = joined_scene
    return Plane(scene, bodies, joined, _TORQUES[: len(bodies)])


def _contact_terms(kind: str) -> Terms:
    return contact_equations(_plane(three_bodies(kind)), kind == "sliding")


def compute(sheet: Sheet, quick: bool) -> list[Figure]:
    """Residuals of all equations; all of it is quick."""
    for system, (figure, terms) in _SYSTEMS.items():
        for equation, (residual, scale) in left_over(terms()).items():
            size = float(np.abs(residual).max()) / scale
            right = equation in AS_PRINTED
            sheet.compare(
                f"residual {system} eq={equation}", f"{SOURCE}, {figure}", size, 0.0, ALLOWED,
                "Accelerations and reactions of newton-euler for rigid bodies and joints, inserted into the equation; "
                "largest residual relative to the largest term. The source gives no data; these are our own.",
                unit="-", published=0.0 if right else None, published_allowed=ALLOWED,
                corrected=not right and equation != "Coulomb")
    return [_drawn()]


CASE = Case("rigid-bodies", "Bodies in contact, with link connectors, with revolute joints, and spheres in 3-D: "
                            "equations 3.61-3.97", "Sun (1996), §3.5, figs. 3.4-3.7", ("fig-3-4-to-3-7",), compute)


def _circle(x: Floats, radius: float) -> tuple[Floats, Floats]:
    turn = np.linspace(0.0, 2.0 * math.pi, 61)
    return x[0] + radius * np.cos(turn), x[1] + radius * np.sin(turn)


def _drawn() -> Figure:
    """The systems that are computed: figures 3.4, 3.5 and 3.6 of the document are pictures of such."""
    rolling = [Curve("ground", *_circle(np.zeros(2), _BASE))]
    scene, bodies, _ = three_bodies("rolling")
    for name in bodies:
        rims = [_circle(_place(scene, name, _arm(name, k)), disk[2]) for k, disk in enumerate(_DISKS[name])]
        x, y = (np.concatenate([np.append(rim[axis], np.nan) for rim in rims]) for axis in (0, 1))
        rolling.append(Curve(name, x, y))
    panels = [Panel("x [m]", "y [m]", tuple(rolling), title="3.4: bodies rolling on one another", equal=True)]
    for kind, title in (("link", "3.5: link connectors"), ("hinge", "3.6: revolute joints")):
        scene, bodies, joined = two_bodies(kind)
        curves, ends = [], []
        for name, one in zip(bodies, joined, strict=True):
            ends += [_place(scene, one.tail, one.near), _place(scene, one.head, one.far), np.full(2, np.nan)]
            outline = np.array([_place(scene, name, arm) for arm in (one.far, (0.0, 0.0), _FAR_ENDS[name])])
            curves.append(Curve(name, outline[:, 0], outline[:, 1], "points"))
        drawn = np.array(ends)
        curves.append(Curve(f"{kind}s", drawn[:, 0], drawn[:, 1], "dashed points"))
        panels.append(Panel("x [m]", "y [m]", tuple(curves), title=title, equal=True))
    panels.append(_balls())
    return Figure("fig-3-4-to-3-7", "Systems of figures 3.4-3.7, with our own data", tuple(panels), rows=2)


def _balls() -> Panel:
    """Figure 3.7 in space: three great circles of each ball, and the lines between centres."""
    scene, _, _ = three_balls(False)
    turn = np.linspace(0.0, 2.0 * math.pi, 41)
    ring, curves = np.column_stack([np.cos(turn), np.sin(turn), 0.0 * turn]), []
    for name, body in scene.body.items():
        position = scene.start[name].position if name in scene.start else None
        if isinstance(body, Sphere) and position is not None:
            line = np.concatenate([np.vstack([np.array(position) + body.radius * np.roll(ring, k, axis=1),
                                              np.full(3, np.nan)]) for k in range(3)])
            curves.append(Curve("ground" if name == "base" else name, line[:, 0], line[:, 1], z=line[:, 2]))
    return Panel("x [m]", "y [m]", tuple(sorted(curves, key=lambda curve: curve.label != "ground")),
                 title="3.7: spheres on one another", equal=True, z_label="z [m]")


def _place(scene: Scene, name: str | None, arm: tuple[float, float]) -> Floats:
    """A point of a body at the start, or of the ground."""
    if name is None:
        return np.array(arm)
    start = scene.start[name]
    assert start.position is not None and start.angle is not None
    return np.array(start.position) + rotated(start.angle, arm)
