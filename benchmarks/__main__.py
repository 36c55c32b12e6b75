"""Runs a benchmark by name: python -m benchmarks [name] [options]; without a name, all of them.

`--quick` runs a few of them for a moment, without data sets and without touching the results.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from importlib import import_module

from benchmarks import goals
from benchmarks.report import RESULTS_VARIABLE

BENCHMARKS = {
    "quality": "benchmarks.quality.run",
    "moments": "benchmarks.quality.moments.run",
    "safety": "benchmarks.quality.safety.run",
    "secrets": "benchmarks.quality.secrets",
    "injection": "benchmarks.quality.injection.run",
    "workspace": "benchmarks.quality.workspace.run",
    "recall": "benchmarks.recall.run",
    "passages": "benchmarks.quality.passages",
    "latency": "benchmarks.latency.run",
    "words": "benchmarks.latency.words",
    "typed": "benchmarks.latency.typed",
    "path": "benchmarks.latency.path",
    "items": "benchmarks.latency.items",
    "mcp": "benchmarks.latency.over_mcp",
    "bare": "benchmarks.latency.bare",
    "greeting": "benchmarks.latency.greeting",
    "throughput": "benchmarks.latency.throughput",
    "turns": "benchmarks.latency.turns",
    "memory": "benchmarks.memory.measure",
    "ingestion": "benchmarks.ingestion.run",
    "folders": "benchmarks.ingestion.folders",
    "codegraph": "benchmarks.codegraph.run",
    "unread": "benchmarks.codegraph.unread",
    "questions": "benchmarks.codegraph.questions",
    "graph": "benchmarks.codegraph.scale",
    "indexing": "benchmarks.codegraph.speed",
    "load": "benchmarks.load.run",
    "attacks": "benchmarks.attacks.run",
    "fairness": "benchmarks.fairness.run",
    "neighbours": "benchmarks.neighbours.run",
    "scale": "benchmarks.scale.run",
    "lists": "benchmarks.scale.lists",
    "moving": "benchmarks.moving.run",
    "replicas": "benchmarks.team.replicas",
    "pooling": "benchmarks.team.pooling",
    "promotions": "benchmarks.team.promotions",
    "disk": "benchmarks.scale.disk",
    "growth": "benchmarks.growth.run",
    "tasks": "benchmarks.tasks.run",
    "peers": "benchmarks.peers.run",
    "libraries": "benchmarks.peers.libraries",
}

# Whether they still run, and lose and refuse nothing; their figures mean nothing.
QUICK: Mapping[str, Sequence[str]] = {
    "greeting": ("--rounds", "2"),
    "load": ("--clients", "8", "--seconds", "3", "--servers", "1", "--workers", "1"),
}


def main(arguments: Sequence[str]) -> None:
    if arguments == ["--quick"]:
        _try_some()
        return
    if arguments and arguments[0] == "compare":
        import_module("benchmarks.compare").main(arguments[1:])
        return
    if arguments == ["goals"]:
        goals.main()
        return
    if arguments and arguments[0] in BENCHMARKS:
        import_module(BENCHMARKS[arguments[0]]).main(arguments[1:])
        goals.main()
        return
    if arguments:
        sys.exit(f"There is no benchmark {arguments[0]!r}; there are: {', '.join(BENCHMARKS)}.")
    for module in BENCHMARKS.values():
        import_module(module).main([])
    goals.main()


def _try_some() -> None:
    with tempfile.TemporaryDirectory(prefix="cp-bench-") as folder:
        environment = {**os.environ, RESULTS_VARIABLE: folder}
        for name, options in QUICK.items():
            command = [sys.executable, "-m", "benchmarks", name, *options]
            if code := subprocess.run(command, env=environment, check=False).returncode:
                sys.exit(code)


if __name__ == "__main__":
    main(sys.argv[1:])
