"""What only some installations use costs the others nothing at their start."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

_BUILD = """
import sys
from pathlib import Path
import commonplace.server.stdio
from commonplace.bootstrap import build
from commonplace.settings import Settings
build(Settings(home=Path(sys.argv[1]), worker=False)).close()
print(sorted({"redis", "jwt", "httpx", "psycopg"} & set(sys.modules)))
"""


def test_redis_and_signed_tokens_are_not_imported_unless_configured(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _BUILD, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
    assert not (tmp_path / "tokens.key").exists(), "nor is a key made that nobody needs"
