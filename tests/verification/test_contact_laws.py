"""A law of soft contact from outside the package: one class, one call of `register`."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import granum as gr
from granum.base.choices import CONTACT_LAWS
from granum.contact.penalty.laws import law as laws
from granum.contact.penalty.laws.hertz import Hertz
from granum.contact.penalty.laws.linear import Linear
from granum.grains.tables import compile_tables
from messages import refused
from soft_grains import energy, grains_of, run, soft_grains

R, DENSITY, ADHESION = 0.01, 2500.0, 0.02
MASS = DENSITY * 4.0 / 3.0 * math.pi * R**3
FLOOR = {"floor": {"kind": "plane", "position": (0.0, 0.0, 0.0), "normal": (0.0, 0.0, 1.0)}}


class Copied(Hertz):
    """The law of Hertz, called by its address."""

    name, code = "copied hertz", laws.BY_ADDRESS


class Adhesive(Linear):
    """Linear springs that pull with a constant force as long as grains touch (as in DMT's theory)."""

    name, code = "adhesive", laws.BY_ADDRESS

    @staticmethod
    def springs(pair: Any, radius: float, overlap: float) -> laws.Springs:
        """F = k δ - A."""
        return (pair.stiffness * overlap - 0.02, pair.stiffness, pair.shear, -0.02,
                0.5 * pair.stiffness * overlap * overlap - 0.02 * overlap)


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    """Both laws, for one test."""
    for law in (Copied(), Adhesive()):
        laws.register(law)
    yield
    for name in ("copied hertz", "adhesive"):
        del laws._LAWS[name]
        del CONTACT_LAWS._names[name]


def bed(law: str) -> Any:
    """Spheres that fly into each other, with everything that a contact has."""
    random = np.random.default_rng(3)
    lattice = np.stack(np.meshgrid(*[np.arange(3.0)] * 3), axis=-1).reshape(-1, 3) * 2.3 * R
    x = lattice + random.uniform(-0.1, 0.1, lattice.shape) * R
    v = -20.0 * (x - x.mean(axis=0)) + random.normal(0.0, 0.05, x.shape)
    return soft_grains(grains_of(x, random.uniform(0.7, 1.0, len(x)) * R, v),
                       {"friction": 0.4, "restitution": 0.5, "rolling_friction": 0.05, "young_modulus": 1e8}, law=law)


def test_a_law_by_its_address_is_the_same_law() -> None:
    """Hertz compiled into the step and Hertz by its address agree to round-off."""
    one, two = bed("hertz"), bed("copied hertz")
    for solver in (one, two):
        run(solver, 1500, 1e-5)
    assert one.neighbour_list.grains.x == pytest.approx(two.neighbour_list.grains.x, abs=1e-9)
    assert energy(one) == pytest.approx(energy(two), rel=1e-6)
    assert one.totals == pytest.approx(two.totals, rel=1e-5, abs=1e-12)


def test_adhesion_holds_a_grain() -> None:
    """It hangs from a ceiling while m g < A, falls when m g > A, and energy is conserved without dashpots."""
    for g, holds in ((0.9 * ADHESION / MASS, True), (1.1 * ADHESION / MASS, False)):
        grains = grains_of([[0.0, 0.0, R - 1e-12]], R)
        solver = soft_grains(grains, {"restitution": 1.0, "stiffness": 1e3}, FLOOR, (0.0, 0.0, g), law="adhesive")
        before = energy(solver)
        run(solver, 20000, 2e-6)
        assert (solver.neighbour_list.grains.x[0, 2] < R) == holds
        assert energy(solver) == pytest.approx(before, abs=1e-9)
    grains = grains_of([[0.0, 0.0, R]], R)
    solver = soft_grains(grains, {"restitution": 0.2, "stiffness": 1e3}, FLOOR, (0.0, 0.0, -9.81), law="adhesive")
    run(solver, 20000, 1e-5)
    assert R - solver.neighbour_list.grains.x[0, 2] == pytest.approx((MASS * 9.81 + ADHESION) / 1e3, rel=1e-6)


def test_scenes_name_a_registered_law() -> None:
    """`run.contact_law` takes its name, and refuses one that nobody has registered."""
    def scene(law: str) -> gr.Scene:
        return gr.Scene(material={"stuff": {"restitution": 0.5}}, boundary=FLOOR,
                        body={"ball": {"kind": "sphere", "radius": R, "mass": MASS}},
                        start={"ball": {"position": (0.0, 0.0, 1.01 * R)}},
                        run={"solver": "soft", "contact_law": law, "until": 1e-3})

    assert len(gr.simulate(scene("adhesive")).t) > 1
    with refused((gr.SceneError, ValueError), "linear, hertz, copied hertz, adhesive"):
        scene("glue")


def test_a_name_is_given_once() -> None:
    """A second law of one name is refused."""
    with refused(gr.GranumError, '"adhesive"'):
        laws.register(Adhesive())


def test_parameters_are_those_of_the_law() -> None:
    """An outside law computes its own parameters: springs in series, or what a pair says."""
    scene = gr.Scene(material={"soft": {"stiffness": 1e4}, "hard": {"stiffness": 3e4}, "other": {}},
                     pair={"given": {"between": ("soft", "other"), "stiffness": "7 N/mm"}})
    parameters = Adhesive().parameters(compile_tables(scene))
    assert parameters["stiffness"][0, 1] == pytest.approx(1.5e4)
    assert parameters["stiffness"][0, 0] == 1e4 and parameters["stiffness"][2, 0] == 7e3
    assert parameters["shear"] == pytest.approx(2.0 / 7.0 * parameters["stiffness"])
