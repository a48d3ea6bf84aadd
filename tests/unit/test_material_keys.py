"""Keys of materials that contact laws declare: what is refused, and that pairs have those of which contacts have one.

`test_extensions.py` and `test_extending.py` use such keys; they do so in processes of their own, as keys stay.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
import pytest

import granum as gr
from granum.contact.penalty.laws import law as laws
from granum.contact.penalty.laws.linear import Linear
from granum.grains.tables import compile_tables
from granum.model.materials import Paired, rule_of
from granum.model.quantities import Force
from messages import refused


def test_pairs_have_the_keys_that_contacts_have_one_value_of() -> None:
    """And no others; their units and ranges are those of materials."""
    paired = {key for key, field in gr.Material.model_fields.items() if rule_of(field) is not None}
    assert paired == set(gr.Pair.model_fields) - {"between"}
    defined = gr.schema()["$defs"]
    for key in paired:
        of_material, of_pair = (dict(defined[entry]["properties"][key]) for entry in ("Material", "Pair"))
        for described in (of_material, of_pair):
            described.pop("default", None), described.pop("description")
        assert of_material == of_pair


def test_pairs_override_the_rule_of_a_key() -> None:
    """Geometric means of coefficients, springs in series; what a pair gives counts, and a material keeps its own."""
    scene = gr.Scene(material={"a": {"friction": 0.2, "stiffness": 1e4, "cohesion": 0.3},
                               "b": {"friction": 0.8, "stiffness": 3e4}, "c": {}},
                     pair={"own": {"between": ("c", "a"), "friction": 0.7}})
    tables = compile_tables(scene)
    assert tables["friction"] == pytest.approx(np.array([[0.2, 0.4, 0.7], [0.4, 0.8, 0.0], [0.7, 0.0, 0.0]]))
    assert tables["stiffness"][0, 1] == pytest.approx(1.5e4) and tables["cohesion"][0, 0] == 0.3
    assert list(tables.own["stiffness"]) == [1e4, 3e4, 1e5] and "density" not in tables.own


def test_a_key_is_declared_once_and_with_a_default() -> None:
    """A class that is refused adds none of its keys."""
    with refused(TypeError, "'friction'", "Again"):
        class Again(gr.MaterialKeys):
            wetness: Annotated[Force, Paired(np.minimum)] = 0.0
            friction: Force = 0.0
    with refused(TypeError, "Needed.wetness", "default"):
        class Needed(gr.MaterialKeys):
            wetness: Force
    assert "wetness" not in gr.Material.model_fields


def test_a_law_takes_keys_that_materials_have() -> None:
    """Others are refused when it is registered."""
    class Wet(Linear):
        name, keys = "wet", ("stiffness", "wetness")

    with refused(gr.GranumError, "material key", '"wetness"', "stiffness"):
        laws.register(Wet())
    assert "wet" not in laws._LAWS
