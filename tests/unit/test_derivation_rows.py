"""Derivations of the examples as a lecturer would write them: rows fit on a page, no step is empty, no sign double."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import granum as gr
from granum.analytic.derivations.width import width

EXAMPLES = Path(__file__).parents[2] / "examples"
SIX = ("newton-euler", "lagrange", "scalar", "fundamental", "gibbs-appell", "virtual-work")
LONG = {"hanging-chain", "massless-points", "rattleback", "scissor-lift"}
"""Those that take minutes to write in some formulation, or leave the page."""
GRAINS = {"bouncing-ball", "cradle", "pipe-jam"}
"""They have no fixed equations of motion."""
SCENES = sorted(path.stem for path in EXAMPLES.glob("*.toml")
                if "-study" not in path.stem and path.stem not in LONG | GRAINS
                and "[pattern" not in path.read_text())
BY_CONTACT = {"incline", "rolling-shell", "turntable"}
"""Rolling bodies that the scene places by their contact."""
ROLLS = BY_CONTACT | {"bicycle", "coin", "rattleback-body"}
FORMULAS = {"andrews-squeezer", "chaplygin-sleigh", "divided-body", "four-bar", "overclosed", "rolling-disk",
            "rotating-hoop"}
STICK_SLIP = {"wheel", "wheel-euler-parameters"}
MINIMAL = {"cart-double-pendulum"}
SLACK = {"dome"}
"""Its rope is slack at the start: as a row it would not hold there."""
REFUSED = {
    "newton-euler": BY_CONTACT | FORMULAS | STICK_SLIP | MINIMAL | {"camshaft", "planetary-gear"},
    "lagrange": STICK_SLIP | {"three-spheres"},
    "scalar": ROLLS | FORMULAS | STICK_SLIP | MINIMAL | {
        "bricard", "camshaft", "planetary-gear", "cart-pole", "dry-friction-oscillator", "slider-crank"},
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
