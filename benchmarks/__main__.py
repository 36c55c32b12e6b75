"""Runs a benchmark by name: python -m benchmarks [name] [options]; without a name, all of them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module

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
    "greeting": "benchmarks.latency.greeting",
    "throughput": "benchmarks.latency.throughput",
    "memory": "benchmarks.memory.measure",
    "ingestion": "benchmarks.ingestion.run",
    "folders": "benchmarks.ingestion.folders",
    "codegraph": "benchmarks.codegraph.run",
    "unread": "benchmarks.codegraph.unread",
    "graph": "benchmarks.codegraph.scale",
    "indexing": "benchmarks.codegraph.speed",
    "load": "benchmarks.load.run",
    "attacks": "benchmarks.attacks.run",
    "fairness": "benchmarks.fairness.run",
    "neighbours": "benchmarks.neighbours.run",
    "scale": "benchmarks.scale.run",
    "lists": "benchmarks.scale.lists",
    "growth": "benchmarks.growth.run",
    "tasks": "benchmarks.tasks.run",
}


def main(arguments: Sequence[str]) -> None:
    if arguments and arguments[0] in BENCHMARKS:
        import_module(BENCHMARKS[arguments[0]]).main(arguments[1:])
        return
    if arguments:
        sys.exit(f"There is no benchmark {arguments[0]!r}; there are: {', '.join(BENCHMARKS)}.")
    for module in BENCHMARKS.values():
        import_module(module).main([])


if __name__ == "__main__":
    main(sys.argv[1:])
