"""What people say plainly is kept at the defaults, cut from chatter and titled by what it says."""

from __future__ import annotations

import pytest

from tests.surfaces.clients import Caller, Premises
from tests.surfaces.institutional.reports import auto_capture, newcomers
from tests.surfaces.institutional.steps import CONFIDENCE, PROVIDE, data, get, listed

DECISION = (
    "We decided to use Kafka instead of RabbitMQ for the event bus because we need replay. "
    "RabbitMQ deletes messages once they are acknowledged."
)
GOTCHA = (
    "Gotcha: Never call flush() inside the loop with no_autoflush; the session expires every "
    "object. Root cause was the identity map. Solved by flushing once after the loop."
)
CAUSE = (
    "Root cause: the connection pool was exhausted because the worker never returned connections "
    "on timeout. Fixed by closing them in a finally block."
)
RULE = (
    "From now on we always run migrations in a separate job before the rollout, never at "
    "application start."
)
CARRIED = (
    "The cookie was set with SameSite=Strict, so the redirect from the identity provider lost it. "
    "I changed it to Lax in auth/session.py and the login works."
)
EXCHANGE = (
    "User: the login is broken since the update\nAssistant: Let me look.\n"
    f"Assistant: {CARRIED}\nUser: That works!"
)
RECIPE = (
    "To get a heap dump from the running pod: kubectl exec into it, run jcmd 1 GC.heap_dump "
    "/tmp/h.hprof, then kubectl cp it out. Worked on the first try."
)
PLAIN = {DECISION: "pattern", GOTCHA: "gotcha", CAUSE: None, RULE: "pattern", RECIPE: None}
CHATTER = (
    "User: hi, can you look at the list view?\nAssistant: Sure, let me look at it first.\n"
    "Assistant: I see. I'll add pagination and then run the tests.\n"
    "Output: 42 passed in 3.1s\nAssistant: All tests pass. Done!\nUser: thanks, looks great"
)


@pytest.mark.requirement("institutional.auto-capture.keeps-plain-moments")
def test_plain_moments_are_kept_at_the_defaults(premises: Premises) -> None:
    for caller, (text, expected) in zip(newcomers(premises), PLAIN.items(), strict=False):
        report = auto_capture(caller, text)
        assert report.counts == (1, 0, 1), text
        caller.text(PROVIDE, item_id=report.flagged[0], action="confirm")
        item = get(caller, listed(caller)[0])
        assert item["content"] == text
        assert expected in (None, item["type"])
        assert item["project"] == "default"
        assert len(item["summary"].split()) > 4


@pytest.mark.requirement(
    "institutional.auto-capture.keeps-plain-moments", "institutional.auto-capture.saved-content"
)
def test_a_moment_of_a_conversation_is_cut_out_and_titled(alice: Caller) -> None:
    report = auto_capture(alice, EXCHANGE, auto_save=True)
    (id,) = report.captured
    item = get(alice, id)
    assert item["content"] == CARRIED
    assert item["summary"] == CARRIED.partition(" I changed")[0]
    assert (item["type"], item["file_context"]) == ("solution", "auth/session.py")


@pytest.mark.requirement("institutional.auto-capture.keeps-plain-moments")
def test_a_decision_has_its_reason_and_what_was_not_taken(alice: Caller) -> None:
    (id,) = auto_capture(alice, DECISION, auto_save=True).captured
    item = get(alice, id)
    assert item["tags"] == ["auto-captured", "decision", "kafka", "rabbitmq"]
    assert item["decision_rationale"] == "we need replay"
    assert item["alternatives_considered"] == ["RabbitMQ"]
    assert item["summary"] == DECISION.partition(" RabbitMQ deletes")[0]


@pytest.mark.requirement("institutional.auto-capture.keeps-plain-moments")
def test_chatter_and_output_are_left_alone(alice: Caller) -> None:
    assert auto_capture(alice, CHATTER).counts[1:] == (0, 0)


@pytest.mark.requirement("institutional.auto-capture.keeps-plain-moments")
def test_what_is_told_twice_is_kept_once(alice: Caller) -> None:
    told = f"{EXCHANGE}\nAssistant: {CARRIED.replace('I changed', 'We changed')}\nUser: {RULE}"
    assert len(auto_capture(alice, told).flagged) == 2


@pytest.mark.requirement("institutional.confidence.output-fields")
def test_the_probability_stands_beside_the_documented_score(alice: Caller) -> None:
    plain, dull = (data(alice, CONFIDENCE, text=text) for text in (DECISION, "x"))
    assert plain["probability"] > 0.9 > plain["score"]
    assert dull["probability"] < 0.1
