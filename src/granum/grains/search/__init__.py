"""Search: who is near whom, and what contacts remember."""
