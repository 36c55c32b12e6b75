"""Quotas count per calendar month in UTC."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

# Metric -> how many a month; a metric that is missing, or None, is unlimited.
Quotas = Mapping[str, int | None]


def quota_period(now: datetime) -> str:
    return f"{now:%Y-%m}"


def quota_reset(now: datetime) -> datetime:
    """The first moment of the next month."""
    year, month = (now.year + 1, 1) if now.month == 12 else (now.year, now.month + 1)
    return datetime(year, month, 1, tzinfo=UTC)
