"""Equations written out as programs, Python and C that stand alone; `shown` writes them for people.

The equations are M q̈ = f + Aᵀ λ with A q̈ = b. Generated programs hold the formulas, each shared part once, and the
elimination of `constrained.solve`.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

from granum.algebra import Expression
from granum.algebra.emit import c_function, python_function
from granum.analytic import constrained
from granum.base.errors import GranumError
from granum.rows.symbolic import rate_name


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
    frictions: tuple[str, ...] = ()
    """Names of frictions that stick and slide."""

    def write(self, form: str) -> str:
        """A program in python or c; programs decide nothing, so that they are refused where friction must."""
        if self.frictions:
            names = ", ".join(f'"{name}"' for name in self.frictions)
            raise GranumError(f"friction {names} may stick, slide or open during a motion, which generated code for "
                              "accelerations cannot decide. Use --format text, latex or html, which give both regimes, "
                              "or run the scene with virtual-work.")
        return {"python": self.python, "c": self.c}[form]()

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
DEPENDENT, LATER = {constrained.DEPENDENT!r}, {constrained.LATER!r}
UNDETERMINED, MASSLESS = {constrained.UNDETERMINED!r}, {constrained.MASSLESS!r}


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
                  np.zeros((m, m)), np.zeros(m), np.zeros(m), np.zeros(m), np.zeros(m + 1), False)
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


def _plain(title: str) -> str:
    """A title without signs that could end the comment it stands in."""
    return " ".join(re.sub(r"[^\w\s.,;:()+=/'-]", " ", title).split())
