"""What all tests share: their loops, how Hypothesis looks for counterexamples, a SIGINT that arrives, messages."""

import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings
from syrupy.assertion import SnapshotAssertion

pytest.register_assert_rewrite("messages")  # shows the difference of wordings
import loop_lists  # noqa: E402
import messages  # noqa: E402

# Started in the background by a shell that is not interactive, tests inherit a SIGINT that is ignored, and would pass
# it on to every process they start. With a handler here, those start with the default.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# the first call of a kernel compiles it, so there is no deadline; the same examples on every machine
settings.register_profile("granum", deadline=None, derandomize=True, max_examples=60, database=None)
settings.load_profile("granum")


@pytest.fixture
def catalogue(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    """The texts that the catalogue of messages has for a test."""
    return snapshot.use_extension(messages.Catalogue)


@pytest.fixture(autouse=True)
def _messages(request: pytest.FixtureRequest) -> Iterator[None]:
    """The catalogue of messages knows which test runs."""
    with messages.running(request):
        yield


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Each test knows its loop, and whether it compares messages with their catalogue."""
    loop_lists.mark(config, items)
    for item in items:
        if isinstance(item, pytest.Function) and messages.compared_in(item.function.__code__):
            item.add_marker("messages")
