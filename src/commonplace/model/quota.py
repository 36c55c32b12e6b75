"""Monthly quotas of an org; a month is a calendar month in UTC."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from commonplace.model.access import Allowance

KNOWLEDGE_STORED = "knowledge_stored"
BYTES_STORED = "bytes_stored"
METRICS = (KNOWLEDGE_STORED, BYTES_STORED)

# Metric -> limit per month; a missing metric, or None, is unlimited.
Quotas = Mapping[str, int | None]


def quota_period(now: datetime) -> str:
    return f"{now:%Y-%m}"


def quota_reset(now: datetime) -> datetime:
    """The first moment of the next month."""
    year, month = (now.year + 1, 1) if now.month == 12 else (now.year, now.month + 1)
    return datetime(year, month, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Quota:
    """The use and the limit of one metric; `source` says where the limit comes from."""

    metric: str
    used: int
    monthly: int | None
    source: Literal["override", "plan", "default"]
    resets_at: datetime


def quota_of(
    metric: str, used: int, allowance: Allowance, defaults: Quotas, resets_at: datetime
) -> Quota:
    """The limit that applies: the org's exception, else its plan, else the default."""
    if metric in allowance.overrides:
        return Quota(metric, used, allowance.overrides[metric], "override", resets_at)
    if metric in allowance.by_plan:
        return Quota(metric, used, allowance.by_plan[metric], "plan", resets_at)
    return Quota(metric, used, defaults.get(metric), "default", resets_at)
