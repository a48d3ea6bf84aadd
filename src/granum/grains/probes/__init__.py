"""Probes of a running scene: `flows` counts what passes and judges flows, `frames` measures at every frame."""
