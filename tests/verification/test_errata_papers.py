"""Proof of the corrections to four papers that Granum relies on.

Vinogradov: scalar equations of bodies made of spheres. Udwadia and Mogharabin (2022): rolling shell with singular mass
matrix. Nguyen Van Khang: Gibbs-Appell. Souchet: virtual work and friction.

Nothing of Granum is imported, on purpose. The truth never comes from the formula under test: kinematics from sympy, the
rolling shell from Newton's and Euler's laws with the contact force as unknown, Gibbs' function from a body of many
particles.
"""

from collections.abc import Callable
from types import SimpleNamespace

import numpy as np
import pytest
import sympy as sp
from numpy.linalg import matrix_rank, norm, pinv, solve

Array = np.ndarray

# Round-off: eps = 2e-16 times terms of size up to 1e2 times condition numbers up to some 1e2. Accelerations of the
# rolling shell and its contact are of size 1e2 to 1e4 and are divided by 100 first.
TOL = 1e-11
# A printed form must miss by more than this.
VISIBLE = 1e-3

seeds = pytest.mark.parametrize("seed", range(4))
time = sp.Symbol("t")


def small(*values: object) -> None:
    """All are zero to round-off."""
    for value in values:
        assert np.abs(np.asarray(value, dtype=float)).max() < TOL


def proves(right: object, printed: object) -> None:
    """The corrected form holds, the printed one visibly does not."""
    small(right)
    assert np.abs(np.asarray(printed, dtype=float)).max() > VISIBLE


def moving(names: str) -> list[sp.Expr]:
    """Unknown functions of time."""
    return [sp.Function(name)(time) for name in names.split()]


def numbers(rng: np.random.Generator, functions: list[sp.Expr]) -> dict[sp.Expr, float]:
    """Random values of functions and of their first two derivatives."""
    return {f.diff(time, k) if k else f: sp.Float(rng.uniform(0.3, 1.2)) for k in (2, 1, 0) for f in functions}


def at(formulas: object, values: dict[sp.Expr, float]) -> Array:
    """Numbers of formulas."""
    return np.array(sp.Matrix(formulas).xreplace(values).evalf(), dtype=float).squeeze()


def zxz(psi: sp.Expr, theta: sp.Expr, phi: sp.Expr) -> sp.Matrix:
    """Body axes to inertial axes by Euler's angles."""
    def turn(angle: sp.Expr, about: int) -> sp.Matrix:
        c, s = sp.cos(angle), sp.sin(angle)
        i, j = [k for k in range(3) if k != about]
        R = sp.eye(3)
        R[i, i], R[j, j], R[i, j], R[j, i] = c, c, -s, s
        return R

    return turn(psi, 2) * turn(theta, 0) * turn(phi, 2)


def axial(W: sp.Matrix) -> sp.Matrix:
    """Vector of a skew matrix."""
    return sp.Matrix([W[2, 1], W[0, 2], W[1, 0]])


# ---- Vinogradov


def test_vinogradov_4_angular_velocity() -> None:
    """Vinogradov (4): psi without a dot; right: psi-dot, and then it is the angular velocity in body axes."""
    psi, theta, phi = angles = moving("psi theta phi")
    R, values = zxz(*angles), numbers(np.random.default_rng(0), angles)

    def form(psid: sp.Expr) -> sp.Matrix:
        thd, phd = theta.diff(time), phi.diff(time)
        return sp.Matrix([psid * sp.sin(theta) * sp.sin(phi) + thd * sp.cos(phi),
                          psid * sp.sin(theta) * sp.cos(phi) - thd * sp.sin(phi), phd + psid * sp.cos(theta)])

    truth = axial(R.T * R.diff(time))
    proves(at(truth - form(psi.diff(time)), values), at(truth - form(psi), values))


def test_vinogradov_16_second_derivative() -> None:
    """Vinogradov (16): last entry 2 e_,phiphi; right: e_,phiphi. The other entries of b_j, those of e, are right."""
    angles = psi, theta, phi = moving("psi theta phi")
    e = zxz(*angles) * sp.Matrix([0.3, -0.7, 0.4])
    values = numbers(np.random.default_rng(1), angles)
    bias = e.diff(time, 2) - sum((e.diff(q) * q.diff(time, 2) for q in angles), sp.zeros(3, 1))
    pairs = [(psi, psi, 1), (psi, theta, 2), (theta, theta, 1), (psi, phi, 2), (theta, phi, 2)]
    others = sum((n * e.diff(a, b) * a.diff(time) * b.diff(time) for a, b, n in pairs), sp.zeros(3, 1))
    last = e.diff(phi, 2) * phi.diff(time) ** 2
    proves(at(bias - others - last, values), at(bias - others - 2 * last, values))


def three_spheres(seed: int) -> SimpleNamespace:
    """The example of sec 5: generalised inertial forces sum m dr/dq . rdd (5) and forces sum dr/dq . F (6)."""
    rng = np.random.default_rng(seed)
    q = moving("a1 b1 a2 b2 a3 b3")
    m, c = rng.uniform(0.5, 2.0, 3), rng.uniform(0.5, 1.5, 3)
    F, values = rng.normal(size=(3, 3)), numbers(rng, q)
    arm = [c[k] * sp.Matrix([sp.sin(q[2 * k + 1]) * sp.cos(q[2 * k]), sp.sin(q[2 * k + 1]) * sp.sin(q[2 * k]),
                             sp.cos(q[2 * k + 1])]) for k in range(3)]
    r = [arm[0], arm[0] + arm[1], arm[0] + arm[2]]
    slopes = [at(x.jacobian(q), values) for x in r]
    inertia = sum(m[k] * slopes[k].T @ at(r[k].diff(time, 2), values) for k in range(3))
    force = sum(slopes[k].T @ F[k] for k in range(3))
    now, dot, dotdot = ([float(values[x.diff(time, k) if k else x]) for x in q] for k in range(3))
    return SimpleNamespace(m=m, c=c, F=F, inertia=inertia, force=force, q=now, v=dot, w=dotdot)


PRINTED_000 = ["49 m1", "49 beta2", "50 m1", "50 factor 2", "51 c2", "55 eta22", "55 eta23", "56 mu22", "56 mu23",
               "57 eta31", "58 mu32", "59 eta41", "60 mu41"]


def rows_49_52(s: SimpleNamespace, printed: str = "") -> Array:
    """Left sides of Vinogradov (49)-(52) with (53)-(60), without the overall minus; one place as printed."""
    a1, b1, a2, b2, a3, b3 = s.q
    A1, B1, A2, B2, A3, B3 = s.v
    AA1, BB1, AA2, BB2, AA3, BB3 = s.w
    (m1, m2, m3), (c1, c2, c3), sin, cos = s.m, s.c, np.sin, np.cos

    def as_printed(place: str) -> bool:
        return printed == place

    def sign(place: str) -> float:
        return -1.0 if as_printed(place) else 1.0

    M49, M50 = (m1 if as_printed(f"{row} m1") else m1 + m2 + m3 for row in (49, 50))
    two = 1.0 if as_printed("50 factor 2") else 2.0

    def alpha_1(mj: float, cj: float, aj: float, bj: float, Aj: float, Bj: float, AAj: float, BBj: float) -> float:
        eta_a, eta_b = sin(b1) * sin(bj) * cos(aj - a1), sin(b1) * cos(bj) * sin(aj - a1)
        mu_a, mu_ab = sin(b1) * sin(bj) * sin(a1 - aj), sin(b1) * cos(bj) * cos(a1 - aj)
        return mj * c1 * cj * (eta_a * AAj + eta_b * BBj + mu_a * Aj**2 + 2 * mu_ab * Aj * Bj + mu_a * Bj**2)

    def beta_1(j: int, mj: float, cj: float, aj: float, bj: float, Aj: float, Bj: float, AAj: float,
               BBj: float) -> float:
        eta_a = sign(f"55 eta2{j}") * cos(b1) * sin(bj) * sin(a1 - aj)
        eta_b = cos(b1) * cos(bj) * cos(a1 - aj) + sin(b1) * sin(bj)
        mu_a, mu_ab = -cos(b1) * sin(bj) * cos(a1 - aj), sign(f"56 mu2{j}") * cos(b1) * cos(bj) * sin(a1 - aj)
        mu_b = -cos(b1) * sin(bj) * cos(a1 - aj) + sin(b1) * cos(bj)
        return mj * c1 * cj * (eta_a * AAj + eta_b * BBj + mu_a * Aj**2 + two * mu_ab * Aj * Bj + mu_b * Bj**2)

    third = BB2 if as_printed("49 beta2") else BB3
    row_49 = (M49 * c1**2 * (sin(b1) ** 2 * AA1 + sin(2 * b1) * A1 * B1)
              + alpha_1(m2, c2, a2, b2, A2, B2, AA2, BB2) + alpha_1(m3, c3, a3, b3, A3, B3, AA3, third))
    row_50 = (M50 * c1**2 * (BB1 - 0.5 * sin(2 * b1) * A1**2)
              + beta_1(2, m2, c2, a2, b2, A2, B2, AA2, BB2) + beta_1(3, m3, c3, a3, b3, A3, B3, AA3, BB3))
    mu_31 = sin(b1) * sin(b2) * sin(a2 - a1)
    mu_32 = (0.5 if as_printed("58 mu32") else 1.0) * sin(2 * b2)
    row_51 = m2 * c2 * (
        c1 * (sin(b1) * sin(b2) * cos(a2 - a1) * AA1 + sign("57 eta31") * cos(b1) * sin(b2) * sin(a1 - a2) * BB1)
        + c2 * sin(b2) ** 2 * AA2
        + c1 * (mu_31 * A1**2 + 2 * cos(b1) * sin(b2) * cos(a2 - a1) * A1 * B1 + mu_31 * B1**2)
        + (1.0 if as_printed("51 c2") else c2) * mu_32 * A2 * B2)
    mu_41 = (-sin(b1) if as_printed("60 mu41") else cos(b1)) * cos(b2) * sin(a2 - a1)
    row_52 = m2 * c2 * (
        c1 * (sign("59 eta41") * sin(b1) * cos(b2) * sin(a2 - a1) * AA1
              + (cos(b1) * cos(b2) * cos(a2 - a1) + sin(b1) * sin(b2)) * BB1)
        + c2 * BB2 - c1 * sin(b1) * cos(b2) * cos(a2 - a1) * A1**2 + 2 * c1 * mu_41 * A1 * B1
        + c1 * (-sin(b1) * cos(b2) * cos(a2 - a1) + cos(b1) * sin(b2)) * B1**2 - c2 * 0.5 * sin(2 * b2) * A2**2)
    return np.array([row_49, row_50, row_51, row_52])


@seeds
def test_vinogradov_49_60_three_spheres(seed: int) -> None:
    """Vinogradov (49)-(60): thirteen errors; each printed form fails alone. The minus of (49)-(52) has to go."""
    s = three_spheres(seed)
    small(rows_49_52(s) - s.inertia[:4])
    assert np.abs(-rows_49_52(s) - s.inertia[:4]).max() > VISIBLE
    for place in PRINTED_000:
        assert np.abs(rows_49_52(s, place) - s.inertia[:4]).max() > VISIBLE / 10, place


@seeds
def test_vinogradov_39_63_forces(seed: int) -> None:
    """Vinogradov (39): F1 + F2 + F3 for all i; right: sum p_ik F_k. (63): sign of F_2x; (61), (62), (64) are right."""
    s = three_spheres(seed)
    (c1, c2, _), (a1, b1, a2, b2), (x, y, z) = s.c, s.q[:4], s.F.sum(0)
    slope = c2 * np.array([-np.sin(a2) * np.sin(b2), np.cos(a2) * np.sin(b2), 0.0])
    proves(slope @ s.F[1] - s.force[2], slope @ s.F.sum(0) - s.force[2])
    right = c2 * (-s.F[1, 0] * np.sin(a2) + s.F[1, 1] * np.cos(a2)) * np.sin(b2)
    printed = -c2 * (s.F[1, 0] * np.sin(a2) + s.F[1, 1] * np.cos(a2)) * np.sin(b2)
    proves(right - s.force[2], printed - s.force[2])
    small(c1 * (-x * np.sin(a1) + y * np.cos(a1)) * np.sin(b1) - s.force[0],
          c1 * (x * np.cos(a1) + y * np.sin(a1)) * np.cos(b1) - c1 * z * np.sin(b1) - s.force[1],
          c2 * (s.F[1] @ [np.cos(a2) * np.cos(b2), np.sin(a2) * np.cos(b2), -np.sin(b2)]) - s.force[3])


@seeds
def test_vinogradov_25_29_generalised_masses(seed: int) -> None:
    """Vinogradov (25)-(28): [M_ii b_i^T], [M_ii a_i^T]; right: [M_in b_n^T], [M_in a_n^T], n = 1..N, with (48) M_in.

    Truth: sum m_k dr_k/dq . rdd_k for random s and path matrices of trees; M_in is then sum_k m_k p_ik p_nk.
    """
    rng = np.random.default_rng(seed)
    P, m = np.array([[1, 1, 1, 1], [0, 1, 0, 1], [0, 0, 1, 0], [0, 0, 0, 1]]), rng.uniform(0.5, 2.0, 4)
    sdd, slope = rng.normal(size=(4, 3)), rng.normal(size=3)
    M = P @ np.diag(m) @ P.T
    truth = [sum(m[k] * P[i, k] * slope @ (P[:, k] @ sdd) for k in range(4)) for i in range(4)]
    proves(M @ sdd @ slope - truth, np.diag(M) * (sdd @ slope) - truth)


# ---- Udwadia and Mogharabin (2022)

BOWL = "Z - 0.04*sin(1.2*sqrt(2)*pi*X)/(1 + X**2) - 0.05*sin(1.6*pi*Y)/(1 + Y**2) - 0.03*(X**2 + Y**2)"


def skew(a: Array) -> Array:
    """a~ of (28)."""
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


def e_matrix(u: Array) -> Array:
    """E of (1)."""
    a, b, c, d = u
    return np.array([[-b, a, d, -c], [-c, -d, a, b], [-d, c, -b, a]])


def rotation(u: Array) -> Array:
    """Rotation by Rodrigues' form, not by (23)."""
    return (u[0] ** 2 - u[1:] @ u[1:]) * np.eye(3) + 2 * np.outer(u[1:], u[1:]) + 2 * u[0] * skew(u[1:])


def surface(text: str = BOWL) -> Callable[[Array, Array], list[Array]]:
    """k, dk/dalpha and its rate, n, dn/dalpha, and the second derivative of n along alpha-dot, all by sympy."""
    X = sp.symbols("X Y Z")
    V = sp.symbols("U V W")
    k = sp.Matrix([sp.sympify(text).diff(x) for x in X])
    n = k / sp.sqrt(k.dot(k))

    def along(f: sp.Matrix) -> sp.Matrix:
        return sum((f.diff(x) * v for x, v in zip(X, V, strict=True)), sp.zeros(*f.shape))

    slope = k.jacobian(X)
    program = sp.lambdify([X, V], [k, slope, along(slope), n, n.jacobian(X), along(along(n))], cse=True)
    return lambda a, v: [np.array(x, dtype=float).squeeze() for x in program(a, v)]


bowl = surface()
m, r, g, J, rho = 8.3, 0.09, 9.81, np.diag([0.0404, 0.0401, 0.0398]), np.array([-0.006, 0.002, 0.004])


def shell(seed: int) -> SimpleNamespace:
    """A rolling shell in a random state: positions, rates, accelerations and contact force by Newton and Euler."""
    rng = np.random.default_rng(seed)
    a = np.array([*rng.uniform(-1.0, 1.0, 2), 0.0])
    u = rng.normal(size=4)
    u /= norm(u)
    S, E = rotation(u), e_matrix(u)
    n = bowl(a, np.zeros(3))[3]
    turning = rng.normal(size=3) * 8.0  # S omega
    O_v = np.cross(turning, r * n)
    Jf = np.eye(3) + r * bowl(a, np.zeros(3))[4]
    a_v = solve(Jf, O_v)
    k, kd, kdd, n, dn, bend = bowl(a, a_v)
    arm, nd, inertia = S @ rho, dn @ a_v, S @ J @ S.T
    # unknowns: angular acceleration w and contact force F
    whirl = np.cross(turning, r * nd) + np.cross(turning, np.cross(turning, arm))
    top = np.hstack([-m * skew(r * n + arm), -np.eye(3)])
    bottom = np.hstack([inertia, skew(arm + r * n)])
    right = np.concatenate([[0.0, 0.0, -m * g] - m * whirl, -np.cross(turning, inertia @ turning)])
    w, F = np.split(solve(np.vstack([top, bottom]), right), 2)
    O_a = np.cross(w, r * n) + np.cross(turning, r * nd)
    omega, wd = S.T @ turning, S.T @ w
    ud = 0.5 * E.T @ omega
    udd = 0.5 * E.T @ wd - (ud @ ud) * u
    a_a = solve(Jf, O_a - r * bend)
    C_v, C_a = O_v + np.cross(turning, arm), O_a + np.cross(w, arm) + np.cross(turning, np.cross(turning, arm))
    return SimpleNamespace(**locals())


def centre_slope(u: Array) -> Array:
    """(24): derivative of S rho with respect to u, by complex steps of (23) in Rodrigues' form."""
    columns = []
    for j in range(4):
        z = u.astype(complex)
        z[j] += 1e-30j
        S = (z[0] ** 2 - z[1:] @ z[1:]) * np.eye(3) + 2 * np.outer(z[1:], z[1:])
        S = S + 2 * z[0] * np.array([[0, -z[3], z[2]], [z[3], 0, -z[1]], [-z[2], z[1], 0]])
        columns.append((S @ rho).imag / 1e-30)
    return np.array(columns).T


def rows(s: SimpleNamespace) -> tuple[dict[str, Array], dict[str, Array]]:
    """A and b of (16), (18), (21), (26), (31), (35), (41), corrected."""
    O33, O34, one = np.zeros((3, 3)), np.zeros((3, 4)), np.eye(3)
    ndot, root = s.dn @ s.a_v, np.sqrt(s.k @ s.k)
    kdot = s.kd @ s.a_v
    Delta = (one - np.outer(s.k, s.k) / (s.k @ s.k)) / root
    delta = (3 * (kdot @ s.k) ** 2 / (s.k @ s.k) - kdot @ kdot) / root**3
    step = 1e-5
    rate = (centre_slope(s.u + step * s.ud) - centre_slope(s.u - step * s.ud)) / (2 * step)  # C_1 is linear in u: exact
    A = {
        "1": np.concatenate([[0] * 3, s.u, [0] * 6])[None], "2": np.concatenate([[0] * 7, s.k, [0] * 3])[None],
        "3": np.hstack([O33, O34, one + r * Delta @ s.kd, -one]), "4": np.hstack([-one, centre_slope(s.u), O33, one]),
        "5": np.hstack([O33, 2 * r * skew(s.n) @ s.S @ s.E, O33, one]),
        "E": np.concatenate([m * s.C_v, 4 * s.ud @ s.E.T @ J @ s.E, [0] * 6])[None],
        "NS": np.concatenate([[0] * 3, s.k @ s.S @ s.E, [0] * 6])[None],
    }
    b = {
        "1": np.array([-s.ud @ s.ud]), "2": np.array([-kdot @ s.a_v]),
        "3": -r * (Delta @ s.kdd @ s.a_v + s.k * delta - 2 * (kdot @ s.k) / root**3 * kdot),
        "3 printed": -r * (Delta @ s.kdd @ s.a_v + s.k * delta - 2 * (s.k @ s.k) / root**3 * kdot),
        "4": -rate @ s.ud, "5": -2 * r * skew(ndot) @ s.S @ s.E @ s.ud,
        "5 printed": -2 * r * skew(s.n) @ s.S @ s.E @ s.ud, "E": np.array([-m * g * s.C_v[2]]),
        "E printed": np.array([m * g * (s.a[2] + r * s.n[2] + s.arm[2])]),
        "NS": np.array([-s.a_v @ s.kd @ s.S @ s.E @ s.ud]),
    }
    return A, b


def accelerations(s: SimpleNamespace) -> Array:
    """q-ddot of (9): w_C, u, alpha, beta."""
    return np.concatenate([s.C_a, s.udd, s.a_a, s.O_a])


@seeds
def test_udwadia_2_kinetic_energy(seed: int) -> None:
    """Udwadia (2): last form 2 ud^T Ed^T J E ud, which vanishes; right: 2 u^T Ed^T J Ed u. Below it: E ud = -Ed u."""
    s = shell(seed)
    Ed, truth = e_matrix(s.ud), 0.5 * s.omega @ J @ s.omega
    proves(2 * s.u @ Ed.T @ J @ Ed @ s.u - truth, 2 * s.ud @ Ed.T @ J @ s.E @ s.ud - truth)
    proves(s.E @ s.ud + Ed @ s.u, Ed @ s.u - s.E @ s.ud)


@seeds
def test_udwadia_21_31_rows(seed: int) -> None:
    """Udwadia (21), (A3): 2 k^T k; right: 2 kd^T k as in (A7). (31): n~; right: its rate.

    (16), (18), (26) and the A of (21), (31) are right. Truth: the accelerations of the rolling shell.
    """
    s = shell(seed)
    A, b = rows(s)
    qdd = accelerations(s)
    for name in ("1", "2", "4"):
        small((A[name] @ qdd - b[name]) / 100)
    for name in ("3", "5"):
        proves((A[name] @ qdd - b[name]) / 100, (A[name] @ qdd - b[f"{name} printed"]))


@seeds
def test_udwadia_35_energy_row(seed: int) -> None:
    """Udwadia (35): m g w_C^T e3; right: -m g wd_C^T e3, and the row holds: rolling keeps the energy."""
    s = shell(seed)
    A, b = rows(s)
    qdd = accelerations(s)
    proves((A["E"] @ qdd - b["E"]) / 100, A["E"] @ qdd - b["E printed"])


@seeds
def test_udwadia_24_moving_centre(seed: int) -> None:
    """Udwadia before (24): Sd rho = C_1 u; right: C_1 ud."""
    s = shell(seed)
    truth = np.cross(s.turning, s.arm)
    proves(centre_slope(s.u) @ s.ud - truth, centre_slope(s.u) @ s.u - truth)


@seeds
def test_udwadia_32_36_ranks_and_43(seed: int) -> None:
    """Udwadia (32), (36), (42): ranks 10, 11, 12 of 11, 12, 13 rows, so the energy row is independent; [M; A]: 13.

    (43) gives the accelerations of the shell with and without the energy row, and M + w AᵀA is positive definite.
    """
    s = shell(seed)
    A, b = rows(s)
    M, Q = np.zeros((13, 13)), np.zeros(13)
    M[:3, :3], M[3:7, 3:7] = m * np.eye(3), 4 * s.E.T @ J @ s.E
    Q[2], Q[3:7] = -m * g, -8 * e_matrix(s.ud).T @ J @ s.E @ s.ud
    chosen = ["1", "2", "3", "4", "5"]
    for extra, rank in (("", 10), ("E", 11), ("NS", 12)):
        chosen += [extra] if extra else []
        W = np.vstack([A[name] / norm(A[name]) for name in chosen])
        assert matrix_rank(W, tol=1e-9) == rank
        assert matrix_rank(np.vstack([M / m, W]), tol=1e-9) == 13
        assert np.linalg.eigvalsh(M + m * W.T @ W).min() > 1e-4
        if extra == "NS":
            break
        right = np.concatenate([b[name] / norm(A[name]) for name in chosen])
        free = np.eye(13) - pinv(W, rcond=1e-9) @ W
        found = pinv(np.vstack([free @ M, W]), rcond=1e-9) @ np.concatenate([Q, right])
        small((found - accelerations(s)) / 100)


@seeds
def test_udwadia_51_55_reaction(seed: int) -> None:
    """Udwadia (55): [S rho + r n~]; right: [(S rho)~ + r n~]: no torque about the contact. (51), (52), (56) hold."""
    s = shell(seed)
    force = m * s.C_a - [0.0, 0.0, -m * g]
    on_u = 4 * s.E.T @ J @ s.E @ s.udd + 8 * e_matrix(s.ud).T @ J @ s.E @ s.ud
    T_C = 0.5 * s.E @ on_u
    proves((s.S @ T_C + (skew(s.arm) + r * skew(s.n)) @ force) / 100,
           s.S @ T_C + (s.arm[:, None] + r * skew(s.n)) @ force)
    small((force - s.F) / 100, s.S @ skew(rho) @ s.S.T - skew(s.arm))


# ---- Nguyen Van Khang


@seeds
def test_khang_2_4_gibbs_function(seed: int) -> None:
    """Khang (2.4) follows from (1.1), not (2.1); (2.5)-(2.16) hold: the sum over 40 particles is the closed form."""
    rng = np.random.default_rng(seed)
    mass, x = rng.uniform(0.1, 1.0, 40), rng.normal(size=(40, 3))
    a_A, alpha, omega = rng.normal(size=(3, 3))

    def gibbs(alpha: Array, origin: Array, a: Array) -> float:
        u = x - origin
        acc = a + np.cross(alpha, u) + np.cross(omega, np.cross(omega, u))
        return float(0.5 * (mass[:, None] * acc**2).sum())

    for origin in (np.zeros(3), mass @ x / mass.sum()):
        u = x - origin
        Ic = (mass[:, None, None] * ((u**2).sum(1)[:, None, None] * np.eye(3) - u[:, :, None] * u[:, None, :])).sum(0)
        u_C = mass @ u / mass.sum()
        M = mass.sum()
        closed = (0.5 * M * a_A @ a_A + 0.5 * alpha @ Ic @ alpha + M * a_A @ np.cross(alpha, u_C)
                  + M * a_A @ np.cross(omega, np.cross(omega, u_C)) + alpha @ np.cross(omega, Ic @ omega))
        left_out = 0.5 * (mass[:, None] * np.cross(omega, np.cross(omega, u)) ** 2).sum()
        small((closed + left_out - gibbs(alpha, origin, a_A)) / 100)
    slope = [(gibbs(alpha + e, origin, a_A) - gibbs(alpha - e, origin, a_A)) / 2 for e in np.eye(3)]  # quadratic: exact
    small((np.array(slope) - Ic @ alpha - np.cross(omega, Ic @ omega)) / 100)


def test_khang_2_19_plane_motion() -> None:
    """Khang (2.19): diag(I1, I2, I2); right: diag(I1, I2, I3), so that (2.20) has I3."""
    I1, I2, I3, w, alpha = sp.symbols("I1 I2 I3 w alpha")
    spin, turn = sp.Matrix([0, 0, w]), sp.Matrix([0, 0, alpha])

    def gibbs(Ic: sp.Matrix) -> sp.Expr:
        return sp.expand((turn.T * Ic * turn)[0] / 2 + turn.dot(spin.cross(Ic * spin)))

    assert gibbs(sp.diag(I1, I2, I3)) - I3 * alpha**2 / 2 == 0
    assert gibbs(sp.diag(I1, I2, I2)) - I3 * alpha**2 / 2 != 0


@pytest.mark.parametrize("down", [1.0, -1.0])
def test_khang_3_9_incline(down: float) -> None:
    """Khang (3.9): Pi_1 = -m g a sin(alpha) is right where +y points down the slope; else its sign changes.

    Truth: m y'' = weight + F, I w' = torque of F at the contact, y' = -a w_x.
    """
    mass, a, Ic, slope = 2.0, 0.3, 0.4 * 2.0 * 0.09, np.radians(30.0)
    weight = down * mass * 9.81 * np.sin(slope)
    # unknowns: y'' , w_x', F; the contact is at -a e_z, and (-a e_z) x (F e_y) = a F e_x
    ydd, wd, _ = solve([[mass, 0.0, -1.0], [0.0, Ic, -a], [1.0, a, 0.0]], [weight, 0.0, 0.0])
    Pi = -down * mass * 9.81 * a * np.sin(slope)
    proves((Ic + mass * a**2) * wd - Pi, (Ic + mass * a**2) * wd + Pi)
    small(ydd - down * 5 / 7 * 9.81 * np.sin(slope))


def test_khang_3_2_angular_velocity() -> None:
    """Khang (3.2) is right: the angular velocity in inertial axes, psi being the precession and phi the spin."""
    psi, theta, phi = moving("psi theta phi")
    R = zxz(psi, theta, phi)
    psd, thd, phd = (x.diff(time) for x in (psi, theta, phi))
    form = sp.Matrix([phd * sp.sin(theta) * sp.sin(psi) + thd * sp.cos(psi),
                      -phd * sp.sin(theta) * sp.cos(psi) + thd * sp.sin(psi), psd + phd * sp.cos(theta)])
    small(at(axial(R.diff(time) * R.T) - form, numbers(np.random.default_rng(2), [psi, theta, phi])))


# ---- Souchet

p, q, w_p, w_q = sp.symbols("p q w_p w_q", real=True)
R_004 = sp.Matrix([[1 - 2 * q**2, -2 * p * q], [2 * p * q, 1 - 2 * q**2]])


def test_souchet_delta() -> None:
    """Souchet: Delta = 1 + 4 q^2 (p^2 + q^2 - 1)^2; right: without the square. R^T R = Delta 1."""
    product = (R_004.T * R_004).applyfunc(sp.expand)
    right = 1 + 4 * q**2 * (p**2 + q**2 - 1)
    assert (product - right * sp.eye(2)).applyfunc(sp.expand).is_zero_matrix
    assert abs((product[0, 0] - 1 - 4 * q**2 * (p**2 + q**2 - 1) ** 2).subs({p: 0.3, q: 0.5})) > VISIBLE


def test_souchet_strain_rate() -> None:
    """Souchet: S_i w_i = 0 is said to be p w_p + q w_q = 0; true only where p^2 + q^2 = 1 (and q not 0)."""
    grad = (R_004.diff(p) * w_p + R_004.diff(q) * w_q) * R_004.inv()
    strain = ((grad + grad.T) / 2).applyfunc(sp.simplify)
    Delta = 1 + 4 * q**2 * (p**2 + q**2 - 1)
    right = 4 * q * (p**2 * w_q + p * q * w_p + 2 * q**2 * w_q - w_q) / Delta
    assert (strain - right * sp.eye(2)).applyfunc(sp.simplify).is_zero_matrix
    on_circle = {p: sp.Rational(3, 5), q: sp.Rational(4, 5)}
    allowed = {w_p: sp.Rational(4, 5), w_q: -sp.Rational(3, 5)}
    assert strain.subs(on_circle).subs(allowed).is_zero_matrix
    off = {p: 0.3, q: 0.5}
    assert abs(strain.subs(off).subs({w_p: 0.5, w_q: -0.3})[0, 0]) > VISIBLE


def test_souchet_a_22() -> None:
    """Souchet: a_22 = 2 m r^2 (pq + p^2 + 4q^2) w_q; right: 2 m r^2 (pq w_p + (p^2 + 4q^2) w_q). Others are right.

    Truth: integral of rho a.v over a disk, where that of X X^T is m r^2 / 4 times 1.
    """
    P, Qt = moving("P Q")
    mass, radius = sp.symbols("m r")
    R = R_004.subs({p: P, q: Qt})
    virtual = (R_004.diff(p) * w_p + R_004.diff(q) * w_q).subs({p: P, q: Qt})
    truth = sp.expand(mass * radius**2 / 4 * (R.diff(time, 2) * virtual.T).trace())
    a_11 = 2 * mass * radius**2 * (Qt**2 * w_p + P * Qt * w_q)
    a_12 = 2 * mass * radius**2 * (Qt * w_p + P * w_q)
    b = 4 * mass * radius**2 * Qt * w_q
    right = 2 * mass * radius**2 * (P * Qt * w_p + (P**2 + 4 * Qt**2) * w_q)
    printed = 2 * mass * radius**2 * (P * Qt + P**2 + 4 * Qt**2) * w_q
    Pd, Qd = P.diff(time), Qt.diff(time)

    def rest(a_22: sp.Expr) -> sp.Expr:
        return sp.expand(truth - a_11 * P.diff(time, 2) - a_22 * Qt.diff(time, 2) - 2 * a_12 * Pd * Qd - 2 * b * Qd**2)

    assert rest(right) == 0
    assert rest(printed) != 0


def test_souchet_coulomb_inequality() -> None:
    """Souchet: T (v - u) + k|N| (v - u) >= 0; right: T (v - u) + k|N| (|v| - |u|) >= 0 for all v."""
    limit, virtual = 0.7, np.linspace(-3.0, 3.0, 61)
    for u in (-1.3, 0.0, 0.9):
        for T in (-limit, -0.4, 0.0, 0.5, limit, 1.1):
            law = (abs(T) <= limit) if u == 0.0 else bool(np.isclose(T, -limit * np.sign(u)))
            right = T * (virtual - u) + limit * (abs(virtual) - abs(u))
            assert law == (right.min() >= -TOL)
            printed = T * (virtual - u) + limit * (virtual - u)
            assert (printed.min() >= -TOL) == bool(np.isclose(T, -limit))  # one friction, whatever the slip


@pytest.mark.parametrize("k", [0.1, 0.6])
def test_souchet_wheel_virtual_work(k: float) -> None:
    """Souchet: + T v_1(A) + N v_2(A); right: - T v_1(A) - N v_2(A), T and N acting on the wheel, and N = mg cos a.

    Truth: Newton and Euler for the disk, rolling or sliding. Virtual motion: x, y and a turn.
    """
    mass, radius, a = 2.0, 0.4, np.radians(35.0)
    down, press = mass * 9.81 * np.sin(a), mass * 9.81 * np.cos(a)
    rolls = np.tan(a) <= 3 * k
    T = down / 3 if rolls else k * press
    xdd, spin = (T - down) / mass, T * radius / (mass * radius**2 / 2)
    assert not rolls or abs(xdd + radius * spin) < TOL
    for w_x, w_y, turn in np.random.default_rng(0).normal(size=(5, 3)):
        v_1, v_2 = w_x + radius * turn, w_y
        inertia = mass * xdd * w_x + mass * radius**2 / 2 * spin * turn
        weight = -down * w_x - press * w_y
        proves((inertia - weight - T * v_1 - press * v_2) / 10, inertia - weight + T * v_1 + press * v_2)
