"""scalar: explicit scalar equations of a tree of rigid bodies made of spheres, from the path matrix (Vinogradov).

Body j hangs on its parent i by s_j = u_j + c_j + e_j (1): u_j is fixed in the parent, e_j in the body itself, and c_j,
which joins the centres of the two spheres that touch, has a constant length and a direction of two angles (α_j, β_j)
in inertial axes (37). A body with inertia has the Euler angles (ψ, θ, φ), z-x-z. In 2-D a direction and a body have one
angle each. With r_k = Σ_i p_ik s_i (7):

    Σ_b Σ_ij M_ij (∂s_i/∂q_a · ∂s_j/∂q_b) q̈_b + Σ_ij M_ij ∂s_i/∂q_a · b_j + rotation = Σ_i ∂s_i/∂q_a · Q_i    (24)-(30)
    M_ij = Σ_k m_k p_ik p_jk (29),   Q_i = Σ_k p_ik F_k (31),   b_j = s̈_j at q̈ = 0 (13)

all corrected. M_ij is the mass beyond the farther of i and j where one is on the path of the other, else zero. So P is
never formed: the sums run over parent arrays, and Σ_j M_ij b_j is the sum of m_k r̈_k beyond i. The matrix is
stored by depth: row b holds its entries with the coordinates on the path of b, root first. Eliminated from the leaves
it has no fill, and all rows that are combined share the beginning of their paths: inner loops run through memory.

Charts keep away from the poles sin β = 0 and sin θ = 0: chart p of a direction measures β from inertial axis
(p + 2) mod 3 (0: the z axis of the document), chart p of an orientation counts the body axes from p.
"""

from granum.analytic.scalar.charts import choose_charts, coordinates, near_pole, rechart
from granum.analytic.scalar.cluster import Cluster, Scratch, prepare_cluster
from granum.analytic.scalar.evaluation import evaluator, mover
from granum.analytic.scalar.kinematics import kinematics
from granum.analytic.scalar.mass_matrix import mass_matrix

__all__ = ["Cluster", "Scratch", "choose_charts", "coordinates", "evaluator", "kinematics", "mass_matrix", "mover",
           "near_pole", "prepare_cluster", "rechart"]
