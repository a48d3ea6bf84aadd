"""What a run holds, table by table: the same for every format it is exported to.

Which tables there are follows from `run.has`.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from granum.base.kernels import Floats, Ints
from granum.run import Run
from granum.run.grain_result import Frame, in_space
from granum.run.motion import flat
from granum.run.reactions import Reaction, unit_of
from granum.view.export.columns import (
    Column,
    Table,
    Tables,
    angular_velocity,
    orientation,
    scalar,
    scalars,
    vector,
)
from granum.view.stage import Stage

_STEPS = {"smallest_step": "s", "largest_step": "s", "mean_overlap": "radii", "largest_overlap": "radii",
          "largest_residual": "m/s", "largest_move": "radii", "joint_error": "m", "joint_turn": "rad"}
"""Units of what is recorded of the steps."""


class Content:
    """Tables of a run: of frames, over the frames, and of what happened between them."""

    def __init__(self, run: Run) -> None:
        self.run = run

    @cached_property
    def stage(self) -> Stage | None:
        """Where links, joints and solids are; formulas without points are nowhere."""
        return Stage(self.run) if self.run.has.bodies else None

    def frame(self, index: int) -> Tables:
        """Tables with rows of their own at one instant; the first is what moves: grains, or bodies by name."""
        run = self.run
        if not run.has.grains:
            tables = {"bodies": self._named_bodies(index)}
            point_masses = not (run.has.orientation or run.has.joints)
            return tables | (self._links_of_points(index) if point_masses else self._links_and_joints(index))
        shown = run.frame(index)
        tables = {"grains": self._grains(shown, index)}
        if run.has.parts:
            tables["bodies"] = self._bodies_of_grains(index)
        if run.has.contacts:
            tables["contacts"] = self._contacts(shown)
        if run.has.bonds:
            tables["bonds"] = self._bonds(shown, index)
        return tables | self._links_and_joints(index)

    def _grains(self, shown: Frame, index: int) -> Table:
        run = self.run
        columns = [
            scalar("number", "", shown.numbers), scalar("group", "", run.recorded("group", index), run.groups),
            vector("position", "m", shown.positions), vector("velocity", "m/s", shown.velocities, "v"),
            angular_velocity(shown.angular_velocities), scalar("radius", "m", shown.radii)]
        if run.has.parts:
            columns += [scalar("body", "", run.recorded("part_of", index)),
                        orientation(run.recorded("body_orientation", index)[shown.bodies])]
        elif run.has.orientation:
            columns.append(orientation(shown.orientations))
        if run.has.contacts:
            force, count = contact_sums(shown)
            columns += [vector("contact_force", "N", force, "contact_force_"), scalar("coordination", "", count)]
        return Table(tuple(columns))

    def _bodies_of_grains(self, index: int) -> Table:
        """Bodies that grains are parts of, by number."""
        run = self.run
        number, group, position, velocity, w, quaternion = (
            run.recorded(f"body_{name}", index)
            for name in ("number", "group", "position", "velocity", "angular_velocity", "orientation"))
        return Table((scalar("number", "", number), scalar("group", "", group, run.groups),
                      vector("position", "m", position), vector("velocity", "m/s", velocity, "v"),
                      angular_velocity(flat(w)), orientation(quaternion)))

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

    def _bonds(self, shown: Frame, index: int) -> Table:
        """Bonds that hold."""
        pairs = self.run.bonds(index)
        pairs = pairs[np.isin(pairs, shown.numbers).all(axis=1)]  # grains that have left keep their bonds
        ends = in_space(shown.positions)[np.searchsorted(shown.numbers, pairs)]
        return replace(scalars(dict(zip(("first", "second"), pairs.T, strict=True))), ends=ends)

    def _named_bodies(self, index: int) -> Table:
        """Bodies that have names and stay."""
        run = self.run
        return Table((vector("position", "m", run.positions[index]),
                      vector("velocity", "m/s", run.velocities[index], "v"), *self._orientations(index)), self._names)

    @cached_property
    def _names(self) -> list[str]:
        return list(self.run.body_names)

    def _orientations(self, index: int) -> tuple[Column, ...]:
        """Orientations and angular velocities of named bodies; points have none."""
        run, count = self.run, len(self._names)
        rigid = {k: name for k, name in enumerate(self._names) if run.has_orientation(name)}
        if not rigid:
            return ()
        turned = orientation(run.orientations(index)) if run.dimension == 3 else None
        angle, w = np.zeros(count), np.zeros((count, 3) if run.dimension == 3 else count)
        for k, name in rigid.items():
            w[k] = run.angular_velocity(name)[index]
            if turned is None:
                angle[k] = run.angle(name)[index]
        return turned or scalar("angle", "rad", angle), angular_velocity(w)

    def _links_of_points(self, index: int) -> Tables:
        """Links between point masses, by the bodies they join."""
        run = self.run
        if not run.has.links:
            return {}
        tension = scalar("tension", "N", run.tensions[index])
        return {"links": Table((*self._joined(run.link_ends), tension), self._link_names,
                               in_space(run.positions[index])[run.link_ends])}

    @cached_property
    def _link_names(self) -> list[str]:
        return list(self.run.link_names)

    def _joined(self, ends: Ints) -> tuple[Column, ...]:
        return scalar("first", "", ends[:, 0], self._names), scalar("second", "", ends[:, 1], self._names)

    def _links_and_joints(self, index: int) -> Tables:
        """Links with their tension, and joints with what they do to their second end, of scenes that name them."""
        run, tables = self.run, Tables()
        if self.stage is None or not (run.scene.link or run.scene.constraint):
            return tables
        arrows, links = self.stage.reactions(index), list(run.link_names)
        if links:
            tables["links"] = Table((scalar("tension", "N", self.stage.tensions(index)),), links,
                                   self.stage.links(index)[: len(links)])
        if joints := arrows.names[: len(arrows.names) - len(links)]:
            d, count = self.stage.dimension, len(joints)
            known = [self._joint_reactions[name] for name in joints]
            moments = np.array([reaction.moment[index] for reaction in known])
            columns = [vector("position", "m", arrows.origins[:count, :d]),
                       vector("force", "N", arrows.vectors[:count, :d], "F"),
                       scalar("moment", "N m", moments) if d == 2 else vector("moment", "N m", moments, "M")]
            unique = [reaction.unique for reaction in known]
            if all(one is not None for one in unique):
                columns.append(scalar("unique", "", [np.uint8(one[index]) for one in unique if one is not None]))
            tables["joints"] = Table(tuple(columns), joints)
        return tables

    @cached_property
    def _joint_reactions(self) -> dict[str, Reaction]:
        """Over the frames, by name."""
        return {name: self.run.reaction(name) for name in self.run.joint_names}

    def drawn(self, index: int) -> Tables:
        """Lines that a scene draws between points of formulas."""
        run = self.run
        ends = run.line_ends
        if not len(ends):
            return {}
        return {"lines": Table(self._joined(ends), ends=in_space(run.positions[index])[ends])}

    def series(self) -> Tables:
        """Tables with one row for each frame: energies, steps, counts, errors, reactions, coordinates, probes."""
        run = self.run
        steps = run.statistics
        if run.has.grains:
            steps = {**run.figures, **{name: values for name, values in steps.items() if name != "residual"}}
        tables = {"energy": self._energy(), "steps": scalars(steps, _STEPS)} | self._reactions()
        if run.has.grains:
            tables["counts"] = self._counts()
        if run.has.coordinates:
            tables |= self._coordinates()
        if probes := [*self._probes(), *self._sections()]:
            tables["probes"] = Table(tuple(probes))
        return tables

    def _counts(self) -> Table:
        run = self.run
        counts = {"grains": run.counts, "bodies": run.body_counts, "contacts": run.contact_counts}
        if run.has.bonds:
            counts["bonds"] = run.bonds_left
        if run.has.merging:
            counts |= {"merged bodies": run.merged[:, 0], "merged grains": run.merged[:, 1]}
        return scalars(counts)

    def _energy(self) -> Table:
        """The energy balance."""
        energy = self.run.energy
        joules = {"kinetic": energy.kinetic, "potential": energy.potential, "total": energy.total,
                  **{f"work of {name}": values for name, values in energy.work.items()},
                  **{f"{name} corrections": values for name, values in energy.corrected.items()}}
        if not self.run.has.energy_balance:
            return scalars(joules, dict.fromkeys(joules, "J"))
        joules["error"] = energy.error
        return scalars({**joules, "relative error": energy.relative_error}, dict.fromkeys(joules, "J"))

    def _reactions(self) -> Tables:
        """Reactions and errors of constraints."""
        run, tables = self.run, Tables()
        if run.has.constraints:
            units = {"relative": "", "distance": "m", "angle": "rad", "rate": ""}
            errors = {name: getattr(run.constraint_errors, name) for name in units}
            tables["errors"] = scalars({name: values for name, values in errors.items() if np.isfinite(values).all()},
                                       units)
        if not run.has.joints:
            return tables
        reactions = {name: run.reaction(name) for name in (*run.link_names, *run.joint_names, *run.friction_names)}
        tables["reactions"] = Table(tuple(
            scalar(f"{name}.{what}", unit_of(what), values)
            for name, one in reactions.items() for what, values in one.components.items()))
        known = {f"{name}.{what}": one.determined[what].astype(np.uint8) for name, one in reactions.items()
                 if one.determined is not None for what in one.components}
        return tables | ({"unique": scalars(known)} if known else {})

    def _coordinates(self) -> Tables:
        run = self.run
        names, rows = list(run.coordinate_names), run.metadata["rows"]
        tables = {"coordinates": scalars({**{name: run.coordinate(name) for name in names},
                                          **{f"{name}_dot": run.rate(name) for name in names}})}
        if rows:
            tables["constraints"] = scalars({label: values for row in rows for label, values in zip(
                (f"{row}", f"{row} rate"), run.row_errors(row), strict=True)})
        return tables

    def _probes(self) -> list[Column]:
        run, columns = self.run, []
        for name in run.probe_names("flow"):
            grains, mass = run.passed(name)
            columns += [scalar(f"{name} grains passed", "", grains), scalar(f"{name} mass passed", "kg", mass)]
        columns += [scalar(f"{name} packing fraction", "", run.packing(name)) for name in run.probe_names("packing")]
        for name in run.probe_names("rigidity"):
            columns += [scalar(f"{name} {what}", "", values)
                      for what, values in run.rigidity_probe(name).items()]
        return columns

    def _sections(self) -> list[Column]:
        """Loads across the cuts of section probes over the frames."""
        columns = []
        for name in self.run.probe_names("section"):
            force, moment = self.run.section(name)
            columns += [vector(f"{name} force", "N", force, f"{name} F"),
                        scalar(f"{name} moment", "N m", moment) if moment.ndim == 1
                        else vector(f"{name} moment", "N m", moment, f"{name} M")]
        return columns

    def log(self) -> Tables:
        """Tables of what happened, each row with its time: bonds, merged clusters, frictions, links."""
        run, tables = self.run, self._transitions()
        if run.has.bonds:
            pairs = np.array([broken.pair for broken in run.breaks], dtype=np.int64).reshape(-1, 2)
            tables["breaks"] = scalars({"t": np.array([broken.t for broken in run.breaks]), "first": pairs[:, 0],
                                        "second": pairs[:, 1]}, {"t": "s"})
        if run.has.merging:
            t, grains, numbers = (np.array([getattr(merge, of) for merge in run.merges], kind) for of, kind in (
                ("t", float), ("grains", np.int64), ("number", np.int64)))
            tables["merges"] = scalars({"t": t, "grains": grains, "lowest_number": numbers}, {"t": "s"})
        return tables

    def _transitions(self) -> Tables:
        """What frictions or one-sided links did."""
        changes = [event for event in self.run.events if event.name in self.run.changing]
        if not changes:
            return {}
        t, changed, done = zip(*changes, strict=True)
        names, states = sorted(set(changed)), sorted(set(done))
        what = "friction" if self.run.metadata.get("frictions") else "link"
        return {"transitions": Table((
            scalar("t", "s", t), scalar(what, "", [names.index(name) for name in changed], names),
            scalar("does", "", [states.index(state) for state in done], states)))}

    def notes(self) -> list[str]:
        """What a reader should know that tables do not say: contacts that are not recorded."""
        run = self.run
        if not run.has.grains:
            return []
        if not run.has.contacts:
            return ["The contact network was too large to record in this run: contacts, total contact forces and "
                    "coordination are missing. Record fewer frames to include them."]
        if (most := int(run.contact_counts.max())) > run.contact_room:
            return [f"There were up to {most} contacts; only the strongest {run.contact_room} are recorded."]
        return []


def contact_sums(shown: Frame) -> tuple[Floats, Any]:
    """Sum of the contact forces on each grain of a frame [N], and how many contacts it has."""
    (i, j), force = shown.pair.T, shown.force
    grain = j >= 0
    n, d = shown.positions.shape
    # the force of a contact acts on the second grain, at a boundary on the grain
    on = np.concatenate([i, j[grain]])
    acting_forces = np.concatenate([np.where(grain[:, None], -force, force), force[grain]])
    total: Floats = np.column_stack([np.bincount(on, acting_forces[:, k], n).astype(float) for k in range(d)])
    return total, np.bincount(on, minlength=n)
