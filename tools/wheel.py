"""`make wheel`: a wheel that carries compiled kernels for a baseline processor, so that no user waits for a compiler.

The kernels are those that `granum.run.warm` compiles, made for `granum.base.processor.baseline()`: x86-64-v3, or what
all 64-bit ARM processors have. On Linux the wheel is tagged manylinux, with the version of the C library that its
kernels need (tools/glibc.py). The wheel goes to dist/.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from granum.base.processor import baseline

ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    """Compile, pack, and say what came out."""
    began, target = time.perf_counter(), baseline()
    with tempfile.TemporaryDirectory() as folder:
        print(f"Compiling all kernels for {target.name} ...", flush=True)
        subprocess.run([sys.executable, "-m", "granum.run.warm"], check=True, env={
            **os.environ, "GRANUM_CACHE_DIR": folder, "GRANUM_COMPILER": "granum", "NUMBA_CPU_NAME": target.name,
            "NUMBA_CPU_FEATURES": target.features})
        files = [file for file in Path(folder).rglob("*") if file.is_file()]
        size = sum(file.stat().st_size for file in files) / 1e6
        print(f"{len(files)} files, {size:.0f} MB, {time.perf_counter() - began:.0f} s", flush=True)
        subprocess.run([sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(ROOT / "dist"),
                        str(ROOT)], check=True,
                       env={**os.environ, "GRANUM_KERNELS": folder, "GRANUM_PLATFORM": _platform(files)})
    newest = max((ROOT / "dist").glob("granum-*.whl"), key=lambda file: file.stat().st_mtime)
    print(f"dist/{newest.name}, {newest.stat().st_size / 1e6:.0f} MB")


def _platform(kernels: list[Path]) -> str:
    """The platform tag; empty where Python's own name of the platform is right."""
    if platform.libc_ver()[0] != "glibc":
        return ""
    from glibc import needed_glibc  # beside this file

    major, minor = needed_glibc(kernels)
    return f"manylinux_{major}_{minor}_{platform.machine()}"


if __name__ == "__main__":
    main()
