"""Mutated studies, from files and made in Python: refused in words, or a whole table, also when it is resumed."""

from __future__ import annotations

import copy
import random
import re
import tempfile
import tomllib
from pathlib import Path
from typing import Any

import granum as gr
from granum.studies.definition import Limit, Study, load_study
from granum.studies.sequence import sequence_of
from granum.studies.study import run_study
from tests.fuzz.campaign import SEED, Campaign, Finding, no_warning_of_numpy
from tests.fuzz.scene_files import HOSTILE, at, places, refused, scratch, text_of
from tests.study_scenes import PENDULUM, pendulum

GRAVITY = "load.gravity.acceleration.1"
MASS = "body.bob.mass"
STUDIES = [tomllib.loads(text) for text in (
    f"""
    title = "Grid"
    scene = "pendulum.toml"
    repeats = 2
    seed = 3
    vary = {{ "{GRAVITY}" = {{ from = -10.0, to = -1.0, points = 3 }}, "{MASS}" = ["500 g", 2.0] }}
    measure = {{ height = "position bob y", fast = "abs(velocity bob y) > 0.5" }}
    """, f"""
    title = "Sample"
    scene = "pendulum.toml"
    vary = {{ "{GRAVITY}" = {{ from = -10.0, to = -1.0 }}, "{MASS}" = {{ from = 0.1, to = 10.0, scale = "log" }} }}
    design = {{ kind = "latin-hypercube", points = 4 }}
    measure = {{ height = "position bob y" }}
    """, f"""
    title = "Indices"
    scene = "pendulum.toml"
    keep = "all"
    vary = {{ "{GRAVITY}" = {{ from = -10.0, to = -1.0 }}, "run.solver" = ["rk4", "dop853"] }}
    design = {{ kind = "sobol", points = 2 }}
    measure = {{ height = "position bob y" }}
    """, """
    title = "List"
    scene = "pendulum.toml"
    keep = "failed"
    design = { kind = "list", file = "points.csv" }
    measure = { height = "position bob y", late = "t" }
    """, f"""
    title = "Boundary"
    scene = "pendulum.toml"
    vary = {{ "{GRAVITY}" = {{ from = -10.0, to = -1.0 }} }}
    design = {{ kind = "boundary", measure = "fast", runs = 12, width = 2.0 }}
    measure = {{ fast = "abs(velocity bob y) > 0.5" }}
    """)]
POINTS = f"{GRAVITY},{MASS}\n-9.81,500 g\n-1.62,1.0\n-3.7,2\n"
WORDS: list[Any] = [
    GRAVITY, MASS, "run.seed", "run.until", "run.solver", "run.no_such", "body.bob", "body", "title", "run.interval",
    "start.bob.position", "start.bob.position.7", "link.rod.length", "load.gravity.acceleration.-1", ".",
    "position bob y", "position bob", "position nobody y", "velocity bob x - position bob y", "energy", "1/0", "t > ",
    "grid", "sobol", "list", "boundary", "latin-hypercube", "all", "failed", "log", "points.csv", "pendulum.toml",
    "study.toml", "2 GB", "0 B", "1 ms",
    {"from": 0.0, "to": 0.0, "points": 2}, {"from": -1.0, "to": 1.0, "scale": "log", "points": 3},
    {"from": 1.0, "to": 1e49, "points": 3}, {"from": "1 g", "to": "2 kg", "points": 1000000}, [1.0, 1.0], [0.1, "x"],
]
MOST_RUNS = 24
"""More are allowed, but take their time."""
UNEXPECTED = re.compile(r"(?:^|not measured: )(\w*(?:Error|Exception|Warning|Interrupt)): ")
"""How the reason of a run begins that was ended by an error which is not Granum's."""


def mutate(document: dict[str, Any], rng: random.Random) -> None:
    """One change, of a kind drawn at random."""
    path = rng.choice(places(document) or [("vary",)])
    holder, key = at(document, path[:-1]), path[-1]
    match rng.randrange(7):
        case 0 if key in holder or isinstance(holder, list):
            del holder[key]
        case 1:
            holder[key] = rng.choice(HOSTILE)
        case 2 | 3:
            holder[key] = copy.deepcopy(rng.choice(WORDS))
        case 4 if isinstance(holder, dict) and key in holder:
            holder[str(rng.choice([*holder, *(word for word in WORDS if isinstance(word, str))]))] = holder.pop(key)
        case 5:  # what another study has there
            other = rng.choice(STUDIES)
            section = rng.choice(list(other))
            document[section] = copy.deepcopy(other[section])
        case _:
            old = holder.get(key) if isinstance(holder, dict) else holder[key]
            if isinstance(old, int | float):
                holder[key] = old * rng.choice([-1, 0, 0.5, 2, 10, 1000])


def study_document(rng: random.Random) -> dict[str, Any]:
    """A study with some changes."""
    document = copy.deepcopy(rng.choice(STUDIES))
    for _ in range(rng.choice([0, 1, 1, 1, 2, 3, 5])):
        mutate(document, rng)
    return document


def load(document: dict[str, Any], folder: Path, rng: random.Random) -> Study:
    """A study from a file, which may be damaged, as may be the list of its points."""
    text = text_of(document)
    (folder / "study.toml").write_text(scratch(text, rng) if rng.random() < 0.1 else text, "utf-8", newline="")
    (folder / "pendulum.toml").write_text(PENDULUM, "utf-8")
    points = scratch(POINTS, rng) if rng.random() < 0.3 else POINTS
    (folder / "points.csv").write_text(points, "utf-8", newline="")
    study = load_study(folder / "study.toml")
    return study.model_copy(update={"limit": Limit(time=min(study.limit.time or 1.0, 1.0), memory=None)})


def attack(number: int) -> str:
    """Read a mutated study and do its runs; every third time resume its table with another one."""
    rng = random.Random(f"{SEED} studies {number}")
    with tempfile.TemporaryDirectory() as name, no_warning_of_numpy():
        folder = Path(name)
        table = folder / "table.h5"
        if number % 5 == 0:
            return in_python(study_document(rng), table)
        ending = ran(study_document(rng), folder, table, rng)
        if ending == "run" and number % 3 == 0:
            return f"resumed: {ran(study_document(rng), folder, table, rng, resume=True)}"
        return ending


def ran(document: dict[str, Any], folder: Path, table: Path, rng: random.Random, **how: bool) -> str:
    """How far a study from a file comes."""
    try:
        study = load(document, folder, rng)
        if sequence_of(study).most > MOST_RUNS:
            return "read"
    except gr.GranumError as error:
        return refused(error, "read")
    try:
        examine(run_study(study, table, on="serial", progress=False, **how))
    except gr.GranumError as error:
        return refused(error, "run")
    return "run"


def in_python(document: dict[str, Any], table: Path) -> str:
    """How far a study comes whose keys are the arguments of a function; Ctrl-C ends one of many runs."""
    done = []

    def end(run: gr.Run) -> float:
        done.append(run)
        if len(done) > MOST_RUNS:
            raise KeyboardInterrupt
        return float(run.t[-1])

    keys: dict[str, Any] = {key: value for key, value in document.items() if key in (
        "vary", "repeats", "seed", "title", "keep", "design", "measure")}
    if isinstance(measures := keys.setdefault("measure", {}), dict):
        measures["end"] = end
    try:
        examine(gr.study(pendulum(), **keys, limit={"time": 1.0}, on="serial", output=table, progress=False),
                len(done) <= MOST_RUNS)
    except gr.GranumError as error:
        return refused(error, "made")
    return "run"


def examine(result: gr.StudyResult, finished: bool = True) -> None:
    """Raise a Finding where a run ended in an error that is not Granum's; what is said of a table must not fail."""
    for reason in result.column("reason"):
        if found := UNEXPECTED.search(str(reason)):
            raise Finding(f"{found[1]} in a run of a study: {str(reason)[:120]}")
    str(result), result.summary(), gr.open_study(result.path).write_csv()
    if result.finished != finished:
        raise Finding("a study is finished where it was interrupted, or the other way round")


STUDY_FILES = Campaign("studies", attack, 300, least=40, patience=120.0, prepare=pendulum)
