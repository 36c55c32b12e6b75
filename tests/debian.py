"""Programs from Debian packages that tests run; installed if missing and permitted."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

_LOCK = Path(tempfile.gettempdir()) / "commonplace-packages.lock"
# Servers are installed outside an ordinary user's path.
_PATH = os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin", "/usr/lib/postgresql/bin"))


def program(names: Sequence[str], package: str) -> str:
    """The path of the first program found; the package is installed under a lock if missing."""
    with _LOCK.open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        found = _found(names)
        if found is None and os.getuid() == 0 and shutil.which("apt-get"):
            found = _installed(names, package)
    assert found, f"no {names[0]}: install Debian's `{package}` (these tests run the real one)"
    return found


def _installed(names: Sequence[str], package: str) -> str | None:
    """Install the package; a bare machine has to read the list of packages first."""
    install = ("install", "-y", "-qq", "--no-install-recommends", package)
    for command in (install, ("update", "-qq"), install):
        subprocess.run(
            ["apt-get", "-o", "DPkg::Lock::Timeout=120", *command],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
        if found := _found(names):
            return found
    return None


def _found(names: Sequence[str]) -> str | None:
    return next((path for name in names if (path := shutil.which(name, path=_PATH))), None)
