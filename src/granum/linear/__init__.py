"""Linear systems H y = b along the graph of links, H never formed densely.

H = C Eᵀ M⁻¹ E C + S Eᵀ M⁻¹ E S (Sun 1996, eq. 3.39; with a third component in space, eq. 3.88): H_uv is the inverse
mass of the body that links u and v share times the cosine of the angle between them, signed by E.
"""

from granum.linear.graph import LinkGraph
from granum.linear.method import Elimination, Workspace, choose, factor, solve

__all__ = ["Elimination", "LinkGraph", "Workspace", "choose", "factor", "solve"]
