"""Runs for other programs and other people: files of VTK, tables, arrays, a page, films and pictures."""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from granum.base.arguments import checked
from granum.base.errors import GranumError, pick
from granum.base.text import count
from granum.run import Run
from granum.view.export.content import Content
from granum.view.export.files import ABOUT, refuse_loss_of_file, refuse_loss_of_folder
from granum.view.export.tables import write_csv, write_npz
from granum.view.export.vtk import write_vtk
from granum.view.files import Progress, replacing
from granum.view.stage import Stage

OPTIONS = {"vtk": ("every", "frames"), "csv": ("every", "frames"), "npz": ("every", "frames"),
           "html": ("every", "colour"), "mp4": ("every", "colour", "forces"), "gif": ("every", "colour", "forces"),
           "webp": ("every", "colour", "forces"), "png": ("frame", "colour", "forces"), "fclib": ("frame",)}
"""What can be said about each format."""
FOLDERS = ("vtk", "csv")
"""Formats of several files, which are written into a folder."""
DATA = ("vtk", "csv", "npz")
"""Formats that hold numbers, and no picture."""
SUFFIXES = {"fclib": "hdf5"}
"""Endings of file names where they are not that of the format."""


class Exported(NamedTuple):
    """What was written."""

    to: str
    """The format."""
    path: Path
    """The file or folder."""
    frames: int
    """How many."""
    notes: list[str]
    """What a reader should know, in sentences."""


@checked
def export(
    run: Run, to: str, path: str | Path | None = None, *, every: int | None = None,
    frames: str | slice | int | None = None, frame: int | None = None, colour: str | None = None, forces: bool = False,
    overwrite: bool = False, progress: Progress | None = None,
) -> Exported:
    """Export a run for other programs and other people.

    Args:
        run: the run; an unfinished run is exported as far as it goes.
        to: vtk (a folder for ParaView, VisIt and PyVista), csv (a folder of tables), npz (arrays for NumPy), html (a
            page that plays in any browser), mp4, gif and webp (films), png (a picture), fclib (the contact problem of
            the step after a frame, see `Run.contact_problem`).
        path: the file or folder; default: beside the run: `RUN-vtk`, `RUN-csv`, `RUN.npz`, `RUN.html`, ...
        every: write every so many frames, from the first; default: all, in html at most 200, in films as many as fill
            10 s.
        frames: frames of vtk, csv and npz as Python counts them: a slice, `"10:50:2"`, or one number; -1 is the last.
        frame: the frame to draw, or after which the step of fclib follows; default: the last.
        colour: quantity by which bodies are coloured in pages, films and pictures: speed, force, ...
        forces: draw forces in films and pictures.
        overwrite: replace a file of another kind.
        progress: called with the number of frames written and their total.

    >>> run = gr.simulate(gr.example("pendulum"), until=0.1, progress=False)
    >>> gr.export(run, "npz", "swing.npz").frames
    201
    """
    _refuse_options(pick(to, OPTIONS, "format"), every=every, frames=frames, frame=frame, colour=colour,
                    forces=forces or None)
    chosen = choose_frames(run, every, frames)
    place = _place(run, to, path)
    (refuse_loss_of_folder if to in FOLDERS else refuse_loss_of_file)(place, to, overwrite)
    if to in DATA:
        notes = _write_data(run, to, place, chosen, progress)
        return Exported(to, place, len(chosen), [*_state(run), *notes])
    if frame is not None:
        frame = run.frame_number(frame)
    if to == "fclib":
        problem = run.contact_problem(-1 if frame is None else frame)
        with replacing(place) as part:
            problem.save(part, run.scene.title or "", f"{problem.name}; Granum {version('granum')}")
        return Exported(to, place, 1, _state(run))
    count = _write_seen(Stage(run), to, place, every, -1 if frame is None else frame, colour, forces, progress)
    return Exported(to, place, count, _state(run))


def _write_seen(stage: Stage, to: str, place: Path, every: int | None, frame: int, colour: str | None, forces: bool,
                progress: Progress | None) -> int:
    """A page, a film or a picture; returns the number of frames shown."""
    if colour is not None:
        pick(colour, (*stage.quantities, "none"), "colouring")
    colour = colour or next(iter(stage.quantities), "none")
    shown = 1

    def tell(done: int, total: int) -> None:
        nonlocal shown
        shown = done
        if progress is not None:
            progress(done, total)

    if to == "html":
        from granum.view.page.export import write_html

        write_html(stage, place, every, colour, tell)
        return shown
    from granum.view.films import film, still

    if to == "png":
        still(stage, place, frame=frame, colour=colour, forces=forces)
    else:
        film(stage, place, colour=colour, forces=forces, every=every, progress=tell)
    return shown


def _write_data(run: Run, to: str, place: Path, chosen: range, progress: Progress | None) -> list[str]:
    """Tables of some frames as vtk, csv or npz; returns what tables do not say."""
    content = Content(run)
    notes = content.notes()
    about = {"title": run.scene.title or "", "scene": run.metadata["scene_text"], "granum": version("granum")}

    def tell(done: int) -> None:
        if progress is not None:
            progress(done, len(chosen))

    with replacing(place) as part:
        if to == "npz":
            write_npz(content, part, run.t, chosen, about, tell)
        else:
            (write_vtk if to == "vtk" else write_csv)(content, part, run.t, chosen, tell)
            files = sorted(file.relative_to(part).as_posix() for file in part.rglob("*") if file.is_file())
            said = {"export": to, **about, "times": run.t[chosen].tolist(), "frames": [*chosen],
                    "notes": [*_state(run), *notes], "units": units(content, chosen[-1]), "files": files}
            (part / ABOUT).write_text(json.dumps(said, indent=1), "utf-8")
    return notes


def _refuse_options(to: str, **given: object) -> None:
    """Raise for what a format does not know, which would else be ignored."""
    for name, value in given.items():
        if value is not None and name not in OPTIONS[to]:
            others = ", ".join(other for other, known in OPTIONS.items() if name in known)
            raise GranumError(f"--{name} does not apply to {to}, only to {others}. Remove it.")


def units(content: Content, frame: int) -> dict[str, dict[str, str]]:
    """Units of all columns of all tables."""
    tables = {**content.frame(frame), **content.series(), **content.log()}
    return {name: {column.name: column.unit for column in table.columns} for name, table in tables.items()}


def choose_frames(run: Run, every: int | None, frames: str | slice | int | None) -> range:
    """The frames that are asked for, of those that are there now."""
    run.refuse_empty()
    there = range(len(run.t))
    if every is not None and frames is not None:
        raise GranumError("--every and --frames exclude each other. Give only one of them.")
    if every is not None:
        if every < 1:
            raise GranumError(f"--every {every}: give an integer of at least 1.")
        return there[::every]
    if isinstance(frames, str):
        frames = _read_frames(frames)
    if isinstance(frames, int):
        number = run.frame_number(frames)
        return range(number, number + 1)
    chosen = there[frames or slice(None)]
    if not chosen:
        raise GranumError(f"--frames {_written(frames)}: selects none of the {len(there)} frames (0 to "
                          f"{len(there) - 1}).")
    return chosen


def _read_frames(text: str) -> slice | int:
    """A slice A:B:C with any of its parts left out, or one number."""
    try:
        parts = [int(part) if part.strip() else None for part in text.split(":")]
    except ValueError:
        parts = []
    if len(parts) == 1 and parts[0] is not None:
        return parts[0]
    if len(parts) not in (2, 3) or (len(parts) == 3 and (parts[2] or 1) < 1) or parts[2:] == [0]:
        raise GranumError(f"--frames {text}: write A:B:C for frames A to B (exclusive) in steps of C, such as 0:100:5 "
                          "or -10: ; or one number.")
    return slice(*parts)


def _written(frames: slice | None) -> str:
    parts = [] if frames is None else [frames.start, frames.stop, *([frames.step] if frames.step else [])]
    return ":".join("" if part is None else str(part) for part in parts)


def _place(run: Run, to: str, path: str | Path | None) -> Path:
    """Where an export goes; refuses names that would mislead."""
    folder, suffix = to in FOLDERS, SUFFIXES.get(to, to)
    if path is None:
        if run.path is None:
            raise GranumError("This run is in memory only. Give the path to write to.")
        return run.path.with_name(f"{run.path.stem}-{to}" if folder else f"{run.path.stem}.{suffix}")
    place = Path(path)
    if folder and place.suffix in (".csv", ".pvd", ".vtp", ".vtk", ".vtu"):
        raise GranumError(f"{place}: {to} is written as a folder of files. Give a folder with -o, such as "
                          f"{place.with_name(f'{place.stem}-{to}')}.")
    if not folder and place.suffix != f".{suffix}":
        raise GranumError(f"{place}: {to} needs a file name that ends in .{suffix}. Change it with -o.")
    if run.path is not None and place.resolve() == run.path.resolve():
        raise GranumError(f"{place} is the run file itself. Give another output with -o.")
    return place


def _state(run: Run) -> list[str]:
    """How far a run has come, where that is not to its end."""
    if run.finished:
        return []
    return [f"The run is not finished: it has {len(run.t)} of {count(run.planned, 'frame')}. It is still running, or "
            "can be continued with granum run SCENE.toml --resume."]
