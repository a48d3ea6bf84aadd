"""The summary of a run on a terminal: result, accuracy, warnings, and next commands."""

from __future__ import annotations

from typing import Any

from granum.io.conversion import quoted


def print_summary(summary: dict[str, Any]) -> None:
    """Print a summary; on a terminal warnings stand out, unless NO_COLOR is set."""
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text

    from granum.run.show import summary_lines

    console, file = Console(highlight=False), quoted(summary["file"])
    notes = [Text.assemble(("Note:", "bold yellow"), f" {note}") for note in summary["notes"]]
    first, *others = summary_lines(summary)
    wide = not console.is_terminal  # what is not read on a terminal is not cut into lines
    console.print(Text(first), soft_wrap=wide)
    for line in [*map(Text, others), *notes, Text(f"Written to {file}. Next:")]:
        console.print(Text("  ") + line if wide else Padding(line, (0, 0, 0, 2)), soft_wrap=wide)
    for command in (f"granum view {file}", f"granum plot {file} {'grains' if 'grains' in summary else 'path'}"):
        console.print(Text(f"    {command}"), soft_wrap=True)
