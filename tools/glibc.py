"""Which version of the GNU C library compiled kernels need, for the platform tag of a wheel.

Kernels are relocatable object code that LLVM loads into the process, not shared libraries: auditwheel does not look at
them. LLVM looks up each symbol that they leave undefined by its bare name, in what Numba registers (its runtime, the
interface of Python) and in the libraries of the process. So a kernel needs a C library that has the names it uses: for
each name the oldest version under which the library of this machine exports it.
"""

from __future__ import annotations

import ctypes
import io
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import numba.core.registry  # registers the symbols of its runtime
from elftools.elf.elffile import ELFFile
from llvmlite import binding as llvm
from numba.core.runtime import rtsys

MANYLINUX = (2, 17)
"""The oldest C library that tags are given for: that of manylinux2014."""
_ELF = b"\x7fELF"
_VERSION = re.compile(r"GLIBC_(\d+)\.(\d+)(?:\.\d+)?")
_OWN = ("_ZN08NumbaEnv",)
"""What code that is loaded gets from Numba itself: its environments."""


def needed_glibc(kernels: Iterable[Path]) -> tuple[int, int]:
    """The oldest C library that has all that kernels use; refuses symbols that nobody is known to have."""
    exported = _exported()
    rtsys.initialize(numba.core.registry.cpu_target.target_context)
    needed, unknown = MANYLINUX, set()
    for name in {name for file in kernels for name in _undefined(file)}:
        if name in exported:
            needed = max(needed, exported[name])
        elif not name.startswith(_OWN) and not llvm.address_of_symbol(name):
            unknown.add(name)
    if unknown:
        raise SystemExit(f"Kernels use symbols that neither the C library nor Numba has: {', '.join(sorted(unknown))}.")
    return needed


def _undefined(file: Path) -> Iterator[str]:
    """Symbols that the object code in a file of the cache takes from elsewhere."""
    data = file.read_bytes()
    start = data.find(_ELF)
    if start < 0:  # intermediate code
        return
    for symbol in ELFFile(io.BytesIO(data[start:])).get_section_by_name(".symtab").iter_symbols():
        if symbol.name and symbol["st_shndx"] == "SHN_UNDEF":
            yield symbol.name


def _exported() -> dict[str, tuple[int, int]]:
    """What the C library and its mathematics export: the oldest version of each name."""
    ctypes.CDLL("libm.so.6")
    mapped = {line.split()[-1] for line in Path("/proc/self/maps").read_text().splitlines() if "/" in line}
    oldest: dict[str, tuple[int, int]] = {}
    for path in sorted(path for path in mapped if re.search(r"/lib(c|m)[.-]", path)):
        for name, version in _versions(Path(path)):
            oldest[name] = min(version, oldest.get(name, version))
    return oldest


def _versions(library: Path) -> Iterator[tuple[str, tuple[int, int]]]:
    """Each exported name with each version that it has."""
    with library.open("rb") as opened:
        elf = ELFFile(opened)
        defined = {version["vd_ndx"]: next(names).name for version, names in
                   elf.get_section_by_name(".gnu.version_d").iter_versions()}
        numbers = elf.get_section_by_name(".gnu.version")
        for k, symbol in enumerate(elf.get_section_by_name(".dynsym").iter_symbols()):
            number = numbers.get_symbol(k)["ndx"]
            found = _VERSION.fullmatch(defined.get(number & 0x7FFF, "")) if isinstance(number, int) else None
            if found is not None and symbol["st_shndx"] != "SHN_UNDEF":
                yield symbol.name, (int(found[1]), int(found[2]))
