"""`make lock`: the versions of all packages that development uses, so that a clone of today can be set up in a year.

pip decides on versions as it would for an empty environment, without installing anything. The Makefile hands the list
to every call of pip as constraints; `make LOCK= test` takes the newest versions instead.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LOCK = ROOT / "tools" / "constraints.txt"
LEFT_OUT = {"peers"}
"""Extras of other programs, which benchmarks want in the newest version."""
HEAD = """\
# Versions of all packages that development uses, found by pip for Python {}.{}; `make lock` renews them.
# Granum itself runs with any versions that pyproject.toml allows.
"""


def main() -> None:
    """Ask pip, and write the list."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extras = ",".join(sorted(project["project"]["optional-dependencies"].keys() - LEFT_OUT))
    builds = [*project["build-system"]["requires"], "editables"]  # hatchling needs the second for `pip install -e`
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed",
                        "--report", str(report), "-e", f"{ROOT}[{extras}]", *builds], check=True)
        found = [package["metadata"] for package in json.loads(report.read_text())["install"]]
    lines = sorted(f"{one['name'].lower()}=={one['version']}" for one in found if one["name"] != "granum")
    LOCK.write_text(HEAD.format(*sys.version_info[:2]) + "\n".join(lines) + "\n")
    print(f"{LOCK.relative_to(ROOT)}: {len(lines)} packages")


if __name__ == "__main__":
    main()
