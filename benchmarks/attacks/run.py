"""What one hostile sender costs everybody else: attacks on a server that runs.

python -m benchmarks attacks [--command PATH ...] [--only NAME]: each command is an executable of
some version of the product; they are attacked alike, one after the other.
"""

from __future__ import annotations

import argparse
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx

from benchmarks.report import Cell, Report, Table, now
from tests.server.attacks import (
    LONG_NAME,
    PROSE,
    STARS,
    Target,
    Waits,
    backtracking,
    bomb,
    one_line,
    others,
    within,
)

_MOST_SECONDS = 60.0
# Calls may go on for 30 seconds, and after 40 the server is killed.
_GRACE_SECONDS = 38.0
_BOMB = 1_500_000_000
_SETTLED = ("ready", "error")


@dataclass(frozen=True, slots=True)
class House:
    """An executable, and a home of its own for it."""

    command: str
    home: Path

    @property
    def environment(self) -> dict[str, str]:
        told = {
            "COMMONPLACE_HOME": str(self.home),
            "COMMONPLACE_LOG_LEVEL": "error",
            "COMMONPLACE_FETCH_ALLOW": "127.0.0.1",
            "COMMONPLACE_FETCH_ROBOTS": "false",
            "COMMONPLACE_RATE_LIMIT": "100000",
        }
        return {**os.environ, **told}

    def do(self, *arguments: str) -> str:
        return subprocess.run(
            [self.command, *arguments],
            env=self.environment,
            check=True,
            capture_output=True,
            text=True,
            timeout=120,
        ).stdout

    @contextmanager
    def serving(self, token: str) -> Iterator[Target]:
        port = _free_port()
        process = subprocess.Popen(
            [self.command, "serve", "--port", str(port)],
            env=self.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        address = f"http://127.0.0.1:{port}"
        try:
            within(_MOST_SECONDS, lambda: _answers(address))
            yield Target(address, {"Authorization": f"Bearer {token}"}, process.pid)
        finally:
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(10)
            process.kill()
            process.wait()

    def token(self, org: str = "local", agent: str = "mallory") -> str:
        scopes = "knowledge:read,knowledge:write"
        made = self.do("token", "create", "--org", org, "--agent", agent, "--scopes", scopes)
        return next(word for word in made.split() if len(word) > 30 and "_" in word)

    def others(self, target: Target) -> AbstractContextManager[Waits]:
        """What another org waits for: whoever attacks waits for itself, as it should."""
        # It may be there already; earlier versions make it with its first token.
        with suppress(subprocess.CalledProcessError):
            self.do("org", "create", "bystanders")
        token = self.token("bystanders", "alice")
        return others(replace(target, headers={"Authorization": f"Bearer {token}"}))


Attack = Callable[[House, str], tuple[Cell, ...]]


def one_call(house: House, token: str) -> tuple[Cell, ...]:
    return _captured(house, token, 1)


def forty_calls(house: House, token: str) -> tuple[Cell, ...]:
    return _captured(house, token, 40)


def forty_items(house: House, token: str) -> tuple[Cell, ...]:
    item = {"summary": "s", "type": "solution", "project": "p", "file_context": "a.py"}
    return _captured(house, token, 40, "capture_knowledge", content="a " * 450_000, **item)


def _captured(
    house: House, token: str, count: int, tool: str = "auto_capture", **given: str
) -> tuple[Cell, ...]:
    given = given or {"text": backtracking()}
    with house.serving(token) as target:
        idle = _idle(house, target)
        senders = [
            threading.Thread(target=_send, args=(target, tool, given), daemon=True)
            for _ in range(count)
        ]
        with house.others(target) as waits:
            for sender in senders:
                sender.start()
            seconds = within(
                _MOST_SECONDS, lambda: not any(sender.is_alive() for sender in senders)
            )
        return _row(seconds, waits, idle, target.memory(), _ends(target))


def _send(target: Target, tool: str, given: dict[str, str]) -> None:
    with suppress(httpx.HTTPError):
        target.tool(tool, **given)


def ignore_file(house: House, token: str) -> tuple[Cell, ...]:
    folder = house.home.with_name(f"{house.home.name}-project")
    folder.mkdir()
    (folder / "kept.md").write_text("A refund waits in the ledger.\n")
    house.do("project", "add", "hostile", "--root", str(folder))
    house.do("project", "attach", "hostile", str(folder), "--docs")
    house.do("ingest", "--project", "hostile")
    with house.serving(token) as target:
        idle = _idle(house, target)
        with house.others(target) as waits:
            (folder / LONG_NAME).write_text("A pull brought this.\n")
            (folder / ".gitignore").write_text(STARS)
            (folder / "more.md").write_text("And this, which is to be found.\n")
            seconds = within(25.0, lambda: False)
        ended, memory = _ends(target), target.memory() if _alive(target.pid) else None
    with house.serving(token) as target:
        again = _answers(target.address, 20.0)
    return (*_row(seconds, waits, idle, memory, ended)[:-1], f"{ended}, again: {_yes(again)}")


def packed_page(house: House, token: str) -> tuple[Cell, ...]:
    with _site(bomb(_BOMB)) as url, house.serving(token) as target:
        idle = _idle(house, target)
        with house.others(target) as waits:
            source = target.add_page(url)
            seconds = within(_MOST_SECONDS, lambda: _settled(target, source))
        return _row(seconds, waits, idle, target.memory(), _ends(target))


def upload_of(part: str) -> Attack:
    def upload(house: House, token: str) -> tuple[Cell, ...]:
        with house.serving(token) as target:
            idle = _idle(house, target)
            with house.others(target) as waits:
                source = target.upload("line.txt", one_line(part))
                seconds = within(_MOST_SECONDS, lambda: _settled(target, source))
            return _row(seconds, waits, idle, target.memory(), _ends(target))

    return upload


ATTACKS: dict[str, Attack] = {
    "text for auto_capture, 1 MB, once": one_call,
    "the same, forty at once": forty_calls,
    "capture_knowledge, 1 MB, forty at once": forty_items,
    "ignore file of stars in a watched folder": ignore_file,
    "page that unpacks to 1.5 GB": packed_page,
    'upload of 9 MB "aaaa"': upload_of("a"),
    'upload of 9 MB "word word"': upload_of("word "),
    "upload of 9 MB prose in one line": upload_of(PROSE),
}
_COLUMNS = (
    "attack", "version", "seconds", "longest wait for /healthz", "before",
    "share of waits over 1 s", "longest search", "search p95", "p95 before", "most MB",
    "ends on SIGTERM",
)  # fmt: skip


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks attacks")
    here = str(Path(sys.executable).parent / "commonplace")
    parser.add_argument("--command", action="append", default=[])
    parser.add_argument("--only", default="")
    given = parser.parse_args(arguments)
    started, rows = now(), []
    for name, attack in ATTACKS.items():
        if given.only in name:
            for number, command in enumerate(given.command or [here]):
                version = "this" if command == here else f"other {number + 1}"
                with tempfile.TemporaryDirectory() as folder:
                    house = House(command, Path(folder) / "home")
                    rows.append((name, version, *attack(house, house.token())))
                    print(*rows[-1], sep=" | ", flush=True)
    table = Table("One hostile sender, and everybody else", _COLUMNS, tuple(rows), digits=2)
    Report("attacks", (table,), _NOTES).save(started)


_NOTES = (
    f"Each attack on a server of its own, broken off after {_MOST_SECONDS:.0f} seconds.",
    "Meanwhile one client asks for /healthz and one searches, each 0.05 s after the last answer.",
    "They belong to another org than the attacker.",
    "`before`: the longest wait for /healthz, and p95 of searches, in the five seconds before.",
    "MB are the most that the server's process ever had (VmHWM).",
)


def _row(
    seconds: float, waits: Waits, idle: Waits, memory: float | None, ended: str
) -> tuple[Cell, ...]:
    said = f"over {_MOST_SECONDS:.0f}" if seconds >= _MOST_SECONDS else f"{seconds:.1f}"
    return (
        said, waits.longest, idle.longest, waits.share_in_stalls, waits.longest_search,
        _p95(waits.searches), _p95(idle.searches), round(memory) if memory else None, ended,
    )  # fmt: skip


def _p95(waits: Sequence[float]) -> float | None:
    return sorted(waits)[int(0.95 * len(waits))] if waits else None


def _idle(house: House, target: Target) -> Waits:
    with house.others(target) as waits:
        time.sleep(5)
    return waits


def _ends(target: Target) -> str:
    """Whether it ends when it is told to: by itself, and not by its last resort."""
    os.kill(target.pid, 15)
    return _yes(within(_GRACE_SECONDS, lambda: not _alive(target.pid)) < _GRACE_SECONDS)


def _alive(pid: int) -> bool:
    """A process that has ended and that nobody has asked about yet is a zombie."""
    try:
        return " Z " not in Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except FileNotFoundError:
        return False


def _yes(said: bool) -> str:
    return "yes" if said else "no"


def _settled(target: Target, source: str) -> bool:
    try:
        return target.source_status(source) in _SETTLED
    except httpx.HTTPError:
        return not _alive(target.pid)


def _answers(address: str, patience: float = 5.0) -> bool:
    try:
        return httpx.get(f"{address}/healthz", timeout=patience).status_code == 200
    except httpx.TransportError:
        return False


@contextmanager
def _site(body: bytes) -> Iterator[str]:
    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Encoding", "gzip, gzip")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
