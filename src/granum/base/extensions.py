"""Extensions: what other packages, and the wings of Granum itself, add to it under a name.

A package says in its metadata which names it adds, and which of its modules registers each of them when imported:

    [project.entry-points."granum.extensions"]
    "load.magnet" = "granum_magnets.magnet"
    "command.poles" = "granum_magnets.poles"

Nothing is imported before its name is asked for, in Python as on the command line. So a package that is broken harms
nobody who does not use it, and none slows others down. Wings are named in the same way, by `offers.wing`.

Metadata is read here and not by `importlib.metadata`: its import and a search of 166 packages take 29 ms of processor
time, this takes 2 ms, and `granum --help` takes 62 ms in all.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Container, Iterable
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any, NamedTuple

from granum.base.errors import GranumError, did_you_mean
from granum.base.offers import WINGS

GROUP = "granum.extensions"
"""The group of entry points."""


class Extension(NamedTuple):
    """A name that a package adds."""

    section: str
    """What it names: `load` and other sections of scenes, `solver`, `contact-law`, `plot`, `command`, ..."""
    name: str
    module: str
    """Registers the name when it is imported."""
    package: str
    version: str
    meaning: str = ""
    """In a few words, where that is known before the module is imported."""


class ExtensionError(GranumError):
    """An extension that cannot be used."""

    def __init__(self, extension: Extension, finding: str) -> None:
        package, version = extension.package, extension.version
        super().__init__(f"{extension.section}.{extension.name} of the package {package} {version} cannot be used: "
                         f"{finding} Mend it, update it with pip install --upgrade {package}, or remove it with pip "
                         f"uninstall {package}.")


def wings(section: str) -> dict[str, Extension]:
    """What the wings add to a section, by name."""
    return {name: Extension(section, name, module, "granum", "", meaning)
            for name, (module, meaning) in WINGS.get(section, {}).items()}


@cache
def installed() -> dict[str, dict[str, Extension]]:
    """What installed packages add, by section and name."""
    found: dict[str, dict[str, Extension]] = {}
    for extension in _declared():
        own = found.setdefault(extension.section, {})
        own.setdefault(extension.name, extension)  # of a package that is there twice, Python imports the first
        if own[extension.name].package != extension.package:
            both = " and ".join(sorted((own[extension.name].package, extension.package)))
            own[extension.name] = own[extension.name]._replace(package=both, version="")
    return found


def extension(section: str, name: str) -> Extension | None:
    """What adds a name, if anything does; a wing comes first, and only where there is none are packages searched."""
    return wings(section).get(name) or installed().get(section, {}).get(name)


def loaded(extension: Extension) -> ModuleType:
    """The module of an extension, imported now; raises ExtensionError with the package where that fails."""
    if " and " in extension.package:
        raise GranumError(f"{extension.section}.{extension.name} is added by the packages {extension.package}. "
                          "Uninstall one of them.")
    try:
        return import_module(extension.module)
    except (Exception, SystemExit) as error:
        if extension.package == "granum":
            raise
        raise ExtensionError(extension, f"importing {extension.module} ended with {type(error).__name__}: "
                                        f"{str(error).rstrip('.')}.") from error


def found(table: Container[str], section: str, name: str) -> bool:
    """Is a name in a table? If it is not, but an extension adds it, the extension is loaded first."""
    if name in table:
        return True
    own = extension(section, name)
    if own is None:
        return False
    loaded(own)
    if name not in table:
        raise ExtensionError(own, f"importing {own.module} does not register it.")
    return True


def function_of(own: Extension, name: str) -> Any:
    """The function of an extension that is no more than a function: a command, an engine, a reader."""
    function = getattr(loaded(own), name, None)
    if not callable(function):
        raise ExtensionError(own, f"{own.module} has no function `{name}`.")
    return function


def picked(section: str, name: str, what: str) -> Extension:
    """What adds a name; raises with the nearest one and the choice where nothing does."""
    own = extension(section, name)
    if own is None:
        known = [*wings(section), *installed().get(section, ())]
        raise GranumError(f'There is no {what} "{name[:80]}". {did_you_mean(name, known, what)}')
    return own


def load_all(sections: Iterable[str]) -> None:
    """Load what installed packages add to sections, to list all that there is; warns of what cannot be used."""
    for section in sections:
        for own in installed().get(section, {}).values():
            try:
                loaded(own)
            except GranumError as error:
                warnings.warn(str(error), stacklevel=2)


def reserved(section: str, name: str) -> bool:
    """Does a wing have this name, which no other package can take? Only its own module may register it."""
    own = wings(section).get(name)
    return own is not None and own.module not in sys.modules


def _declared() -> Iterable[Extension]:
    """Entry points of the group, of all packages on the path."""
    for folder in dict.fromkeys(sys.path):
        try:
            entries = [entry for entry in os.scandir(folder or ".") if entry.name.endswith((".dist-info", ".egg-info"))]
        except OSError:  # a zip file, or no longer there
            continue
        for entry in entries:
            package, version, *_ = [*entry.name.rpartition(".")[0].split("-"), ""]
            yield from _declared_in(f"{entry.path}/entry_points.txt", package.replace("_", "-"), version)


def _declared_in(file: str, package: str, version: str) -> Iterable[Extension]:
    """Entry points of the group, of one package."""
    try:
        with open(file, "rb") as opened:  # noqa: PTH123 (half the time of a Path, for each of all packages)
            content = opened.read()
    except OSError:
        return
    if GROUP.encode() not in content:
        return
    group = ""
    for line in map(str.strip, content.decode("utf-8", "replace").splitlines()):
        if line.startswith("["):
            group = line.strip("[]").strip()
        elif group == GROUP and "=" in line and not line.startswith("#"):
            full, module = (part.strip() for part in line.split("=", 1))
            section, _, name = full.partition(".")
            yield Extension(section, name, module, package, version)
