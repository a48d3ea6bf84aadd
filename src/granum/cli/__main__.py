"""`granum` and `python -m granum.cli`: commands that Ctrl-C ends without a traceback, even while they load."""

import sys

from granum.cli.interrupts import exit_code


def main() -> None:
    """Run the command line."""
    try:
        from granum.cli.main import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(exit_code())


if __name__ == "__main__":
    main()
