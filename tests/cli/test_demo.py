"""`commonplace demo`: a home to look around in, gone when it is left."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest

import commonplace
from commonplace.cli.demo import _copy_ourselves, _serve, demo_notes
from commonplace.errors import InvalidArgument
from commonplace.safety.remembered import remembered
from commonplace.settings import Settings
from tests.cli.commands import environment, run_here
from tests.loopback import free_port
from tests.waiting import eventually


def test_the_notes_say_when_and_by_whom_and_replace_what_is_older() -> None:
    notes = demo_notes()
    titles = [note.title for note in notes]
    assert len(notes) >= 20
    assert len(set(titles)) == len(titles)
    for number, note in enumerate(notes):
        assert note.replaces in ("", *titles[:number])
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", note.agent), "a role, nobody's name"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program of two files instead of ours, which takes a while to read."""
    package = tmp_path / "src" / "commonplace"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("def greeting():\n    return 'hello'\n")
    for part in ("explain", "howto"):
        (tmp_path / "docs" / part).mkdir(parents=True)
        (tmp_path / "docs" / part / "page.md").write_text(f"# Pages that {part}\n")
    monkeypatch.setattr("commonplace.__file__", str(package / "__init__.py"))
    return tmp_path


def test_a_home_is_furnished_and_can_be_asked(project: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    made = run_here({}, "demo", "--no-serve", "--keep", str(kept))
    assert made.code == 0, made.stderr
    home = {"COMMONPLACE_HOME": str(kept / "home")}
    asked = re.search(r"commonplace search '(.+)'", made.stderr)
    assert asked
    found = run_here(home, "search", asked[1], "--json").document
    assert "basket on several devices" in found["hits"][0]["title"]
    listed = run_here(home, "list", "--limit", "100", "--json").document["entries"]
    changes = run_here(home, "audit", "--limit", "1000", "--json").document["changes"]
    assert [change["at"] for change in changes] == sorted(change["at"] for change in changes)
    oldest = datetime.fromisoformat(listed[-1]["created_at"])
    assert timedelta(days=20) < datetime.now(UTC) - oldest < timedelta(days=30)
    assert len({entry["agent"] for entry in listed}) >= 5
    keys = [one["key"] for one in run_here(home, "project", "list", "--json").document["projects"]]
    assert keys == ["commonplace", "shop"]
    hits = run_here(home, "find", "greeting", "--mode", "lexical", "--json").document["hits"]
    assert hits[0]["path"] == "src/commonplace/__init__.py"
    waiting = run_here(home, "review", "list", "--json").document
    assert len(waiting["reviews"]) == 2
    assert "exists already" in run_here({}, "demo", "--keep", str(kept)).stderr


def test_our_own_code_and_docs_are_what_it_shows(tmp_path: Path) -> None:
    _copy_ourselves(tmp_path)
    shown = {str(file.relative_to(tmp_path)) for file in tmp_path.rglob("*") if file.is_file()}
    assert {"src/commonplace/cli/demo.py", "docs/howto/tour.md"} <= shown
    assert len(shown) < Settings(home=tmp_path).max_source_files


def test_a_link_is_made_for_the_port_that_is_named(home: dict[str, str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        served = run_here(home, "login", "--port", str(port))
    assert f"http://127.0.0.1:{port}/login?code=" in served.stdout
    assert served.stderr == ""
    unserved = run_here(home, "login", "--port", str(port))
    assert unserved.code == 0
    assert unserved.stderr.startswith(f"Nothing listens on port {port} yet")
    assert unserved.stderr.endswith("--port.\n")


def test_a_port_in_use_leaves_no_application_open(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        # The traceback keeps an application alive that nobody closed.
        with pytest.raises(InvalidArgument, match="Cannot listen") as refused:
            _serve(Settings(home=tmp_path), port, browser=False)
    assert remembered() is None, refused


def started(folder: Path) -> subprocess.Popen[str]:
    """A process of its own, with the small program in the place of ours."""
    shown = f"import commonplace; commonplace.__file__ = {commonplace.__file__!r}"
    code = f"{shown}; from commonplace.cli.main import main; main()"
    command = [sys.executable, "-c", code, "demo", "--no-browser", "--port", str(free_port())]
    settings = environment({"TMPDIR": str(folder)})
    return subprocess.Popen(command, env=settings, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGHUP])
def test_whatever_ends_it_early_leaves_nothing(
    project: Path, tmp_path: Path, ending: signal.Signals
) -> None:
    with started(tmp_path) as process:
        eventually(lambda: any(tmp_path.glob("commonplace-demo-*/home")))
        os.kill(process.pid, ending)
        process.communicate()
    assert process.returncode == 128 + ending
    assert list(tmp_path.glob("commonplace-demo-*")) == []


def test_it_serves_until_it_is_left_and_leaves_nothing(project: Path, tmp_path: Path) -> None:
    with started(tmp_path) as process:
        assert process.stderr is not None
        url, told = "", ""
        for line in process.stderr:
            told += line
            if found := re.search(r"http://127\.0\.0\.1:\d+/", line):
                url = found[0]
                break
        assert httpx.get(f"{url}healthz", timeout=10).status_code == 200
        login = re.search(r"COMMONPLACE_HOME=(\S+) commonplace (login --port \d+)", told)
        assert login, told
        link = run_here({"COMMONPLACE_HOME": login[1]}, *login[2].split()).stdout.split()[-1]
        assert httpx.get(link, timeout=10, follow_redirects=True).status_code == 200
        os.kill(process.pid, signal.SIGINT)
        process.stderr.read()
    assert process.returncode == 0
    assert list(tmp_path.glob("commonplace-demo-*")) == []
