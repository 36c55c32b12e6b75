"""Ids of JSON-RPC requests, as far as an answer can bear them."""

from __future__ import annotations

import math

from commonplace.text.gate import unstorable


def is_id(id: object) -> bool:
    """Whether an id can be sent back: Python also parses numbers and strings that JSON forbids."""
    if isinstance(id, str):
        return unstorable(id) is None
    if isinstance(id, float):
        return math.isfinite(id)
    return id is None or (isinstance(id, int) and not isinstance(id, bool))


def shown_id(id: object) -> object:
    """The id as an answer shows it; None if it cannot."""
    return id if is_id(id) else None
