"""What runs and scenes show of themselves, at a prompt and in a notebook."""

from __future__ import annotations

import base64
import re
from pathlib import Path

import pytest

import granum as gr
from granum.run.progress import Moment
from messages import says
from runs import recount
from scenes import pendulum, truss

EVIL = '<script>alert("x")</script>'


def poured() -> gr.Scene:
    """Some disks that fall into a box, named as badly as can be."""
    return gr.Scene(
        title=EVIL, material={"stuff": gr.Material(density=1000.0, friction=0.3)},
        boundary={"box": gr.Box(lower=[0.0, 0.0], upper=[0.2, 0.2], material="stuff")},
        pattern={"grain": gr.Grains(count=20, radius=0.01, material="stuff",
                                    region=gr.BoxRegion(lower=[0.0, 0.0], upper=[0.2, 0.2]))},
        load={"gravity": gr.Gravity(acceleration=[0.0, -9.81])}, run=gr.RunSettings(until=0.05, interval=0.01))


def test_a_run_in_a_line() -> None:
    """It fits a prompt, and says title, time and how it went."""
    shown = repr(gr.simulate(pendulum(3), until=0.5))
    assert shown.startswith("<Run 'Pendulum of 3': t = 0.5 of 0.5 s, 201 frames, dop853, ")
    assert "energy error" in shown and len(shown) < 200 and "\n" not in shown


def test_an_interrupted_and_an_empty_run_show_themselves(tmp_path: Path) -> None:
    def stop(moment: Moment) -> None:
        raise KeyboardInterrupt

    file = tmp_path / "run.h5"
    run = gr.simulate(pendulum(3), until=0.5, progress=stop, output=file)
    assert "t = 0 of 0.5 s, unfinished" in repr(run)
    assert "unfinished" in run._repr_html_() and "Note:" in run._repr_html_()
    recount(file, 0)
    run = gr.open_run(file)  # one that is open keeps the frames it had
    assert repr(run) == "<Run 'Pendulum of 3': no frame yet>"
    assert "no frame yet" in run._repr_html_()


def test_a_notebook_sees_a_table_and_a_picture() -> None:
    run = gr.simulate(pendulum(3), until=0.5)
    shown = run._repr_html_()
    for name in ("time", "bodies", "links", "solver", "energy error", "constraint errors"):
        assert f">{name}</th>" in shown
    assert f"{run.summary['energy']['relative_error']:.1e}" in shown
    picture = re.search(r"base64,([^']+)'", shown)
    assert picture is not None
    assert base64.b64decode(picture[1]).startswith(b"\x89PNG")
    assert "Note:" not in shown


def test_what_was_noticed_is_marked() -> None:
    run = gr.simulate(truss(), until=0.1)
    (note,) = run.summary["notes"]
    says(note, "1 link", "granum check")
    assert f"Note:</b> {note}" in run._repr_html_()


def test_grains_show_their_number_and_overlap_and_titles_are_data() -> None:
    """A title comes from a file: a notebook must not run it."""
    run = gr.simulate(poured())
    shown = run._repr_html_()
    for name in ("grains", "contacts", "overlap"):
        assert f">{name}</th>" in shown
    assert "<script" not in shown and "&lt;script&gt;" in shown
    assert "20 grains" in repr(run)
    assert "<script" not in run.scene._repr_html_()


def test_a_system_without_places_shows_its_coordinates() -> None:
    system = gr.FormulaSystem(coordinates=["q"], kinetic="q_dot**2/2", potential="-cos(q)",
                              start={"q": 1.0, "q_dot": 0.0})
    run = gr.simulate(gr.Scene(system=system), until=0.5)
    assert ">coordinates</th>" in run._repr_html_() and "base64" in run._repr_html_()


def test_a_scene_in_a_line_and_as_a_table() -> None:
    """Names by section, not a page of fields."""
    scene = pendulum(3)
    assert repr(scene) == str(scene) == "<Scene 'Pendulum of 3': body 1, pattern 1, load 1>"
    assert repr(gr.Scene()) == "<Scene: empty>"
    many = gr.Scene(body={f"p{k}": gr.FixedPoint(position=[0.0, float(k)]) for k in range(30)})
    assert "p11 and 18 more" in many._repr_html_() and "p12" not in many._repr_html_()


def test_ipython_shows_html() -> None:
    """IPython's own formatter finds it; it is no dependency."""
    shells = pytest.importorskip("IPython.core.interactiveshell")
    data, _ = shells.InteractiveShell.instance().display_formatter.format(gr.simulate(pendulum(3), until=0.1))
    assert "<table>" in data["text/html"] and data["text/plain"].startswith("<Run")


def test_checks_show_themselves() -> None:
    description = gr.check(truss())
    assert repr(description).startswith("<LinkDescription ") and "\n" not in repr(description)
    assert str(description).splitlines() == description.summary_lines()
    assert all(line in description._repr_html_() for line in description.summary_lines() if '"' not in line)
    assert repr(gr.check(poured())).startswith("<GrainDescription ")
    assert EVIL not in gr.check(poured())._repr_html_()


def test_equations_show_themselves() -> None:
    system = gr.analytic.System("theta", kinetic="theta_dot**2/2", potential="-9.81*cos(theta)")
    equations = gr.derive(system)
    assert repr(equations) == "<Fundamental (fundamental): 1 coordinate, theta>"
    assert "\\" in equations._repr_html_() and "fundamental" in equations._repr_html_()
    many = gr.derive(pendulum(20))
    assert repr(many) == f"<NewtonEuler (newton-euler): {len(many.coordinates)} coordinates, " + ", ".join(
        many.coordinates[:12]) + f" and {len(many.coordinates) - 12} more>"
    assert len(many._repr_html_()) < 1000
    small = gr.linearize(system, q=[0.0])
    assert repr(small) == "<Linearization of 1 coordinate: angular frequencies 3.13209 rad/s>"
    assert "3.13209" in small._repr_html_()
    assert repr(gr.linearize(system, q=[3.141592653589793])).endswith("no oscillation, 1 unstable>")


def test_parts_of_a_run_show_themselves() -> None:
    run = gr.simulate(pendulum(3), until=0.1, progress=False)
    assert repr(run.energy).startswith("<Energy: ") and len(repr(run.energy)) < 200
    link = next(iter(run.link_names))
    assert repr(run.reaction(link)) == f"<Reaction {link!r}: tension; 201 frames>"


def test_studies_show_themselves() -> None:
    result = gr.study(pendulum(1), vary={"run.until": [0.05, 0.1]}, measure={"end": lambda run: run.t[-1]}, on="serial",
                      title=EVIL, progress=False)
    shown = result._repr_html_()
    assert repr(result) == f"<StudyResult {EVIL!r}: 2 of 2 runs>"
    assert EVIL not in shown and "run.until [s]" in shown and "<td>0.05</td>" in shown
    assert repr(result.study) == f"<Study {EVIL!r}: grid over run.until, repeats 1, measures end>"
    assert EVIL not in result.study._repr_html_() and "0.05, 0.1" in result.study._repr_html_()
