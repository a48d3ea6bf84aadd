"""Campaigns against hostile input, faults and kills: `make fuzz`, or `python -m tests.fuzz --help`."""
