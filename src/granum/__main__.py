"""`python -m granum`, for environments without the `granum` script."""

from granum.cli.main import main

if __name__ == "__main__":
    main()
