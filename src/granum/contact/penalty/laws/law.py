"""What a law of soft contact is, and the laws that scenes may name.

A law says how the springs of a contact resist an overlap δ. Dashpots, sliders and steps are the same for all laws. Its
heart is a function of scalars

    springs(stiffness, shear, radius, overlap) → force, slope, shear stiffness, lowest force, energy

with the moduli of the two materials (`moduli`), R* = r_i r_j/(r_i + r_j) (r at a boundary) and the overlap δ ≥ 0. It
gives the elastic force F(δ) [N], dF/dδ [N/m], the stiffness k_t of the tangential spring [N/m], the least normal force
[N] (0 where contacts do not pull, -A where grains adhere with a force A), and the energy ∫ F dδ [J]. Coulomb's
limit is μ times the excess of the normal force over the lowest one (Thornton, J. Phys. D 24 (1991) 1942).

To add a law, write one file with a subclass of `ContactLaw` and call `register` with an instance: `run.contact_law`
then takes its name. Its `springs` are compiled as a C function that steps call by its address. The laws of Granum are
part of the step itself, which saves that call.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, cast

import numba
import numpy as np

from granum.base.choices import CONTACT_LAWS
from granum.base.errors import GranumError
from granum.base.kernels import Floats
from granum.base.pointers import RATES, carray
from granum.model.materials import Material

LINEAR, HERTZ, BY_ADDRESS = range(3)
"""How steps find the springs of a law: two are compiled into them."""

Springs = tuple[float, float, float, float, float]


class ContactLaw(ABC):
    """How contacts resist an overlap."""

    name: str
    """As scenes call it."""
    meaning: str = "a law from outside the package"
    """In a few words, for lists of choices."""
    code: int = BY_ADDRESS
    critical: float = 2.0
    """d in c = d √(S m_n) where the damping ratio is 1; S is the slope of the elastic force."""
    nonlinear: bool = True
    """Does the stiffness change with the overlap? Then the duration of an impact depends on its speed."""

    @staticmethod
    @abstractmethod
    def springs(stiffness: float, shear: float, radius: float, overlap: float) -> Springs:
        """Force, slope, shear stiffness, lowest force and energy; Numba compiles it."""

    @abstractmethod
    def moduli(self, materials: Sequence[Material]) -> tuple[Floats, Floats]:
        """(materials, materials) each: `stiffness` and `shear` of `springs` between every two materials."""

    @abstractmethod
    def duration(self, stiffness: float, w_n: float, curvature: float, speed: float) -> tuple[float, float]:
        """Duration of an elastic impact [s] and its highest frequency √(S/m_n) [rad/s].

        w_n = 1/m_n [1/kg], curvature = 1/R* [1/m], speed of the fastest impact [m/s].
        """

    def wave_times(self, materials: Sequence[Material]) -> Floats:
        """(materials,): times r √ρ, the time a wave needs across a grain [1/√Pa]; ∞ where steps need not care."""
        return np.full(len(materials), np.inf)

    @cached_property
    def _function(self) -> Any:
        springs: Callable[..., Springs] = cast(Any, numba).njit(error_model="numpy")(type(self).springs)

        def call(overlap: float, pair_: Any, out_: Any, _: Any) -> int:
            pair, out = carray(pair_, 3), carray(out_, 5)
            out[0], out[1], out[2], out[3], out[4] = springs(pair[0], pair[1], pair[2], overlap)
            return 0

        return cast(Any, numba).cfunc(RATES, error_model="numpy")(call)

    @property
    def address(self) -> int:
        """Where steps find `springs`; 0 for laws that are part of them."""
        return int(self._function.address) if self.code == BY_ADDRESS else 0


_LAWS: dict[str, ContactLaw] = {}


def register(law: ContactLaw) -> None:
    """Let scenes name a law; a second one of the same name is refused."""
    if law.name in _LAWS:
        raise GranumError(f'There is already a contact law "{law.name}". Use another name.')
    _LAWS[law.name] = law
    if law.name not in CONTACT_LAWS:  # those of Granum are named there, for help that must not wait for kernels
        CONTACT_LAWS.register(law.name, law.meaning)


def contact_law(name: str) -> ContactLaw:
    """The law of a name."""
    if name not in _LAWS:
        raise GranumError(f'There is no contact law "{name}". Known: {", ".join(sorted(_LAWS))}.')
    return _LAWS[name]
