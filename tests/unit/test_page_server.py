"""The server of the page: this machine alone, its own names alone, the page and the run alone."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import http.client
import json
import re
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

import granum as gr
from granum.base.errors import GranumError
from granum.cli.view import _serve
from granum.view.page import server as page_server
from granum.view.page.server import LONGEST_REQUEST, MOST_CONNECTIONS, Pages, Server
from granum.view.stage import Stage
from messages import refused, says

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def run_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("run") / "pendulum.h5"
    gr.simulate(gr.load(ROOT / "examples" / "pendulum.toml"), until=0.05, output=file)
    return file


@pytest.fixture(scope="module")
def server(run_file: Path) -> Iterator[Server]:
    with Server(Pages(lambda: Stage(gr.open_run(run_file))), 0) as serving:
        thread = threading.Thread(target=serving.serve_forever)
        thread.start()
        yield serving
        serving.shutdown()
        thread.join()


def ask(server: Server, path: str, host: str | None = None, method: str = "GET") -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port)
    connection.putrequest(method, path, skip_host=True)
    connection.putheader("Host", f"127.0.0.1:{server.server_port}" if host is None else host)
    connection.endheaders()
    answer = connection.getresponse()
    return answer.status, answer.read()


def test_serves_page_and_run(server: Server, run_file: Path) -> None:
    status, page = ask(server, "/")
    assert status == 200
    assert page.startswith(b"<!DOCTYPE html>")
    status, header = ask(server, "/header")
    assert status == 200
    assert json.loads(header)["times"] == gr.open_run(run_file).t.tolist()
    assert json.loads(ask(server, "/names")[1])["names"] == list(gr.open_run(run_file).body_names)
    link = gr.open_run(run_file).link_names[0]
    assert json.loads(ask(server, f"/about/0/line/{link}")[1])["name"] == link
    for path in ("/solids", "/series", "/state", "/frame/0", "/frame/5", "/values/3/speed", "/chains/0"):
        assert ask(server, path)[0] == 200, path


@pytest.mark.parametrize("path", [
    "/frame/201", "/frame/-1", "/frame/x", "/frame/99999999999", "/../README.md", "/%2e%2e/README.md", "/etc/passwd",
    "/header/", "/frame/0/1", "/static/page.js",
])
def test_serves_nothing_else(server: Server, path: str) -> None:
    assert ask(server, path)[0] == 404


def test_says_what_is_wrong(server: Server) -> None:
    status, text = ask(server, "/values/0/weight")
    assert status == 400
    assert b"speed" in text
    assert ask(server, "/trace/nobody")[0] == 400
    assert ask(server, "/about/0/ball/99999")[0] == 400
    assert ask(server, "/about/0/line/nobody")[0] == 400


@pytest.mark.parametrize("host", [
    "", "evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "[::1]:{port}"])
def test_refuses_names_of_other_hosts(server: Server, host: str) -> None:
    assert ask(server, "/header", host.format(port=server.server_port))[0] == 403


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_takes_its_own_names(server: Server, host: str) -> None:
    assert ask(server, "/state", f"{host}:{server.server_port}")[0] == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS"])
def test_only_answers(server: Server, method: str) -> None:
    assert ask(server, "/", method=method)[0] == 501


def test_listens_on_loopback_alone(run_file: Path) -> None:
    command = [sys.executable, "-m", "granum.cli", "view", str(run_file), "--no-browser", "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    address = process.stdout.readline().split()[0]
    listening = [c.laddr for c in psutil.Process(process.pid).net_connections() if c.status == psutil.CONN_LISTEN]
    assert [(at.ip, f"http://{at.ip}:{at.port}/") for at in listening] == [("127.0.0.1", address)]
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=20) == 0


def test_interrupt_before_the_first_request(
    run_file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ctrl-C as soon as the address is printed ends the page without an error, before its loop begins."""
    def interrupted(_: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("webbrowser.open", interrupted)
    _serve(Pages(lambda: Stage(gr.open_run(run_file))), 0, browser=True)
    assert capsys.readouterr().out.startswith("http://127.0.0.1:")


BACKGROUND = "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_IGN); os.execv(sys.argv[1], sys.argv[1:])"


def test_ends_as_a_background_job(tmp_path: Path) -> None:
    """Where the parent ignores SIGINT, so does the page; SIGTERM ends it and its run, and keeps what is done."""
    scene = tmp_path / "long.toml"
    text = (ROOT / "examples" / "pendulum.toml").read_text()
    scene.write_text(re.sub(r"until = .*", "until = 2000.0", text))
    command = [sys.executable, "-m", "granum.cli", "view", str(scene), "--no-browser", "--port", "0"]
    process = subprocess.Popen([sys.executable, "-c", BACKGROUND, *command], stdout=subprocess.PIPE, text=True,
                               cwd=tmp_path)
    assert process.stdout is not None
    assert process.stdout.readline().startswith("http://")
    running = psutil.Process(process.pid).children()
    process.send_signal(signal.SIGINT)
    time.sleep(0.5)
    assert process.poll() is None
    process.terminate()
    assert process.wait(timeout=60) == 0
    assert running and not psutil.wait_procs(running, timeout=20)[1]
    assert len(gr.open_run(tmp_path / "long.h5").t)


def test_port_in_use() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with refused(GranumError, f"Port {port}", "--port"):
            Server(None, port)  # type: ignore[arg-type]
    with refused(GranumError, "port 99999", "65535"):
        Server(None, 99999)  # type: ignore[arg-type]


def view(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "granum.cli", "view", *arguments, "--no-browser"],
                          capture_output=True, text=True, timeout=60)


def test_bad_targets(tmp_path: Path) -> None:
    says(view(str(tmp_path / "none.h5")).stderr, "none.h5")
    (tmp_path / "text.h5").write_text("no run")
    says(view(str(tmp_path / "text.h5")).stderr, "text.h5")
    (tmp_path / "bad.toml").write_text("[run]\nuntil = -1\n")
    found = view(str(tmp_path / "bad.toml"))
    assert found.returncode == 2
    says(found.stderr, "bad.toml:2 run.until", "-1")


def spoken(server: Server, *parts: bytes) -> bytes:
    """What the server says to bytes that come as they are."""
    with socket.create_connection(("127.0.0.1", server.server_port), timeout=20) as connection:
        with contextlib.suppress(OSError):  # the server hangs up on what is too long
            for part in parts:
                connection.sendall(part)
            connection.shutdown(socket.SHUT_WR)
        answer = b""
        with contextlib.suppress(ConnectionError):
            while more := connection.recv(65536):
                answer += more
    return answer


def test_requests_have_a_bounded_length(server: Server) -> None:
    host = f"Host: 127.0.0.1:{server.server_port}\r\n".encode()
    request = b"GET /state HTTP/1.1\r\n" + host
    assert spoken(server, request + b"\r\n").startswith(b"HTTP/1.1 200")
    # where the server hangs up while there is more to say, its answer may be lost on the way
    assert spoken(server, request + b"X: " + b"a" * 2 * LONGEST_REQUEST + b"\r\n\r\n")[9:12] in (b"431", b"")
    assert spoken(server, request, *[b"X: a\r\n"] * LONGEST_REQUEST, b"\r\n")[9:12] in (b"431", b"")
    assert spoken(server, b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n" + host + b"\r\n")[9:12] in (b"414", b"")
    assert b" 413 " in spoken(server, request + b"Content-Length: 99999999\r\n\r\n" + b"a" * 1000)[:30]
    chunked = spoken(server, request + b"Transfer-Encoding: chunked\r\n\r\n5\r\nGET /\r\n0\r\n\r\n")
    assert b" 413 " in chunked[:30] and chunked.count(b"HTTP/1.1 ") == 1


def test_connections_that_say_nothing_are_closed(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_server._Handler, "timeout", 0.2)
    with socket.create_connection(("127.0.0.1", server.server_port), timeout=20) as connection:
        connection.sendall(b"GET /state HTT")
        assert connection.recv(100) == b""


def test_slow_connections_do_not_hold_the_page(server: Server) -> None:
    """Silent ones, ones that speak a byte at a time, and ones that do not read what they asked for."""
    def opened() -> socket.socket:
        return socket.create_connection(("127.0.0.1", server.server_port), timeout=20)

    slow = [opened() for _ in range(MOST_CONNECTIONS)]
    for k, connection in enumerate(slow):
        asked = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{server.server_port}\r\n"
        connection.sendall(["", "G", asked + "X", asked + "\r\n"][k % 4].encode())
    for _ in range(5):
        assert ask(server, "/state")[0] == 200
    assert slow[0].recv(100) == b""  # closed for the newcomers
    assert len(server._connections) <= MOST_CONNECTIONS
    for connection in slow:
        connection.close()
    assert any(not server._connections or time.sleep(0.05) for _ in range(400))


def page_answers(server: Server) -> bool:
    try:
        return ask(server, "/state")[0] == 200
    except OSError:
        time.sleep(0.1)
        return False


def test_clients_that_go_away_leave_no_trace(server: Server, capfd: pytest.CaptureFixture[str]) -> None:
    """A reset in the middle of an answer, which is longer than what the system buffers."""
    for _ in range(5):
        connection = socket.create_connection(("127.0.0.1", server.server_port), timeout=20)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{server.server_port}\r\n\r\n".encode() * 20)
        connection.recv(10)
        connection.close()
    assert any(page_answers(server) for _ in range(100))
    assert capfd.readouterr().err == ""


def test_the_page_runs_only_what_stands_in_it(server: Server) -> None:
    """Every script and style of the page is named by its hash, and nothing else may run."""
    answer = spoken(server, f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{server.server_port}\r\n\r\n".encode())
    head, _, page = answer.partition(b"\r\n\r\n")
    policy = re.search(rb"Content-Security-Policy: ([^\r]*)", head)
    assert policy is not None and b"unsafe" not in policy[1]
    blocks = re.findall(rb"<(script|style)>(.*?)</\1>", page, re.DOTALL)
    assert len(blocks) == 4
    for tag, block in blocks:
        named = re.search(tag + rb"-src ([^;]*)", policy[1])
        assert named is not None and base64.b64encode(hashlib.sha256(block).digest()) in named[1]
    assert not re.search(rb"<(script|style) |\sstyle=|\son\w+=", re.sub(rb"<(script|style)>.*?</\1>", b"", page))


def test_a_page_in_a_file_may_run_its_own_scripts_alone(run_file: Path, tmp_path: Path) -> None:
    """The policy stands before the first style and script, and has the hash of each."""
    page = gr.export(gr.open_run(run_file), "html", tmp_path / "run.html").path.read_text("utf-8")
    policy = re.search(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', page)
    assert policy is not None and policy.start() < min(page.index("<style>"), page.index("<script>"))
    rules = dict(rule.strip().split(" ", 1) for rule in policy[1].split(";"))
    assert rules["default-src"] == "'none'" and "connect-src" not in rules
    for tag in ("script", "style"):
        blocks = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        hashes = [base64.b64encode(hashlib.sha256(block.encode()).digest()).decode() for block in blocks]
        assert rules[f"{tag}-src"].split() == [f"'sha256-{found}'" for found in hashes]
