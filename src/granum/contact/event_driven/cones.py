"""Which contacts hold, stick and slide: forces (or impulses) in Coulomb's cone that fit to what they do.

With u̇ = W F + b at every contact (for impulses u⁺ = W P + b):

    n·u̇ ≥ 0,  λ = n·F ≥ 0,  λ n·u̇ = 0
    |F_t| ≤ μ λ, and F_t = -μ λ e, with e the direction of slip where there is slip, else that of u̇_t

The own block of a contact of round grains is diagonal, w_n = Σ 1/m and w_t = Σ (1 + κ)/m, so one contact is solved in
closed form. Sweeps over the contacts come near to the solution; then the rows that hold are solved exactly. Coulomb's
friction may leave several answers, rest among them: what is at rest and can stay so does. Sweeps therefore start from
the answer of a slip that dilates, which is a minimum, and rest wherever forces in the cones allow it.
"""

from __future__ import annotations

import math

import numpy as np

from granum.base.errors import NotConvergedError
from granum.base.kernels import Flags, Floats, Ints, Records, kernel
from granum.base.text import count
from granum.contact.event_driven.closed import FORCES, Rows, apply, set_rows, solve_rows
from granum.contact.event_driven.contacts import SLIDES, STICKS, Bodies, normals, slips, subset
from granum.contact.problem import normal
from granum.grains.cones import limit_friction, limit_frictions
from granum.state.table import X, Y, Z

NEARLY = 1e-12
"""A force is nothing, and a condition met, to this part of the largest force."""
_SWEEPS = 100
_DILATING = 10_000
_ROUNDS = 6
"""Each with five times as many sweeps as the one before."""
_TRIALS = 25


@kernel
def _sweep(
    contacts: Records, bodies: Bodies, b: Floats, known: Flags, v: Floats, s: Floats, sweeps: int, small: float,
    dilates: bool,
) -> None:
    """Gauss-Seidel over the contacts; v and s are what F does to the grains. Ends when no force changes by `small`.

    A slip that dilates opens the contact by μ u_t: forces are then those of least ½ F·W F + b·F in the cones.
    """
    for _ in range(sweeps):
        change = 0.0
        for k in range(len(contacts)):
            c = contacts[k]
            i, j, n, F, mu = c.i, c.j, normal(c), c.F, c.friction
            w_n, w_t = bodies.im[j], bodies.im[j] + bodies.km[j]
            sx, sy, sz = s[j, X], s[j, Y], s[j, Z]
            ux, uy, uz = b[k, X] + v[j, X], b[k, Y] + v[j, Y], b[k, Z] + v[j, Z]
            if i >= 0:
                w_n, w_t = w_n + bodies.im[i], w_t + bodies.im[i] + bodies.km[i]
                sx, sy, sz = sx + s[i, X], sy + s[i, Y], sz + s[i, Z]
                ux, uy, uz = ux - v[i, X], uy - v[i, Y], uz - v[i, Z]
            ux, uy, uz = ux - (sy * n[Z] - sz * n[Y]), uy - (sz * n[X] - sx * n[Z]), uz - (sx * n[Y] - sy * n[X])
            u_n = ux * n[X] + uy * n[Y] + uz * n[Z]
            f_n = F[X] * n[X] + F[Y] * n[Y] + F[Z] * n[Z]
            force = max(0.0, f_n - u_n / w_n)
            if known[k]:
                tx, ty, tz = -mu * force * c.d[X], -mu * force * c.d[Y], -mu * force * c.d[Z]
            else:
                tx = F[X] - f_n * n[X] - (ux - u_n * n[X]) / w_t
                ty = F[Y] - f_n * n[Y] - (uy - u_n * n[Y]) / w_t
                tz = F[Z] - f_n * n[Z] - (uz - u_n * n[Z]) / w_t
                size = math.sqrt(tx * tx + ty * ty + tz * tz)
                if dilates and size > mu * (f_n - u_n / w_n):
                    force = max(0.0, (w_n * (f_n - u_n / w_n) + mu * w_t * size) / (w_n + mu * mu * w_t))
                tx, ty, tz, _ = limit_friction(tx, ty, tz, mu * force)
            dx, dy, dz = force * n[X] + tx - F[X], force * n[Y] + ty - F[Y], force * n[Z] + tz - F[Z]
            F[X], F[Y], F[Z] = F[X] + dx, F[Y] + dy, F[Z] + dz
            change = max(change, abs(dx), abs(dy), abs(dz))
            qx, qy, qz = n[Y] * dz - n[Z] * dy, n[Z] * dx - n[X] * dz, n[X] * dy - n[Y] * dx
            v[j, X] += bodies.im[j] * dx
            v[j, Y] += bodies.im[j] * dy
            v[j, Z] += bodies.im[j] * dz
            s[j, X] -= bodies.km[j] * qx
            s[j, Y] -= bodies.km[j] * qy
            s[j, Z] -= bodies.km[j] * qz
            if i >= 0:
                v[i, X] -= bodies.im[i] * dx
                v[i, Y] -= bodies.im[i] * dy
                v[i, Z] -= bodies.im[i] * dz
                s[i, X] -= bodies.km[i] * qx
                s[i, Y] -= bodies.km[i] * qy
                s[i, Z] -= bodies.km[i] * qz
        if change <= small:
            return


class Cones:
    """The problem of one moment: contacts whose motion is known, b (count, 3), and which of them slide already."""

    def __init__(self, c: Records, bodies: Bodies, b: Floats, known: Flags, rows: Rows) -> None:
        self.c, self.bodies, self.b, self.known, self.rows = c, bodies, b, known, rows
        self.n, self.F, self.d, self.mode, self.mu = normals(c), c["F"], c["d"], c["mode"], c["friction"]
        i, j = c["i"], c["j"]
        self.w_n = bodies.im[j] + np.where(i >= 0, bodies.im[i], 0.0)
        self.w_t = self.w_n + bodies.km[j] + np.where(i >= 0, bodies.km[i], 0.0)
        self.size = float(np.max(np.linalg.norm(b, axis=1) / self.w_n, initial=0.0))
        self.holds = np.zeros(len(c), bool)
        """Which contacts carry force, or stay closed without any."""
        self.opening = np.zeros(len(c), bool)
        """Contacts that had just no force: where forces are not determined, they stay without."""
        self.yielding = np.zeros(len(c), bool)
        """Contacts that had just all friction they can: where forces are not determined, they keep it."""

    def solve(self, where: str) -> None:
        """F, mode and direction of slip of every contact; `where` is for the error if there is no solution."""
        self.F[:] = 0.0
        if self.size == 0.0:
            self._classify()
            return
        nobody = np.zeros(len(self.c), bool)
        v, s = self._effect()
        _sweep(self.c, self.bodies, self.b, self.known, v, s, _DILATING, 1e-14 * self.size, True)
        dilating = self.F.copy()
        best, answer = np.inf, self._now()
        for doubtful in (self.opening, self.yielding), (self.opening, nobody), (nobody, nobody):
            self._suppose(dilating, *doubtful)
            best, answer = self._residual(), self._now()
            if best <= 100.0 * NEARLY:
                return
        self.F[:] = dilating
        for k in range(_ROUNDS):
            v, s = self._effect()
            _sweep(self.c, self.bodies, self.b, self.known, v, s, _SWEEPS * 5**k, 1e-15 * self.size, False)
            swept = self.F.copy()
            for _ in range(_TRIALS):
                self._classify()
                with np.errstate(over="ignore", invalid="ignore"):  # a wrong guess may have no finite answer
                    self._hold()
                    residual = self._residual()
                if residual < best:
                    best, answer = residual, self._now()
                if not 1e-14 < residual < 1e8:
                    break
            if best <= NEARLY:
                break
            self.F[:] = swept
        self.F[:], self.holds, self.mode[:], self.d[:] = answer
        if best > 1e3 * NEARLY:
            raise NotConvergedError(
                f"{where}: no forces at {count(len(self.c), 'contact')} satisfy contact and friction (residual "
                f'{best:.1e} of the largest force). Change friction slightly, or use solver = "moreau", which does not '
                "need an exact solution.")

    def _suppose(self, F: Floats, opening: Flags, yielding: Flags) -> None:
        """Forces near F if all contacts that have any stick, except those in doubt and those that slide already."""
        self.F[:] = F
        force = np.sum(F * self.n, axis=1)
        shear = F - force[:, None] * self.n
        size = np.linalg.norm(shear, axis=1)
        self.holds = (force > NEARLY * self.size) & ~opening
        limit = yielding & ~self.known & (size > 0.0)
        self.mode[:] = np.where(self.known | (self.mu == 0.0) | limit, SLIDES, STICKS)
        self.d[limit] = -shear[limit] / size[limit, None]
        with np.errstate(over="ignore", invalid="ignore"):
            self._hold()

    def _now(self) -> tuple[Floats, Flags, Ints, Floats]:
        """F and the rows it is solved from: other rows may hold as well, but need not allow the same forces."""
        return self.F.copy(), self.holds.copy(), self.mode.copy(), self.d.copy()

    def _effect(self) -> tuple[Floats, Floats]:
        v, s = np.zeros_like(self.bodies.free), np.zeros_like(self.bodies.free)
        apply(self.c, self.bodies, v, s)
        return v, s

    def relative(self) -> Floats:
        """u̇ (or u⁺) under F, (count, 3)."""
        i, j, (v, s) = self.c["i"], self.c["j"], self._effect()
        both = (i >= 0)[:, None]
        rotation = s[j] + np.where(both, s[i], 0.0)
        result: Floats = self.b + v[j] - np.where(both, v[i], 0.0) - np.cross(rotation, self.n)
        return result

    def _wanted(self) -> tuple[Floats, Floats, Floats]:
        """F - u̇/w, what the force would be if only this contact could answer: normal part, tangents, their size."""
        n, F, u = self.n, self.F, self.relative()
        u_n, f_n = np.sum(u * n, axis=1), np.sum(F * n, axis=1)
        z_n = f_n - u_n / self.w_n
        z_t = F - f_n[:, None] * n - (u - u_n[:, None] * n) / self.w_t[:, None]
        return z_n, z_t, np.linalg.norm(z_t, axis=1)

    def _classify(self) -> None:
        """Who holds, sticks and slides, from F."""
        mu, (z_n, z_t, size) = self.mu, self._wanted()
        self.holds = z_n > -NEARLY * max(self.size, float(np.max(np.abs(z_n), initial=0.0)))
        slides = ~self.known & ((size > mu * z_n) | (mu == 0.0))
        self.mode[:] = np.where(self.known | slides, SLIDES, STICKS)
        self.d[slides] = -z_t[slides] / np.maximum(size[slides], 1e-300)[:, None]

    def _hold(self) -> None:
        """F from the rows that hold."""
        which = np.flatnonzero(self.holds)
        c = subset(self.c, which)
        slips(c)[:] = 0.0  # so that the direction of slip is d
        m = set_rows(c, self.rows, FORCES, 0.0)
        rows = self.rows
        rows.b[:m] = -np.sum(rows.p[:m] * self.b[which[rows.contact[:m]]], axis=1)
        rows.solution[:m] = np.sum(rows.p[:m] * c["F"][rows.contact[:m]], axis=1)
        solve_rows(c, self.bodies, rows, m)
        self.F[:] = 0.0
        self.F[which] = c["F"]

    def _residual(self) -> float:
        """How far F is from what it should be, relative to the largest force."""
        mu, (z_n, z_t, _) = self.mu, self._wanted()
        f_n = np.maximum(z_n, 0.0)
        f_t = limit_frictions(z_t, mu * f_n)
        f_t = np.where(self.known[:, None], -(mu * f_n)[:, None] * self.d, f_t)
        apart = np.max(np.abs(f_n[:, None] * self.n + f_t - self.F), initial=0.0)
        largest = max(self.size, float(np.max(np.abs(self.F), initial=0.0)))
        return float(apart / largest) if np.isfinite(apart) else np.inf
