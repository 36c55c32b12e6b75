"""Ids of items and reviews: the time of their creation and a random part."""

from __future__ import annotations

import secrets
from datetime import datetime

from commonplace.model.times import to_micros

_BASE36 = "0123456789abcdefghijklmnopqrstuvwxyz"


def new_item_id(now: datetime) -> str:
    return _new_id("ki", now)


def new_review_id(now: datetime) -> str:
    return _new_id("rv", now)


def _new_id(prefix: str, now: datetime) -> str:
    chosen = "".join(secrets.choice(_BASE36) for _ in range(7))
    return f"{prefix}-{to_micros(now) // 1000}-{chosen}"
