"""Messages about wrong values of entries: in Granum's words, never in those of the library that checks them."""

from __future__ import annotations

import math
from typing import Any

import pytest

import granum as gr
from messages import naming

FOREIGN = ("input should", "field required", "validation error", "value error", "valid string", "valid number",
           "valid list", "unable to parse", "greater than or equal", "less than or equal", "literal", "pydantic")
"""Phrases of the library."""
WRONG: dict[str, tuple[Any, tuple[str, ...]]] = {
    "choice": (lambda: gr.Link(between=("a", "b"), one_sided="both"), ("one_sided", "'both'", "'push'")),
    "choices": (lambda: gr.Box(lower=(0, 0), upper=(1, 1), open=["+w"]), ("open.0", "'+w'", "'+x'")),
    "bound": (lambda: gr.Pair(between=("a", "b"), friction=-0.1), ("friction", "-0.1")),
    "nan": (lambda: gr.RunSettings(tolerance=math.nan), ("tolerance", "nan", "finite")),
    "infinity": (lambda: gr.PointMass(mass=math.inf), ("mass", "finite")),
    "text": (lambda: gr.Drag(density=1.0, velocity_field="x" * 600), ("velocity_field", "600", "500")),
    "integer": (lambda: gr.Chain(position=(0, 0), count=2.5, length=1.0, mass=1.0), ("count", "2.5", "integer")),
    "boolean": (lambda: gr.Belt(joints=("a", "b"), radii=(1, 2), crossed="maybe"),
                ("crossed", "'maybe'", "true or false")),
    "short": (lambda: gr.Belt(joints=("a",), radii=(1, 2)), ("joints", "1 entry", "2")),
    "long": (lambda: gr.Belt(joints=("a", "b", "c"), radii=(1, 2)), ("joints", "3")),
    "name": (lambda: gr.Belt(joints=("a", 3), radii=(1, 2)), ("joints.1", "3", "string")),
    "number": (lambda: gr.Gear(joints=("a", "b"), ratio="fast"), ("ratio", "'fast'", "number")),
    "missing": (lambda: gr.Gear(joints=("a", "b")), ("ratio", "missing")),
    "unknown": (lambda: gr.Gear(joints=("a", "b"), ratio=1.0, ration=2.0), ("ration", '"ratio"')),
    "none": (lambda: gr.Gear(joints=None, ratio=1.0), ("joints", "list")),
    "table": (lambda: gr.Scene(body={"a": 3}), ("body.a",)),
    "kind": (lambda: gr.Scene(body={"a": {"kind": "stone"}}), ("body.a.kind", "stone", "sphere"))}


@pytest.mark.parametrize("case", WRONG)
def test_no_words_of_a_library(case: str) -> None:
    """The key, what was found and what is needed are named."""
    make, names = WRONG[case]
    with pytest.raises(gr.SceneError) as caught:
        make()
    naming(str(caught.value), *names)
    assert not [phrase for phrase in FOREIGN if phrase in str(caught.value).lower()], str(caught.value)
