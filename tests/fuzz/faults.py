"""Faults of disk and file: an error in words or an undisturbed run, and no finished frame is lost or changed."""

from __future__ import annotations

import errno
import os
import random
import tempfile
from collections.abc import Callable
from pathlib import Path

import granum as gr
from granum.io.runfile.faults import injected
from tests.fuzz.campaign import SEED, Campaign, Finding
from tests.fuzz.kills import prepare, stores
from tests.fuzz.small_runs import CASES, in_child, refuse_other_bits, simulate

Fault = Callable[[str, Path], None]


def failing(code: int) -> Fault:
    """A write that the system refuses."""
    def fail(name: str, file: Path) -> None:
        raise OSError(code, os.strerror(code))

    return fail


def unlink(name: str, file: Path) -> None:
    """The file is deleted."""
    file.unlink(missing_ok=True)


def move(name: str, file: Path) -> None:
    """The file is moved away."""
    if file.exists():
        file.rename(file.with_name("moved.h5"))


def truncate(name: str, file: Path) -> None:
    """The file is cut in half."""
    if file.exists():
        os.truncate(file, file.stat().st_size // 2)


def forbid(name: str, file: Path) -> None:
    """The permission to write is taken away."""
    if file.exists():
        file.chmod(0o400)


def reopen(name: str, file: Path) -> None:
    """The same process opens the file for reading, looks at it and lets it go."""
    if file.exists():
        refuse_other_bits(gr.open_run(file), name, all_frames=False)


def second_writer(name: str, file: Path) -> None:
    """Another process resumes or overwrites the run: it must be refused."""
    if file.exists() and any(in_child(lambda: simulate(name, file, **{how: True})) != 2  # noqa: B023
                             for how in ("resume", "overwrite")):
        raise Finding(f"{name}: a second writer was let in")


def same_process(name: str, file: Path) -> None:
    """The same process wants to write the file again: refused too."""
    if file.exists():
        try:
            simulate(name, file, resume=True)
        except gr.RunFileError:
            return
        raise Finding(f"{name}: the same process was let in a second time")


FAULTS: dict[str, Fault] = {
    "no space": failing(errno.ENOSPC), "quota": failing(errno.EDQUOT), "read-only": failing(errno.EROFS),
    "input/output error": failing(errno.EIO), "too large": failing(errno.EFBIG), "unlinked": unlink, "moved": move,
    "truncated": truncate, "forbidden": forbid, "reopened": reopen, "second writer": second_writer,
    "same process": same_process,
}
HARMLESS = ("reopened", "second writer", "same process", "forbidden")
"""Faults that a run survives."""


def attack(number: int) -> str:
    """A fault at a point of a run; afterwards the file is intact, resumed to the end, or gone."""
    rng = random.Random(f"{SEED} faults {number}")
    fault, name = list(FAULTS)[number % len(FAULTS)], rng.choice(list(CASES))
    left = rng.randrange(2, stores(name))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "run.h5"

        def step(_: str) -> None:
            nonlocal left
            left -= 1
            if left == 0:
                FAULTS[fault](name, file)

        try:
            with injected(step):
                run = simulate(name, file)
        except gr.GranumError as error:
            if fault in HARMLESS:
                raise Finding(f"{name}: {fault}: {error}") from error
            ending = "refused"
        else:
            refuse_other_bits(run, name, all_frames=True)
            ending = "undisturbed"
        if not file.exists():
            if ending == "undisturbed":
                raise Finding(f"{name}: {fault}: no error, and no file")
            return f"{fault}: refused"
        file.chmod(0o600)
        try:
            refuse_other_bits(simulate(name, file, resume=True), name, all_frames=True)
        except gr.RunFileError:
            if fault != "truncated":
                raise Finding(f"{name}: {fault}: cannot be resumed") from None
    return f"{fault}: {ending}"


DISK_FAULTS = Campaign("faults", attack, 600, least=24, prepare=prepare)
