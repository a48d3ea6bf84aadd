"""Pages of the documentation as programs: their blocks in order, run in a folder of their own.

TOML and XML blocks whose first line is a comment such as `# box.toml` are files, Python blocks one script, `sh` blocks
commands. A block after `<!-- not run: WHY -->` is not run. Output is in blocks of `text`.
"""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
_FENCE = re.compile(r"(?:<!-- not run: ([^\n]+) -->\n)?^```([^\n]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


class Block(NamedTuple):
    """A block of a page."""

    language: str
    code: str
    not_run: str
    """Why it is not run; empty for all others."""


def pages() -> list[Path]:
    """README and all pages for users."""
    docs = ROOT / "docs"
    found = [*docs.glob("*.md"), *(docs / "howto").glob("*.md"), *(docs / "reference").glob("*.md")]
    return [ROOT / "README.md", *sorted(found)]


def blocks(page: Path) -> list[Block]:
    """All blocks of a page in order."""
    return [Block(language, code, why) for why, language, code in _FENCE.findall(page.read_text("utf-8"))]


def prepare(page: Path, folder: Path) -> None:
    """Write the files of a page, and put the examples beside them."""
    (folder / "examples").symlink_to(ROOT / "examples")
    for block in blocks(page):
        named = re.match(r"(?:#|<!--) ([\w-]+\.(?:toml|urdf|xml))(?: -->)?\n", block.code)
        if block.language in ("toml", "xml") and named:
            (folder / named[1]).write_text(block.code, "utf-8")


def script(page: Path) -> str:
    """The Python of a page as one script."""
    return "\n".join(block.code for block in blocks(page) if block.language == "python" and not block.not_run)


def run_page(page: Path, folder: Path) -> None:
    """Run the Python of a page as one script where commands follow it, and all commands in order; failures raise."""
    prepare(page, folder)
    ready = [block for block in blocks(page) if not block.not_run and block.language in ("python", "sh")]
    for k, block in enumerate(ready):
        if block.language == "sh":
            for line in block.code.splitlines():
                run_command(line.partition("  #")[0].strip(), folder)
        elif k + 1 == len(ready) or ready[k + 1].language == "sh":
            code = "\n".join(one.code for one in ready[: k + 1] if one.language == "python")
            (folder / "script.py").write_text(code, "utf-8")
            _run([sys.executable, "script.py"], folder)


def run_command(line: str, folder: Path) -> None:
    """Run a command of a page; installing and make are compared with what the project has."""
    if line.startswith("pip install"):
        extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
        assert set(re.findall(r"\[(\w+)\]", line)) <= set(extras), line
    elif line.startswith("make "):
        assert re.search(rf"^{line.split()[1]}:", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE), line
    elif line.startswith("granum view"):
        _serve([*line.split(), "--no-browser", "--port", "0"], folder)
    elif line:
        _run(_with_interpreter(line.split()), folder)


def _with_interpreter(words: list[str]) -> list[str]:
    """The command by the interpreter that runs the tests."""
    if words[0] == "granum":
        return [sys.executable, "-m", "granum", *words[1:]]
    return [sys.executable if words[0] == "python" else str(shutil.which(words[0])), *words[1:]]


def _run(words: list[str], folder: Path) -> None:
    ended = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=900, check=False)
    assert ended.returncode == 0, f"{' '.join(words[1:])}\n{ended.stdout}\n{ended.stderr}"


def _serve(words: list[str], folder: Path) -> None:
    """Start a server, wait until it says where it is, and stop it as Ctrl-C does."""
    with subprocess.Popen(_with_interpreter(words), cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True) as server:
        assert server.stdout is not None
        said: list[str] = []
        for line in server.stdout:
            said.append(line)
            if "http://" in line:
                break
        server.send_signal(signal.SIGINT)
        assert any("http://" in line for line in said), "".join(said)
