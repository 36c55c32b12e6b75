"""JSON-RPC 2.0: envelopes, ids, error codes, batches and notifications."""

from __future__ import annotations

from typing import Any

import pytest

from commonplace.server.rpc import LARGEST_BATCH, LARGEST_BODY
from tests.surfaces.clients import Premises
from tests.surfaces.documents.asking import GET, LIST, SEARCH, HttpAsker, ToolAsker
from tests.surfaces.documents.desk import WS


def request(id: Any = 1, method: str = LIST, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": method, "params": params or {"workspaceId": WS}, "id": id}


def error_of(answer: dict[str, Any]) -> int:
    assert answer.keys() == {"jsonrpc", "error", "id"}
    assert answer["jsonrpc"] == "2.0"
    assert isinstance(answer["error"]["message"], str)
    code: int = answer["error"]["code"]
    return code


@pytest.mark.requirement("documents.rpc.response-envelope", "documents.rpc.id-echo")
@pytest.mark.parametrize("id", [1, "a-7", 0, "", 2.5, 10**400, None])
def test_a_success_has_version_result_and_the_same_id(http: HttpAsker, id: object) -> None:
    answer = http.post(request(id)).json()
    assert answer == {"jsonrpc": "2.0", "result": {"sources": [], "count": 0}, "id": id}
    assert type(answer["id"]) is type(id)


@pytest.mark.requirement("documents.rpc.parse-error", "documents.rpc.error-envelope")
@pytest.mark.parametrize("body", [b"", b"{", b"knowledge.list", b"\xff\xfe", b"[" * 100_000])
def test_what_is_no_json_is_a_parse_error(http: HttpAsker, body: bytes) -> None:
    answer = http.post(body).json()
    assert (error_of(answer), answer["id"]) == (-32700, None)


@pytest.mark.requirement("documents.rpc.invalid-request")
@pytest.mark.parametrize(
    "asked",
    [
        {"jsonrpc": "2.0", "id": 1},
        {"jsonrpc": "1.0", "method": LIST, "id": 1},
        {"method": LIST, "id": 1},
        {"jsonrpc": "2.0", "method": 5, "id": 1},
        {"jsonrpc": "2.0", "method": LIST, "id": {}},
        {"jsonrpc": "2.0", "method": LIST, "id": True},
        {"jsonrpc": "2.0", "method": LIST, "id": "\ud800"},
        {"jsonrpc": "2.0", "method": LIST, "id": float("inf")},
        {"jsonrpc": "2.0", "method": LIST, "id": float("nan")},
        5,
        "text",
        None,
        [],
        [request()] * (LARGEST_BATCH + 1),
    ],
)
def test_json_that_is_no_request_is_invalid(http: HttpAsker, asked: object) -> None:
    assert error_of(http.post(asked).json()) == -32600


@pytest.mark.requirement("documents.rpc.invalid-request")
def test_a_body_that_is_too_large_is_refused(http: HttpAsker) -> None:
    response = http.post(b" " * (LARGEST_BODY + 1))
    assert (response.status_code, error_of(response.json())) == (413, -32600)


@pytest.mark.requirement("documents.rpc.method-not-found")
@pytest.mark.parametrize("method", ["knowledge.create", "store_knowledge", "knowledge_search", ""])
def test_other_methods_are_not_found(http: HttpAsker, method: str) -> None:
    assert error_of(http.post(request(method=method)).json()) == -32601


@pytest.mark.requirement("documents.rpc.invalid-params", "documents.rpc.error-envelope")
def test_wrong_params_are_named(http: HttpAsker) -> None:
    cases: list[tuple[str, dict[str, Any], str]] = [
        (SEARCH, {"query": "q"}, "workspaceId"),
        (LIST, {"workspaceId": 5}, "workspaceId"),
        (GET, {"sourceId": None}, "sourceId"),
        (LIST, {"workspaceId": WS, "colour": "red"}, "colour"),
    ]
    for method, params, field in cases:
        answer = http.post(request(method=method, **params)).json()
        assert (error_of(answer), answer["error"]["message"]) == (-32602, "Invalid params")
        assert field in answer["error"]["data"]


@pytest.mark.requirement("documents.rpc.params-must-be-object")
@pytest.mark.parametrize("params", [[], ["q", WS], "text", None, 5])
def test_params_must_be_an_object(http: HttpAsker, params: object) -> None:
    assert error_of(http.ask(LIST, params)) == -32602
    absent = {"jsonrpc": "2.0", "method": LIST, "id": 1}
    assert error_of(http.post(absent).json()) == -32602


@pytest.mark.requirement("documents.rpc.not-found-code")
def test_a_source_that_is_not_there_has_its_own_code(http: HttpAsker) -> None:
    assert http.refusal(GET, sourceId="ks_none")["code"] == -32001


@pytest.mark.requirement("documents.rpc.no-inner-details")
def test_a_failure_inside_says_nothing_of_the_inside(
    http: HttpAsker, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("SELECT secret FROM /somewhere/inside.py")

    monkeypatch.setattr("commonplace.documents.service.sources.DocumentService.in_reach", broken)
    error = http.refusal(LIST, workspaceId=WS)
    assert error["code"] == -32603
    assert not any(word in str(error) for word in ("SELECT", "inside", "RuntimeError", "Traceback"))
    assert "secret" in caplog.text, "whoever runs the server can read it in the log"


@pytest.mark.requirement("documents.expect.batch")
def test_a_batch_answers_each_request_with_an_id(http: HttpAsker) -> None:
    notification = {"jsonrpc": "2.0", "method": LIST, "params": {"workspaceId": WS}}
    batch = [request(1), notification, request("two", GET, sourceId="ks_none"), 5]
    answers = http.post(batch).json()
    assert [answer["id"] for answer in answers] == [1, "two", None]
    assert "result" in answers[0]
    assert [error_of(answer) for answer in answers[1:]] == [-32001, -32600]


@pytest.mark.requirement("documents.expect.batch")
def test_notifications_get_no_answer(http: HttpAsker) -> None:
    notification = {"jsonrpc": "2.0", "method": LIST, "params": {"workspaceId": WS}}
    for body in (notification, [notification, notification]):
        response = http.post(body)
        assert (response.status_code, response.content) == (204, b"")


@pytest.mark.requirement("documents.rpc.method-names")
def test_the_address_is_guarded_like_every_other(http: HttpAsker) -> None:
    body = {"json": request(), "headers": {"Origin": "http://elsewhere.example"}}
    assert http.send("POST", "/rpc", **body).status_code == 403
    assert http.send("GET", "/rpc").status_code == 405


@pytest.mark.requirement("documents.errors.denied-code")
def test_who_may_not_read_is_denied_by_a_code_of_its_own(premises: Premises) -> None:
    writer = ToolAsker(premises.caller(scopes="knowledge:write"))
    denied = writer.refusal(LIST, workspaceId=WS)
    assert (denied["code"], denied["message"]) == (-32002, "Permission denied")
    assert "knowledge:read" in denied["data"]
