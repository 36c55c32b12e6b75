"""Every line on stderr is a JSON object, also what libraries warn of; repetitions are left out."""

from __future__ import annotations

import json
import subprocess
import sys

from commonplace.logs import LogThrottle

_SAY = """
import logging
from commonplace.logs import start_logging
start_logging("info")
logging.getLogger("psycopg.pool").warning("error connecting in %r", "pool-1")
logging.getLogger("psycopg.pool").info("not said")
logging.getLogger("commonplace.server").info("serving")
for _ in range(1000):
    logging.getLogger("asyncio").error("socket.accept() out of system resource")
"""


def test_libraries_speak_json_too_and_do_not_repeat_themselves() -> None:
    done = subprocess.run([sys.executable, "-c", _SAY], capture_output=True, text=True, check=True)
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    assert [line["logger"] for line in lines[:2]] == ["psycopg.pool", "commonplace.server"]
    assert {line["logger"] for line in lines[2:]} == {"asyncio"}
    assert len({line["at"][:19] for line in lines[2:]}) <= len(lines[2:]) <= 3


def test_so_many_a_second_and_how_many_were_left_out() -> None:
    now = 0.0
    throttle = LogThrottle(2, lambda: now)
    assert [throttle.admit() for _ in range(5)] == [0, 0, None, None, None]
    now = 1.0
    assert [throttle.admit() for _ in range(3)] == [3, 0, None]
