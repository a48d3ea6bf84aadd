"""Located impacts and stick-slip: the solver `events`."""
