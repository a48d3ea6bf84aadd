"""What a simulation lets its user read and change between steps, for each family of systems."""
