"""Files: scenes in TOML, runs in HDF5."""

from granum.io.runfile import Recording, create_run_file, open_run_file
from granum.io.scenefile import load_scene

__all__ = ["Recording", "create_run_file", "load_scene", "open_run_file"]
