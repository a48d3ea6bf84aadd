"""`granum example`: the examples that come with Granum, as files to change and run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from granum.cli.options import AsJson, Overwrite
from granum.io.conversion import quoted, write


def command(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="Example to write; if omitted, list all.",
                                               show_default=False)] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="FILE", help="Output file.",
                                                show_default="NAME.toml in the current folder")] = None,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """List the bundled examples, or write one to a file."""
    from granum.io.examples import example_file, example_title, files_beside, is_study

    if name is None:
        _list(as_json)
        return
    source = example_file(name)
    file = output or Path(source.name)
    write(file, source.read_bytes(), overwrite)
    for other in files_beside(source):
        if overwrite or not file.with_name(other.name).exists():  # it may be there already, perhaps changed
            write(file.with_name(other.name), other.read_bytes(), overwrite)
    if as_json:
        print(json.dumps({"file": str(file), "title": example_title(name)}))
    else:
        runner = "python" if source.suffix == ".py" else "granum study" if is_study(source) else "granum run"
        print(f"Written: {file} ({example_title(name)}). Run it: {runner} {quoted(file)}")


def _list(as_json: bool) -> None:
    """All examples with their titles."""
    from granum.io.examples import example_files, example_title

    titles = {name: example_title(name) for name in example_files()}
    if as_json:
        print(json.dumps({"examples": titles}))
        return
    width = max(map(len, titles))
    for name, title in titles.items():
        print(f"{name:{width}}  {title}")
