"""Derivations of the examples as a lecturer would write them: rows fit on a page, no step is empty, no sign double."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import granum as gr
from granum.algebra import Expression
from granum.analytic.derivations.blocks import Block
from granum.analytic.derivations.derivation import Line
from granum.analytic.derivations.width import width

EXAMPLES = Path(__file__).parents[2] / "examples"
SIX = ("newton-euler", "lagrange", "scalar", "fundamental", "gibbs-appell", "virtual-work")
LONG = {"massless-points"}
"""Those that leave the page."""
GRAINS = {"bouncing-ball", "cradle", "pipe-jam"}
"""They have no fixed equations of motion."""
SCENES = sorted(path.stem for path in EXAMPLES.glob("*.toml")
                if "-study" not in path.stem and path.stem not in LONG | GRAINS
                and "[pattern" not in path.read_text())
BY_CONTACT = {"incline", "rolling-shell", "turntable"}
"""Rolling bodies that the scene places by their contact."""
ROLLS = BY_CONTACT | {"bicycle", "coin", "rattleback-body"}
FORMULAS = {"andrews-squeezer", "chaplygin-sleigh", "divided-body", "four-bar", "overclosed", "rattleback",
            "rolling-disk", "rotating-hoop"}
STICK_SLIP = {"wheel", "wheel-euler-parameters"}
MINIMAL = {"cart-double-pendulum"}
SLACK = {"dome"}
"""Its rope is slack at the start: as a row it would not hold there."""
REFUSED = {
    "newton-euler": BY_CONTACT | FORMULAS | STICK_SLIP | MINIMAL | {"camshaft", "planetary-gear"},
    "lagrange": STICK_SLIP | {"three-spheres"},
    "scalar": ROLLS | FORMULAS | STICK_SLIP | MINIMAL | {
        "bricard", "camshaft", "planetary-gear", "cart-pole", "dry-friction-oscillator", "scissor-lift",
        "slider-crank"},
    "fundamental": STICK_SLIP | SLACK, "gibbs-appell": STICK_SLIP | SLACK, "virtual-work": SLACK,
}
"""Examples that a formulation does not take. All others are derived, so that none drops out unseen."""
SPOKEN = {"Coordinates", "Virtual displacements", "Quasi-velocities"}
"""Steps that a sentence may fill."""
SLIPS = (r"[-+] -", r"\(-\(", r"-\(-", r"(?<![\w.^-])[01]\*(?!\*)", r"\*1(?![\w.])", r"\[1, 1\]", r"= -0(?![\w.])")
"""Double signs, factors of 0 or 1, and matrices of one entry."""
PDFLATEX = shutil.which("pdflatex")
PAGE, MARGIN = 84.0, 4.0
"""Width of a page in the unit of `width`, and what the estimate may be off."""


def derived(name: str) -> list[tuple[str, str, gr.analytic.Derivation]]:
    """Text, LaTeX and steps of an example in every formulation that takes it."""
    scene, made = gr.load(EXAMPLES / f"{name}.toml"), []
    for way in SIX:
        if name in REFUSED[way]:
            with pytest.raises(gr.GranumError):
                gr.derive(scene, way).code("text")
            continue
        equations = gr.derive(scene, way)
        made.append((equations.code("text", steps=True), equations.code("latex", steps=True), equations.derivation()))
    return made


def rows_of(document: str) -> list[tuple[float, str]]:
    """Rows of all equations with their widths: of the widest left side above the sign, and of what follows it."""
    rows = []
    for block in re.findall(r"\\begin\{align\*\}\n(.*?)\\end\{align\*\}", document, re.S):
        parts = [row.strip().partition("&") for row in block.split(" \\\\\n")]
        left = max(width(before) for before, _, _ in parts)
        rows += [(left + width(after), before + after) for before, _, after in parts]
    return rows


@pytest.mark.parametrize("name", SCENES)
def test_derivations_are_fit_for_a_blackboard(name: str) -> None:
    for text, document, shown in derived(name):
        widest = max(rows_of(document), default=(0.0, ""))
        assert widest[0] <= PAGE + MARGIN, (shown.formulation, widest)
        formulas = "\n".join(re.findall(r"^ {6}(.+)$", text.partition("\nSymbols\n")[0], re.M))
        for slip in SLIPS:
            assert not re.search(slip, formulas), (shown.formulation, slip, re.findall(rf".*{slip}.*", formulas)[0])
        for step in shown.steps:
            told = step.lines or step.heading in SPOKEN or step.prose.startswith("No ")
            assert step.prose and told, (shown.formulation, step.heading, step.prose)


def defined_by(line: Line) -> str:
    """The symbol that a line defines; a condition, whose other side is zero, and an unknown define none."""
    left, right = line.left, line.right
    name = left.text if isinstance(left, Block) and left.names == {left.text} else (
        left.name if isinstance(left, Expression) and left.kind == "symbol" else "")
    zero = isinstance(right, Block | Expression) and right.is_zero
    return "" if zero or name.startswith(("w_", "lambda_")) else name


@pytest.mark.parametrize("name", ["bicycle", "cart-double-pendulum", "cluster", "coin", "double-pendulum", "four-bar",
                                  "incline", "jeffcott-rotor", "rattleback-body", "rolling-shell", "slider-crank",
                                  "three-spheres", "wheel-euler-parameters"])
def test_symbols_are_defined_once_and_before_they_are_used(name: str) -> None:
    """But for G and omega of a ball, in vectors and in components, and Vinogradov's (53)-(64), which follow (49)-(52).

    Rates may come first: they are what `x_dot` means, and a line for one says what it is equal to.
    """
    for _, _, shown in derived(name):
        lines = [line for step in shown.steps for line in step.lines]
        names = [defined_by(line) for line in lines]
        twice = {one for one in names if one and names.count(one) > 1}
        assert twice <= ({"G", "omega"} if (name, shown.formulation) == ("incline", "gibbs-appell") else set())
        for k, line in enumerate(lines if (name, shown.formulation) != ("three-spheres", "scalar") else []):
            early = {one for one in line.names & set(names[k + 1 :]) - set(names[: k + 1]) if "dot" not in one}
            assert not early, (shown.formulation, early)


@pytest.mark.parametrize(("text", "line"), [
    ("jeffcott-rotor scalar", "F_rotor_x = -d_axial_x*S_axial/d_axial - d_1_x*S_1/d_1 - d_2_x*S_2/d_2 - d_3_x*S_3/d_3"
     " - d_4_x*S_4/d_4"),
    ("jeffcott-rotor scalar", "S_1 = k_1*(d_1 - l_0_1) + c_1*d_1_dot"),
    ("jeffcott-rotor fundamental", "A = A_1"),
    ("bicycle lagrange", "p_frame_axle = [ p_frame_axle_x; 0; p_frame_axle_z ]"),
    ("cluster gibbs-appell", "4*E_triple^T*I_C_triple*E_triple*u_triple_ddot + 2*E_triple^T*tilde(omega_triple)*"
     "I_C_triple*omega_triple = u_triple*lambda_2 + 2*E_triple^T*tilde(p_triple_1)*S_triple^T*n_second*lambda_4"),
    ("coin newton-euler", "J*alpha + tilde(omega)*J*omega = tilde(xi)*S^T*lambda_1"),
    ("rolling-shell virtual-work", "beta - alpha - r*n = 0"),
    ("three-spheres gibbs-appell", "(x_2 - x_1)**2 + (y_2 - y_1)**2 + (z_2 - z_1)**2 - l_2**2 = 0"),
    ("three-spheres fundamental", "K_2_3 = ((x_1 - x_2)*(x_1 - x_3) + (y_1 - y_2)*(y_1 - y_3) + (z_1 - z_2)*(z_1 - z_3)"
     ")/(m_1*l_2*l_3)"),
    ("wheel-euler-parameters virtual-work", "Delta = det R[wheel] = 1 + 4*(p**2 + q**2 - 1)*q**2")])
def test_lines_are_those_of_a_lecturer(text: str, line: str) -> None:
    """A spring pulls along its own vector; sums are factored and in the order of the axes; each step follows."""
    name, way = text.split()
    assert f"      {line}\n" in gr.derive(gr.load(EXAMPLES / f"{name}.toml"), way).code("text", steps=True)


def test_names_are_not_broken_at_hyphens() -> None:
    text = gr.derive(gr.load(EXAMPLES / "bicycle.toml"), "fundamental").code("text", steps=True)
    assert not re.search(r"\w-$", text, re.M)


@pytest.mark.parametrize(("name", "way"), [
    *(("hanging-chain", way) for way in ("newton-euler", "lagrange", "scalar", "fundamental")),
    *(("scissor-lift", way) for way in ("newton-euler", "lagrange", "fundamental", "virtual-work")),
    ("pendulum", "newton-euler"), ("rattleback", "lagrange")])
def test_long_derivations_have_no_double_signs_either(name: str, way: str) -> None:
    """Examples that are too long in some formulations, in those that take seconds."""
    text = gr.derive(gr.load(EXAMPLES / f"{name}.toml"), way).code("text", steps=True)
    formulas = "\n".join(re.findall(r"^ {6}(.+)$", text.partition("\nSymbols\n")[0], re.M))
    assert formulas
    for slip in SLIPS:
        assert not re.search(slip, formulas), (slip, re.findall(rf".{{0,60}}{slip}.{{0,60}}", formulas)[0])


@pytest.mark.skipif(PDFLATEX is None, reason="no pdflatex on this machine: apt-get install texlive-latex-base")
def test_the_estimated_width_is_that_of_latex(tmp_path: Path) -> None:
    """Of a letter's 5.76 points a row has less than 6.1, so that a page of 484 points holds 84 within a margin."""
    rows = [row for _, document, _ in derived("four-bar") for size, row in rows_of(document) if size > 40.0]
    boxes = "\n".join(rf"\sbox{{\one}}{{$\displaystyle {row}$}}\typeout{{wide {k} \the\wd\one}}"
                      for k, row in enumerate(rows) if "&" not in row)
    (tmp_path / "widths.tex").write_text("\\documentclass{article}\\usepackage{amsmath}\\newsavebox{\\one}"
                                         f"\\begin{{document}}\n{boxes}\n\\end{{document}}", "utf-8")
    done = subprocess.run([str(PDFLATEX), "-interaction=nonstopmode", "widths.tex"], cwd=tmp_path, check=False,
                          capture_output=True, text=True, errors="replace")
    true = {int(k): float(points) for k, points in re.findall(r"wide (\d+) ([\d.]+)pt", done.stdout)}
    assert len(true) > 20
    for k, points in true.items():
        assert 4.0 < points / width(rows[k]) < 6.1, (points, rows[k])
