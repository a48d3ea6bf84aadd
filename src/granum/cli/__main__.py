"""`granum` and `python -m granum.cli`: commands that Ctrl-C ends without a traceback, even while they load."""

import gc
import sys

from granum.cli.interrupts import exit_code

ALLOCATIONS = 200_000
"""New objects between two searches for reference cycles. Python's 700 means hundreds of searches while modules load."""


def main() -> None:
    """Run the command line."""
    gc.set_threshold(ALLOCATIONS)
    try:
        from granum.cli.main import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(exit_code())
    finally:
        gc.freeze()  # the process ends here: searching all of its objects once more would take 0.2 s and free nothing


if __name__ == "__main__":
    main()
