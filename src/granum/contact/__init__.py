"""Contact: the problem, its residual, and one folder or file per solver; contact problems from files (`gr.contact`).

>>> "load_problem" in dir(gr.contact)
True
"""

from __future__ import annotations

from typing import Any

from granum.base.offers import load as _load

_PLACES = {
    "ContactProblem": "granum.contact.conic.problem:ContactProblem",
    "Solution": "granum.contact.conic.solvers:Solution",
    "load_problem": "granum.contact.conic.files:load_problem",
    "solve_problem": "granum.contact.conic.solvers:solve_problem",
}
__all__ = [*_PLACES]


def __getattr__(name: str) -> Any:
    if name in _PLACES:
        return _load(_PLACES[name])
    raise AttributeError(f"module 'granum.contact' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
