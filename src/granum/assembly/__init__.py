"""From a scene to what formulations and solvers read."""
