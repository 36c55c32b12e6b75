"""What a moment is about: its title, project, file, tags and reason, from its words."""

from __future__ import annotations

import pytest

from commonplace.capture.about import (
    NO_FILE,
    NO_PROJECT,
    alternatives_of,
    file_context_of,
    is_filler,
    project_of,
    reason_of,
    subject_of,
    tags_of,
    title_of,
)
from tests.unit.capture.test_moments import BILLING, CACHE


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (CACHE, "The solution was to clear the cache first..."),
        ("No full stop here", "No full stop here"),
        ("Upgraded to v2.3.1 in app.py. Then it worked.", "Upgraded to v2.3.1 in app.py."),
        ("One sentence\nover two lines. And more.", "One sentence over two lines."),
        ("## Cache\n\n> **Clear** the `cache` first. Then start.", "Clear the cache first."),
        ("Lessons:\n\n- Never trust the clock. Ever.", "Never trust the clock."),
        ("User: the cache was stale. Why?", "the cache was stale."),
        ("To index without downtime: swap the alias.",) * 2,
        (
            "Let me look. That works! The lock was stale since Monday.",
            "The lock was stale since Monday.",
        ),
        ("Gotcha: never trust the clock of a client.", "never trust the clock of a client."),
        ("Fixed it: the variable had a newline.", "the variable had a newline."),
        ("ok then we go with postgres.", "we go with postgres."),
        ("By the way, migrations list their indexes.", "migrations list their indexes."),
        ("```\ncode only\n```", "code only"),
        ("", ""),
    ],
)
def test_the_title_is_the_first_sentence_that_says_something(text: str, title: str) -> None:
    assert title_of(text) == title


@pytest.mark.parametrize(
    "line", ["Let me look.", "That works!", "ok", "Thanks, great!", "Found it."]
)
def test_what_says_nothing_is_a_filler(line: str) -> None:
    assert is_filler(line)


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("ascii: fix a leak\n\nThe item stayed open.", "ascii: fix a leak"),
        ("ascii: fix a leak", None),
        ("ascii: fix a leak\nThe item stayed open.", None),
        ("# Leaks\n\nThe item stayed open.", None),
        ("What to do:\n\nClose the item.", None),
        ("Fixed\n\nThe item stayed open.", None),
        ("x" * 120 + "\n\nThe item stayed open.", None),
    ],
)
def test_a_commit_message_has_a_subject(text: str, subject: str | None) -> None:
    assert subject_of(text) == subject


def test_the_title_is_the_sentence_that_decides() -> None:
    ranked = ("That works!", "We keep the old format because partners read it.")
    assert title_of("It was long. We keep it.", ranked) == ranked[1]


def test_what_is_decided_has_a_reason_and_what_was_not_taken() -> None:
    text = "We decided to use Kafka instead of RabbitMQ for the bus because we need replay."
    assert (reason_of(text), alternatives_of(text)) == ("we need replay", ("RabbitMQ",))
    assert tags_of(text) == ("decision", "kafka", "rabbitmq")
    assert tags_of("From now on every job has a timeout.") == ("convention",)
    assert tags_of("We decided on Redis.\nThere it stays. In\nKafka it is.") == (
        "decision",
        "redis",
        "kafka",
    )
    assert tags_of("Open question: who owns the retention job?") == ("open-question",)
    assert tags_of("The lock was stale, so the worker never started.") == ()
    cure = "Since Friday's migration it scans over 80 million rows; it ends instead of failing."
    assert (reason_of(cure), alternatives_of(cure)) == (None, ("failing",))
    assert tags_of(cure) == ("decision",)
    assert tags_of(cure, chosen=False) == ()
    assert alternatives_of("We chose plain SQL over an ORM because it is short.") == ("an ORM",)


@pytest.mark.parametrize(("length", "shown"), [(200, "x" * 200), (201, "x" * 200 + "…")])
def test_a_long_first_sentence_is_cut(length: int, shown: str) -> None:
    assert title_of("x" * length) == shown


@pytest.mark.parametrize(
    ("text", "project"),
    [
        (BILLING, "billing"),
        ("Fixed it in webapp today", "webapp"),
        ("Fixed it for `payment-service`.", "payment-service"),
        ("Fixed it in production for project atlas", "atlas"),
        ("project: Atlas is done", "Atlas"),
        ("the project called atlas", "atlas"),
        ("Fixed it in the payments service at last", "payments"),
        ("Fixed it for the users in a hurry", NO_PROJECT),
        (
            "in order to test, for now, in general, in 2024, for 3 hours, for lack of time",
            NO_PROJECT,
        ),
        ("Debugging in Python for hours", NO_PROJECT),
        ("It is in src/cache/store.ts and in store.ts", NO_PROJECT),
        ("The project is late", NO_PROJECT),
        ("Call flush() once in no_autoflush or in commit() only", NO_PROJECT),
        ("Nothing at all", NO_PROJECT),
    ],
)
def test_the_project_is_a_word_that_could_name_one(text: str, project: str) -> None:
    assert project_of(text) == project


@pytest.mark.parametrize(
    ("text", "path"),
    [
        (BILLING, "src/cache/store.ts"),
        ("It broke in `lib/session_store.rb:42`.", "lib/session_store.rb"),
        ("File: config.yaml was wrong", "config.yaml"),
        (r"at C:\app\main.cs line 3", r"C:\app\main.cs"),
        ("in Node.js and in server.js", "server.js"),
        ("in v2.3, at 10.30, at example.com, in e.g. tests", NO_FILE),
        ("no file at all", NO_FILE),
        ("I changed `auth/session.py` for it", "auth/session.py"),
    ],
)
def test_the_file_is_a_path_with_a_dot(text: str, path: str) -> None:
    assert file_context_of(text) == path


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("We considered gRPC for the API and rejected it: clients would need a proxy.", "gRPC"),
        ("We looked at Nomad but decided against it because nobody knows it.", "Nomad"),
        ("We evaluated Pulsar, then dropped it since ops has to run two services.", "Pulsar"),
        ("We decided against a second cache because it has to be kept warm.", "a second cache"),
        ("We ruled out polling since the provider bills each call.", "polling"),
    ],
)
def test_what_was_considered_and_rejected_is_an_alternative(text: str, other: str) -> None:
    assert alternatives_of(text) == (other,)
    assert tags_of(text)[0] == "decision"
    assert reason_of(text) is not None


@pytest.mark.parametrize(
    "text",
    [
        "The request was rejected with 401 because the clock is wrong.",
        "The server considered the header invalid, and the upload failed.",
        "We looked at the logs and dropped the index.",
    ],
)
def test_what_a_program_rejects_is_no_alternative(text: str) -> None:
    assert alternatives_of(text) == ()
    assert "decision" not in tags_of(text)


def test_masks_and_units_are_no_tags() -> None:
    text = "It keeps 140 MB in Redis at [secret removed: password in a URL], 20 GB on disk."
    assert tags_of(text) == ("redis",)
