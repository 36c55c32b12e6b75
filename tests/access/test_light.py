"""What only some installations or calls use costs the others nothing at their start."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

_BUILD = """
import sys
from pathlib import Path
import commonplace.server.mcp.stdio
from commonplace.application import Application, MemoryServices
from commonplace.bootstrap import build
from commonplace.settings import Settings
application = build(Settings(home=Path(sys.argv[1]), worker=False))
for made, names in ((application, Application), (application.memory, MemoryServices)):
    for name in names.__annotations__:
        getattr(made, name)
application.close()
print(sorted({"redis", "jwt", "httpx", "psycopg"} & set(sys.modules)))
"""
_ASK_FOR = """
import sys
from pathlib import Path
from commonplace.bootstrap import build
from commonplace.settings import Settings
application = build(Settings(home=Path(sys.argv[1]), worker=False))
eval(f"application.{sys.argv[2]}")
application.close()
print(*(name for name in sys.modules if name.startswith("commonplace.")), sep="\\n")
"""


def run_in_python(script: str, *arguments: str) -> str:
    command = [sys.executable, "-c", script, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_redis_and_signed_tokens_are_not_imported_unless_configured(tmp_path: Path) -> None:
    assert run_in_python(_BUILD, str(tmp_path)) == "[]\n"
    assert not (tmp_path / "tokens.key").exists(), "nor is a key made that nobody needs"


@pytest.mark.parametrize("service", ["knowledge", "retrieval", "new_worker()"])
def test_a_service_imports_no_room_that_it_does_not_stand_on(tmp_path: Path, service: str) -> None:
    imported = run_in_python(_ASK_FOR, str(tmp_path), service).splitlines()
    others = (
        *("codegraph.service", "capture", "registry", "memory", "documents", "recall"),
        *("surfaces", "storage.tables.codegraph", "storage.tables.workspace"),
    )
    assert "commonplace.storage.sqlite.store" in imported
    assert [n for n in imported if n.startswith(tuple(f"commonplace.{o}" for o in others))] == []
