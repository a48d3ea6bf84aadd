"""Figures of a run over its frames: energy, probes, contacts, reactions."""

from __future__ import annotations

import numpy as np

from granum.base.kernels import Floats
from granum.run import Run
from granum.run.reactions import unit_of
from granum.view.stage.items import Series

_MOST_REACTIONS = 24
"""Reactions and coordinates up to which each is a series: nobody looks through more."""
_MOST_CONTACTS = 20_000_000
"""Contacts of all frames up to which they are counted for the coordination number."""


def series_of(run: Run) -> dict[str, Series]:
    """All figures that a run has for each of its frames."""
    energy = run.energy
    series = {"kinetic": Series("kinetic energy", "J", energy.kinetic),
              "potential": Series("potential energy", "J", energy.potential),
              "total": Series("kinetic and potential energy", "J", energy.total)}
    if run.has.energy_balance:
        series["error"] = Series("energy balance error", "J", energy.error)
    if run.has.grains:
        series |= _grains(run)
    return series | _probes(run) | _reactions(run) | _coordinates(run)


def _grains(run: Run) -> dict[str, Series]:
    """Grains, contacts, bonds and merged clusters."""
    series = {"grains": Series("grains", "", run.counts.astype(float))}
    contacts = run.contact_counts
    series["contacts"] = Series("contacts", "", contacts.astype(float))
    if run.has.contacts and contacts.sum() <= _MOST_CONTACTS:
        series["coordination"] = Series("contacts of a body", "", _coordination(run))
    if run.has.bonds:
        series["bonds"] = Series("bonds that hold", "", run.bonds_left.astype(float))
    if run.has.merging:
        series["merged"] = Series("grains in merged bodies", "", run.merged[:, 1].astype(float))
    return series


def _coordination(run: Run) -> Floats:
    """(frames,): contacts of a body, with others and with the boundary (`Coordination.mean`)."""
    numbers = np.zeros(len(run.t))
    for frame, bodies in enumerate(run.body_counts):
        second = run.recorded("contact_pair", frame)[:, 1]
        numbers[frame] = (2 * len(second) - np.count_nonzero(second < 0)) / max(int(bodies), 1)
    return numbers


def _probes(run: Run) -> dict[str, Series]:
    series = {}
    for name in run.probe_names("flow"):
        grains, mass = run.passed(name)
        series[name] = Series(f"{name}: grains passed", "", grains)
        series[f"{name} mass"] = Series(f"{name}: mass passed", "kg", mass)
    for name in run.probe_names("packing"):
        series[name] = Series(f"{name}: packing fraction", "", run.packing(name))
    for name in run.probe_names("rigidity"):
        for key, values in run.rigidity_probe(name).items():
            series[f"{name} {key}"] = Series(f"{name}: {key.replace('_', ' ')}", "", values.astype(float))
    for name in run.probe_names("section"):
        series |= _loads(name, *run.section(name))
    return series


def _loads(name: str, force: Floats, moment: Floats) -> dict[str, Series]:
    """Magnitudes of the force and the moment across a cut."""
    return {f"{name} force": Series(f"{name}: force", "N", np.linalg.norm(force, axis=1)),
            f"{name} moment": Series(f"{name}: moment", "N m", np.abs(moment) if moment.ndim == 1
                                      else np.linalg.norm(moment, axis=1))}


def _reactions(run: Run) -> dict[str, Series]:
    """Components of reactions by name."""
    owners = [*run.joint_names, *run.friction_names]
    if len(run.link_names) + len(owners) > _MOST_REACTIONS:
        return {}
    series = {}
    for name in (*run.link_names, *owners):
        components = run.reaction(name).components
        for what, values in components.items():
            label = f"{name}.{what}" if len(components) > 1 else name
            series[f"reaction {label}"] = Series(f"{name} {what.replace('.', ' ')}", unit_of(what), values)
    return series


def _coordinates(run: Run) -> dict[str, Series]:
    """Coordinates of formulas; lengths or angles, as the scene has them."""
    names = list(run.coordinate_names)
    if len(names) > _MOST_REACTIONS:
        return {}
    return {f"coordinate {name}": Series(name, "", run.coordinates[:, k]) for k, name in enumerate(names)}
