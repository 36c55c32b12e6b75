"""Quotas over HTTP: what counts, and how each dialect says when it may be tried again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from commonplace.errors import QuotaExceeded
from commonplace.model.actor import Actor
from commonplace.model.capture import ReviewStatus
from commonplace.settings import Settings
from tests.access.house import House, house, result_of
from tests.unit.registry.samples import skill_text, trace

ADMIN = Actor("local", "admin")
OWNER = Actor("acme", "admin")
MONTH = 31 * 24 * 3600
_SAVED = "Finally solved it: the fix was to restart the pump before the import. It works now!"

# Every tool that makes entries, and where its dialect puts code and seconds.
WRITERS: Mapping[str, tuple[dict[str, Any], str, str]] = {
    "store_knowledge": ({"title": "t", "body": "b"}, "code", "retryAfter"),
    "capture_knowledge": (
        {"summary": "s", "content": "c", "type": "win", "project": "p", "file_context": "f.py"},
        "code",
        "retry_after",
    ),
    "auto_capture": (
        {"text": _SAVED, "auto_save": True, "threshold": 0.1, "preset": "aggressive"},
        "code",
        "retry_after",
    ),
    "kp_contribute_skill": (
        {"skill_md_content": skill_text("Guide to pumps", "What to do", "1. Look.\n2. Act.")},
        "code",
        "retry_after",
    ),
    "kp_contribute_knowledge": ({"unit": trace(), "visibility": "org"}, "code", "retry_after"),
    "pm_knowledge": (
        {
            "action": "record_entry",
            "scope": "global",
            "entryType": "agent_knowledge",
            "mode": "append",
            "agentHandle": "ada",
            "title": "t",
            "body": "b",
        },
        "code",
        "retryAfter",
    ),
}
PAGE = {"type": "page", "workspaceId": "w", "title": "Oil", "content": "Oil the pump."}


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[House]:
    with house(Settings(home=tmp_path, worker=False)) as opened:
        yield opened


def used(opened: House, metric: str = "knowledge_stored") -> int:
    _, quotas = opened.application.quotas.of(OWNER)
    return next(quota.used for quota in quotas if quota.metric == metric)


def test_a_quota_tells_when_it_is_renewed(opened: House) -> None:
    quotas = opened.application.quotas
    quotas.define(ADMIN, "tiny", "knowledge_stored", 1)
    quotas.assign(OWNER, "tiny")
    token, other = opened.token(), opened.token(org="zoo")
    assert result_of(opened.store(token))["isError"] is False
    refused = result_of(opened.store(token))
    problem = refused["structuredContent"]["error"]
    assert (refused["isError"], problem["code"]) == (True, QuotaExceeded.code)
    assert problem["resetAt"].endswith("-01T00:00:00Z")
    assert problem["resetAt"][:10] in problem["message"]
    assert 0 < problem["retryAfter"] <= MONTH
    for _ in range(2):
        assert result_of(opened.store(other))["isError"] is False
    quotas.override(OWNER, "knowledge_stored", None)
    assert result_of(opened.store(token))["isError"] is False


@pytest.mark.parametrize("tool", WRITERS)
def test_whatever_stores_an_entry_is_counted(opened: House, tool: str) -> None:
    """By which dialect it came makes no difference to who pays for the room."""
    given, code, seconds = WRITERS[tool]
    token = opened.token()
    opened.application.quotas.override(OWNER, "knowledge_stored", 0)
    refused = result_of(opened.call(tool, token, **given))
    assert refused["isError"] is True
    envelope = refused["structuredContent"]
    problem = envelope["error"] if isinstance(envelope["error"], dict) else envelope
    assert problem[code].lower().endswith(("quota.exceeded", "quota_exceeded"))
    assert 0 < problem[seconds] <= MONTH
    assert used(opened) == 0
    opened.application.quotas.override(OWNER, "knowledge_stored", 1)
    assert result_of(opened.call(tool, token, **given))["isError"] is False
    assert used(opened) == 1


def test_nobody_is_told_to_wait_for_weeks(opened: House) -> None:
    opened.application.quotas.override(OWNER, "knowledge_stored", 0)
    answer = opened.call("remember", opened.token(), text="Lamps are trimmed at six.")
    problem = result_of(answer)["structuredContent"]["error"]
    assert problem["hint"] == "Tell the person: who runs the server can raise the quota."


def test_a_written_page_is_counted_and_refused_with_a_header(opened: House) -> None:
    token = opened.token()
    opened.application.quotas.override(OWNER, "knowledge_stored", 1)
    assert opened.send("POST", "/api/sources", token, json=PAGE).status_code == 201
    refused = opened.send("POST", "/api/sources", token, json=PAGE)
    assert (refused.status_code, refused.json()["error"]["code"]) == (429, QuotaExceeded.code)
    assert refused.headers["retry-after"] == str(refused.json()["error"]["retryAfter"])
    assert 0 < int(refused.headers["retry-after"]) <= MONTH


def test_what_is_only_referred_to_or_changed_is_not_counted(opened: House) -> None:
    token = opened.token()
    stored = result_of(opened.store(token))["structuredContent"]["id"]
    opened.application.quotas.override(OWNER, "knowledge_stored", 2)
    newer = result_of(opened.store(token, "Newer"))["structuredContent"]["id"]
    superseding = opened.call("supersede_knowledge", token, oldId=stored, newId=newer)
    assert result_of(superseding)["isError"] is False
    address = {"type": "url", "workspaceId": "w", "sourceUrl": "https://example.com/"}
    assert opened.send("POST", "/api/sources", token, json=address).status_code == 201
    assert used(opened) == 2


def test_a_review_is_counted_when_it_becomes_an_item(opened: House) -> None:
    token = opened.token()
    given = {"text": _SAVED, "auto_save": False, "threshold": 0.1, "preset": "aggressive"}
    flagged = result_of(opened.call("auto_capture", token, **given))
    assert (flagged["isError"], used(opened)) == (False, 0)
    (review,), _ = opened.application.reviewing.reviews(OWNER, ReviewStatus.WAITING, 10)
    opened.application.quotas.override(OWNER, "knowledge_stored", 0)
    confirm = {"item_id": review.id, "action": "confirm"}
    assert result_of(opened.call("provide_feedback", token, **confirm))["isError"] is True
    opened.application.quotas.override(OWNER, "knowledge_stored", 1)
    assert result_of(opened.call("provide_feedback", token, **confirm))["isError"] is False
    assert used(opened) == 1


def test_a_large_file_is_refused_when_the_bytes_are_used_up(opened: House) -> None:
    """Pushed, uploaded or written: 429 as for entries, and nothing of it is kept."""
    token, large = opened.token(), bytes(15_000_000)
    address = f"/api/push/{hashlib.sha256(large).hexdigest()}"
    opened.application.quotas.override(OWNER, "bytes_stored", 20)
    assert opened.send("PUT", address, token, content=large).status_code == 429
    small = hashlib.sha256(b"twenty bytes of text").hexdigest()
    kept = opened.send("PUT", f"/api/push/{small}", token, content=b"twenty bytes of text")
    assert kept.status_code == 201
    file = {"file": ("oil.txt", b"Oil the pump.", "text/plain")}
    for refused in (
        opened.send("PUT", address, token, content=large),
        opened.send("POST", "/api/sources", token, data={"workspaceId": "w"}, files=file),
        opened.send("POST", "/api/sources", token, json=PAGE),
    ):
        assert (refused.status_code, refused.json()["error"]["code"]) == (429, QuotaExceeded.code)
        assert 0 < int(refused.headers["retry-after"]) <= MONTH
    assert used(opened, "bytes_stored") == 20
    assert used(opened) == 0
    assert opened.get("/api/sources", token).json()["sources"] == []
    opened.application.quotas.withdraw(OWNER, "bytes_stored")
    assert opened.send("PUT", address, token, content=large).status_code == 201
