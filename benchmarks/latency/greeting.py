"""How soon a client that starts the server over stdio is answered, beside importing the SDK alone.

python -m benchmarks greeting [--rounds 15]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from statistics import median
from typing import Any

from benchmarks.report import Report, Table, now

INITIALIZE: dict[str, Any] = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "bench", "version": "1"},
    },
}


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks greeting", description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    given = parser.parse_args(arguments)
    started = now()
    with tempfile.TemporaryDirectory() as home:
        greeted(home)
        rounds = [(imported(), greeted(home)) for _ in range(given.rounds)]
    floor, ours = (median(times) for times in zip(*rounds, strict=True))
    ratios = [greeting / floor for floor, greeting in rounds]
    row = ("stdio, SQLite", 1000 * floor, 1000 * ours, median(ratios), max(ratios))
    columns = ("ms, medians", "import mcp.server", "initialize answered", "ratio", "worst ratio")
    table = Table(f"{given.rounds} rounds in turn", columns, (row,), digits=2)
    Report("greeting", (table,)).save(started)


def imported() -> float:
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import mcp.server"], check=True)
    return time.perf_counter() - begun


def greeted(home: str) -> float:
    """From starting the process to reading its answer."""
    environment = {**os.environ, "COMMONPLACE_HOME": home, "COMMONPLACE_LOG_LEVEL": "error"}
    begun = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-m", "commonplace", "mcp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment,
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(json.dumps(INITIALIZE).encode() + b"\n")
        server.stdin.flush()
        answer = json.loads(server.stdout.readline())
        seconds = time.perf_counter() - begun
        server.stdin.close()
    assert answer["result"]["serverInfo"]["name"] == "commonplace"
    return seconds


if __name__ == "__main__":
    main(sys.argv[1:])
