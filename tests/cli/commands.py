"""Running the `commonplace` command: as a process, or in this one for breadth."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from click.testing import CliRunner

from commonplace.cli.main import main
from tests.forked import ForkedModule

_TIMEOUT = 120


@dataclass(frozen=True)
class Outcome:
    code: int
    stdout: str
    stderr: str

    @property
    def document(self) -> Any:
        """What --json printed: exactly one document."""
        return json.loads(self.stdout)


def environment(given: dict[str, str]) -> dict[str, str]:
    """This process's environment, with these settings and no others of Commonplace."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("COMMONPLACE_")}
    return kept | given


def run_process(settings: dict[str, str], *arguments: str, stdin: bytes = b"") -> Outcome:
    """As a process of its own, forked from one that has imported the product."""
    with TemporaryDirectory() as folder:
        said, printed, told = (Path(folder, name) for name in ("stdin", "stdout", "stderr"))
        said.write_bytes(stdin)
        streams = {"stdin": said, "stdout": printed, "stderr": told}
        process = ForkedModule("commonplace", *arguments, env=environment(settings), **streams)
        try:
            code = process.wait(_TIMEOUT)
        finally:
            process.kill()
        return Outcome(code, printed.read_text("utf-8"), told.read_text("utf-8"))


def run_anew(settings: dict[str, str], *arguments: str, stdin: bytes = b"") -> Outcome:
    """As a shell runs it, by an interpreter of its own: for tests of how it starts."""
    done = subprocess.run(
        [sys.executable, "-m", "commonplace", *arguments],
        env=environment(settings),
        input=stdin,
        capture_output=True,
        timeout=_TIMEOUT,
        check=False,
    )
    return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())


def run_here(settings: dict[str, str], *arguments: str, stdin: bytes = b"") -> Outcome:
    absent = {k: None for k in os.environ if k.startswith("COMMONPLACE_")}
    done = CliRunner().invoke(main, list(arguments), input=stdin, env={**absent, **settings})
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return Outcome(done.exit_code, done.stdout, done.stderr)
