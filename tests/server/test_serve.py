"""`commonplace serve` as a real process: pages, health, the worker beside it, and its end."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from commonplace.server.http import listen
from tests.cli.commands import environment, run_process
from tests.forked import ForkedModule, Running
from tests.loopback import free_port, send
from tests.stores import MakeDatabase
from tests.surfaces.processes import started
from tests.transports.serving import log_lines
from tests.waiting import eventually, patiently

_PATIENCE = 60.0
MAKE_TOKEN = (
    *("token", "create", "--org", "local", "--agent", "tests"),
    *("--scopes", "knowledge:read", "--json"),
)


@pytest.fixture
def settings(dialect: str, tmp_path: Path, make_database: MakeDatabase) -> dict[str, str]:
    home = {"COMMONPLACE_HOME": str(tmp_path / "home")}
    if dialect == "sqlite":
        return home
    return home | {"COMMONPLACE_DATABASE_URL": make_database(dialect).address}


class Served:
    """A server that is being started, or runs."""

    def __init__(self, settings: dict[str, str], log: Path, start: Callable[..., Running]) -> None:
        self.log = log
        self.port = free_port()
        self._printed = log.with_name("printed")
        streams = {"stdin": Path(os.devnull), "stdout": self._printed, "stderr": log}
        command = ("commonplace", "serve", "--port", str(self.port))
        self.process = start(*command, env=environment(settings), **streams)

    def get(self, path: str, token: str = "") -> httpx.Response:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return send("GET", f"http://127.0.0.1:{self.port}{path}", headers=headers)

    def figure(self, label: str, token: str) -> str:
        """What the page of figures shows under a label."""
        page = self.get("/activity/health", token).text
        found = re.search(rf"<dt>{label}</dt><dd>([^<]*)</dd>", page)
        assert found, page
        return found[1]

    def wait_until_ready(self) -> None:
        for _ in patiently(look=0.1):
            assert self.process.poll() is None, self.log.read_text()
            try:
                if self.get("/readyz").status_code == 200:
                    return
            except httpx.TransportError:
                continue
        raise AssertionError(self.log.read_text())

    def end(self, with_signal: signal.Signals) -> tuple[int, bytes]:
        self.process.send_signal(with_signal)
        return self.process.wait(_PATIENCE), self._printed.read_bytes()


@contextmanager
def served(
    settings: dict[str, str], log: Path, start: Callable[..., Running] = ForkedModule
) -> Iterator[Served]:
    server = Served(settings, log, start)
    try:
        server.wait_until_ready()
        yield server
    finally:
        server.process.kill()
        server.process.wait(_PATIENCE)


def _embedded(settings: dict[str, str], id: str) -> bool:
    shown = run_process(settings, "show", id, "--json").document
    return bool(shown["embedding"] == "ready")


def _add_without_a_model(settings: dict[str, str]) -> str:
    """A note by a process that cannot embed it."""
    away = {
        "COMMONPLACE_EMBEDDING_URL": "http://127.0.0.1:1/v1",
        "COMMONPLACE_EMBEDDING_MODEL": "absent",
        "COMMONPLACE_EMBEDDING_DIMENSION": "8",
    }
    added = run_process(settings | away, "add", "Zebras", "A zebra has stripes.", "--json")
    assert added.code == 0, added.stderr
    return str(added.document["id"])


@pytest.mark.parametrize(
    ("dialect", "ending"), [("sqlite", signal.SIGTERM), ("postgres", signal.SIGINT)]
)
def test_pages_and_a_clean_end(
    settings: dict[str, str], tmp_path: Path, ending: signal.Signals
) -> None:
    made = run_process(settings, *MAKE_TOKEN).document
    assert run_process(settings, "add", "Zebras", "A zebra has stripes.").code == 0
    with served(settings, tmp_path / "log", started) as server:
        page = server.get("/?q=zebra", made["token"])
        assert page.headers["content-type"].startswith("text/html")
        assert "has stripes." in page.text
        health = server.get("/activity/health", made["token"]).text
        assert "granite-30m-en-int8-r2@384" in health
        assert server.figure("Entries", made["token"]) == "1"
        assert server.get("/healthz").json()["status"] == "ok"
        assert server.get("/readyz").json() == {"status": "ok"}
        assert server.get("/nothing").status_code == 404
        assert server.end(ending) == (0, b""), server.log.read_text()
    lines = [json.loads(line) for line in server.log.read_text().splitlines()]
    assert {line["level"] for line in lines} == {"info"}
    assert [line["message"] for line in lines] == ["serving", "stopped"]
    assert lines[0]["url"] == f"http://127.0.0.1:{server.port}/"
    team = "COMMONPLACE_DATABASE_URL" in settings
    assert ("every call needs a token" in lines[0]["access"]) is team
    assert "/login?code=" not in server.log.read_text(), "a log is no place for a secret"


def test_a_signal_just_after_the_start_ends_it_cleanly(tmp_path: Path) -> None:
    """Supervisors may change their mind at once; a signal that is lost ends in a kill later."""
    settings = {"COMMONPLACE_HOME": str(tmp_path / "home"), "COMMONPLACE_SHUTDOWN_SECONDS": "1"}
    log = tmp_path / "log"
    process = ForkedModule("tests.server.signalled_server", env=environment(settings), stderr=log)
    assert process.wait(_PATIENCE) == 0, log.read_text()
    assert [line["message"] for line in log_lines(log)] == ["serving", "stopped"]


def test_the_worker_embeds_what_another_process_writes(
    settings: dict[str, str], tmp_path: Path
) -> None:
    """The writer itself has no model, so only the server can have embedded it."""
    token = run_process(settings, *MAKE_TOKEN).document["token"]
    with served(settings, tmp_path / "log") as server:
        added = _add_without_a_model(settings)
        eventually(lambda: server.figure("Not embedded yet", token) == "0")
        assert _embedded(settings, added)
        found = run_process(settings, "search", "striped animal", "--mode", "semantic", "--json")
        assert found.document["hits"][0]["id"] == added


def test_without_its_worker_it_embeds_nothing(tmp_path: Path) -> None:
    """A server with a worker that is started later has embedded its note; this one had longer."""
    settings = {"COMMONPLACE_HOME": str(tmp_path / "home"), "COMMONPLACE_WORKER": "false"}
    others = {"COMMONPLACE_HOME": str(tmp_path / "others")}
    token = run_process(settings, *MAKE_TOKEN).document["token"]
    theirs = run_process(others, *MAKE_TOKEN).document["token"]
    waiting, embedded = _add_without_a_model(settings), _add_without_a_model(others)
    with served(settings, tmp_path / "log") as server:
        with served(others, tmp_path / "log of the others") as another:
            eventually(lambda: another.figure("Not embedded yet", theirs) == "0")
        assert server.figure("Entries", token) == server.figure("Not embedded yet", token) == "1"
        assert server.end(signal.SIGTERM)[0] == 0
    assert _embedded(others, embedded)
    assert not _embedded(settings, waiting)


def test_a_port_that_is_taken_is_an_error_without_a_traceback(tmp_path: Path) -> None:
    settings = {"COMMONPLACE_HOME": str(tmp_path / "home")}
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        outcome = run_process(settings, "serve", "--port", str(listening.getsockname()[1]))
    assert outcome.code == 1
    assert outcome.stdout == ""
    assert "Traceback" not in outcome.stderr
    assert outcome.stderr.startswith("Error: Cannot listen on 127.0.0.1 port ")
    assert "address already in use" in outcome.stderr


def test_an_answer_does_not_wait_for_the_client_to_confirm_its_first_half() -> None:
    with (
        listen("127.0.0.1", 0) as listening,
        socket.create_connection(listening.getsockname()),
        listening.accept()[0] as accepted,
    ):
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_a_database_that_is_down_is_an_error_at_once(tmp_path: Path) -> None:
    settings = {
        "COMMONPLACE_HOME": str(tmp_path / "home"),
        "COMMONPLACE_DATABASE_URL": "postgresql://ada:hunter2@127.0.0.1:1/none",
    }
    outcome = run_process(settings, "serve", "--port", "0")
    assert (outcome.code, outcome.stdout) == (1, "")
    assert outcome.stderr.endswith("[storage.unavailable]\n")
    assert "hunter2" not in outcome.stderr
