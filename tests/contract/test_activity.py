"""What agents asked and how their calls went, on every store."""

from __future__ import annotations

from datetime import timedelta

from commonplace.model.activity import CallCount, Outcome, QuestionDraft
from commonplace.storage.port import Store
from tests.generate import ALICE, EVE
from tests.stores import START

HOUR = START.replace(minute=0, second=0, microsecond=0)


def asked(question: str, outcome: Outcome = Outcome.FOUND, days: int = 0) -> QuestionDraft:
    at = START - timedelta(days=days)
    return QuestionDraft("claude", "cli 1.0", at, "recall", question, outcome, ("note:1", "doc:2"))


def test_questions_come_back_newest_first_and_go_on_from_a_key(store: Store) -> None:
    drafts = [asked(f"q{number}") for number in range(5)]
    with store.write(ALICE) as tx:
        tx.questions.add(drafts)
    with store.read(ALICE) as tx:
        found = tx.questions.newest(3)
        rest = tx.questions.newest(3, before=found[-1].key)
        assert tx.questions.get(found[0].key) == found[0]
        assert tx.questions.get(found[0].key + 1) is None
    assert [one.question for one in found + rest] == ["q4", "q3", "q2", "q1", "q0"]
    assert (found[0].agent, found[0].client, found[0].at) == ("claude", "cli 1.0", START)
    assert (found[0].tool, found[0].given) == ("recall", ("note:1", "doc:2"))


def test_questions_are_counted_and_listed_by_how_they_ended(store: Store) -> None:
    with store.write(ALICE) as tx:
        tx.questions.add([asked("a", Outcome.NOTHING), asked("b"), asked("c", Outcome.NOTHING)])
        tx.questions.add([asked("old", Outcome.NOTHING, days=2)])
    with store.read(ALICE) as tx:
        nothing = tx.questions.newest(9, outcome=Outcome.NOTHING)
        tally = tx.questions.tally(START - timedelta(days=1))
    assert [one.question for one in nothing] == ["old", "c", "a"]
    assert tally == {Outcome.NOTHING: 2, Outcome.FOUND: 1}


def test_calls_of_one_hour_add_up(store: Store) -> None:
    one = CallCount(HOUR, "recall", "ok", 5, 2)
    other = CallCount(HOUR, "recall", "internal.error", 5, 1)
    with store.write(ALICE) as tx:
        tx.call_counts.add([one, other])
    with store.write(ALICE) as tx:
        tx.call_counts.add([one, CallCount(HOUR - timedelta(hours=1), "open", "ok", 1, 7)])
    with store.read(ALICE) as tx:
        found = tx.call_counts.since(HOUR)
    assert sorted((c.tool, c.status, c.step, c.count) for c in found) == [
        ("recall", "internal.error", 5, 1),
        ("recall", "ok", 5, 4),
    ]


def test_what_is_old_is_forgotten_and_other_orgs_see_nothing(store: Store) -> None:
    with store.write(ALICE) as tx:
        tx.questions.add([asked("old", days=9), asked("new")])
        tx.call_counts.add([CallCount(HOUR, "open", "ok", 1, 1)])
        tx.call_counts.add([CallCount(HOUR - timedelta(days=9), "open", "ok", 1, 1)])
        tx.questions.forget(START - timedelta(days=5))
        tx.call_counts.forget(START - timedelta(days=5))
    with store.read(ALICE) as tx:
        assert [one.question for one in tx.questions.newest(9)] == ["new"]
        (kept,) = tx.questions.newest(9)
        assert len(tx.call_counts.since(HOUR - timedelta(days=30))) == 1
    with store.read(EVE) as tx:
        assert tx.questions.newest(9) == []
        assert tx.questions.get(kept.key) is None
        assert tx.questions.tally(HOUR - timedelta(days=30)) == {}
        assert tx.call_counts.since(HOUR - timedelta(days=30)) == []
