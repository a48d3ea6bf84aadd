"""External engines: programs that run a scene of Granum and hand the result back as an ordinary run."""
