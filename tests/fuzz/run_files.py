"""A corpus of damaged and crafted run files: each opens as what was written, or is refused in words.

Workers are processes of their own, so that a file that crashes its reader is seen.
"""

from __future__ import annotations

import hashlib
import json
import math
import random
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import h5py
import numpy as np

import granum as gr
from granum.io.runfile.checksums import digest
from granum.io.runfile.layout import in_slots, is_log
from granum.view.export.content import Content
from granum.view.page.server import Pages
from granum.view.stage import Stage
from tests.fuzz.campaign import SEED, Campaign, Finding
from tests.fuzz.scene_files import HOSTILE, at, places
from tests.fuzz.small_runs import CASES, simulate, whole
from tests.run_file_corpus import with_values

Damage = Callable[[Path, random.Random], None]


@cache
def originals() -> dict[str, bytes]:
    """Run files of all cases."""
    made = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in CASES:
            whole(name)
            simulate(name, file := Path(folder) / f"{name}.h5")
            made[name] = file.read_bytes()
    return made


@cache
def content(name: str) -> str:
    """A hash of what the run file of a case holds."""
    with tempfile.TemporaryDirectory() as folder:
        (file := Path(folder) / "run.h5").write_bytes(originals()[name])
        return read(file)


def read(file: Path) -> str:
    """A hash of everything that can be read from a run file."""
    run = gr.open_run(file)
    parts = hashlib.blake2b()
    for name in sorted(run._recording.arrays):
        if name.startswith("checkpoint/"):  # of several copies only that of the last frame is ever used
            values = run._recording.arrays[name][(len(run.t) - 1) % 2]
        else:
            values = run._recording.arrays[name] if is_log(name) else run._frames(name)
        parts.update(name.encode() + np.ascontiguousarray(values).tobytes())
    parts.update(json.dumps(run.summary, default=str, sort_keys=True).encode())
    look(run)
    return parts.hexdigest()


def look(run: gr.Run) -> None:
    """What notebooks, exports and the page ask of a run."""
    run._repr_html_(), repr(run), run.events
    content = Content(run)
    content.frame(len(run.t) - 1), content.series(), content.log()
    if run.has.bodies:
        pages = Pages(lambda: Stage(run))
        for path in ("/header", "/state", "/series", "/names", "/solids", f"/frame/{len(run.t) - 1}"):
            pages.answer(path)


def flip(file: Path, rng: random.Random) -> None:
    """Some bits change."""
    data = bytearray(file.read_bytes())
    for _ in range(rng.choice([1, 1, 1, 8])):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    file.write_bytes(data)


def overwrite(file: Path, rng: random.Random) -> None:
    """A stretch of zeros, ones, or of another part of the file."""
    data = bytearray(file.read_bytes())
    length = rng.choice([8, 64, 512, 4096])
    begin, other = (rng.randrange(max(1, len(data) - length)) for _ in range(2))
    data[begin:begin + length] = rng.choice([bytes(length), b"\xff" * length, data[other:other + length]])
    file.write_bytes(data)


def cut(file: Path, rng: random.Random) -> None:
    """The end is missing, or there is more of it."""
    data = file.read_bytes()
    file.write_bytes(data[: rng.randrange(len(data))] if rng.random() < 0.7 else data + rng.randbytes(100))


def _datasets(file: h5py.File) -> list[str]:
    names: list[str] = []
    file.visititems(lambda name, item: names.append(name) if isinstance(item, h5py.Dataset) else None)
    return names


def retype(file: Path, rng: random.Random) -> None:
    """An array of another type: strings, references, objects, other numbers, another order of bytes."""
    with h5py.File(file, "r+") as opened:
        name = rng.choice(_datasets(opened))
        shape, values = opened[name].shape, opened[name][()]
        del opened[name]
        kind = rng.choice([h5py.string_dtype(), h5py.vlen_dtype(np.int32), h5py.ref_dtype, "S8", "f2", "f4", ">f8",
                           "c16", "i1", "u8", "b1", np.dtype([("a", "f8"), ("b", "i4")])])
        try:
            opened.create_dataset(name, data=values.astype(kind))
        except (TypeError, ValueError, AttributeError):
            opened.pop(name, None)
            opened.create_dataset(name, shape=shape, dtype=kind)


def reshape(file: Path, rng: random.Random) -> None:
    """An array of another shape or rank."""
    with h5py.File(file, "r+") as opened:
        name = rng.choice(_datasets(opened))
        values = opened[name][()]
        del opened[name]
        change = rng.choice([lambda a: a[..., None], lambda a: a[:-1], lambda a: a.ravel(), lambda a: a[:0],
                             lambda a: np.concatenate([a, a]), lambda a: a.sum()])
        opened.create_dataset(name, data=change(values))


def relocate(file: Path, rng: random.Random) -> None:
    """An array that is a link, a group, in another file, virtual, missing, or that of another name."""
    with h5py.File(file, "r+") as opened:
        names = _datasets(opened)
        name, other = rng.choice(names), rng.choice(names)
        shape, dtype = opened[name].shape, opened[name].dtype
        del opened[name]
        match rng.randrange(7):
            case 0:
                opened[name] = h5py.SoftLink(f"/{other}")
            case 1:
                opened[name] = h5py.ExternalLink("/etc/passwd", "/x")
            case 2:
                opened.create_group(name)
            case 3:
                opened.create_dataset(name, shape=shape, dtype=dtype, external=[("/etc/passwd", 0, h5py.h5f.UNLIMITED)])
            case 4:
                layout = h5py.VirtualLayout(shape=shape, dtype=dtype)
                if shape and all(shape):
                    layout[...] = h5py.VirtualSource("/nowhere.h5", "x", shape=shape)
                opened.create_virtual_dataset(name, layout)
            case 5 if other in opened:
                opened[name] = opened[other]
            case _:
                pass


def huge(file: Path, rng: random.Random) -> None:
    """An array that claims to be enormous."""
    with h5py.File(file, "r+") as opened:
        name = rng.choice(_datasets(opened))
        dtype, rank = opened[name].dtype, max(1, len(opened[name].shape))
        del opened[name]
        opened.create_dataset(name, shape=(10**rng.randrange(6, 13), *[3] * (rank - 1)), dtype=dtype, chunks=True)


def repack(file: Path, rng: random.Random) -> None:
    """The same content, compressed or in another layout: it must simply be read."""
    copy = file.with_name("copy.h5")
    options = rng.choice([{"compression": "gzip"}, {"compression": "gzip", "shuffle": True}, {"compression": "lzf"},
                          {"chunks": True}, {"fletcher32": True}])
    with h5py.File(file, "r") as old, h5py.File(copy, "w") as new:
        new.attrs.update(old.attrs)
        for name in _datasets(old):
            sized = options if old[name].size else {}
            new.create_dataset(name, data=old[name][()], **sized).attrs.update(old[name].attrs)
    shutil.move(copy, file)


def craft(file: Path, rng: random.Random) -> None:
    """Metadata that match their checksum and are wrong."""
    with h5py.File(file, "r+") as opened:
        attributes = dict(opened["metadata"].attrs)
        document = json.loads(opened["metadata"][()].tobytes())
        for _ in range(rng.choice([1, 1, 3])):
            path = rng.choice(places(document))
            holder: Any = at(document, path[:-1])
            if rng.random() < 0.3:
                del holder[path[-1]]
            else:
                holder[path[-1]] = rng.choice(HOSTILE)
        text = json.dumps(document).encode()
        del opened["metadata"]
        opened.create_dataset("metadata", data=np.frombuffer(text, np.uint8))
        opened["metadata"].attrs.update(attributes | {"checksum": np.uint64(digest(text))})


def recompute(file: Path, rng: random.Random) -> None:
    """Numbers that match their checksums and are wrong."""
    recording = gr.open_run(file)._recording
    name = rng.choice([name for name, (shape, _) in recording.layout.items() if math.prod(shape)])
    frame = recording.frames_done - 1 if in_slots(name) else rng.randrange(recording.frames_done)

    def change(values: Any) -> None:
        wrong = HOSTILE_NUMBERS if values.dtype.kind == "f" else [x for x in HOSTILE_NUMBERS if isinstance(x, int)]
        limits = (-np.inf, np.inf) if values.dtype.kind == "f" else np.iinfo(values.dtype)
        value = rng.choice(wrong)
        value = value if values.dtype.kind == "f" else min(max(value, limits.min), limits.max)
        if values.ndim and rng.random() < 0.7:
            values.flat[rng.randrange(values.size)] = value
        else:
            values[...] = value

    del recording
    with_values(file, name, frame, change)


HOSTILE_NUMBERS: list[Any] = [0, 1, -1, 2, 5, 1000, 2**31 - 1, -(2**31), 2**62, 0.5, 1e-300, 1e300, -1e300, math.nan,
                              math.inf, -math.inf]

DAMAGES: dict[str, tuple[Damage, str]] = {
    "flipped": (flip, "same"), "overwritten": (overwrite, "same"), "cut": (cut, "same"), "retyped": (retype, "same"),
    "reshaped": (reshape, "same"), "relocated": (relocate, "same"), "huge": (huge, "same"),
    "repacked": (repack, "read"), "crafted": (craft, "any"),
    "recomputed": (recompute, "any"),
}
"""What is done to a file, and how it may be read if it is not refused: `read` may not be refused, and `any` was changed
by someone who could also compute checksums, so that it only must not do harm."""
OFTEN = ("flipped", "flipped", "flipped", "overwritten", "crafted", "recomputed", "recomputed")


def attack(number: int) -> str:
    """Open a damaged file and read all of it."""
    rng = random.Random(f"{SEED} run files {number}")
    kind = [*DAMAGES, *OFTEN][number % (len(DAMAGES) + len(OFTEN))]
    name, (damage, expected) = rng.choice(list(CASES)), DAMAGES[kind]
    with tempfile.TemporaryDirectory() as folder:
        (file := Path(folder) / "run.h5").write_bytes(originals()[name])
        damage(file, rng)
        try:
            found = read(file)
        except gr.GranumError as error:
            if expected == "read" or not str(error) or len(str(error)) > 5000:
                raise Finding(f"{kind}: {error}") from error
            return f"{kind}: refused"
        if expected != "any" and found != content(name):
            raise Finding(f"{kind}: was read as another run")
    return f"{kind}: read"


def prepare() -> None:
    """The corpus."""
    for name in originals():
        content(name)


RUN_FILES = Campaign("run files", attack, 4000, least=120, prepare=prepare)
