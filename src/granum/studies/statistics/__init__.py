"""What the results of a study say: intervals, boundaries, laws and sensitivities, as pure functions over arrays."""

from granum.studies.statistics.grouping import Group, by_point
from granum.studies.statistics.intervals import Estimate, mean_interval, wilson
from granum.studies.statistics.laws import Law, beverloo, exponential_growth, power_law
from granum.studies.statistics.logistic import Crossing, logistic_boundary
from granum.studies.statistics.sensitivity import Sensitivity, sobol_indices

__all__ = ["Crossing", "Estimate", "Group", "Law", "Sensitivity", "beverloo", "by_point", "exponential_growth",
           "logistic_boundary", "mean_interval", "power_law", "sobol_indices", "wilson"]
