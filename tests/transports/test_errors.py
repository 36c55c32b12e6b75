"""What a client that errs is told, on both transports and eras: a code and a sentence, no more."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.transports.fixture_surface import SECRET, SECRET_FILE
from tests.transports.serving import FIXTURE, PRODUCT, Served, log_lines
from tests.transports.wire import LEGACY, MODERN, Http, Message, answer_in, envelope, request, stdio

Ask = Callable[[Message], Message]
PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, INTERNAL_ERROR = (
    -32700,
    -32600,
    -32601,
    -32602,
    -32603,
)
_LEAKS = re.compile(
    r"Traceback|File \"|\.py\b|/home/|/tmp/|/var/|SELECT |INSERT |sqlite|psycopg|pydantic"
)


@pytest.fixture(
    scope="module", params=["stdio-legacy", "stdio-modern", "http-legacy", "http-modern"]
)
def ask(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    transport, era = request.param.split("-")
    if transport == "http":
        server: Served = request.getfixturevalue("fixture_server")
        yield Http(server, MODERN if era == "modern" else LEGACY).ask
        return
    with stdio(FIXTURE, tmp_path_factory.mktemp("stdio")) as server_process:
        if era == "legacy":
            server_process.initialize()
            yield server_process.ask
        else:
            yield lambda message: server_process.ask(in_envelope(message))


def in_envelope(message: Message) -> Message:
    return {**message, "params": {**message["params"], "_meta": envelope()}}


def error_of(answer: Message) -> dict[str, Any]:
    assert "result" not in answer
    assert not _LEAKS.search(json.dumps(answer))
    error: dict[str, Any] = answer["error"]
    return error


def failure_of(answer: Message) -> dict[str, Any]:
    """A tool's failure: the same document as text and as structured content."""
    assert answer["result"]["isError"] is True
    assert not _LEAKS.search(json.dumps(answer))
    document: dict[str, Any] = answer["result"]["structuredContent"]
    assert json.loads(answer["result"]["content"][0]["text"]) == document
    error: dict[str, Any] = document["error"]
    return error


def test_an_unknown_tool(ask: Ask) -> None:
    error = error_of(ask(request("tools/call", name="no_such_tool", arguments={})))
    assert error["code"] == INVALID_PARAMS
    assert "no_such_tool" in error["message"]


def test_an_unknown_method(ask: Ask) -> None:
    assert error_of(ask(request("tools/forget")))["code"] == METHOD_NOT_FOUND


@pytest.mark.parametrize(
    "params",
    [{}, {"arguments": {}}, {"name": "store_knowledge", "arguments": ["title"]}],
)
def test_parameters_of_the_wrong_shape(ask: Ask, params: dict[str, Any]) -> None:
    assert error_of(ask(request("tools/call", **params)))["code"] == INVALID_PARAMS


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({}, "title"),
        ({"title": "T", "body": "B", "colour": "red"}, "colour"),
        ({"title": 7, "body": "B"}, "title"),
        ({"title": "T", "body": "B" * 32_001}, "body"),
        ({"title": "T", "body": "B", "confidence": 101}, "confidence"),
    ],
)
def test_arguments_that_a_tool_refuses(ask: Ask, arguments: dict[str, Any], field: str) -> None:
    asked = request("tools/call", name="store_knowledge", arguments=arguments)
    error = failure_of(ask(asked))
    assert (error["code"], error["field"]) == ("validation.invalid_argument", field)


def test_a_tool_that_breaks_shows_nothing_of_why(ask: Ask) -> None:
    error = failure_of(ask(request("tools/call", name="test_error_handling", arguments={})))
    assert error["code"] == "internal.error"


def test_a_resource_that_breaks_shows_nothing_of_why(ask: Ask) -> None:
    error = error_of(ask(request("resources/read", uri="test://broken/1")))
    assert (error["code"], error["data"]) == (INTERNAL_ERROR, {"code": "internal.error"})


@pytest.mark.parametrize(
    "uri",
    [
        "commonplace://knowledge/00000000-0000-4000-8000-000000000000",
        "commonplace://knowledge/not-an-id",
        "commonplace://knowledge/",
        "commonplace://knowledge/a/b",
        "commonplace://elsewhere/a",
        "file:///etc/passwd",
    ],
)
def test_a_resource_that_is_not_there(ask: Ask, uri: str) -> None:
    error = error_of(ask(request("resources/read", uri=uri)))
    assert error["code"] in (-32002, INVALID_PARAMS)
    assert error["data"] == {"uri": uri, "code": "knowledge.not_found"}


def test_the_reason_of_a_failure_is_in_the_log(tmp_path: Path) -> None:
    with stdio(FIXTURE, tmp_path) as server:
        server.initialize()
        server.ask(request("tools/call", name="test_error_handling", arguments={}))
        server.ask(request("resources/read", uri="test://broken/1"))
        reasons = [line["exception"] for line in log_lines(server.log) if "exception" in line]
    assert len(reasons) == 2
    assert all(SECRET in reason and SECRET_FILE in reason for reason in reasons)


@pytest.mark.parametrize("revision", [LEGACY, MODERN])
@pytest.mark.parametrize(
    "body", [b"", b"{", b"\xff\xfe", b"[" * 100_000, b'{"jsonrpc": "2.0", "id": 1'], ids=range(5)
)
def test_malformed_json_over_http(product: Served, revision: str, body: bytes) -> None:
    response = Http(product, revision).post_bytes(body)
    assert response.status_code == 400
    assert error_of(answer_in(response))["code"] == PARSE_ERROR


@pytest.mark.parametrize("revision", [LEGACY, MODERN])
@pytest.mark.parametrize(
    "body",
    [
        b"[]",
        b"7",
        b'{"id": 1}',
        b'"text"',
        b"null",
        b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": [1]}',
        b'[{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}]',
    ],
    ids=range(7),
)
def test_json_that_is_no_request_over_http(product: Served, revision: str, body: bytes) -> None:
    response = Http(product, revision).post_bytes(body)
    assert response.status_code == 400
    assert "www-authenticate" not in response.headers
    answer = answer_in(response)
    assert error_of(answer)["code"] == INVALID_REQUEST
    assert answer["id"] == (1 if body.startswith(b"{") else None)


@pytest.mark.parametrize(
    ("name", "agent"),
    [
        ("", "unknown"),
        ("a\x00b\ud800", "ab"),
        ("a\nb", "ab"),
        ("Zoë 7", "Zoë 7"),
        ("n" * 5_000, "n" * 100),
    ],
    ids=range(5),
)
def test_whatever_a_client_calls_itself_it_can_store(
    product: Served, name: str, agent: str
) -> None:
    client = Http(product, MODERN, name)
    note = {"title": "By whom", "body": "Somebody with an odd name."}
    stored = client.ask(request("tools/call", name="store_knowledge", arguments=note))
    id = stored["result"]["structuredContent"]["id"]
    read = client.ask(request("resources/read", uri=f"commonplace://knowledge/{id}"))
    assert json.loads(read["result"]["contents"][0]["text"])["createdByAgentId"] == agent


@pytest.mark.parametrize("revision", [LEGACY, MODERN])
def test_a_huge_body_is_refused(product: Served, revision: str) -> None:
    response = Http(product, revision).post_bytes(b" " * 5_000_000)
    assert response.status_code == 413
    assert not _LEAKS.search(response.text)


def test_malformed_lines_over_stdio_are_answered_and_do_not_end_the_conversation(
    tmp_path: Path,
) -> None:
    """Nobody waits for an answer that never comes."""
    unreadable = (b"{", b"\xff\xfe", b"[" * 100_000, b"not json", b'{"id": ' + b"9" * 5_000 + b"}")
    no_message = (b"[]", b'{"id": true}', b"7")
    with stdio(PRODUCT, tmp_path) as server:
        server.initialize()
        for lines, code in ((unreadable, PARSE_ERROR), (no_message, INVALID_REQUEST)):
            for line in lines:
                server.send(line)
                answer = server.receive()
                assert (answer["id"], error_of(answer)["code"]) == (None, code), line
        server.send(b"")
        for fault in (
            {"jsonrpc": "1.0"},
            {"jsonrpc": request("tools/list", 8)},
            {"params": [1]},
            {"method": 7},
            {"method": None},
        ):
            server.send(json.dumps({**request("tools/list"), "id": "seven", **fault}).encode())
            answer = server.receive()
            assert (answer["id"], error_of(answer)["code"]) == ("seven", INVALID_REQUEST), fault
        server.send(b'{"id": "seven"}')
        assert server.receive()["id"] == "seven"
        assert "result" in server.ask(request("tools/list", 2))
        assert all(json.loads(line)["jsonrpc"] == "2.0" for line in server.lines)


HALF, WHOLE = "cut short \ud83d", "cut short "


def test_half_a_character_is_refused_by_the_name_of_its_argument(ask: Ask) -> None:
    """Clients that cut a text in the middle of an emoji send it; MCP's own reader refuses it."""
    asked = request("tools/call", name="store_knowledge", arguments={"title": HALF, "body": "B"})
    error = failure_of(ask(asked))
    assert (error["code"], error["field"]) == ("validation.invalid_argument", "title")
    both = request(
        "tools/call", name="store_knowledge", arguments={"title": "a\U0001f600", HALF: 1}
    )
    assert "a name has half" in failure_of(ask(both))["message"]


def test_half_a_character_in_a_prompt_is_dropped(ask: Ask) -> None:
    answer = ask(request("prompts/get", name="recall", arguments={"question": HALF}))
    assert WHOLE in str(answer["result"])


def test_half_a_character_anywhere_else_does_not_end_the_conversation(tmp_path: Path) -> None:
    """An answer may repeat what it was asked for, but not half a character."""
    call: dict[str, Any] = {"name": "generate_embeddings", "arguments": {}}
    with stdio(PRODUCT, tmp_path) as server:
        server.initialize()
        server.send(json.dumps({**request("tools/list"), "id": HALF}).encode())
        assert server.receive()["id"] == WHOLE
        assert WHOLE in str(error_of(server.ask(request(HALF))))
        assert WHOLE in str(error_of(server.ask(request("tools/call", name=HALF))))
        assert WHOLE in str(error_of(server.ask(request("resources/read", uri=HALF))))
        told = request("tools/call", **call, _meta={"progressToken": HALF})
        assert "result" in server.ask(told)
        assert "result" in server.ask(request("tools/list"))


UNIT = {
    "@type": "ReasoningTrace",
    "metadata": {"task_domain": "debugging", "success": True},
    "task": {"objective": "Find the leak."},
    "steps": [{"step_id": 0, "type": "thought"}],
    "outcome": {"result_summary": "A cache without a limit.", "confidence": 0.9},
}
RECORD = {
    "action": "record_entry",
    "mode": "create",
    "entryType": "valdr_record_materialized",
    "scope": "global",
    "recordType": "task",
    "recordId": "7",
}


@pytest.mark.parametrize("number", [float("inf"), float("nan")])
def test_a_number_that_json_does_not_have_is_refused_by_its_name(
    product: Served, tmp_path: Path, number: float
) -> None:
    """Python reads `1e999` and `NaN` as numbers; no store can hold them."""
    calls: list[tuple[str, dict[str, Any], str]] = [
        (
            "kp_contribute_knowledge",
            {"visibility": "org", "unit": {**UNIT, "cost": [number]}},
            "unit.cost.0",
        ),
        ("pm_knowledge", {**RECORD, "recordVersion": number}, "recordVersion"),
        ("pm_knowledge", {**RECORD, "recordVersion": 1, "metadata": {"a": number}}, "metadata.a"),
        ("store_knowledge", {"title": "a", "body": "b", "confidence": number}, "confidence"),
    ]
    with stdio(PRODUCT, tmp_path) as server:
        server.initialize()
        for name, arguments, where in calls:
            asked = request("tools/call", name=name, arguments=arguments)
            for answer in (server.ask(asked), Http(product, LEGACY).ask(asked)):
                assert answer["result"]["isError"]
                told = answer["result"]["content"][0]["text"]
                assert f"{where} must be a finite number" in told
                assert re.search(r"validation\.invalid_argument|KNOWLEDGE_VALIDATION", told)


def test_a_database_that_is_down_is_said_in_the_dialects_words(tmp_path: Path) -> None:
    away = {"COMMONPLACE_DATABASE_URL": "postgresql://ada:hunter2@127.0.0.1:1/none"}
    with stdio(PRODUCT, tmp_path, **away) as server:
        server.initialize()
        asked = request("tools/call", name="search_knowledge", arguments={"query": "anything"})
        assert failure_of(server.ask(asked))["code"] == "storage.unavailable"
        read = request("resources/read", 2, uri="commonplace://knowledge/1")
        assert error_of(server.ask(read))["data"] == {"code": "storage.unavailable"}
        assert b"hunter2" not in b"".join(server.lines)


def test_only_the_protocol_is_on_standard_output(tmp_path: Path) -> None:
    with stdio(FIXTURE, tmp_path) as server:
        server.initialize()
        answer = server.ask(request("tools/call", name="prints", arguments={}))
        assert answer["result"]["structuredContent"] == {"text": "printed"}
        for tool in ("test_error_handling", "test_tool_with_progress"):
            server.ask(request("tools/call", 2, name=tool, arguments={}, _meta=_progress()))
        assert server.end() == b""
        assert all(json.loads(line)["jsonrpc"] == "2.0" for line in server.lines)
        logged = server.log.read_text()
    for stray in ("a stray print", "a stray write to the descriptor", "a stray child"):
        assert stray in logged


def _progress() -> dict[str, Any]:
    return {"progressToken": "token"}


def test_it_ends_by_itself_when_its_input_ends(tmp_path: Path) -> None:
    with stdio(PRODUCT, tmp_path) as server:
        server.initialize()
        assert server.end() == b""
