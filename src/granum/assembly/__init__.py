"""Scene → Assembly, once per scene: bodies, joints, loads and the initial configuration."""
