"""Derivations in LaTeX that compiles, as pages, in notebooks and on the command line."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

import granum as gr
from commands import granum
from messages import refused

EXAMPLES = Path(__file__).parents[2] / "examples"
SIX = ("newton-euler", "lagrange", "scalar", "fundamental", "gibbs-appell", "virtual-work")
PDFLATEX = shutil.which("pdflatex")


def compiled(document: str, folder: Path) -> None:
    """Run pdflatex; errors and lines that leave the page fail."""
    (folder / "derivation.tex").write_text(document, "utf-8")
    done = subprocess.run([str(PDFLATEX), "-interaction=nonstopmode", "-halt-on-error", "derivation.tex"], cwd=folder,
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    wide = [float(size) for size in re.findall(r"Overfull \\hbox \(([\d.]+)pt too wide\)", done.stdout)]
    assert max(wide, default=0.0) < 20.0


@pytest.mark.skipif(PDFLATEX is None, reason="no pdflatex on this machine: apt-get install texlive-latex-base")
@pytest.mark.parametrize("formulation", SIX)
def test_latex_of_the_double_pendulum_compiles(formulation: str, tmp_path: Path) -> None:
    compiled(gr.derive(gr.load(EXAMPLES / "double-pendulum.toml"), formulation).code("latex", steps=True), tmp_path)


@pytest.mark.skipif(PDFLATEX is None, reason="no pdflatex on this machine: apt-get install texlive-latex-base")
@pytest.mark.parametrize(("name", "formulation", "pages"), [
    ("rolling-shell", "fundamental", 4), ("rolling-shell", "gibbs-appell", 4), ("incline", "gibbs-appell", 1),
    ("cart", "gibbs-appell", 1), ("double-pendulum", "fundamental", 1), ("coin", "fundamental", 2),
    ("rattleback-body", "fundamental", 2)])
def test_derivations_fit_on_few_pages(name: str, formulation: str, pages: int, tmp_path: Path) -> None:
    scene = cart_with_double_pendulum() if name == "cart" else gr.load(EXAMPLES / f"{name}.toml")
    compiled(gr.derive(scene, formulation).code("latex", steps=True), tmp_path)
    log = (tmp_path / "derivation.log").read_text("utf-8", "replace")
    assert int(re.findall(r"\((\d+) pages?,", log)[-1]) <= pages


@pytest.mark.skipif(PDFLATEX is None, reason="no pdflatex on this machine: apt-get install texlive-latex-base")
@pytest.mark.parametrize(("name", "formulation"), [
    ("scissor-lift", "newton-euler"), ("tree", "fundamental"), ("rattleback", "lagrange"), ("truss", "gibbs-appell")])
def test_matrices_and_rows_that_are_wide_stay_on_the_page(name: str, formulation: str, tmp_path: Path) -> None:
    """A 31 x 62 matrix stands in smaller type, and a diagonal one of 62 entries on three rows."""
    compiled(gr.derive(gr.load(EXAMPLES / f"{name}.toml"), formulation).code("latex", steps=True), tmp_path)


def cart_with_double_pendulum() -> gr.Scene:
    """Two rods in a row hang from a cart on a rail."""
    return gr.Scene.model_validate({
        "title": "Double pendulum on a cart", "body": {
            "rail": {"kind": "fixed-point", "position": [0.0, 0.0]},
            "cart": {"kind": "block", "size": [0.3, 0.15], "mass": 1.0},
            "upper": {"kind": "rod", "length": 0.5, "mass": 0.2}, "lower": {"kind": "rod", "length": 0.4, "mass": 0.1}},
        "start": {"cart": {"position": [0.0, 0.0]}, "upper": {"angle": -1.4}, "lower": {"angle": -1.0}},
        "constraint": {"track": {"kind": "slider", "between": ["rail", "cart"], "axis": [1.0, 0.0]},
                       "pivot": {"kind": "hinge", "between": ["cart", "upper.tail"]},
                       "elbow": {"kind": "hinge", "between": ["upper.head", "lower.tail"]}},
        "load": {"gravity": {"kind": "gravity", "acceleration": [0.0, -9.81]}}})


def test_independent_velocities_of_a_cart_are_those_of_a_textbook() -> None:
    """The cart and the angles of both rods; the coupling of these has the cosine of their difference."""
    text = gr.derive(cart_with_double_pendulum(), "gibbs-appell").code("text")
    assert "Independent velocities: x_cart_dot, phi_upper_dot, phi_lower_dot." in text
    assert "      (m_cart + m_upper + m_lower)*x_cart_ddot - (1/2*m_upper + m_lower)*l_upper*sin(phi_upper)" in text
    assert "1/2*m_lower*l_upper*l_lower*cos(phi_upper - phi_lower)*phi_lower_ddot" in text


@pytest.mark.parametrize("name", ["rolling-shell", "incline"])
def test_vectors_on_pages_and_in_notebooks(name: str) -> None:
    shown = gr.derive(gr.load(EXAMPLES / f"{name}.toml")).derivation()
    page = shown.html(steps=True)
    for formula in re.findall(r"<math.*?</math>", page, re.S):
        ElementTree.fromstring(formula.replace("&nbsp;", " "))
    assert "\\tilde" not in page and "\\begin" not in page and len(page) < 200_000
    assert r"\tilde{n}" in shown._repr_html_() and shown._repr_latex_().startswith("$")


@pytest.mark.validate
@pytest.mark.skipif(PDFLATEX is None, reason="no pdflatex on this machine: apt-get install texlive-latex-base")
@pytest.mark.parametrize(("name", "formulation"), [
    ("slider-crank", "newton-euler"), ("slider-crank", "lagrange"), ("rolling-disk", "gibbs-appell"),
    ("wheel", "virtual-work"), ("chaplygin-sleigh", "fundamental"), ("four-bar", "lagrange")])
def test_latex_of_examples_compiles(name: str, formulation: str, tmp_path: Path) -> None:
    (tmp_path / "derivation.tex").write_text(
        gr.derive(gr.load(EXAMPLES / f"{name}.toml"), formulation).code("latex", steps=True, shared=True), "utf-8")
    done = subprocess.run([str(PDFLATEX), "-interaction=nonstopmode", "-halt-on-error", "derivation.tex"], cwd=tmp_path,
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]


@pytest.mark.skipif(PDFLATEX is None, reason="no pdflatex on this machine: apt-get install texlive-latex-base")
def test_titles_and_names_cannot_break_latex(tmp_path: Path) -> None:
    title = r"100 % & \input{secret} $x_1$ #~^ | <θ> {"
    system = gr.analytic.System("θ_1 s", kinetic="θ_1_dot**2 + s_dot**2", potential="cos(θ_1)", title=title)
    compiled(gr.derive(system, "lagrange").code("latex", steps=True), tmp_path)


@pytest.mark.parametrize(("name", "formulation"), [
    ("double-pendulum", "lagrange"), ("cart-pole", "newton-euler"), ("four-bar", "gibbs-appell")])
def test_options_that_a_formulation_does_not_have_are_refused(name: str, formulation: str) -> None:
    with refused(gr.GranumError, formulation, "colour"):
        gr.derive(gr.load(EXAMPLES / f"{name}.toml"), formulation, colour="red")


def test_a_body_placed_by_its_contact_is_not_asked_for_a_position() -> None:
    with refused(gr.SceneError, "start.ball.contact", "newton-euler", "fundamental"):
        gr.derive(gr.load(EXAMPLES / "incline.toml"), "newton-euler")


class _Balanced(HTMLParser):
    """Tags that are open; those that close something else are wrong."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("formulation", SIX)
def test_pages_stand_alone(formulation: str) -> None:
    page = gr.derive(gr.load(EXAMPLES / "double-pendulum.toml"), formulation).code("html", steps=True)
    reader = _Balanced()
    reader.feed(page)
    assert not reader.open and "<script" not in page
    assert "http" not in page.replace("http://www.w3.org/1998/Math/MathML", "")
    formulas = re.findall(r"<math.*?</math>", page, re.S)
    assert len(formulas) > 20
    for formula in formulas:
        ElementTree.fromstring(formula.replace("&nbsp;", " "))
    assert "\\left" not in page and "\\frac" not in page


def test_titles_are_escaped_on_pages() -> None:
    system = gr.analytic.System("x", kinetic="x_dot**2", title="<script>alert(1)</script>")
    shown = gr.derive(system).derivation()
    assert "<script>" not in shown.html() and "<script>" not in shown._repr_html_()


def test_notebooks_typeset_equations_and_derivations() -> None:
    equations = gr.derive(gr.load(EXAMPLES / "double-pendulum.toml"), "lagrange")
    latex = equations._repr_latex_()
    assert latex is not None and latex.startswith("$") and latex.endswith("$")
    assert r"\left(m_{1} + m_{2}\right) l_{1}^{2} \ddot{\theta}_{1}" in latex
    assert latex == equations.derivation()._repr_latex_()
    assert "$$" in equations._repr_html_() and "mass of bob-1" in equations.derivation()._repr_html_()
    assert gr.derive(gr.example("pendulum"), "newton-euler")._repr_latex_() is None  # 100 coordinates


def test_command_writes_steps_and_symbols(tmp_path: Path) -> None:
    scene = str(EXAMPLES / "double-pendulum.toml")
    short, long = (granum("derive", scene, "--formulation", "lagrange", *more).stdout for more in ((), ("--steps",)))
    assert "Derivatives of L" in long and "Derivatives of L" not in short and "Equations of motion" in short
    shared = granum("derive", scene, "--formulation", "lagrange", "--shared").stdout
    assert "z_1 = " in shared and "z_1" not in short and "common subexpression" in shared
    said = json.loads(granum("derive", scene, "--formulation", "lagrange", "--json").stdout)
    (g,) = (one for one in said["symbols"] if one["name"] == "g")
    assert (g["meaning"], g["unit"], g["value"]) == ("magnitude of gravity", "m/s^2", 9.81)
    page = tmp_path / "page.html"
    granum("derive", scene, "--format", "html", "-o", str(page))
    assert page.read_text("utf-8").startswith("<!DOCTYPE html>")
