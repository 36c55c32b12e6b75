"""One call of each tool, with the fields that its answer must hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.surfaces.clients import Caller
from tests.surfaces.institutional.steps import (
    AUTO_CAPTURE,
    CAPTURE,
    CONFIDENCE,
    DELETE,
    DETECT,
    EMBED,
    GET,
    LIST,
    MINIMAL,
    PROVIDE,
    RECORD,
    SEARCH,
    SENTIMENT,
    TEXT_TOOLS,
    TIERED,
    UPDATE,
    data,
)

STORY = "Finally got it working! The solution was to clear the cache first..."
ITEM_FIELDS = "id summary content type project file_context tags created_at updated_at"
_OPTIONAL = " decision_rationale alternatives_considered solution_verified related_issues"


def calls(id: str) -> Iterator[tuple[str, dict[str, Any], str]]:
    """In an order in which each can succeed; the item comes and goes under the given id."""
    yield CAPTURE, {**MINIMAL, "id": id}, ITEM_FIELDS
    yield GET, {"id": id}, ITEM_FIELDS + " access_count last_accessed_at"
    yield LIST, {}, "items total limit offset"
    yield UPDATE, {"id": id, "summary": "Another summary"}, ITEM_FIELDS + _OPTIONAL
    yield SEARCH, {"query": "summary"}, "query results total_results"
    yield EMBED, {}, "generated skipped failed total_processed duration_ms"
    tiers = "tier1 tier2 tier3 tier4"
    yield TIERED, {"query": "summary"}, f"query {tiers} results total_results total_tokens"
    detection = "detected confidence pattern_matches sentiment suggested_type"
    yield DETECT, {"text": STORY}, detection
    yield SENTIMENT, {"text": STORY}, "overall timeline shifts has_problem_to_solution"
    yield CONFIDENCE, {"text": STORY}, "score level factors thresholds"
    said = {"id": "detect-123", "feedback": "confirm", "confidence": 0.85}
    yield RECORD, said, "recorded feedback stats"
    yield AUTO_CAPTURE, {"text": STORY}, ""
    yield PROVIDE, {"item_id": id, "action": "confirm"}, ""
    yield DELETE, {"id": id}, "id"


def converse(caller: Caller, id: str) -> set[str]:
    """Call every tool; the names of those that answered as they must."""
    answered = set()
    for tool, given, fields in calls(id):
        if tool in TEXT_TOOLS:
            assert caller.text(tool, **given).strip(), tool
        else:
            assert data(caller, tool, **given).keys() >= set(fields.split()), tool
        answered.add(tool)
    return answered
