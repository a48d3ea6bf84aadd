"""Figures of a run over its frames: energy, probes, contacts, reactions."""

from __future__ import annotations

import numpy as np

from granum.base.kernels import Floats
from granum.run import Run
from granum.run.grain_result import GrainRun
from granum.run.mechanism_result import MechanismRun
from granum.view.stage.items import Series

_MOST_REACTIONS = 24
"""Reactions and coordinates up to which each is a series: nobody looks through more."""
_MOST_CONTACTS = 20_000_000
"""Contacts of all frames up to which they are counted for the coordination number."""


def series_of(run: Run) -> dict[str, Series]:
    """All figures that a run has for each of its frames."""
    energy = run.energy
    found = {"kinetic": Series("kinetic energy", "J", energy.kinetic),
             "potential": Series("potential energy", "J", energy.potential),
             "total": Series("kinetic and potential energy", "J", energy.total),
             "error": Series("energy balance error", "J", energy.error)}
    if isinstance(run, GrainRun):
        return found | _grains(run) | _probes(run) | _joints(run)
    if isinstance(run, MechanismRun):
        for name in run.metadata["sections"]:
            found |= _loads(name, *run.section(name))
    return found | _reactions(run) | _coordinates(run)


def _grains(run: GrainRun) -> dict[str, Series]:
    """Grains, contacts, bonds and merged clusters."""
    found = {"grains": Series("grains", "", run.counts.astype(float))}
    contacts = run.contact_counts
    found["contacts"] = Series("contacts", "", contacts.astype(float))
    if run.networked and contacts.sum() <= _MOST_CONTACTS:
        found["coordination"] = Series("contacts of a body", "", _coordination(run))
    if run.scene.bond:
        found["bonds"] = Series("bonds that hold", "", run.bonds_left.astype(float))
    if run.scene.run.merge_clusters:
        found["merged"] = Series("grains in merged bodies", "", run.merged[:, 1].astype(float))
    return found


def _coordination(run: GrainRun) -> Floats:
    """(frames,): contacts of a body, with others and with the boundary (`Coordination.mean`)."""
    found = np.zeros(len(run.t))
    for frame, bodies in enumerate(run.body_counts):
        second = run.recorded("contact_pair", frame)[:, 1]
        found[frame] = (2 * len(second) - np.count_nonzero(second < 0)) / max(int(bodies), 1)
    return found


def _probes(run: GrainRun) -> dict[str, Series]:
    found = {}
    for name in run.metadata["flow_probes"]:
        grains, mass = run.passed(name)
        found[name] = Series(f"{name}: grains passed", "", grains)
        found[f"{name} mass"] = Series(f"{name}: mass passed", "kg", mass)
    for name in run.metadata["packing_probes"]:
        found[name] = Series(f"{name}: packing fraction", "", run.packing(name))
    for name in run.metadata["rigidity_probes"]:
        for key, values in run.rigidity_probe(name).items():
            found[f"{name} {key}"] = Series(f"{name}: {key.replace('_', ' ')}", "", values.astype(float))
    for name in run.metadata["section_probes"]:
        found |= _loads(name, *run.section(name))
    return found


def _loads(name: str, force: Floats, moment: Floats) -> dict[str, Series]:
    """Magnitudes of the force and the moment across a cut."""
    return {f"{name} force": Series(f"{name}: force", "N", np.linalg.norm(force, axis=1)),
            f"{name} moment": Series(f"{name}: moment", "N m", np.linalg.norm(moment, axis=1))}


def _joints(run: GrainRun) -> dict[str, Series]:
    """Tensions of links, forces of joints."""
    found = {}
    for name in run.metadata.get("joints", [])[:_MOST_REACTIONS]:
        if name in run.scene.link:
            found[f"reaction {name}"] = Series(f"tension of {name}", "N", run.reaction(name))
        elif hasattr(run.scene.constraint[name], "between"):
            force = run.joint_reaction(name).force
            found[f"reaction {name}"] = Series(f"force of {name}", "N", np.linalg.norm(force, axis=1))
    return found


def _reactions(run: Run) -> dict[str, Series]:
    """Link forces and single reactions by name."""
    names = list(run.link_names)
    if len(names) > _MOST_REACTIONS:
        return {}
    return {f"reaction {name}": Series(name.replace(".", " "), _unit(name), run.reactions[:, k])
            for k, name in enumerate(names)}


def _unit(reaction: str) -> str:
    """Of a reaction by the words in its name; multipliers of formulas have no unit that is known."""
    words = reaction.split(".")
    if {"moment", "torque"} & set(words):
        return "N m"
    return "" if words[-1].isdecimal() else "N"


def _coordinates(run: Run) -> dict[str, Series]:
    """Coordinates of formulas; lengths or angles, as the scene has them."""
    names = list(run.coordinate_names)
    if len(names) > _MOST_REACTIONS:
        return {}
    return {f"coordinate {name}": Series(name, "", run.coordinates[:, k]) for k, name in enumerate(names)}
