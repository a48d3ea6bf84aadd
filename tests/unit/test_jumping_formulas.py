"""Which formulas jump with a velocity, and which have only a kink there."""

from __future__ import annotations

import pytest

from granum.algebra import symbol
from granum.algebra.parse import parse
from granum.algebra.switches import jumping

NAMES = ("x", "v", "w", "t", "c")


@pytest.mark.parametrize(("text", "jumps"), [
    ("-c*sign(v)", True), ("-c*abs(x)*sign(v - 2*w)", True), ("sign(v*cos(x) + w*sin(x))/(1 + x**2)", True),
    ("-c*sign(v**3 - 1)", True), ("x*sign(v) + abs(v)", True), ("sign(v)*sign(x)", True),
    ("-c*v*abs(v)", False), ("-c*v**2*sign(v)", False), ("abs(v) + abs(w)", False), ("sign(x)*v", False),
    ("sign(t - 1)", False), ("tanh(v/1e-3)", False), ("sign(v)*sqrt(abs(v))", False), ("c*v", False)])
def test_a_jump_is_told_from_a_kink(text: str, jumps: bool) -> None:
    symbols = {name: symbol(name) for name in NAMES}
    assert jumping([parse(text, symbols)], [symbols["v"], symbols["w"]], {"c": 3.0}) == jumps
