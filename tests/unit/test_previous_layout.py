"""Run files of the previous layout of reactions are read as those of the present one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import granum as gr
from grain_scenes import G, gravity
from granum.base.errors import RunFileError
from granum.base.kernels import Floats
from granum.run.grains import GrainSubject
from granum.run.simulation import Simulation
from granum.run.subject import Layout
from mechanisms import slider_crank
from messages import refused


class PreviousSubject(GrainSubject):
    """Records joints among grains as it was done before: eight numbers for each joint."""

    def layout(self, frames: int) -> Layout:
        """A table of joints, and no columns by name."""
        own = {name: one for name, one in super().layout(frames).items() if name not in ("link_force", "unique")}
        return {**own, "joint_reaction": ((frames, len(self.joints), 8), "f8")}

    def description(self) -> dict[str, Any]:
        """Without the names of reactions."""
        return {key: value for key, value in super().description().items() if key != "reactions"}

    def reaction_frame(self) -> dict[str, Any]:
        """Force, moment, tension or effort, and whether they are determined."""
        return {"joint_reaction": self._table()}

    def _table(self) -> Floats:
        joints = self.world.joints
        assert joints is not None
        multiplier = joints.jointed.impulse / self.world.solver.last_step
        signs = [-1.0 if joint.kind == "link" else 1.0 for joint in joints.rows.joints]
        found = np.ones((len(joints.names), 8))
        found[:, :6] = joints.rows.wrenches(multiplier)
        found[:, 6] = multiplier[joints.rows.first[:-1]] * signs
        return found


def driven() -> gr.Scene:
    """A slider-crank that is driven."""
    crank = slider_crank(0.2, 0.5, 1.0)
    motor = {"kind": "drive", "joint": "main", "motion": "0.5*t"}
    return gr.Scene.model_validate({**crank.model_dump(by_alias=True, exclude_unset=True), "constraint": {
        **crank.model_dump(by_alias=True, exclude_unset=True)["constraint"], "motor": motor}})


def hung() -> gr.Scene:
    """In 3-D: a block on a ball joint, a ball that hangs on it by a link, and a door on a hinge."""
    return gr.Scene(
        body={"nail": {"kind": "fixed-point", "position": [0.0, 0.0, 0.0]},
              "block": {"kind": "block", "size": [0.4, 0.2, 0.1], "mass": 2.0, "points": {"corner": [0.2, 0.1, 0.05]}},
              "ball": {"kind": "sphere", "radius": 0.05, "mass": 1.0},
              "door": {"kind": "block", "size": [1.0, 0.05, 2.0], "mass": 3.0, "points": {"edge": [-0.5, 0.0, 0.0]}}},
        link={"wire": {"between": ["block", "ball"]}},
        constraint={"joint": {"kind": "ball-joint", "between": ["nail", "block.corner"]},
                    "hinge": {"kind": "hinge", "between": ["nail", "door.edge"], "axis": [0.1, 0.3, 1.0]}},
        start={"block": {"position": [-0.2, -0.1, -0.05]}, "ball": {"position": [-0.2, -0.1, -0.6]},
               "door": {"position": [0.5, 0.0, 0.0]}},
        load={"gravity": gravity(0.0, 0.0, -G)})


def prepared(scene: gr.Scene) -> gr.Scene:
    """With a short run by moreau."""
    return scene.with_run(solver="moreau", step=1e-3, until=0.02, interval=0.005)


@pytest.mark.parametrize("scene", [driven, hung])
def test_reactions_of_joints_among_grains_are_read(scene: Any, tmp_path: Path) -> None:
    file = tmp_path / "run.h5"
    Simulation.of(PreviousSubject(prepared(scene())), file).complete(None)
    before, now = gr.open_run(file), gr.simulate(prepared(scene()))
    assert "joint_reaction" in before._recording.layout and "joint_reaction" not in now._recording.layout
    assert (before.positions == now.positions).all()
    assert before.joint_names == now.joint_names and list(before.link_names) == list(now.link_names)
    assert before.not_unique == now.not_unique == []
    for name in (*now.link_names, *now.joint_names):
        one, other = before.reaction(name), now.reaction(name)
        assert list(one.components) == list(other.components)
        for what, values in other.components.items():
            np.testing.assert_array_equal(one.components[what], values)
        np.testing.assert_array_equal(one.force, other.force)
        np.testing.assert_array_equal(one.moment, other.moment)
        assert one.determined is not None and all(flags.all() for flags in one.determined.values())
    assert before.tensions.tolist() == now.tensions.tolist()


def test_an_unfinished_run_of_that_layout_is_not_continued(tmp_path: Path) -> None:
    file = tmp_path / "run.h5"
    begun = Simulation.of(PreviousSubject(prepared(driven())), file)
    begun.step()
    begun._recording.close(failed=True)
    with refused(RunFileError, "joint_reaction", "link_force", "--overwrite"):
        gr.simulate(prepared(driven()), output=file, resume=True)
