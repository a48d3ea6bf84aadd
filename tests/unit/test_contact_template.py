"""The protocol of the contact template lists what the templates call, and both modules have it."""

from __future__ import annotations

import ast
import inspect

import pytest

from granum.contact.nonsmooth import gathering, spheres, stepping
from granum.contact.nonsmooth import rigid_bodies as bodies
from granum.contact.nonsmooth.mechanics import Mechanics

LISTED = {name: function for name, function in vars(Mechanics).items()
          if inspect.isfunction(function) and not name.startswith("_")}


def test_it_lists_what_the_templates_call() -> None:
    called = {node.attr for module in (gathering, stepping) for node in ast.walk(ast.parse(inspect.getsource(module)))
              if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "mechanics"}
    assert called == set(LISTED)


@pytest.mark.parametrize("module", [spheres, bodies], ids=lambda module: module.__name__.rpartition(".")[2])
@pytest.mark.parametrize("name", LISTED)
def test_both_modules_have_it(name: str, module: object) -> None:
    """With as many arguments; `make lint` compares their types."""
    kernel = getattr(module, name)
    assert len(inspect.signature(kernel.py_func).parameters) == len(inspect.signature(LISTED[name]).parameters) - 1
