"""Equations written out: as text, LaTeX, and as Python and C that stand alone.

The equations are M q̈ = f + Aᵀ λ with A q̈ = b. Generated programs hold the formulas, each shared part once, and the
elimination of `constrained.solve`.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

from granum.algebra import Expression, symbol
from granum.algebra.emit import c_function, python_function
from granum.algebra.show import latex as latex_of
from granum.algebra.show import shared
from granum.algebra.show import text as text_of
from granum.analytic import constrained
from granum.base.choices import FORMATS
from granum.base.errors import GranumError, pick
from granum.rows.symbolic import rate_name


@dataclass(frozen=True)
class Law:
    """Coulomb's law of a friction: rows that hold while it sticks, and their multipliers while it slides."""

    name: str
    coefficient: float
    normal: int
    """Row whose multiplier is the normal force."""
    rows: tuple[int, ...]
    """Rows of the slip velocity."""
    slip: tuple[Expression, ...]


@dataclass(frozen=True)
class Formulas:
    """M, f, A and b as formulas, with the names they are about."""

    title: str
    coordinates: tuple[str, ...]
    parameters: dict[str, float]
    M: list[list[Expression]]
    f: list[Expression]
    rows: tuple[str, ...] = ()
    A: Sequence[Sequence[Expression]] = ()
    b: Sequence[Expression] = ()
    frictions: tuple[Law, ...] = ()

    def write(self, form: str) -> str:
        """The equations in one of FORMATS; programs decide nothing, so that they are refused where friction must."""
        if self.frictions and form in ("python", "c"):
            names = ", ".join(f'"{law.name}"' for law in self.frictions)
            raise GranumError(f"friction {names} may stick, slide or open during a motion, which generated code for "
                              "accelerations cannot decide. Use --format text or latex, which give both regimes, or "
                              "run the scene with virtual-work.")
        return {"text": self.text, "latex": self.latex, "python": self.python, "c": self.c}[
            pick(form, FORMATS, "format")]()

    def _shared(self) -> tuple[list[tuple[str, Expression]], list[list[Expression]], list[Expression],
                               list[list[Expression]], list[Expression]]:
        n, m = len(self.f), len(self.b)
        lower = [self.M[i][j] for i in range(n) for j in range(i + 1)]
        definitions, roots = shared([*lower, *self.f, *(entry for row in self.A for entry in row), *self.b])
        taken = iter(roots)
        M = [[next(taken) for _ in range(i + 1)] for i in range(n)]
        f = [next(taken) for _ in range(n)]
        A = [[next(taken) for _ in range(n)] for _ in range(m)]
        return definitions, M, f, A, [next(taken) for _ in range(m)]

    def text(self) -> str:
        """One line per entry that is not zero, shared parts first."""
        definitions, M, f, A, b = self._shared()
        q = self.coordinates
        lines = [f"# {_plain(self.title)}"] if self.title else []
        lines += [f"# coordinates: {', '.join(q)}"]
        lines += [f"{name} = {value!r}" for name, value in self.parameters.items()]
        lines += [f"{name} = {text_of(value)}" for name, value in definitions]
        lines += ["", "# M q'' = f + A^T lambda"]
        lines += [f"M[{q[i]}, {q[j]}] = {text_of(entry)}" for i, row in enumerate(M) for j, entry in enumerate(row)
                  if not entry.is_zero]
        lines += [f"f[{q[i]}] = {text_of(entry)}" for i, entry in enumerate(f)]
        if self.rows:
            lines += ["", "# A q'' = b"]
        for r, name in enumerate(self.rows):
            lines += [f"A[{name}, {q[j]}] = {text_of(entry)}" for j, entry in enumerate(A[r]) if not entry.is_zero]
            lines += [f"b[{name}] = {text_of(b[r])}"]
        return "\n".join([*lines, *(line for law in self.frictions for line in self._regimes(law))]) + "\n"

    def _regimes(self, law: Law) -> list[str]:
        """Both regimes of a friction as text."""
        N, rows = f"lambda[{self.rows[law.normal]}]", [self.rows[r] for r in law.rows]
        slip = [f"u{k + 1}" for k in range(len(rows))]
        force, speed = _root([f"lambda[{row}]" for row in rows]), _root(slip)
        return ["", f"# friction {law.name}: normal force {N}, slip u",
                *(f"{u} = {text_of(formula)}" for u, formula in zip(slip, law.slip, strict=True)),
                f"# while it sticks the rows {', '.join(rows)} hold, and {force} <= {law.coefficient!r}*abs({N})",
                "# while it slides these rows are left out, and",
                *(f"lambda[{row}] = -{law.coefficient!r}*abs({N})*{u}/{speed}"
                  for row, u in zip(rows, slip, strict=True))]

    def latex(self) -> str:
        """One equation per coordinate and constraint, shared parts named below."""
        definitions, M, f, A, b = self._shared()
        n = len(f)
        second = [_accelerated(name) for name in self.coordinates]
        lines = []
        for i in range(n):
            terms = [_times(M[max(i, j)][min(i, j)], second[j]) for j in range(n)]
            pull = [_times(A[r][i], rf"\lambda_{{{r + 1}}}") for r in range(len(b))]
            right = " + ".join([latex_of(f[i]), *filter(None, pull)])
            lines.append(rf"{' + '.join(filter(None, terms)) or '0'} &= {right}")
        for r in range(len(b)):
            terms = [_times(A[r][j], second[j]) for j in range(n)]
            lines.append(rf"{' + '.join(filter(None, terms))} &= {latex_of(b[r])}")
        for law in self.frictions:
            N, mu = rf"\lambda_{{{law.normal + 1}}}", f"{law.coefficient:.6g}"
            T, u = [rf"\lambda_{{{r + 1}}}" for r in law.rows], [rf"u_{{{r + 1}}}" for r in law.rows]
            force_size, speed = (f"|{x[0]}|" if len(x) == 1 else f"|({', '.join(x)})|" for x in (T, u))
            lines += [rf"{one} &= {latex_of(slip)}" for one, slip in zip(u, law.slip, strict=True)]
            lines += [rf"{force_size} &\le {mu}\,|{N}| \quad \text{{while it sticks, the rows of }} "
                      rf"{', '.join(u)} \text{{ hold}}"]
            lines += [rf"{force} &= -{mu}\,|{N}|\,\frac{{{one}}}{{{speed}}} \quad \text{{while it slides, "
                      r"they do not}" for force, one in zip(T, u, strict=True)]
        lines += [rf"{latex_of(symbol(name))} &= {latex_of(value)}" for name, value in definitions]
        return "\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}\n"

    def _arguments(self) -> tuple[dict[str, Sequence[str] | str], dict[str, list[Expression]]]:
        inputs: dict[str, Sequence[str] | str] = {
            "q": self.coordinates, "v": [rate_name(name) for name in self.coordinates], "t": "t",
            "p": list(self.parameters)}
        return inputs, {"M": [entry for row in self.M for entry in row], "f": self.f,
                        "A": [entry for row in self.A for entry in row], "b": list(self.b)}

    def python(self) -> str:
        """A Python module that needs NumPy alone."""
        inputs, outputs = self._arguments()
        n, m = len(self.f), len(self.b)
        body = python_function("formulas", inputs, outputs)
        parts = [constrained._inertias, constrained._first, constrained.cholesky, constrained.forward,
                 constrained.backward, constrained.multipliers_of, constrained.solve]
        solver = "\n\n".join(inspect.getsource(part.py_func).replace("@kernel\n", "")  # type: ignore[attr-defined]
                             for part in parts)
        return f'''"""{_plain(self.title) or "Equations of motion"}: accelerations of {", ".join(self.coordinates)}."""

from __future__ import annotations

{body.split(chr(10), 1)[0]}

import numpy as np

COORDINATES = {list(self.coordinates)!r}
PARAMETERS = {self.parameters!r}
DEPENDENT, UNDETERMINED, MASSLESS = {constrained.DEPENDENT!r}, {constrained.UNDETERMINED!r}, {constrained.MASSLESS!r}


{body.split(chr(10), 1)[1].strip()}


{solver}

def accelerations(q, v, t=0.0, parameters=tuple(PARAMETERS.values())):
    """Second derivatives of the coordinates and the multipliers of the constraints."""
    n, m = {n}, {m}
    M, f, A, b = np.zeros(n * n), np.zeros(n), np.zeros(m * n), np.zeros(m)
    formulas(q, v, t, parameters, M, f, A, b)
    M, A = M.reshape(n, n), A.reshape(m, n)
    a, multipliers = np.zeros(n), np.zeros(m)
    found = solve(M, f, A, A, b, a, multipliers, np.zeros((n, n)), np.zeros((m, n)), np.zeros((m, n)),
                  np.zeros((m, m)), np.zeros(m), np.zeros(m), np.zeros(m))
    if found < 0:
        raise ValueError(f"the acceleration of {{COORDINATES[int(-1 - found)]}} is not determined")
    return a, multipliers
'''

    def c(self) -> str:
        """A C99 file: `int accelerations(q, v, t, parameters, a, multipliers)`; compile with -lm."""
        inputs, outputs = self._arguments()
        n, m = len(self.f), len(self.b)
        solver = files("granum.analytic").joinpath("solve.c").read_text("utf-8")
        values = ", ".join(map(repr, self.parameters.values())) or "0.0"
        names = ", ".join(f'"{name}"' for name in self.coordinates)
        return f"""/* {_plain(self.title) or "Equations of motion"}: accelerations of {", ".join(self.coordinates)}. */
{c_function("formulas", inputs, outputs)}
#define N {n}
#define ROWS {m}
#define SPACE(x) ((x) > 0 ? (x) : 1)
const int coordinate_count = N, row_count = ROWS;
const char *const coordinate_names[] = {{{names}}};
const double default_parameters[] = {{{values}}};

{solver}
/* Second derivatives a of the coordinates and multipliers of the constraints; p = 0 takes the default parameters.
   Returns 0, or -1 - k if coordinate k is not determined. */
int accelerations(const double *q, const double *v, double t, const double *p, double *a, double *multipliers)
{{
    double M[N * N], f[N], A[SPACE(ROWS * N)], b[SPACE(ROWS)], S[N * N], Y[SPACE(ROWS * N)], G[SPACE(ROWS * ROWS)],
        right[SPACE(ROWS)], kept[SPACE(ROWS)];
    formulas(q, v, t, p ? p : default_parameters, M, f, A, b);
    return solve(N, ROWS, M, f, A, b, a, multipliers, S, Y, G, right, kept);
}}
"""


def _root(components: Sequence[str]) -> str:
    """Length of a vector as text."""
    return f"abs({components[0]})" if len(components) == 1 else f"sqrt({' + '.join(f'{c}**2' for c in components)})"


def _plain(title: str) -> str:
    """A title without signs that could end the comment it stands in."""
    return " ".join(re.sub(r"[^\w\s.,;:()+=/'-]", " ", title).split())


def _accelerated(name: str) -> str:
    """LaTeX of a second derivative."""
    return rf"\ddot{{{latex_of(symbol(name))}}}"


def _times(factor: Expression, what: str) -> str:
    """LaTeX of a product; empty for zero."""
    if factor.is_zero:
        return ""
    if factor.kind == "number" and factor.value == 1.0:
        return what
    written = latex_of(factor)
    return rf"\left({written}\right) {what}" if factor.kind in ("+", "-", "neg") else rf"{written} \, {what}"
