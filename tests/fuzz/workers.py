"""Workers that may crash or hang: forked processes that try one input after the other, under the eyes of their parent.

A process for each input would take longer to start than most inputs take. A worker says which input it begins; where it
dies or says nothing for too long, that input is a finding, and another worker goes on behind it.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
import sys
import time
import warnings
from multiprocessing.connection import Connection, wait

from tests.fuzz.campaign import Campaign, Outcome, described

MEMORY = 8_000_000_000
"""Bytes of address space of a worker."""
_FORK = multiprocessing.get_context("fork")


def run(campaign: Campaign, inputs: range, workers: int = 2) -> Outcome:
    """Try inputs, shared among so many workers."""
    began, outcome = time.monotonic(), Outcome(inputs=len(inputs), kills=campaign.kills * len(inputs))
    campaign.prepare()
    shares = [_Share(campaign, outcome, inputs[k::workers]) for k in range(min(workers, len(inputs)))]
    while shares := [share for share in shares if not share.done]:
        ready = wait([share.told for share in shares], timeout=1.0)
        for share in shares:
            share.listen(share.told in ready)
    outcome.seconds = time.monotonic() - began
    return outcome


class _Share:
    """The inputs of one worker, and of those that follow where it ends too soon."""

    def __init__(self, campaign: Campaign, outcome: Outcome, inputs: range) -> None:
        self.campaign, self.outcome, self.inputs = campaign, outcome, inputs
        self.done = False
        self._start()

    def _start(self) -> None:
        self.told, telling = _FORK.Pipe(duplex=False)
        self.process = _FORK.Process(target=_work, args=(self.campaign, self.inputs, self.told, telling), daemon=True)
        self.process.start()
        telling.close()
        self.heard = time.monotonic()

    def listen(self, ready: bool) -> None:
        """Take up what the worker says; where it has died or says nothing for too long, start another."""
        try:
            while ready and self.told.poll():
                number, ending, finding = self.told.recv()
                self.heard = time.monotonic()
                table = self.outcome.notes
                table[ending] = table.get(ending, 0) + 1
                if finding:
                    self._found(finding, number)
                self.inputs = self.inputs[1:]
        except EOFError:
            self.process.join()
            if self.inputs:
                self._lost(f"the process ended: {_death(self.process.exitcode)}")
            self.done = not self.inputs
        if not self.done and time.monotonic() - self.heard > self.campaign.patience:
            self.process.kill()
            self.process.join()
            self._lost(f"no end after {self.campaign.patience:g} s")
            self.done = not self.inputs

    def _lost(self, finding: str) -> None:
        self._found(finding, self.inputs[0])
        self.inputs = self.inputs[1:]
        if self.inputs:
            self._start()

    def _found(self, finding: str, number: int) -> None:
        if finding not in self.outcome.findings:  # a campaign may take long
            print(f"{self.campaign.name} {number}: {finding}", file=sys.stderr, flush=True)
        self.outcome.findings.setdefault(finding, []).append(number)


def _death(code: int | None) -> str:
    return signal.Signals(-code).name if code is not None and code < 0 else f"exit code {code}"


def _work(campaign: Campaign, inputs: range, told: Connection, telling: Connection) -> None:
    """The life of a worker."""
    told.close()  # the end of the parent: once it is gone, what is said to it fails and the worker ends
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    warnings.simplefilter("ignore")
    devnull = os.open(os.devnull, os.O_RDWR)
    os.dup2(devnull, 2)
    for number in inputs:
        ending, finding = "finding", ""
        try:
            ending = campaign.attack(number)
        except BaseException as error:
            finding = described(error)
        telling.send((number, ending, finding))
    telling.close()
    os._exit(0)
