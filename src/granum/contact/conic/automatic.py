"""The default solver: whichever kind of sweeps gains more, then Newton's method where the problem is small enough for
it.

No single method is best on problems of beds and on those of the FCLIB collection (`python -m benchmarks contact`):
plain sweeps win at the start and in some large 3-D beds, accelerated ones in deep beds, and both may need 10⁵ sweeps
where W is rank deficient, which costs Newton's method a hundred factors. Sweeps go in rounds. Each round is made in the
way that has reduced the residual by more per sweep so far, the other way is tried now and then, and a round that has
made it worse is undone. Choices depend on residuals and numbers of sweeps alone, never on time: results are bitwise
reproducible.
"""

from __future__ import annotations

import math

from granum.base.kernels import Floats
from granum.contact.conic.accelerated import Acceleration
from granum.contact.conic.newton import Newton, newton_steps
from granum.contact.conic.nsgs import next_round, sampled_sweeps
from granum.contact.conic.problem import ContactProblem
from granum.contact.conic.solvers import Watch

FIRST_SWEEPS = 24
"""Plain sweeps at first."""
ROUND, SHARE = 32, 0.5
"""Sweeps of a round: at least so many, and this part of all before."""
TRIED, WORSE = 4, 1.5
"""Round at which the other way is tried for the first time, and the factor to the next such round, for a trial ends the
extrapolation; growth of the residual from which a round is undone."""
KEPT = 0.5
"""Weight of earlier rounds in the rate of a way."""
PLAIN, ACCELERATED = 0, 1
NEWTON_AFTER, NEWTON_CONTACTS = 4000, 3000
"""Sweeps after which Newton's method takes over, and contacts up to which it does: factors of 3-D beds fill up."""


class Sweeps:
    """Rounds of sweeps in two ways, and what they have gained."""

    def __init__(self, problem: ContactProblem, r: Floats, watch: Watch, made: int) -> None:
        self.problem, self.r, self.watch, self.made = problem, r, watch, made
        self.acceleration, self.rounds, self.next_trial = Acceleration(problem, r), 0, TRIED
        self.rate: list[float | None] = [None, None]
        """Change of the logarithm of the residual per sweep, in each way."""

    def round(self) -> bool:
        """One round; has the watch ended it?"""
        way, before = self._way(), self.watch.history[-1].residual
        start, made = self.r.copy(), self.made
        if self._sweep(way, max(ROUND, int(SHARE * made))):
            return True
        self.rounds, count = self.rounds + 1, self.made - made
        after = self.watch.history[-1].residual
        gained, known = math.log(after / before) / count if after > 0.0 < before else 0.0, self.rate[way]
        self.rate[way] = gained if known is None else KEPT * known + (1.0 - KEPT) * gained
        if way == ACCELERATED and after > WORSE * before:
            self.r[:] = start
            self.acceleration.restart(self.r)
            return self.watch.done(self.r, self.made)
        if way == PLAIN:
            self.acceleration.restart(self.r)
        return False

    def _sweep(self, way: int, count: int) -> bool:
        """At least `count` sweeps in one way, with samples; has the watch ended them?"""
        end = self.made + count
        if way == PLAIN:
            self.made, ended = sampled_sweeps(self.problem, self.r, self.watch, self.made, end)
            return ended
        while self.made < end:
            part = 2 * (next_round(self.made) // 2)
            self.acceleration.sweep(self.r, part)
            self.made += part
            if self.watch.done(self.r, self.made):
                return True
        return False

    def _way(self) -> int:
        """The better way, or the other one where it is due."""
        plain, accelerated = self.rate
        if accelerated is None or plain is None:
            return ACCELERATED if accelerated is None else PLAIN
        better = ACCELERATED if accelerated < plain else PLAIN
        if self.rounds < self.next_trial:
            return better
        self.next_trial *= TRIED
        return 1 - better


def automatic(problem: ContactProblem, r: Floats, watch: Watch) -> None:
    """Sweeps, then Newton's method, until the watch is done."""
    made, ended = sampled_sweeps(problem, r, watch, 0, FIRST_SWEEPS)
    if ended:
        return
    sweeps = Sweeps(problem, r, watch, made)
    while problem.contacts > NEWTON_CONTACTS or sweeps.made < NEWTON_AFTER:
        if sweeps.round():
            return
    newton_steps(Newton(problem), r, watch, sweeps.made)
