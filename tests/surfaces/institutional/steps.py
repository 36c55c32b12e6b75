"""What tests of the institutional surface do again and again, through a client."""

from __future__ import annotations

from typing import Any

from tests.surfaces.clients import Caller

CAPTURE, GET, LIST = "capture_knowledge", "get_knowledge", "list_knowledge"
UPDATE, DELETE = "update_knowledge", "delete_knowledge"
SEARCH, EMBED, TIERED = "semantic_search", "generate_embeddings", "tiered_retrieval"
DETECT, SENTIMENT, CONFIDENCE = "auto_detect", "analyze_sentiment", "evaluate_confidence"
AUTO_CAPTURE, PROVIDE, RECORD = "auto_capture", "provide_feedback", "record_feedback"
ALL_TOOLS = frozenset(
    {CAPTURE, GET, LIST, UPDATE, DELETE, SEARCH, EMBED, TIERED}
    | {DETECT, SENTIMENT, CONFIDENCE, AUTO_CAPTURE, PROVIDE, RECORD}
)
# Their answers are texts for people.
TEXT_TOOLS = frozenset({AUTO_CAPTURE, PROVIDE})

INVALID = "validation.invalid_argument"
NOT_FOUND = "Item not found"
UNKNOWN_ID = "ki-1234567890-abc123"
MINIMAL = {
    "summary": "A summary",
    "content": "A content.",
    "type": "solution",
    "project": "a-project",
    "file_context": "src/a_file.py",
}


def data(caller: Caller, tool: str, **given: Any) -> dict[str, Any]:
    """What stands under `data` in the answer of a call that must succeed."""
    answer = caller.call(tool, **given)
    assert answer.keys() == {"success", "data"}
    assert answer["success"] is True
    shown: dict[str, Any] = answer["data"]
    return shown


def failure(caller: Caller, tool: str, **given: Any) -> dict[str, Any]:
    """The envelope of a call that must fail; beside it there may be what helps to go on."""
    answer = caller.failure(tool, **given)
    assert answer.keys() - {"data", "hint", "retry_after"} == {"success", "error", "code"}, answer
    assert answer["success"] is False
    assert isinstance(answer["error"], str)
    assert answer["error"].strip()
    return answer


def error(caller: Caller, tool: str, **given: Any) -> str:
    """The sentence that a failing call is answered with."""
    return str(failure(caller, tool, **given)["error"])


def refuse(caller: Caller, tool: str, argument: str, **given: Any) -> None:
    """The call must be refused for this argument, by its name."""
    answer = failure(caller, tool, **given)
    assert answer["code"] == INVALID, answer
    assert answer["error"].startswith("Validation error: "), answer
    assert argument in answer["error"], answer


def capture(caller: Caller, **given: Any) -> dict[str, Any]:
    """The item as capture_knowledge shows it; what is not given is MINIMAL."""
    return data(caller, CAPTURE, **{**MINIMAL, **given})


def captured_id(caller: Caller, **given: Any) -> str:
    return str(capture(caller, **given)["id"])


def get(caller: Caller, id: str) -> dict[str, Any]:
    """The item with its use before this call; the call itself counts as one use."""
    return data(caller, GET, id=id)


def uses(caller: Caller, id: str) -> int:
    """How often the item was used before this call, which counts as one use."""
    return int(get(caller, id)["access_count"])


def page(caller: Caller, **given: Any) -> dict[str, Any]:
    return data(caller, LIST, **given)


def listed(caller: Caller, **given: Any) -> list[str]:
    """The ids of one page."""
    return [item["id"] for item in page(caller, **given)["items"]]


def update(caller: Caller, id: str, **changes: Any) -> dict[str, Any]:
    return data(caller, UPDATE, id=id, **changes)


def delete(caller: Caller, id: str) -> dict[str, Any]:
    return data(caller, DELETE, id=id)


def search(caller: Caller, query: str, **given: Any) -> list[dict[str, Any]]:
    results: list[dict[str, Any]] = data(caller, SEARCH, query=query, **given)["results"]
    return results


def found(caller: Caller, query: str, **given: Any) -> list[str]:
    """The ids that semantic_search finds, most similar first."""
    return [result["id"] for result in search(caller, query, **given)]


def tiered(caller: Caller, query: str, **given: Any) -> dict[str, Any]:
    return data(caller, TIERED, query=query, **given)


def retrieved(caller: Caller, query: str, **given: Any) -> list[str]:
    """The ids that tiered_retrieval ends up with."""
    return [result["id"] for result in tiered(caller, query, **given)["results"]]
