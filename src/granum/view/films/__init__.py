"""Films and stills of runs, made without a display."""

from granum.view.films.animation import Animation
from granum.view.films.film import film, still

__all__ = ["Animation", "film", "still"]
