"""The pictures of the docs: made here, of a book with something in it (`--update-pictures`)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from commonplace.bootstrap import build_store
from commonplace.memory.additions import Addition
from commonplace.model.activity import CallCount, Outcome, QuestionDraft
from tests.console.library import ONE_LIBRARY, PERSON, Library, Reader

Read = Callable[..., Reader]
_DOCS = Path(__file__).parents[2] / "docs" / "pictures"
_LARGEST = 300_000
_NOTES = (
    (
        "Deploys freeze on Fridays after 15:00",
        "We do not deploy on Fridays after 15:00. Exceptions need the on-call lead.",
        ("deploy", "policy"),
        "claude-code",
    ),
    (
        "Retry payments three times",
        "Retry a payment three times, one second apart.",
        ("payments",),
        "cursor",
    ),
    (
        "Retries send an idempotency key",
        """\
Retry a payment at most five times, with jitter and the same idempotency key. \
The provider keeps keys for 24 hours; never retry on a 4xx.""",
        ("payments", "retries"),
        "claude-code",
    ),
    (
        "Cache keys begin with the tenant",
        "Every cache key begins with the tenant, or one tenant reads another's prices.",
        ("caching", "tenancy"),
        "codex",
    ),
)


_CODE = """\
def retry_payment(payment, provider, most=5):
    \"""Retry a payment with the same idempotency key.\"""
    for attempt in range(most):
        if provider.charge(payment, payment.idempotency_key):
            return attempt
        sleep(jitter(attempt))
    raise PaymentFailed(payment.id)
"""
_RUNBOOK = """\
# Payments runbook

## When the provider is down

Payments are retried five times within ten minutes and then wait in the queue. \
Nobody retries a payment by hand: page the on-call lead.
"""
_ASKED = (
    ("how often do we retry a payment", "claude-code", Outcome.ANSWERED, (1, 9, 20, 44, 90)),
    ("who approves a deploy on a friday evening", "codex", Outcome.ANSWERED, (3, 26, 70, 120)),
    ("how are refunds of gift cards booked", "cursor", Outcome.NOTHING, (2, 15, 31, 97)),
    ("which tests may run in parallel", "claude-code", Outcome.NOTHING, (5, 52)),
    ("what do cache keys begin with", "codex", Outcome.ANSWERED, (7, 29, 33, 140)),
)


def lived_through(library: Library, given: str) -> None:
    """A week of calls, which only the store takes with the times of the past."""
    now = datetime.now(UTC)
    store = build_store(library.application.settings, lambda: now)
    try:
        with store.write(PERSON) as tx:
            for question, agent, outcome, hours in _ASKED:
                for back in hours:
                    at, answers = now - timedelta(hours=back), outcome is Outcome.ANSWERED
                    named = (f"note:{given}",) if answers else ()
                    tx.questions.add(
                        [QuestionDraft(agent, agent, at, "recall", question, outcome, named)]
                    )
            tx.call_counts.add(_calls(now))
    finally:
        store.close()


def _calls(now: datetime) -> list[CallCount]:
    hour = now.replace(minute=0, second=0, microsecond=0)
    counts = []
    for back in range(168):
        busy = 1 + (back * 7) % 5 + (4 if 8 <= (hour - timedelta(hours=back)).hour <= 18 else 0)
        at = hour - timedelta(hours=back)
        counts.append(CallCount(at, "recall", "ok", 8 + back % 3, busy))
        counts.append(CallCount(at, "open", "ok", 4 + back % 2, 1 + busy // 2))
        if not back % 17:
            counts.append(CallCount(at, "remember", "internal.error", 13, 1))
    return counts


@pytest.fixture
def book(library: Library, tmp_path: Path) -> str:
    shop = tmp_path / "shop"
    (shop / "docs").mkdir(parents=True)
    (shop / "payments.py").write_text(_CODE)
    (shop / "docs" / "payments.md").write_text(_RUNBOOK)
    library.application.memory.adding.add(PERSON, Addition(into="shop", folder=str(shop)))
    notes = [library.note(title, body, *tags, agent=who) for title, body, tags, who in _NOTES]
    old, new = notes[1], notes[2]
    library.application.knowledge.supersede(PERSON, old.kind, old.id, new.id)
    library.application.usage.count(PERSON, [new])
    library.settle()
    lived_through(library, new.id)
    return new.id


@ONE_LIBRARY
def test_pictures(
    library: Library, read: Read, book: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    light, dark = read(), read("dark")
    light.page.set_viewport_size({"width": 1180, "height": 760})
    light.goto("/?q=how+often+do+we+retry+a+payment")
    light.sees("Retries send an idempotency key")
    dark.page.set_viewport_size({"width": 1180, "height": 760})
    dark.goto(f"/knowledge/{book}")
    week = read()
    week.page.set_viewport_size({"width": 1180, "height": 760})
    week.goto("/activity?period=week")
    made = {"console-search.png": light, "console-entry.png": dark, "console-activity.png": week}
    for name, reader in made.items():
        reader.page.screenshot(path=tmp_path / name)
        assert (tmp_path / name).stat().st_size < _LARGEST
        if request.config.getoption("--update-pictures"):
            _DOCS.mkdir(exist_ok=True)
            (_DOCS / name).write_bytes((tmp_path / name).read_bytes())
