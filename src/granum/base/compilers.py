"""The compiler that makes machine code of kernels: Granum's own driver of Numba, or Numba as it is.

`GRANUM_COMPILER` chooses: `granum` (default) is `compiler`, which compiles several times faster but relies on internals
of one minor version of Numba; `stock` is `stock_compiler`, which uses Numba's documented interface alone. Each has two
functions:

    compiled(function, **options)     the function as a kernel, for Python and for other kernels
    c_function(function, signature)   the function as a C function: an object with its `address`
"""

from __future__ import annotations

import os
from importlib import import_module

import numba

from granum.base.errors import GranumError

VARIABLE = "GRANUM_COMPILER"
COMPILERS = {"granum": "granum.base.compiler", "stock": "granum.base.stock_compiler"}
NUMBA = "0.68"
"""The minor version whose internals `compiler` and `lowering` know; `pyproject.toml` pins the same."""


def chosen() -> str:
    """The compiler of this process."""
    name = os.environ.get(VARIABLE) or "granum"
    if name not in COMPILERS:
        raise GranumError(f'{VARIABLE} is "{name}", but there are "granum" (default) and "stock" (Numba without '
                          "Granum's driver: the same results, but a slower start). Set it to one of them, or unset it.")
    if name == "granum" and not numba.__version__.startswith(f"{NUMBA}."):
        raise GranumError(f"Numba {numba.__version__} is installed, but Granum's compiler is made for Numba {NUMBA}. "
                          f'Install it with pip install "numba~={NUMBA}.0", or set {VARIABLE}=stock to compile with '
                          "Numba as it is (slower start).")
    return name


_compiler = import_module(COMPILERS[chosen()])
compiled, c_function = _compiler.compiled, _compiler.c_function
