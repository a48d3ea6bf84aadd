"""The graph of bodies and links: incidence, paths, loops and cuts, updated as links come and go."""

from granum.topology.graph import Topology

__all__ = ["Topology"]
