"""`granum schema`: what editors need to complete and check scene files, and the tables of the reference."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Annotated

import typer

from granum.cli.options import AsJson
from granum.cli.run import show_warning


def command(
    reference: Annotated[Path | None, typer.Option(
        "--reference", metavar="PAGE.md", show_default=False,
        help="Instead, update the tables of a Markdown page between <!-- schema: SECTION --> and <!-- end -->.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Print the JSON schema of scene files.

    Editors use it to complete and check scene files.
    """
    from granum.io.schema import schema

    warnings.showwarning = show_warning
    if reference is None:
        print(json.dumps(schema(), indent=None if as_json else 2))
        return
    from granum.io.reference import filled
    from granum.io.scenefile import read_text

    page = read_text(reference, "a Markdown page")
    new = filled(page)
    if new != page:
        reference.write_text(new, "utf-8", newline="")  # ends of lines are those of the page
    print(json.dumps({"file": str(reference), "changed": new != page}) if as_json else
          f"{'Written' if new != page else 'Unchanged'}: {reference}")
