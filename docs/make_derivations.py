"""Write into the theory pages what `granum derive examples/double-pendulum.toml` prints, one formulation each.

A page has a block of text after a comment `<!-- derived: FORMULATION -->`. Run this after a change of derivations;
the tests compare the blocks with what is printed.
"""

from __future__ import annotations

import re
from pathlib import Path

import granum as gr

DOCS = Path(__file__).parent
PAGES = {name: DOCS / "theory" / f"{name}.md" for name in (
    "newton-euler", "lagrange", "scalar", "fundamental", "gibbs-appell", "virtual-work")}
BLOCK = re.compile(r"(<!-- derived: (?P<name>[\w-]+) -->\n\n```text\n)(?P<text>.*?)(\n```)", re.S)


def printed(formulation: str) -> str:
    """What the command prints: the steps without the table of symbols, which is the same for all."""
    scene = gr.load(DOCS.parent / "examples" / "double-pendulum.toml")
    return gr.derive(scene, formulation).code("text", steps=True).partition("\nSymbols\n")[0].rstrip()


if __name__ == "__main__":
    for page in PAGES.values():
        written = BLOCK.sub(lambda found: f"{found[1]}{printed(found['name'])}{found[4]}", page.read_text("utf-8"))
        page.write_text(written, "utf-8")
