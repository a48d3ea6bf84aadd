"""Proof of the corrections to Yi Sun's thesis (1996) in the parts that Granum implements.

"On Efficiency of Multibody Approach in Granular Dynamics Simulations" (PhD, Calgary 1996): chapters 2 to 5,
appendices A to D. Nothing of Granum is imported, on purpose. The truth never comes from the formula under
test: accelerations and tensions come from Newton's law with the twice differentiated lengths, built link by
link and solved as one dense system, of rigid bodies likewise; angular rates from the definition of the angles;
Lagrange's equations and the kinematics of appendix C from sympy; corrections of drift from mass-weighted
least squares; shadows from intervals, friction from Coulomb's law, impacts from Newton's.

Vertex 0 is the ground, at the origin. E has +1 where a link leaves a body (tail), -1 where it points to it
(head); E P = -I on trees; gamma > 0 is tension; theta is the direction from tail to head, phi its angle to
the z axis. A plane truss is a space truss with z = 0, that is phi = pi/2.
"""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, replace
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pytest
import sympy as sp
from numpy.linalg import cond, lstsq, matrix_rank, norm, solve
from scipy.integrate import solve_ivp
from scipy.linalg import block_diag, null_space

Array = np.ndarray
Links = list[tuple[int, int]]

# Round-off: eps = 2e-16 times terms of size up to 1e2 times the condition number of H, here below some 1e3
# (draws with cond(J) > 20 are rejected). The worst residual seen over 40 seeds is 1e-12.
TOL = 1e-11
# A printed form must miss by more than this, eight orders of magnitude above round-off.
VISIBLE = 1e-3

seeds = pytest.mark.parametrize("seed", range(5))
topologies = pytest.mark.parametrize("loops", [0, 2])
diag = np.diag


@dataclass(frozen=True)
class Truss:
    """Point masses joined by rigid links; row 0 of every vertex array is the ground (mass not used)."""

    links: Links
    mass: Array
    pos: Array
    vel: Array
    force: Array

    def rel(self, vertex: Array) -> Array:
        """Head minus tail of a vertex quantity, one row per link."""
        return np.array([vertex[head] - vertex[tail] for tail, head in self.links])

    def jacobian(self) -> Array:
        """Gradient of the link lengths with respect to the coordinates of the bodies, link by link."""
        rows = np.zeros((len(self.links), *self.pos.shape))
        for row, (tail, head), r in zip(rows, self.links, self.rel(self.pos), strict=True):
            row[head], row[tail] = r / norm(r), -r / norm(r)
        return rows[:, 1:].reshape(len(rows), -1)


def kkt(t: Truss, force: Array, rhs: Array) -> tuple[Array, Array]:
    """Solve M a + J^T gamma = force, J a = rhs as one dense system; a has the zero row of the ground."""
    J, M = t.jacobian(), diag(np.repeat(t.mass[1:], 3))
    full = np.block([[M, J.T], [J, np.zeros((len(J), len(J)))]])
    solution = solve(full, np.concatenate([force[1:].ravel(), rhs]))
    return np.concatenate([np.zeros(3), solution[: len(M)]]).reshape(-1, 3), solution[len(M) :]


def newton(t: Truss) -> tuple[Array, Array]:
    """True accelerations and tensions: Newton's law with R.R'' + R'.R' = 0 for every link, divided by |R|."""
    return kkt(t, t.force, -(t.rel(t.vel) ** 2).sum(1) / norm(t.rel(t.pos), axis=1))


def noise(rng: np.random.Generator, n: int, dim: int) -> Array:
    """Random vectors for n bodies, zero for the ground, in the plane if dim is 2."""
    return np.vstack([np.zeros(3), rng.normal(size=(n, 3)) * [1, 1, dim - 2]])


def assemble(rng: np.random.Generator, links: Links, dim: int = 2) -> Truss:
    """Random state of a graph whose link number v < n joins body v+1 to a vertex of lower number."""
    n = max(map(max, links))
    pos = np.zeros((n + 1, 3))
    for child, link in enumerate(links[:n], 1):
        turn, polar = rng.uniform(0, 2 * np.pi), rng.uniform(0.5, 2.6) if dim == 3 else np.pi / 2
        u = np.array([np.sin(polar) * np.cos(turn), np.sin(polar) * np.sin(turn), (dim - 2) * np.cos(polar)])
        pos[child] = pos[min(link)] + rng.uniform(0.5, 2.0) * u
    t = Truss(links, rng.uniform(0.5, 3.0, n + 1), pos, 0 * pos, noise(rng, n, dim))
    free = null_space(t.jacobian())
    vel = (free @ free.T @ noise(rng, n, dim)[1:].ravel()).reshape(n, 3)
    return replace(t, vel=np.vstack([np.zeros(3), 3 * vel / norm(vel)]))


def make(seed: int, dim: int = 2, loops: int = 0, chain: bool = False) -> Truss:
    """Random grounded tree of 5 bodies plus loop links, directed at random; a chain is directed outward.

    Nearly singular draws, and links nearly along z, where theta means nothing, are drawn again.
    """
    rng = np.random.default_rng(seed)
    links = [(i - 1 if chain else int(rng.integers(i)), i) for i in range(1, 6)]
    spare = [pair for pair in combinations(range(6), 2) if pair not in links]
    links += [spare[k] for k in rng.choice(len(spare), loops, replace=False)]
    links = [e if chain or rng.random() < 0.5 else e[::-1] for e in links]
    drawn = (assemble(rng, links, dim) for _ in range(100))
    return next(t for t in drawn if cond(t.jacobian()) < 20 and dense(t).sp.min() > 0.2)


def incidence(links: Links, vertices: int) -> Array:
    """(2.4), with the row of the ground left out as (2.7) needs it."""
    E = np.zeros((vertices, len(links)))
    for v, (tail, head) in enumerate(links):
        E[tail, v], E[head, v] = 1, -1
    return E[1:]


def paths(tree: Links) -> Array:
    """P[v, j-1] = 1 if link v lies on the path from the ground to body j and points outward, -1 if inward."""
    P = np.zeros((len(tree), len(tree) + 1))
    for child, link in enumerate(tree, 1):
        P[:, child] = P[:, min(link)]
        P[child - 1, child] = 1 if link[1] == child else -1
    return P[:, 1:]


def dense(t: Truss) -> SimpleNamespace:
    """The true motion, the angles with their rates, and the matrices of chapter 3."""
    (acc, gamma), E, Mi = newton(t), incidence(t.links, len(t.pos)), diag(1 / t.mass[1:])
    d = SimpleNamespace(t=t, acc=acc, gamma=gamma, n=len(t.pos) - 1, E=E, Mi=Mi, M=diag(t.mass[1:]))
    d.V, d.f, d.EtMi = E.T @ Mi @ E, t.force[1:].T, E.T @ Mi  # V is (3.35)
    d.R, d.dR, d.ddR, d.l = t.rel(t.pos).T, t.rel(t.vel).T, t.rel(acc).T, norm(t.rel(t.pos), axis=1)
    (X, Y, Z), (dX, dY, dZ), (ddX, ddY, ddZ), rho2 = d.R, d.dR, d.ddR, d.R[0] ** 2 + d.R[1] ** 2
    d.L, d.Li, d.theta, d.cp, d.sp = diag(d.l), diag(1 / d.l), np.arctan2(Y, X), Z / d.l, np.sqrt(rho2) / d.l
    d.dth, d.dph = (X * dY - Y * dX) / rho2, -dZ / (d.l * d.sp)
    d.ddth = (X * ddY - Y * ddX - 2 * d.dth * (X * dX + Y * dY)) / rho2
    d.ddph = -(ddZ + d.l * d.cp * d.dph**2) / (d.l * d.sp)
    C, S, Cp, Sp = (diag(a) for a in (np.cos(d.theta), np.sin(d.theta), d.cp, d.sp))
    d.C, d.S, d.Cp, d.Sp = C, S, Cp, Sp
    d.H, d.K = C @ d.V @ C + S @ d.V @ S, S @ d.V @ C - C @ d.V @ S  # (3.39), (3.40)
    d.Hp, d.Kp = Cp @ d.V @ Cp + Sp @ d.H @ Sp, Sp @ d.V @ Cp - Cp @ d.H @ Sp  # (3.88), (3.89)
    d.turn = np.block([[Sp @ C, Sp @ S, Cp], [Cp @ C, Cp @ S, -Sp], [-S, C, 0 * C]])  # (3.93) corrected
    d.Fn, d.Fp, d.Ft = (d.turn @ block_diag(d.EtMi, d.EtMi, d.EtMi) @ d.f.ravel()).reshape(3, -1)
    return d


def tree_part(d: SimpleNamespace) -> SimpleNamespace:
    """Add P, U (A.3), A (3.7), B (3.8), Q (3.9 corrected), the left side of (3.6), for the first n links."""
    C, S, L, n = d.C[: d.n, : d.n], d.S[: d.n, : d.n], d.L[: d.n, : d.n], d.n
    d.P = paths(d.t.links[:n])
    d.U = d.P @ d.M @ d.P.T
    d.A, d.B = C @ d.U @ C + S @ d.U @ S, S @ d.U @ C - C @ d.U @ S
    d.Q, d.lhs = -S @ d.P @ d.f[0] + C @ d.P @ d.f[1], d.A @ L @ d.ddth[:n] + d.B @ L @ d.dth[:n] ** 2
    d.work = slope(d, lambda pos: (pos * d.t.force).sum()) / d.l[:n]
    return d


def slope(d: SimpleNamespace, value: Callable[[Array], Array]) -> Array:
    """Derivative of value(vertex positions) with respect to the tree angles, by complex step (exact)."""
    columns = []
    for i in range(d.n):
        theta, pos = d.theta + 1e-30j * (np.arange(len(d.theta)) == i), np.zeros((d.n + 1, 3), complex)
        for v, link in enumerate(d.t.links[: d.n]):
            way = d.l[v] if link[1] == v + 1 else -d.l[v]
            pos[v + 1] = pos[min(link)] + way * np.array([np.cos(theta[v]), np.sin(theta[v]), 0])
        columns.append(np.imag(value(pos)) / 1e-30)
    return np.array(columns).T


def small(*residuals: Array) -> None:
    """Every residual is at round-off."""
    assert max(np.abs(r).max() for r in residuals) < TOL


def proves(corrected: Array, printed: Array) -> None:
    """The corrected form holds to round-off and the printed one is visibly wrong."""
    small(corrected)
    assert np.abs(printed).max() > VISIBLE


def wheel(n: int) -> Links:
    """A hub in a rim of n-1 bodies, not grounded, with one link more than a rigid truss needs."""
    return [(1, i) for i in range(2, n + 1)] + [(i, i + 1) for i in range(2, n)] + [(n, 2)]


@pytest.mark.parametrize("boundaries", [0, 1, 2, 3])
@seeds
def test_2_3_3_loop_count(seed: int, boundaries: int) -> None:
    """Sec 2.3.3, second (2.1): N_f >= 1, N_c = N_b-N_f+1 printed; right: N_f <= 1, N_e = N_b+N_f-1.

    Truth: loops counted by merging sets, all boundaries being one ground. N_c = N_e-N_b needs N_f >= 1.
    """
    rng, n = np.random.default_rng(seed), 5
    links = [(int(rng.integers(1, i)), i) for i in range(2, n + 1)]
    links += [(0, int(rng.integers(1, n + 1))) for _ in range(boundaries)]
    for whole in (links, [*links, (1, n)], [*links, (1, n), (2, n)]):
        group, loops = list(range(n + 1)), 0
        for a, b in whole:
            loops += group[a] == group[b]
            group = [group[a] if g == group[b] else g for g in group]
        assert loops == len(whole) - n + (boundaries == 0)
        assert (loops == 0) == (boundaries <= 1 and len(whole) == n + boundaries - 1)
    assert (len(links) == n - boundaries + 1) == (boundaries == 1), "printed: right for one boundary only"


@pytest.mark.parametrize("n", [4, 5, 7])
def test_2_3_3_overconstrained(n: int) -> None:
    """Sec 2.3.3, second (2.2): N_c > 2N_b-3 printed; N_e > 2N_b-3 makes H singular, but is not necessary.

    Free wheels (figure 2.2b has the counts of that of 7 bodies), and a wheel of 4 bodies with a tail.
    """
    for links, bodies in ((wheel(n), n), ([*wheel(4), (4, 5)], 5)):
        pos = noise(np.random.default_rng(n), bodies, 2)
        assert matrix_rank(Truss(links, np.ones(bodies + 1), pos, pos, pos).jacobian()) == len(links) - 1
        assert (len(links) > 2 * bodies - 3) == (links == wheel(n)), "singular in both cases"
        assert not len(links) - bodies > 2 * bodies - 3, "printed"


@seeds
def test_2_7_path_and_incidence(seed: int) -> None:
    """(2.7) is right with the ground's row left out of E; the printed examples (2.5), (2.6) agree with it.

    Figure 2.3b, to which (2.6) belongs, is figure 2.3a (not 2.2) without its seventh link.
    """
    t = make(seed)
    E, P = incidence(t.links, 6), paths(t.links)
    small(E @ P + np.eye(5), P @ E + np.eye(5))
    E25 = "-1 1 0 0 0 0 0 0 -1 0 0 0 0 0 0 0 -1 1 -1 0 0 0 0 1 0 0 -1 0 0 0 0 -1 0 0 1 0 0 0 0 0 1 -1"
    P26 = "1 1 0 0 0 0 0 1 0 0 0 0 0 0 0 -1 0 -1 0 0 0 0 1 0 0 0 1 1 1 1 0 0 0 0 0 -1"
    E25, P26 = (np.fromstring(text, sep=" ").reshape(6, -1) for text in (E25, P26))
    small(E25[:, :6] @ P26 + np.eye(6))


@seeds
def test_3_9_lagrange(seed: int) -> None:
    """(3.9): P M f printed, but f is a force: P f, as in (3.5) and (A.16). (3.4)-(3.8) hold as printed."""
    d = tree_part(dense(make(seed)))
    U, delta = np.einsum("ik,jk,k->ij", d.P, d.P, d.t.mass[1:]), d.theta[:, None] - d.theta
    small(U * np.cos(delta) @ (d.l * d.ddth) + U * np.sin(delta) @ (d.l * d.dth**2) - d.work, d.lhs - d.work)
    proves(d.Q - d.work, -d.S @ d.P @ d.M @ d.f[0] + d.C @ d.P @ d.M @ d.f[1] - d.work)


def test_3_18_three_disks_lagrange() -> None:
    """(3.18): thd1^2 carries m2 l2 in row 2, m3 l3 in row 3; right: m2 l1, m3 l1. Truth: sympy Lagrangian."""
    time, g, *symbols = sp.symbols("t g m1:4 l1:4")
    m, length, th = symbols[:3], symbols[3:], [sp.Function(f"th{i}")(time) for i in (1, 2, 3)]
    arm = [length[i] * sp.Matrix([sp.cos(th[i]), sp.sin(th[i])]) for i in range(3)]
    r = [arm[0], arm[0] + arm[1], arm[0] + arm[2]]
    lagrangian = sum(m[i] * (r[i].diff(time).dot(r[i].diff(time)) / 2 - g * r[i][1]) for i in range(3))
    U = [[sum(m), m[1], m[2]], [m[1], m[1], 0], [m[2], 0, m[2]]]
    for i in range(3):
        row = U[i][i] * g * sp.cos(th[i])
        for j in range(3):
            ml, turn = U[i][j] * length[j], th[i] - th[j]
            row += ml * (sp.cos(turn) * th[j].diff(time, 2) + sp.sin(turn) * th[j].diff(time) ** 2)
        truth = (lagrangian.diff(th[i].diff(time)).diff(time) - lagrangian.diff(th[i])) / length[i]
        slip = (length[i] - length[0]) * U[i][0] * sp.sin(th[i] - th[0]) * th[0].diff(time) ** 2
        assert (truth - row).rewrite(sp.exp).expand() == 0
        assert i == 0 or (truth - row - slip).rewrite(sp.exp).expand() != 0


@pytest.mark.parametrize("loops", [1, 2])
@seeds
def test_3_19_cut_loops(seed: int, loops: int) -> None:
    """(3.19): -G^T lambda printed; -L^-1 G^T lambda right (the rows of (3.6) are divided by l_i).

    With phi = length of the cut link minus its value, lambda is its tension; printed: no lambda fits at all.
    G is N_c by N_e(tree), so the angles of (3.21) run to N_e.
    """
    d = tree_part(dense(make(seed, loops=loops)))
    G = slope(d, lambda pos: np.sqrt((d.t.rel(pos)[d.n :] ** 2).sum(1)))
    best = lstsq(G.T, d.Q - d.lhs, rcond=None)[0]
    proves(d.lhs - d.Q + G.T @ d.gamma[d.n :] / d.l[: d.n], d.lhs - d.Q + G.T @ best)


@pytest.mark.parametrize("dim", [2, 3])
@seeds
def test_3_23_c_16_single_link(seed: int, dim: int) -> None:
    """(3.23): +gamma_u cos(th_v-th_u) printed, minus right; (C.16): -(1/m_i+1/m_j) gamma_v, plus right.

    (3.24)-(3.30) are the plane case of (C.10)-(C.15) with (C.7)-(C.9); all hold as printed.
    """
    d = dense(make(seed, dim, chain=True))
    m, f, a, sn, cs, th = d.t.mass, d.t.force, d.acc, d.sp, d.cp, d.theta
    for v in range(1, d.n - 1):
        u, w, i, j = v - 1, v + 1, v, v + 1
        e1, e2, e3 = d.turn.reshape(3, d.n, 3, d.n)[:, v, :, v]
        turn = th[v] - th[[u, w]]
        pull = d.gamma[[u, w]] * (cs[v] * cs[[u, w]] + sn[v] * np.cos(turn) * sn[[u, w]])
        lift = d.gamma[[u, w]] * (cs[[u, w]] * sn[v] - cs[v] * np.cos(turn) * sn[[u, w]])
        swing = d.gamma[[u, w]] * np.sin(turn) * sn[[u, w]]
        net_i, net_j, gv = m[i] * a[i] - f[i], m[j] * a[j] - f[j], d.gamma[v]
        proves(net_i @ e1 + pull[0] - gv, net_i @ e1 - pull[0] - gv)
        small(net_j @ e1 + gv - pull[1], net_i @ e2 - lift[0], net_j @ e2 + lift[1])
        small(net_i @ e3 - swing[0], net_j @ e3 + swing[1])
        apart, both = f[i] / m[i] - f[j] / m[j], (1 / m[i] + 1 / m[j]) * gv
        left = d.l[v] * (d.dph[v] ** 2 + d.dth[v] ** 2 * sn[v] ** 2) + pull[0] / m[i] + pull[1] / m[j]
        proves(left - both - apart @ e1, left + both - apart @ e1)
        around = d.l[v] * (d.ddth[v] * sn[v] + 2 * d.dph[v] * d.dth[v] * cs[v])
        small(around + swing[0] / m[i] + swing[1] / m[j] + apart @ e3)


@topologies
@seeds
def test_3_31_newton_euler(seed: int, loops: int) -> None:
    """(3.31)-(3.40) hold as printed; below (3.30) their number is 2 N_e, not N_e.

    The 2 N_e equations determine the N_e tensions and the N_e angular accelerations.
    """
    d = dense(make(seed, loops=loops))
    apart, delta = -d.t.rel(d.t.force / d.t.mass[:, None]).T, d.theta[:, None] - d.theta
    small(d.Fn - np.cos(d.theta) * apart[0] - np.sin(d.theta) * apart[1])
    small(d.Ft + np.sin(d.theta) * apart[0] - np.cos(d.theta) * apart[1])
    small(d.H - d.V * np.cos(delta), d.K - d.V * np.sin(delta), d.H - d.H.T, d.K + d.K.T)
    small(d.H @ d.gamma + d.Fn - d.l * d.dth**2, d.K @ d.gamma - d.Ft - d.l * d.ddth)
    full = np.block([[d.H, 0 * d.L], [-d.K, d.L]])
    unknown = solve(full, np.concatenate([d.l * d.dth**2 - d.Fn, -d.Ft]))
    small(unknown - np.concatenate([d.gamma, d.ddth]))
    assert matrix_rank(full) == 2 * len(d.l)


def three_disks(seed: int) -> SimpleNamespace:
    """The example of figure 3.2 in a random state, g = 9.81."""
    t = assemble(np.random.default_rng(seed), [(0, 1), (1, 2), (1, 3)])
    return dense(replace(t, force=np.outer(t.mass, [0, -9.81, 0])))


@seeds
def test_3_42_three_disks(seed: int) -> None:
    """(3.42): left sides I_i thdd_i and -(gamma_3/m1) cos(th2-th3); right: l_i thd_i^2 and +(gamma_3/m1).

    (3.43): left sides I_i thdd_i (I read as m l^2), right: l_i thdd_i. (3.41) has E P = -I with (3.15).
    """
    d = three_disks(seed)
    (m1, m2, m3), (g1, g2, g3), turn = d.t.mass[1:], d.gamma, d.theta[:, None] - d.theta
    c, s, g = np.cos(turn), np.sin(turn), 9.81
    n1 = g1 / m1 - g2 / m1 * c[0, 1] - g3 / m1 * c[0, 2] + g * np.sin(d.theta[0])
    n2 = -g1 / m1 * c[1, 0] + (m1 + m2) / (m1 * m2) * g2 + g3 / m1 * c[1, 2]
    n3 = -g1 / m1 * c[2, 0] + g2 / m1 * c[2, 1] + (m1 + m3) / (m1 * m3) * g3
    t1 = -g2 / m1 * s[0, 1] - g3 / m1 * s[0, 2] - g * np.cos(d.theta[0])
    t2, t3 = -g1 / m1 * s[1, 0] + g3 / m1 * s[1, 2], -g1 / m1 * s[2, 0] + g2 / m1 * s[2, 1]
    proves([n1, n2, n3] - d.l * d.dth**2, [n1, n2, n3] - d.l * d.ddth)
    proves(n2 - d.l[1] * d.dth[1] ** 2, n2 - 2 * g3 / m1 * c[1, 2] - d.l[1] * d.dth[1] ** 2)
    proves([t1, t2, t3] - d.l * d.ddth, [t1, t2, t3] - d.t.mass[1:] * d.l**2 * d.ddth)
    small(np.array([[-1, 1, 1], [0, -1, 0], [0, 0, -1]]) @ [[1, 1, 1], [0, 1, 0], [0, 0, 1]] + np.eye(3))


@topologies
@seeds
def test_3_46_3_52_rectangular(seed: int, loops: int) -> None:
    """(3.46) lacks a minus; (3.47), (3.52): E^T of squared velocities; right: squares of E^T xd and E^T yd.

    (3.48) is an equality; (3.44), (3.45), (3.49)-(3.51), (3.55) hold as printed. The ground must be at the
    origin; otherwise its coordinates enter with its row of E.
    """
    d = dense(make(seed, loops=loops))
    (x, y, _), (xd, yd, _) = d.t.pos[1:].T, d.t.vel[1:].T
    small(d.R + d.t.pos[1:].T @ d.E, d.dR + d.t.vel[1:].T @ d.E)
    for k, (trig, place) in enumerate(((d.C, x), (d.S, y))):
        proves(trig + d.Li @ diag(d.E.T @ place), trig - d.Li @ diag(d.E.T @ place))
        small(d.M @ d.acc[1:, k] - d.E @ trig @ d.gamma - d.f[k])
    right, printed = d.Li @ ((d.E.T @ xd) ** 2 + (d.E.T @ yd) ** 2), d.Li @ d.E.T @ (xd**2 + yd**2)
    proves(right - d.l * d.dth**2, printed - d.l * d.dth**2)
    proves(solve(d.H, right - d.Fn) - d.gamma, solve(d.H, printed - d.Fn) - d.gamma)
    small(d.C @ d.ddR[0] + d.S @ d.ddR[1] + (d.dR**2).sum(0) / d.l)


@seeds
def test_3_4_3_overconstrained_motion(seed: int) -> None:
    """Sec 3.4.3: a singular H is said to leave no solution; the tensions are not unique, the motion is.

    A free overconstrained wheel moves as the rigid body it is: truth from its momentum and its spin.
    """
    rng, quarter = np.random.default_rng(seed), np.array([[0, 1, 0], [-1, 0, 0], [0, 0, 0]])
    mass, pos, force = rng.uniform(0.5, 3, 8), noise(rng, 7, 2), noise(rng, 7, 2)
    m, f, spin, arm = mass[1:, None], force[1:], rng.normal(), pos[1:] - mass[1:] @ pos[1:] / mass[1:].sum()
    twist = (arm @ quarter * f).sum() / (m * arm**2).sum()
    truth = f.sum(0) / m.sum() + twist * arm @ quarter - spin**2 * arm
    t = Truss(wheel(7), mass, pos, np.vstack([np.zeros(3), spin * arm @ quarter]), force)
    J, Mi = t.jacobian(), diag(np.repeat(1 / mass[1:], 3))
    H, b = J @ Mi @ J.T, (t.rel(t.vel) ** 2).sum(1) / norm(t.rel(t.pos), axis=1) + J @ Mi @ f.ravel()
    gamma = lstsq(H, b, rcond=1e-10)[0]
    assert matrix_rank(H, tol=TOL) == len(H) - 1
    small(H @ gamma - b, Mi @ (f.ravel() - J.T @ gamma) - truth.ravel())


@topologies
@seeds
def test_3_91_3_94_space(seed: int, loops: int) -> None:
    """(3.91), (3.93): S for f_x, C for f_y in F^phi; right: C, S. (3.94): as (3.52), squares of E^T xd etc.

    (3.85)-(3.90), (3.92), (3.95)-(3.97) hold as printed. F is compared with forces resolved link by link.
    """
    d = dense(make(seed, dim=3, loops=loops))
    printed = d.Cp @ d.S @ d.EtMi @ d.f[0] + d.Cp @ d.C @ d.EtMi @ d.f[1] - d.Sp @ d.EtMi @ d.f[2]
    apart, c, s = -d.t.rel(d.t.force / d.t.mass[:, None]).T, np.cos(d.theta), np.sin(d.theta)
    truth = d.cp * (c * apart[0] + s * apart[1]) - d.sp * apart[2]
    proves(d.Fp - truth, printed - truth)
    small(d.Fn - (d.R * apart).sum(0) / d.l, d.Ft + s * apart[0] - c * apart[1])
    small(d.l * (d.dph**2 + d.sp**2 * d.dth**2) - d.Hp @ d.gamma - d.Fn)
    left = d.l * (d.ddph - d.sp * d.cp * d.dth**2) - d.Kp @ d.gamma
    proves(left + d.Fp, left + printed)
    small(d.l * d.sp * d.ddth + 2 * d.l * d.cp * d.dph * d.dth - d.K @ d.Sp @ d.gamma + d.Ft)

    vel, left = d.t.vel[1:], d.Hp @ d.gamma + d.Fn
    proves(left - ((d.E.T @ vel) ** 2).sum(1) / d.l, left - d.Li @ d.E.T @ (vel**2).sum(1))
    for k, direction in enumerate((d.Sp @ d.C, d.Sp @ d.S, d.Cp)):
        small(d.M @ d.acc[1:, k] - d.E @ direction @ d.gamma - d.f[k])


@seeds
def test_5_6_dominance(seed: int) -> None:
    """(5.6): the sum runs over i and includes the diagonal, so no matrix meets it; right: sum over j != i.

    The corrected condition is ||B|| < 1 (row sums) for B = I - D^-1 H. A bent chain meets it, a straight one
    only with equality inside; (5.2) converges for both because H is positive definite.
    """
    bent, rng = make(seed, chain=True), np.random.default_rng(seed)
    straight = replace(bent, pos=np.outer([0, 1, 2.5, 3.2, 5, 5.9], [0.6, 0.8, 0]), vel=0 * bent.vel)
    for d, dominant in ((dense(bent), True), (dense(straight), False)):
        size, D, b, x = np.abs(d.H), np.abs(diag(d.H)), rng.normal(size=d.n), np.zeros(d.n)
        radius = norm(np.eye(d.n) - d.H / D[:, None], np.inf)
        assert dominant == (radius < 1 - TOL)
        assert dominant == ((2 * D - size.sum(1)).min() > TOL)
        assert not (size.sum(0) < D).any(), "printed"
        for i in [*range(d.n)] * 1500:
            x[i] = (b[i] - d.H[i, :i] @ x[:i] - d.H[i, i + 1 :] @ x[i + 1 :]) / d.H[i, i]
        small(x - solve(d.H, b))


@topologies
@seeds
def test_5_14_position_correction(seed: int, loops: int) -> None:
    """(5.14): M^-1 E^T C printed; M^-1 E C right, as in (5.18). (5.7)-(5.13), (5.15)-(5.18) hold as printed.

    Truth: the smallest mass-weighted displacement that removes the linearised error; all is relative to the
    drift. What is left is of second order: half the drift leaves a quarter of it.
    """
    t, left, h = make(seed, loops=loops), [], 0.05
    length, push = norm(t.rel(t.pos), axis=1), noise(np.random.default_rng(seed), 5, 2)
    for size in (2e-4, 1e-4):
        d = dense(replace(t, pos=t.pos + size * push))
        error = d.l - length
        truth = kkt(d.t, 0 * push, -error)[0]
        dgamma = solve(d.H, error) * 6 / h**2
        dx, dy = (h**2 / 6 * d.Mi @ d.E @ trig @ dgamma for trig in (d.C, d.S))
        small(([dx, dy] - truth.T[:2, 1:]) / size, (d.C @ d.E.T @ dx + d.S @ d.E.T @ dy - error) / size)
        left.append(norm(norm(t.rel(d.t.pos + truth), axis=1) - length))
        with pytest.raises(ValueError, match="mismatch") if loops else nullcontext():
            printed = h**2 / 6 * d.Mi @ d.E.T @ d.C @ dgamma
            assert np.abs(printed - truth.T[0, 1:]).max() / size > VISIBLE
    assert 3.9 < left[0] / left[1] < 4.1


@topologies
@seeds
def test_5_29_velocity_correction(seed: int, loops: int) -> None:
    """(5.19)-(5.30) hold as printed, with eta = C X' + S Y' (head minus tail); the other sign doubles eta.

    Truth: the mass-weighted projection of the velocities on the link constraints.
    """
    d = dense(replace(make(seed, loops=loops), vel=noise(np.random.default_rng(seed), 5, 2)))
    truth = kkt(d.t, 0 * d.t.vel, -d.t.jacobian() @ d.t.vel[1:].ravel())[0].T[:2, 1:]
    eta = d.C @ d.dR[0] + d.S @ d.dR[1]
    dx, dy = (d.Mi @ d.E @ trig @ solve(d.H, eta) for trig in (d.C, d.S))
    proves([dx, dy] - truth, -np.array([dx, dy]) - truth)
    small(d.C @ d.E.T @ dx + d.S @ d.E.T @ dy - eta)


@seeds
def test_5_37_energy_correction(seed: int) -> None:
    """(5.31)-(5.37) hold as printed to first order: eps^2 / (2 sum m v^2) is left, the links stay kept."""
    t = make(seed, loops=2)
    twice = (t.mass[:, None] * t.vel**2).sum()
    for eps in (0.1 * twice, -0.01 * twice):
        vel = t.vel - eps / twice * t.vel
        small((t.mass[:, None] * vel**2).sum() / 2 - (twice / 2 - eps) - eps**2 / (2 * twice))
        small(t.jacobian() @ vel[1:].ravel())


def mixed_step(t: Truss, h: float) -> Truss:
    """One step of (5.12), (5.24), iterated until the new accelerations agree with the new state."""
    start = end = newton(t)[0]
    for _ in range(12):
        pos, vel = t.pos + h * t.vel + h**2 / 6 * (2 * start + end), t.vel + h / 2 * (start + end)
        new = replace(t, pos=pos, vel=vel)
        end = newton(new)[0]
    return new


def test_5_4_order() -> None:
    """Sec 5.4: O(h^3) in velocity and O(h^4) in position are local errors; the global order is 2 for both."""
    t = three_disks(1).t

    def rate(_: float, y: Array) -> Array:
        pos, vel = y.reshape(2, 4, 3)
        return np.array([vel, newton(replace(t, pos=pos, vel=vel))[0]]).ravel()

    def errors(h: float, steps: int) -> Array:
        start, now = np.array([t.pos, t.vel]).ravel(), t
        exact = solve_ivp(rate, (0, h * steps), start, "DOP853", rtol=1e-12, atol=1e-13).y[:, -1]
        for _ in range(steps):
            now = mixed_step(now, h)
        return norm(np.array([now.pos, now.vel]).reshape(2, -1) - exact.reshape(2, -1), axis=1)

    local, whole = errors(0.01, 1) / errors(0.005, 1), errors(0.01, 20) / errors(0.005, 40)
    assert np.abs(np.log2(local) - [4, 3]).max() < 0.2
    assert np.abs(np.log2(whole) - 2).max() < 0.2


def test_a_8_products() -> None:
    """(A.8), (A.9): right sides interchanged, first term of (A.9) s_i c_k s_k c_j; right: s_i c_k c_k c_j.

    (A.10): s_i c_j + c_i s_j printed, minus is right, which is (A.11).
    """
    i, j, k = sp.symbols("i j k")
    (si, sj, sk), (ci, cj, ck) = map(sp.sin, (i, j, k)), map(sp.cos, (i, j, k))
    BH, AK = sp.sin(i - k) * sp.cos(k - j), sp.cos(i - k) * sp.sin(k - j)
    form_8 = ci * ck * sk * cj + si * sk * sk * cj - ci * ck * ck * sj - si * sk * ck * sj
    rest_9 = -ci * sk * ck * cj + si * ck * sk * sj - ci * sk * sk * sj
    right_9, printed_9, plus = rest_9 + si * ck * ck * cj, rest_9 + si * ck * sk * cj, si * cj + ci * sj
    for right, printed in (
        (BH - right_9, BH - form_8),
        (AK - form_8, AK - printed_9),
        (BH - right_9, BH - printed_9),
        (BH + AK - si * cj + ci * sj, BH + AK - plus),
    ):
        assert sp.simplify(sp.expand_trig(right)) == 0
        assert abs(printed.subs({i: 0.3, j: 1.1, k: 2.0})) > VISIBLE


@seeds
def test_a_4_identity(seed: int) -> None:
    """(A.4): thdd^2 printed, thd^2 right (scan?); (A.5) and (A.11)-(A.16) hold as printed on trees."""
    d = tree_part(dense(make(seed)))
    right = d.B @ d.H @ d.gamma + d.B @ d.Fn
    proves(d.B @ d.L @ d.dth**2 - right, d.B @ d.L @ d.ddth**2 - right)
    small(d.A @ d.L @ d.ddth - d.A @ d.K @ d.gamma + d.A @ d.Ft)
    small(d.U @ d.V - np.eye(d.n), d.B @ d.H + d.A @ d.K, d.B @ d.Fn - d.A @ d.Ft - d.work)


def test_c_6_relative_acceleration() -> None:
    """(C.6), (C.9): l phidd sin phi along e3; right: l thdd sin phi. (C.1)-(C.5), (C.7), (C.8) are right."""
    time = sp.Symbol("t")
    th, ph = sp.Function("th")(time), sp.Function("ph")(time)
    e1 = sp.Matrix([sp.sin(ph) * sp.cos(th), sp.sin(ph) * sp.sin(th), sp.cos(ph)])
    frame = [e1, e1.diff(ph), e1.diff(th) / sp.sin(ph)]
    truth = sp.Matrix([sp.simplify(e1.diff(time, 2).dot(e)) for e in frame])
    thd, phd, thdd, phdd = th.diff(time), ph.diff(time), th.diff(time, 2), ph.diff(time, 2)
    omega, r = sp.Matrix([thd * sp.cos(ph), -thd * sp.sin(ph), phd]), sp.Matrix([1, 0, 0])
    form = [-(phd**2) - thd**2 * sp.sin(ph) ** 2, phdd - thd**2 * sp.sin(ph) * sp.cos(ph)]
    right = sp.Matrix([*form, thdd * sp.sin(ph) + 2 * phd * thd * sp.cos(ph)])
    printed = sp.Matrix([*form, phdd * sp.sin(ph) + 2 * phd * thd * sp.cos(ph)])
    assert sp.simplify(omega.diff(time).cross(r) + omega.cross(omega.cross(r)) - truth).is_zero_matrix
    assert sp.simplify(right - truth).is_zero_matrix
    assert sp.simplify(printed - truth)[2] != 0


# ---- section 3.5.1 to 3.5.3 and appendix B: rigid bodies


@dataclass(frozen=True)
class Linkage:
    """Rigid bodies in the plane, joined by links at points of theirs; vertex 0 is the ground, which does not move.

    `arm[v]` holds the vectors from the mass centres of tail and head to the ends of link v. `part[v]` holds the lengths
    of the link that belong to tail and head: they meet there.
    """

    links: Links
    mass: Array
    inertia: Array
    pos: Array
    vel: Array
    """x, y and the angle of each vertex; their rates."""
    force: Array
    """Forces and the moment on each vertex."""
    arm: Array
    part: Array

    def ends(self, v: int) -> tuple[tuple[int, Array, float], tuple[int, Array, float]]:
        """Vertex, arm and part of the length at both ends."""
        (tail, head), (a, b), (p, q) = self.links[v], self.arm[v], self.part[v]
        return (tail, a, p), (head, b, q)

    def link(self, v: int) -> Array:
        """From end to end."""
        (tail, a, _), (head, b, _) = self.ends(v)
        return self.pos[head, :2] + b - self.pos[tail, :2] - a

    def rate(self, v: int) -> Array:
        """Of the vector from end to end."""
        (tail, a, _), (head, b, _) = self.ends(v)
        return self.vel[head, :2] + self.vel[head, 2] * turned(b) - self.vel[tail, :2] - self.vel[tail, 2] * turned(a)

    def second(self, v: int, acc: Array) -> Array:
        """Second derivative of the vector from end to end."""
        (tail, a, _), (head, b, _) = self.ends(v)
        parts = [acc[k, :2] + acc[k, 2] * turned(r) - self.vel[k, 2] ** 2 * r for k, r in ((tail, a), (head, b))]
        return parts[1] - parts[0]


def turned(r: Array) -> Array:
    """A vector after a quarter turn anticlockwise."""
    return np.array([-r[1], r[0]])


def cross(a: Array, b: Array) -> float:
    return float(a[0] * b[1] - a[1] * b[0])


def pushed(k: Linkage, along: Array, across: Array) -> Array:
    """Accelerations of the vertices by external forces and by forces of the links: on the tail `along` the link and
    `across` it, where both parts of the link meet, and the opposite on the head.
    """
    total = k.force.copy()
    for v in range(len(k.links)):
        n = k.link(v) / norm(k.link(v))
        force = along[v] * n + across[v] * turned(n)
        (tail, a, p), (head, b, q) = k.ends(v)
        for vertex, arm, sign in ((tail, a + p * n, 1.0), (head, b - q * n, -1.0)):
            total[vertex, :2] += sign * force
            total[vertex, 2] += sign * cross(arm, force)
    acc = total / np.column_stack([k.mass, k.mass, k.inertia])
    acc[0] = 0.0
    return acc


def bodies(seed: int) -> Linkage:
    """Three bodies and the ground, with a closed loop: lengths of the links do not change."""
    rng = np.random.default_rng(seed)
    links = [(0, 1), (1, 2), (3, 1), (3, 2)]
    pos, arm = rng.normal(size=(4, 3)) * 2.0, rng.normal(size=(4, 2, 2)) * 0.6
    pos[0] = 0.0
    k = Linkage(links, rng.uniform(0.5, 3.0, 4), rng.uniform(0.5, 3.0, 4), pos, np.zeros((4, 3)),
                np.vstack([np.zeros(3), rng.normal(size=(3, 3)) * 3.0]), arm, np.zeros((4, 2)))
    share = rng.uniform(0.2, 0.8, 4)
    length = np.array([norm(k.link(v)) for v in range(4)])
    k = replace(k, part=np.column_stack([share * length, (1.0 - share) * length]))
    free = null_space(rows_of(k, lambda at: [at.rate(v) @ at.link(v) for v in range(4)]))
    vel = free @ free.T @ rng.normal(size=9)
    return replace(k, vel=np.vstack([np.zeros(3), 2.0 * (vel / norm(vel)).reshape(3, 3)]))


def rows_of(k: Linkage, measured: Callable[[Linkage], list[float]]) -> Array:
    """Derivatives of what is linear in the velocities of the bodies."""
    return np.array([measured(replace(k, vel=np.vstack([np.zeros(3), unit.reshape(3, 3)]))) for unit in np.eye(9)]).T


def motion(k: Linkage, across: Array) -> SimpleNamespace:
    """True accelerations where links keep their lengths and bear the given forces across them; matrices of §3.5."""
    m, unit = len(k.links), [k.link(v) / norm(k.link(v)) for v in range(len(k.links))]

    def stretch(along: Array) -> Array:
        acc = pushed(k, along, across)
        return np.array([k.second(v, acc) @ unit[v] + k.rate(v) @ k.rate(v) / norm(k.link(v)) for v in range(m)])

    start = stretch(np.zeros(m))
    along = solve(np.column_stack([stretch(one) - start for one in np.eye(m)]), -start)
    d = matrices(k, [float(np.arctan2(*n[::-1])) for n in unit])
    d.gn, d.gt, d.acc, d.l = along, across, pushed(k, along, across), np.array([norm(k.link(v)) for v in range(m)])
    d.dth = np.array([cross(unit[v], k.rate(v)) / d.l[v] for v in range(m)])
    d.ddth = np.array([cross(unit[v], k.second(v, d.acc)) / d.l[v] for v in range(m)])
    d.dps, d.ddps = k.vel[1:, 2], d.acc[1:, 2]
    C, S = d.C, d.S
    d.Fn, d.Ft = C @ d.EtMi @ d.f[0] + S @ d.EtMi @ d.f[1], -S @ d.EtMi @ d.f[0] + C @ d.EtMi @ d.f[1]
    d.H, d.K = C @ d.V @ C + S @ d.V @ S, S @ d.V @ C - C @ d.V @ S
    d.Cpsi, d.Spsi = d.Cr @ C + d.Sr @ S, d.Sr @ C - d.Cr @ S  # (3.65), (3.66)
    return d


def matrices(k: Linkage, theta: list[float]) -> SimpleNamespace:
    """E, M, I and (3.56), (3.57), with the lengths of (3.58) all positive."""
    m, n = len(k.links), len(k.mass)
    d = SimpleNamespace(E=incidence(k.links, n), Cr=np.zeros((n, m)), Sr=np.zeros((n, m)), Lr=np.zeros((n, m)))
    for v in range(m):
        for (vertex, arm, part), sign in zip(k.ends(v), (1.0, -1.0), strict=True):
            d.Cr[vertex, v], d.Sr[vertex, v], d.Lr[vertex, v] = sign * arm[0], sign * arm[1], part
    d.Cr, d.Sr, d.Lr = d.Cr[1:], d.Sr[1:], d.Lr[1:]
    d.C, d.S = diag(np.cos(theta)), diag(np.sin(theta))
    d.Mi, d.Ii = diag(1 / k.mass[1:]), diag(1 / k.inertia[1:])
    d.EtMi, d.V, d.f, d.moment = d.E.T @ d.Mi, d.E.T @ d.Mi @ d.E, k.force[1:, :2].T, k.force[1:, 2]
    d.I = diag(k.inertia[1:])
    return d


@seeds
def test_3_61_bodies_of_any_shape(seed: int) -> None:
    """(3.61)-(3.63) hold with the dots that the copy lost, and with positive lengths in (3.58)."""
    k = bodies(seed)
    d = motion(k, np.random.default_rng(seed + 100).normal(size=4))
    L = diag(d.l)
    small(d.H @ d.gn + d.K @ d.gt - d.Cpsi.T @ d.dps**2 - d.Spsi.T @ d.ddps + d.Fn - L @ d.dth**2,
          d.K @ d.gn - d.H @ d.gt + d.Spsi.T @ d.dps**2 - d.Cpsi.T @ d.ddps - d.Ft - L @ d.ddth)
    torque = d.I @ d.ddps + d.Spsi @ d.gn - d.Cpsi @ d.gt - d.moment
    proves(torque - d.Lr @ d.gt, torque - (d.E * d.Lr) @ d.gt)


@seeds
def test_3_64_no_slip(seed: int) -> None:
    """No slip where both parts of a link meet: L θ̇ = L_rᵀ ψ̇; the printed product has three rows for four links."""
    k = bodies(seed)

    def slip(at: Linkage) -> list[float]:
        normal = [at.link(v) / norm(at.link(v)) for v in range(4)]
        return [float(turned(n) @ at.rate(v)) - sum(part * at.vel[vertex, 2] for vertex, _, part in at.ends(v))
                for v, n in enumerate(normal)]

    free = null_space(np.vstack([rows_of(k, lambda at: [at.rate(v) @ at.link(v) for v in range(4)]), rows_of(k, slip)]))
    assert free.shape[1] == 1  # nine velocities, four lengths and four contacts
    k = replace(k, vel=np.vstack([np.zeros(3), 2.0 * free[:, 0].reshape(3, 3)]))
    d = motion(k, np.zeros(4))
    small(diag(d.l) @ d.dth - d.Lr.T @ d.dps)
    assert d.Lr.shape == (3, 4) and np.abs(d.l[:3] * d.dth[:3] - d.Lr[:, :3] @ d.dps).max() > VISIBLE


@seeds
def test_3_67_link_connectors(seed: int) -> None:
    """(3.67)-(3.72) with dots and {Fⁿ} in (3.70); K_ψ = C_ψᵀ I⁻¹ S_ψ in (3.73)."""
    d = motion(bodies(seed), np.zeros(4))
    L, square = diag(d.l), d.dps**2
    small(d.I @ d.ddps + d.Spsi @ d.gn - d.moment)  # (3.69)
    H = d.Spsi.T @ d.Ii @ d.Spsi  # (3.72)
    along = (d.H + H) @ d.gn - d.Cpsi.T @ square - d.Spsi.T @ d.Ii @ d.moment - L @ d.dth**2
    proves(along + d.Fn, along + d.Ft)
    across = d.K @ d.gn - d.Ft + d.Spsi.T @ square - d.Cpsi.T @ d.Ii @ d.moment - L @ d.ddth
    proves(across + d.Cpsi.T @ d.Ii @ d.Spsi @ d.gn, across + d.Cpsi.T @ d.Ii @ d.Cpsi @ d.gn)


def pinned(seed: int) -> Linkage:
    """Three bodies, one pinned to the ground and two to it: ends of links coincide."""
    rng = np.random.default_rng(seed)
    links, arm = [(0, 1), (1, 2), (1, 3)], rng.normal(size=(3, 2, 2))
    pos = np.zeros((4, 3))
    k = Linkage(links, rng.uniform(0.5, 3.0, 4), rng.uniform(0.5, 3.0, 4), pos, np.zeros((4, 3)),
                np.vstack([np.zeros(3), rng.normal(size=(3, 3)) * 3.0]), arm, np.zeros((3, 2)))
    for v, (_, head) in enumerate(links):
        pos[head, :2] -= k.link(v)
    free = null_space(rows_of(k, lambda at: [float(c) for v in range(3) for c in at.rate(v)]))
    return replace(k, vel=np.vstack([np.zeros(3), (free @ rng.normal(size=free.shape[1])).reshape(3, 3)]))


@seeds
def test_3_76_revolute_joints(seed: int) -> None:
    """(3.76), (3.77), (3.80): matrices with S_r and C_r, and the opposite sign of the right sides; (3.82) likewise."""
    k = pinned(seed)

    def moved(forces: Array) -> Array:
        total = k.force.copy()
        for v, force in enumerate(forces.reshape(3, 2)):
            for (vertex, arm, _), sign in zip(k.ends(v), (1.0, -1.0), strict=True):
                total[vertex, :2] += sign * force
                total[vertex, 2] += sign * cross(arm, force)
        acc = total / np.column_stack([k.mass, k.mass, k.inertia])
        acc[0] = 0.0
        return acc

    def apart(forces: Array) -> Array:
        return np.concatenate([k.second(v, moved(forces)) for v in range(3)])

    start = apart(np.zeros(6))
    forces = solve(np.column_stack([apart(one) - start for one in np.eye(6)]), -start)
    (gx, gy), acc = forces.reshape(3, 2).T, moved(forces)
    d = matrices(k, [0.3, 1.1, -0.7])  # θ of a link without length means nothing: any will do
    square, ddps = k.vel[1:, 2] ** 2, acc[1:, 2]
    H, K = d.Sr.T @ d.Ii @ d.Sr, d.Cr.T @ d.Ii @ d.Cr
    D1, D2 = d.Sr.T @ d.Ii @ d.Cr, d.Cr.T @ d.Ii @ d.Sr
    right_x = d.EtMi @ d.f[0] - d.Sr.T @ d.Ii @ d.moment - d.Cr.T @ square
    right_y = d.EtMi @ d.f[1] + d.Cr.T @ d.Ii @ d.moment - d.Sr.T @ square
    left_x, left_y = (d.V + H) @ gx - D1 @ gy, (d.V + K) @ gy - D2 @ gx
    proves(left_x + right_x, left_x - right_x)
    proves(left_y + right_y, left_y - right_y)
    torque = d.I @ ddps - d.moment
    Cpsi, Spsi = d.Cr @ d.C + d.Sr @ d.S, d.Sr @ d.C - d.Cr @ d.S
    proves(torque + d.Sr @ gx - d.Cr @ gy, torque + Spsi @ gx - Cpsi @ gy)
    printed = (d.V + Spsi.T @ d.Ii @ Spsi) @ gx - Spsi.T @ d.Ii @ Cpsi @ gy
    assert np.abs(printed + right_x).max() > VISIBLE
    # (3.83), (3.84) turn forces of a pin into the axes of a link; (3.74), (3.75) leave half of that out
    n, t = d.C @ gx + d.S @ gy, -d.S @ gx + d.C @ gy
    proves(np.concatenate([d.C @ n - d.S @ t - gx, d.S @ n + d.C @ t - gy]),
           np.concatenate([d.C @ n - gx, d.S @ n - gy]))


@seeds
def test_b_1_body_with_two_links(seed: int) -> None:
    """(B.1)-(B.6) for a body i with a link u that ends there and a link v that leaves it, and a body j likewise."""
    k = bodies(seed)
    d = motion(k, np.random.default_rng(seed + 200).normal(size=4))
    theta = np.array([float(np.arctan2(*(k.link(v) / norm(k.link(v)))[::-1])) for v in range(4)])
    i, u, v = 1, 0, 1  # link 0 ends at body 1, link 1 leaves it; link 2 (3 to 1) ends there as well
    psi = {(vertex, number): float(np.arctan2(arm[1], arm[0])) for number in range(4)
           for vertex, arm, _ in k.ends(number)}
    r = {(vertex, number): norm(arm) for number in range(4) for vertex, arm, _ in k.ends(number)}
    l_ = {(vertex, number): part for number in range(4) for vertex, _, part in k.ends(number)}

    def ending(w: int) -> float:
        turn = psi[i, w] - theta[w]
        return float(d.gn[w] * r[i, w] * np.sin(turn) + d.gt[w] * (l_[i, w] - r[i, w] * np.cos(turn)))

    turn = psi[i, v] - theta[v]
    rest = k.inertia[i] * d.acc[i, 2] - d.moment[i - 1] - ending(u) - ending(2) + d.gn[v] * r[i, v] * np.sin(turn)
    proves(np.array(rest - d.gt[v] * (l_[i, v] + r[i, v] * np.cos(turn))),
           np.array(rest - d.gt[v] * (l_[i, v] - r[i, v] * np.cos(turn))))
    # across link v: body i bears u, 2 (both end there) and v; body j = 2 bears v and w = 3, which ends there too
    n = np.array([np.cos(theta[v]), np.sin(theta[v])])
    f = [float(turned(n) @ k.force[vertex, :2]) for vertex in (1, 2)]
    others = sum(d.gn[w] * np.sin(theta[v] - theta[w]) - d.gt[w] * np.cos(theta[v] - theta[w]) for w in (u, 2))
    across = k.mass[1] * turned(n) @ d.acc[1, :2] - d.gt[v] - f[0]
    wrong = sum(d.gt[w] * (np.sin(theta[v] - theta[w]) - np.cos(theta[v] - theta[w])) for w in (u, 2))
    proves(np.array(across - others), np.array(across - wrong))  # (B.5)
    turn = theta[v] - theta[3]
    across = k.mass[2] * turned(n) @ d.acc[2, :2] + d.gt[v] - f[1]
    # (B.6) has a link w that leaves j; link 3 ends there, so that its forces have the other sign
    proves(np.array(across - (d.gn[3] * np.sin(turn) - d.gt[3] * np.cos(turn))),
           np.array(across - (d.gt[3] * np.sin(turn) + d.gt[3] * np.cos(turn))))


@seeds
def test_b_11_matrix_form(seed: int) -> None:
    """(B.11): -{Fⁿ} and +(S C_rᵀ - C S_rᵀ){ψ̈}; (B.12): +(S C_rᵀ - C S_rᵀ){ψ̇²}; then they are (3.61), (3.62)."""
    d = motion(bodies(seed), np.random.default_rng(seed + 300).normal(size=4))
    L, A, B = diag(d.l), d.S @ d.Cr.T - d.C @ d.Sr.T, d.C @ d.Cr.T + d.S @ d.Sr.T
    along = -d.H @ d.gn - d.K @ d.gt + L @ d.dth**2 + B @ d.dps**2
    proves(along - d.Fn - A @ d.ddps, along + d.Fn + A @ d.ddps)
    across = d.K @ d.gn - d.H @ d.gt - d.Ft - L @ d.ddth - B @ d.ddps
    proves(across - A @ d.dps**2, across + A @ d.dps**2)


# ---- chapter 4 and appendix D


def test_4_3_coordination_number_of_disks() -> None:
    """(4.3) gives 6 disks about an equal one; in floating point π/arcsin(1/2) is below 6, and INT makes it 5."""
    count = np.pi / np.arcsin(0.5)
    assert int(count) == 5 and int(np.floor(count + 1e-9)) == 6
    for ratio, disks in ((1.0, 6), (2.0, 9), (0.5, 4)):  # about a disk of this radius, in radii of the small ones
        alpha = np.arcsin(1.0 / (1.0 + ratio))
        assert int(np.floor(np.pi / alpha + 1e-9)) == disks
        at = (1.0 + ratio) * np.exp(2j * np.pi * np.arange(disks) / disks)
        assert np.abs(np.diff(at)).min() > 2.0 - 1e-12  # there is room for them, and for no more
        assert (1.0 + ratio) * 2.0 * np.sin(np.pi / (disks + 1)) < 2.0


def test_d_9_coordination_number_of_spheres() -> None:
    """(4.5), (4.6) and (D.10) give 13.397 for equal spheres; (D.9) must have the area of a circle for a triangle's."""
    alpha = np.arcsin(0.5)
    E = 4.0 * np.arctan(np.sqrt(np.tan(1.5 * alpha) * np.tan(0.5 * alpha) ** 3))  # (4.6)
    side = 2.0 * alpha
    angle = np.arccos((np.cos(side) - np.cos(side) ** 2) / np.sin(side) ** 2)  # spherical law of cosines
    assert pytest.approx(3.0 * angle - np.pi, rel=1e-14) == E
    count = 2.0 * (np.pi + E) / E  # (4.5)
    assert count == pytest.approx(13.397, abs=5e-4)
    triangles = 4.0 * np.pi / E  # Euler: V - 3/2 T + T = 2
    assert 2.0 + 0.5 * triangles == pytest.approx(count, rel=1e-14)
    circle, triangle = 2.0 * np.pi * (1.0 - np.cos(alpha)), E
    fan = angle / (2.0 * np.pi) * circle  # (D.8)
    assert 3.0 * fan / circle * triangles == pytest.approx(count, rel=1e-12)
    assert 3.0 * fan / triangle * triangles != pytest.approx(count, rel=0.05)


def test_4_11_shadows() -> None:
    """Widths of the shadow of one disk on another that it touches, against intervals across the flow."""
    rng = np.random.default_rng(0)
    wrong = 0
    for _ in range(500):
        (r, s), turn = rng.uniform(0.2, 2.0, 2), rng.uniform(-0.5 * np.pi, 0.5 * np.pi)
        offset = (r + s) * np.sin(turn)  # across the flow, of the disk behind
        true = max(0.0, min(r, offset + s) - max(-r, offset - s))
        assert min((r + s) * (1.0 - abs(np.sin(turn))), 2.0 * r, 2.0 * s) == pytest.approx(true, abs=1e-12)
        wrong += abs((r + s) * (1.0 - np.sin(turn)) - true) > VISIBLE
    assert wrong > 250
    # (4.10): k = h/2r, 0 without a shadow and 1 in a full one, where (4.13) makes nothing of the flow arrive
    assert min((1.0 + 1.0) * (1.0 - abs(np.sin(0.5 * np.pi))), 2.0) / 2.0 == 0.0
    assert min((1.0 + 3.0) * (1.0 - 0.0), 2.0 * 1.0) / (2.0 * 1.0) == 1.0


def test_4_12_shadows_are_those_of_disks_upstream() -> None:
    """Two disks touch one behind them: its k is the sum of the widths that *they* shade, over its own diameter. The sum
    in print is over shadows that the disk casts itself.
    """
    r, half = 1.0, np.radians(35.0)
    at = np.array([[0.0, 0.0], [-2.0 * np.cos(half), 2.0 * np.sin(half)], [-2.0 * np.cos(half), -2.0 * np.sin(half)]])

    def shaded(i: int, j: int) -> float:  # width of j in the shadow of i; the flow is along x
        d = at[j] - at[i]
        return 2.0 * r * (1.0 - abs(d[1]) / norm(d)) if d[0] > 0.0 else 0.0

    y = np.linspace(-r, r, 200_001)
    true = np.mean([np.abs(y - other) < r for other in at[1:, 1]], axis=1).sum()
    proves(np.array(round(sum(shaded(i, 0) for i in (1, 2)) / (2.0 * r) - true, 4)),
           np.array(sum(shaded(0, i) for i in (1, 2)) / (2.0 * r) - true))


def test_4_15_friction() -> None:
    """μ γ against the sliding, along the tangent; signs of x and y taken one by one are another force in most contacts,
    and speed up the sliding in half of them.
    """
    rng = np.random.default_rng(1)
    other, gains = 0, 0
    for _ in range(1000):
        theta, mu, gamma = rng.uniform(0.0, 2.0 * np.pi), 0.4, -rng.uniform(0.5, 2.0)  # γ < 0: pressed
        tangent, u = np.array([-np.sin(theta), np.cos(theta)]), rng.normal(size=2)  # i against j
        sliding = float(u @ tangent)
        true = -mu * abs(gamma) * np.sign(sliding) * tangent  # Coulomb
        small(mu * gamma * np.sign(sliding) * tangent - true)
        printed = mu * gamma * np.array([np.sign(u[0]) * np.sin(theta), np.sign(u[1]) * np.cos(theta)])
        other += norm(printed - true) > VISIBLE
        gains += printed @ tangent * sliding > 0.0
    assert 650 < other < 850 and 400 < gains < 600


def test_4_18_limit_of_friction() -> None:
    """What stops a mass in a step is the magnitude |m v/h + F|: friction of that size leaves it at rest. The printed
    sum has a sign, and stops nothing that moves or is pushed the other way.
    """
    m, h = 2.0, 0.01
    for v, force in ((0.3, 5.0), (-0.3, 1.0), (0.02, -9.0)):
        limit = abs(m * v / h + force)
        friction = -limit * np.sign(m * v / h + force)
        assert m * v + h * (force + friction) == pytest.approx(0.0, abs=1e-14)
    assert m * -0.3 / h + 1.0 < 0.0  # no limit for a magnitude


@seeds
def test_4_22_impacts(seed: int) -> None:
    """(4.24)-(4.26) with η = v_j - v_i (head minus tail) give Newton's law of impact; with i - j they double the error.

    Momentum of the two disks stays either way.
    """
    rng = np.random.default_rng(seed)
    mass, v, e, theta = rng.uniform(0.5, 3.0, 2), rng.normal(size=(2, 2)), 0.6, rng.uniform(0.0, 6.0)
    n = np.array([np.cos(theta), np.sin(theta)])
    v[1] -= (1.0 + n @ (v[1] - v[0])) * n  # an approach of 1 m/s
    E, Mi, C, S = np.array([[1.0], [-1.0]]), diag(1.0 / mass), n[0], n[1]
    H = (C * C + S * S) * E.T @ Mi @ E

    def after(eta: float) -> Array:
        dv = solve(H, np.array([(1.0 + e) * eta]))
        return v + np.column_stack([Mi @ E @ dv * C, Mi @ E @ dv * S])

    before = float(n @ (v[1] - v[0]))
    assert before == pytest.approx(-1.0, rel=1e-12)  # an approach is negative
    good, printed = after(before), after(-before)
    proves(np.array(n @ (good[1] - good[0]) + e * before), np.array(n @ (printed[1] - printed[0]) + e * before))
    assert n @ (printed[1] - printed[0]) == pytest.approx((2.0 + e) * before, rel=1e-12)
    small(mass @ good - mass @ v, mass @ printed - mass @ v)
