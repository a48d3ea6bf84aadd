"""Where runs are done: in this process, in processes of this machine, or on any Dask scheduler.

Nothing about distribution is written here: Dask hands out tasks, notices workers that die and does their tasks again.
"""

from __future__ import annotations

import logging
import os
import re
import threading
import time
import uuid
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager, suppress
from importlib.metadata import version
from importlib.util import find_spec
from multiprocessing import current_process
from types import FunctionType
from typing import TYPE_CHECKING, Any

from granum.base.errors import GranumError
from granum.io.runfile.provenance import kernel_hash
from granum.studies.runner import OtherVersionError, Task, perform, warm
from granum.studies.table import Row

if TYPE_CHECKING:
    from distributed.scheduler import KilledWorker

WINDOW = 3
"""Tasks for each worker that the scheduler knows at a time: enough to keep all busy, few to cancel."""
DROPS = 5
"""How often one task may be dropped by a scheduler that answers."""
CONNECT, PATIENCE = 4.0, 15.0
"""Seconds to wait for an answer of a scheduler, and for its first worker."""
ABANDONED = 300.0
"""Seconds after which a study ends whose scheduler has no workers any more: others may take their place until then."""
PLACES = '"serial", "local" or the address of a Dask scheduler such as "tcp://10.0.0.5:8786"'
_ADDRESS = re.compile(r"(?:tcp|tls|ucx|ws|wss)://[^\s/]+:\d+/?")
_HARD_MEMORY = 1.25
"""Memory at which a local worker is killed, in parts of the limit that it checks itself."""


_GONE = ("The Dask scheduler is gone, or has dropped the runs of this study. Finished runs are kept; continue with "
         "--resume.")
_DEAF = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"
"""Local workers leave Ctrl-C to the process that started them."""


class Executor(ABC):
    """Does runs, in any order."""

    workers = 1
    disposable = False
    """Does another process take the place of one that ends?"""

    @abstractmethod
    def rows(self, tasks: Iterable[Task]) -> Iterator[Row]:
        """The rows of all tasks, as they come."""


class Serial(Executor):
    """One run after the other, in this process."""

    def rows(self, tasks: Iterable[Task]) -> Iterator[Row]:
        """Each in turn."""
        for task in tasks:
            yield perform(task)


def refuse_place(on: str) -> None:
    """Refuse what is no place to run a study, before anything is started."""
    if on == "serial":
        return
    if on != "local" and not _ADDRESS.fullmatch(on):
        raise GranumError(f'found "{on}" as the place to run a study. Use {PLACES}.')
    if find_spec("distributed") is None:
        raise GranumError("Studies on several processes need Dask, which is not installed. Install it with pip install "
                          '"granum[study]", or use --on serial.')
    if on == "local" and getattr(current_process(), "_inheriting", False):
        raise GranumError("A script that starts a study on several processes is imported by each of them. Put the call "
                          'under `if __name__ == "__main__":`, or use on="serial".')


@contextmanager
def executor(on: str, memory: int | None = None) -> Iterator[Executor]:
    """A place to run tasks on, which is closed in the end.

    memory: what a run may take [bytes]; a local worker that takes much more is killed.
    """
    refuse_place(on)
    if on == "serial":
        yield Serial()
        return
    with ExitStack() as stack:
        client = stack.enter_context(_local(memory) if on == "local" else _remote(on))
        dask = OnDask(client, stack.enter_context(_watching(client)))
        dask.refuse_others()
        yield dask


@contextmanager
def _local(memory: int | None) -> Iterator[Any]:
    """A client of workers on this machine, one for each core."""
    import dask
    from distributed import Client, LocalCluster

    settings = {
        "distributed.scheduler.allowed-failures": 0,  # what dies with its worker is tried once more, alone: see OnDask
        "distributed.scheduler.worker-ttl": None,  # a compiled loop may hold Python's lock for long
        "distributed.worker.profile.enabled": False, "distributed.worker.preload": [_DEAF],
        "distributed.admin.tick.limit": "1h",
        "distributed.worker.memory.target": False, "distributed.worker.memory.spill": False,
        "distributed.worker.memory.pause": False,
    }
    with dask.config.set(settings), _quiet():
        try:
            cluster = LocalCluster(
                n_workers=_cores(), threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None,
                scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},  # its pages, on a port that nobody else wants
                memory_limit=int(_HARD_MEMORY * memory) if memory else "auto", silence_logs=logging.CRITICAL)
        except (OSError, RuntimeError) as error:
            raise GranumError(f"No processes could be started for the study: {error}. A script that starts one must "
                              'do so under `if __name__ == "__main__":`; --on serial needs no processes.') from None
        with cluster, Client(cluster, timeout=PATIENCE) as client:
            yield client


@contextmanager
def _remote(address: str) -> Iterator[Any]:
    """A client of a scheduler that runs somewhere."""
    from distributed import Client

    with _quiet():
        try:
            client = Client(address, timeout=CONNECT)
        except (OSError, TimeoutError) as error:
            raise GranumError(f"No Dask scheduler answers at {address} ({type(error).__name__}). Start one with `dask "
                              "scheduler` and give the address that it prints, or use --on local.") from None
        with client:
            try:
                client.wait_for_workers(1, timeout=PATIENCE)
            except TimeoutError:
                raise GranumError(f"The Dask scheduler at {address} has no workers. Start some with `dask worker "
                                  f"{address} --nthreads 1`.") from None
            yield client


@contextmanager
def _quiet() -> Iterator[None]:
    """Let Dask say nothing: what matters is told by the study.

    Dask gives some of its loggers a level of their own, which that of their parent does not change.
    """
    noisy = ("distributed", "tornado", "asyncio")
    loggers = [logging.getLogger(name) for name in {*noisy, *logging.root.manager.loggerDict}
               if name.partition(".")[0] in noisy]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


class _Watch:
    """Asks a scheduler now and then whether it is still there and has workers.

    Dask waits for both without end. Where they are gone, the client is closed, which ends whatever waits for it.
    """

    def __init__(self, client: Any) -> None:
        self.reason = ""
        """Why the client was closed, in words."""
        self.ended = threading.Event()
        self._client, self._seen = client, time.monotonic()

    def run(self) -> None:
        """Until the study ends."""
        while not self.ended.wait(PATIENCE / 3.0):
            reason = self._asked()
            if reason and not self.ended.is_set():
                self.reason = reason
                self._client.close(timeout=1.0)
                return

    def _asked(self) -> str:
        """What is wrong, if anything."""
        try:
            workers = self._client.sync(self._client.scheduler.identity, callback_timeout=PATIENCE)["workers"]
        except (OSError, TimeoutError, AttributeError, CancelledError, RuntimeError) as error:  # or it is being closed
            return f"{_GONE} ({type(error).__name__})"
        now = time.monotonic()
        if workers:
            self._seen = now
        if now - self._seen < ABANDONED:
            return ""
        return (f"All workers of the Dask scheduler have been gone for {ABANDONED:g} s. Finished runs are kept; start "
                "other workers and continue with --resume.")


@contextmanager
def _watching(client: Any) -> Iterator[_Watch]:
    """A watch over the scheduler of a client."""
    watch = _Watch(client)
    threading.Thread(target=watch.run, name="granum-watch", daemon=True).start()
    try:
        yield watch
    finally:
        watch.ended.set()


def _cores() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def identity() -> dict[str, str]:
    """Which Granum this process has; runs on workers that may have none, so it imports what it needs itself."""
    try:
        from importlib.metadata import version

        from granum.io.runfile.provenance import kernel_hash
        return {"granum": version("granum"), "kernels": kernel_hash()}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


class OnDask(Executor):
    """Tasks on the workers of a Dask scheduler.

    Dask does the task of a worker that dies again elsewhere, and gives it up where that happens several times. Then it
    may still be innocent: it may have waited on a worker that another task killed. So it is tried once more, alone.
    Where a worker dies between the end of a task and the reading of its result, Dask may also drop the task without an
    error; as long as the scheduler answers, such a task is handed out again.
    """

    disposable = True

    def __init__(self, client: Any, watch: _Watch) -> None:
        self._client, self._watch = client, watch
        self._session = uuid.uuid4().hex[:8]
        self._dropped: Counter[tuple[int, int]] = Counter()
        self.workers = max(1, len(self._known()))

    def _known(self) -> dict[str, Any]:
        workers: dict[str, Any] = self._client.scheduler_info(n_workers=-1)["workers"]
        return workers

    def refuse_others(self) -> None:
        """Refuse workers with several threads, without Granum, or with another version of it."""
        several = [address for address, worker in self._known().items() if worker["nthreads"] > 1]
        if several:
            raise GranumError(f"The worker at {several[0]} has several threads, but runs in one process would wait for "
                              "each other. Start workers with --nthreads 1 and --nworkers N.")
        own = {"granum": version("granum"), "kernels": kernel_hash()}
        found = self._client.run(by_value(identity), on_error="return")
        wrong = {address: one for address, one in found.items() if one != own}
        if not wrong:
            return
        address, other = next(iter(wrong.items()))
        said = (other.get("error") or f"Granum {other['granum']}, kernels {other['kernels']}" if isinstance(other, dict)
                else f"{type(other).__name__}: {other}")
        raise GranumError(f"{len(wrong)} of {len(found)} workers have another Granum than this process (Granum "
                          f"{own['granum']}, kernels {own['kernels']}). The worker at {address} answers: {said}. "
                          "Install the same version there.")

    def rows(self, tasks: Iterable[Task]) -> Iterator[Row]:
        """The rows of all tasks, as they come."""
        try:
            yield from self._rows(iter(tasks))
        except GranumError:
            raise
        except Exception as error:
            # of connections, of futures that nobody works on any more, and of a client that has given up
            if not isinstance(error, OSError | CancelledError) and self._client.status not in ("closing", "closed"):
                raise
            raise GranumError(self._watch.reason or f"{_GONE} ({type(error).__name__})") from None

    def _rows(self, waiting: Iterator[Task]) -> Iterator[Row]:
        from distributed import as_completed
        from distributed.scheduler import KilledWorker

        flying: dict[str, tuple[Any, Task]] = {}
        suspects: list[Task] = []
        first = next(waiting, None)
        if first is None:
            return
        self._warm(first)
        completed = as_completed(raise_errors=False)

        def submit(task: Task | None) -> None:
            if task is not None:
                future = self._submit(task)
                flying[future.key] = future, task
                completed.add(future)

        try:
            submit(first)
            for _ in range(WINDOW * self.workers - 1):
                submit(next(waiting, None))
            for future in completed:
                _, task = flying.pop(future.key)
                outcome = self._outcome(future, task)
                if outcome is None:
                    submit(task)
                    continue
                submit(next(waiting, None))
                if isinstance(outcome, KilledWorker):
                    suspects.append(task)
                else:
                    yield outcome
            for task in suspects:
                yield self._alone(task)
        finally:
            with suppress(Exception):  # there may be nobody left to tell
                self._client.cancel([future for future, _ in flying.values()], force=True)

    def _outcome(self, future: Any, task: Task) -> Row | KilledWorker | None:
        """The row of a task, the error of one that Dask gave up, or nothing where Dask dropped it with its worker.

        Raises GranumError where the scheduler has gone, or a worker has another version of Granum.
        """
        from distributed.scheduler import KilledWorker

        try:
            if future.status in ("cancelled", "lost"):
                raise CancelledError
            error: BaseException | None = future.exception()
            if error is None:
                row: Row = future.result()
                return row
        except KilledWorker as killed:  # the result died with its worker, and so did the next try
            return killed
        except CancelledError:
            self._dropped[task.point.number, task.point.repeat] += 1
            self._refuse_silence(task)
            return None
        if isinstance(error, OtherVersionError):
            raise GranumError(f"{error} It joined during the study. Finished runs are kept; install the same version "
                              "there and continue with --resume.")
        if isinstance(error, KilledWorker):
            return error
        point = task.point
        return Row(point.number, point.repeat, point.seed, point.values, "failed", f"{type(error).__name__}: {error}")

    def _refuse_silence(self, task: Task) -> None:
        """Refuse to go on with a scheduler that does not answer, or that drops the same task again and again."""
        if self._dropped[task.point.number, task.point.repeat] > DROPS:
            raise GranumError(_GONE)
        try:
            self._client.sync(self._client.scheduler.identity, callback_timeout=PATIENCE)
        except (OSError, TimeoutError, AttributeError) as error:  # the client has no scheduler once it has given up
            raise GranumError(self._watch.reason or f"{_GONE} ({type(error).__name__})") from None

    def _submit(self, task: Task) -> Any:
        key = f"granum-{self._session}-{task.point.number}-{task.point.repeat}-{uuid.uuid4().hex[:6]}"
        return self._client.submit(perform, task, key=key, pure=False)

    def _warm(self, task: Task) -> None:
        """Compile on one worker of each machine before the others start, which then find compiled code."""
        from distributed import wait

        hosts = {worker["host"]: address for address, worker in self._known().items()}
        wait([self._client.submit(warm, task, workers=[address], pure=False) for address in hosts.values()])

    def _alone(self, task: Task) -> Row:
        """The row of a task whose worker died, tried once more with nothing beside it."""
        from distributed import wait

        outcome: Row | KilledWorker | None = None
        while outcome is None:
            future = self._submit(task)
            wait(future)
            outcome = self._outcome(future, task)
        if isinstance(outcome, Row):
            return outcome
        point = task.point
        return Row(point.number, point.repeat, point.seed, point.values, "lost",
                   "its process died, also when run alone: it crashed, was killed, or exceeded its memory or time "
                   "limit")


def by_value(function: Any) -> Any:
    """A function that travels as code, because its module may not be there."""
    return FunctionType(function.__code__, {"__builtins__": __builtins__, "__name__": "__main__"},
                              function.__name__)

