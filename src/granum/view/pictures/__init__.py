"""Pictures of bodies, grains and boundaries at an instant, as lines and disks."""
