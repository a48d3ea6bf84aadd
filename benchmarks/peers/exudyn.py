"""Exudyn on the chain benchmark."""

from __future__ import annotations

import contextlib
import io
import math
import sys
import time
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar

import numpy as np

from benchmarks.comparison import (
    CHAIN_LENGTH,
    GRAVITY,
    ChainState,
    Peer,
    Setting,
    Simulation,
    explicit_steps,
    fixed_steps,
    start_angles,
    start_state,
    state_of_joints,
    tolerances,
)
from benchmarks.peers.common import LONGEST_ADAPTIVE_STEP, version_of


@dataclass(frozen=True)
class _ExudynScheme:
    """One way to solve the chain in Exudyn; the Newton tolerance is relative, 0 for explicit solvers."""

    solver: str
    newton_tolerance: float = 0.0
    modified_newton: bool = False
    index_2: bool = False

    @property
    def implicit(self) -> bool:
        """Whether this is an implicit solver, which runs on point masses with distance constraints."""
        return self.newton_tolerance > 0.0


class Exudyn(Peer):
    """Exudyn: a kinematic tree with explicit solvers, point masses on distances with implicit ones."""

    name = "Exudyn"

    # A loose tolerance ends Newton after its first iteration, which halves the time against two and,
    # with a new Jacobian in every step, costs no accuracy here; a modified Newton has to iterate.
    _SCHEMES: ClassVar[dict[str, _ExudynScheme]] = {
        "kinematic tree RK44": _ExudynScheme("RK44"),
        "point masses generalized-alpha, one Newton iteration": _ExudynScheme("GeneralizedAlpha", 0.1),
        "point masses trapezoidal index 2, one Newton iteration": _ExudynScheme(
            "TrapezoidalIndex2", 0.1, index_2=True
        ),
        "point masses generalized-alpha, modified Newton": _ExudynScheme("GeneralizedAlpha", 1e-6, True),
        "kinematic tree DOPRI5": _ExudynScheme("DOPRI5"),
        "kinematic tree ODE23": _ExudynScheme("ODE23"),
    }

    def version(self) -> str | None:
        """Version of the installed Exudyn, None where it cannot be imported or is older than 1.12."""
        with contextlib.suppress(ImportError):
            _import_exudyn()
        return version_of("exudyn", "exudyn", "SolutionSensorsSettings")

    def candidates(self, count: int) -> tuple[Setting, ...]:
        """Explicit steps follow the stability limit; implicit ones, of second order, hardly depend on N."""
        settings: list[Setting] = []
        for integrator, scheme in self._SCHEMES.items():
            if scheme.implicit:
                settings += fixed_steps(integrator, 500.0, 1.5, 12)
            elif scheme.solver == "RK44":
                settings += explicit_steps(integrator, count)
            else:
                settings += tolerances(integrator, 2, 9)
        return tuple(settings)

    def prepare(self, count: int, setting: Setting) -> Simulation:
        """Build the model, so that the simulation's wall time [s] is that of SolveSteps alone."""
        exudyn = _import_exudyn()
        scheme = self._SCHEMES[setting.integrator]
        container = exudyn.SystemContainer()
        add_chain = _add_point_masses if scheme.implicit else _add_kinematic_tree
        add_chain(exudyn, container.AddSystem(), count)
        container.GetSystem(0).Assemble()
        current = exudyn.ConfigurationType.Current

        def simulate(duration: float) -> tuple[float, ChainState]:
            # The system lives only as long as its container, which this function therefore holds.
            system = container.GetSystem(0)
            settings = _exudyn_settings(exudyn, scheme, setting, duration)
            seconds, success = _solve_with_exudyn(exudyn, system, settings, scheme.implicit)
            coordinates = np.array(system.systemData.GetODE2Coordinates(current))
            velocities = np.array(system.systemData.GetODE2Coordinates_t(current))
            if not success:
                coordinates *= np.nan
            if not scheme.implicit:
                return seconds, state_of_joints(coordinates, velocities)
            # Exudyn's coordinates of a point are displacements from where it started.
            positions = start_state(count).positions + coordinates.reshape(count, 2)
            return seconds, ChainState(positions, velocities.reshape(count, 2))

        return simulate


def _import_exudyn() -> Any:
    """Import Exudyn's build without range checks, which must be asked for before its first import."""
    if "exudyn" not in sys.modules:
        vars(sys)["exudynFast"] = True
    with contextlib.redirect_stdout(io.StringIO()):
        import_module("exudyn.itemInterface")
        return import_module("exudyn")


def _add_kinematic_tree(exudyn: Any, system: Any, count: int) -> None:
    """Add the chain in joint angles [rad]."""
    items = exudyn.itemInterface
    rod = CHAIN_LENGTH / count
    node = system.AddNode(
        items.NodeGenericODE2(
            referenceCoordinates=[0.0] * count,
            initialCoordinates=start_angles(count).tolist(),
            initialCoordinates_t=[0.0] * count,
            numberOfODE2Coordinates=count,
        )
    )
    offsets = [[0.0, -rod if index else 0.0, 0.0] for index in range(count)]
    system.AddObject(
        items.ObjectKinematicTree(
            nodeNumber=node,
            jointTypes=[exudyn.JointType.RevoluteZ] * count,
            linkParents=list(range(-1, count - 1)),
            jointTransformations=exudyn.Matrix3DList([np.eye(3)] * count),
            jointOffsets=exudyn.Vector3DList(offsets),
            linkInertiasCOM=exudyn.Matrix3DList([np.zeros((3, 3))] * count),
            linkCOMs=exudyn.Vector3DList([[0.0, -rod, 0.0]] * count),
            linkMasses=[1.0] * count,
            gravity=[0.0, -GRAVITY, 0.0],
        )
    )


def _add_point_masses(exudyn: Any, system: Any, count: int) -> None:
    """Add the chain as points in the plane, tied by constant distances [m]."""
    items = exudyn.itemInterface
    rod = CHAIN_LENGTH / count
    ground = system.AddNode(items.NodePointGround(referenceCoordinates=[0.0, 0.0, 0.0]))
    previous = system.AddMarker(items.MarkerNodePosition(nodeNumber=ground))
    for position in start_state(count).positions.tolist():
        node = system.AddNode(items.NodePoint2D(referenceCoordinates=position))
        system.AddObject(items.MassPoint2D(mass=1.0, nodeNumber=node))
        marker = system.AddMarker(items.MarkerNodePosition(nodeNumber=node))
        system.AddLoad(items.Force(markerNumber=marker, loadVector=[0.0, -GRAVITY, 0.0]))
        system.AddObject(items.ObjectConnectorDistance(markerNumbers=[previous, marker], distance=rod))
        previous = marker


def _exudyn_settings(exudyn: Any, scheme: _ExudynScheme, setting: Setting, duration: float) -> Any:
    """Settings for the duration [s] with every output off."""
    settings = exudyn.SimulationSettings()
    settings.solution.file.write = False
    settings.solution.sensors.active = False
    settings.solution.solverInformationFileName = ""
    integration = settings.timeIntegration
    integration.verboseMode = 0
    integration.endTime = duration
    integration.solverType = getattr(exudyn.DynamicSolverType, scheme.solver)
    integration.adaptiveStep = integration.automaticStepSize = setting.tolerance is not None
    if setting.tolerance is not None:
        integration.absoluteTolerance = integration.relativeTolerance = setting.tolerance
        integration.numberOfSteps = math.ceil(duration / LONGEST_ADAPTIVE_STEP)
        integration.initialStepSize = 1e-3
    else:
        integration.numberOfSteps = setting.step_count(duration)
    integration.explicit.computeEndOfStepAccelerations = False
    integration.explicit.useLieGroupIntegration = False
    _set_exudyn_newton(exudyn, settings, scheme)
    return settings


def _set_exudyn_newton(exudyn: Any, settings: Any, scheme: _ExudynScheme) -> None:
    """Choose the linear solver and, for an implicit scheme, how far Newton iterates (relative residual)."""
    settings.linearSolver.solverType = exudyn.LinearSolverType.EigenDense
    if not scheme.implicit:
        return
    settings.linearSolver.solverType = exudyn.LinearSolverType.EigenSparse
    settings.linearSolver.reuseAnalyzedPattern = True
    integration = settings.timeIntegration
    integration.newton.useModifiedNewton = scheme.modified_newton
    integration.newton.relativeTolerance = scheme.newton_tolerance
    integration.generalizedAlpha.spectralRadius = 0.9
    integration.generalizedAlpha.useNewmark = scheme.index_2
    integration.generalizedAlpha.useIndex2Constraints = scheme.index_2


def _solve_with_exudyn(exudyn: Any, system: Any, settings: Any, implicit: bool) -> tuple[float, bool]:
    """Wall seconds of the steps alone, and whether Exudyn reached the end."""
    solver = exudyn.MainSolverImplicitSecondOrder() if implicit else exudyn.MainSolverExplicit()
    printing, exudyn.config.printToConsole = exudyn.config.printToConsole, False
    try:
        solver.InitializeSolver(system, settings)
        started = time.perf_counter()
        try:
            success = bool(solver.SolveSteps(system, settings))
        except exudyn.ExudynError:
            success = False
        seconds = time.perf_counter() - started
        solver.FinalizeSolver(system, settings)
    finally:
        exudyn.config.printToConsole = printing
    return seconds, success
