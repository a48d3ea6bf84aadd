"""Grains: disks and spheres that touch, with friction and restitution; large systems in arrays."""
