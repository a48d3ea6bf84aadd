"""The page for this machine alone: on loopback, by its own names, and nothing but the page and the run."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import socket
import sys
import time
from collections.abc import Callable
from functools import cached_property
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from typing import Any
from urllib.parse import unquote

from granum.base.errors import GranumError
from granum.view.page.document import document, security_policy
from granum.view.page.packing import as_json
from granum.view.page.show import Show
from granum.view.stage import Stage

HOST = "127.0.0.1"
PORT = 8642
"""Where the page is unless another port is asked for."""
MOST_CONNECTIONS = 64
"""At the same time; a browser has six. For one more the server closes the one that has been silent longest."""
LONGEST_REQUEST = 16_384
"""Bytes of a request; the page asks for paths of some fifty."""
PATIENCE = 60.0
"""Seconds in which a connection may say nothing."""
_HEADERS = {
    "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
}

Answer = tuple[str, bytes]
"""Type and content."""


class Pages:
    """What the server answers, by path."""

    def __init__(self, open_stage: Callable[[], Stage], problem: Callable[[], str | None] = lambda: None) -> None:
        """Args:
        open_stage: opens the run; asked again while it grows.
        problem: what went wrong with a run that is still going on, if anything.
        """
        self._open, self._problem, self._opening = open_stage, problem, Lock()
        self.show = Show(open_stage())

    def _opened_again(self) -> Show:
        """The run with all frames there are now; every answer is of one state of it."""
        with self._opening:
            self.show = Show(self._open())
            return self.show

    @cached_property
    def _document(self) -> bytes:
        return document().encode()

    @cached_property
    def policy(self) -> str:
        """The content security policy of the page."""
        return security_policy(self._document.decode())

    def answer(self, path: str) -> Answer | None:
        """The content at a path; nothing where there is none."""
        if path == "/":
            return "text/html; charset=utf-8", self._document
        parts, show = [unquote(part) for part in path.split("/")[1:]], self.show
        match parts:
            case ["header"]:
                return _json(self._opened_again().header())
            case ["state"]:
                return _json(self._state((show if show.stage.run.finished else self._opened_again()).stage))
            case ["series"]:
                return _json(show.series())
            case ["names"]:
                return _json(show.names())
            case ["solids"]:
                return _bytes(show.solids())
            case ["trace", name]:
                return _bytes(show.trace(name))
            case [what, k, *rest] if k.isdecimal() and len(k) < 10 and int(k) < len(show.stage.t):
                return _of_frame(show, int(k), [what, *rest])
        return None

    def _state(self, stage: Stage) -> dict[str, Any]:
        return {"times": stage.t.tolist(), "finished": stage.run.finished, "until": stage.run.scene.run.until,
                "problem": self._problem()}


def _of_frame(show: Show, k: int, parts: list[str]) -> Answer | None:
    """What is asked of one frame."""
    match parts:
        case ["frame"]:
            return _bytes(show.frame(k))
        case ["values", quantity]:
            return _bytes(show.values(k, quantity))
        case ["chains"]:
            return _bytes(show.chains(k))
        case ["about", ("ball" | "solid") as what, place] if place.isdecimal():
            about = show.stage.describe_ball if what == "ball" else show.stage.describe_solid
            return _json(about(k, int(place)))
        case ["about", "line", name]:
            return _json(show.stage.describe_line(k, name))
    return None


def _json(value: Any) -> Answer:
    return "application/json", as_json(value)


def _bytes(block: bytes) -> Answer:
    return "application/octet-stream", block


class Server(ThreadingHTTPServer):
    """Serves pages on loopback."""

    daemon_threads = True
    allow_reuse_address = os.name != "nt"  # on Windows it would share a port that is in use

    def __init__(self, pages: Pages, port: int = PORT) -> None:
        self.pages = pages
        self._connections: dict[socket.socket, tuple[bool, float]] = {}
        """Those that are open: is an answer being given, and since when do they wait for it or for a request?"""
        self._counting = Lock()
        try:
            super().__init__((HOST, port), _Handler)
        except OSError as error:
            reason = "is in use" if error.errno == errno.EADDRINUSE else f"cannot be had: {error.strerror}"
            raise GranumError(f"Port {port} {reason}. Choose another with --port, or --port 0 for any that is free.") \
                from None
        except OverflowError:
            raise GranumError(f"There is no port {port}: ports go from 0 (any that is free) to 65535.") from None

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer a connection in a thread of its own; there are never more than a page can need."""
        with self._counting:
            if len(self._connections) >= MOST_CONNECTIONS:
                slowest = min(self._connections, key=self._connections.__getitem__)
                del self._connections[slowest]
                with contextlib.suppress(OSError):
                    slowest.shutdown(socket.SHUT_RDWR)  # its thread wakes up and ends
            self._connections[request] = False, time.monotonic()
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """The thread of a connection, from its first request to its end."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            with self._counting:
                self._connections.pop(request, None)

    def note(self, connection: socket.socket, answering: bool) -> None:
        """Note that a connection begins to be answered, or to wait for its next request."""
        with self._counting:
            if connection in self._connections:
                self._connections[connection] = answering, time.monotonic()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients may go away whenever they like; anything else is worth a traceback."""
        if not isinstance(sys.exc_info()[1], ConnectionError | TimeoutError):
            super().handle_error(request, client_address)

    @property
    def address(self) -> str:
        """Where a browser finds the page."""
        return f"http://{HOST}:{self.server_port}/"

    @property
    def names(self) -> set[str]:
        """What this server may be called in a request: a page elsewhere whose name leads here is not answered."""
        return {f"{name}:{self.server_port}" for name in (HOST, "localhost")}


class _Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"
    server_version = "granum"
    sys_version = ""
    timeout = PATIENCE
    raw_requestline: bytes

    def parse_request(self) -> bool:
        """Read the head of a request, of bounded length; a request with a body is refused."""
        connection, head = self.rfile, b""
        while not head.endswith((b"\r\n\r\n", b"\n\n")) and head not in (b"\r\n", b"\n"):
            line = connection.readline(LONGEST_REQUEST + 1 - len(head))
            head += line
            if not line or len(head) + len(self.raw_requestline) > LONGEST_REQUEST:
                break
        self.rfile = io.BufferedReader(io.BytesIO(head))
        try:
            parsed = super().parse_request()
        finally:
            self.rfile = connection
        if parsed and len(head) + len(self.raw_requestline) > LONGEST_REQUEST:
            self.send_error(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
            return False
        if parsed and (self.headers.get("Content-Length", "0") != "0" or "Transfer-Encoding" in self.headers):
            self.send_error(413)
            return False
        return parsed

    def do_GET(self) -> None:
        """Answer with the page, a part of the run, or what is wrong."""
        self.server.note(self.connection, answering=True)
        self._answer()
        self.server.note(self.connection, answering=False)

    def _answer(self) -> None:
        if self.headers.get("Host") not in self.server.names:
            self._send(HTTPStatus.FORBIDDEN, "text/plain", b"This page is for this machine alone.")
            return
        try:
            answer = self.server.pages.answer(self.path.partition("?")[0])
        except GranumError as error:
            self._send(HTTPStatus.BAD_REQUEST, "text/plain; charset=utf-8", str(error).encode())
            return
        if answer is None:
            self._send(HTTPStatus.NOT_FOUND, "text/plain", b"There is nothing here.")
        else:
            self._send(HTTPStatus.OK, *answer)

    def _send(self, status: HTTPStatus, kind: str, content: bytes) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(content)), **_HEADERS,
                            "Content-Security-Policy": self.server.pages.policy}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Requests are nobody's business."""
