"""The chain benchmark: what is simulated, what counts as accurate, and the search for the fastest accurate run.

The chain: equal point masses of 1 kg on massless rigid rods, 3 m in all, hung from a fixed pivot at the origin, every
rod at 30 degrees from the vertical, at rest, gravity 9.81 m/s2 along -y. Programs are compared at equal accuracy:
`fastest` searches each program's integrators for the cheapest setting that meets `Accuracy`.
"""

from __future__ import annotations

import contextlib
import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import ClassVar

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

GRAVITY = 9.81
CHAIN_LENGTH = 3.0
START_ANGLE = math.radians(30.0)
DURATION = 1.0

# How often an accurate run is measured again; short runs more often, about so many seconds in all.
_FEWEST_REPEATS = 5
_MOST_REPEATS = 200
_REPEATED_SECONDS = 0.5

# How often the gap between a setting that is too coarse and the next, accurate one is halved.
_BISECTIONS = 3

# Below this wall time [s] a short piece of a run predicts the whole too poorly to give up on it.
_SHORTEST_LIMIT = 0.05


@dataclass(frozen=True)
class Setting:
    """One integrator with the fixed step [s] or the relative tolerance to run it with."""

    integrator: str
    step: float | None = None
    tolerance: float | None = None

    def __str__(self) -> str:
        """Name the integrator and its step [s] or tolerance."""
        if self.step is not None:
            return f"{self.integrator}, step {self.step:.4g} s"
        return f"{self.integrator}, tolerance {self.tolerance:.2g}"

    def ladder(self) -> tuple[str, bool]:
        """Key that settings of one integrator share which differ only in the step or in the tolerance."""
        return self.integrator, self.step is None

    def halfway(self, other: Setting) -> Setting:
        """Setting of the same ladder with the geometric mean of the steps [s] or of the tolerances."""
        if self.step is not None and other.step is not None:
            return replace(self, step=1.0 / round(1.0 / math.sqrt(self.step * other.step)))
        if self.tolerance is not None and other.tolerance is not None:
            return replace(self, tolerance=math.sqrt(self.tolerance * other.tolerance))
        raise ValueError(f"{self} and {other} are of different ladders")

    def step_count(self, duration: float) -> int:
        """Number of equal steps, none longer than the setting's, that fill the duration [s]."""
        assert self.step is not None, f"{self.integrator} has no fixed step"
        return max(1, math.ceil(duration / self.step - 1e-9))


@dataclass(frozen=True)
class PeerRun:
    """One measured run: wall seconds of the stepping alone, tip [m], and relative errors at the end.

    A run that blew up early and was not waited for has infinite seconds and errors that are not a number.
    """

    seconds: float
    tip: tuple[float, float]
    energy_drift: float
    rod_error: float
    setting: Setting

    def tip_error(self, reference_tip: tuple[float, float]) -> float:
        """Distance [m] of the tip from the reference."""
        return math.dist(self.tip, reference_tip)


@dataclass(frozen=True)
class Accuracy:
    """What a run must reach to count: relative energy drift, relative rod error, tip error [m]."""

    energy_drift: float = 1e-6
    rod_error: float = 1e-6
    tip_error: float = 1e-5

    def met_by(self, run: PeerRun, reference_tip: tuple[float, float]) -> bool:
        """Whether the run is this accurate; a run that blew up (not a number) is not."""
        return (
            run.energy_drift <= self.energy_drift
            and run.rod_error <= self.rod_error
            and run.tip_error(reference_tip) <= self.tip_error
        )


@dataclass(frozen=True)
class Fastest:
    """The fastest accurate run, or None and the reason; and every run that was tried on the way."""

    run: PeerRun | None
    reason: str
    attempts: tuple[PeerRun, ...] = ()


@dataclass(frozen=True)
class ChainState:
    """Positions [m] and velocities [m/s] of the masses, each of shape (count, 2), from the pivot outwards."""

    positions: Array
    velocities: Array

    def energy(self) -> float:
        """Kinetic plus potential energy [J], the potential's zero at the pivot."""
        return float(0.5 * np.sum(self.velocities**2) + GRAVITY * np.sum(self.positions[:, 1]))

    def rod_error(self) -> float:
        """Largest relative deviation of a rod's length."""
        rod = CHAIN_LENGTH / len(self.positions)
        lengths = np.linalg.norm(np.diff(self.positions, axis=0, prepend=0.0), axis=1)
        return float(np.max(np.abs(lengths / rod - 1.0)))


# A prepared simulation: from the start for the duration [s]; gives the stepping's wall seconds and the end.
Simulation = Callable[[float], tuple[float, ChainState]]


class BudgetExceededError(Exception):
    """A run would take longer than it was allowed."""

    def __init__(self, setting: Setting, seconds: float) -> None:
        """Keep the setting and the predicted wall time [s]."""
        super().__init__(f"{setting} would take about {seconds:.3g} s")


class Peer(ABC):
    """One program that simulates the chain."""

    name: ClassVar[str]

    @abstractmethod
    def version(self) -> str | None:
        """Version of the installed program, None where it cannot be imported."""

    @abstractmethod
    def candidates(self, count: int) -> tuple[Setting, ...]:
        """Settings worth trying for so many bodies, each integrator's together and from coarse to fine."""

    @abstractmethod
    def prepare(self, count: int, setting: Setting) -> Simulation:
        """Build the model, so that the simulation's wall time [s] is that of the stepping alone."""

    def run(
        self,
        count: int,
        setting: Setting,
        duration: float = DURATION,
        repeats: int = 3,
        budget_seconds: float = math.inf,
    ) -> PeerRun:
        """Simulate the duration [s] and keep the fastest repeat; the budget [s] bounds a run and the sum."""
        with np.errstate(all="ignore"):
            simulation = self.prepare(count, setting)
            failed = _pilot(simulation, setting, duration, budget_seconds)
            if failed is not None:
                return _measured(math.inf, failed, setting)
            seconds, end = simulation(duration)
            spent = seconds
            for _ in range(repeats - 1):
                if spent + seconds > budget_seconds:
                    break
                again, end = simulation(duration)
                spent += again
                seconds = min(seconds, again)
            return _measured(seconds, end, setting)


def _pilot(
    simulation: Simulation, setting: Setting, duration: float, budget_seconds: float
) -> ChainState | None:
    """Warm up, and predict the wall time [s] from short pieces, since most peers cannot be stopped midway.

    Gives the state of a piece that blew up already, so that the rest need not be waited for.
    """
    warm_up = min(duration, duration / 1000.0 if setting.step is None else 3.0 * setting.step)
    # The first piece tells only of starting up, unless it takes too long already.
    for simulated, whole in ((warm_up, warm_up), (duration / 50.0, duration), (duration / 10.0, duration)):
        piece = max(warm_up, simulated)
        seconds, end = simulation(piece)
        if not np.all(np.isfinite(end.positions)):
            return end
        predicted = seconds * whole / piece
        if predicted > budget_seconds:
            raise BudgetExceededError(setting, predicted)
    return None


def _measured(seconds: float, end: ChainState, setting: Setting) -> PeerRun:
    """Errors of the end state against the start; energies [J] are the benchmark's own, not the peer's."""
    start_energy = start_state(len(end.positions)).energy()
    tip_x, tip_y = end.positions[-1]
    return PeerRun(
        seconds=seconds,
        tip=(float(tip_x), float(tip_y)),
        energy_drift=abs(end.energy() - start_energy) / abs(start_energy),
        rod_error=end.rod_error(),
        setting=setting,
    )


def start_angles(count: int) -> Array:
    """Joint angles [rad] at the start: the first joint turns the whole straight chain."""
    angles = np.zeros(count)
    angles[0] = START_ANGLE
    return angles


def state_of_joints(joint_angles: Array, joint_rates: Array) -> ChainState:
    """Positions [m] and velocities [m/s] from joint angles [rad] and rates [rad/s] against the parent."""
    rod = CHAIN_LENGTH / len(joint_angles)
    angles, rates = np.cumsum(joint_angles), np.cumsum(joint_rates)
    sine, cosine = np.sin(angles), np.cos(angles)
    positions = rod * np.cumsum(np.column_stack([sine, -cosine]), axis=0)
    velocities = rod * np.cumsum(np.column_stack([cosine * rates, sine * rates]), axis=0)
    return ChainState(positions, velocities)


def start_state(count: int) -> ChainState:
    """The straight chain at rest, in m and m/s."""
    return state_of_joints(start_angles(count), np.zeros(count))


def fixed_steps(integrator: str, first_count: float, ratio: float, rungs: int) -> tuple[Setting, ...]:
    """Ladder of steps [s], the first of 1 s / first_count, each shorter by the ratio."""
    counts = [math.ceil(first_count * ratio**rung) for rung in range(rungs)]
    return tuple(Setting(integrator, step=1.0 / count) for count in counts)


def tolerances(integrator: str, coarsest: int, finest: int) -> tuple[Setting, ...]:
    """Ladder of tolerances 10**-coarsest to 10**-finest."""
    return tuple(Setting(integrator, tolerance=10.0**-power) for power in range(coarsest, finest + 1))


def explicit_steps(integrator: str, count: int) -> tuple[Setting, ...]:
    """Steps [s] for a fourth-order explicit rule, from its stability limit on.

    The chain's fastest mode has about 3.6 N rad/s, so the steps shrink with 1 / N.
    """
    return fixed_steps(integrator, 1.2 * count, 1.5, 10)


@dataclass
class _Search:
    """The state of a search for a peer's fastest accurate run."""

    peer: Peer
    count: int
    reference_tip: tuple[float, float]
    budget_seconds: float
    accuracy: Accuracy
    best: PeerRun | None = None
    attempts: list[PeerRun] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)

    def climb(self, ladder: tuple[Setting, ...]) -> None:
        """Try one integrator's settings from coarse to fine until one is accurate or takes too long."""
        too_coarse: Setting | None = None
        for setting in ladder:
            run = self._attempt(setting)
            if self.accuracy.met_by(run, self.reference_tip):
                self._keep(run if too_coarse is None else self._refined(too_coarse, run))
                return
            too_coarse = setting
        self.reasons.append(f"{ladder[-1]} is not accurate enough")

    def _attempt(self, setting: Setting) -> PeerRun:
        """Run once, within the budget [s] or well over the best time so far, past which it could not win."""
        allowed = self.budget_seconds
        if self.best is not None:
            allowed = min(allowed, max(2.0 * self.best.seconds, _SHORTEST_LIMIT))
        run = self.peer.run(self.count, setting, repeats=1, budget_seconds=allowed)
        self.attempts.append(run)
        if math.isfinite(run.seconds) and run.seconds > self.budget_seconds:
            raise BudgetExceededError(setting, run.seconds)
        return run

    def _refined(self, too_coarse: Setting, accurate: PeerRun) -> PeerRun:
        """Bisect between two rungs, so that no peer pays for how far apart they are."""
        with contextlib.suppress(BudgetExceededError):
            for _ in range(_BISECTIONS):
                run = self._attempt(too_coarse.halfway(accurate.setting))
                if self.accuracy.met_by(run, self.reference_tip):
                    accurate = run
                else:
                    too_coarse = run.setting
        return accurate

    def _keep(self, run: PeerRun) -> None:
        """Measure an accurate run again with repeats, and keep it if it is the fastest yet."""
        repeats = max(_FEWEST_REPEATS, min(_MOST_REPEATS, round(_REPEATED_SECONDS / run.seconds)))
        with contextlib.suppress(BudgetExceededError):
            again = self.peer.run(
                self.count, run.setting, repeats=repeats, budget_seconds=self.budget_seconds
            )
            self.attempts.append(again)
            run = min(run, again, key=lambda measured: measured.seconds)
        if self.best is None or run.seconds < self.best.seconds:
            self.best = run


def fastest(
    peer: Peer,
    count: int,
    reference_tip: tuple[float, float],
    budget_seconds: float,
    accuracy: Accuracy | None = None,
) -> Fastest:
    """Find the peer's fastest setting that is accurate after 1 s, no run to take more than the budget [s]."""
    if peer.version() is None:
        return Fastest(None, f"{peer.name} is not installed, or too old")
    search = _Search(peer, count, reference_tip, budget_seconds, accuracy or Accuracy())
    for _, ladder in groupby(peer.candidates(count), Setting.ladder):
        try:
            search.climb(tuple(ladder))
        except (BudgetExceededError, MemoryError) as problem:
            search.reasons.append(str(problem))
    attempts = tuple(search.attempts)
    if search.best is None:
        return Fastest(None, "; ".join(search.reasons), attempts)
    return Fastest(search.best, f"fastest of {len(attempts)} runs", attempts)
