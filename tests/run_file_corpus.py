"""Damaged and hostile copies of a run file, and what a reader makes of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import h5py
import numpy as np

import granum as gr
from granum.io.runfile import resume_run_file
from granum.io.runfile.checksums import digest
from granum.io.runfile.layout import in_slots, is_log


def content_of(file: Path) -> dict[str, bytes]:
    """All that can be read of a run, by name."""
    recording = gr.open_run(file)._recording
    done, found = recording.frames_done, {}
    for name in recording.layout:
        values = recording.arrays[name] if in_slots(name) else recording.frames(name)
        found[name] = (values[(done - 1) % 2] if name.startswith("checkpoint/") else values).tobytes()
    state = [done, recording.finished, recording.event, recording.metadata]
    return found | {"state": json.dumps(state).encode(), "scene": recording.scene.model_dump_json().encode()}


def judged(file: Path, whole: dict[str, bytes]) -> str:
    """`identical`, or `refused` in words; anything else says what is wrong."""
    try:
        found = content_of(file)
    except gr.RunFileError as error:
        return "refused" if str(file) in str(error) else f"does not name the file: {error}"
    except Exception as error:  # any other exception is a finding
        return f"{type(error).__name__}: {error}"
    different = [name for name in whole if found[name] != whole[name]]
    return f"differs in {', '.join(different)}" if different else "identical"


def flips(file: Path, count: int, seed: int) -> Iterator[bytes]:
    """Copies with one bit changed."""
    data, rng = bytearray(file.read_bytes()), np.random.default_rng(seed)
    for place, bit in zip(rng.integers(0, len(data), count), rng.integers(0, 8, count), strict=True):
        data[place] ^= 1 << int(bit)
        yield bytes(data)
        data[place] ^= 1 << int(bit)


def judge_flips(file: Path, count: int, seed: int) -> dict[str, int]:
    """How many flips were read and refused, in a process of its own that may die."""
    program = ("import sys, collections, pathlib, run_file_corpus as c\n"
               "file, copy = map(pathlib.Path, sys.argv[1:3])\n"
               "whole, counts = c.content_of(file), collections.Counter()\n"
               "for data in c.flips(file, *map(int, sys.argv[3:])):\n"
               "    copy.write_bytes(data); counts[c.judged(copy, whole)] += 1\n"
               "import json; print(json.dumps(counts))")
    done = subprocess.run([sys.executable, "-c", program, file, file.with_name("flipped.h5"), str(count), str(seed)],
                          capture_output=True, text=True, check=False,
                          env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)})
    assert done.returncode == 0, f"a process died with {done.returncode}: {done.stderr[-2000:]}"
    counts: dict[str, int] = json.loads(done.stdout)
    return counts


def repacked(file: Path, copy: Path, **storage: Any) -> None:
    """A copy in another storage, as h5repack makes it."""
    with h5py.File(file, "r") as old, h5py.File(copy, "w") as new:
        new.attrs.update(old.attrs)

        def take(name: str, item: Any) -> None:
            if isinstance(item, h5py.Dataset):
                own = storage if item.size else {}
                new.create_dataset(name, data=item[()], **own).attrs.update(item.attrs)

        old.visititems(take)


def with_metadata(file: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Change the metadata of a file and their checksum."""
    with h5py.File(file, "a") as opened:
        metadata = json.loads(opened["metadata"][()].tobytes())
        change(metadata)
        del opened["metadata"]
        text = np.frombuffer(json.dumps(metadata).encode(), np.uint8)
        opened["metadata"] = text
        opened["metadata"].attrs["checksum"] = np.uint64(digest(text))


def with_values(file: Path, name: str, frame: int, change: Callable[[Any], None]) -> None:
    """Change numbers of a frame and put all checksums right again, as an attacker would."""
    writer = resume_run_file(file)
    content = {one: np.array(writer.frame(one, frame)) for one in writer.layout
               if not in_slots(one) and writer.layout[one][0][0]}
    if writer.has_checkpoint(frame):
        there = writer.at(frame)
        content |= {one: np.array(there[one] if is_log(one) else there[one][frame % 2])
                    for one in there if in_slots(one)}
    change(content[name])
    writer._write_frame(frame, content)
    writer.close()
