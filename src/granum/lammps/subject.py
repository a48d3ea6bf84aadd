"""Frames of a run from what LAMMPS writes; energies, overlaps and moves as far as they follow from it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np

from granum.base.errors import NotConvergedError
from granum.base.kernels import Floats, Ints
from granum.base.space import displacements
from granum.grains.search.neighbour_list import Contacts
from granum.grains.state import FIRST, SECOND, Grains
from granum.integrate import StepStatistics
from granum.integrate.stepper import Watch
from granum.io.runfile import Arrays
from granum.lammps.dumps import Dump
from granum.lammps.installation import release
from granum.lammps.script import CONTACTS, GRAINS, WALLS, Script
from granum.model.scene import Scene
from granum.run.energy import Energies, Ledger
from granum.run.grains import GrainSubject
from granum.run.subject import Layout
from granum.state.table import IM, SX, R


class Written(NamedTuple):
    """What LAMMPS wrote at one step."""

    grains: Dump
    contacts: Dump
    walls: list[Dump]
    """In the order of `Script.walls`."""


class Frames(Protocol):
    """Where frames come from: a running process, or files from elsewhere."""

    def frame(self, k: int, look: Callable[[], None]) -> Written:
        """Frame number k; calls `look` now and then while it waits."""


class LammpsSubject(GrainSubject):
    """Grains that LAMMPS moves."""

    remedy = "Use a smaller step."

    def __init__(self, scene: Scene, frames: Callable[[Script], Frames]) -> None:
        super().__init__(scene)
        self.ledger = Ledger((), np.zeros(0), floor=self.ledger.floor)
        self.script = Script(self.world)
        self._known = _known(self.world.grains)
        """All grains that have ever been there, by number."""
        self._frame, self._contacts = -1, Contacts(np.zeros((0, 2), np.int32), np.zeros((0, 3)), np.zeros((0, 3)))
        self._frames = frames(self.script)

    @property
    def next_step(self) -> float:
        """The step [s]."""
        return self.script.segments[0].step

    @next_step.setter
    def next_step(self, step: float) -> None:
        """It follows from the scene."""

    def own_layout(self, frames: int) -> Layout:
        """Frames without checkpoints: LAMMPS hands over no springs of contacts that a run could go on with."""
        return {name: shape for name, shape in super().own_layout(frames).items()
                if not name.startswith("checkpoint/")}

    def own_description(self) -> dict[str, Any]:
        """What the engine was, and that it reports neither orientations nor the work of contacts."""
        return {**super().own_description(), "engine": release(), "orientation": False, "energy_balance": False}

    def advance(self, until: float, watch: Watch) -> StepStatistics:
        """Take the next frame."""
        steps = self.script.frame_steps()
        self._take(self._frame + 1, lambda: watch(self.time))
        self.world.grains.t = until
        statistics = self.no_steps()
        made = steps[self._frame] - steps[self._frame - 1]
        step = self.script.segments[0 if self._frame <= self.script.segments[0].frames else -1].step
        statistics.note_step(step, made)
        return statistics

    def no_steps(self) -> StepStatistics:
        """There is no residual: contact is not solved for."""
        return StepStatistics(residual=math.nan)

    def sample(self) -> dict[str, Any]:
        """The frame that was taken last; at the start the first one."""
        if self._frame < 0:
            self._take(0, lambda: None)
        return super().sample()

    def contacts(self) -> Contacts:
        """Contacts of the frame."""
        return self._contacts

    def energies(self) -> Energies:
        """Kinetic energy, and the potential energy of gravity; LAMMPS reports no more."""
        world = self.world
        return Energies(world.grains.kinetic_energy(), -float(world.gravity @ world.grains.moment()), np.zeros(0),
                        np.zeros(0))

    def own_checkpoint(self) -> dict[str, Any]:
        """Nothing."""
        return {}

    def own_restore(self, arrays: Arrays, frame: int, slot: int) -> None:
        """The state is in LAMMPS."""

    def enter(self, new: Grains) -> None:
        """Take note of grains that a source brings."""
        added = _known(new)
        self._known = Grains(0.0, *(np.concatenate([getattr(self._known, name), getattr(added, name)])
                                    for name in ("x", "v", "material", "number", "group")))

    def grains_of(self, dump: Dump) -> Grains:
        """Grains as LAMMPS wrote them, in the order of their numbers; its own numbers count from 1."""
        values = _columns(dump, GRAINS)
        number = values["id"].astype(np.int64) - 1
        order = np.argsort(number, kind="stable")
        rows = np.searchsorted(self._known.number, number[order])
        if np.any(self._known.number[np.minimum(rows, self._known.count - 1)] != number[order]):
            raise NotConvergedError("The dumps contain grains that the scene does not have: they belong to another "
                                    "scene.")
        known = self._known
        x, v = known.x[rows], known.v[rows]
        for k, axis in enumerate("xyz"):
            x[:, k], v[:, k] = values[axis][order], values[f"v{axis}"][order]
            v[:, SX + k] = x[:, R] * values[f"omega{axis}"][order]
        if not np.allclose(x[:, R], values["radius"][order], rtol=1e-12) or not np.allclose(
                1.0 / v[:, IM], values["mass"][order], rtol=1e-9):
            raise NotConvergedError("Radii or masses in the dumps differ from those of the scene: they belong to "
                                    "another scene.")
        orientation = np.full((len(rows), 1 if self.world.dimension == 2 else 4), np.nan)
        return Grains(self.time, x, v, known.material[rows], number[order], known.group[rows],
                      local_orientation=orientation)

    def _take(self, k: int, look: Callable[[], None]) -> None:
        written = self._frames.frame(k, look)
        grains = self.grains_of(written.grains)
        self.world.grains = grains
        self._contacts, overlap = contacts_of(written, grains, self.script)
        speed = np.linalg.norm(grains.v[:, :3], axis=1) / grains.x[:, R]
        self.figures = {
            "contacts": float(len(overlap)), "pushing": float(len(overlap)),
            "mean_overlap": float(overlap.mean()) if len(overlap) else 0.0,
            "largest_overlap": float(overlap.max(initial=0.0)),
            "largest_move": self.next_step * float(speed.max(initial=0.0)),
        }
        self._frame = k


def _known(grains: Grains) -> Grains:
    """Grains in the order of their numbers."""
    order = np.argsort(grains.number, kind="stable")
    return Grains(0.0, grains.x[order], grains.v[order], grains.material[order], grains.number[order],
                  grains.group[order])


def _columns(dump: Dump, names: tuple[str, ...]) -> dict[str, Floats]:
    """Columns by name; those of a dump have other names, in the same order."""
    if dump.rows.shape[1] != len(names):
        raise NotConvergedError(f"found {dump.rows.shape[1]} columns in a dump ({' '.join(dump.columns)}), but "
                                f"{len(names)} are needed: {' '.join(names)}.")
    return dict(zip(names, dump.rows.T, strict=True))


def contacts_of(written: Written, grains: Grains, script: Script) -> tuple[Contacts, Floats]:
    """Contacts that push, and their overlaps in radii of the smaller grain; LAMMPS gives forces on the first grain."""
    values = _columns(written.contacts, CONTACTS)
    first, second = (_rows_of(grains, values[name]) for name in ("first", "second"))
    push = -np.column_stack([values[f"f{axis}"] + values[f"t{axis}"] for axis in "xyz"])
    between = displacements(grains.x[first, :3], grains.x[second, :3])
    pairs, normals, forces = [np.column_stack([first, second])], [_unit(between)], [push]
    radii = grains.x[:, R]
    overlaps = [(radii[first] + radii[second] - values["distance"]) / np.minimum(radii[first], radii[second])]
    for wall, dump in zip(script.walls, written.walls, strict=True):
        touching = _columns(dump, WALLS)
        row = _rows_of(grains, touching["id"])
        away = grains.x[row, :3] - np.column_stack([touching[f"p{axis}"] for axis in "xyz"])
        pairs.append(np.column_stack([row, np.full(len(row), -1 - wall.element)]))
        normals.append(_unit(away))
        forces.append(np.column_stack([touching[f"f{axis}"] for axis in "xyz"]))
        overlaps.append(1.0 - np.linalg.norm(away, axis=1) / radii[row])
    pair = np.concatenate(pairs).astype(np.int32)
    order = np.lexsort((pair[:, SECOND], pair[:, FIRST]))  # on several ranks LAMMPS writes them in any order
    return Contacts(pair[order], np.concatenate(normals)[order], np.concatenate(forces)[order]), \
        np.concatenate(overlaps)[order]


def _rows_of(grains: Grains, ids: Floats) -> Ints:
    rows: Ints = np.searchsorted(grains.number, ids.astype(np.int64) - 1)
    return rows


def _unit(vectors: Floats) -> Floats:
    unit: Floats = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit


