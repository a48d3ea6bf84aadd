"""What the templates `gathering` and `stepping` ask of the module that knows what moves.

`spheres` (round grains) and `bodies` (arms and inertia) have all of these functions; the templates are compiled once
with each of them in the place of `mechanics`. The type checker compares both modules with this list. An editor that
follows `mechanics.solve_contact` in a template arrives here: the functions of that name in `spheres` and `bodies` are
what runs.

Symbols: s is the number of a slab, c that of a contact, i and j are the rows of its first and second body, h is the
step [s]. `state` is `spheres.Spheres` or `bodies.Bodies`.
"""

from __future__ import annotations

from typing import Protocol, TypeVar

from granum.base.kernels import Floats, Record, Records
from granum.base.vectors import Vector
from granum.contact.problem import Limits, Problem, Step
from granum.grains.geometry.elements import Boundaries
from granum.grains.search.neighbour_list import Neighbours

State = TypeVar("State", contravariant=True)
First = TypeVar("First")
Joints = TypeVar("Joints", contravariant=True)


class Mechanics(Protocol[State, First, Joints]):
    """A module of kernels: the state of what moves, one contact, and joints.

    `First` is the first body of some contacts while these are swept: `spheres` keeps it in registers, to `bodies` it is
    the number of its row.
    """

    # ---- one contact

    def relative_velocity(self, state: State, problem: Problem, v: Floats, c: int, /) -> Vector:
        """The velocity of j against i at a contact, with velocities v [m/s]."""

    def boundary_velocity(self, state: State, problem: Problem, c: int, /) -> Vector:
        """Velocity of the boundary of a contact where it is touched, mean of beginning and end of the step [m/s]."""

    def angular_velocity(self, state: State, v: Floats, i: int, /) -> Vector:
        """ω of a row, with velocities v [rad/s]."""

    def contact_radius(self, state: State, problem: Problem, c: int, /) -> float:
        """The smaller radius of a contact [m]."""

    def rolling_mass(self, state: State, problem: Problem, c: int, /) -> float:
        """1/W of rotation across the normal of a contact [kg m²]."""

    def push_both(self, state: State, i: int, j: int, contact: Record, P: Vector, /) -> None:
        """Impulse P on j and -P on i, where they touch [N s]."""

    def twist(self, state: State, i: int, j: int, tx: float, ty: float, tz: float, /) -> None:
        """Angular impulse T on j and -T on i [N m s]."""

    # ---- gathering contacts

    def centre_velocity(self, state: State, i: int, /) -> Vector:
        """Velocity of the centre of grain or part i at the beginning of the step [m/s]."""

    def mover_of(self, state: State, i: int, /) -> int:
        """The row of what moves grain or part i."""

    def boundary_reach(self, state: State, i: int, row: int, out: Floats, h: float, /) -> float:
        """Gap up to which a boundary may be met in the step [m]; `out` as `touch` wrote it."""

    def far_apart(self, state: State, i: int, j: int, dx: float, dy: float, dz: float, d2: float, h: float, /) -> bool:
        """Are grains or parts i and j, apart by d, too far from each other to meet in the step?"""

    def set_surface(self, state: State, row: int, contact: Record, element: Record, out: Floats, /) -> None:
        """Write the velocity of a boundary where it is touched into its row."""

    def set_masses(self, state: State, problem: Problem, c: int, i: int, radius: float, /) -> None:
        """Set the effective masses of a contact of grain or part i; `radius` is the smaller one [m]."""

    def separate(self, state: State, problem: Problem, c: int, radius: float, /) -> None:
        """Correct a part of the overlap of a contact."""

    # ---- sweeps

    def take(self, state: State, i: int, /) -> First:
        """Row i as the first of some contacts."""

    def give_back(self, state: State, i: int, first: First, /) -> None:
        """Write back what its contacts have changed."""

    def solve_contact(self, state: State, contact: Record, first: First, j: int, target: float, small: float,
                      /) -> tuple[First, bool]:
        """Normal impulse and friction of one contact such that u_n ≥ target.

        Returns the first body as it is then, and whether the contact has missed its law by more than the velocity whose
        square is `small`.
        """

    # ---- stages of a step

    def begin_slab(self, s: int, state: State, /) -> None:
        """Before the first of many steps."""

    def end_slab(self, s: int, state: State, /) -> None:
        """After the last of many steps."""

    def move_boundaries(self, state: State, boundaries: Boundaries, t: float, h: float, /) -> None:
        """Boundaries as they are at time t [s], where a step begins."""

    def boundary_move(self, state: State, boundaries: Boundaries, limits: Limits, t: float, /) -> float:
        """How far a boundary has moved since the neighbour list was built, at most [m]."""

    def kick_slab(self, s: int, state: State, near: Neighbours, step: Step, extra: Floats, /) -> None:
        """Keep the state of the beginning of the step and add the velocities that gravity and loads give."""

    def drift_slab(self, s: int, state: State, problem: Problem, h: float, /) -> None:
        """Move what moves, and add what was set aside to its velocities."""

    def bounce_slab(self, s: int, state: State, near: Neighbours, elements: Records, problem: Problem, step: Step,
                    /) -> None:
        """Impacts of what touches nothing else in the step, each at its own instant."""

    def rotate_bodies(self, s: int, state: State, h: float, /) -> None:
        """Rotations of the step that are not made yet."""

    def finish_slab(self, s: int, state: State, extra: Floats, /) -> None:
        """After the sweeps."""

    # ---- joints

    def joined(self, joints: Joints, /) -> bool:
        """Are there joints, which carry a change to bodies whose contacts are not swept?"""

    def sweeps_before_move(self, joints: Joints, /) -> int:
        """How often contacts are swept before the move."""

    def begin_joints(self, joints: Joints, state: State, t: float, h: float, /) -> None:
        """Joints and loads where the step begins."""

    def shift_joints(self, joints: Joints, state: State, /) -> None:
        """Moves that correct the errors of joints, and impulses before the first sweep."""

    def close_joints(self, joints: Joints, state: State, /) -> None:
        """Impulses of joints in the sweeps before the move."""

    def relax_joints(self, joints: Joints, state: State, sweep: int, small: float, /) -> int:
        """Impulses of joints in the sweeps after the move; returns how many bodies they change by more than √small."""

    def remember_joints(self, joints: Joints, /) -> None:
        """Keep the impulses of joints before the first symmetric sweep."""

    def extrapolate_joints(self, joints: Joints, beta: float, /) -> None:
        """Change the impulses of joints by beta times their last change."""

    def account_joints(self, joints: Joints, state: State, h: float, /) -> None:
        """Work of drives and loads over a step."""
