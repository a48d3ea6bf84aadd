"""Advancing time: smooth steppers, rattle, the mixed iteration, and the corrections of all of them."""

from granum.integrate.stepper import Stepper, StepStatistics, make_stepper

__all__ = ["StepStatistics", "Stepper", "make_stepper"]
