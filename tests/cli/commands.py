"""Running the `commonplace` command: as a real process, or in this one for breadth."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

from click.testing import CliRunner

from commonplace.cli.main import main

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
