"""What clients run when a session begins or ends, with what they hand over."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.commands import run_here, run_process
from tests.waiting import eventually

FIX = (
    "Finally fixed it! The root cause was a missing index: the query did a full table scan. The "
    "fix is CREATE INDEX ON orders (customer_id). Now it works perfectly and the tests pass."
)


@pytest.fixture
def session(tmp_path: Path) -> bytes:
    """What Claude Code hands to a hook, with a transcript of two turns."""
    turns: list[dict[str, Any]] = [
        {"type": "user", "message": {"role": "user", "content": "Why is it slow?"}},
        {
            "type": "assistant",
            "message": {"role": "assistant", "content": [{"type": "text", "text": FIX}]},
        },
    ]
    path = tmp_path / "session.jsonl"
    path.write_text("\n".join(map(json.dumps, turns)))
    return json.dumps({"transcript_path": str(path), "cwd": str(tmp_path)}).encode()


def waiting(home: dict[str, str]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = run_here(home, "review", "list", "--json").document["reviews"]
    return found


def test_the_end_of_a_session_puts_up_for_review_what_was_said(
    home: dict[str, str], session: bytes
) -> None:
    done = run_process(home, "hook", "end", "--client", "claude-code", "--now", stdin=session)
    assert (done.code, done.stdout) == (0, ""), done.stderr
    assert "missing index" in json.dumps(waiting(home))
    assert run_here(home, "list", "--json").document["entries"] == [], "nothing is kept unasked"


def test_a_client_need_not_wait_for_it(home: dict[str, str], session: bytes) -> None:
    assert run_process(home, "hook", "end", "--client", "gemini", stdin=session).code == 0
    eventually(lambda: bool(waiting(home)), look=0.2)


@pytest.mark.parametrize(
    "given",
    [
        b"",
        b"no json",
        b"[]",
        b'{"transcript_path": "/nowhere"}',
        b"[" * 100_000,
        b'{"cwd": ["/"], "transcript_path": {}}',
        b'{"cwd": "\\u0000", "transcript_path": "\\u0000"}',
    ],
    ids=lambda given: given[:20].decode(),
)
def test_nothing_disturbs_a_session(home: dict[str, str], given: bytes) -> None:
    for words in (("start",), ("end", "--now")):
        done = run_here(home, "hook", *words, "--client", "codex", stdin=given)
        assert done.code == 0


def test_the_start_of_a_session_tells_the_agent_what_is_known(
    home: dict[str, str], session: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("commonplace.cli.hooks._brief", lambda: "Prices are integers.")
    done = run_here(home, "hook", "start", "--client", "gemini", stdin=session)
    assert done.document["hookSpecificOutput"]["additionalContext"] == "Prices are integers."


def test_a_session_in_a_project_begins_with_what_is_known_of_it(
    home: dict[str, str], tmp_path: Path
) -> None:
    shop = tmp_path / "shop"
    shop.mkdir()
    (shop / "a.md").write_text("# Prices\n")
    assert run_process(home, "init", str(shop)).code == 0
    run_process(home, "add", "Price rule", "Prices are integers of cents.", "--project", "shop")
    given = json.dumps({"cwd": str(shop)}).encode()
    told = run_process(home, "hook", "start", "--client", "claude-code", stdin=given)
    said = told.document["hookSpecificOutput"]
    assert said["hookEventName"] == "SessionStart"
    assert "Prices are integers of cents." in said["additionalContext"]
    assert "shop" in said["additionalContext"]


def test_a_transcript_that_nests_without_end_is_passed_over(
    home: dict[str, str], session: bytes
) -> None:
    path = Path(json.loads(session)["transcript_path"])
    path.write_text(f"{'[' * 100_000}\n{path.read_text()}")
    done = run_here(home, "hook", "end", "--client", "claude-code", "--now", stdin=session)
    assert done.code == 0
    assert "missing index" in json.dumps(waiting(home))
