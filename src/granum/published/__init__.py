"""Published cases: the documents' results computed again, behind `granum reproduce`."""

from __future__ import annotations

from granum.base.errors import pick
from granum.published.case import VERDICTS, Case, Result, Row

__all__ = ["VERDICTS", "Case", "Result", "Row", "all_cases", "find_case"]


def all_cases() -> list[Case]:
    """Every case: those of document 002 in its order, those of the others, multibody benchmarks, granular matter."""
    from granum.published.divided_body import DividedBody
    from granum.published.falling_chain import FallingChain
    from granum.published.granular.beverloo import Beverloo
    from granum.published.granular.close_packing import RandomClosePacking
    from granum.published.granular.collapse import Collapse
    from granum.published.granular.janssen import Janssen
    from granum.published.granular.repose import Repose
    from granum.published.incline import Incline
    from granum.published.library import BenchmarkLibrary
    from granum.published.pendulum import Pendulum
    from granum.published.pipe_jam import PipeJam
    from granum.published.rigid_bodies import RigidBodies
    from granum.published.rolling_shell import RollingShell
    from granum.published.stack import Stack
    from granum.published.table_5_1 import Table51
    from granum.published.three_spheres import ThreeSpheres
    from granum.published.wheel import Wheel

    return [RigidBodies(), Table51(), Pendulum(), FallingChain(), Stack(), PipeJam(), ThreeSpheres(), RollingShell(),
            Incline(), Wheel(), DividedBody(), BenchmarkLibrary(), RandomClosePacking(), Janssen(), Beverloo(),
            Repose(), Collapse()]


def find_case(name: str) -> Case:
    """The case of that name; an unknown one is answered with the nearest and the choice."""
    cases = {case.name: case for case in all_cases()}
    return cases[pick(name, cases, "published case")]
