"""Mutated scenes through `check` and some steps of `run`: only Granum's own errors may escape."""

from __future__ import annotations

import math
import random
import time
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import granum as gr
from granum.base.choices import CONTACT_LAWS, FORMULATIONS, GRAIN_SOLVERS, SOLVERS
from granum.io.examples import is_study
from granum.io.scenefile import parse_scene
from granum.run.check import check
from tests.fuzz.campaign import SEED, Campaign

EXAMPLES = Path(__file__).parents[2] / "examples"
MOST_GRAINS = 40
"""Of a pattern: mutations matter, and thousands of grains take their time."""
WIDE = 2.0
"""Coordinate [m] of a region beyond which it is not filled to a fraction."""
SECONDS = 0.2
"""Of a run, after which it is interrupted: long enough for some steps."""
HOSTILE: list[Any] = [
    0, -1, 1, 2, 7, -0.0, 0.5, 1e-9, 1e9, 1e-49, 1e49, -1e49, 1e-60, 1e60, 1e300, -1e300, 5e-324, math.inf, math.nan,
    2**31, 2**63, -(2**63), 10**30, True, False, "", " ", "x", "0", "5 cm", "-5 cm", "1e999 m", "nan m", "3 kg", "°",
    "\u202e\u0000", "a" * 5000, "../../../etc/passwd", "/dev/zero", "/dev/stdin", "/", ".", "__import__('os')",
    "x**9**9**9", "sin(" * 70, "1/0", [], [0], [0, 0], [0, 0, 0], [1, 0], [0.0, 1.0, 0.0], [1e49, 0], [-1, -1], [[]],
    [[0, 0]], ["a", "b"], ["x"], {}, {"kind": "box"}, {"kind": "no-such"}, [1, 2, 3, 4], [1e-30, 0, 0],
]
CHOICES = [*SOLVERS, *GRAIN_SOLVERS, *FORMULATIONS, *CONTACT_LAWS]


@cache
def corpus() -> list[dict[str, Any]]:
    """The examples with few grains each, as documents."""
    return [_smaller(tomllib.loads(file.read_text("utf-8"))) for file in sorted(EXAMPLES.glob("*.toml"))
            if not is_study(file)]


def _smaller(document: dict[str, Any]) -> dict[str, Any]:
    for pattern in document.get("pattern", {}).values():
        for key in ("count", "rows", "columns"):
            if pattern.get(key, 0) > MOST_GRAINS:
                pattern[key] = MOST_GRAINS
    return document


def places(document: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Paths of everything in a document."""
    inner = document.items() if isinstance(document, dict) else enumerate(document) if isinstance(
        document, list) else ()
    return [place for key, value in inner for place in ((*path, key), *places(value, (*path, key)))]


def at(document: Any, path: tuple[Any, ...]) -> Any:
    """What a path leads to."""
    for key in path:
        document = document[key]
    return document


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def mutate(document: dict[str, Any], rng: random.Random) -> None:
    """One change, of a kind drawn at random; every second one only scales a number, so that many scenes can be run."""
    numbers = [path for path in places(document) if _is_number(at(document, path))]
    if numbers and rng.random() < 0.5:
        *_, key = path = rng.choice(numbers)
        at(document, path[:-1])[key] *= rng.choice([-1, 0, 1e-9, 1e-3, 0.1, 0.5, 0.9, 1.1, 2, 10, 1e3, 1e9])
        return
    path = rng.choice(places(document) or [("run",)])
    holder, key = at(document, path[:-1]), path[-1]
    if key not in holder and not isinstance(holder, list):
        holder[key] = {}
    old = holder[key]
    match rng.randrange(9):
        case 0:
            del holder[key]
        case 1 | 2:
            holder[key] = rng.choice(HOSTILE)
        case 3 if _is_number(old):
            holder[key] = old * rng.choice([1e-30, 1e20, 1e40, 1e100])
        case 4 if isinstance(holder, dict):
            holder[rng.choice([*holder, "kind", "x", "position", "mass"])] = holder.pop(key)
        case 5:  # what another scene has there, or anywhere
            other = rng.choice(corpus())
            there = rng.choice(places(other))
            holder[key] = _copied(at(other, there))
        case 6:  # an entry of another scene
            other = rng.choice(corpus())
            section = rng.choice([name for name in other if isinstance(other[name], dict)])
            mine = document.setdefault(section, {})
            if isinstance(mine, dict):
                mine |= _copied(other[section])
        case 7 if isinstance(old, str):
            holder[key] = rng.choice([*CHOICES, *(str(place[-1]) for place in places(document))])
        case _ if isinstance(old, list):
            holder[key] = (_copied(old) * 2)[: rng.randrange(2 * len(old) + 1)]
        case _:
            document.setdefault("run", {})
            if isinstance(document["run"], dict):
                document["run"]["solver"] = rng.choice(CHOICES)


def _copied(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _copied(inner) for key, inner in value.items()}
    return [_copied(inner) for inner in value] if isinstance(value, list) else value


def toml(value: Any) -> str:
    """A value as TOML; the document itself as one table per section."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return '"' + "".join(c if c.isprintable() and c not in '"\\' else f"\\U{ord(c):08X}" for c in value) + '"'
    if isinstance(value, list):
        return f"[{', '.join(map(toml, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{toml(str(key))} = {toml(inner)}' for key, inner in value.items())}}}"
    return repr(value)


def text_of(document: dict[str, Any]) -> str:
    """A document as a file, entry by entry."""
    lines = []
    for section, entries in document.items():
        if isinstance(entries, dict) and entries and all(isinstance(entry, dict) for entry in entries.values()):
            for name, entry in entries.items():
                lines += [f"[{toml(section)}.{toml(name)}]",
                          *(f"{toml(key)} = {toml(value)}" for key, value in entry.items())]
        elif isinstance(entries, dict):
            lines += [f"[{toml(section)}]", *(f"{toml(key)} = {toml(value)}" for key, value in entries.items())]
        else:
            lines.insert(0, f"{toml(section)} = {toml(entries)}")
    return "\n".join(lines)


def scratch(text: str, rng: random.Random) -> str:
    """A text with some of its bytes changed: not always TOML."""
    for _ in range(rng.randrange(1, 4)):
        begin = rng.randrange(len(text) + 1)
        end = min(len(text), begin + rng.choice([0, 1, 1, 3, 20]))
        piece = rng.choice(["", "", "[", "]", '"', "=", ".", "e9", "-", "\n", "\x00", "é", "#"])
        text = text[:begin] + piece + text[end:]
    return text


def scene_text(number: int) -> str:
    """The input of a number."""
    rng = random.Random(f"{SEED} scenes {number}")
    document = _copied(corpus()[number % len(corpus())])
    for _ in range(rng.choice([1, 1, 1, 2, 3, 5])):
        mutate(document, rng)
    _smaller_again(document)
    text = text_of(document)
    return scratch(text, rng) if rng.random() < 0.15 else text


def _smaller_again(document: dict[str, Any]) -> None:
    """Counts that are allowed but take minutes are no attack."""
    for path in places(document):
        if path[-1] in ("count", "rows", "columns", "max_count") and isinstance(value := at(document, path), int) and (
                MOST_GRAINS < value <= 20_000_000):
            at(document, path[:-1])[path[-1]] = MOST_GRAINS
    for pattern in document.get("pattern", {}).values() if isinstance(document.get("pattern"), dict) else ():
        if isinstance(pattern, dict) and "packing_fraction" in pattern and _wide(pattern.get("region")):
            del pattern["packing_fraction"]
            pattern["count"] = MOST_GRAINS


def _wide(region: Any) -> bool:
    """Is a region so large that grains of the corpus would fill it by the hundred thousand?"""
    return isinstance(region, dict) and any(
        isinstance(value, float | int) and abs(value) > WIDE for path in places(region)
        for value in [at(region, path)])


def attack(number: int) -> str:
    """Check a mutated scene and run it for some steps."""
    return tried(scene_text(number))


def tried(text: str, output: Path | None = None) -> str:
    """How far a scene comes: refused when read, when checked, when run, or run, into a file if one is given."""
    try:
        scene = parse_scene(text, "scene.toml")
    except gr.GranumError as error:
        return refused(error, "read")
    try:
        check(scene)
    except gr.GranumError as error:
        return refused(error, "checked")
    began = time.monotonic()

    def stop(moment: object) -> None:
        if time.monotonic() - began > SECONDS:
            raise KeyboardInterrupt

    try:
        run = gr.simulate(scene, progress=stop, interval=scene.run.until / 3.0, threads=1, output=output)
        run.summary  # noqa: B018 (what is said of a run must not fail either)
    except gr.GranumError as error:
        return refused(error, "run")
    return "run"


def refused(error: gr.GranumError, when: str) -> str:
    """That an input was refused; the message must be one that can be read."""
    text = str(error)
    if not text or len(text) > 100_000:
        raise AssertionError(f"a message of {len(text)} characters") from error
    return f"refused when {when}"


SCENES = Campaign("scenes", attack, 5000, least=120, prepare=corpus)
