"""Row numbers encoded so that they reveal nothing about other orgs.

All orgs share the numbering of a table, so the gap between two of one's own rows would tell how
much others wrote. Numbers are therefore shown permuted with a key of the server.
"""

from __future__ import annotations

import hashlib
import hmac

from commonplace.errors import InvalidArgument

_HALF = 4
_ROUNDS = 4
_TAG = 4
_UNKNOWN = "after must be a cursor from an earlier page."


class Cursors:
    """The cursors of one org; cursors of other orgs and invented ones are refused."""

    def __init__(self, key: bytes, org: str) -> None:
        self._key = hmac.digest(key, b"audit\0" + org.encode(), hashlib.sha256)

    def sealed(self, number: int) -> str:
        left, right = number.to_bytes(2 * _HALF)[:_HALF], number.to_bytes(2 * _HALF)[_HALF:]
        for turn in range(_ROUNDS):
            left, right = right, _mixed(left, self._round(turn, right))
        hidden = left + right
        return (hidden + self._tag(hidden)).hex()

    def opened(self, cursor: str) -> int:
        """The number behind a cursor; the start if the cursor is empty."""
        if not cursor:
            return 0
        try:
            given = bytes.fromhex(cursor)
        except ValueError:
            raise InvalidArgument(_UNKNOWN, field="after") from None
        hidden, tag = given[: 2 * _HALF], given[2 * _HALF :]
        if not hmac.compare_digest(tag, self._tag(hidden)):
            raise InvalidArgument(_UNKNOWN, field="after")
        left, right = hidden[:_HALF], hidden[_HALF:]
        for turn in reversed(range(_ROUNDS)):
            left, right = _mixed(right, self._round(turn, left)), left
        return int.from_bytes(left + right)

    def _round(self, turn: int, half: bytes) -> bytes:
        return hmac.digest(self._key, bytes([turn]) + half, hashlib.sha256)[:_HALF]

    def _tag(self, hidden: bytes) -> bytes:
        return hmac.digest(self._key, b"tag" + hidden, hashlib.sha256)[:_TAG]


def _mixed(one: bytes, other: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(one, other, strict=True))
