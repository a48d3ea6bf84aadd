"""Input files (.inp) of the program in Sun (1996), Appendix E, read and written as Granum scenes.

The file has sections REM, PARA, RAND, DISK and ROOT, each but REM closed by END, in cm, g and s. What the program has
in its listing and not in its input (density of the grains, drag, walls of the profile, places of generation, removal
and jam) comes from there. What has no counterpart is kept as a comment that says why.

Two sets of contact laws can be chosen. Disks rotate in neither (§4.3.2). Those of the *text*, (4.15) to (4.17), have
Coulomb friction U at every contact. Those of the *program*, which made the figures, have 3 U at walls: loop 39 of the
listing adds U for every contact, and 2 U more where the other side is a wall. Two things that it does besides are
not laws of contact and are not emulated:

- Loop 53 applies the friction of all contacts of a disk once for each of its links. A disk with k contacts that slide
  the same way is braked k times as much as Coulomb's law allows, and a pair does not push back equally.
- Loops 66 to 69 scale the velocities of all disks at each step so that their energy changes by the work of the drag
  alone. What friction dissipates comes back as motion of all disks, also of those that touch nothing. Impacts are
  handled after that, so their losses stay.
"""

from __future__ import annotations

import json
import math
import re
import tomllib
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

import numpy as np

from granum.base.errors import Problem, SceneError, did_you_mean, pick
from granum.base.units import LARGEST_NUMBER
from granum.io.scenefile import read_text
from granum.model.scene import Scene

MOST = 10_000
"""Lines of a section."""
PARA = ("X0", "XEND", "XIN", "DH", "VX", "VY", "TH", "FMAX", "E", "U", "TOL")
"""The eleven numbers of PARA, as the program reads them; its own remark names ten."""
RAND = ("IG", "ISEED", "RI", "XI", "YI")
DISK = ("I", "R", "X", "Y", "VX", "VY")
ROOT = ("I", "R", "X", "Y")
_COLUMNS = {"PARA": PARA, "RAND": RAND, "DISK": DISK, "ROOT": ROOT}
_UNKNOWN = "?"
_WHOLE = ("I", "IG", "ISEED")

PERIOD = 50.0
"""Length of a batch [cm]: the next one comes after the time in which the flow runs so far."""
HALF_WIDTH = 20.0
"""Walls of the profile 1.5 - 0.00375 y² [cm]."""
BUFFER, BACKED_UP, END = -10.0, -21.0, 150.0
"""Where the profile begins, behind which a grain is backed up, and where grains leave [cm]."""
SPHERE_DENSITY, FLUID_DENSITY, DRAG, LEAST = 1.1, 1.0, 0.1, 0.1
"""DEN [g/cm³], RHO [g/cm³], C_D with (4.8)'s ½ for the program's CD = 0.05 without it, and the floor of C_A."""
LAWS = ("program", "text")
"""Whose laws of contact."""
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[EeDd][+-]?\d+)?")


class Row(NamedTuple):
    """A line of numbers."""

    line: int
    value: dict[str, float]


@dataclass
class PipeInput:
    """An input file of the program, its numbers as they stand there [cm, g, s]."""

    para: dict[str, float]
    rand: dict[str, float]
    """Empty where the file has no RAND."""
    disks: list[dict[str, float]]
    roots: list[dict[str, float]]
    remarks: list[str] = field(default_factory=list)

    @property
    def relative_density(self) -> float:
        """Area of the disks over the area of 50 cm times 40 cm that they come from, as the program prints it."""
        return math.fsum(math.pi * disk["R"] ** 2 for disk in self.disks) / (2.0 * HALF_WIDTH * PERIOD)

    @property
    def every(self) -> float:
        """Time between batches [s]."""
        return PERIOD / self.para["VX"]

    @property
    def duration(self) -> float:
        """From the start to the end [s], without binary noise."""
        return float(Decimal(repr(self.para["XEND"])) - Decimal(repr(self.para["X0"])))

    @property
    def cohesive(self) -> bool:
        """Do contacts bear tension?"""
        return self.para["FMAX"] > 0.0

    @property
    def scatter(self) -> tuple[float, float, float]:
        """Widths of the random changes of x, y and radius [cm]; zero if the input asks for none (IG is not 1)."""
        if self.rand.get("IG") != 1.0:
            return 0.0, 0.0, 0.0
        return self.rand["XI"], self.rand["YI"], self.rand["RI"]


def read_legacy(path: str | Path, as_published: bool = False, laws: str = "program") -> tuple[Scene, str]:
    """The scene of an input file and its TOML text; raises SceneError with every problem found and its line.

    Batches that would overlap have their rows moved apart; `as_published` leaves them and lets them overlap. `laws` are
    those of contact: as the program has them, or as the text does.
    """
    pick(laws, LAWS, "set of laws")
    file = Path(path)
    given = read_text(file, "an input file, such as examples/pipe-jam.inp")
    text = to_toml(parse_input(given, str(path)), file.name, as_published, laws)
    try:
        return Scene(**tomllib.loads(text)), text
    except SceneError as error:
        raise SceneError(error.problems, f"{path} (as a scene)") from None


# ---- reading


def parse_input(text: str, source: str = "input") -> PipeInput:
    """Read an input; raises SceneError with all problems, each with its line."""
    parser = _Parser(text)
    if not parser.problems:
        parser.check()
    if parser.problems:
        raise SceneError(sorted(parser.problems, key=lambda p: p.line or 0), source)
    rows = parser.rows
    disks, roots = (sorted((row.value for row in rows[name]), key=lambda value: value["I"])
                    for name in ("DISK", "ROOT"))
    return PipeInput(rows["PARA"][0].value, rows["RAND"][0].value if rows["RAND"] else {}, disks, roots,
                     parser.remarks)


class _Parser:
    """One reading of a file: sections, then numbers, then what the numbers mean."""

    def __init__(self, text: str) -> None:
        self.problems: list[Problem] = []
        self.remarks: list[str] = []
        self.rows: dict[str, list[Row]] = {name: [] for name in _COLUMNS}
        self.begun: dict[str, int] = {}
        self.section, self.last, self.lost = "", 0, False
        for line, written in enumerate(text.replace("\r", "").split("\n"), 1):
            if written.strip():
                self.read(line, written.strip())
                self.last = line
        if self.section in _COLUMNS:
            self.problem(self.begun[self.section], f"{self.section} has no END.",
                         f"Close it with a line END {self.section}.")
        for name in ("PARA", "DISK", "ROOT"):
            if name not in self.begun and not self.lost:
                self.problem(self.last or None, f"the file ends without {name}.",
                             f"Write {name}, lines of {', '.join(_COLUMNS[name])}, and END {name}.")

    def problem(self, line: int | None, finding: str, remedy: str = "") -> None:
        """Note a mistake."""
        self.problems.append(Problem("", finding, remedy, line))

    def read(self, line: int, written: str) -> None:
        """One line that is not empty."""
        word = written.split()[0].upper()
        if self.section == _UNKNOWN:  # one problem is enough for a section
            if word == "END" or word[:4] in _COLUMNS:
                self.section = ""
            if word == "END" or self.section:
                return
        if self.section and word == "END":
            self.close(line, written)
        elif self.section and word[:4] in (*_COLUMNS, "REM"):
            self.problem(line, f"{word[:40]} was found inside {self.section}, which line {self.begun[self.section]} "
                               "opens.", f"Close {self.section} first with END {self.section}.")
            if word != "REM":
                self.open(line, word[:4])
        elif self.section:
            self.numbers(line, written)
        elif word == "REM":
            self.remarks.append(written[3:].strip())
        elif word[:4] in _COLUMNS:
            self.open(line, word[:4])
        elif word == "END":
            self.problem(line, f"found {written[:40]!r}, but no section is open here.", "Remove it.")
        else:
            self.problem(line, f"found {written[:40]!r}, but a section must begin here.",
                         did_you_mean(word[:80], ("REM", *_COLUMNS), "section"))
            self.section, self.lost = _UNKNOWN, True

    def open(self, line: int, name: str) -> None:
        """The first line of a section."""
        if name in self.begun:
            self.problem(line, f"{name} appears a second time; the first is in line {self.begun[name]}.",
                         "Write all its lines in one section.")
        elif "ROOT" in self.begun:
            self.problem(line, f"{name} comes after ROOT, where the program stops reading.", "Put ROOT last.")
        self.begun.setdefault(name, line)
        self.section = name

    def close(self, line: int, written: str) -> None:
        """The last line of a section."""
        named = written.split()[1:2]
        if named and named[0].upper()[:4] != self.section:
            self.problem(line, f"found {written[:40]!r}, but {self.section} of line {self.begun[self.section]} is "
                         "open here.", f"Write END {self.section}.")
        if not self.rows[self.section]:
            self.problem(line, f"{self.section} has no line of numbers.",
                         f"Write {', '.join(_COLUMNS[self.section])}.")
        self.section = ""

    def numbers(self, line: int, written: str) -> None:
        """A line of numbers, between blanks or commas."""
        names = _COLUMNS[self.section]
        cells = [cell for cell in re.split(r"[\s,]+", written) if cell]
        remedy = f"A line of {self.section} has {len(names)} numbers: {', '.join(names)}."
        wrong = [cell for cell in cells if not _is_number(cell)]
        if wrong:
            self.problem(line, f"found {wrong[0][:40]!r}, but a number is needed.", remedy)
        elif len(cells) != len(names):
            self.problem(line, f"found {len(cells)} numbers, but {self.section} has {len(names)}.", remedy)
        elif fractions := [name for name, cell in zip(names, cells, strict=True)
                           if name in _WHOLE and not (_float(cell).is_integer() and abs(_float(cell)) < 2**31)]:
            self.problem(line, f"{fractions[0]} = {cells[names.index(fractions[0])][:40]}, but it is a whole number of "
                         "at most ten digits.", remedy)
        elif self.section in ("PARA", "RAND") and self.rows[self.section]:
            self.problem(line, f"{self.section} has a second line of numbers, which would replace the first.",
                         "Remove one of them.")
        elif len(self.rows[self.section]) == MOST:
            self.problem(line, f"{self.section} has more than {MOST} lines, but the program has room for 3000 disks.",
                         "For more grains write a Granum scene.")
            self.section, self.lost = _UNKNOWN, True
        else:
            self.rows[self.section].append(Row(line, dict(zip(names, map(_float, cells), strict=True))))

    # ---- what numbers mean

    def check(self) -> None:
        """Everything that cannot become a scene."""
        self.check_para(self.rows["PARA"][0])
        half = 0.0
        if self.rows["RAND"]:
            line, rand = self.rows["RAND"][0]
            for name in ("RI", "XI", "YI"):
                if rand[name] < 0.0:
                    self.problem(line, f"{name} = {rand[name]:g} cm, but the width of a random change must not be "
                                       "negative.")
            half = 0.5 * rand["RI"] if rand["IG"] == 1.0 else 0.0
        for name in ("DISK", "ROOT"):
            self.check_numbers(name)
        for line, value in (*self.rows["DISK"], *self.rows["ROOT"]):
            if value["R"] <= 0.0:
                self.problem(line, f"R = {value['R']:g} cm, but a radius must be positive.")
            elif "VX" in value and value["R"] <= half:
                self.problem(line, f"R = {value['R']:g} cm, and RAND may reduce it by up to {half:g} cm.",
                             "Give a smaller RI, or a larger radius.")

    def check_para(self, row: Row) -> None:
        """Times, the flow and the coefficients."""
        line, para = row
        for wrong, finding, remedy in (
            (para["XEND"] <= para["X0"], f"XEND = {para['XEND']:g} s, but the end must come after the start, X0 = "
                                         f"{para['X0']:g} s.", ""),
            (para["XIN"] <= 0.0, f"XIN = {para['XIN']:g} s, but the output interval must be positive.", ""),
            (para["XIN"] > 0.0 and para["XEND"] - para["X0"] > 1e7 * para["XIN"],
             f"XIN = {para['XIN']:g} s gives more than ten million outputs until XEND = {para['XEND']:g} s.", ""),
            (para["VX"] <= 0.0, f"VX = {para['VX']:g} cm/s, but a batch comes every 50 cm/VX.", "Give VX > 0."),
            (para["FMAX"] < 0.0, f"FMAX = {para['FMAX']:g} g cm/s², but the tension at which a contact opens must "
                                 "not be negative.", ""),
            (not 0.0 <= para["E"] <= 1.0, f"E = {para['E']:g}, but the coefficient of restitution must lie between 0 "
                                          "and 1.",
             f"The order is {', '.join(PARA)}."),
            (para["U"] < 0.0, f"U = {para['U']:g}, but the coefficient of friction must not be negative.", ""),
        ):
            if wrong:
                self.problem(line, finding, remedy)

    def check_numbers(self, name: str) -> None:
        """Disks and roots are numbered from 1, each number once: the program takes gaps for disks without size."""
        seen: dict[int, int] = {}
        count = len(self.rows[name])
        for line, value in self.rows[name]:
            number = int(value["I"])
            if number in seen:
                self.problem(line, f"number {number} of {name} is already used in line {seen[number]}.",
                             "Use each number once.")
            elif not 1 <= number <= count:
                self.problem(line, f"number {number}, but {name} has {count} lines, numbered from 1 to {count}.")
            seen.setdefault(number, line)


def _is_number(cell: str) -> bool:
    return _NUMBER.fullmatch(cell) is not None and abs(_float(cell)) <= LARGEST_NUMBER


def _float(cell: str) -> float:
    """A number as Fortran writes it, with D for a power of ten in double precision."""
    return float(cell.upper().replace("D", "E"))


# ---- rows of a batch


def smallest_gap(disks: list[dict[str, float]], scatter: tuple[float, float, float]) -> float:
    """The smallest gap [cm] that may come about between a batch and those before it, at worst of chance.

    Those before it are ahead by 50 cm each. Negative, they overlap.
    """
    x, y, r = (np.array([disk[name] for disk in disks]) for name in ("X", "Y", "R"))
    least = math.inf
    for i in range(len(x)):
        ahead = PERIOD * np.maximum(1.0, np.rint((x[i] - x) / PERIOD))  # of all batches the one that comes nearest
        dx = np.maximum(0.0, np.abs(x[i] - x - ahead) - scatter[0])
        dy = np.maximum(0.0, np.abs(y[i] - y) - scatter[1])
        least = min(least, float(np.min(np.hypot(dx, dy) - r[i] - r)) - scatter[2])
    return least


def respaced(disks: list[dict[str, float]]) -> list[dict[str, float]]:
    """The same disks, their rows at equal distances that fill the 50 cm between batches; the first row stays."""
    rows = sorted({disk["X"] for disk in disks}, reverse=True)
    place = {x: round(rows[0] - PERIOD * k / len(rows), 4) for k, x in enumerate(rows)}
    return [{**disk, "X": place[disk["X"]]} for disk in disks]


# ---- writing


def to_toml(given: PipeInput, name: str, as_published: bool = False, laws: str = "program") -> str:
    """The scene that an input means, as TOML to be read by people too."""
    disks, remark, overlap = given.disks, "", "wait"
    gap = smallest_gap(disks, given.scatter)
    if as_published:
        overlap = "allow"
        remark = f"As published, batches overlap by {-gap:.2f} cm." if gap < 0.0 else "As published."
    elif gap < 0.0:
        moved = respaced(disks)
        left = smallest_gap(moved, given.scatter)
        if left >= 0.0:
            disks = moved
            pitch = PERIOD / len({disk["X"] for disk in disks})
            remark = (f"As published, each batch overlaps the previous one by up to {-gap:.2f} cm. The rows (x) are "
                      f"moved to distances\n# of {pitch:.4f} cm, which leaves {left:.2f} cm; `granum convert "
                      "--as-published` keeps the original positions.")
        else:
            remark = (f"A batch would overlap the previous one by up to {-gap:.2f} cm, and spreading its rows does not "
                      "help: grains wait for room.")
    return "\n".join([*_head(given, name, laws), *_material(given, laws), *_sources(given, disks, remark, overlap),
                      *_boundaries(given, laws), *_flow(given), *_ends(given), *_run(given), ""])


_LAWS_TOLD = {
    "program": (
        "# Contact laws of that program: grains do not rotate; friction is U between grains and 3 U at walls.",
        "# Not emulated: it applies the friction of all contacts of a grain once for each of them, and it scales all",
        "# velocities so that friction dissipates nothing. `granum convert --laws text` has the laws of the text."),
    "text": (
        "# Contact laws of the text: grains do not rotate; friction is U at every contact. The program that made the",
        "# figures has 3 U at walls: `granum convert --laws program`."),
}


def _head(given: PipeInput, name: str, laws: str) -> list[str]:
    shown = _clean(name)
    return [
        "# Grains carried by a flow through a pipe with corrugated walls (Sun 1996, section 6.5).",
        f"# Converted from {shown}, an input file of the program in its Appendix E. That program uses cm, g and s,",
        "# Granum m, kg and s. Seen from above, there is no gravity.",
        *_LAWS_TOLD[laws],
        *(f"# REM {_clean(remark)}" for remark in given.remarks if remark),
        f"title = {json.dumps(f'Pipe of {shown}'[:200], ensure_ascii=False)}", "",
    ]


def _material(given: PipeInput, laws: str) -> list[str]:
    friction, restitution = given.para["U"], _plain(given.para["E"])
    cohesion = [f"cohesion = {_newtons(given.para['FMAX'])}  # FMAX: tension at which a contact opens"] \
        if given.cohesive else []
    wall = ["[material.wall]", f"friction = {_plain(friction)}  # U", f"restitution = {restitution}  # E", *cohesion,
            "", "[pair.wall]", 'between = ["grain", "wall"]',
            f"friction = {_plain(float(3 * Decimal(repr(friction))))}  # 3 U", ""]
    return [
        "[material.grain]", f"friction = {_plain(friction)}  # U", f"restitution = {restitution}  # E",
        f"density = {_plain(1000.0 * SPHERE_DENSITY)}  # DEN in the program", *cohesion, "",
        *(wall if laws == "program" else []),
    ]


def _sources(given: PipeInput, disks: list[dict[str, float]], remark: str, overlap: str) -> list[str]:
    """One source for each velocity: all grains of a source have one."""
    width = given.scatter
    lines = [f"# {len(disks)} spheres in each batch of 50 cm by 40 cm: relative density {given.relative_density:.4f}."]
    lines += [f"# {remark}"] if remark else []
    if any(width):
        lines.append("# The program displaces its base points at random again and again, so that they drift; here they "
                     "stay (IG = 1).")
    elif given.rand:
        lines.append(f"# RAND has IG = {given.rand['IG']:.0f}: nothing is random; RI = {_plain(given.rand['RI'])}, XI "
                     f"= {_plain(given.rand['XI'])}, YI = {_plain(given.rand['YI'])} cm are not used.")
    velocities = list(dict.fromkeys((disk["VX"], disk["VY"]) for disk in disks))
    for k, velocity in enumerate(velocities):
        own = [disk for disk in disks if (disk["VX"], disk["VY"]) == velocity]
        lines += [
            f"[source.inflow{f'-{k + 1}' if len(velocities) > 1 else ''}]", 'shape = "sphere"', 'material = "grain"',
            "rotation = false", "positions = [",
            *(f"    [{_metres(disk['X'])}, {_metres(disk['Y'])}]," for disk in own), "]",
            "radii = [", *_wrapped([_metres(disk["R"]) for disk in own]), "]",
            *([f"scatter = [{_metres(width[0] / 2.0)}, {_metres(width[1] / 2.0)}]  # XI/2, YI/2"] if any(width[:2])
              else []),
            *([f"scatter_radius = {_metres(width[2] / 2.0)}  # RI/2"] if width[2] else []),
            f"velocity = [{_metres(velocity[0])}, {_metres(velocity[1])}]",
            f"interval = {_plain(given.every)}  # 50 cm/VX", f'overlap = "{overlap}"', "",
        ]
    return lines


def _boundaries(given: PipeInput, laws: str) -> list[str]:
    material = ', material = "wall"' if laws == "program" else ""
    return [
        "[boundary]",
        *(f'root-{disk["I"]:.0f} = {{ kind = "disk", centre = [{_metres(disk["X"])}, {_metres(disk["Y"])}], '
          f'radius = {_metres(disk["R"])}{material} }}' for disk in given.roots), "",
    ]


def _flow(given: PipeInput) -> list[str]:
    # VY is the same everywhere, before the pipe and at its walls too
    axis = "axis = [1.0, 0.0], " if given.para["VY"] else ""
    return [
        "# The program's force is 0.05 π r² |u - v| (u - v) for each component by itself, here along u - v.",
        "# Its shadows are those of the last contact in its list, here those of all touching grains upstream.",
        "[load.stream]", 'kind = "drag"', f"density = {_plain(1000.0 * FLUID_DENSITY)}",
        f"drag_coefficient = {_plain(DRAG)}  # CD = 0.05 without the 1/2 of (4.8)",
        f"velocity = [{_metres(given.para['VX'])}, {_metres(given.para['VY'])}]  # VX, VY; VX: mean of the profile",
        f"profile = {{ position = [0.0, 0.0], {axis}half_width = {_metres(HALF_WIDTH)}, "
        f"inlet = [{_metres(BUFFER)}, 0.0] }}",
        "shadow = true", f"min_exposure = {_plain(LEAST)}", "",
    ]


def _ends(given: PipeInput) -> list[str]:
    border = f"[{_metres(END)}, 0.0]"
    return [
        "# The program removes grains beyond the end when it makes a batch, Granum at any time. It reports a jam",
        "# when a grain is behind the buffer at that instant: this is `backed_up`, and it ends the run as well.",
        "[sink.end]", f'region = {{ kind = "half-space", position = {border}, normal = [1.0, 0.0] }}', "",
        "[probe.discharge]", 'kind = "flow"', f"position = {border}", "normal = [1.0, 0.0]", "",
        "[probe.jam]", 'kind = "jam"', 'flow = "discharge"',
        f"window = {_plain(5.0 * given.every)}  # 5 batches: the first grains need 3.4 at the mean velocity",
        f'backed_up = {{ kind = "half-space", position = [{_metres(BACKED_UP)}, 0.0], normal = [-1.0, 0.0] }}', "",
    ]


def _run(given: PipeInput) -> list[str]:
    para, solver = given.para, "unilateral" if given.cohesive else "moreau"
    seed = int(abs(given.rand.get("ISEED", 0.0)))
    return [
        "[run]", f"until = {_plain(given.duration)}  # XEND - X0", f"interval = {_plain(para['XIN'])}  # XIN",
        f'solver = "{solver}"',
        *([f"seed = {seed}  # ISEED = {given.rand['ISEED']:.0f}; the random numbers differ"] if given.rand else []),
        f"# X0 = {_plain(para['X0'])} s, the time of the start, is t = 0 here.",
        *([] if given.cohesive else [f"# FMAX = {_plain(para['FMAX'])}: contacts never pull."]),
        "# Not converted:",
        f"# DH = {_plain(para['DH'])} s, least time step of the program: {solver} chooses its own steps.",
        f"# TH = {_plain(para['TH'])}, which the program reads and never uses.",
        f"# TOL = {_plain(para['TOL'])}, relative change at which its iteration stops: {solver} has its own tolerance.",
    ]


def _metres(centimetres: float) -> str:
    """A length in m from one in cm, without binary noise."""
    return _plain(float(Decimal(repr(centimetres)) / 100))


def _newtons(dynes: float) -> str:
    """A force in N from one in g cm/s², likewise."""
    return _plain(float(Decimal(repr(dynes)) / 100_000))


def _plain(value: float) -> str:
    text = repr(float(value) + 0.0)
    return format(Decimal(text), "f") if "e-" in text and abs(value) > 1e-9 else text


def _wrapped(numbers: list[str]) -> list[str]:
    """Ten to a line."""
    return ["    " + ", ".join(numbers[k:k + 10]) + "," for k in range(0, len(numbers), 10)]


def _clean(text: str) -> str:
    """A text that can stand in a comment."""
    return "".join(c if c.isprintable() else "?" for c in text)[:150]
