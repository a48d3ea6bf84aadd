"""Mutated input files of the program in 002 Appendix E (`.inp`): converted and checked, or refused by line."""

from __future__ import annotations

import random
import re
import tempfile
from functools import cache
from pathlib import Path

import granum as gr
from granum.io.scenefile import load_scene_and_text
from tests.fuzz.campaign import SEED, Campaign
from tests.fuzz.scene_files import EXAMPLES, refused, tried

WORDS = ["END", "PARA", "RAND", "DISK", "ROOT", "REM", "0", "-1", "1E9", "1D9", "1E-300", "1E300", "1E999", "NaN",
         "Inf", "+", "1.5.2", "9" * 400, "é", "\x00", ",", "#", "'", "1" * 5000]


@cache
def example() -> str:
    """The example with few disks: each of its lines is as good a place for a mistake as any other."""
    lines, kept, disks = (EXAMPLES / "pipe-jam.inp").read_text("utf-8").splitlines(), [], 0
    in_disks = False
    for line in lines:
        in_disks = (in_disks and not line.strip().startswith("END")) or line.strip().startswith("DISK")
        disks += in_disks
        if not in_disks or disks <= 12:
            kept.append(line)
    return "\n".join(kept)


def input_text(number: int) -> str:
    """The input of a number."""
    rng = random.Random(f"{SEED} pipe inputs {number}")
    text = example()
    for _ in range(rng.choice([1, 1, 2, 4])):
        lines = text.split("\n")
        numbers = list(re.finditer(r"-?\d+\.\d+", text))
        if numbers and rng.random() < 0.6:  # a number that is only another one
            old = rng.choice(numbers)
            new = float(old[0]) * rng.choice([0.0, 0.1, 0.5, 0.99, 1.01, 2.0, 10.0, -1.0])
            text = f"{text[:old.start()]}{new:.6g}{text[old.end():]}"
            continue
        at = rng.randrange(len(lines))
        match rng.randrange(6):
            case 0:
                del lines[at]
            case 1:
                lines.insert(at, rng.choice([*lines, *WORDS]))
            case 2:
                lines[at] = " ".join(lines[at].split()[: rng.randrange(8)])
            case 3:
                cells = re.split(r"(\s+)", lines[at])
                cells[rng.randrange(len(cells))] = rng.choice(WORDS)
                lines[at] = "".join(cells)
            case 4:
                lines = lines[:at]
            case _:
                begin = rng.randrange(len(text) + 1)
                lines = (text[:begin] + rng.choice(WORDS) + text[begin + rng.randrange(3):]).split("\n")
        text = "\n".join(lines) or "\n"
    return text


def attack(number: int) -> str:
    """Read a mutated file; in one of ten cases run what it was converted to."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "pipe.inp"
        file.write_text(input_text(number), "utf-8", newline="")
        try:
            _, text = load_scene_and_text(file)
        except gr.GranumError as error:
            return refused(error, "read")
    return tried(text) if number % 10 == 0 and text.lstrip().startswith(("#", "[", "title")) else "read"


PIPE_INPUTS = Campaign("pipe inputs", attack, 3000, least=60, prepare=example)
