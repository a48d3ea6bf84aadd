"""Agglomerates at the start: grains of a pattern, or parts of a clump, that bonds hold together."""

from __future__ import annotations

from collections.abc import Container

import numpy as np

from granum.base.errors import did_you_mean
from granum.base.kernels import Floats, Ints
from granum.base.space import displacements
from granum.grains.aggregates.networks import components
from granum.grains.aggregates.parts import Bonds, Parts
from granum.grains.aggregates.regrouping import regroup
from granum.grains.generation.finder import PLAIN, Finder
from granum.grains.search.neighbours import overlapping
from granum.grains.state import FIRST, SECOND
from granum.model.clumps import Clump
from granum.model.grains import Grains as Pattern
from granum.state.table import R

DEEPEST = 0.1
"""Overlap of bonded parts that is let pass, in radii of the smaller: once the bond breaks, they push each other off."""


def check_bonds(find: Finder) -> None:
    """Note what bonds are among that they cannot join."""
    scene, seen = find.scene, set[str]()
    for name, bond in scene.bond.items():
        place, among = f"bond.{name}.among", bond.among
        pattern, body = scene.pattern.get(among), scene.body.get(among)
        if pattern is None and body is None:
            find.problem(place, f'there is no pattern or clump "{among}".',
                         did_you_mean(among, [*scene.pattern, *scene.body], "pattern"))
        elif body is not None and not isinstance(body, Clump):
            find.problem(place, f'"{among}" is a {body.kind}, which has only one part.', "Use a clump.")
        elif body is not None and among in find.held:
            find.problem(place, f'"{among}" is joined to something else, by a joint, a link or a wall of its own.',
                         "Remove the bond: such a body cannot break.")
        elif isinstance(pattern, Pattern) and (pattern.shape or "disk") not in PLAIN:
            find.problem(place, f'the grains of "{among}" have the shape {pattern.shape}.',
                         "Bond disks or spheres, or the parts of a clump.")
        elif isinstance(pattern, Pattern) and not pattern.rotation:
            find.problem(place, f'the grains of "{among}" do not rotate, but an agglomerate does.',
                         "Remove rotation = false.")
        if among in seen:
            find.problem(place, f'"{among}" already has bonds.', "Give only one bond entry for each pattern or clump.")
        seen.add(among)


def bond_together(find: Finder, parts: Parts, groups: list[str], bonded: Container[str] = ()) -> None:
    """Find the pairs that bonds join, and make one body of all that they hold together; what is bonded already stays
    as it is.
    """
    pairs, entries = [parts.bonds.pair], [parts.bonds.entry]
    for k, (name, bond) in enumerate(find.scene.bond.items()):
        if bond.among in bonded:
            continue
        rows = np.flatnonzero(parts.group == groups.index(bond.among))
        touches = rows[touching(parts.x[rows], bond.gap_ratio)]
        x, (i, j) = parts.x, touches.T
        apart = np.linalg.norm(displacements(x[i, :3], x[j, :3]), axis=1)
        deep = x[i, R] + x[j, R] - apart > DEEPEST * np.minimum(x[i, R], x[j, R])
        label = components(parts.count, touches)[rows]
        if deep.any():
            find.problem(f"bond.{name}.among", f'parts of "{bond.among}" overlap by more than {DEEPEST:g} radii, so '
                                               "they would fly apart when their bond breaks.", "Use parts that touch.")
        if not len(touches):
            find.problem(f"bond.{name}.gap_ratio",
                         f'no two grains of "{bond.among}" touch within {bond.gap_ratio:g} radii.',
                         "Use a larger gap_ratio, or grains that touch (arrangement lattice or dense).")
        elif bond.among in find.scene.body and label.min() < label.max():
            find.problem(f"bond.{name}.among", f'the clump "{bond.among}" is not connected by bonds: it consists of '
                                               f"{len(np.unique(label))} "
                                               "pieces.", "Use a larger gap_ratio, or parts that touch.")
        pairs.append(np.sort(parts.number[touches], axis=1))
        entries.append(np.full(len(touches), k, np.int32))
        regroup(parts, rows, np.unique(label, return_inverse=True)[1], find.dimension)
    find.raise_if_any()
    pair, entry = np.concatenate(pairs), np.concatenate(entries)
    order = np.lexsort((pair[:, SECOND], pair[:, FIRST]))
    mean = np.zeros((len(pair), 6))
    mean[: len(parts.bonds.mean)] = parts.bonds.mean
    parts.bonds = Bonds(pair[order], entry[order], np.full(len(pair), np.inf), mean[order])


def touching(x: Floats, reach: float) -> Ints:
    """(n, 2): rows with a gap of at most `reach` radii of the smaller."""
    wide = x.copy()
    wide[:, R] *= 1.0 + reach
    i, j = overlapping(wide).T
    gap = np.linalg.norm(displacements(x[i, :3], x[j, :3]), axis=1) - x[i, R] - x[j, R]
    near = gap <= reach * np.minimum(x[i, R], x[j, R])
    return np.column_stack([i[near], j[near]])
