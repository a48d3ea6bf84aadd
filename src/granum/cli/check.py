"""`granum check`: what a scene is, in words."""

from __future__ import annotations

import json

from granum.cli.options import AsJson, SceneFile


def command(scene: SceneFile, as_json: AsJson = False) -> None:
    """Say what a scene is: bodies, links, loops, degrees of freedom, redundant links, a start that does not fit."""
    from granum.io.scenefile import load_scene, naming
    from granum.run.check import check

    loaded = load_scene(scene)
    with naming(scene):
        description = check(loaded)
    if as_json:
        print(json.dumps(description.as_json()))
    else:
        print("\n".join(description.summary_lines()))


command.__name__ = "check"
