"""Kernels of the pebble game: which rows are independent, which bonds share self-stress, which move as one body.

Jacobs & Hendrickson 1997 for (2, 3), Lee & Streinu 2008 for (k, l) on multigraphs; here every node v has pebbles k_v of
its own, so that points (2) and bodies (3) mix in one plane. A set of rows is independent if every set of nodes V' with
rows among them has at most Σ k_v - l of them. A pebble is free or lies on a row at its node: `target` is the far end of
that row (-1: the pebble is free), `bond` whose row it is (-1: a stand-in, see `condense`).
"""

from __future__ import annotations

from typing import NamedTuple

from granum.base.kernels import Flags, Ints, kernel


class Board(NamedTuple):
    """State of a game, and room to search in."""

    slot: Ints
    """(n + 1,): where the pebbles of each node begin."""
    target: Ints
    bond: Ints
    free: Ints
    """(n,): free pebbles of each node."""
    seen: Ints
    """(n,): the last search that came here."""
    came: Ints
    """(n,): the node from which it came."""
    via: Ints
    """(n,): the pebble on the row along which it came."""
    queue: Ints
    mark: Ints
    """(n,): 2 c for nodes of the rigid cluster c, 2 c + 1 for nodes that move against it, as last found."""
    member: Ints
    """Nodes of the cluster that is growing."""
    searches: Ints
    """[0]: number of the last search."""


@kernel
def find(board: Board, u: int, barred: int) -> int:
    """The nearest node with a free pebble along rows that lead away from u past the barred node, or -1."""
    slot, target, free, seen, came, via, queue = (
        board.slot, board.target, board.free, board.seen, board.came, board.via, board.queue)
    board.searches[0] += 1
    number = board.searches[0]
    seen[u] = number
    if barred >= 0:
        seen[barred] = number
    queue[0] = u
    done, size = 0, 1
    while done < size:
        node = queue[done]
        done += 1
        for s in range(slot[node], slot[node + 1]):
            far = target[s]
            if far >= 0 and seen[far] != number:
                seen[far] = number
                came[far], via[far] = node, s
                if free[far] > 0:
                    return int(far)
                queue[size] = far
                size += 1
    return -1


@kernel
def take(board: Board, u: int, w: int) -> None:
    """Reverse the rows of the path from u to w that `find` reached: w loses a free pebble, u gains one."""
    slot, target, bond, free = board.slot, board.target, board.bond, board.free
    node = w
    while node != u:
        s, before = board.via[node], board.came[node]
        t = slot[node]
        while target[t] >= 0:
            t += 1
        target[t], bond[t] = before, bond[s]
        free[node] -= 1
        target[s] = -1
        free[before] += 1
        node = before


@kernel
def gather(board: Board, u: int, v: int, wanted: int) -> int:
    """Bring up to `wanted` free pebbles to u and v together; returns how many there are."""
    free, slot = board.free, board.slot
    for side in range(2):
        here, other = (u, v) if side == 0 else (v, u)
        while free[u] + free[v] < wanted and free[here] < slot[here + 1] - slot[here]:
            w = find(board, here, other)
            if w < 0:
                break
            take(board, here, w)
    return int(free[u] + free[v])


@kernel
def reach(board: Board, u: int, v: int) -> int:
    """Put all nodes that rows lead to from u and v into `member`; returns their number.

    With l free pebbles at u and v that cannot become more, these are the nodes of the smallest rigid part with both.
    """
    board.searches[0] += 1
    number, member = board.searches[0], board.member
    member[0], member[1] = u, v
    board.seen[u] = board.seen[v] = number
    done, size = 0, 2
    while done < size:
        node = member[done]
        done += 1
        for s in range(board.slot[node], board.slot[node + 1]):
            far = board.target[s]
            if far >= 0 and board.seen[far] != number:
                board.seen[far] = number
                member[size] = far
                size += 1
    return size


@kernel
def condense(board: Board, size: int, l: int) -> None:
    """Replace the rows of a rigid part, the first `size` of `member`, by stand-ins that lead to its first two nodes.

    The first two hold l free pebbles. The stand-ins restrain the same motions, so what follows is the same game, but no
    search walks through the part again; that makes the cost of over-determined nets about linear. They are independent
    if 2 l ≤ the pebbles of any three nodes.
    """
    slot, target, bond, member = board.slot, board.target, board.bond, board.member
    u, v = member[0], member[1]
    for here, other in ((u, v), (v, u)):
        for s in range(slot[here], slot[here + 1]):
            if target[s] >= 0:
                target[s], bond[s] = other, -1
    most = slot[u + 1] - slot[u] - l
    for i in range(2, size):
        w = member[i]
        k = slot[w + 1] - slot[w]
        for s in range(slot[w], slot[w + 1]):
            target[s] = u if s - slot[w] < k + most else v
            bond[s] = -1


@kernel
def play(
    board: Board, tail: Ints, head: Ints, rows: Ints, l: int, condensing: bool, redundant: Ints, stressed: Flags,
) -> None:
    """Lay all rows in their order; count those of each bond that restrain nothing new, and mark what they stress."""
    slot, target, bond, free = board.slot, board.target, board.bond, board.free
    for b in range(len(tail)):
        u, v = tail[b], head[b]
        for _ in range(rows[b]):
            if gather(board, u, v, l + 1) > l:
                here, other = (u, v) if free[u] > 0 else (v, u)
                s = slot[here]
                while target[s] >= 0:
                    s += 1
                target[s], bond[s] = other, b
                free[here] -= 1
                continue
            redundant[b] += 1
            stressed[b] = True
            size = reach(board, u, v)
            for i in range(size):
                for s in range(slot[board.member[i]], slot[board.member[i] + 1]):
                    if target[s] >= 0 and bond[s] >= 0:
                        stressed[bond[s]] = True
            if condensing:
                condense(board, size, l)


@kernel
def moves(board: Board, w: int, cluster: int) -> int:
    """Can w move against the rigid cluster that is growing? If not, put it and all it leads to into `queue`.

    Returns 0 if it can, else how many are in the queue. It can if rows lead from it to a free pebble that is not held
    by the first two nodes of the cluster, which are marked.
    """
    slot, target, seen, came, queue, mark = board.slot, board.target, board.seen, board.came, board.queue, board.mark
    board.searches[0] += 1
    number = board.searches[0]
    seen[w] = number
    queue[0], came[w] = w, -1
    done, size = 0, 1
    while done < size:
        node = queue[done]
        done += 1
        if board.free[node] > 0 or mark[node] == 2 * cluster + 1:
            while node >= 0:
                mark[node] = 2 * cluster + 1
                node = came[node]
            return 0
        for s in range(slot[node], slot[node + 1]):
            far = target[s]
            if far >= 0 and seen[far] != number and mark[far] != 2 * cluster:
                seen[far], came[far] = number, node
                queue[size] = far
                size += 1
    return size


@kernel
def grow(board: Board, u: int, v: int, cluster: int, begin: Ints, incident: Ints, tail: Ints, head: Ints) -> int:
    """Put all nodes that cannot move against u and v into `member`; returns their number."""
    mark, member, queue = board.mark, board.member, board.queue
    member[0], member[1] = u, v
    mark[u] = mark[v] = 2 * cluster
    done, size = 0, 2
    while done < size:
        node = member[done]
        done += 1
        for i in range(begin[node], begin[node + 1]):
            b = incident[i]
            w = head[b] if tail[b] == node else tail[b]
            if mark[w] >> 1 == cluster:
                continue
            for k in range(moves(board, w, cluster)):
                mark[queue[k]] = 2 * cluster
                member[size] = queue[k]
                size += 1
    return size


@kernel
def clusters(
    board: Board, tail: Ints, head: Ints, rows: Ints, l: int, condensing: bool, begin: Ints, incident: Ints,
    label: Ints,
) -> int:
    """Number the rigid clusters and label bonds with them, -1 where the ends move against each other."""
    slot, mark = board.slot, board.mark
    label[:] = -2
    cluster = 0
    for b in range(len(tail)):
        if label[b] != -2:
            continue
        u, v = tail[b], head[b]
        # a bond with all rows that its two ends can have holds them; others are asked for one pebble more
        wanted = l if rows[b] >= slot[u + 1] - slot[u] + slot[v + 1] - slot[v] - l else l + 1
        if gather(board, u, v, wanted) > l:
            label[b] = -1
            continue
        size = grow(board, u, v, cluster, begin, incident, tail, head)
        for k in range(size):
            node = board.member[k]
            for i in range(begin[node], begin[node + 1]):
                c = incident[i]
                if mark[tail[c]] == 2 * cluster and mark[head[c]] == 2 * cluster:
                    label[c] = cluster
        if condensing and size > 2:
            condense(board, size, l)
        cluster += 1
    return cluster
