"""A film that plays in a notebook, and is written to a file anywhere else."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from html import escape
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from granum.run import Run
from granum.view.files import Progress
from granum.view.films.film import film
from granum.view.stage import Stage


class Animation:
    """A film of a run: the last line of a notebook cell plays it, `save` writes it to a file.

    Pictures are drawn when they are first needed. The options are those of `granum.view.films.film`.
    """

    def __init__(
        self, run: Run, file: str | Path | None = None, *, colour: str | None = None, forces: bool = False,
        traces: Sequence[str] = (), seconds: float = 6.0, rate: int = 25, start: float | None = None,
        until: float | None = None, size: tuple[int, int] = (640, 480), progress: Progress | None = None,
    ) -> None:
        self._stage = Stage(run)
        self._options = {
            "colour": colour or next(iter(self._stage.quantities), "none"), "forces": forces, "traces": traces,
            "seconds": seconds, "rate": rate, "start": start, "until": until, "size": size, "progress": progress}
        self._film: tuple[str, bytes] | None = None
        if file is not None:
            self.save(file)

    def save(self, file: str | Path) -> Path:
        """Write the film as .mp4 (needs `granum[view]`), .gif or .webp."""
        return film(self._stage, file, **self._options)  # type: ignore[arg-type]

    def __repr__(self) -> str:
        return (f"<Animation of {self._stage.title or 'a run'!r}: {self._options['seconds']:g} s; "
                "animation.save('film.webp') writes it>")

    def _repr_html_(self) -> str:
        """The film itself, in the page: a video where videos can be written, else an animated picture."""
        kind, content = self._encoded()
        source, what = f"data:{kind};base64,{b64encode(content).decode()}", escape(self._stage.title or "Film of a run")
        if kind == "video/mp4":
            return f'<video controls loop autoplay muted playsinline title="{what}" src="{source}"></video>'
        return f'<img alt="{what}" src="{source}"/>'

    def _encoded(self) -> tuple[str, bytes]:
        """Media type and bytes of the film, drawn once."""
        if self._film is None:
            ending, kind = (".mp4", "video/mp4") if find_spec("imageio_ffmpeg") else (".webp", "image/webp")
            with TemporaryDirectory() as folder:
                self._film = kind, self.save(Path(folder) / f"film{ending}").read_bytes()
        return self._film
