"""Where one-sided links are not supported."""

from __future__ import annotations

from granum.base.errors import Problem, SceneError
from granum.model.scene import Scene


def refuse_one_sided(scene: Scene, by: str, remedy: str = "") -> None:
    """Refuse a scene with one-sided links, which something would take for links that push and pull."""
    if problems := one_sided_problems(scene, by, remedy):
        raise SceneError(problems)


def refuse_by_formulas(scene: Scene) -> None:
    """Refuse one-sided links where formulas are run, before a start has to satisfy them as links that push and pull."""
    own = scene.formulation
    refuse_one_sided(scene, f"formulation {own}{' of rigid bodies' if own in ('lagrange', 'scalar') else ''}")


def one_sided_problems(scene: Scene, by: str, remedy: str = "") -> list[Problem]:
    """A problem for each one-sided link of a scene: `by` does not support it."""
    return [Problem(f"link.{name}.one_sided", f"{by} does not support one-sided links.",
                    remedy or 'Remove one_sided, or run the scene with formulation = "newton-euler".')
            for name, link in scene.link.items() if link.sense]
