"""Singular positions: what every formulation says where constraints lose their independence along a motion."""

from __future__ import annotations

from collections.abc import Iterable


def singular_position(t: float, constraints: Iterable[str], drives: Iterable[str] = ()) -> str:
    """What is wrong in a singular position.

    Args:
        t: [s].
        constraints: names of those that carry the self-stress σ, Jᵀσ = 0.
        drives: those of them that follow a motion of time. As Jv = -φ_t, no velocity follows them where σᵀφ_t ≠ 0.
    """
    moving = ", ".join(drives)
    blocked = f" The bars and joints cannot follow {moving} beyond this position." if moving else ""
    return (f"at t = {t:g} s the system passes a singular position: the constraints {', '.join(constraints)} are no "
            f"longer independent there, and several motions may follow, or none.{blocked} Change the start, the lengths "
            "or the drives so that the motion avoids it.")
