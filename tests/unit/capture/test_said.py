"""Moments of everyday texts: chats as programs export them, comments, notes with a lead-in."""

from __future__ import annotations

import pytest

from commonplace.analysis.confidence import DEFAULT_WEIGHTS
from commonplace.analysis.likelihood import TextForm
from commonplace.analysis.sentences import sentences
from commonplace.capture.about import project_of, reason_of, tags_of, title_of, type_told
from commonplace.capture.blocks import has_turns
from commonplace.capture.finding import CaptureRequest, FoundInText, decide, draft
from commonplace.embedding.bundled import BundledEmbedder

SLACK = """ana  10:12 AM
anyone know why the nightly export is empty?

tom  10:15 AM
checking

tom  10:22 AM
the export job reads from the replica, and the replica lags by up to an hour after the big import. \
So at 1:30 it sees yesterday's rows only. I moved the job to 4am, and it is complete since.

ana  10:23 AM
:tada: thanks!"""
TEAMS = """Ana Berg  10:12
is the export empty again?
Tom Lee  10:22
The export job reads from the replica, and the replica lags by up to an hour after the big import. \
So at 1:30 it sees yesterday's rows only. I moved the job to 4am, and it is complete since.
Ana Berg  10:23
oh, ok
Tom Lee  10:24
yes"""
MESSENGER = """[13.05.24, 10:12:33] Ana Berg: is the export empty again?
[13.05.24, 10:15:01] Tom: yes
[13.05.24, 10:22:45] Tom: The export job reads from the replica, and the replica lags by up to an \
hour after the big import. So at 1:30 it sees yesterday's rows only. I moved the job to 4am, and \
it is complete since.
[13.05.24, 10:23:02] Ana Berg: super"""
IRC = """[10:12] anna: is the export empty again?
[10:15] tom: yes
[10:22] tom: The export job reads from the replica, and the replica lags by up to an hour \
after the big import. So at 1:30 it sees yesterday's rows only. I moved the job to 4am, and it is \
complete since.
[10:23] anna: super"""
LOGGED = """10:12 <anna> is the export empty again?
10:15 <@tom> yes
10:22 <@tom> The export job reads from the replica, and the replica lags by up to an hour \
after the big import. So at 1:30 it sees yesterday's rows only. I moved the job to 4am, and it is \
complete since.
10:23 <anna> super"""
TWO = """Decision: we keep sessions in Postgres rather than Redis, since the ops team does not \
want to run a second data store.

The lunch menu is online.

Gotcha: the sandbox of the payment provider returns amounts in cents, production in euros. Our \
refund test passed with the wrong unit for weeks.

I'll be out tomorrow afternoon."""


@pytest.fixture(scope="module")
def model() -> BundledEmbedder:
    return BundledEmbedder()


def found_in(model: BundledEmbedder, text: str, form: TextForm = TextForm.TALK) -> FoundInText:
    """What is put up for review at the defaults."""
    drafted = draft(text, DEFAULT_WEIGHTS)
    vectors = [windows[0].tolist() for windows in model.embed_passages(drafted.spoken())]
    request = CaptureRequest(text, None, auto_save=False, preset=None, max_captures=5, form=form)
    return decide(drafted, vectors, request.sought(DEFAULT_WEIGHTS, None))


@pytest.mark.parametrize("chat", [SLACK, TEAMS, MESSENGER, IRC, LOGGED])
def test_a_chat_is_cut_at_its_turns(model: BundledEmbedder, chat: str) -> None:
    (shown,) = found_in(model, chat).candidates
    assert shown.moment.text.lower().startswith("the export job reads")
    assert shown.moment.text.endswith("complete since.")
    assert shown.moment.summary.lower().startswith("the export job reads from the replica")


@pytest.mark.parametrize(
    "text",
    [
        "Standup 09:30\nReview 14:00\nDemo 16:00\nRetro 17:00",
        "2024-05-13 14:02:11 worker: started\n" * 5,
        "14:02:11 worker: started\n14:02:12 queue: empty\n" * 3,
        "12.05.24 worker: a\n13.05.24 queue: b\n14.05.24 worker: c\n15.05.24 queue: d",
    ],
)
def test_an_agenda_or_a_log_is_no_chat(text: str) -> None:
    assert not has_turns(text)


def test_announced_moments_are_cut_without_the_chatter_between(model: BundledEmbedder) -> None:
    first, second = (one.moment for one in found_in(model, TWO).candidates)
    assert first.text.endswith("a second data store.")
    assert second.text.endswith("for weeks.")
    assert (first.type, first.project, first.reason) == (
        "pattern",
        "default",
        "the ops team does not want to run a second data store",
    )
    assert second.type == "gotcha"


def test_a_moment_is_cut_out_of_the_summary_of_an_agent(model: BundledEmbedder) -> None:
    text = (
        "## Summary\n\nI fixed the failing pipeline.\n\n**Root cause:** `npm ci` ran before the "
        "lockfile was copied, so it always installed the newest versions, and one of them broke "
        "the build.\n\n**Verification:** the build is green on main and on three branches.\n\n"
        "Let me know if you want me to open a PR."
    )
    (shown,) = found_in(model, text).candidates
    assert "**Root cause:**" in shown.moment.text
    assert "Let me know" not in shown.moment.text
    assert shown.moment.summary.startswith("npm ci ran before the lockfile was copied")
    assert shown.moment.tags == ()


def test_what_a_package_manager_prints_is_no_moment(model: BundledEmbedder) -> None:
    text = (
        "npm WARN deprecated request@2.88.2: request has been deprecated\n"
        "npm ERR! code ERESOLVE\nnpm ERR! ERESOLVE unable to resolve dependency tree"
    )
    assert found_in(model, text).candidates == ()


def test_a_comment_is_a_moment_without_its_marks(model: BundledEmbedder) -> None:
    text = (
        "// Do not use Promise.all here: the API answers 429 above 5 parallel requests, and one\n"
        "// failure rejects the whole batch although the others were already charged.\n"
        "for (const order of orders) {\n  await charge(order);\n}\n"
    )
    (shown,) = found_in(model, text, TextForm.DOCUMENT).candidates
    assert shown.moment.summary.startswith("Do not use Promise.all here")
    assert "//" not in shown.moment.summary


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Caveat: the cache is per process, so two workers disagree for a minute.", "gotcha"),
        ("Decision: no caching of prices, as they differ per customer.", "pattern"),
        (
            "We don't know whether the vendor keeps our logs; the audit depends on it.",
            "troubleshooting",
        ),
    ],
)
def test_a_lead_in_or_a_question_tells_the_type(
    model: BundledEmbedder, text: str, told: str
) -> None:
    assert found_in(model, text).best.type == told


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (
            "OK so basically what I found out is that --no-cache ignores the target.",
            "--no-cache ignores the target.",
        ),
        (
            "Remember that the demo data goes every Sunday.",
            "the demo data goes every Sunday.",
        ),
        ("But remember: we never deploy on Fridays.", "we never deploy on Fridays."),
        ("Good news: the nightly job takes 12 minutes.", "the nightly job takes 12 minutes."),
        ("Remember to close the file first.", "Remember to close the file first."),
        ("btw for the record, we use uv only.", "we use uv only."),
        ("Basically done with it.", "done with it."),
        ("Solution -pin the version of libfoo.", "pin the version of libfoo."),
        ("Well-known ports are below 1024.", "Well-known ports are below 1024."),
        ("Fixed-width fonts are used here.", "Fixed-width fonts are used here."),
        ("summary.md is out of date again.", "summary.md is out of date again."),
    ],
)
def test_a_title_has_no_lead_in(text: str, title: str) -> None:
    assert title_of(text) == title


def test_a_longer_word_tells_no_type() -> None:
    texts = ("Fixed: the probe.", "Fixed-width fonts.", "Decision-making is slow.", "Gotcha - x.")
    assert [type_told(text) for text in texts] == ["solution", None, None, "gotcha"]


def test_a_stop_between_blanks_ends_no_sentence() -> None:
    text = "The layer is rebuilt because COPY . . stands before npm ci. I moved it."
    assert sentences(text) == [text[:-12], "I moved it."]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Decision: we use Kafka, because we need replay.", "we need replay"),
        ("Decision: we use Kafka from now on.", None),
        ("We chose the smaller queue: the large one needs a team.", "the large one needs a team"),
    ],
)
def test_a_lead_in_is_no_reason(text: str, reason: str | None) -> None:
    assert reason_of(text) == reason


@pytest.mark.parametrize(
    "text",
    ["Keep it in Postgres.", "Tests pass in TZ=America/New_York.", "It is only seen in events."],
)
def test_a_service_or_a_variable_is_no_project(text: str) -> None:
    assert project_of(text) == "default"


def test_what_was_always_done_is_no_convention() -> None:
    assert "convention" not in tags_of("That is why we always shipped the debug image.")
    assert "convention" in tags_of("Here we always ship the small image.")


GATEWAY = (
    "The gateway answered 502 after every deploy because the keep-alive of the upstream (60 s) is "
    "shorter than ours (75 s): we reuse a connection that it has just closed. I set "
    "`keepalive_timeout` to 50 s in gateway/pool.py and the 502s are gone."
)
GATEWAY_AGAIN = (
    "So, as a summary of the 502 issue: upstream closes idle connections after 60 s while we kept "
    "them 75 s, hence requests on dead connections; keepalive_timeout=50 in gateway/pool.py fixed "
    "it."
)


def test_what_is_told_again_with_the_same_numbers_is_one_moment(model: BundledEmbedder) -> None:
    said = [GATEWAY, "Let me look at the retry helper.", GATEWAY_AGAIN]
    again = [GATEWAY, GATEWAY_AGAIN.replace("75 s", "90 s")]
    assert [one.repeats for one in found_in(model, talk(said)).candidates] == [False, True]
    assert [one.repeats for one in found_in(model, talk(again)).candidates] == [False, False]


def test_a_summary_is_titled_by_what_it_says(model: BundledEmbedder) -> None:
    (shown,) = found_in(model, GATEWAY_AGAIN).candidates
    assert shown.moment.summary.startswith("upstream closes idle connections")


@pytest.mark.parametrize(
    ("text", "commit", "form"),
    [
        ("User: why?\n\nAssistant: because.", False, TextForm.TALK),
        ("User: why?\n\nAssistant: because.", True, TextForm.COMMIT),
        ("Close the pool", True, TextForm.COMMIT),
        ("Close the pool", False, TextForm.DOCUMENT),
    ],
)
def test_a_text_is_scored_as_what_it_was_read_as(text: str, commit: bool, form: TextForm) -> None:
    assert CaptureRequest.proposing(text, 1, commit=commit).form is form


def talk(said: list[str]) -> str:
    return "\n\n".join(f"Assistant: {one}" for one in said)
