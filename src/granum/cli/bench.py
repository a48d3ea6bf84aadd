"""`granum bench`: speed as ratios against the peers that are installed."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from granum.cli.options import AsJson


def command(
    what: Annotated[str, typer.Argument(metavar="WHAT", help="What to measure: chain.")] = "chain",
    sizes: Annotated[list[int] | None, typer.Option("--bodies", help="Sizes to compare; may be repeated.",
                                                    show_default="100 and 400")] = None,
    scaling: Annotated[bool, typer.Option(help="Also measure the cost per body up to a million bodies.")] = True,
    as_json: AsJson = False,
) -> None:
    """Measure speed at equal accuracy, as ratios against MuJoCo, Pinocchio, Exudyn and Drake where installed."""
    from granum.base.errors import pick
    from granum.bench import chain

    pick(what, ("chain",), "benchmark")
    result = chain.measure(tuple(sizes or (100, 400)), scaling)
    print(json.dumps(result.as_json()) if as_json else "\n".join(result.sentences()))


command.__name__ = "bench"
