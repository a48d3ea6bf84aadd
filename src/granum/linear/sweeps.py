"""Gauss-Seidel sweeps on H y = b (Sun 1996, eq. 5.2), each row through the two bodies of its link."""

from __future__ import annotations

from granum.base.kernels import Floats, kernel
from granum.linear.graph import LinkGraph


@kernel
def sweep(graph: LinkGraph, n: Floats, b: Floats, y: Floats, body: Floats) -> None:
    """One sweep over all links in their order.

    body must hold E C y (`conjugate.link_pull`) and is kept so: a changed force is at once felt by the links
    that come later, which is what makes it Gauss-Seidel.
    """
    weight, tail, head = graph.weight, graph.tail, graph.head
    for v in range(len(tail)):
        i, j = tail[v], head[v]
        total = b[v]
        for k in range(body.shape[0]):
            total -= n[k, v] * (weight[i] * body[k, i] - weight[j] * body[k, j])
        change = total / (weight[i] + weight[j])
        y[v] += change
        for k in range(body.shape[0]):
            body[k, i] += n[k, v] * change
            body[k, j] -= n[k, v] * change
