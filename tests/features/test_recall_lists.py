"""Questions that ask `recall` for a list of entries, on both stores."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from commonplace.model.actor import Actor
from commonplace.model.entry import EntryKind, Place
from commonplace.recall.service import RecallService
from commonplace.recall.values import Recalled, RecallRequest, Verdict
from commonplace.recall.wording import recalled_text
from tests.features.house import House
from tests.generate import ALICE, BOB, EVE

DECISIONS = {
    "n-orders": "We use PostgreSQL for the orders service because of row-level security.",
    "n-cache": "We chose Redis for the session cache.",
}
QUESTIONS = {
    "n-region": "Which region should the backups live in?",
    "n-python": "Do we drop Python 3.10 in spring?",
}


def recall(house: House, question: str, actor: Actor = ALICE, **request: Any) -> Recalled:
    return RecallService(house.retrieval).recall(actor, RecallRequest(question, **request))


def texts(answer: Recalled) -> list[str]:
    return [hit.excerpt for hit in answer.hits]


@pytest.fixture
def kept(house: House) -> House:
    for id, body in DECISIONS.items():
        house.add(id, title=body, body=body, category="decision", place=Place(project="shop"))
    for id, body in QUESTIONS.items():
        house.add(id, title=body, body=body, category="open question")
    house.add("n-plain", BOB, title="Lamp", body="The lighthouse keeper trims the lamp at dusk.")
    house.embed()
    return house


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("open questions", ()),
        ("What are our open questions?", ()),
        ("which questions are still unanswered", ()),
        ("*", ("question",)),
        ("all of them", ("open questions",)),
        ("list", ("Open-Question",)),
    ],
)
def test_all_of_a_kind_is_listed_newest_first(
    kept: House, question: str, kinds: tuple[str, ...]
) -> None:
    answer = recall(kept, question, kinds=kinds)
    assert answer.verdict is Verdict.ANSWERS
    assert texts(answer) == list(reversed(QUESTIONS.values()))
    assert recalled_text(answer).startswith("2 entries, newest first:")
    assert " p 1" not in recalled_text(answer)


def test_a_list_keeps_to_the_restrictions_and_the_limit(kept: House) -> None:
    assert texts(recall(kept, "all decisions", project="SHOP")) == list(
        reversed(DECISIONS.values())
    )
    assert recall(kept, "all decisions", project="blog").hits == ()
    assert len(recall(kept, "everything", author=BOB.agent).hits) == 1
    assert recall(kept, "everything", actor=EVE).hits == ()
    assert recall(kept, "everything", until=timedelta(days=1)).hits == ()
    assert len(recall(kept, "everything", since=timedelta(days=1), limit=9).hits) == 5
    some = recall(kept, "everything", limit=2)
    assert (len(some.hits), some.left_out) == (2, 3)
    assert "(3 older ones left out; a larger limit or budget lists more)" in recalled_text(some)


def test_what_is_deleted_or_superseded_is_not_listed(kept: House) -> None:
    kept.knowledge.delete(ALICE, "n-region", EntryKind.NOTE)
    kept.knowledge.supersede(ALICE, EntryKind.NOTE, "n-cache", "n-orders")
    assert texts(recall(kept, "open questions")) == [QUESTIONS["n-python"]]
    assert texts(recall(kept, "our decisions")) == [DECISIONS["n-orders"]]
    both = recall(kept, "our decisions", history=True)
    assert "SUPERSEDED" in recalled_text(both)


def test_an_empty_list_says_so(kept: House) -> None:
    answer = recall(kept, "all gotchas")
    assert answer.verdict is Verdict.NOTHING
    assert recalled_text(answer).startswith("Nothing of that kind is kept here.\n(looked only at")


def test_a_kind_about_a_subject_is_searched_for_in_that_kind_first(kept: House) -> None:
    kept.add("n-cost", title="Cost", body="The backups cost 40 euros, PostgreSQL's most of it.")
    kept.embed()
    answer = recall(kept, "open questions about backups")
    assert texts(answer) == [QUESTIONS["n-region"]]
    # What is known elsewhere answers, if nothing of the kind does.
    answer = recall(kept, "all preferences about trimming the lighthouse lamp at dusk")
    assert [hit.title for hit in answer.hits] == ["Lamp"]


def test_a_question_with_words_of_its_own_is_no_list(kept: House) -> None:
    answer = recall(kept, "which region is meant for backups", kinds=("question",))
    assert answer.hits[0].probability < 1
