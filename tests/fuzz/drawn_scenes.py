"""Scenes drawn from the JSON schema: every kind of entry, with plausible and with hostile values.

Most of them add drawn entries to a small scene that runs, since what is drawn alone is mostly refused at once.
"""

from __future__ import annotations

import random
import tempfile
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import granum as gr
from granum.io.schema import schema
from tests.fuzz.campaign import SEED, Campaign, Finding, no_warning_of_numpy
from tests.fuzz.scene_files import HOSTILE, text_of, tried

BASES = {
    "plane": """
        [body]
        o = { kind = "fixed-point", position = [0.0, 0.0] }
        cart = { kind = "block", size = [0.4, 0.2], mass = 2.0 }
        arm = { kind = "rod", length = 1.0, radius = 0.05, mass = 1.0 }
        bob = { kind = "point-mass", mass = 0.5 }
        [start]
        bob = { position = [2.0, 0.0] }
        [constraint]
        rail = { kind = "slider", between = ["o", "cart"], axis = [1.0, 0.0] }
        pin = { kind = "hinge", between = ["cart", "arm.tail"] }
        [load]
        gravity = { kind = "gravity", acceleration = [0.0, -9.81] }""",
    "space": """
        [body]
        o = { kind = "fixed-point", position = [0.0, 0.0, 0.0] }
        cart = { kind = "block", size = [0.4, 0.2, 0.3], mass = 2.0 }
        arm = { kind = "rod", length = 1.0, radius = 0.05, mass = 1.0 }
        bob = { kind = "point-mass", mass = 0.5 }
        [start]
        bob = { position = [2.0, 0.0, 0.0] }
        [constraint]
        rail = { kind = "slider", between = ["o", "cart"], axis = [1.0, 0.0, 0.0] }
        pin = { kind = "hinge", between = ["cart", "arm.tail"], axis = [0.0, 0.0, 1.0] }
        [load]
        gravity = { kind = "gravity", acceleration = [0.0, -9.81, 0.0] }""",
    "grains": """
        [material]
        sand = { friction = 0.4, restitution = 0.3, density = 2500.0, stiffness = 1000.0 }
        [boundary]
        floor = { kind = "plane", position = [0.0, 0.0], normal = [0.0, 1.0] }
        [pattern]
        few = { kind = "grains", radius = 0.1, positions = [[0.0, 0.1], [0.05, 0.31], [0.4, 0.105]] }
        [probe]
        out = { kind = "flow", position = [0.3, 0.0], normal = [1.0, 0.0] }
        [load]
        gravity = { kind = "gravity", acceleration = [0.0, -9.81] }""",
    "balls": """
        [material]
        glass = { friction = 0.4, restitution = 0.3, density = 2500.0, stiffness = 1000.0 }
        [boundary]
        floor = { kind = "plane", position = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] }
        [pattern]
        few = { kind = "grains", radius = 0.1, positions = [[0.0, 0.0, 0.1], [0.05, 0.0, 0.31], [0.4, 0.0, 0.105]] }
        [probe]
        out = { kind = "flow", position = [0.3, 0.0, 0.0], normal = [1.0, 0.0, 0.0] }
        [load]
        gravity = { kind = "gravity", acceleration = [0.0, 0.0, -9.81] }""",
    "links": """
        [body]
        o = { kind = "fixed-point", position = [0.0, 0.0] }
        [pattern]
        chain = { kind = "chain", from = "o", count = 3, length = 1.0, mass = 1.0, direction = [1.0, -1.0] }
        [load]
        gravity = { kind = "gravity", acceleration = [0.0, -9.81] }""",
    "formulas": """
        [system]
        coordinates = ["x", "y"]
        kinetic = "(x_dot**2 + y_dot**2)/2"
        potential = "9.81*y"
        parameters = { a = 2.0 }
        start = { x = 1.0, y = 0.0, x_dot = 0.0 }
        [constraint]
        circle = { kind = "formula", formula = "x**2 + y**2 - 1" }""",
    "nothing": "",
}
NUMBERS = [0.0, 0.01, 0.1, 0.2, 0.5, 1.0, 1.0, 1.5, 2.0, 3.0, 10.0, 1000.0, -0.1, -1.0]
TEXTS = ["1", "0.1*t", "sin(3*t)", "x**2 + y**2 - 4", "-vx", "angle", "-2*angle - 0.1*rate", "5*(length - 1)", "x",
         "y", "x_dot", "a*x", "arm.angle", "pin.angle", "cart.x", "abs(x)", "sqrt(x - 1)", "1/(x - 1)", "log(t)",
         "w = x_dot", "X**2 + Y**2 - 4", "0.1*angle", "0.1*displacement", "Y - 0.1*X"]
REFERS = {"between": "body", "on": "body", "body": "body", "from": "body", "to": "body", "joint": "constraint",
          "joints": "constraint", "hinge": "constraint", "normal": "constraint", "material": "material",
          "among": "pattern", "shape": "shape", "flow": "probe"}
"""Sections that keys refer to."""
ALTERNATIVES = [("mass", "density"), ("joint", "body", "coordinate"), ("on", "joint", "between"), ("from", "position"),
                ("formula", "formulas"), ("motion", "table"), ("radius", "radii"), ("spheres", "disks"),
                ("velocity", "velocity_field"), ("angles", "direction"), ("region", "positions"),
                ("drag_coefficient", "kinematic_viscosity"), ("lower", "upper")]
"""Keys of which an entry that has several takes one."""
AMONG_GRAINS = {"material", "pair", "shape", "bond", "boundary", "source", "sink", "probe"}
"""Sections of scenes with grains."""
MOST_COUNT = 6


@cache
def kinds() -> list[tuple[str, str]]:
    """Sections and definitions of all entries that a scene may have."""
    found = []
    for section, value in whole()["properties"].items():
        entry = value.get("additionalProperties", value)
        parts = entry.get("oneOf", [entry])
        found += [(section, part["$ref"].rpartition("/")[2]) for part in parts if "$ref" in part]
    return found


@cache
def whole() -> dict[str, Any]:
    """The schema of scene files."""
    return schema()


class Drawing:
    """One scene that is being drawn."""

    def __init__(self, rng: random.Random, section: str) -> None:
        self.rng = rng
        fitting = ["grains", "balls"] if section in AMONG_GRAINS else ["plane", "space"]
        self.base = rng.choice([*BASES, *(5 * fitting)])
        self.document: dict[str, Any] = tomllib.loads(BASES[self.base])
        self.dimension = rng.choice([2, 3]) if self.base == "nothing" else 3 if self.base in ("space", "balls") else 2
        self.hostile = rng.choice([0.0, 0.0, 0.01, 0.05])
        self.optional = rng.choice([0.0, 0.1, 0.1, 0.3])

    def add(self, section: str, definition: str) -> None:
        """Another entry; settings of the run and formulas are one entry."""
        drawn = self.value({"$ref": f"#/$defs/{definition}"}, section, section)
        if not isinstance(drawn, dict):
            return
        here = self.document.setdefault(section, {})
        if section in ("run", "system"):
            here |= drawn
        elif section == "start":
            here[self.name("from", "body")] = drawn
        else:
            here[f"new-{len(here)}"] = drawn
        if section == "body" and not definition.startswith("Fixed") and self.rng.random() < 0.8:
            self.document.setdefault("start", {})[f"new-{len(here) - 1}"] = {
                "position": [self.number({}, "position") for _ in range(self.dimension)]}

    def value(self, part: dict[str, Any], key: str, section: str) -> Any:
        """What a part of the schema allows, or now and then something else."""
        if self.rng.random() < self.hostile:
            return self.rng.choice(HOSTILE)
        if "$ref" in part:
            name = part["$ref"].rpartition("/")[2]
            if name == "Quantity":
                return self.number(part, key)
            return self.value(whole()["$defs"][name], key, section)
        for choices in ("anyOf", "oneOf"):
            if choices in part:
                return self.value(self.rng.choice(part[choices]), key, section)
        if "const" in part or "enum" in part:
            return part.get("const") or self.rng.choice(part["enum"])
        match part.get("type"):
            case "object":
                return self.table(part, key, section)
            case "array":
                return self.array(part, key, section)
            case "string":
                return self.name(key, section) if "pattern" in part else self.rng.choice(TEXTS)
            case "boolean":
                return self.rng.random() < 0.5
            case "integer":
                return max(part.get("minimum", 0), self.rng.randrange(MOST_COUNT))
        return self.number(part, key)

    def table(self, part: dict[str, Any], key: str, section: str) -> dict[str, Any]:
        """Keys that are required, and some of the others."""
        properties, required = part.get("properties", {}), set(part.get("required", ()))
        chosen = required | {name for name in properties if self.rng.random() < self.optional}
        for group in ALTERNATIVES:
            if len(there := [name for name in group if name in properties]) > 1 and self.rng.random() < 0.95:
                chosen = chosen - {*there} | {self.rng.choice(there)} | required
        own = {name: self.value(properties[name], name, section) for name in properties if name in chosen}
        if isinstance(part.get("additionalProperties"), dict):
            own |= {self.rng.choice(["x", "y", "a", "tip"]): self.value(part["additionalProperties"], key, section)
                    for _ in range(self.rng.randrange(3))}
        return own

    def array(self, part: dict[str, Any], key: str, section: str) -> list[Any]:
        """As many as are allowed; of two or three components as many as the scene has."""
        if "prefixItems" in part:
            for _ in range(4):  # two names are mostly different ones
                values = [self.value(inner, key, section) for inner in part["prefixItems"]]
                if values[0] != values[-1] or not isinstance(values[0], str):
                    break
            return values
        least, most = part.get("minItems", 0), part.get("maxItems", 3)
        length = self.dimension if (least, most) == (2, 3) and self.rng.random() < 0.97 else self.rng.randint(
            least, max(least, most))
        return [self.value(part.get("items", {}), key, section) for _ in range(length)]

    def number(self, part: dict[str, Any], key: str) -> float:
        """One that is allowed; a lower bound is mostly below an upper one, and sizes are mostly positive."""
        if key == "lower" and self.rng.random() < 0.9:
            return self.rng.choice([-0.5, -1.0, -2.0])
        usual = 0.0 if key in ("upper", "size", "semi_axes", "radii", "radius") and self.rng.random() < 0.9 else -1e300
        least = part.get("minimum", part.get("exclusiveMinimum", usual))
        fitting = [one for one in NUMBERS if least <= one <= part.get("maximum", 1e300) and (
            one > least or "minimum" in part)]
        return self.rng.choice(fitting or [least])

    def name(self, key: str, section: str) -> str:
        """The name of an entry that a key may mean, of a point of it, or of none."""
        meant = "material" if section == "pair" else REFERS.get(key, "")
        names = [str(name) for name in self.document.get(meant, {})]
        if meant == "body" and key in ("between", "on", "body") and section not in AMONG_GRAINS:
            names += ["arm.tail", "arm.head"] * ("arm" in names) + ["chain-2"] * (self.base == "links")
        if meant == "shape":
            names += ["disk", "sphere"]
        return self.rng.choice(names) if names and self.rng.random() < 0.97 else f"n{self.rng.randrange(4)}"


def scene_text(number: int) -> str:
    """The input of a number: one kind of entry in turn, and some others."""
    rng = random.Random(f"{SEED} drawn scenes {number}")
    section, definition = kinds()[number % len(kinds())]
    drawing = Drawing(rng, section)
    drawing.add(section, definition)
    for _ in range(rng.choice([0, 0, 1, 2, 4])):
        drawing.add(*rng.choice(kinds()))
    run = drawing.document.setdefault("run", {})
    if isinstance(run, dict) and rng.random() < 0.9:
        run["until"] = rng.choice([1e-3, 1e-2])
    return text_of(drawing.document)


def attack(number: int) -> str:
    """Check a drawn scene and run it for some steps into a file, which must hold numbers."""
    with tempfile.TemporaryDirectory() as folder, no_warning_of_numpy():
        file = Path(folder) / "run.h5"
        ending = tried(scene_text(number), file)
        if ending == "run":
            refuse_nan(gr.open_run(file))
    return ending


def refuse_nan(run: gr.Run) -> None:
    """Raise a Finding where the state of a frame is not finite."""
    for array in run._recording.arrays:
        if array.startswith(("checkpoint/", "log/", "transition")):
            continue
        values = np.asarray(run._frames(array))
        if array == "constraint_error":
            values = values[:, 0]  # the rate beside it is not recorded among grains
        if values.dtype.kind == "f" and not np.isfinite(values).all():
            raise Finding(f"{array} of a run file is not finite")


DRAWN_SCENES = Campaign("drawn scenes", attack, 1000, least=80, patience=120.0, prepare=kinds)
