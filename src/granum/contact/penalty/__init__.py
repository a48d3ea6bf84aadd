"""Springs and dashpots: the solver `soft`."""
