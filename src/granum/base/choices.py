"""Names to choose from, for scenes and for the command line, whose help must not wait for heavy libraries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from granum.base.errors import GranumError, pick
from granum.base.extensions import found, installed, reserved, wings


class Choices(Mapping[str, str]):
    """Names that a setting takes, each with what it means; other packages add theirs by `register`.

    Names of installed packages that nobody has asked for yet are not among them: reading which there are takes time.
    """

    def __init__(self, what: str, names: Mapping[str, str], section: str = "") -> None:
        self.what = what
        """What is chosen, such as `solver`."""
        self.section = section
        """As entry points of other packages call it; empty where they add none."""
        self._names = dict(names)

    def register(self, name: str, meaning: str) -> None:
        """Let scenes and commands choose one more name; one that is taken is refused."""
        if name in self._names or reserved(self.section, name):
            raise GranumError(f"There is already a {self.what} {name!r}. Use another name.")
        self._names[name] = meaning

    def find(self, name: str) -> bool:
        """Is it one of them? If not, but an installed package adds it, that package is asked to register it."""
        return name in self or found(self._names, self.section, name)

    def pick(self, name: str) -> str:
        """The name, if it is one of them; raises with the nearest and the choice."""
        return name if self.find(name) else pick(name, self.every(), self.what)

    def every(self) -> list[str]:
        """All names, also of installed packages that nobody has asked for yet."""
        return list(dict.fromkeys([*self, *installed().get(self.section, ())]))

    def __getitem__(self, name: str) -> str:
        return self._names[name] if name in self._names else wings(self.section)[name].meaning

    def __iter__(self) -> Iterator[str]:
        return iter({**self._names, **wings(self.section)})

    def __len__(self) -> int:
        return len({**self._names, **wings(self.section)})


FORMULATIONS = Choices("formulation", {
    "newton-euler": "Cartesian coordinates of masses and rigid bodies, reactions eliminated along the graph",
    "lagrange": "generalised coordinates with multipliers",
    "scalar": "explicit scalar equations in angles, from the path matrix",
    "fundamental": "any coordinates and constraints, also singular mass matrices",
    "gibbs-appell": "quasi-velocities, for nonholonomic systems",
    "virtual-work": "parameters that need not be rigid-body coordinates; Coulomb friction",
}, section="formulation")
SOLVERS = Choices("solver", {
    "dop853": "Dormand-Prince 8(5,3) with error control",
    "radau": "Radau IIA of order 5, implicit, with error control: for stiff systems",
    "adams": "Adams-Bashforth-Moulton with error control",
    "rk4": "classical Runge-Kutta, fixed step",
    "rattle": "RATTLE: link lengths exact to round-off, fixed step",
}, section="solver")
"""Solvers of links, joints and formulas."""
GRAIN_SOLVERS = Choices("grain solver", {
    "moreau": "nonsmooth time stepping: rigid grains, impulses, Coulomb friction",
    "soft": "penalty method: springs, dashpots and sliders",
    "events": "event-driven: every impact, stick and slip located in time",
}, section="grain-solver")
"""Solvers of contact between grains."""
IMPACT_LAWS = Choices("impact law", {
    "newton": "all impacts together, by Newton's law", "sequence": "a sequence of binary impacts",
})
CONTACT_LAWS = Choices("contact law", {
    "linear": "linear spring and dashpot", "hertz": "Hertz contact with Tsuji damping",
}, section="contact-law")
FRICTION_MODELS = Choices("friction model", {
    "coulomb": "ideal dry friction, which holds at rest", "linear": "proportional to sliding up to a limit",
    "exponential": "grows with sliding by an exponential up to a limit",
})
"""How friction depends on sliding in `unilateral`."""
FORMATS = Choices("format", {
    "text": "plain text", "latex": "LaTeX", "html": "a web page", "python": "a Python module", "c": "a C file",
})
"""How equations are written."""
PROGRAMS = ("python", "c")
"""Formats that are programs."""
EXPORTS = Choices("format", {
    "vtk": "ParaView, VisIt", "csv": "tables", "npz": "NumPy", "html": "interactive web page",
    "mp4": "film", "gif": "film", "webp": "film", "png": "picture", "fclib": "contact problem of a step",
})
"""Formats of exported runs."""
CONTACT_METHODS = Choices("contact-method", {
    "auto": "chosen as it goes", "nsgs": "Gauss-Seidel", "accelerated": "symmetric Gauss-Seidel, extrapolated",
    "newton": "Alart-Curnier, sparse factors", "admm": "alternating directions, sparse factors",
})
"""Solvers of contact problems that are given by their matrix."""


def one_of(names: Iterable[str]) -> str:
    """The choice in words: `text, latex or c`."""
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last


def explained(choices: Mapping[str, str]) -> str:
    """The choice with meanings: `vtk (ParaView), csv (tables) or npz (NumPy)`."""
    return one_of(f"{name} ({meaning})" for name, meaning in choices.items())
