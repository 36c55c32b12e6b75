"""Recall on both stores: one question over everything, narrowed, marked, within a budget."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest

from commonplace.errors import InvalidArgument, ReplicaLost
from commonplace.model.actor import Actor
from commonplace.model.entry import EntryKind, Place, Visibility
from commonplace.recall.probability import calibrated
from commonplace.recall.service.recall import RecallService
from commonplace.recall.values import Recalled, RecallRequest, Verdict
from commonplace.recall.wording import recalled_text
from commonplace.storage.port import Transaction
from commonplace.text.context_tokens import estimate_context_tokens
from tests.features.house import House
from tests.generate import ALICE, BOB, EVE

KAFKA = "We use Kafka for the event bus instead of RabbitMQ because consumers need replay."
LAMPS = "The lighthouse keeper trims the lamp at dusk and fills the oil before midnight."


def recall(house: House, question: str, actor: Actor = ALICE, **request: Any) -> Recalled:
    service = RecallService(house.retrieval)
    return service.recall(actor, RecallRequest(question, **request))


def titles(answer: Recalled) -> list[str]:
    return [hit.title for hit in answer.hits]


@pytest.fixture
def mixed(house: House) -> House:
    """One thing of each kind of entry, on different subjects."""
    house.add("n-kafka", title="Event bus", body=KAFKA, tags=("queues",))
    house.add("i-lamp", kind=EntryKind.ITEM, title="Lamp oil", body=LAMPS, category="process")
    house.add(
        "kp:skill:lint",
        kind=EntryKind.SKILL,
        title="lint-fix",
        body="Run the linter with the fix flag, then read what it changed before you commit.",
    )
    house.add(
        "kp:trace:deploy",
        kind=EntryKind.UNIT,
        title="Deploy with a canary",
        body="Send one percent of the traffic to the canary and wait for the error budget.",
    )
    house.embed()
    return house


def test_one_question_finds_every_kind(mixed: House) -> None:
    asked = {
        "why do we use Kafka and not RabbitMQ": "note",
        "when does the keeper trim the lamp": "item",
        "how do I run the linter with the fix flag": "skill",
        "how much traffic goes to the canary": "unit",
    }
    for question, kind in asked.items():
        answer = recall(mixed, question)
        assert answer.hits[0].kind.value == kind, question
        assert answer.verdict is not Verdict.NOTHING


def test_what_a_note_just_stored_says_is_found_before_it_is_embedded(mixed: House) -> None:
    mixed.add("n-new", title="Zanzibar", body="The Zanzibar gateway drops requests over 4 MB.")
    answer = recall(mixed, "Zanzibar gateway drops requests")
    assert answer.hits[0].title == "Zanzibar"
    assert answer.hits[0].is_pending
    assert answer.pending == 1


def test_a_question_foreign_to_the_home_is_told_so(mixed: House) -> None:
    answer = recall(mixed, "chocolate cake recipe with whipped cream")
    assert answer.verdict is Verdict.NOTHING
    assert (answer.hits, answer.probability) == ((), 0.0)
    assert recalled_text(answer).startswith("Nothing relevant is known here.")


def test_the_only_note_of_a_home_answers_a_question_that_shares_a_word_with_it(
    house: House,
) -> None:
    body = "Sessions end after thirty minutes without a request, on phones after a week."
    house.add("n-login", title="Login", body=body)
    house.embed()
    assert titles(recall(house, "how long do sessions last on phones?")) == ["Login"]
    assert recall(house, "which phone takes the best pictures?").verdict is Verdict.NOTHING


def test_a_copy_is_shown_once_and_counted(mixed: House) -> None:
    mixed.add("n-copy", title="Event bus, copied", body=KAFKA)
    mixed.embed()
    answer = recall(mixed, "why do we use Kafka and not RabbitMQ")
    said = [hit for hit in answer.hits if "Kafka" in hit.excerpt]
    assert len(said) == 1
    assert said[0].copies == 1


@pytest.mark.parametrize("budget", [100, 160, 300, 1_500, 20_000])
def test_the_answer_keeps_to_its_budget(mixed: House, budget: int) -> None:
    for number in range(12):
        body = f"Kafka partition {number}. " + "Consumers of the event bus may replay it. " * 40
        mixed.add(f"n-{number}", title=f"Partition {number}", body=body)
    mixed.embed()
    answer = recall(mixed, "how do consumers replay the Kafka event bus", budget=budget, limit=20)
    assert answer.tokens <= budget
    assert estimate_context_tokens(recalled_text(answer)) == answer.tokens
    assert budget < 300 or answer.hits


def test_the_excerpt_is_the_lines_that_answer(mixed: House) -> None:
    chatter = "\n".join(f"Line {number} says nothing of interest." for number in range(60))
    answer_line = "The connection pool is limited to 17 sockets per worker."
    body = f"{chatter}\n{answer_line}\n{chatter}"
    mixed.add("n-pool", title="Notes of a long day", body=body)
    mixed.embed()
    question = "the connection pool is limited to how many sockets per worker"
    answer = recall(mixed, question, budget=300)
    assert answer_line in answer.hits[0].excerpt
    assert not answer.hits[0].whole


def test_narrowed_by_kind_category_tag_author_and_project(mixed: House) -> None:
    mixed.add("n-bob", BOB, title="Bob's bus", body="Kafka replay needs a longer retention time.")
    mixed.add(
        "n-shop",
        title="Shop bus",
        body="The shop's Kafka topic has three partitions.",
        place=Place(project="shop"),
        category="decision",
    )
    mixed.embed()
    question = "Kafka event bus replay partitions"
    assert "skill" not in {hit.kind.value for hit in recall(mixed, question, kinds=("note",)).hits}
    assert titles(recall(mixed, question, kinds=("decision",))) == ["Shop bus"]
    both = recall(mixed, question, kinds=("decision", "item"))
    assert set(titles(both)) <= {"Shop bus", "Lamp oil"}
    assert titles(recall(mixed, question, tags=("queues",))) == ["Event bus"]
    assert titles(recall(mixed, question, author=BOB.agent)) == ["Bob's bus"]
    assert titles(recall(mixed, question, project="shop")) == ["Shop bus"]
    assert recall(mixed, question, path="src").verdict is Verdict.NOTHING


def test_narrowed_by_time(mixed: House) -> None:
    before = mixed.clock()
    later = mixed.clock.advance(3600)
    mixed.add("n-late", title="Late bus", body="Kafka replay was switched on for the event bus.")
    mixed.embed()
    question = "Kafka event bus replay"
    since, until = later - timedelta(minutes=1), before + timedelta(minutes=1)
    assert titles(recall(mixed, question, since=since)) == ["Late bus"]
    assert "Late bus" not in titles(recall(mixed, question, until=until))
    assert "Event bus" in titles(recall(mixed, question, until=until))


def test_what_is_superseded_or_expired_is_found_where_asked_for_and_marked(mixed: House) -> None:
    old = mixed.add("n-old", title="Old bus", body="RabbitMQ is the event bus, without replay.")
    new = mixed.add("n-now", title="New bus", body="Kafka is the event bus now, with replay.")
    mixed.knowledge.supersede(ALICE, EntryKind.NOTE, old.id, new.id)
    mixed.add(
        "n-gone",
        title="Gone bus",
        body="Until spring the event bus has no replay.",
        expires_at=mixed.clock() + timedelta(minutes=1),
    )
    mixed.embed()
    mixed.clock.advance(3600)
    asked = {"Old bus": "RabbitMQ is the event bus", "Gone bus": "until spring the event bus"}
    for title, question in asked.items():
        assert title not in titles(recall(mixed, question))
        answer = recall(mixed, question, history=True)
        marked = {hit.title: hit for hit in answer.hits}[title]
        assert bool(marked.superseded_by) == (title == "Old bus")
        assert bool(marked.expired_at) == (title == "Gone bus")
        assert ("SUPERSEDED by" if marked.superseded_by else "EXPIRED") in recalled_text(answer)


def test_others_private_notes_and_other_orgs_are_not_seen(mixed: House) -> None:
    mixed.add("n-private", title="Private", body=KAFKA, visibility=Visibility.PRIVATE)
    mixed.embed()
    assert "Private" not in titles(recall(mixed, KAFKA, BOB))
    assert recall(mixed, KAFKA, EVE).hits == ()


@pytest.mark.parametrize(
    "question",
    [
        "why do we use Kafka and not RabbitMQ for the event bus, when consumers need replay",
        "when does the keeper of the lighthouse trim the lamp, and when is the oil filled",
        "how do I run the linter with the fix flag, and what do I read before I commit",
        "which consumers of the event bus need a replay of what was sent before they came",
    ],
)
def test_an_answer_is_as_likely_as_its_first_hit(mixed: House, question: str) -> None:
    answer = recall(mixed, question)
    assert answer.probability >= answer.hits[0].probability
    likely = answer.probability >= calibrated().answers_from
    assert answer.verdict is (Verdict.ANSWERS if likely else Verdict.RELATED)


def test_probabilities_fall_with_the_ranking(mixed: House) -> None:
    for number in range(10):
        mixed.add(f"n-{number}", title=f"Bus {number}", body=f"Kafka bus number {number} replays.")
    mixed.embed()
    answer = recall(mixed, "which Kafka bus replays", limit=20)
    likely = [hit.probability for hit in answer.hits]
    assert likely == sorted(likely, reverse=True)
    assert all(0 <= one <= 1 for one in likely)


@pytest.mark.parametrize(
    ("request_fields", "field"),
    [
        ({"budget": 99}, "budget"),
        ({"budget": 50_001}, "budget"),
        ({"limit": 0}, "limit"),
        ({"least_probability": 1.5}, "least_probability"),
    ],
)
def test_what_cannot_be_asked_is_refused(
    house: House, request_fields: dict[str, Any], field: str
) -> None:
    with pytest.raises(InvalidArgument) as caught:
        recall(house, "anything", **request_fields)
    assert caught.value.field == field


@pytest.mark.parametrize("narrowed", [{}, {"path": "nowhere"}, {"tags": ["queues"]}])
def test_a_replica_lost_at_the_end_changes_nothing(
    mixed: House, monkeypatch: pytest.MonkeyPatch, narrowed: dict[str, Any]
) -> None:
    question = "why do we use Kafka and not RabbitMQ"
    expected = recall(mixed, question, **narrowed)
    search, opened = mixed.store.search, list[Actor]()

    @contextmanager
    def losing(actor: Actor) -> Iterator[Transaction]:
        opened.append(actor)
        with search(actor) as tx:
            yield tx
        if len(opened) == 1:
            raise ReplicaLost

    monkeypatch.setattr(mixed.store, "search", losing)
    assert recall(mixed, question, **narrowed) == expected
    assert len(opened) == 2
