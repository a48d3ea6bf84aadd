"""Bodies of several parts: bonds between them, loads across cuts, regrouping."""
