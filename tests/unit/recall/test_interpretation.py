"""Which restrictions are read out of a question's wording."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from commonplace.recall.interpretation import interpretations
from commonplace.recall.parts import parts_of, questions_of
from commonplace.recall.values import RecallRequest

DECISION, GOTCHA = ("decision",), ("gotcha",)
DAY = timedelta(days=1)


def read(question: str, **given: Any) -> list[RecallRequest]:
    return list(interpretations(RecallRequest(question, **given)))


@pytest.mark.parametrize(
    ("question", "topic", "kinds"),
    [
        ("what did we decide about the database?", "the database", DECISION),
        ("When did we decide to cache prices?", "cache prices", DECISION),
        ("who decided on Kafka", "Kafka", DECISION),
        ("all decisions about the backups", "the backups", DECISION),
        ("any gotchas with checkout?", "checkout", GOTCHA),
        ("is there a gotcha with the payment stub", "the payment stub", GOTCHA),
        ("what do we know about the queue", "the queue", ()),
        ("any notes on the queue", "the queue", ()),
        ("who wrote the note about deploys?", "deploys", ()),
        ("when was the database decided", "the database", DECISION),
        ("what did we decide about last week's outage", "last week's outage", DECISION),
    ],
)
def test_a_topic_and_its_kind(question: str, topic: str, kinds: tuple[str, ...]) -> None:
    assert read(question) == [RecallRequest(topic, kinds=kinds)]


@pytest.mark.parametrize(
    ("question", "topic", "author"),
    [
        ("what did alice learn about the checkout test", "the checkout test", "alice"),
        ("notes by bob", "notes", "bob"),
        ("everything written by claude-code", "everything", "claude-code"),
        ("what did alice decide?", "what did we decide", "alice"),
        ("bob's notes", "notes", "bob"),
        ("everything bob wrote", "everything", "bob"),
        ("when did alice write about the database", "the database", "alice"),
        ("what does alice prefer?", "what do we prefer", "alice"),
        ("what has alice decided", "what have we decided", "alice"),
        ("list all notes by agent claude", "list all notes", "claude"),
        ("everything written by the user marta", "everything", "marta"),
    ],
)
def test_an_author(question: str, topic: str, author: str) -> None:
    assert read(question) == [RecallRequest(topic, author=author)]


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        ("in the shop project, how do we deploy?", "how do we deploy"),
        ("how do we deploy in project shop", "how do we deploy"),
        ("shop: how do we deploy?", "how do we deploy"),
        ("tell me everything about the shop repo", "tell me everything"),
        ("what's new in shop?", "what's new"),
    ],
)
def test_a_project(question: str, topic: str) -> None:
    assert read(question) == [RecallRequest(topic, project="shop")]


@pytest.mark.parametrize(
    ("question", "days"),
    [
        ("what did we decide last week?", 14),
        ("what did we decide in the last week?", 7),
        ("what did we decide in the last 3 days", 3),
        ("what did we decide yesterday", 2),
        ("what did we decide on Monday", 7),
        ("what did we decide this month", 30),
    ],
)
def test_a_time(question: str, days: int) -> None:
    assert read(question) == [RecallRequest("what did we decide", since=timedelta(days=days))]


def test_a_tag_in_the_question_restricts_it() -> None:
    tagged = RecallRequest("gotchas", tags=("kubernetes",))
    for wording in ("tagged kubernetes", "tagged with kubernetes", "with the tag kubernetes"):
        assert read(f"gotchas {wording}") == [tagged]
    assert read("notes tagged api about limits")[0] == RecallRequest("limits", tags=("api",))
    (one,) = read("gotchas tagged b", tags=("a",))
    assert one.tags == ("a", "b")


def test_an_author_may_be_written_in_capitals() -> None:
    assert [one.author for one in read("what did Bob decide?")] == ["Bob", "bob"]


def test_a_name_after_a_kind_may_be_a_project_or_a_topic() -> None:
    assert read("list all decisions of billing") == [
        RecallRequest("list all decisions", kinds=DECISION, project="billing"),
        RecallRequest("list all decisions", kinds=DECISION, author="billing"),
        RecallRequest("billing", kinds=DECISION),
    ]
    assert read("everything about shop") == [
        RecallRequest("shop"),
        RecallRequest("everything", project="shop"),
    ]


def test_everything_at_once() -> None:
    (one,) = read("what did alice decide about prices in the shop project last week")
    expected = RecallRequest("prices", kinds=DECISION, author="alice", project="shop")
    assert (one.question, one.kinds, one.author, one.project) == (
        expected.question, expected.kinds, expected.author, expected.project,
    )  # fmt: skip
    assert one.since == timedelta(days=14)


@pytest.mark.parametrize(
    "question",
    [
        "which database do we use",
        "how long do sessions last on phones?",
        "what happened in the last outage of the queue",
        "why do we use Kafka in this project",
        "error: make: no rule to make target deploy",
        "decisions",
        "summary of decisions",
        "how many decisions are there?",
        "",
    ],
)
def test_most_questions_are_asked_as_they_are(question: str) -> None:
    assert read(question) == []


def test_what_the_caller_restricts_is_kept() -> None:
    for one in read("decisions about backups by bob", author="alice", kinds=("fact",)):
        assert (one.author, one.kinds) == ("alice", ("fact",))


def test_a_given_time_replaces_that_of_the_question() -> None:
    decided = "what did we decide"
    assert read(f"{decided} last week?", since=DAY) == [RecallRequest(decided, since=DAY)]
    assert read(f"{decided} last week?", until=DAY) == [RecallRequest(decided, until=DAY)]


def test_a_long_question_is_not_read_for_restrictions() -> None:
    question = "what did we decide about {} last week?"
    assert read(question.format("prices"))
    assert read(question.format("prices " * 40)) == []


def test_the_sentences_of_a_long_question_are_asked_questions_first() -> None:
    chatter = "I have looked at the ticket and the code. " * 4
    question = f"{chatter}How long are prices cached? Keep it short."
    assert parts_of(question)[0] == "How long are prices cached?"
    assert "Keep it short." not in parts_of(question)
    assert parts_of("How long are prices cached? I forgot the number.") == ()
    assert parts_of("word " * 50) == ()
    assert len(parts_of("".join(f"This is the sentence number {n}. " for n in range(40)))) == 8


def test_several_questions_are_told_from_one() -> None:
    both = ("How long are prices cached?", "Which broker do we use?")
    assert questions_of(f"{both[0]} I forgot. {both[1]} Why?") == both
    assert questions_of(f"{both[0]} I forgot the number. Why?") == ()
    assert questions_of(f"{both[0]} " * 20) == ()
    assert len(questions_of("".join(f"Who wrote the note {n}? " for n in range(40)))) == 8
