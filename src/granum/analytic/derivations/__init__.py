"""Derivations as they are shown to people: symbols with their meaning, the steps and equations of each formulation."""
