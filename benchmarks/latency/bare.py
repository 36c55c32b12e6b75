"""What a call that computes nothing costs a server over HTTP, beside a server that only echoes.

python -m benchmarks bare [--stores sqlite,postgres] [--calls 200]
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import AsyncExitStack, ExitStack
from statistics import median

import anyio
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from benchmarks.databases import DIALECTS, settings_for
from benchmarks.latency import serving
from benchmarks.latency.echo import TOOL as ECHO
from benchmarks.latency.floor import Stopwatch
from benchmarks.latency.over_mcp import Asked
from benchmarks.report import Cell, Report, Table, now

_LIST = "list_knowledge"
_FLOOR = "echo"
_WARM_UP = 50


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks bare", description=__doc__)
    parser.add_argument("--stores", default=",".join(DIALECTS))
    parser.add_argument("--calls", type=int, default=200)
    given = parser.parse_args(arguments)
    started = now()
    with ExitStack() as stack:
        servers: dict[str, tuple[serving.RunningServer, str]] = {
            _FLOOR: (stack.enter_context(serving.echo()), "")
        }
        for dialect in given.stores.split(","):
            settings = stack.enter_context(settings_for(dialect))
            servers[f"{dialect}, a token"] = stack.enter_context(serving.product(settings))
        alone = stack.enter_context(settings_for("sqlite"))
        servers["sqlite, no token"] = stack.enter_context(serving.without_token(alone)), ""
        watch = anyio.run(_in_turn, servers, given.calls)
    Report("bare", (_table(list(servers), watch),), _NOTES).save(started)


async def _in_turn(servers: dict[str, tuple[serving.RunningServer, str]], calls: int) -> Stopwatch:
    watch = Stopwatch()
    async with AsyncExitStack() as stack:
        asked: dict[str, Asked] = {}
        for name, (server, token) in servers.items():
            headers = {"Authorization": f"Bearer {token}"} if token else {}
            http = await stack.enter_async_context(httpx2.AsyncClient(headers=headers, timeout=60))
            transport = streamable_http_client(server.url, http_client=http)
            client = await stack.enter_async_context(Client(transport, cache=None))
            asked[name] = Asked(client, server)
        for number in range(_WARM_UP + calls):
            for name, one in asked.items():
                is_echo = name == _FLOOR
                arguments = {"text": "nothing"} if is_echo else {}
                await one.call(name, ECHO if is_echo else _LIST, arguments, watch)
            watch.end_lap()
            if number == _WARM_UP - 1:
                watch.times.clear()
    return watch


def _table(names: Sequence[str], watch: Stopwatch) -> Table:
    floor = median(watch.times[f"{_FLOOR}, server"])
    rows: list[tuple[Cell, ...]] = []
    for name in names:
        computed, whole = median(watch.times[f"{name}, server"]), median(watch.times[name])
        rows.append((name, 1000 * computed, computed / floor, 1000 * whole))
    columns = ("ms, medians", "server", "to the echo's", "p50, wall")
    return Table("A call that computes nothing", columns, tuple(rows), digits=2)


_NOTES = (
    (
        f"A client of the official SDK calls `{_LIST}` on an empty home, each server in turn; "
        "`server` is the processor time of the server's process, without the database's."
    ),
)
