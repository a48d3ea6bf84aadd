"""`python -m granum.cli`, for environments without the `granum` script."""

from granum.cli.main import main

main()
