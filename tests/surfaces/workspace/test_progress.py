"""How far an ingest is, as a client hears it from a process of its own: rising, up to all of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from commonplace.settings import Settings
from tests.loopback import send
from tests.surfaces.clients import Connections
from tests.surfaces.nearness import embedded_at
from tests.surfaces.processes import STORES_AND_TRANSPORTS, HttpServer, Processes, environment
from tests.surfaces.workspace.bench import TOOL, adding, scoped
from tests.surfaces.workspace.conftest import OpenBench
from tests.transports.serving import PRODUCT
from tests.transports.wire import MODERN, Message, envelope, request, stdio

# More than one batch of files, and of chunks to embed.
FILES = 40
ANEW = {"action": "ingest", "mode": "rebuild"}
NOT_TOKENS: list[dict[str, Any]] = [{}, {"progressToken": None}, {"progressToken": {"a": 1}}]


@pytest.fixture
def told(settings: Settings, endpoint: str) -> Settings:
    given = {"org": "acme", "agent": "alice", "roots": "/", **embedded_at(endpoint)}
    return settings.model_copy(update=given)


@pytest.fixture
def project(open_bench: OpenBench, tmp_path: Path) -> str:
    """One with a folder of code attached, and nothing of it read."""
    bench = open_bench()
    made = bench.project("shop")
    for number in range(FILES):
        bench.write(f"shop/src/part{number}.py", f"def part_{number}():\n    return {number}\n")
    source = adding(tmp_path / "shop" / "src") | {"knowledgeType": "code_intelligence"}
    bench.ask("update_sources", **scoped(made), operations=[source])
    return made


@pytest.mark.requirement("workspace.ingest.progress")
@pytest.mark.parametrize(("dialect", "transport"), STORES_AND_TRANSPORTS)
def test_a_client_hears_it_rise_to_all_of_it(
    told: Settings, project: str, processes: Processes, connect: Connections, transport: str
) -> None:
    over = processes.stdio(told).caller if transport == "stdio" else connect(processes.http(told))
    heard = over.progress_of(TOOL, action="ingest", **scoped(project))

    values = [value for value, _, _ in heard]
    assert values == sorted(set(values))
    assert len(values) > 2
    assert values[-1] == heard[-1][1]
    assert all(total is not None and value <= total for value, total, _ in heard)
    assert any(f"{FILES} of {FILES} files" in message for _, _, message in heard)


@pytest.mark.requirement("workspace.ingest.progress")
@pytest.mark.parametrize("dialect", ["sqlite"])
def test_who_gives_no_token_hears_nothing_over_stdio(
    told: Settings, project: str, tmp_path: Path
) -> None:
    with stdio(PRODUCT, tmp_path, **environment(told)) as server:
        server.initialize()

        def ask(message: Message) -> list[Message]:
            before = len(server.lines)
            server.ask(message)
            return [json.loads(line) for line in server.lines[before:]]

        _hears_nothing_without_a_token(ask, project)


@pytest.mark.requirement("workspace.ingest.progress")
@pytest.mark.parametrize("dialect", ["postgres"])
def test_who_gives_no_token_hears_nothing_over_http(
    told: Settings, project: str, processes: Processes
) -> None:
    server = processes.serve(told)
    _hears_nothing_without_a_token(lambda message: _posted(server, message), project)


def _hears_nothing_without_a_token(ask: Callable[[Message], list[Message]], project: str) -> None:
    arguments = ANEW | scoped(project)

    def notified(**meta: Any) -> list[Any]:
        said = ask(request("tools/call", 2, name=TOOL, arguments=arguments, **meta))
        assert said[-1]["id"] == 2
        methods = (each for each in said if each.get("method") == "notifications/progress")
        return [each["params"]["progressToken"] for each in methods]

    for meta in NOT_TOKENS:
        assert notified(_meta=meta) == []
    assert notified() == []
    assert set(notified(_meta={"progressToken": "mine"})) == {"mine"}


def _posted(server: HttpServer, message: Message) -> list[Message]:
    """Every message of the answer: it is one document, or a stream of events."""
    params = message["params"] | {"_meta": envelope() | message["params"].get("_meta", {})}
    headers = server.headers | {
        "accept": "application/json, text/event-stream",
        "content-type": "application/json",
        "mcp-protocol-version": MODERN,
        "mcp-method": message["method"],
        "mcp-name": TOOL,
    }
    body = json.dumps(message | {"params": params}).encode()
    text = send("POST", server.mcp.url, content=body, headers=headers).text
    events = [line.removeprefix("data: ") for line in text.splitlines() if "data: {" in line]
    return [json.loads(event) for event in events or [text]]
