"""What all tests share: how Hypothesis looks for counterexamples."""

from hypothesis import settings

# the first call of a kernel compiles it, so there is no deadline; the same examples on every machine
settings.register_profile("granum", deadline=None, derandomize=True, max_examples=60, database=None)
settings.load_profile("granum")
