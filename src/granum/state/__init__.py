"""The table of bodies: its columns, and how bodies rotate."""
