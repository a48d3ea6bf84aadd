"""One of each in contact: one place that subtracts positions, one gather, one limit of friction."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import granum
from granum.base.space import NO_PERIOD, displacement, displacements, periodic_displacement
from granum.grains.cones import limit_friction, limit_frictions

SOURCE = Path(granum.__file__).parent
POSITIONS = {"x", "pose", "position", "positions", "middle", "built_at", "packed", "x1", "origin", "points"}
"""Names of arrays of positions."""
OWN_AXES = ("grains/geometry/", "grains/aggregates/balance.py", "grains/generation/placement.py")
"""Coordinates of an element, of a body, or of cells."""


def modules() -> Iterator[tuple[str, str]]:
    """All files that know positions of grains, and their text."""
    for folder in ("contact", "grains"):
        for file in sorted((SOURCE / folder).rglob("*.py")):
            yield file.relative_to(SOURCE).as_posix(), file.read_text("utf-8")


def is_position(node: ast.expr) -> bool:
    """Is it a row or an entry of an array of positions?"""
    if not isinstance(node, ast.Subscript):
        return False
    array = node.value
    return (array.id if isinstance(array, ast.Name) else array.attr if isinstance(array, ast.Attribute) else
            "") in POSITIONS


def subtractions(text: str) -> list[int]:
    """Lines in which a position is subtracted from another."""
    return [node.lineno for node in ast.walk(ast.parse(text)) if isinstance(node, ast.BinOp)
            and isinstance(node.op, ast.Sub) and is_position(node.left) and is_position(node.right)]


def test_positions_are_subtracted_in_one_place():
    found = {name: lines for name, text in modules() if not name.startswith(OWN_AXES)
             and (lines := subtractions(text))}
    assert found == {}


def test_the_search_for_subtractions_finds_one():
    assert subtractions("d = x[j, X] - x[i, X]\nh = near.built_at[i] - state.x[i]") == [1, 2]


def test_boundaries_and_neighbours_are_gathered_in_one_place():
    """Loops over the boundary elements or partners in a neighbour list that look at distances."""
    loop = re.compile(r"for k in range\((?:near\.)?(?:wall_)?first\[i\]")
    gathers = [name for name, text in modules() if loop.search(text) and ("touch(" in text or "touch_in_place(" in text)
               and name.startswith("contact/")]
    assert gathers == ["contact/gather.py"]


def test_friction_is_limited_in_one_place():
    clip = re.compile(r"(?:limit|mu\b[^=\n]*|friction[^=\n]*) / (?:math\.|np\.)?(?:sqrt\(|size)")
    assert [name for name, text in modules() if clip.search(text)] == ["grains/cones.py"]


@pytest.mark.parametrize(("vector", "limit", "expected"), [
    ((3.0, 4.0, 0.0), 10.0, (3.0, 4.0, 0.0)), ((3.0, 4.0, 0.0), 1.0, (0.6, 0.8, 0.0)),
    ((0.0, 0.0, 0.0), 0.0, (0.0, 0.0, 0.0)), ((0.0, -2.0, 0.0), 0.0, (0.0, 0.0, 0.0))])
def test_the_nearest_friction_in_the_disc(vector, limit, expected):
    x, y, z, slips = limit_friction(*vector, limit)
    assert (x, y, z) == pytest.approx(expected) and slips == (np.linalg.norm(vector) > limit)
    assert limit_frictions(np.array([vector]), np.array([limit]))[0] == pytest.approx(expected)


def test_displacements():
    a, b = np.array([0.1, 0.2, 0.3]), np.array([0.9, 0.1, 0.5])
    assert displacement(*a, *b) == pytest.approx(tuple(b - a))
    assert displacements(a, np.array([b, a])) == pytest.approx(np.array([b - a, 0.0 * a]))
    assert periodic_displacement(*a, *b, NO_PERIOD) == pytest.approx(tuple(b - a))
    assert periodic_displacement(*a, *b, np.array([1.0, 0.0, 0.3])) == pytest.approx((-0.2, -0.1, -0.1))
