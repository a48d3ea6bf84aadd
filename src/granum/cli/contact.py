"""`granum contact`: solve a contact problem of the FCLIB collection."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from granum.base.choices import CONTACT_METHODS, explained
from granum.cli.options import AsJson


def command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Contact problem: FCLIB (.hdf5) or Siconos (.dat).",
                                         show_default=False)],
    solver: Annotated[str, typer.Option(metavar="NAME", help=f"Solver: {explained(CONTACT_METHODS)}.")] = "auto",
    tolerance: Annotated[float, typer.Option(help="Residual at which the solver ends.")] = 1e-8,
    seconds: Annotated[float, typer.Option(help="CPU seconds after which it gives up.")] = 600.0,
    as_json: AsJson = False,
) -> None:
    """Solve a contact problem: find r with u = W r + q and K* ∋ û ⊥ r ∈ K at each contact.

    Problems are those of the FCLIB collection, and of granum export --to fclib. The residual is that of the natural
    map, |r - P_K(r - û)|/|q| with û = u + (μ |u_T|, 0, 0). The command fails where it stays above the tolerance.
    """
    from granum.contact import load_problem, solve_problem

    problem = load_problem(file)
    solution = solve_problem(problem, solver, tolerance, seconds)
    if as_json:
        print(json.dumps({
            "file": str(file), "dimension": problem.dimension, "contacts": problem.contacts,
            "unknowns": len(problem.q), "rank": problem.rank, "solver": solver, "residual": solution.residual,
            "converged": solution.converged, "iterations": solution.iterations, "seconds": solution.seconds,
            "r": solution.r.tolist(), "u": solution.u.tolist()}))
    else:
        unknowns = len(problem.q)
        rank = f"{problem.rank} of {unknowns}" if problem.rank is not None else \
            f"not computed for more than 2000 unknowns ({unknowns})"
        print(f"{file.name}: {problem.dimension}-D")
        for name, value in (("contacts", problem.contacts), ("rank of W", rank), ("solver", solver),
                            ("residual", f"{solution.residual:.3g}"), ("iterations", solution.iterations),
                            ("CPU seconds", f"{solution.seconds:.3g}")):
            print(f"  {name:<12} {value}")
        if not solution.converged:
            print(f"  Not solved: the residual is above {tolerance:g} after {solution.seconds:.3g} CPU s. Allow more "
                  "--seconds, or try another --solver.")
    if not solution.converged:
        raise typer.Exit(1)
