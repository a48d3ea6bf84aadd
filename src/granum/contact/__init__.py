"""Contact: the problem, its residual, and one folder or file per solver."""
