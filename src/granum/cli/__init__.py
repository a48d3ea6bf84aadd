"""The command line: one file per command. Heavy libraries load when a command runs, not before."""
