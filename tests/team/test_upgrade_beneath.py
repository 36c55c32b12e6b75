"""A team's server goes on answering when another version is installed beneath it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import commonplace
from commonplace.settings import Settings
from tests.surfaces.processes import Processes, started

PACKAGE = Path(commonplace.__file__).parent


def _installed(folder: Path) -> Path:
    """The package, with its surfaces as files of their own."""
    package = folder / "commonplace"
    package.mkdir(parents=True)
    for part in PACKAGE.iterdir():
        if part.name == "surfaces":
            shutil.copytree(part, package / part.name)
        else:
            (package / part.name).symlink_to(part)
    return package


def test_what_a_call_runs_was_loaded_before_anybody_called(
    tmp_path: Path, processes: Processes, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing of the new version is mixed into the running one: its parts do not fit together."""
    package = _installed(tmp_path / "installed")
    monkeypatch.setenv("PYTHONPATH", str(package.parent))
    processes.start = started
    server = processes.serve(settings)
    for file in (package / "surfaces").rglob("*.py"):
        file.write_text("raise ImportError('of another version')\n")
    caller = processes.connect(server.mcp)
    caller.call("store_knowledge", title="Kept", body="harvest")
    assert caller.call("search_knowledge", query="harvest")["hits"]
