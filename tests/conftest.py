"""What all tests share: how Hypothesis looks for counterexamples, and a SIGINT that arrives."""

import signal

from hypothesis import settings

# Started in the background by a shell that is not interactive, tests inherit a SIGINT that is ignored, and would pass
# it on to every process they start. With a handler here, those start with the default.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# the first call of a kernel compiles it, so there is no deadline; the same examples on every machine
settings.register_profile("granum", deadline=None, derandomize=True, max_examples=60, database=None)
settings.load_profile("granum")
