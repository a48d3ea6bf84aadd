"""Files: scenes in TOML, runs in HDF5."""
