"""Verifying a whole run file: which frames are damaged, and which are intact."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from granum.io.runfile.bookkeeping import inspect
from granum.io.runfile.layout import in_slots
from granum.io.runfile.metadata import RUN, Format
from granum.io.runfile.reading import VerifiedSnapshot
from granum.io.runfile.recording import Recording
from granum.io.runfile.verified import listed_frames


@dataclass(frozen=True)
class Verification:
    """What was found in a run file."""

    path: Path
    frames: int
    planned: int
    finished: bool
    durable: int | None
    """Frames that were on the disk at the last barrier; None if that is not known."""
    damaged: dict[int, list[str]]
    """Arrays that do not match their checksums, by frame."""
    metadata: dict[str, Any]
    format: Format = RUN

    @property
    def intact(self) -> bool:
        """Is nothing damaged?"""
        return not self.damaged

    def as_json(self) -> dict[str, Any]:
        """All of it by name."""
        return {"file": str(self.path), "format": self.format.name, "title": self.metadata["title"],
                "intact": self.intact, "frames": self.frames, "planned": self.planned, "finished": self.finished,
                "durable": self.durable,
                "damaged": {str(frame): names for frame, names in self.damaged.items()},
                "versions": self.metadata["versions"], "provenance": self.metadata["provenance"]}

    def summary_lines(self) -> list[str]:
        """The same in words."""
        row = self.format.row
        state = "finished" if self.finished else f"not finished; continue with {self.format.makes} --resume"
        versions, origin = self.metadata["versions"], self.metadata["provenance"]
        lines = [f"{self.path}: {self.frames} of {self.planned} {row}s, {state}.",
                 f"Granum {versions.get('granum')} (commit {origin.get('commit') or 'unknown'}, kernels "
                 f"{origin['kernels']}), NumPy {versions.get('numpy')}, Numba {versions.get('numba')}, processor "
                 f"{origin.get('processor')}."]
        if self.intact:
            return [*lines, "All checksums match."]
        lines.append(f"Damaged: {listed_frames(list(self.damaged), row)}; {self.frames - len(self.damaged)} other "
                     f"{row}s are intact.")
        return lines + [f"  {row} {frame}: {', '.join(names)}" for frame, names in list(self.damaged.items())[:50]]


def verify_run_file(path: Path, kind: Format = RUN) -> Verification:
    """Compare all of a run file, or of a file of another kind, with its checksums.

    Raises RunFileError for a file that cannot be opened at all.
    """
    file = inspect(path, kind)
    verified = VerifiedSnapshot(file)
    done = verified.frames_done()
    damage, recording = verified.damage(done), Recording(verified, file.metadata, path)
    if not damage:  # numbers that match their checksums may still be none that a run has
        for name in file.layout:
            if not (in_slots(name) and verified.outdated):
                recording.arrays[name]
    finished = done == recording.frame_count or (kind is RUN and bool(done) and "event" not in damage.get(done - 1, ())
                                                 and recording.event is not None)
    durable = verified.durable()
    recording.scene  # noqa: B018 (a scene that is not valid is refused)
    return Verification(path, done, recording.frame_count, finished, None if durable is None else
                        min(durable[0], done), damage, file.metadata, kind)
