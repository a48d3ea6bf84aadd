"""Types for users: what type checkers see; `make lint` lets one read `tests/typed/script.py`."""

import ast
import inspect

import granum as gr


def test_scenes_take_all_their_sections() -> None:
    """The constructor that type checkers see has every section: it stands in the source, beside them."""
    (tree,) = ast.parse(inspect.getsource(gr.Scene)).body
    init = next(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == "__init__")
    assert {argument.arg for argument in init.args.kwonlyargs} == set(gr.Scene.model_fields)


def test_public_names_are_there_and_described() -> None:
    assert len(set(gr.__all__)) == len(gr.__all__) > 90
    for name in gr.__all__:
        assert getattr(gr, name).__doc__, name
