"""PointSystem and PointState: a scene as structures of arrays.

PointSystem is constant, PointState is the only thing that changes. Vectors are stored by component, x[k, body]
with k = 0, 1(, 2), so that kernels run through memory in order. Bodies and links are renumbered where that
makes chains contiguous (a fixed point that several chains share then has a slot in each);
`PointSystem.body_order` and `link_order` lead back to the order of the scene.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from granum.assembly.assembly import assembly_of
from granum.assembly.points.collect import PointArrays
from granum.base.errors import Problem, SceneError
from granum.base.kernels import Flags, Floats, Ints
from granum.base.names import Names
from granum.linear.graph import LinkGraph
from granum.loads.registry import KINDS
from granum.model.loads import Force, Gravity, Spring
from granum.model.scene import Scene
from granum.topology import Topology
from granum.topology.chains import Chains, order_along_chains


class Bodies(NamedTuple):
    """Masses as kernels see them."""

    mass: Floats
    """[kg]; infinite for fixed points."""
    weight: Floats
    """1/mass [1/kg]; zero for fixed points."""


class Links(NamedTuple):
    """Rigid links as kernels see them."""

    tail: Ints
    head: Ints
    length: Floats
    """[m]"""


class Loads(NamedTuple):
    """Forces as kernels see them."""

    force: Floats
    """(dimension, bodies) [N]: gravity and constant forces together."""
    tail: Ints
    """Spring ends."""
    head: Ints
    stiffness: Floats
    """[N/m]"""
    rest_length: Floats
    """[m]"""
    damping: Floats
    """[N s/m]"""


class StateArrays(NamedTuple):
    """The arrays of a PointState as kernels see them; they change them in place."""

    x: Floats
    v: Floats
    gamma: Floats
    work: Floats
    corrected: Floats


@dataclass
class PointState:
    """What changes: positions, velocities, link forces and the work of dampers, at one time."""

    t: float
    x: Floats
    """(dimension, bodies) [m]"""
    v: Floats
    """(dimension, bodies) [m/s]"""
    gamma: Floats
    """Link forces, tension positive [N]."""
    work: Floats
    """Work done so far by the damper of each spring [J]."""
    corrected: Floats
    """Energy that position, velocity and energy corrections have added so far [J]."""

    @property
    def arrays(self) -> StateArrays:
        """The arrays for kernels."""
        return StateArrays(self.x, self.v, self.gamma, self.work, self.corrected)

    def copy(self) -> PointState:
        """An independent copy."""
        return PointState(self.t, *(array.copy() for array in self.arrays))


@dataclass(frozen=True)
class PointSystem:
    """A compiled scene."""

    scene: Scene
    dimension: int
    bodies: Bodies
    links: Links
    loads: Loads
    body_names: Names
    link_names: Names
    body_order: Ints
    """Scene number of the body in each slot of the arrays; a fixed point may have several slots."""
    link_order: Ints
    """Scene number of each link of the arrays."""
    is_chain: bool
    """Every body has at most two links and there is no loop but through fixed points: links and bodies
    are numbered along the chains."""
    chains: Chains
    """The chains, where it is one or several."""
    senses: Ints
    """`Link.sense` of each link: 0 for those that push and pull, +1 and -1 for one-sided ones."""
    restitution: Floats
    """Of each link; zero for those that push and pull."""
    forest: Topology | None = None
    """The topology where it follows from an earlier one; otherwise it is built when asked for."""

    @property
    def body_count(self) -> int:
        """Slots for bodies, fixed points included."""
        return len(self.bodies.mass)

    @property
    def link_count(self) -> int:
        """Links."""
        return len(self.links.tail)

    @property
    def graph(self) -> LinkGraph:
        """The links as rows of H."""
        return LinkGraph(self.bodies.weight, self.links.tail, self.links.head)

    @cached_property
    def fixed(self) -> Flags:
        """Which bodies are fixed points."""
        return np.isinf(self.bodies.mass)

    @cached_property
    def body_rank(self) -> Ints:
        """Slot in the arrays of each body of the scene."""
        return _first_slots(self.body_order)

    @cached_property
    def link_rank(self) -> Ints:
        """Number in the arrays of each link of the scene."""
        return np.argsort(self.link_order)

    @cached_property
    def nodes(self) -> Ints:
        """Node of the topology of each body: fixed points are the ground."""
        movable = ~self.fixed
        nodes = np.cumsum(movable) - 1
        nodes[~movable] = np.count_nonzero(movable)
        return nodes

    @cached_property
    def topology(self) -> Topology:
        """The graph, all fixed points taken together as the ground."""
        return Topology(*self.node_ends) if self.forest is None else self.forest

    @property
    def node_ends(self) -> tuple[int, Ints, Ints]:
        """Number of nodes of the topology without the ground, and nodes at the tails and heads of the links."""
        return int(np.count_nonzero(~self.fixed)), self.nodes[self.links.tail], self.nodes[self.links.head]

    @cached_property
    def one_sided(self) -> Ints:
        """Numbers of the one-sided links."""
        return np.flatnonzero(self.senses)

    def with_links(self, chosen: Ints, topology: Topology) -> PointSystem:
        """The same bodies with some of the links, numbered anew in their order; `topology` has these links alone."""
        own, none = self.links, np.zeros(0, dtype=np.int64)
        links = Links(own.tail[chosen], own.head[chosen], own.length[chosen])
        whole = len(chosen) == self.link_count
        return replace(
            self, links=links, link_order=self.link_order[chosen], senses=self.senses[chosen],
            restitution=self.restitution[chosen], forest=topology.renumbered(chosen),
            # what is left of chains may have loose bodies between them, which chains cannot have
            is_chain=self.is_chain if whole else not len(chosen), chains=self.chains if whole else Chains(*(none,) * 3))

    def initial_state(self, found: Mapping[str, tuple[Floats, Floats]] | None = None) -> PointState:
        """The start that the scene gives, without link forces.

        found: positions and velocities of bodies that stand in the place of those, by name.
        """
        assembly = assembly_of(self.scene).points
        position, velocity = assembly.position, assembly.velocity
        if found is not None:
            position, velocity = position.copy(), velocity.copy()
            for number, name in enumerate(assembly.body_names):
                if name in found:
                    position[number], velocity[number] = found[name]
        return PointState(
            0.0, np.ascontiguousarray(position[self.body_order].T), np.ascontiguousarray(velocity[self.body_order].T),
            np.zeros(self.link_count), np.zeros(len(self.loads.stiffness)), np.zeros(3),
        )

    def link_name(self, link: int) -> str:
        """Name of a link of the arrays."""
        return self.link_names[int(self.link_order[link])]

    def body_name(self, body: int) -> str:
        """Name of a body of the arrays."""
        return self.body_names[int(self.body_order[body])]


def compile_points(scene: Scene) -> tuple[PointSystem, PointState]:
    """Compile a scene; raises SceneError with everything that is wrong with it."""
    assembly = assembly_of(scene).points
    if problems := [*assembly.problems, *_unknown_loads(scene)]:
        raise SceneError(problems)
    order = order_along_chains(assembly.fixed, assembly.tail, assembly.head)
    mass = assembly.mass[order.bodies]
    system = PointSystem(
        scene=scene, dimension=assembly.dimension,
        bodies=Bodies(mass, 1.0 / mass),
        links=Links(order.tail, order.head, assembly.length[order.links]),
        loads=_loads(scene, assembly, mass, _first_slots(order.bodies)),
        body_names=assembly.body_names, link_names=assembly.link_names,
        body_order=order.bodies, link_order=order.links, is_chain=order.is_chain, chains=order.chains,
        senses=assembly.senses[order.links], restitution=assembly.restitution[order.links],
    )
    return system, system.initial_state()


def _first_slots(bodies: Ints) -> Ints:
    """First slot of each body of the scene."""
    return np.unique(bodies, return_index=True)[1]


def _unknown_loads(scene: Scene) -> list[Problem]:
    """Loads on bodies that points and links have no kernel for; what acts on grains is reported elsewhere."""
    return [Problem(f"load.{name}", f'kind "{load.kind}" is not supported by {scene.formulation} for points and links.',
                    'Use [run] formulation = "fundamental".')
            for name, load in scene.load.items() if type(load) in KINDS and type(load) not in (Gravity, Force, Spring)]


def _loads(scene: Scene, assembly: PointArrays, mass: Floats, rank: Ints) -> Loads:
    """Gravity and constant forces summed per body, springs as arrays."""
    force = np.zeros((assembly.dimension, len(mass)))
    movable = np.isfinite(mass)
    for load in scene.load.values():
        if isinstance(load, Gravity):
            force[:, movable] += np.outer(load.acceleration, mass[movable])
        elif isinstance(load, Force):
            number = assembly.body_names.find(load.on)
            assert number is not None  # collect_points() has reported it otherwise
            force[:, rank[number]] += load.force
    springs = [(name, load) for name, load in scene.load.items() if isinstance(load, Spring)]
    ends = [assembly.spring_ends[name] for name, _ in springs]
    return Loads(
        force,
        rank[np.array([end[0] for end in ends], dtype=np.int64)],
        rank[np.array([end[1] for end in ends], dtype=np.int64)],
        np.array([spring.stiffness for _, spring in springs], dtype=float),
        np.array([end[2] for end in ends], dtype=float),
        np.array([spring.damping for _, spring in springs], dtype=float),
    )
