"""Films and stills of runs, without a display: .mp4, .gif, .webp and .png."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from granum.base.choices import one_of
from granum.base.errors import GranumError
from granum.base.kernels import Floats, Ints
from granum.run import Run
from granum.view.files import Progress, replacing
from granum.view.films.flat import FlatPainter
from granum.view.films.painter import Painter
from granum.view.films.scale import Scale
from granum.view.films.sheet import Picture
from granum.view.films.space import SpacePainter
from granum.view.stage import Stage
from granum.view.stage.items import spread

FILMS = (".mp4", ".gif", ".webp")
SMALLEST, LARGEST = 64, 7680
"""Sizes a picture may have [pixels]."""
_WEBP_QUALITY = 60
"""Out of 100: rims of grains stay clean."""
_FITTED = 12
"""Frames that must fit into the pictures of a film."""
_MOST = 100_000
"""Pictures of a film: an hour at 25 in a second."""


def film(
    shown: Run | Stage, file: str | Path, *, colour: str = "speed", forces: bool = False, traces: Sequence[str] = (),
    seconds: float = 10.0, rate: int = 25, every: int | None = None, start: float | None = None,
    until: float | None = None, size: tuple[int, int] = (1280, 720), progress: Progress | None = None,
) -> Path:
    """Write a film of a run as .mp4, .gif or .webp; nothing is left of a film that is not finished.

    Args:
        colour: what grains are coloured by; "none" for one colour.
        forces: draw contact forces (as wide as they are strong) and reactions (as arrows).
        traces: bodies or grains whose paths are drawn.
        seconds: how long it plays; a frame of the run stays until the next one's time, and none is made up.
        rate: pictures in a second.
        every: show every k-th frame of the run instead, one picture each.
        start, until: show the run between these times [s]; left out, as a whole.
        size: width and height [pixels]; videos need even ones, odd ones are made smaller by one.
    """
    path, stage = Path(file), shown if isinstance(shown, Stage) else Stage(shown)
    if path.suffix.lower() not in FILMS:
        raise GranumError(f"{path}: films are written as {one_of(FILMS)}. Choose one of these endings.")
    if rate < 1 or rate > 100:
        raise GranumError(f"A film has 1 to 100 pictures in a second, found rate = {rate}.")
    chosen = _between(stage, start, until)
    frames = chosen[0] + _frames(stage.t[chosen], seconds, rate, every)
    painter = _painter(stage, colour, forces, traces, size, [int(chosen[k]) for k in spread(len(chosen), _FITTED)])
    pictures = _drawn(painter, frames, progress)
    writer = {".mp4": _write_mp4, ".gif": _write_gif, ".webp": _write_webp}[path.suffix.lower()]
    with replacing(path) as part:
        writer(part, pictures, rate)
    return path


def still(
    shown: Run | Stage, file: str | Path, *, frame: int = -1, colour: str = "speed", forces: bool = False,
    traces: Sequence[str] = (), size: tuple[int, int] = (1280, 720), fitting: Sequence[int] | None = None,
) -> Path:
    """Write one frame of a run as .png.

    Args:
        fitting: frames that must fit into a 3-D picture; left out, those of the whole run, so that stills of a run can
            be laid side by side.
    """
    path = Path(file)
    if path.suffix.lower() != ".png":
        raise GranumError(f"{path}: stills are written as .png. Choose this ending.")
    drawn = picture(shown, frame=frame, colour=colour, forces=forces, traces=traces, size=size, fitting=fitting)
    with replacing(path) as part:
        _image(drawn).save(part, format="PNG")
    return path


def picture(
    shown: Run | Stage, *, frame: int = -1, colour: str = "speed", forces: bool = False,
    traces: Sequence[str] = (), size: tuple[int, int] = (1280, 720), fitting: Sequence[int] | None = None,
) -> Picture:
    """One frame of a run as an array (height, width, 3) of bytes; see `still`."""
    stage = shown if isinstance(shown, Stage) else Stage(shown)
    painter = _painter(stage, colour, forces, traces, size, None if fitting is None else list(fitting))
    return painter.picture(stage.run.frame_number(frame))


def _between(stage: Stage, start: float | None, until: float | None) -> Ints:
    """Frames between two times."""
    t = np.asarray(stage.t)
    first, last = t[0] if start is None else start, t[-1] if until is None else until
    near = 1e-9 * (t[-1] - t[0])  # times that round-off put beside their frame
    found = np.flatnonzero((t >= first - near) & (t <= last + near))
    if not len(found):
        raise GranumError(f"A film shows frames between start = {first:g} s and until = {last:g} s, but there are "
                          f"none: the run goes from {t[0]:g} to {t[-1]:g} s.")
    return found


def _frames(t: Floats, seconds: float, rate: int, every: int | None) -> Ints:
    """(pictures,): the frame at these times of each picture, the last one whose time has come."""
    if every is not None:
        if every < 1:
            raise GranumError(f"every = {every} must be at least 1: it shows every so many frames of the run.")
        return np.arange(0, len(t), every)
    if not 0.0 < seconds * rate <= _MOST:
        raise GranumError(f"A film has 1 to {_MOST} pictures, but seconds = {seconds:g} at rate = {rate} gives "
                          f"{seconds * rate:g}.")
    count = max(1, round(seconds * rate))
    times = np.linspace(t[0], t[-1], count)
    near = 1e-9 * (t[-1] - t[0])  # times that round-off put before their frame
    frames: Ints = np.maximum(np.searchsorted(t, times + near, side="right") - 1, 0)
    return frames


def _painter(
    stage: Stage, colour: str, forces: bool, traces: Sequence[str], size: tuple[int, int],
    fitting: list[int] | None = None,
) -> Painter:
    width, height = size[0] // 2 * 2, size[1] // 2 * 2
    if min(width, height) < SMALLEST or max(width, height) > LARGEST:
        raise GranumError(f"Pictures are {SMALLEST} to {LARGEST} pixels wide and high, found {size[0]} x {size[1]}.")
    make = FlatPainter if stage.dimension == 2 else SpacePainter
    return make(stage, Scale(stage, colour), forces, list(traces), (width, height), fitting)


def _drawn(painter: Painter, frames: Ints, progress: Progress | None) -> Iterator[Picture]:
    """Pictures of the frames; one that stays is drawn once."""
    last, picture = -1, np.zeros((0, 0, 3), np.uint8)
    for k, frame in enumerate(frames.tolist()):
        if frame != last:
            last, picture = frame, painter.picture(frame)
        yield picture
        if progress is not None:
            progress(k + 1, len(frames))


def _write_mp4(path: Path, pictures: Iterator[Picture], rate: int) -> None:
    """H.264 with the pixel format that every player knows."""
    try:
        import imageio_ffmpeg
    except ImportError:
        raise GranumError("Videos (.mp4) need imageio-ffmpeg: pip install 'granum[view]', or write a .gif.") from None
    first = next(pictures)
    height, width = first.shape[:2]
    writer = imageio_ffmpeg.write_frames(
        str(path), (width, height), fps=rate, codec="libx264", pix_fmt_out="yuv420p", quality=None, bitrate=None,
        macro_block_size=2, ffmpeg_log_level="error",
        output_params=["-crf", "18", "-preset", "fast", "-f", "mp4", "-movflags", "+faststart"])
    writer.send(None)
    try:
        writer.send(np.ascontiguousarray(first))
        for picture in pictures:
            writer.send(np.ascontiguousarray(picture))
    finally:
        writer.close()


def _write_gif(path: Path, pictures: Iterator[Picture], rate: int) -> None:
    """Pictures in turn, for ever; a picture that is shown again is the same one, shown longer."""
    first = _image(next(pictures)).quantize(255)
    others = (_image(picture).quantize(255) for picture in pictures)
    first.save(path, format="GIF", save_all=True, append_images=others, duration=max(20, round(1000 / rate)), loop=0,
               optimize=False, disposal=1)


def _write_webp(path: Path, pictures: Iterator[Picture], rate: int) -> None:
    """Like a .gif in any browser and README, with all colours and a fraction of its size."""
    first, others = _image(next(pictures)), (_image(picture) for picture in pictures)
    first.save(path, format="WEBP", save_all=True, append_images=others, duration=round(1000 / rate), loop=0,
               quality=_WEBP_QUALITY, method=4)


def _image(picture: Picture) -> Any:
    from PIL import Image

    return Image.fromarray(picture)
