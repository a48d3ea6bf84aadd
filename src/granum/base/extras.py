"""Libraries that only some uses of Granum need."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from granum.base.errors import GranumError


def extra(module: str, name: str) -> Any:
    """A library of one of Granum's extras; where it is not installed, the message says how to install it."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module.partition(".")[0]:  # it is there, and lacks something of its own
            raise
        raise GranumError(f'This needs {module}, which is not installed. Install it with pip install "granum[{name}]".'
                          ) from None
