"""The graph of bodies and links: incidence, paths, loops and cuts, updated link by link; and what of it is rigid."""

from granum.topology.graph import Topology
from granum.topology.rigidity import Rigidity, pebble_game

__all__ = ["Rigidity", "Topology", "pebble_game"]
