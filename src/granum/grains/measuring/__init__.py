"""Measurements on grains: contacts, stress, arches, jams and residuals (`gr.measuring`).

>>> "Verdict" in dir(gr.measuring)
True
"""

from typing import Any

from granum.base.offers import offered
from granum.grains.measuring.arch import Arch, Opening, find_arch, wall_forces
from granum.grains.measuring.jam import Jam, Sample, Verdict
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
    supported,
    touching,
)
from granum.grains.measuring.passing import FlowRate, flow_rate
from granum.grains.measuring.rigidity import contact_rigidity, sticking

__all__ = [
    "Arch",
    "Coordination",
    "Fabric",
    "FlowRate",
    "ForceChains",
    "Jam",
    "Opening",
    "Penetration",
    "Residual",
    "Sample",
    "Stress",
    "Verdict",
    "clusters",
    "contact_counts",
    "contact_rigidity",
    "coordination",
    "fabric",
    "find_arch",
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
    "supported",
    "touching",
    "wall_forces",
]


def __getattr__(name: str) -> Any:
    """The residual of contacts, which solvers judge themselves by: a floor above, and loaded when it is asked for."""
    if name in ("Residual", "residual"):
        return getattr(offered("residual"), name)
    raise AttributeError(f"module 'granum.measuring' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
