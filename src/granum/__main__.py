"""`python -m granum`, for environments without the `granum` script."""

from granum.cli.__main__ import main

main()
