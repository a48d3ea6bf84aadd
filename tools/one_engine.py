"""How many ways there are to do one thing: `python -m tools.one_engine` counts them.

It compares with `tests/one_engine.json`:

- *walks*: files and functions of Granum that run from a scene file to its run file, for four scenes. Each is counted in
  a process of its own, with kernels that are compiled already. Lambdas, comprehensions and the code of modules and
  classes do not count, as versions of Python differ in them.
- *counts*: found in the source by their form, each with the places where they are (see `COUNTS`).

A number that has grown is a second way to do something, and `tests/unit/test_one_engine.py` fails. It also fails where
a number has fallen and the file was not renewed. `--renew` writes the file, `--where` lists the places.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "granum"
FILE = ROOT / "tests" / "one_engine.json"
SCENES = ("pendulum", "hopper", "rolling-shell", "gate")
PYTHON = "{}.{}".format(*sys.version_info)
"""Walks are compared on the version of Python that they were counted with."""
FRAMES = 2
"""Frames of each walk: all that a run passes through comes before the second."""

WALK = """
import inspect, json, sys, tempfile
from pathlib import Path
import granum as gr
from granum.base.compiling import waiting

package, seen = str(Path(gr.__file__).parent), set()
sys.setprofile(lambda frame, event, _: seen.add(frame.f_code) if event == "call" else None)
with tempfile.TemporaryDirectory() as folder:
    scene = gr.load(sys.argv[1])
    interval = scene.run.frame_interval
    gr.simulate(scene, until=min(int(sys.argv[2]) * interval, scene.run.until), interval=interval, progress=False,
                output=Path(folder) / "run.h5")
sys.setprofile(None)
named = {(code.co_filename, code.co_firstlineno) for code in seen if code.co_filename.startswith(package)
         and code.co_flags & inspect.CO_OPTIMIZED and not code.co_name.startswith("<")}
print(json.dumps([waiting.count, len({file for file, _ in named}), len(named)]))
"""


def walk(scene: str) -> dict[str, int]:
    """Files and functions on the way from a scene file to its run file."""
    compiled = 0
    for _ in range(2):  # what compiles kernels is no part of the walk: once more where there were some
        done = subprocess.run([sys.executable, "-c", WALK, str(ROOT / "examples" / f"{scene}.toml"), str(FRAMES)],
                              capture_output=True, text=True, check=False, env={**os.environ, "GRANUM_COMPILER": ""})
        if done.returncode:
            raise RuntimeError(done.stderr)
        compiled, files, functions = json.loads(done.stdout.splitlines()[-1])
        if compiled == 0:
            return {"files": files, "functions": functions}
    raise RuntimeError(f"{scene}: {compiled} kernels are compiled anew in every process. Is the cache writable?")


class Module:
    """A source file and what it consists of."""

    def __init__(self, name: str, text: str) -> None:
        self.name, self.tree = name, ast.parse(text)

    def inside(self, *folders: str) -> bool:
        """Is it in one of these folders of the package?"""
        return self.name.partition("/")[0] in folders

    def functions(self) -> Iterator[tuple[str, list[ast.AST]]]:
        """Each function with all nodes of its body, without those of functions and classes within."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield f"{self.name}:{node.lineno} {node.name}", list(_own(node))

    def classes(self) -> Iterator[tuple[str, set[str]]]:
        """Each class with the names of its annotated fields."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.ClassDef):
                yield f"{self.name}:{node.lineno} {node.name}", {
                    each.target.id for each in node.body
                    if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)}

    def constants(self) -> Iterator[tuple[str, list[str], ast.expr]]:
        """Each assignment to names in capitals outside functions: place, names, value."""
        for node in self.tree.body:
            if isinstance(node, ast.Assign):
                names = [each.id for target in node.targets for each in ast.walk(target) if isinstance(each, ast.Name)]
                if names and all(name.isupper() for name in names):
                    yield f"{self.name}:{node.lineno} {', '.join(names)}", names, node.value


def _own(function: ast.AST) -> Iterator[ast.AST]:
    waiting = list(ast.iter_child_nodes(function))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            waiting += ast.iter_child_nodes(node)


def _strings(node: ast.AST) -> set[str]:
    return {each.value for each in ast.walk(node) if isinstance(each, ast.Constant) and isinstance(each.value, str)}


def _names(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


BODIES = ("state", "rows", "loads", "assembly", "analytic", "integrate", "grains", "contact")
"""Folders that hold bodies in arrays."""
COLUMNS = {"X", "VX", "V", "WX", "QA", "INVERSE"}


def body_layouts(module: Module) -> list[str]:
    """Numberings of the columns of a table of bodies."""
    return [place for place, names, value in module.constants()
            if module.inside(*BODIES) and len(names) > 2 and COLUMNS & set(names) and not _strings(value)]


def body_states(module: Module) -> list[str]:
    """Classes that hold positions x and velocities v of bodies."""
    return [place for place, fields in module.classes()
            if module.inside("rows", "assembly", "grains", "contact") and {"x", "v"} <= fields]


def contact_records(module: Module) -> list[str]:
    """Records and classes with the gap or the normal of a contact or of a link that a contact makes."""
    if not module.inside("grains", "contact"):
        return []
    records = [place for place, _, value in module.constants() if "dtype" in ast.unparse(value)
               and {"nx", "normal", "gap"} & _strings(value) and "friction" in _strings(value)]
    return records + [place for place, fields in module.classes() if {"gap", "n"} <= fields]


def gathers(module: Module) -> list[str]:
    """Functions of contact solvers that go through the neighbour list, or ask how far a boundary element is.

    Problems of `contact/conic` are given by their matrix, whose blocks have a first and other contacts, too: they know
    neither neighbours nor boundaries.
    """
    def gathering(nodes: list[ast.AST]) -> bool:
        read = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
        called = {ast.unparse(node.func) for node in nodes if isinstance(node, ast.Call)}
        return {"first", "other"} <= read or {"wall_first", "wall_element"} <= read or "touch" in called

    if not module.inside("contact") or module.name.startswith("contact/conic/"):
        return []
    return [place for place, nodes in module.functions() if gathering(nodes)]


def _is_position(node: ast.AST) -> bool:
    """Is it x[i, X], x[i, :3] or the like?"""
    if not isinstance(node, ast.Subscript):
        return False
    last = node.slice.elts[-1] if isinstance(node.slice, ast.Tuple) else node.slice
    return ast.unparse(last) in ("X", "Y", "Z", ":3", "X:Z + 1")


def subtracted_positions(module: Module) -> list[str]:
    """Functions that subtract two positions: none of them knows of a periodic cell."""
    if not module.inside("grains", "contact", "engines"):
        return []
    return [place for place, nodes in module.functions() if any(
        isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub) and _is_position(node.left)
        and _is_position(node.right) for node in nodes)]


def _joint_classes() -> tuple[set[str], set[str]]:
    """Names of the classes of joints, and their kinds."""
    tree = ast.parse((PACKAGE / "model" / "connections.py").read_text("utf-8"))
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    joints = {name for name, node in classes.items() if {"Constraint", "Coupling"} & set(map(ast.unparse, node.bases))}
    kinds = {text for name in joints for each in classes[name].body if isinstance(each, ast.AnnAssign)
             and ast.unparse(each.target) == "kind" for text in _strings(each.annotation)}
    return joints | {"Link"}, kinds | {"link"}


JOINTS, KINDS = _joint_classes()


def joint_kind_tests(module: Module) -> list[str]:
    """Comparisons with the kind or class of a joint, outside the packages that define them.

    `io` reads joints of other formats, and published cases know their own scenes.
    """
    if module.inside("rows", "model", "io", "published") or "/" not in module.name:
        return []
    groups = {name for _, names, value in module.constants() for name in names
              if JOINTS & _names(value) or KINDS & _strings(value)}

    def tests_kind(node: ast.AST) -> bool:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance":
            return bool((JOINTS | groups) & _names(node.args[1]))
        if not isinstance(node, ast.Compare):
            return False
        names, texts, about = _names(node.comparators[0]), _strings(node.comparators[0]), ast.unparse(node.left)
        by_kind = "kind" in about and (KINDS & texts or groups & names)
        return bool(by_kind or (about.startswith("type(") and (JOINTS | groups) & names))

    lines = [node.lineno for node in ast.walk(module.tree) if isinstance(node, ast.expr) and tests_kind(node)]
    return [f"{module.name}:{line}" for line in sorted(lines)]


def coulomb_clips(module: Module) -> list[str]:
    """Places that shorten a vector to a limit: a comparison of its size with the limit, and limit / size beside it."""
    def root(node: ast.AST) -> str:
        """Of √a and a · a: a."""
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("math.sqrt", "sqrt", "np.sqrt"):
            return ast.unparse(node.args[0])
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult) and \
                ast.unparse(node.left) == ast.unparse(node.right):
            return ast.unparse(node.left)
        return ast.unparse(node)

    found: list[str] = []
    if not module.inside("contact"):
        return found
    for place, nodes in module.functions():
        compared = [(root(node.left), root(node.comparators[0])) for node in nodes
                    if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Gt | ast.GtE | ast.Lt | ast.LtE)]
        divided = {(root(node.left), root(node.right)) for node in nodes
                   if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)}
        found += [f"{place} {limit} / {size}" for limit, size in sorted(divided) if any(
            size == left and (right == limit or right.startswith(f"{limit} *")) for left, right in compared)]
    return found


COUNTS: dict[str, Callable[[Module], list[str]]] = {
    "body layouts": body_layouts, "body states": body_states, "contact records": contact_records, "gathers": gathers,
    "functions that subtract positions": subtracted_positions, "tests of a joint's kind": joint_kind_tests,
    "Coulomb clips": coulomb_clips}


def places() -> dict[str, list[str]]:
    """Where in the source each of the counted things is."""
    modules = [Module(file.relative_to(PACKAGE).as_posix(), file.read_text("utf-8"))
               for file in sorted(PACKAGE.rglob("*.py"))]
    return {what: [place for module in modules for place in count(module)] for what, count in COUNTS.items()}


def recorded() -> dict[str, Any]:
    """What the file says."""
    return dict(json.loads(FILE.read_text("utf-8")))


def main() -> None:
    """Count, compare, and write the file if asked to."""
    before = recorded() if FILE.is_file() else {"walks": {}, "counts": {}}
    where = places()
    now: dict[str, Any] = {
        "python": PYTHON,
        "walks": {scene: walk(scene) for scene in SCENES},
        "counts": {what: len(each) for what, each in where.items()}}
    for scene, size in now["walks"].items():
        was = before["walks"].get(scene, size)
        print(f"{scene + ' from scene file to run file':45} {size['files']:4d} files (recorded {was['files']}) "
              f"{size['functions']:5d} functions (recorded {was['functions']})")
    for what, number in now["counts"].items():
        print(f"{what:45} {number:4d} (recorded {before['counts'].get(what, number)})")
        if "--where" in sys.argv:
            print(*(f"    {place}" for place in where[what]), sep="\n")
    if "--renew" in sys.argv:
        FILE.write_text(json.dumps(now, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
