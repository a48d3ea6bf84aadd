"""Loads on grains, one file for each kind; `load` says what a load is and how another kind is added."""
