"""Scene files: every mistake is answered with file, line, place and remedy, and none hides another."""

import pickle
from pathlib import Path

import pytest

import granum as gr
from granum.io.scenefile import LARGEST_FILE, parse_scene
from messages import refused, says

GOOD = """\
title = "Two masses on a rod"     # line 1

[body.pivot]
kind = "fixed-point"
position = [0.0, 0.0]

[body.bob]
kind = "point-mass"
mass = "200 g"                    # line 9

[start.bob]
position = [0.5, 0.0]             # line 12

[link.rod]
between = ["pivot", "bob"]        # line 15
length = "50 cm"

[load.gravity]
kind = "gravity"
acceleration = [0.0, -9.81]       # line 20

[load.push]
kind = "force"
on = "bob"
force = [1.0, 0.0]                # line 25

[run]
until = 1.0
interval = 0.1                    # line 29
"""


def changed(old: str, new: str) -> str:
    """The good scene with one thing changed."""
    assert GOOD.count(old) == 1
    return GOOD.replace(old, new)


def problem_of(text: str) -> tuple[int | None, str, str]:
    """Line, place and full message of the only problem of a text."""
    with pytest.raises(gr.SceneError) as error:
        parse_scene(text, "scene.toml")
    assert len(error.value.problems) == 1, str(error.value)
    return error.value.problems[0].line, error.value.problems[0].place, str(error.value)


def test_the_good_scene_is_read(tmp_path: Path) -> None:
    file = tmp_path / "scene.toml"
    file.write_text(GOOD)
    scene = gr.load(file)
    assert scene == gr.load(str(file)) == parse_scene(GOOD)
    assert scene.title == "Two masses on a rod"
    assert (scene.body["bob"].mass, scene.link["rod"].length) == (0.2, 0.5)


CASES = {  # what is changed, into what; then line, place and what else is named
    "unknown key": ('length = "50 cm"', "lenght = 1", 16, "link.rod.lenght", '"length"'),
    "unknown run setting": ("until = 1.0", "util = 1.0", 28, "run.util", '"until"'),
    "setting that begins with int": ("interval = 0.1", "integrator = 1", 29, "run.integrator",
                                     "'integrator'"),
    "unknown section": ("[load.gravity]", "[laod.gravity]", 18, "laod", '"load"'),
    "unknown top-level key": ("title =", "tilte =", 1, "tilte", '"title"'),
    "missing body": ('between = ["pivot", "bob"]', 'between = ["pivot", "bop"]', 15, "link.rod.between",
                     '"bop"', '"bob"'),
    "body of a start": ("[start.bob]", "[start.bib]\nposition = [1.0, 0.0]\n[start.bob]", 11, "start.bib",
                        '"bib"'),
    "body of a force": ('on = "bob"', 'on = "bobby"', 24, "load.push.on", '"bob"'),
    "missing start": ("[start.bob]\nposition = [0.5, 0.0]", "", 7, "body.bob", "[start.bob]"),
    "zero length": ('length = "50 cm"', "length = 0.0", 16, "link.rod.length", "0"),
    "negative mass": ('mass = "200 g"', "mass = -1.0", 9, "body.bob.mass", "-1"),
    "coincident bodies": ("[run]", '[body.twin]\nkind = "fixed-point"\nposition = [0.5, 0.0]\n[run]', 27,
                          "body.twin", '"bob" and "twin"', "[0.5, 0.0]"),
    "wrong unit": ('mass = "200 g"', 'mass = "200 cm"', 9, "body.bob.mass", "'200 cm'", '0.2 or "200 g"'),
    "unit not known": ('mass = "200 g"', 'mass = "200 stones_"', 9, "body.bob.mass", '0.2 or "200 g"'),
    "no unit": ('mass = "200 g"', 'mass = "200"', 9, "body.bob.mass", '0.2 or "200 g"'),
    "bool for a number": ('mass = "200 g"', "mass = true", 9, "body.bob.mass", '0.2 or "200 g"'),
    "date for a number": ('mass = "200 g"', "mass = 2020-01-01", 9, "body.bob.mass", '0.2 or "200 g"'),
    "list for a number": ('mass = "200 g"', "mass = [1.0]", 9, "body.bob.mass", '0.2 or "200 g"'),
    "number for a list": ("force = [1.0, 0.0]", "force = 1.0", 25, "load.push.force", "[0.0, 1.0]"),
    "one component": ("force = [1.0, 0.0]", "force = [1.0]", 25, "load.push.force", "[0.0, 1.0]"),
    "number for a name": ('on = "bob"', "on = 3", 24, "load.push.on", "string"),
    "one end": ('["pivot", "bob"]', '["pivot"]', 15, "link.rod.between", '["a", "b"]'),
    "three ends": ('["pivot", "bob"]', '["pivot", "bob", "bob"]', 15, "link.rod.between", '["a", "b"]'),
    "not a number": ('mass = "200 g"', "mass = nan", 9, "body.bob.mass", "finite"),
    "infinite": ("force = [1.0, 0.0]", "force = [inf, 0.0]", 25, "load.push.force", "finite"),
    "more than a float": ('mass = "200 g"', f"mass = {10**400}", 9, "body.bob.mass", "finite"),
    "infinite time": ("until = 1.0", "until = inf", 28, "run.until", "finite"),
    "not a tolerance": ("until = 1.0", "tolerance = nan", 28, "run.tolerance", "finite"),
    "interval without unit": ("interval = 0.1", 'interval = "0.1"', 29, "run.interval",
                              '0.01 or "10 ms"'),
    "link to itself": ('["pivot", "bob"]', '["bob", "bob"]', 15, "link.rod.between"),
    "unknown kind": ('kind = "point-mass"', 'kind = "point"', 8, "body.bob.kind", "point-mass, fixed-point"),
    "missing kind": ('kind = "point-mass"', "", 7, "body.bob", "point-mass, fixed-point"),
    "kind of a wrong type": ('kind = "force"', "kind = 1", 23, "load.push.kind", "gravity, force, torque, spring"),
    "wrong dimension": ("acceleration = [0.0, -9.81]", "acceleration = [0.0, -9.81, 0.0]", 20,
                        "load.gravity.acceleration", "3 components", "2-D"),
    "start of a wrong dimension": ("position = [0.5, 0.0]", "position = [0.5, 0.0, 0.0]", 12,
                                   "start.bob.position", "2-D"),
    "start not read": ("position = [0.5, 0.0]", "position = 0.5", 12, "start.bob.position", "[0.0, 1.0]"),
    "name with a space": ("[body.bob]", '[body."b b"]\nkind = "point-mass"\nmass = 1\n[body.bob]', 7,
                          "body.b b"),
    "entry without a name": ("[load.gravity]", "[load]", 18, "load", "[load.NAME]"),
    "section that is a number": ('title = "Two', 'pattern = 3\ntitle = "Two', 1, "pattern", "[pattern.NAME]"),
    "title of a wrong type": ('title = "Two masses on a rod"', "title = 1", 1, "title", "string"),
    "run of a wrong type": ("[run]", "[[run]]", 27, "run", "table"),
    "inline table": ('[link.rod]\nbetween = ["pivot", "bob"]        # line 15\nlength = "50 cm"',
                     '[link]\nrod = {between = ["pivot", "bob"], length = -1}', 15, "link.rod.length",
                     "-1"),
    "dotted key": ('[link.rod]\nbetween = ["pivot", "bob"]        # line 15\nlength = "50 cm"',
                   '[link]\nrod.between = ["pivot", "bob"]\nrod.length = -1', 16, "link.rod.length",
                   "-1"),
    "list over several lines": ("force = [1.0, 0.0]", 'force = [\n  1.0,\n  "x",\n]', 25, "load.push.force",
                                "'x'"),
}


@pytest.mark.parametrize("case", CASES)
def test_one_mistake_gives_one_problem_with_its_line(case: str) -> None:
    old, new, line, place, *names = CASES[case]
    found_line, found_place, message = problem_of(changed(old, new))
    assert (found_line, found_place) == (line, place)
    assert message.startswith(f"scene.toml:{line} {place}: ")
    says(message, *names)


def test_several_mistakes_are_all_reported_with_their_lines() -> None:
    text = GOOD
    for old, new in (('mass = "200 g"', 'mass = "200 cm"'), ('length = "50 cm"', "lenght = 0"),
                     ("acceleration = [0.0, -9.81]", "acceleration = 9.81"), ('on = "bob"', 'on = "bop"'),
                     ("until = 1.0", 'until = "soon"'), ("interval = 0.1", "interval = -1")):
        text = text.replace(old, new)
    with pytest.raises(gr.SceneError) as error:
        parse_scene(text, "scene.toml")
    assert sorted(problem.line for problem in error.value.problems) == [9, 16, 20, 24, 28, 29]


def test_bodies_of_a_pattern_that_cannot_be_read_are_not_missed() -> None:
    """One mistake, one problem: links, starts and loads that name its bodies are fine."""
    text = changed("[run]", '''[pattern.net]
kind = "chain"
from = "pivot"
count = 3
length = 0.5
mass = 1.0
angles = "down"

[link.more]
between = ["bob", "net-2"]

[start.net-3]
velocity = [0.0, 1.0]

[run]''')
    assert problem_of(text)[:2] == (33, "pattern.net.angles")


def test_a_pattern_alone_that_cannot_be_read_is_one_problem() -> None:
    """That nothing moves or is there at all follows from the mistake and is not reported beside it."""
    text = '[pattern.p]\nkind = "ring"\ncount = 2\nradius = 1\ncentre = [0, 0]\nmass = 1\n'
    assert problem_of(text)[:2] == (3, "pattern.p.count")


BROKEN = {  # text, line, what is named
    "empty": ("", None, "body"),
    "only comments": ("# nothing\n", None, "body"),
    "unclosed list": (changed("position = [0.5, 0.0]", "position = [0.5, 0.0"), 14, "TOML"),
    "unclosed text": (changed('on = "bob"', 'on = "bob'), 24, 'on = "bob'),
    "no value": (changed("until = 1.0", "until ="), 28, "TOML"),
    "key twice": (changed("until = 1.0", "until = 1.0\nuntil = 2.0"), 29, "TOML"),
    "table twice": (GOOD + "[body.bob]\n", 30, "TOML"),
    "ends in the middle": (GOOD[:-40], None, "TOML"),
    "brackets": ("x = " + "[" * 100_000, None, "nested"),
    "brackets in a scene": (GOOD + "seed = " + "[" * 200 + "]" * 200, 30, "run.seed"),
    "inline tables": ("x = " + "{a = " * 50_000, None, "nested"),
    "long key": ("a" + ".a" * 1_000_000 + " = 1", 1, "30 parts"),
    "long quoted key": ("\n[" + '"\\"" . ' * 50_000 + "a]", 2, "30 parts"),
    "digits": ("x = " + "9" * 100_000, None, "digits"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_what_is_not_a_scene_is_refused(case: str) -> None:
    text, line, name = BROKEN[case]
    found, _, message = problem_of(text)
    assert line is None or found == line
    says(message, "scene.toml", name)


@pytest.mark.parametrize(
    "text", [" " * 200_000, "[a" + " " * 200_000 + ".b]", "x" * 200_000 + " = 1", "#" + "=," * 100_000],
    ids=["blanks", "blanks in a table", "long name", "long comment"],
)
def test_finding_lines_takes_no_time(text: str) -> None:
    """A pattern that backtracks would take hours here: the test ends, or it does not."""
    with pytest.raises(gr.SceneError) as error:
        parse_scene(changed("until = 1.0", "util = 1.0") + text)
    assert 28 in {problem.line for problem in error.value.problems}


def test_ends_of_line_that_toml_does_not_know_do_not_count() -> None:
    text = changed("     # line 1\n", "  # a\u2028b\u0085c\n").replace('mass = "200 g"', "mass = 0")
    assert problem_of(text)[:2] == (9, "body.bob.mass")


def test_windows_line_ends_count_once() -> None:
    assert problem_of(changed('mass = "200 g"', "mass = 0").replace("\n", "\r\n"))[:2] == (9, "body.bob.mass")


def no_scene(file: Path, *names: str) -> None:
    """A file that cannot be a scene is refused by name."""
    with refused(gr.SceneError, str(file), *names):
        gr.load(file)


def test_files_that_are_no_scenes_are_refused(tmp_path: Path) -> None:
    no_scene(tmp_path, "folder")
    no_scene(tmp_path / "missing.toml")
    large = tmp_path / "large.toml"
    large.write_bytes(b"#" * (LARGEST_FILE + 1))
    no_scene(large, str(LARGEST_FILE), "pattern")
    binary = tmp_path / "binary.toml"
    binary.write_bytes(bytes(range(256)) * 10)
    no_scene(binary, "UTF-8")
    zeros = tmp_path / "zeros.toml"
    zeros.write_bytes(bytes(1000))
    with pytest.raises(gr.SceneError) as error:
        gr.load(zeros)
    says(str(error.value).splitlines()[0], f"{zeros}:1", "TOML")
    below = zeros / "scene.toml"
    no_scene(below)


def test_errors_survive_a_journey_to_another_process() -> None:
    with pytest.raises(gr.SceneError) as error:
        parse_scene(changed("until = 1.0", "util = 1.0"), "scene.toml")
    back = pickle.loads(pickle.dumps(error.value))
    assert (str(back), back.problems) == (str(error.value), error.value.problems)


def test_many_problems_are_cut_short() -> None:
    text = GOOD + "".join(f'[body.b{k}]\nkind = "point-mass"\nmass = 0\n' for k in range(60))
    with pytest.raises(gr.SceneError) as error:
        parse_scene(text)
    assert len(error.value.problems) == 60
    says(str(error.value).splitlines()[-1], "10")


@pytest.mark.parametrize(("given", "names"), [
    ("position = [0.0]", ("start.a.position", "1 entry", "[0.0]", "2 components")),
    ("velocity = [0.0, 1.0, 2.0, 3.0]", ("start.a.velocity", "4 entries", "3 in 3-D", "m/s")),
    ("position = []", ("start.a.position", "empty list", "2 components")),
    ("orientation = [1.0, 0.0, 0.0]", ("start.a.orientation", "3 entries", "4 numbers"))])
def test_vectors_of_a_wrong_length_are_counted(given: str, names: tuple[str, ...]) -> None:
    with refused(gr.SceneError, *names):
        parse_scene(f'[body.a]\nkind = "point-mass"\nmass = 1.0\n[start.a]\n{given}\n')


@pytest.mark.parametrize(("entry", "place", "names"), [
    ('[sink.s]\nregion = {kind = "box", lower = [0, 0], uper = [1, 1]}', "sink.s.region.uper",
     ('"upper"', "kind, ")),
    ('[sink.s]\nregion = {kind = "box", lower = [0], upper = [1, 1]}', "sink.s.region.lower", ()),
    ('[source.s]\ninterval = 1\npositions = [[0, 0]]\nradius = {mean = 1, devation = 0.1}', "source.s.radius.devation",
     ('"standard_deviation"', "minimum, ")),
    ('[body.b]\nkind = "clump"\nmass = 1\nspheres = [{centre = [0, 0, 0], radios = 1}]', "body.b.spheres.0.radios",
     ('"radius"', "centre, ")),
], ids=["region", "vector", "radius", "sphere"])
def test_mistakes_inside_entries_are_told_as_they_are_written(entry: str, place: str, names: tuple[str, ...]) -> None:
    """The path has neither the kind nor pydantic's alternatives; the keys offered are those of the inner entry."""
    with pytest.raises(gr.SceneError) as error:
        parse_scene(entry)
    says(next(problem.text("scene") for problem in error.value.problems if problem.place == place), *names)


def test_kinds_offered_are_those_of_the_key() -> None:
    with refused(gr.SceneError, "probe.p.region", "kind", "box, round, cylinder, half-space"):
        parse_scene('[probe.p]\nkind = "packing"\nregion = {lower = [0, 0], upper = [1, 1]}')


def test_a_key_that_is_also_a_kind_keeps_its_place() -> None:
    """`friction` is a key of rolling and a kind of constraint."""
    scene = gr.Scene(constraint={"c": gr.Rolling(body="a", on="b")})
    with refused(gr.SceneError, "constraint.c.friction", "-1"):
        scene.vary({"constraint.c.friction": -1.0})
