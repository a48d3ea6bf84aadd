"""Bodies of several parts that go on as a frame of an earlier run left them.

The scene says masses, materials and shapes, the frame where bodies are and how they move. Grains that bonds hold
together or that have merged are in the bodies that the frame names, pieces of broken ones included.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from granum.base.kernels import Floats, Ints
from granum.grains.aggregates.bonds import rows_of
from granum.grains.aggregates.parts import Bonds, Parts
from granum.grains.aggregates.regrouping import gather_bodies, regroup
from granum.grains.generation.clumps import body_of_scene
from granum.grains.generation.finder import PLAIN, Finder
from granum.grains.generation.kinds import GrainKind
from granum.grains.generation.restart import QUATERNION, EarlierBodies, EarlierGrains
from granum.grains.orientation import as_quaternions
from granum.grains.state import FIRST, SECOND
from granum.model.start import Start
from granum.state.rotation import world_inertia
from granum.state.table import DOUBLE_TURNS, IM, KM, QA, WX, R

SAME = 1e-6
"""How far parts of a body may be from where the scene says, in reaches of the body: large frames are rounded."""


def take_over_bodies(find: Finder, parts: Parts, earlier: EarlierGrains, kinds: Mapping[str, GrainKind],
                     groups: list[str], start: Mapping[str, Start]) -> None:
    """Add the bodies of an earlier run, which have the starts of its frame."""
    assert earlier.bodies is not None
    bonded = {bond.among for bond in find.scene.bond.values()} & set(earlier.bonds)
    place = {name: group for group, name in enumerate(groups)}
    made = [_pattern(find, earlier, name, kinds[name], place[name]) if name in kinds else
            _body(find, earlier, name, start.get(name), place[name], name in bonded)
            for name in earlier.groups if earlier.has(name)]
    parts.append(*(added for added in made if added is not None))
    find.raise_if_any()
    _gather(find, parts, earlier, bonded)
    _keep_bits(parts, earlier)
    _bond(find, parts, earlier, bonded)
    if find.scene.run.merge_clusters and earlier.held is not None:
        parts.held = earlier.held
    parts.follow()


def _body(find: Finder, earlier: EarlierGrains, name: str, start: Start | None, group: int,
          bonded: bool) -> Parts | None:
    """A body of the scene, which may be in pieces where bonds held it."""
    assert earlier.bodies is not None
    rows, owners = earlier.of(name), earlier.body_rows(name)
    made = body_of_scene(find, name, start, group, int(earlier.bodies.number[owners[0]]))
    if made is None:
        return None
    if len(owners) > 1 and not bonded:
        find.problem(f"body.{name}", f"is in {len(owners)} pieces in the frame that the scene starts from.",
                     "Give the same bonds as in that run, or start from a frame before it broke.")
        return None
    if made.count != len(rows) or np.any(made.x[:, R] != earlier.x[rows, R]) or (
            not bonded and _displaced(made, earlier.bodies.arm[rows])):
        find.problem(f"body.{name}", "has other parts than in the run that the scene starts from.",
                     "Give the same parts and radii.")
        return None
    made.number = earlier.number[rows].astype(np.int64)
    _set_state(made, earlier.bodies, owners[:1])
    given = earlier.given.get(name)
    if given is not None and given.position is not None:
        made.bodies.pose[:, :3] = find.vector(f"start.{name}.position", given.position)
    if len(rows) and not bonded:
        made.local_orientation = earlier.local_orientation[rows]
    made.follow()
    return made


def _displaced(made: Parts, arm: Floats) -> bool:
    """Are parts elsewhere in their bodies than the scene says?"""
    apart = np.linalg.norm(made.arm - arm, axis=1)
    return bool(np.any(apart > SAME * made.bodies.pose[made.body, R]))


def _pattern(find: Finder, earlier: EarlierGrains, name: str, kind: GrainKind, group: int) -> Parts | None:
    """Grains of a pattern or source; of round ones each is a body at first."""
    bodies, rows = earlier.bodies, earlier.of(name)
    assert bodies is not None
    shape, template, owners = kind.shape, kind.template, earlier.body_rows(name)
    each = len(template.radii)
    if shape not in PLAIN:
        of_each = bodies.of_part[rows]
        order = np.lexsort((earlier.number[rows], bodies.number[of_each]))
        rows = rows[order]
        if np.any(bodies.sizes[owners] != each):
            _refuse_shape(find, name)
            return None
    radii = earlier.x[rows[::each], R] / template.radii[0]
    if np.any(np.abs((radii[:, None] * template.radii).ravel() - earlier.x[rows, R]) > SAME * earlier.x[rows, R]):
        _refuse_shape(find, name)
        return None
    first, quaternion = rows[::each], as_quaternions(earlier.orientation[rows[::each]])
    home = bodies.of_part[first]
    alone = bodies.sizes[home] == each
    made = kind.made(0.0, earlier.x[first, :3], radii, np.zeros(3), group, 0, lambda: quaternion)
    assert isinstance(made, Parts)
    made.number = earlier.number[rows].astype(np.int64)
    made.x[:, R] = earlier.x[rows, R]
    made.bodies.number = made.number[::each].copy()
    made.bodies.motion[:, :3] = earlier.velocity[first]
    made.bodies.motion[:, WX:KM] = bodies.angular_velocity[home]
    _set_state(made, bodies, home, np.flatnonzero(alone))
    made.local_orientation = np.where(np.repeat(alone, each)[:, None], earlier.local_orientation[rows],
                                      made.local_orientation)
    if shape not in PLAIN and _displaced(made, bodies.arm[rows]):
        _refuse_shape(find, name)
        return None
    made.follow()
    return made


def _refuse_shape(find: Finder, name: str) -> None:
    find.problem(f"{'pattern' if name in find.scene.pattern else 'source'}.{name}.shape",
                 "differs from that in the run that the scene starts from.", "Give the same shape.")


def _set_state(made: Parts, bodies: EarlierBodies, owners: Ints, which: Ints | None = None) -> None:
    """Put bodies where those of the rows `owners` of the frame are, with their velocities; of some of them only."""
    own = made.bodies
    which = np.arange(own.count) if which is None else which
    owners = owners[which]
    own.number[which] = bodies.number[owners]
    own.pose[which, :3], own.pose[which, QA:] = bodies.pose[owners, :3], bodies.pose[owners, QUATERNION:]
    own.motion[which, :3], own.motion[which, WX:KM] = bodies.velocity[owners], bodies.angular_velocity[owners]
    own.motion[which, DOUBLE_TURNS] = bodies.double_turns[owners]
    world_inertia(own.pose, own.inertia, own.motion)


def _gather(find: Finder, parts: Parts, earlier: EarlierGrains, bonded: set[str]) -> None:
    """Make one body of grains that are in one in the frame: where bonds hold them, or as merged clusters."""
    bodies, dimension = earlier.bodies, find.dimension
    assert bodies is not None
    chosen = np.isin(earlier.group, [earlier.groups.index(name) for name in bonded])
    if find.scene.run.merge_clusters and earlier.held is not None:
        chosen |= np.isin(earlier.number, earlier.held.pair)
    rows = np.flatnonzero(chosen)
    if not len(rows):
        return
    owners, label = np.unique(bodies.of_part[rows], return_inverse=True)
    own = rows_of(parts, earlier.number[rows])
    order = np.argsort(own)
    regroup(parts, own[order], label[order], dimension)
    own, arm, count = rows_of(parts, earlier.number[rows]), bodies.arm[rows], len(owners)
    at, gathered = np.zeros(count, np.int64), parts.bodies
    at[label] = parts.body[own]
    made = gather_bodies(parts, own, label, arm, bodies.pose[owners, :3], bodies.pose[owners, QUATERNION:],
                         bodies.velocity[owners], bodies.angular_velocity[owners], bodies.double_turns[owners],
                         bodies.number[owners], gathered.group[at], dimension)
    gathered.pose[at], gathered.motion[at], gathered.inertia[at], gathered.number[at] = (
        made.pose, made.motion, made.inertia, made.number)
    parts.arm[own], parts.local_orientation[own] = arm, earlier.local_orientation[rows]


def _keep_bits(parts: Parts, earlier: EarlierGrains) -> None:
    """Masses and arms of the run to the last digit, where the scene says the same about them."""
    bodies, own = earlier.bodies, parts.bodies
    if bodies is None or (exact := bodies.exact) is None:
        return
    order = np.argsort(bodies.number, kind="stable")
    at = order[np.searchsorted(bodies.number[order], own.number)]
    own.motion[:, IM], own.pose[:, R], own.inertia = exact.inverse[at], exact.reach[at], exact.inertia[at]
    rows = np.searchsorted(earlier.number, parts.number)
    parts.arm, parts.v[:, [IM, KM]] = bodies.arm[rows], exact.of_parts[rows]
    world_inertia(own.pose, own.inertia, own.motion)


def _bond(find: Finder, parts: Parts, earlier: EarlierGrains, bonded: set[str]) -> None:
    """Bonds of the frame that hold; those that had broken are gone."""
    kept = [(k, *earlier.bonds[bond.among]) for k, bond in enumerate(find.scene.bond.values()) if bond.among in bonded]
    if not kept:
        return
    pair, mean = (np.concatenate([entry[n] for entry in kept]) for n in (1, 2))
    entry = np.concatenate([np.full(len(own), k, np.int32) for k, own, _ in kept])
    order = np.lexsort((pair[:, SECOND], pair[:, FIRST]))
    parts.bonds = Bonds(pair[order], entry[order], np.full(len(pair), np.inf), mean[order])
