"""Expressions from SymPy and to SymPy, each shared part once."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from granum.algebra.expression import ONE, ZERO, Expression, function, number, symbol, walk
from granum.algebra.show import small_fraction
from granum.base.errors import GranumError


def from_sympy(value: Any, names: Mapping[Any, str] | None = None) -> Expression:
    """The expression of a SymPy expression; x(t) becomes the symbol x, its time derivative x_dot.

    Args:
        value: numbers, symbols, sums, products, powers and the functions expressions have; never a string, which
            SymPy would run as code.
        names: names of SymPy objects (symbols, functions of time, whole subexpressions) that are to be symbols.
    """
    import sympy

    try:
        root = sympy.sympify(value, strict=True)
    except sympy.SympifyError:
        root = None
    if not isinstance(root, sympy.Expr):
        raise GranumError(f"found {type(value).__name__}, but an expression of SymPy is needed, and of an equation "
                          "lhs - rhs.")
    reader = _Reader(names or {})
    for node in _below(root, reader.arguments):
        reader.read(node)
    return reader.made[id(root)]


def _below(root: Any, arguments: Callable[[Any], Sequence[Any]]) -> Iterator[Any]:
    """Every object below a SymPy expression once, arguments first; by identity, since SymPy compares by depth."""
    done: set[int] = set()
    stack = [(root, False)]
    while stack:
        node, ready = stack.pop()
        if ready:
            yield node
        elif id(node) not in done:
            done.add(id(node))
            stack.append((node, True))
            stack.extend((argument, False) for argument in reversed(arguments(node)))


class _Reader:
    """One conversion: what has been made, and who owns each name."""

    def __init__(self, names: Mapping[Any, str]) -> None:
        import sympy
        from sympy.core.function import AppliedUndef
        from sympy.physics.vector import dynamicsymbols

        self.sympy, self.names, self.time = sympy, names, dynamicsymbols._t
        self.made: dict[int, Expression] = {}
        """By the address of the SymPy object, which its root keeps alive."""
        self.owner: dict[str, Any] = {}
        self.leaves = (sympy.Symbol, sympy.Number, sympy.NumberSymbol, sympy.Derivative, AppliedUndef)
        self.function_of_time = AppliedUndef
        self.operations = (sympy.Add, sympy.Mul, sympy.Pow)
        self.functions = {getattr(sympy, _SYMPY_NAMES.get(name, name)): name for name in _CONVERTED}

    def is_leaf(self, node: Any) -> bool:
        """Is it taken as a whole?"""
        return isinstance(node, self.leaves) or node in self.names

    def arguments(self, node: Any) -> Sequence[Any]:
        """What must be made before an object; one that expressions have nothing for is refused."""
        if self.is_leaf(node):
            return ()
        if isinstance(node, self.operations) or node.func in self.functions:
            return tuple(node.args)
        raise GranumError(f"{_shown(node)} is of type {type(node).__name__}, which expressions do not have. They have "
                          f"sums, products, powers, sqrt, {', '.join(_CONVERTED)}.")

    def read(self, node: Any) -> None:
        """Make the expression of an object whose arguments are made."""
        sympy = self.sympy
        if self.is_leaf(node):
            made = self.leaf(node)
        elif isinstance(node, sympy.Add):
            made = sum((self.made[id(argument)] for argument in node.args), ZERO)
        elif isinstance(node, sympy.Mul):
            made = self.product(node)
        elif isinstance(node, sympy.Pow):
            base, exponent = node.args
            made = self.power(self.made[id(base)], self.made[id(exponent)], exponent)
        else:
            made = function(self.functions[node.func], *(self.made[id(argument)] for argument in node.args))
        self.made[id(node)] = made

    def product(self, node: Any) -> Expression:
        """A product as one fraction, with the denominator of a rational number below: x/3 is exact to the last bit."""
        over, under = ONE, ONE
        for factor in node.args:
            if factor.is_Rational:
                over, under = over * _float(factor.p), under * _float(factor.q)
            elif factor.is_Pow and factor not in self.names and factor.exp.is_Number and factor.exp.is_negative:
                under = under * self.power(self.made[id(factor.base)], number(_float(-factor.exp)), -factor.exp)
            else:
                over = over * self.made[id(factor)]
        return over / under

    def power(self, base: Expression, exponent: Expression, written: Any) -> Expression:
        """A power; a negative one as a fraction, half of one as a root."""
        if written.is_Number and written.is_negative:
            return 1.0 / base ** (-exponent)
        return base**exponent

    def leaf(self, node: Any) -> Expression:
        """A number, a symbol, a function of time or its derivative."""
        sympy = self.sympy
        if node in self.names:
            return self.owned(self.names[node], node)
        if isinstance(node, sympy.Number | sympy.NumberSymbol):
            return number(_float(node))
        if isinstance(node, sympy.Symbol):
            return self.owned("t" if self.is_time(node) else node.name, node)
        if isinstance(node, sympy.Derivative):
            return self.rate(node)
        if len(node.args) == 1 and self.is_time(node.args[0]):
            return self.owned(node.func.__name__, node)
        raise GranumError(f"{_shown(node)} is a function that is not known and not of time alone; give it a name: "
                          "from_sympy(..., names={...}).")

    def rate(self, node: Any) -> Expression:
        """The first or second time derivative of a function of time."""
        moving, (variable, order), *others = node.args
        if isinstance(moving, self.function_of_time) and self.is_time(variable) and not others and order in (1, 2):
            return self.owned(self.leaf(moving).name + ("_dot" if order == 1 else "_ddot"), node)
        raise GranumError(f"{_shown(node)} is not a first or second time derivative of a function of time; carry it "
                          "out with .doit(), or give it a name: from_sympy(..., names={...}).")

    def is_time(self, node: Any) -> bool:
        """Is it SymPy's time of mechanics, or another symbol t?"""
        return node == self.time or (isinstance(node, self.sympy.Symbol) and node.name == "t")

    def owned(self, name: str, owner: Any) -> Expression:
        """A symbol by name; different objects of one name would be mixed up, so they are refused."""
        other = self.owner.setdefault(name, owner)
        if other != owner and not (self.is_time(other) and self.is_time(owner)):
            raise GranumError(f"{_shown(other)} and {_shown(owner)} are different in SymPy, but both would be the "
                              f"symbol {name}; give them names: from_sympy(..., names={{...}}).")
        return symbol(name)


def _float(value: Any) -> float:
    """A SymPy number as a double; what is not a finite real one is refused."""
    try:
        number = float(value)
    except (TypeError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise GranumError(f"{_shown(value)} is not a finite real number.")
    return number


def _shown(node: Any) -> str:
    """A SymPy object as text; a large one by its type, since SymPy writes shared parts again and again."""
    import sympy

    parts = sum(1 for _ in islice(sympy.preorder_traversal(node), 50))
    return str(node)[:60] if parts < 50 else f"a large {type(node).__name__}"


_CONVERTED = ("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log", "abs", "sign", "atan2")
_SYMPY_NAMES = {"abs": "Abs"}  # and sqrt is a power


def to_sympy(expression: Expression) -> Any:
    """The SymPy expression of an expression, with symbols by name and small fractions exact: 0.5 is 1/2."""
    import sympy

    order = list(walk([expression]))
    inner = _inner_sums(order)
    made: dict[Expression, Any] = {}
    for node in order:
        if node in inner:
            continue
        if node.kind in ("+", "-"):
            made[node] = sympy.Add(*(made[term] if plus else -made[term] for plus, term in _terms(node, inner)))
            continue
        arguments = [made[argument] for argument in node.arguments]
        if node.kind == "number":
            made[node] = _sympy_number(node.value)
        elif node.kind == "symbol":
            made[node] = sympy.Symbol(node.name)
        elif node.kind in _OPERATIONS:
            made[node] = _OPERATIONS[node.kind](*arguments)
        else:
            made[node] = getattr(sympy, _SYMPY_NAMES.get(node.kind, node.kind))(*arguments)
    return made[expression]


def _inner_sums(order: Sequence[Expression]) -> set[Expression]:
    """Sums that only one other sum uses: SymPy sorts a sum anew for each term added, so it gets all terms at once."""
    uses = Counter(argument for node in order for argument in node.arguments)
    return {argument for node in order if node.kind in ("+", "-") for argument in node.arguments
            if argument.kind in ("+", "-") and uses[argument] == 1}


def _terms(node: Expression, inner: set[Expression]) -> Iterator[tuple[bool, Expression]]:
    """Terms of a sum and of the sums inside it, and whether each is added."""
    stack = [(True, node)]
    while stack:
        plus, part = stack.pop()
        if part is node or part in inner:
            a, b = part.arguments
            stack += [(plus == (part.kind == "+"), b), (plus, a)]
        else:
            yield plus, part


def _sympy_number(value: float) -> Any:
    import sympy

    if abs(value) == math.pi:
        return sympy.pi if value > 0.0 else -sympy.pi
    fraction = small_fraction(value)
    return sympy.Float(value) if fraction is None else sympy.Rational(fraction.numerator, fraction.denominator)


_OPERATIONS: dict[str, Callable[..., Any]] = {
    "*": lambda a, b: a * b, "/": lambda a, b: a / b, "^": lambda a, b: a**b, "neg": lambda a: -a,
}
