"""Tables of a run of grains: grains, bodies they are parts of, contacts, energies, probes."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from granum.base.kernels import Floats
from granum.run import Run
from granum.run.grain_result import Frame
from granum.run.motion import flat
from granum.view.export.content import (
    Column,
    Content,
    Table,
    Tables,
    energy_table,
    in_space,
    rotating,
    scalar,
    steps_table,
    turned,
    vector,
)

_FIGURES = {"mean_overlap": "radii", "largest_overlap": "radii", "largest_residual": "m/s",
            "largest_move": "radii", "joint_error": "m", "joint_turn": "rad"}
"""Units of figures of the steps."""


class GrainContent(Content):
    """Tables of a run of grains; their numbers change as grains come and go."""

    run: Run

    def __init__(self, run: Run) -> None:
        self.run = run

    def frame(self, index: int) -> Tables:
        """Grains, bodies where grains are parts of some, contacts where they are recorded, bonds."""
        run, shown = self.run, self.run.frame(index)
        found = {"grains": self._grains(shown, index)}
        if run.has.parts:
            found["bodies"] = self._bodies(index)
        if run.has.contacts:
            found["contacts"] = self._contacts(shown)
        if run.has.bonds:
            found["bonds"] = _bonds(run, shown, index)
        return found | self.held(index)

    def _grains(self, shown: Frame, index: int) -> Table:
        run = self.run
        columns = [
            scalar("number", "", shown.numbers), scalar("group", "", run.recorded("group", index), run.groups),
            vector("position", "m", shown.positions), vector("velocity", "m/s", shown.velocities, "v"),
            rotating(shown.angular_velocities), scalar("radius", "m", shown.radii)]
        if run.has.parts:
            columns += [scalar("body", "", run.recorded("part_of", index)),
                        turned(run.recorded("body_orientation", index)[shown.bodies])]
        elif shown.orientations is not None:
            columns.append(turned(shown.orientations))
        if run.has.contacts:
            force, count = acting(shown)
            columns += [vector("contact_force", "N", force, "contact_force_"), scalar("coordination", "", count)]
        return Table(tuple(columns))

    def _bodies(self, index: int) -> Table:
        run = self.run
        number, group, position, velocity, angular_velocity, orientation = (
            run.recorded(f"body_{name}", index)
            for name in ("number", "group", "position", "velocity", "angular_velocity", "orientation"))
        return Table((scalar("number", "", number), scalar("group", "", group, run.groups),
                      vector("position", "m", position), vector("velocity", "m/s", velocity, "v"),
                      rotating(flat(angular_velocity)), turned(orientation)))

    def _contacts(self, shown: Frame) -> Table:
        (i, j), normal, force = shown.pair.T, shown.normal, shown.force
        grain = j >= 0
        second = np.where(grain, shown.numbers[np.maximum(j, 0)] if len(shown.numbers) else 0, -1)
        boundary = np.where(grain, -1, self._boundary_of[np.where(grain, 0, -1 - j)])
        push = np.einsum("ck,ck->c", force, normal)
        across = np.linalg.norm(force - push[:, None] * normal, axis=1)
        point = shown.positions[i] + np.where(grain, 1.0, -1.0)[:, None] * shown.radii[i, None] * normal
        far = np.where(grain[:, None], shown.positions[np.maximum(j, 0)], point)
        return Table((
            scalar("first", "", shown.numbers[i]), scalar("second", "", second),
            scalar("boundary", "", boundary, list(self.run.scene.boundary)), vector("point", "m", point),
            vector("normal", "", normal, "n"), vector("force", "N", force, "F"), scalar("normal_force", "N", push),
            scalar("tangential_force", "N", across), scalar("sticks", "", shown.sticks.astype(np.uint8)),
        ), ends=np.stack([in_space(shown.positions[i]), in_space(far)], axis=1))

    @cached_property
    def _boundary_of(self) -> Any:
        """Boundary of each element; none is there where a scene has no boundary."""
        return np.array([*self.run.metadata["elements"], -1], dtype=np.int64)

    def series(self) -> Tables:
        """The energy balance, counts and figures of the frames, what probes measured."""
        run = self.run
        counts = {"grains": run.counts, "bodies": run.body_counts, "contacts": run.contact_counts}
        if run.has.bonds:
            counts["bonds"] = run.bonds_left
        if run.has.merging:
            counts |= {"merged bodies": run.merged[:, 0], "merged grains": run.merged[:, 1]}
        found = {
            "energy": energy_table(run),
            "counts": Table(tuple(scalar(name, "", values) for name, values in counts.items())),
            "steps": Table((*(scalar(name, _FIGURES.get(name, ""), values) for name, values in run.figures.items()),
                            *(column for column in steps_table(run).columns if column.name != "residual")))}
        found |= self.held_over_time()
        if probes := self._probes():
            found["probes"] = Table(tuple(probes))
        return found

    def _probes(self) -> list[Column]:
        run, found = self.run, []
        for name in run.probe_names("flow"):
            grains, mass = run.passed(name)
            found += [scalar(f"{name} grains passed", "", grains), scalar(f"{name} mass passed", "kg", mass)]
        found += [scalar(f"{name} packing fraction", "", run.packing(name)) for name in run.probe_names("packing")]
        for name in run.probe_names("rigidity"):
            found += [scalar(f"{name} {what}", "", values)
                      for what, values in run.rigidity_probe(name).items()]
        return found + self.sections()

    def log(self) -> Tables:
        """Bonds that broke, clusters that merged and came apart."""
        found, run = {}, self.run
        if run.has.bonds:
            pairs = np.array([broken.pair for broken in run.breaks], dtype=np.int64).reshape(-1, 2)
            found["breaks"] = Table((scalar("t", "s", np.array([broken.t for broken in run.breaks])),
                                     scalar("first", "", pairs[:, 0]), scalar("second", "", pairs[:, 1])))
        if run.has.merging:
            found["merges"] = Table((
                scalar("t", "s", np.array([merge.t for merge in run.merges])),
                scalar("grains", "", np.array([merge.grains for merge in run.merges], dtype=np.int64)),
                scalar("lowest_number", "", np.array([merge.number for merge in run.merges], dtype=np.int64))))
        return found

    def notes(self) -> list[str]:
        """Contacts that are not recorded."""
        run = self.run
        if not run.has.contacts:
            return ["The network of contacts is too large to be recorded in this run: there are no contacts, sums of "
                    "their forces and coordination. Record fewer frames to have them."]
        if (most := int(run.contact_counts.max())) > run.contact_room:
            return [f"Up to {most} contacts were there, and only the strongest {run.contact_room} are recorded."]
        return []


def acting(shown: Frame) -> tuple[Floats, Any]:
    """Sum of the contact forces on each grain of a frame [N], and how many contacts it has."""
    (i, j), force = shown.pair.T, shown.force
    grain = j >= 0
    n, d = shown.positions.shape
    # the force of a contact acts on the second grain, at a boundary on the grain
    on = np.concatenate([i, j[grain]])
    acting_forces = np.concatenate([np.where(grain[:, None], -force, force), force[grain]])
    total: Floats = np.column_stack([np.bincount(on, acting_forces[:, k], n).astype(float) for k in range(d)])
    return total, np.bincount(on, minlength=n)


def _bonds(run: Run, shown: Frame, index: int) -> Table:
    """Bonds that hold."""
    pairs = run.bonds(index)
    pairs = pairs[np.isin(pairs, shown.numbers).all(axis=1)]  # grains that have left keep their bonds
    ends = in_space(shown.positions)[np.searchsorted(shown.numbers, pairs)]
    return Table((scalar("first", "", pairs[:, 0]), scalar("second", "", pairs[:, 1])), ends=ends)
