"""Questions that ask `recall` for a list of entries, on both stores."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from commonplace.model.actor import Actor
from commonplace.model.entry import EntryKind, Place
from commonplace.model.workspace import ProjectDraft
from commonplace.recall.service.recall import RecallService
from commonplace.recall.values import Recalled, RecallRequest, Verdict
from commonplace.recall.wording import recalled_text
from commonplace.safety.warnings import warnings_of
from tests.features.house import House
from tests.generate import ALICE, BOB, EVE
from tests.stores import START

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


def test_a_label_that_is_no_project_is_not_denied_beside_its_list(kept: House) -> None:
    with kept.store.write(ALICE) as tx:
        tx.projects.insert(ProjectDraft("proj_Web01", "web", "Web", ()))
    told = recalled_text(recall(kept, "all decisions", project="shop"))
    assert told.startswith("2 entries")
    assert "No project is called" not in told
    assert "No project is called" in recalled_text(recall(kept, "all decisions", project="blog"))
    for name in ("proj_Web01", "PROJ_WEB01", "Web"):
        assert "No project" not in recalled_text(recall(kept, "all decisions", project=name))


def test_an_unknown_project_is_told_beside_the_names_that_entries_are_filed_under(
    kept: House,
) -> None:
    for question in ("all decisions", "which cake leaves the oven"):
        told = recalled_text(recall(kept, question, project="blog"))
        assert "No project is called blog" in told
        assert "Projects: shop." in told
        assert "No project" not in recalled_text(recall(kept, question, actor=EVE, project="blog"))
    assert "No project" not in recalled_text(recall(kept, "open questions", project="SHOP"))
    with kept.store.write(ALICE) as tx:
        tx.projects.insert(ProjectDraft("proj_Web01", "web", "Web", ()))
    kept.add("n-web", title="Web", body="The site is static.", place=Place(project="proj_Web01"))
    told = recalled_text(recall(kept, "all decisions", project="blog"))
    assert "Projects: shop, web." in told


def test_a_list_finds_what_lies_behind_many_others(
    kept: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("commonplace.recall.service.inquiry.MOST_LISTED", 2)
    monkeypatch.setattr("commonplace.recall.wording.MOST_LISTED", 2)
    monkeypatch.setattr("commonplace.recall.service.inquiry._PAGE", 2)
    assert texts(recall(kept, "all decisions", project="shop")) == list(
        reversed(DECISIONS.values())
    )
    assert len(recall(kept, "everything", since=timedelta(days=1)).hits) == 2
    told = recalled_text(recall(kept, "everything"))
    assert told.startswith("2 entries or more, newest first:")


def test_only_the_entries_that_are_shown_are_examined(
    kept: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    examined: list[str | None] = []

    def noted(*texts: str | None) -> list[str]:
        examined.extend(texts)
        return warnings_of(*texts)

    monkeypatch.setattr("commonplace.recall.naming.warnings_of", noted)
    assert len(recall(kept, "everything", limit=1).hits) == 1
    assert len(examined) == 2


@pytest.mark.parametrize("question", ["last week", "in the shop project", "in the shop repo today"])
def test_a_question_of_restrictions_alone_asks_for_everything_there(
    kept: House, question: str
) -> None:
    answer = recall(kept, question)
    assert answer.is_list
    assert set(DECISIONS.values()) <= {hit.excerpt for hit in answer.hits}


def test_the_time_that_is_given_counts_instead_of_the_one_in_the_question(kept: House) -> None:
    question = "what did we decide last week"
    decided = list(reversed(DECISIONS.values()))
    assert recall(kept, question, until=timedelta(days=60)).hits == ()
    assert texts(recall(kept, question, until=START + timedelta(days=1))) == decided
    assert texts(recall(kept, question, since=timedelta(days=3))) == decided


@pytest.mark.parametrize(
    ("question", "given"),
    [
        ("all decisions in the shop project", {"project": "SHOP"}),
        ("list the decisions of Shop", {"project": "shop"}),
        ("all decisions by Alice", {"author": "alice"}),
        ("what did alice decide?", {"author": "alice"}),
        ("all decisions of alice in the shop project", {"author": "alice", "project": "shop"}),
    ],
)
def test_what_is_given_too_may_stand_in_the_question(
    kept: House, question: str, given: dict[str, Any]
) -> None:
    assert texts(recall(kept, question, **given)) == list(reversed(DECISIONS.values()))


def test_words_are_searched_for_where_nothing_of_their_kind_is_kept(house: House) -> None:
    house.add("n-pages", title="Pages", body="Pages are rendered by the worker, skills by nobody.")
    house.embed()
    told = recalled_text(recall(house, "pages"))
    assert told.startswith("These answer")
    assert "rendered by the worker" in told
    assert recalled_text(recall(house, "open questions")).startswith("Nothing of that kind")
    assert recalled_text(recall(house, "pages", project="shop")).startswith("Nothing of that kind")


def test_a_list_does_not_wait_for_the_model(kept: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("nothing is compared by meaning")

    monkeypatch.setattr(type(kept.embedder), "embed_query", refuse)
    assert len(recall(kept, "all decisions").hits) == 2


@pytest.mark.parametrize("question", ["what does * do", "what is **"])
def test_a_star_in_a_question_asks_for_no_list(kept: House, question: str) -> None:
    assert not recall(kept, question).is_list


def test_a_sentence_of_a_long_question_asks_for_no_list(kept: House) -> None:
    chatter = "The tectonic plates of volcanic islands drift apart and nobody can stop them. " * 4
    answer = recall(kept, f"{chatter}What do you know about this?")
    assert (answer.verdict, answer.hits) == (Verdict.NOTHING, ())


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
