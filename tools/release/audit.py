"""Checks every locked package against a vulnerability index: python -m tools.release.audit.

Exits with 0 when none is known to be vulnerable, 1 when some are, and 2 when no index of
advisories could be reached, in which case nothing is known.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from typing import Any

LOCKS = ("requirements.lock", "requirements-dev.lock")
TOOL = "pip-audit>=2.9,<3"
HOME = Path("build/audit")
CLEAN, VULNERABLE, UNKNOWN = 0, 1, 2


def main() -> int:
    tool = _installed()
    if tool is None:
        return _unknown(f"{TOOL} cannot be installed from here")
    return max(_audited(tool, lock) for lock in LOCKS)


def findings_of(lock: str, report: str) -> tuple[int, list[str]]:
    """The exit status and lines for a report; UNKNOWN if no index could be reached."""
    try:
        packages: list[dict[str, Any]] = json.loads(report)["dependencies"]
    except (ValueError, KeyError, TypeError):
        return UNKNOWN, [f"{lock}: no index of advisories could be reached; nothing is known."]
    lines = [
        f"{lock}: {package['name']} {package['version']}: {found['id']}, "
        f"fixed in {', '.join(found['fix_versions']) or 'no version'}"
        for package in packages
        for found in package.get("vulns", [])
    ]
    return (VULNERABLE, lines) if lines else (CLEAN, [f"{lock}: {len(packages)} packages, none."])


def _audited(tool: Path, lock: str) -> int:
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        options = ["--disable-pip", "--require-hashes", "--progress-spinner", "off"]
        command = [str(tool), *options, "-r", lock, "-f", "json", "-o", str(report)]
        subprocess.run(command, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        code, lines = findings_of(lock, report.read_text("utf-8") if report.is_file() else "")
    print("\n".join(lines))
    return code


def _installed() -> Path | None:
    """The path of pip-audit, in its own environment: it must not be a dependency of the product."""
    tool = HOME / "bin" / "pip-audit"
    if not tool.is_file():
        venv.create(HOME, with_pip=True, clear=True)
        pip = [str(HOME / "bin" / "python"), "-m", "pip", "install", "-qq", TOOL]
        if subprocess.run(pip, check=False, capture_output=True).returncode:
            return None
    return tool


def _unknown(why: str) -> int:
    print(f"Nothing was audited: {why}.")
    return UNKNOWN


if __name__ == "__main__":
    sys.exit(main())
