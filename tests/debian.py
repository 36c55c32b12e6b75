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
            wait = ("-o", "DPkg::Lock::Timeout=120")
            options = ("install", "-y", "-qq", "--no-install-recommends")
            subprocess.run(
                ["apt-get", *wait, *options, package],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=False,
            )
            found = _found(names)
    assert found, f"no {names[0]}: install Debian's `{package}` (these tests run the real one)"
    return found


def _found(names: Sequence[str]) -> str | None:
    return next((path for name in names if (path := shutil.which(name, path=_PATH))), None)
