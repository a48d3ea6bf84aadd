"""Measuring: contacts, stress, jams, and how well contact was solved. In Python it is `gr.measuring`."""

from granum.grains.measuring.jam import Jam, JamFound
from granum.grains.measuring.measure import (
    Fabric,
    Penetration,
    Stress,
    fabric,
    froude_number,
    gaps,
    granular_temperature,
    inertial_number,
    kinetic_stress,
    penetration,
    radial_distribution,
    stress,
)
from granum.grains.measuring.network import (
    Coordination,
    ForceChains,
    clusters,
    contact_counts,
    coordination,
    force_chains,
    force_distribution,
    graph,
    percolating,
    rattlers,
    touching,
)
from granum.grains.measuring.passing import FlowRate, flow_rate
from granum.grains.measuring.residual import Residual, residual
from granum.grains.measuring.rigidity import contact_rigidity, sticking

__all__ = [
    "Coordination",
    "Fabric",
    "FlowRate",
    "ForceChains",
    "Jam",
    "JamFound",
    "Penetration",
    "Residual",
    "Stress",
    "clusters",
    "contact_counts",
    "contact_rigidity",
    "coordination",
    "fabric",
    "flow_rate",
    "force_chains",
    "force_distribution",
    "froude_number",
    "gaps",
    "granular_temperature",
    "graph",
    "inertial_number",
    "kinetic_stress",
    "penetration",
    "percolating",
    "radial_distribution",
    "rattlers",
    "residual",
    "sticking",
    "stress",
    "touching",
]
