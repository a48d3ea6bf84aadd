"""Links that open under tension: the solver `mixed` for grains."""
