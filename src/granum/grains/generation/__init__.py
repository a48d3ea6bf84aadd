"""Making: where grains come from, at the start and during a run."""
