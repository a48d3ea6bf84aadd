"""Speed, as ratios against the peers that are installed, at equal accuracy and in the same run."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
"""The repository. Modules of this package that run in a process of their own are found from here."""
