"""Scalar equations of clusters as they are printed and generated give the accelerations of the engine."""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import granum as gr
from cluster_scenes import CLUSTERS, moving_state
from granum.base.kernels import Floats
from printed import accelerations_of, explained, in_state


@cache
def equations_of(name: str) -> Any:
    return gr.derive(CLUSTERS[name](), "scalar")


def in_angles(name: str, seed: int) -> tuple[Floats, Floats, Floats]:
    """A moving state in the angles of the document, and the second derivatives that the engine computes there."""
    equations = equations_of(name)
    angles, rates = equations.angles(*moving_state(CLUSTERS[name](), seed), of_source=True)
    return angles, rates, equations.angle_accelerations(angles, rates)


@pytest.mark.parametrize("name", CLUSTERS)
def test_printed_equations_give_the_accelerations_of_the_engine(name: str) -> None:
    """Round-off of a solve with a condition number up to 1e3 leaves 1e-11 with a margin."""
    shown = equations_of(name).derivation()
    texts = shown.text(), shown.with_shared_parts().text(steps=True)
    for seed in range(3):
        angles, rates, wanted = in_angles(name, seed)
        for text in texts:
            found = accelerations_of(text, in_state(shown, angles, rates), shown.coordinates)
            assert_allclose(found, wanted, rtol=0.0, atol=2e-10 * np.abs(wanted).max())


@pytest.mark.parametrize("name", CLUSTERS)
def test_python_gives_the_accelerations_of_the_engine(name: str) -> None:
    """The coordinates are those of the derivation; solves of some ten unknowns round to 1e-12 with a margin."""
    program: dict[str, Any] = {}
    exec(equations_of(name).code("python"), program)
    assert program["COORDINATES"] == list(equations_of(name).derivation().coordinates)
    for seed in range(3):
        angles, rates, wanted = in_angles(name, seed)
        found, _ = program["accelerations"](angles, rates)
        assert_allclose(found, wanted, rtol=0.0, atol=1e-12 * np.abs(wanted).max())


@pytest.mark.skipif(shutil.which("gcc") is None, reason="no C compiler")
def test_c_gives_the_accelerations_of_the_engine(tmp_path: Path) -> None:
    angles, rates, wanted = in_angles("spatial loop", 1)
    (tmp_path / "generated.c").write_text(equations_of("spatial loop").code("c"))
    numbers = [", ".join(repr(float(x)) for x in values) for values in (angles, rates)]
    (tmp_path / "use.c").write_text(
        "#include <stdio.h>\nint accelerations(const double *, const double *, double, const double *, double *, "
        "double *);\nint main(void) { const double q[] = {" + numbers[0] + "}, v[] = {" + numbers[1] + "}; "
        "double a[20], x[20]; if (accelerations(q, v, 0.0, 0, a, x)) return 1; "
        f"for (int i = 0; i < {len(wanted)}; i++) printf(\"%.17g \", a[i]); return 0; }}\n")
    subprocess.run(["gcc", "-std=c99", "-Wall", "-Werror", "-pedantic", "-O1", "generated.c", "use.c", "-o", "use",
                    "-lm"], cwd=tmp_path, check=True)
    done = subprocess.run([str(tmp_path / "use")], capture_output=True, text=True, check=True)
    assert_allclose([float(word) for word in done.stdout.split()], wanted, rtol=0.0, atol=1e-12 * np.abs(wanted).max())


@pytest.mark.parametrize("name", CLUSTERS)
def test_every_symbol_is_explained_and_latex_is_balanced(name: str) -> None:
    """No value of a constant is in a formula, no symbol without a meaning; no double superscript."""
    shown = equations_of(name).derivation()
    explained(shown)
    formulas = shown.text().partition("\nSymbols\n")[0]
    assert set(re.findall(r"(?<![\w.])\d+\.\d+", formulas)) <= {"0.5", "0.25"}  # halves of rods, and of squares
    latex = shown.latex(True)
    assert latex.count("{") == latex.count("}") and latex.count(r"\left") == latex.count(r"\right")
    assert not re.search(r"\^\{[^{}]*\}\^", latex)
    assert "psi" not in formulas or r"\psi" in latex


def test_the_equations_read_as_in_the_document() -> None:
    """P, M_ij, the vectors, ζ and γ, T and Q by name, of a rigid body that hangs on another."""
    text = equations_of("cluster").code("text", steps=True)
    for line in (
        "M_pair_pair = m_pair + m_triple + m_bead", "M_pair_triple = m_triple",
        "c_triple_x = c_triple*sin(beta_triple)*cos(alpha_triple)",
        "omega_triple_z = cos(theta_triple)*psi_triple_dot + phi_triple_dot",
        "gamma_triple_x = M_pair_triple*b_pair_x + M_triple_triple*b_triple_x",
        "T_alpha_triple = c_triple_y*(zeta_triple_x + gamma_triple_x) - c_triple_x*(zeta_triple_y + gamma_triple_y)",
        "Q_beta_bead = c_bead_beta_z*F_bead_z", "T_psi_pair + Q_psi_pair = 0",
    ):
        assert f"\n      {line}\n" in text, line
    assert "[ 1, 1, 1 ]" in text


def test_a_compound_pendulum_is_that_of_the_textbook() -> None:
    """One rod on a hinge, 2-D: (I + m l²/4) φ̈ = -m g l cos φ/2."""
    scene = gr.Scene(
        body={"pin": gr.FixedPoint(position=(0.0, 0.0)), "rod": gr.Rod(length=0.8, mass=1.7)},
        constraint={"hinge": gr.Hinge(between=("pin", "rod.tail"))}, start={"rod": gr.Start(angle=-0.4)},
        load={"gravity": gr.Gravity(acceleration=(0.0, -9.81))})
    text = gr.derive(scene, "scalar").code("text")
    assert "\n      (1/4*M_rod_rod*l_rod**2 + I_rod)*phi_rod_ddot = 1/2*l_rod*cos(phi_rod)*F_rod_y\n" in text
    assert "M_rod_rod = m_rod\n" in text and "F_rod_y = -m_rod*g\n" in text


