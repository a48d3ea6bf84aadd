"""The input script of LAMMPS for a scene: grains, laws, boundaries, gravity, sinks, and what is written at frames."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from granum.base.errors import Problem, SceneError
from granum.contact.agents import CHECK
from granum.contact.penalty.coefficients import compile_soft_contact
from granum.contact.world import World
from granum.lammps.laws import Laws
from granum.lammps.walls import DEEP, numbers, region_lines
from granum.model.regions import BoxRegion, CylinderRegion, HalfSpace, Region, RoundRegion
from granum.run.recorder import frame_times
from granum.state.table import IM, KM, R

SKIN = 0.4
"""Reach of neighbour lists beyond contact, in mean radii."""
ALL = 1_000_000_000
"""Most grains that a sink takes at a time."""
GRAINS = ("id", "type", "radius", "mass", "x", "y", "z", "vx", "vy", "vz", "omegax", "omegay", "omegaz")
"""Columns of the dump of grains."""
CONTACTS = ("first", "second", "distance", "fx", "fy", "fz", "tx", "ty", "tz")
"""Columns of the dump of contacts between grains: both, distance of centres, normal and tangential force on the
first."""
WALLS = ("id", "fx", "fy", "fz", "px", "py", "pz")
"""Columns of the dump of contacts with one wall: the grain, force on it, and the point of contact."""
EXACT = "%.17g"
RATIOS = (2.5, 2.0)
"""m r²/I of spheres and of disks."""
ALIKE = 1e-9
"""How far such numbers may be from each other."""
DONE = "done"
"""Name of the dump that says that the others are written."""


class Segment(NamedTuple):
    """Frames at equal distances."""

    frames: int
    steps: int
    """Steps from one frame to the next."""
    step: float
    """Time step [s]."""


class Wall(NamedTuple):
    """What one `fix wall/gran/region` is about."""

    fix: str
    element: int
    material: int
    """Of the grains that it pushes."""


def segments(until: float, interval: float, step: float) -> list[Segment]:
    """Frames of a run in steps of at most `step`; the last interval may be shorter than the others."""
    times = frame_times(until, interval)
    spans = np.diff(times)
    regular = len(spans) if spans[-1] > interval * (1.0 - 1e-9) else len(spans) - 1
    parts = [(regular, interval)] if regular else []
    parts += [(1, float(spans[-1]))] if regular < len(spans) else []
    found = []
    for frames, span in parts:
        count = max(1, math.ceil(span / step * (1.0 - 1e-9)))
        found.append(Segment(frames, count, span / count))
    return found


class Script:
    """Commands of LAMMPS for a scene that it can honour."""

    def __init__(self, world: World) -> None:
        self.world, self.scene = world, world.scene
        self.kinds = world.all_kinds()
        self._refuse_mixed()
        run = self.scene.run
        self.segments = segments(run.until, run.frame_interval, world.step)
        contact = compile_soft_contact(world.tables, run.contact_law)
        self.laws = Laws(contact, world.tables, self.kinds, self.segments[0].step)
        self.materials = sorted({int(m) for m in self.kinds.material})
        """Those that grains are made of."""
        self.walls = [Wall(f"wall{e}_{m + 1}", e, m) for e in range(world.elements.count) for m in self.materials]

    def _refuse_mixed(self) -> None:
        """Grains that are neither all spheres nor all disks, and scenes without any."""
        if not self.kinds.count:
            raise SceneError([Problem("", "has no grains.", "Add grains or a source.")])
        ratios = self.kinds.v[:, KM] / self.kinds.v[:, IM]
        if np.ptp(ratios) > ALIKE or min(abs(ratios[0] - ratio) for ratio in RATIOS) > ALIKE:
            raise SceneError([Problem("", "has grains whose moments of inertia differ from those of solid spheres (2/5 "
                                          "m r²) or disks (1/2 m r²): LAMMPS uses one of these for all grains.",
                                      "Give all grains the same shape, and none a hole.")])

    def head(self, data: str) -> list[str]:
        """Everything before the first step; `data` is the name of the data file."""
        world, flat = self.world, self.world.dimension == 2
        up = world.neighbour_list.up
        grid = " ".join("1" if k == up or (flat and k == 2) else "*" for k in range(3))
        radius = float(self.kinds.x[:, R].mean())
        title = "".join(c if c.isprintable() else " " for c in self.scene.title)
        disks = abs(self.laws.ratio - RATIOS[1]) < ALIKE
        return [
            f"# {title or 'A scene'}, written by Granum: spheres of solver = \"soft\", SI units",
            "units si", *(["dimension 2"] if flat else []), f"boundary m m {'p' if flat else 'm'}",
            "atom_style sphere", "newton off", "comm_modify vel yes",
            f"processors {grid}  # one along gravity, where grains settle",
            f"read_data {data}", f"neighbor {SKIN * radius!r} bin", "neigh_modify delay 0 every 1 check yes",
            "pair_style granular",
            *(f"pair_coeff {a + 1} {b + 1} {self.laws.between_grains(a, b)}"
              for a in range(len(world.tables.names)) for b in range(a, len(world.tables.names))),
            *self.groups(), f"fix move all nve/sphere{' disc' if disks else ''}", *self._gravity(), *self._walls(),
            *(["fix flat all enforce2d"] if flat else []), *self._sinks(),
            "compute pairs all property/local patom1 patom2 cutoff radius",
            "compute forces all pair/local dist fx fy fz p1 p2 p3 cutoff radius",
        ]

    def groups(self) -> list[str]:
        """Grains by material; again after grains have come."""
        return [f"group material{m + 1} type {m + 1}" for m in self.materials]

    def _gravity(self) -> list[str]:
        size = float(np.linalg.norm(self.world.gravity))
        return [f"fix gravity all gravity {size!r} vector {numbers(self.world.gravity / size)}"] if size else []

    def _walls(self) -> list[str]:
        elements, lines = self.world.elements, []
        for e in range(elements.count):
            lines += region_lines(f"element{e}", elements.home[e], elements.motion[e])
        for wall in self.walls:
            law = self.laws.at_wall(wall.material, int(elements.material[wall.element]))
            lines.append(f"fix {wall.fix} material{wall.material + 1} wall/gran/region granular {law} "
                         f"region element{wall.element} contacts")
        return lines

    def _sinks(self) -> list[str]:
        """Grains whose centre is in a region are deleted, every few steps as in Granum."""
        lines = []
        for k, sink in enumerate(self.scene.sink.values()):
            lines += [f"region sink{k} {_region(sink.region)} units box",
                      f"fix sink{k} all evaporate {CHECK} {ALL} sink{k} 12345"]
        return lines

    def dumps(self, every: int) -> list[str]:
        """What is written at every frame; the files are named by their step."""
        written = {"grains": f"custom {every} dump.grains.* {' '.join(GRAINS)}",
                   "contacts": f"local {every} dump.contacts.* " + " ".join(
                       [f"c_pairs[{k}]" for k in (1, 2)] + [f"c_forces[{k}]" for k in range(1, 8)])}
        lines = [f"dump {name} all {what}" for name, what in written.items()]
        for wall in self.walls:
            columns = " ".join(["id", *(f"f_{wall.fix}[{k}]" for k in range(2, 8))])
            lines += [f"dump {wall.fix} material{wall.material + 1} custom {every} dump.{wall.fix}.* {columns}",
                      f"dump_modify {wall.fix} thresh f_{wall.fix}[1] > 0"]
        # without a buffer for its text a dump takes a quarter less memory, and little more time
        lines += [f"dump_modify {name} format float {EXACT} time yes buffer no" for name in self.dumped]
        # dumps are written one after the other: where this empty one is, the others of its step are complete
        return [*lines, f"dump {DONE} all custom {every} dump.{DONE}.* id", f"dump_modify {DONE} thresh id < 0"]

    def thermo(self, every: int) -> list[str]:
        """A line with step and grains at every frame."""
        return [f"thermo {every}", "thermo_style custom step atoms", "thermo_modify flush yes lost error"]

    def whole(self, data: str) -> list[str]:
        """All commands of a run without sources."""
        lines = self.head(data)
        for k, segment in enumerate(self.segments):
            lines += [*self.begin(k), f"run {segment.frames * segment.steps}"]
        return lines

    def begin(self, k: int) -> list[str]:
        """Step, dumps and progress of a segment; a second one has a single frame, at the end of the run."""
        segment = self.segments[k]
        if k == 0:
            return [f"timestep {segment.step!r}", *self.thermo(segment.steps), *self.dumps(segment.steps)]
        end = self.frame_steps()[-1]
        # dumps fall on multiples of a number of steps, or on steps that a variable names: this one, and none after it
        return [f"timestep {segment.step!r}", f"variable last equal ternary(step<{end},{end},{end}+{ALL})",
                *(f"dump_modify {name} every v_last" for name in (*self.dumped, DONE))]

    def frame_steps(self) -> list[int]:
        """Steps at which frames are."""
        lengths = [segment.steps for segment in self.segments for _ in range(segment.frames)]
        return [0, *np.cumsum(lengths).tolist()]

    @property
    def dumped(self) -> list[str]:
        """Names of the dumps."""
        return ["grains", "contacts", *(wall.fix for wall in self.walls)]


def _region(region: Region) -> str:
    """Style and numbers of a region of a sink."""
    if isinstance(region, BoxRegion):
        low, high = list(region.lower), list(region.upper)
        if len(low) == 2:
            low, high = [*low, -DEEP], [*high, DEEP]
        return f"block {numbers(np.column_stack([low, high]))}"
    if isinstance(region, RoundRegion):
        return f"sphere {numbers([*region.centre, 0.0][:3], region.radius)}"
    if isinstance(region, CylinderRegion):
        one, two = (np.array(end) for end in region.ends)
        k = int(np.flatnonzero(one != two)[0])
        return f"cylinder {'xyz'[k]} {numbers(np.delete(one, k), region.radius, sorted((one[k], two[k])))}"
    assert isinstance(region, HalfSpace)
    return f"plane {numbers([*region.position, 0.0][:3], [*region.normal, 0.0][:3])}"
