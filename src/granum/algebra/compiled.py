"""Expressions to machine code: each shared node is computed once, in straight-line code made by LLVM.

LLVM comes with Numba. Text for it is written directly: compiling a thousand operations takes some 30 ms, against
seconds for the same code as a Python function under Numba.
"""

from __future__ import annotations

import ctypes
import itertools
import struct
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

import llvmlite.binding as llvm
import numpy as np

from granum.algebra.expression import Expression, free_symbols, walk
from granum.base.errors import GranumError
from granum.base.kernels import Floats
from granum.base.processor import target

_BINARY = {"+": "fadd", "-": "fsub", "*": "fmul", "/": "fdiv"}
_CALLS = {"sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log", "sqrt"}
_DECLARATIONS = "\n".join(
    [*(f"declare double @{name}(double)" for name in sorted(_CALLS - {"sqrt"})),
     "declare double @llvm.sqrt.f64(double)",
     "declare double @llvm.fabs.f64(double)", "declare double @pow(double, double)",
     "declare double @atan2(double, double)", "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)",
     "declare ptr @malloc(i64)", "declare void @free(ptr)"])
LARGEST_OPTIMIZED = 6000
"""Operations up to which code is optimized; the time for that grows faster than their number, its use does not."""
LARGEST_FUNCTION = 4000
"""Operations of one function."""
_NAME = "granum_compiled"
_KEPT = 64
"""Programs kept: runs of one system from many starts compile it once."""

Emit: TypeAlias = Callable[[str], str]
"""Writes an operation and returns the register of its result."""


class Compiled:
    """Machine code of expressions: `int64_t f(double t, double *y, double *out, double *data)`.

    `y` and `data` hold the symbols in the order given. `address` is for compiled callers; calling the object is for
    Python.
    """

    def __init__(self, y: Sequence[str], data: Sequence[str], outputs: Sequence[Expression]) -> None:
        unknown = free_symbols(outputs) - {*y, *data, "t"}
        if unknown:
            raise GranumError(f"no value is given for {', '.join(sorted(unknown))}.")
        self.sizes = len(y), len(data), len(outputs)
        self._engine = _engine(_assembly(_NAME, y, data, outputs))
        self.address = self._engine.get_function_address(_NAME)
        pointer = ctypes.POINTER(ctypes.c_double)
        self._call = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_double, pointer, pointer, pointer)(self.address)

    def __call__(self, t: float, y: Floats, data: Floats) -> Floats:
        """Values of the expressions."""
        out = np.empty(max(1, self.sizes[2]))
        arrays = np.ascontiguousarray(y, dtype=float), out, np.ascontiguousarray(data, dtype=float)
        if len(arrays[0]) < self.sizes[0] or len(arrays[2]) < self.sizes[1]:
            raise GranumError(f"{self.sizes[0]} and {self.sizes[1]} numbers are needed, found {len(y)} and "
                              f"{len(data)}.")
        self._call(t, *(array.ctypes.data_as(ctypes.POINTER(ctypes.c_double)) for array in arrays))
        return out[: self.sizes[2]]


@lru_cache(maxsize=_KEPT)
def _engine(assembly: str) -> llvm.ExecutionEngine:
    """Machine code of one module of LLVM assembly."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    module = llvm.parse_assembly(assembly)
    level = 2 if assembly.count("\n") <= LARGEST_OPTIMIZED else 0
    processor = target()
    machine = llvm.Target.from_default_triple().create_target_machine(
        cpu=processor.name, features=processor.features, opt=level, jit=True)
    module.data_layout = str(machine.target_data)
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    return engine


def _assembly(name: str, y: Sequence[str], data: Sequence[str], outputs: Sequence[Expression]) -> str:
    """One function; of large programs, one that calls a function for each part of the operations in turn.

    LLVM's time for one function grows with the square of its length: 300 000 operations took 78 s, and 14 s in parts,
    measured side by side. What a part computes for later ones is kept in an array.
    """
    place = {**{s: f"%y, i64 {k}" for k, s in enumerate(y)}, **{s: f"%data, i64 {k}" for k, s in enumerate(data)}}
    operations = [node for node in walk(outputs) if node.arguments]
    parts = [operations[k : k + LARGEST_FUNCTION] for k in range(0, len(operations), LARGEST_FUNCTION)] or [[]]
    part = {node: k // LARGEST_FUNCTION for k, node in enumerate(operations)}
    handed = dict.fromkeys(a for node in operations for a in node.arguments if a in part and part[a] != part[node])
    kept = {node: f"%kept, i64 {k}" for k, node in enumerate(handed)}
    stored: list[list[tuple[int, Expression]]] = [[] for _ in parts]
    for k, root in enumerate(outputs):
        if not root.is_zero:
            stored[part.get(root, 0)].append((k, root))
    bodies = [_body(nodes, place, kept, results) for nodes, results in zip(parts, stored, strict=True)]
    bodies[0] = [*_zeros(outputs), *bodies[0]]
    arguments = "double %t, ptr noalias %y, ptr noalias %out, ptr noalias %data"
    if len(parts) == 1:
        return "\n".join([_DECLARATIONS, f"define i64 @{name}({arguments}) {{", *bodies[0], "  ret i64 0", "}", ""])
    lines = [_DECLARATIONS]
    for k, body in enumerate(bodies):
        lines += [f"define void @part{k}({arguments}, ptr noalias %kept) noinline {{", *body, "  ret void", "}"]
    lines += [f"define i64 @{name}({arguments}) {{", f"  %kept = call ptr @malloc(i64 {8 * len(kept) + 8})"]
    lines += [f"  call void @part{k}({arguments.replace(' noalias', '')}, ptr %kept)" for k in range(len(parts))]
    return "\n".join([*lines, "  call void @free(ptr %kept)", "  ret i64 0", "}", ""])


def _body(operations: Sequence[Expression], place: Mapping[str, str], kept: Mapping[Expression, str],
          results: Sequence[tuple[int, Expression]]) -> list[str]:
    """Lines of one part: its operations, and what is stored of them for later parts and as outputs."""
    lines: list[str] = []
    fresh = (f"%r{k}" for k in itertools.count())
    value: dict[Expression, str] = {}

    def emit(operation: str) -> str:
        register = next(fresh)
        lines.append(f"  {register} = {operation}")
        return register

    def element(where: str) -> str:
        array, k = where.split(", ")
        return emit(f"getelementptr double, ptr {array}, {k}")

    def read(node: Expression) -> str:
        if node not in value:
            if node.kind == "number":
                value[node] = _constant(node.value)
            elif node.kind == "symbol" and node.name == "t" and "t" not in place:
                value[node] = "%t"
            else:
                where = place[node.name] if node.kind == "symbol" else kept[node]
                value[node] = emit(f"load double, ptr {element(where)}")
        return value[node]

    for node in operations:
        value[node] = _operation(node, [read(argument) for argument in node.arguments], emit)
        if node in kept:
            lines.append(f"  store double {value[node]}, ptr {element(kept[node])}")
    for k, root in results:
        lines.append(f"  store double {read(root)}, ptr {element(f'%out, i64 {k}')}")
    return lines


def _zeros(outputs: Sequence[Expression]) -> list[str]:
    """Lines that clear every series of outputs that are always zero: nearly all of a large mass matrix."""
    lines, k = [], 0
    for zero, members in itertools.groupby(outputs, lambda root: root.is_zero):
        count = len(list(members))
        if zero:
            lines += [f"  %zeros{k} = getelementptr double, ptr %out, i64 {k}",
                      f"  call void @llvm.memset.p0.i64(ptr %zeros{k}, i8 0, i64 {8 * count}, i1 false)"]
        k += count
    return lines


def _constant(value: float) -> str:
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"


def _operation(node: Expression, inputs: list[str], emit: Emit) -> str:
    kind, a = node.kind, inputs[0]
    if kind in _BINARY:
        return emit(f"{_BINARY[kind]} contract double {a}, {inputs[1]}")
    if kind == "neg":
        return emit(f"fneg double {a}")
    if kind == "^":
        return _power(node.arguments[1], a, inputs[1], emit)
    if kind == "sqrt":
        return emit(f"call double @llvm.sqrt.f64(double {a})")
    if kind == "abs":
        return emit(f"call double @llvm.fabs.f64(double {a})")
    if kind == "sign":
        above = emit(f"uitofp i1 {emit(f'fcmp ogt double {a}, 0.0')} to double")
        below = emit(f"uitofp i1 {emit(f'fcmp olt double {a}, 0.0')} to double")
        return emit(f"fsub double {above}, {below}")
    return emit(f"call double @{kind}({', '.join(f'double {i}' for i in inputs)})")


LARGEST_POWER = 64
"""Whole exponents up to which a power is a product."""


def _power(exponent: Expression, base: str, power: str, emit: Emit) -> str:
    whole = exponent.kind == "number" and exponent.value.is_integer() and abs(exponent.value) <= LARGEST_POWER
    if not whole:
        return emit(f"call double @pow(double {base}, double {power})")
    left, square, product = abs(int(exponent.value)), base, ""
    while left:
        if left % 2:
            product = emit(f"fmul contract double {product}, {square}") if product else square
        left //= 2
        if left:
            square = emit(f"fmul contract double {square}, {square}")
    return product if exponent.value > 0 else emit(f"fdiv double {_constant(1.0)}, {product}")
