"""The review queue and the learned weights on the command line, on both stores."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from commonplace.bootstrap import running_application
from commonplace.capture.finding import CaptureRequest
from commonplace.model.capture import Feedback, FeedbackVerdict
from commonplace.settings import Settings
from tests.cli.commands import Outcome, run_here, run_process

UNREACHABLE = {
    "COMMONPLACE_EMBEDDING_URL": "http://127.0.0.1:1/v1",
    "COMMONPLACE_EMBEDDING_MODEL": "absent",
    "COMMONPLACE_EMBEDDING_DIMENSION": "8",
}
CACHE = "Finally got it working! The solution was to clear the cache first..."
DATES = "The nightly import failed for days. The fix was to read all dates as UTC."
DEFAULTS = {"pattern": 0.35, "sentiment": 0.30, "text_length": 0.15, "structure": 0.20}


@pytest.fixture
def here(place: dict[str, str]) -> dict[str, str]:
    return place | UNREACHABLE


def settings_of(here: dict[str, str]) -> Settings:
    """What a command reads from its environment."""
    address = here.get("COMMONPLACE_DATABASE_URL")
    return Settings(
        home=Path(here["COMMONPLACE_HOME"]),
        database_url=SecretStr(address) if address else None,
        embedding_url=here["COMMONPLACE_EMBEDDING_URL"],
        embedding_model=here["COMMONPLACE_EMBEDDING_MODEL"],
        embedding_dimension=int(here["COMMONPLACE_EMBEDDING_DIMENSION"]),
    )


def flag(here: dict[str, str], *texts: str) -> list[str]:
    """The ids under which these texts now wait."""
    with running_application(settings_of(here)) as application:
        actor = application.local_actor("test")
        requests = (CaptureRequest(text, 0.5, False, None, 5) for text in texts)
        outcomes = [application.capture.auto_capture(actor, request) for request in requests]
    return [flagged.id for outcome in outcomes for flagged in outcome.flagged]


def teach(here: dict[str, str], verdict: FeedbackVerdict, times: int, *factors: str) -> None:
    with running_application(settings_of(here)) as application:
        actor = application.local_actor("test")
        for _ in range(times):
            application.learning.record(actor, Feedback("detect-1", verdict, 0.8, factors))


def answer(here: dict[str, str], *arguments: str) -> Any:
    outcome = run_here(here, *arguments, "--json")
    assert outcome.code == 0, outcome
    return outcome.document


def is_refused(outcome: Outcome) -> bool:
    return (outcome.code, outcome.document["error"]["code"]) == (1, "knowledge.not_found")


def waiting(here: dict[str, str], *options: str) -> list[str]:
    return [review["id"] for review in answer(here, "review", "list", *options)["reviews"]]


def test_an_empty_queue(here: dict[str, str]) -> None:
    assert answer(here, "review", "list") == {"reviews": [], "total": 0}
    assert run_here(here, "review", "list").stdout == "0 of 0 waiting\n"


def test_what_waits_is_listed_newest_first(here: dict[str, str]) -> None:
    cache, dates = flag(here, CACHE, DATES)
    assert waiting(here) == [dates, cache]
    assert waiting(here, "--limit", "1") == [dates]
    assert waiting(here, "--limit", "1", "--offset", "1") == [cache]
    assert answer(here, "review", "list", "--limit", "1")["total"] == 2
    lines = run_here(here, "review", "list").stdout.splitlines()
    assert lines == [
        lines[0],
        f"{cache}  85%  The solution was to clear the cache first...",
        "2 of 2 waiting",
    ]
    assert lines[0].startswith(dates)


def test_a_moment_is_shown_whole(here: dict[str, str]) -> None:
    (id,) = flag(here, CACHE)
    shown = answer(here, "review", "show", id[:-3])
    assert (shown["id"], shown["status"], shown["item_id"]) == (id, "waiting", None)
    assert 0.8 <= shown["confidence"] < 0.9
    assert shown["level"] == "medium"
    assert (shown["moment"]["content"], shown["moment"]["type"]) == (CACHE, "win")
    assert (shown["decided_at"], shown["decided_by"]) == (None, None)
    text = run_here(here, "review", "show", id).stdout
    assert text.endswith(f"\n{CACHE}\n")
    assert shown["reason"] in text


def test_confirming_makes_an_item(here: dict[str, str]) -> None:
    cache, dates = flag(here, CACHE, DATES)
    confirmed = answer(here, "review", "confirm", cache, "--comment", "It helped.")
    item = answer(here, "show", confirmed["item_id"])
    assert (confirmed["id"], confirmed["action"]) == (cache, "confirm")
    assert (item["kind"], item["body"], item["tags"]) == ("item", CACHE, ["auto-captured"])
    assert waiting(here) == [dates]
    assert waiting(here, "--status", "confirmed") == [cache]
    assert answer(here, "review", "show", cache)["item_id"] == confirmed["item_id"]
    plain = run_here(here, "review", "confirm", dates).stdout
    assert plain == f"Kept as {answer(here, 'review', 'show', dates)['item_id']}\n"


def test_rejecting_forgets_the_text(here: dict[str, str]) -> None:
    (id,) = flag(here, CACHE)
    assert run_here(here, "review", "reject", id).stdout == f"Dropped {id}\n"
    assert (waiting(here), waiting(here, "--status", "rejected")) == ([], [id])
    assert CACHE not in run_here(here, "review", "show", id, "--json").stdout
    assert "forgotten" in run_here(here, "review", "show", id).stdout
    assert answer(here, "list")["total"] == 0
    assert flag(here, CACHE) == [], "it is not put up again"


def test_a_moment_is_decided_once(here: dict[str, str]) -> None:
    (id,) = flag(here, CACHE)
    item_id = answer(here, "review", "confirm", id)["item_id"]
    for decision in ("confirm", "reject"):
        assert is_refused(run_here(here, "review", decision, id, "--json"))
    assert answer(here, "list")["total"] == 1
    assert is_refused(run_here(here, "review", "reject", item_id, "--json")), "that is an item"
    assert answer(here, "show", item_id)["deleted_at"] is None


def test_a_decision_is_taken_back(here: dict[str, str]) -> None:
    cache, dates = flag(here, CACHE, DATES)
    item = answer(here, "review", "confirm", cache)["item_id"]
    run_here(here, "review", "reject", dates)
    assert answer(here, "weights")["feedback"] == {"confirmed": 1, "rejected": 1}
    assert run_here(here, "review", "reopen", dates).stdout == f"{dates} waits again\n"
    reopened = answer(here, "review", "reopen", cache)
    assert (reopened["status"], reopened["item_id"]) == ("waiting", None)
    assert reopened["moment"]["content"] == CACHE
    assert waiting(here) == [dates, cache]
    assert answer(here, "list")["total"] == 0
    assert is_refused(run_here(here, "show", item, "--json"))
    assert answer(here, "weights")["feedback"] == {"confirmed": 0, "rejected": 0}
    assert is_refused(run_here(here, "review", "reopen", cache, "--json")), "it waits already"
    again = answer(here, "review", "confirm", cache)["item_id"]
    assert answer(here, "show", again)["body"] == CACHE


def test_an_item_that_was_worked_on_is_not_taken_back(here: dict[str, str]) -> None:
    (id,) = flag(here, CACHE)
    item = answer(here, "review", "confirm", id)["item_id"]
    answer(here, "edit", item, "Clear the cache, then warm it.")
    refused = run_here(here, "review", "reopen", id, "--json")
    assert (refused.code, item in refused.document["error"]["message"]) == (1, True)
    assert answer(here, "show", item)["deleted_at"] is None
    assert answer(here, "review", "show", id)["status"] == "confirmed"


@pytest.mark.parametrize("command", ["show", "confirm", "reject", "reopen"])
def test_a_moment_that_is_not_there(here: dict[str, str], command: str) -> None:
    assert is_refused(run_here(here, "review", command, "rv-1-nothing", "--json"))
    plain = run_here(here, "review", command, "rv-1-nothing")
    assert (plain.code, plain.stdout) == (1, "")
    assert "[knowledge.not_found]" in plain.stderr


@pytest.mark.parametrize(
    "options", [["--limit", "0"], ["--limit", "1001"], ["--offset", "-1"], ["--status", "lost"]]
)
def test_wrong_options_are_refused(home: dict[str, str], options: list[str]) -> None:
    assert run_here(home | UNREACHABLE, "review", "list", *options).code == 2


def test_the_weights_before_anything_is_learned(here: dict[str, str]) -> None:
    assert answer(here, "weights") == {
        "threshold": None,
        "weights": DEFAULTS,
        "defaults": DEFAULTS,
        "feedback": {"confirmed": 0, "rejected": 0},
        "factors": [],
        "unlearned": 0,
    }
    text = run_here(here, "weights").stdout
    assert "pattern      0.350  (starts at 0.35)" in text
    assert "learned from 0 pieces of feedback" in text


def test_weights_are_learned_and_put_back(here: dict[str, str]) -> None:
    teach(here, FeedbackVerdict.CONFIRM, 7, "pattern")
    teach(here, FeedbackVerdict.REJECT, 6, "structure")
    learned = answer(here, "weights")
    assert learned["weights"]["pattern"] > 0.35
    assert learned["weights"]["structure"] < 0.20
    assert learned["feedback"] == {"confirmed": 7, "rejected": 6}
    text = run_here(here, "weights").stdout
    assert "learned from 13 pieces of feedback" in text
    assert "  pattern: 7 confirmed, 0 rejected" in text
    assert "13 pieces of feedback no longer counted" in run_here(here, "weights", "--reset").stdout
    back = answer(here, "weights", "--reset")
    assert (back["weights"], back["factors"], back["unlearned"]) == (DEFAULTS, [], 0)


def test_the_queue_of_a_person_from_day_to_day(place: dict[str, str]) -> None:
    """In processes of their own, with the model that comes with the product."""
    (id,) = flag(place | UNREACHABLE, CACHE)
    listed = run_process(place, "review", "list", "--json").document
    assert [review["id"] for review in listed["reviews"]] == [id]
    kept = run_process(place, "review", "confirm", id, "--json").document
    found = run_process(place, "search", "cache", "--json").document
    assert [hit["id"] for hit in found["hits"]] == [kept["item_id"]]
