"""Entries made in Python: refused in the same words as those of a file, and never by pydantic."""

import pickle
from typing import Any

import numpy as np
import pytest

import granum as gr
from messages import refused, says

MISTAKES = {
    "unit": ("body", gr.Disk, {"radius": "5 kg"}),
    "negative": ("body", gr.PointMass, {"mass": -1}),
    "missing and unknown": ("body", gr.Disk, {"raduis": 1.0}),
    "vector": ("body", gr.FixedPoint, {"position": 3}),
    "short list": ("body", gr.Block, {"size": [1.0], "mass": 1.0}),
    "inside a part": ("body", gr.Clump, {"disks": [{"centre": [0, 0], "radius": -1}], "mass": 1.0}),
    "between keys": ("load", gr.Drag, {"density": 1.0, "drag_coefficient": 0.4}),
    "several": ("load", gr.Spring, {"between": ["a"], "stiffness": "soft"}),
    "choice": ("boundary", gr.Box, {"lower": [0, 0], "upper": [1, 1], "open": ["+w"]}),
    "angles": ("pattern", gr.Chain, {"count": 2.5, "length": 1, "mass": 1, "angles": "x"}),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_constructors_and_files_refuse_in_the_same_words(mistake: str) -> None:
    section, entry, keys = MISTAKES[mistake]
    with pytest.raises(gr.SceneError) as alone:
        entry(**keys)
    with pytest.raises(gr.SceneError) as within:
        gr.Scene(**{section: {"x": {"kind": entry.model_fields["kind"].default, **keys}}})
    assert alone.value.source == entry.__name__
    assert [(problem.finding, problem.remedy) for problem in alone.value.problems] == [
        (problem.finding, problem.remedy) for problem in within.value.problems]
    assert [f"{section}.x.{problem.place}".rstrip(".") for problem in alone.value.problems] == [
        problem.place for problem in within.value.problems]
    assert "pydantic" not in str(alone.value)
    says(str(alone.value))
    assert str(pickle.loads(pickle.dumps(alone.value))) == str(alone.value)


def test_a_message_names_the_class_the_key_and_the_remedy() -> None:
    with refused(gr.SceneError, '"radius"') as error:
        gr.Disk(raduis="5 cm", radius=1.0)
    assert str(error.value).startswith("Disk raduis: ")


@pytest.mark.parametrize("entry", [gr.RunSettings, gr.Study, gr.Shape])
def test_settings_and_studies_too(entry: Any) -> None:
    with refused(gr.SceneError, f"{entry.__name__} unheard_of: "):
        entry(unheard_of=1, **({"disks": [{"centre": (0, 0), "radius": 1}]} if entry is gr.Shape else {}))


def test_mistakes_inside_a_scene_come_all_at_once() -> None:
    """Entries inside others are read without their constructors, so the first mistake does not hide the second."""
    with pytest.raises(gr.SceneError) as error:
        gr.Scene(body={"a": {"kind": "disk", "radius": -1}, "b": {"kind": "point-mass"}})
    assert [problem.place for problem in error.value.problems] == ["body.a.radius", "body.b.mass"]
    with pytest.raises(gr.SceneError) as varied:
        gr.Scene(body={"a": gr.Disk(radius=1.0)}).vary({"body.a.radius": -1, "run.until": -1})
    assert {problem.place for problem in varied.value.problems} == {"body.a.radius", "run.until"}


def test_arrays_are_vectors() -> None:
    assert gr.FixedPoint(position=np.array([1, 2.5])) == gr.FixedPoint(position=(1.0, 2.5))
    assert gr.Block(size=np.ones(3), mass=1.0).size == (1.0, 1.0, 1.0)
    with refused(gr.SceneError, "FixedPoint position: "):
        gr.FixedPoint(position=np.ones(4))
