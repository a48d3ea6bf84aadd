"""Formulas of vectors and matrices: named blocks, and their sums, products and transposes, as text and in LaTeX.

The text can be read back: `*` multiplies numbers and matrices, `^T` transposes, `^-1` inverts, `^+` is the
Moore-Penrose inverse, `tilde(a)` is the matrix of a cross product, tilde(a) b = a x b. `I` and `0` have the size that
their place needs.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import reduce

from granum.algebra import Expression, symbol
from granum.algebra.expression import free_symbols
from granum.algebra.show import latex as latex_of
from granum.algebra.show import text as text_of
from granum.analytic.derivations.width import width

_SUM, _PRODUCT, _ATOM = range(3)
_WIDEST = 78.0
"""Width of a vector that lies, in the unit of `width`."""


@dataclass(frozen=True)
class Block:
    """A vector, a matrix, or a number that is made of them."""

    text: str
    latex: str
    names: frozenset[str] = frozenset()
    """Symbols in it."""
    level: int = _ATOM
    """How firmly it holds together: sum, product or single symbol."""
    turned: Block | None = None
    """What it is the transpose of."""

    @property
    def is_zero(self) -> bool:
        """Is it 0?"""
        return self.text == "0"

    def __add__(self, other: Block) -> Block:
        if self.is_zero or other.is_zero:
            return other if self.is_zero else self
        minus = other.text.startswith("-")
        text, latex = (other.text[1:], other.latex[1:]) if minus else (other.text, other.latex)
        sign = "-" if minus else "+"
        return Block(f"{self.text} {sign} {text}", f"{self.latex} {sign} {latex}", self.names | other.names, _SUM)

    def __sub__(self, other: Block) -> Block:
        return self + -other

    def __neg__(self) -> Block:
        if self.is_zero:
            return self
        if self.level == _SUM:
            inner = _held(self, _PRODUCT)
            return Block(f"-{inner.text}", f"-{inner.latex}", self.names, _PRODUCT)
        if self.text == "-I":
            return IDENTITY
        turned = None if self.turned is None else -replace(self.turned, turned=None)
        if self.text.startswith("-"):
            return Block(self.text[1:], self.latex[1:], self.names, self.level, turned)
        return Block(f"-{self.text}", f"-{self.latex}", self.names, _PRODUCT, turned)

    def __mul__(self, other: Block) -> Block:
        if self.is_zero or other.is_zero:
            return NOTHING
        if IDENTITY in (self, other):
            return other if self == IDENTITY else self
        if self.text.startswith("-") and self.level == _PRODUCT:
            return -(-self * other)
        if other.text.startswith("-") and other.level == _PRODUCT:
            return -(self * -other)
        a, b = _held(self, _PRODUCT), _held(other, _PRODUCT)
        return Block(f"{a.text}*{b.text}", rf"{a.latex} \, {b.latex}" if a.latex[-1:].isdigit() and b.latex[
            :1].isdigit() else f"{a.latex} {b.latex}", self.names | other.names, _PRODUCT)

    def __rmul__(self, factor: float) -> Block:
        return scalar(factor) * self

    def scaled(self, factor: Block) -> Block:
        """A number times the block, the identity too: m I."""
        a = _held(factor, _PRODUCT)
        return Block(f"{a.text}*{self.text}", f"{a.latex} {self.latex}", self.names | factor.names, _PRODUCT)

    @property
    def T(self) -> Block:  # noqa: N802
        """Its transpose."""
        if self.turned is not None:
            return self.turned
        if self.text.startswith("-") and self.level == _PRODUCT:
            return -(-self).T
        raised = _raised(self, "T")
        return raised if raised is self else replace(raised, turned=self)

    @property
    def inverse(self) -> Block:
        """Its inverse."""
        return _raised(self, "-1")

    @property
    def pseudo(self) -> Block:
        """Its Moore-Penrose inverse."""
        return _raised(self, "+")

    @property
    def rate(self) -> Block:
        """d/dt of a symbol."""
        return named_block(f"{self.text}_dot", _dotted(self, r"\dot"))

    @property
    def second(self) -> Block:
        """d²/dt² of a symbol."""
        return named_block(f"{self.text}_ddot", _dotted(self, r"\ddot"))


def _dotted(block: Block, dot: str) -> str:
    """LaTeX of a rate; a symbol that has a form of its own, as a derivative, is put in parentheses."""
    if block.latex == latex_of(symbol(block.text)):
        return ""
    return rf"\frac{{d}}{{dt}}\left({block.latex}\right)" if dot == r"\dot" else rf"{dot}{{{block.latex}}}"


def _held(block: Block, level: int) -> Block:
    """A block in parentheses where it would fall apart in a formula of this level."""
    if block.level >= level:
        return block
    return Block(f"({block.text})", rf"\left({block.latex}\right)", block.names)


def _raised(block: Block, sign: str) -> Block:
    if block.is_zero or block == IDENTITY:
        return block
    own = _held(block, _ATOM)
    wrapped = rf"{{{own.latex}}}" if "^" in own.latex or r"\dot" in own.latex[:5] else own.latex
    return Block(f"{own.text}^{sign}", f"{wrapped}^{{{sign}}}", block.names)


IDENTITY, NOTHING = Block("I", "I"), Block("0", "0")


def named_block(name: str, latex: str = "") -> Block:
    """A symbol for a vector, a matrix or a number."""
    return Block(name, latex or latex_of(symbol(name)), frozenset({name}))


def scalar(value: Expression | float) -> Block:
    """A number or an expression as a factor."""
    if isinstance(value, int | float):
        if value in (0.5, 0.25):
            return Block(f"1/{1 / value:g}", rf"\tfrac{{1}}{{{1 / value:g}}}", level=_PRODUCT)
        return Block(f"{value:g}", f"{value:g}")
    level = {"+": _SUM, "-": _SUM, "*": _PRODUCT, "/": _PRODUCT, "neg": _PRODUCT}.get(value.kind, _ATOM)
    return Block(text_of(value, fractions=True), latex_of(value), frozenset(free_symbols([value])), level)


def tilde(block: Block) -> Block:
    """The skew matrix of a cross product, which takes b to a × b."""
    if block.is_zero:
        return block
    wide = r"\tilde" if block.level == _ATOM and "dot" not in block.latex else r"\widetilde"
    return Block(f"tilde({block.text})", rf"{wide}{{{block.latex}}}", block.names)


def mirrored(block: Block, transpose: Block) -> Block:
    """A product whose transpose is written out, as -2 r Eᵀ Sᵀ ñ of 2 r ñ S E."""
    return replace(block, turned=transpose)


def power(block: Block, exponent: str) -> Block:
    """A number to some power, as in (kᵀk)^(3/2)."""
    own = _held(block, _ATOM)
    inner = own if own is not block or block.text.isidentifier() else Block(
        f"({block.text})", rf"\left({block.latex}\right)", block.names)
    raised = exponent if exponent.isdigit() else f"({exponent})"
    return Block(f"{inner.text}**{raised}", f"{inner.latex}^{{{exponent}}}", block.names)


def over(block: Block, divisor: Block) -> Block:
    """A block divided by a number."""
    if block.is_zero:
        return block
    if block.text.startswith("-") and block.level == _PRODUCT:
        return -over(-block, divisor)
    a, b = _held(block, _PRODUCT), _held(divisor, _ATOM)
    return Block(f"{a.text}/{b.text}", rf"\frac{{{block.latex}}}{{{divisor.latex}}}", block.names | divisor.names,
                 _PRODUCT)


def added(blocks: Iterable[Block]) -> Block:
    """Sum of blocks."""
    return reduce(Block.__add__, blocks, NOTHING)


def positive_first(blocks: Iterable[Block]) -> Block:
    """A sum that begins with a positive term, if it has one."""
    return added(sorted(blocks, key=lambda block: block.text.startswith("-")))


def diagonal(blocks: Iterable[Block]) -> Block:
    """A matrix with blocks on its diagonal."""
    listed = list(blocks)
    return Block(f"diag({', '.join(block.text for block in listed)})",
                 rf"\operatorname{{diag}}\left({', '.join(block.latex for block in listed)}\right)",
                 frozenset[str]().union(*(block.names for block in listed)))


def stacked(blocks: Iterable[Block]) -> Block:
    """Blocks one below the other."""
    listed = list(blocks)
    if len(listed) == 1:
        return listed[0]
    names = frozenset[str]().union(*(block.names for block in listed))
    rows = r" \\ ".join(block.latex for block in listed)
    lying = rf"\begin{{bmatrix}} {' & '.join(block.T.latex for block in listed)} \end{{bmatrix}}^{{T}}"
    latex = rf"\begin{{bmatrix}} {rows} \end{{bmatrix}}"
    if len(listed) > 2 and width(lying) < _WIDEST:  # lying, to save space
        latex = lying
    return Block(f"[{'; '.join(block.text for block in listed)}]", latex, names)
