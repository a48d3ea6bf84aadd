"""Contact with Coulomb's friction as a conic complementarity problem, given by its matrix W: read, solved, judged."""
