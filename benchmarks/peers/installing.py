"""Environments of peers, each of its own, in a cache folder outside the repository."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.peers.speaking import PeerError

CACHE_VARIABLE = "COMMONPLACE_BENCH_PEERS"
# For peers that need a later Python than this one, or one that loads extensions of SQLite.
PYTHON_VARIABLE = "COMMONPLACE_BENCH_PYTHON"
_MINUTES = 15


@dataclass(frozen=True, slots=True)
class Package:
    """What is installed, pinned; the first is the peer itself. `npm`: from there, not PyPI."""

    names: tuple[str, ...]
    npm: bool = False
    other_python: bool = False

    @property
    def name(self) -> str:
        return self.names[0].rpartition("@" if self.npm else "==")[0]

    @property
    def version(self) -> str:
        return self.names[0].rpartition("@" if self.npm else "==")[2]


@dataclass(frozen=True, slots=True)
class Installed:
    folder: Path
    megabytes: float

    def program(self, name: str) -> str:
        """Where a command of the environment is, whichever kind that is."""
        found = (self.folder / place / name for place in ("bin", "node_modules/.bin"))
        return str(next(path for path in found if path.exists()))


def cache_folder() -> Path:
    given = os.environ.get(CACHE_VARIABLE)
    return Path(given) if given else Path.home() / ".cache" / "commonplace-peers"


def installed(package: Package) -> Installed:
    """Installs it where it is not yet; PeerError says why it cannot be."""
    folder = cache_folder() / package.name.replace("/", "+").strip("@")
    stamp = folder / "installed.json"
    if not stamp.exists() or json.loads(stamp.read_text()) != list(package.names):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        (_from_npm if package.npm else _from_pypi)(package, folder)
        stamp.write_text(json.dumps(package.names))
    return Installed(folder, size_of(folder) / 1e6)


def size_of(folder: Path) -> int:
    """Bytes on the disk, links not followed."""
    found = (path.lstat() for path in folder.rglob("*") if not path.is_dir())
    return sum(512 * one.st_blocks for one in found)


def _from_pypi(package: Package, folder: Path) -> None:
    python = os.environ.get(PYTHON_VARIABLE) if package.other_python else sys.executable
    if not python:
        raise PeerError(f"it needs another Python: {PYTHON_VARIABLE} names one")
    _run([python, "-m", "venv", "--without-pip", str(folder)])
    inside = str(folder / "bin" / "python")
    _run([sys.executable, "-m", "pip", "--python", inside, "install", "-q", *package.names])


def _from_npm(package: Package, folder: Path) -> None:
    _run(["npm", "install", "--silent", "--no-audit", "--prefix", str(folder), *package.names])


def _run(command: Sequence[str]) -> None:
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=60 * _MINUTES, check=False
    )
    if done.returncode:
        last = [line for line in done.stderr.splitlines() if line.strip()][-1:]
        raise PeerError(f"it did not install: {' '.join(last)[:300]}")
