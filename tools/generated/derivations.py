"""What `granum derive` prints of the double pendulum, in the theory pages, one formulation each, and of other examples.

A page has blocks of text after comments `<!-- derived: FORMULATION -->` and `<!-- derived: FORMULATION of EXAMPLE -->`.
"""

from __future__ import annotations

import re
from pathlib import Path

import granum as gr

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = {name: DOCS / "theory" / f"{name}.md" for name in (
    "newton-euler", "lagrange", "scalar", "fundamental", "gibbs-appell", "virtual-work")}
BLOCK = re.compile(r"(<!-- derived: (?P<name>[\w-]+)(?: of (?P<example>[\w-]+))? -->\n\n```text\n)(?P<text>.*?)(\n```)",
                   re.S)


_FIRST = "double-pendulum"


def printed(formulation: str, example: str = _FIRST) -> str:
    """What the command prints: the steps without the table of symbols, which is the same for all."""
    scene = gr.load(DOCS.parent / "examples" / f"{example}.toml")
    return gr.derive(scene, formulation).code("text", steps=True).partition("\nSymbols\n")[0].rstrip()


def files() -> dict[Path, str]:
    """The theory pages with what is printed now."""
    return {page: _renewed(name, page.read_text("utf-8")) for name, page in PAGES.items()}


def _renewed(formulation: str, page: str) -> str:
    text, blocks = BLOCK.subn(lambda found: f"{found[1]}{printed(found['name'], found['example'] or _FIRST)}"
                              f"{found[found.re.groups]}", page)
    if not blocks or f"<!-- derived: {formulation} -->" not in page:
        raise ValueError(f"The page on {formulation} has no block of its own.")
    return text
