"""What a law of soft contact is, and the laws that scenes may name.

A law says how the springs of a contact resist an overlap δ. Dashpots, sliders and steps are the same for all laws. Its
heart is a function of scalars

    springs(pair, radius, overlap) → force, slope, shear stiffness, lowest force, energy

with the parameters of the two materials by name (`parameters`), R* = r_i r_j/(r_i + r_j) (r at a boundary) and the
overlap δ ≥ 0. It gives the elastic force F(δ) [N], dF/dδ [N/m], the stiffness k_t of the tangential spring [N/m], the
least normal force [N] (0 where contacts do not pull, -A where grains adhere with a force A), and the energy ∫ F dδ [J].
Coulomb's limit is μ times the excess of the normal force over the lowest one (Thornton, J. Phys. D 24 (1991) 1942).

To add a law, write one file with a subclass of `ContactLaw` and call `register` with an instance: `run.contact_law`
then takes its name. `keys` are the keys of materials that it takes; those that materials do not have yet are declared
in the same file (`granum.model.materials`). Its `springs` are compiled as a C function that steps call by its address.
The laws of Granum are part of the step itself, which saves that call.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import namedtuple
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, cast

import numba
import numpy as np
from numba.np.unsafe.ndarray import to_fixed_tuple

from granum.base.choices import CONTACT_LAWS
from granum.base.errors import GranumError, pick
from granum.base.extensions import found
from granum.base.kernels import Floats
from granum.base.pointers import RATES, carray
from granum.grains.tables import Tables
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
    keys: tuple[str, ...] = ()
    """Keys of materials that it takes, beyond those that `soft` has for every law."""
    code: int = BY_ADDRESS
    critical: float = 2.0
    """d in c = d √(S m_n) where the damping ratio is 1; S is the slope of the elastic force."""
    nonlinear: bool = True
    """Does the stiffness change with the overlap? Then the duration of an impact depends on its speed."""

    @staticmethod
    @abstractmethod
    def springs(pair: Any, radius: float, overlap: float) -> Springs:
        """Force, slope, shear stiffness, lowest force and energy; Numba compiles it."""

    def parameters(self, tables: Tables) -> Mapping[str, Floats]:
        """(materials, materials) each: the fields of `pair` between every two materials; by default its keys."""
        return {key: tables[key] for key in self.keys}

    @abstractmethod
    def duration(self, pair: Any, w_n: float, curvature: float, speed: float) -> tuple[float, float]:
        """Duration of an elastic impact [s] and its highest frequency √(S/m_n) [rad/s].

        w_n = 1/m_n [1/kg], curvature = 1/R* [1/m], speed of the fastest impact [m/s].
        """

    def wave_times(self, tables: Tables) -> Floats:
        """(materials,): times r √ρ, the time a wave needs across a grain [1/√Pa]; ∞ where steps need not care."""
        return np.full(len(tables.names), np.inf)


@cache
def pair_type(names: tuple[str, ...]) -> Any:
    """The named tuple of parameters of these names."""
    return namedtuple("pair", names)


ROOM = 6
"""Numbers that a call by address needs: the radius, then the five results."""


@cache
def springs_function(law: type[ContactLaw], names: tuple[str, ...]) -> Any:
    """The springs of a law as a C function (overlap, room, parameters, -) of signature RATES; see ROOM."""
    springs: Callable[..., Springs] = cast(Any, numba).njit(error_model="numpy")(law.springs)
    pair, count = pair_type(names), len(names)

    def call(overlap: float, room_: Any, parameters_: Any, _: Any) -> int:
        room = carray(room_, ROOM)
        room[1], room[2], room[3], room[4], room[5] = springs(pair(*to_fixed_tuple(carray(parameters_, count), count)),
                                                             room[0], overlap)
        return 0

    return cast(Any, numba).cfunc(RATES, error_model="numpy")(call)


_LAWS: dict[str, ContactLaw] = {}


def register(law: ContactLaw) -> None:
    """Let scenes name a law; a second one of the same name is refused, and so are keys that materials do not have."""
    if law.name in _LAWS:
        raise GranumError(f'There is already a contact law "{law.name}". Use another name.')
    for key in law.keys:
        pick(key, Material.model_fields, "material key")
    _LAWS[law.name] = law
    if law.name not in CONTACT_LAWS:  # those of Granum are named there, for help that must not wait for kernels
        CONTACT_LAWS.register(law.name, law.meaning)


def contact_law(name: str) -> ContactLaw:
    """The law of a name."""
    if not found(_LAWS, CONTACT_LAWS.section, name):
        raise GranumError(f'There is no contact law "{name}". Known: {", ".join(sorted(_LAWS))}.')
    return _LAWS[name]


def laws_with(key: str) -> list[str]:
    """Names of the laws that take a key of materials."""
    return [name for name, law in _LAWS.items() if key in law.keys]
