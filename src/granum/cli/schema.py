"""`granum schema`: what editors need to complete and check scene files."""

from __future__ import annotations

import json

from granum.cli.options import AsJson


def command(as_json: AsJson = False) -> None:
    """Print the JSON schema of scene files, from which editors complete and check them."""
    from granum.io.schema import schema

    print(json.dumps(schema(), indent=None if as_json else 2))


command.__name__ = "schema"
