"""Adds compiled kernels to a wheel where `GRANUM_KERNELS` names a folder of them: see tools/wheel.py."""

from __future__ import annotations

import os
import sys
import sysconfig
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class KernelHook(BuildHookInterface):  # type: ignore[type-arg]
    """Without kernels the wheel is for any machine, with them for one kind of machine and one version of Python."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the folder, and say what the wheel is for."""
        folder = os.environ.get("GRANUM_KERNELS")
        if not folder or version == "editable":
            return
        python = f"cp{sys.version_info.major}{sys.version_info.minor}"
        platform = os.environ.get("GRANUM_PLATFORM") or sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["force_include"][folder] = "granum/kernels"
        build_data["pure_python"] = False
        build_data["tag"] = f"{python}-{python}-{platform}"
