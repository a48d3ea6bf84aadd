"""Links that open under tension: the solver `unilateral`."""
