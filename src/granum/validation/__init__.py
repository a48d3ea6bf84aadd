"""Published results computed again; `cases` lists them, `command` is `granum reproduce`."""
