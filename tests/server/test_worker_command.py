"""`commonplace worker` as a real process: it embeds what waits, and ends when told to."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.cli.commands import environment, run_here, run_process
from tests.cli.test_commands import UNREACHABLE

_PATIENCE = 60.0


def test_a_worker_apart_embeds_and_ends(tmp_path: Path) -> None:
    settings = {"COMMONPLACE_HOME": str(tmp_path / "home")}
    added = run_process(settings | UNREACHABLE, "add", "Title", "Body", "--json").document
    assert added["embedding"] == "pending"
    worker = subprocess.Popen(
        [sys.executable, "-m", "commonplace", "worker"],
        env=environment(settings),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        deadline = time.monotonic() + _PATIENCE
        state = "pending"
        while state != "ready" and time.monotonic() < deadline:
            state = run_here(settings, "show", added["id"], "--json").document["embedding"]
        assert state == "ready"
        worker.send_signal(signal.SIGTERM)
        printed, logged = worker.communicate(timeout=_PATIENCE)
    finally:
        if worker.poll() is None:
            worker.kill()
            worker.communicate()
    assert (worker.returncode, printed, logged) == (0, b"", b"")
