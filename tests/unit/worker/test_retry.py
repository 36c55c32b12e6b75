"""When background work is tried again, and when it is given up."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from commonplace.worker.retry import MOST_ATTEMPTS, next_attempt, pause_seconds

NOW = datetime(2030, 1, 1, tzinfo=UTC)


def test_pauses_double_up_to_five_minutes() -> None:
    assert [pause_seconds(n) for n in range(4)] == [1, 2, 4, 8]
    assert pause_seconds(50) == pause_seconds(10_000) == 300


def test_attempts_end() -> None:
    """One call per failure; the last one gives up."""
    due = [next_attempt(NOW, failed_before) for failed_before in range(MOST_ATTEMPTS)]
    assert due[-1] is None
    assert None not in due[:-1]
    assert due[0] == NOW + timedelta(seconds=2)
    assert next_attempt(NOW, MOST_ATTEMPTS + 5) is None
