"""The page in the browser: a run that moves, served on loopback or written as one file."""
