"""The issuer's public keys: fetched on demand, cached, and refreshed at a limited rate.

A token with an unknown key triggers a refresh, but not more often than the floor allows.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from commonplace.errors import InvalidToken, IssuerUnavailable

if TYPE_CHECKING:
    from jwt import PyJWK

_LOG = logging.getLogger("commonplace.issuers")
ALGORITHMS = frozenset({"RS256", "ES256", "EdDSA"})
FRESH_SECONDS = 600.0
FLOOR_SECONDS = 30.0
_LEAST_RSA_BITS = 2048
_MOST_KEYS = 100
_COLD_SECONDS = 2.0

Fetch = Callable[[], Mapping[str, Any]]


class KeySet:
    """A thread-safe key set. One thread fetches while the others use the keys that are known."""

    def __init__(
        self,
        fetch: Fetch,
        clock: Callable[[], float] = time.monotonic,
        floor_seconds: float = FLOOR_SECONDS,
    ) -> None:
        self._fetch = fetch
        self._clock = clock
        self._floor = floor_seconds
        self._fetching = threading.Lock()
        self._keys: tuple[PyJWK, ...] = ()
        self._asked_at = float("-inf")
        self._fetched_at = float("-inf")

    def key(self, id: str | None) -> PyJWK:
        """The key with that id; without an id, the only key there is."""
        if self._clock() - self._fetched_at > FRESH_SECONDS or self._found(id) is None:
            self._refresh()
        key = self._found(id)
        if key is not None:
            return key
        if not self._keys:
            raise IssuerUnavailable
        raise InvalidToken("The token is signed with a key that its issuer does not have.")

    def _found(self, id: str | None) -> PyJWK | None:
        keys = self._keys
        if id is None:
            return keys[0] if len(keys) == 1 else None
        return next((key for key in keys if key.key_id == id), None)

    def _refresh(self) -> None:
        """Fetch the keys unless another thread does; waits for that one only if no keys are known,
        briefly."""
        if not self._fetching.acquire(timeout=0 if self._keys else _COLD_SECONDS):
            return
        try:
            if self._clock() - self._asked_at < self._floor:
                return
            self._asked_at = self._clock()
            self._keys = usable(self._fetch().get("keys"))
            self._fetched_at = self._clock()
        except IssuerUnavailable:
            _LOG.warning("the issuer's keys cannot be fetched", extra={"known": len(self._keys)})
        finally:
            self._fetching.release()


def usable(given: object) -> tuple[PyJWK, ...]:
    """Public keys for the accepted signature algorithms; never a shared secret."""
    if not isinstance(given, list):
        raise IssuerUnavailable
    keys = (_key(one) for one in given[:_MOST_KEYS] if isinstance(one, dict))
    return tuple(key for key in keys if key is not None)


def _key(given: Mapping[str, Any]) -> PyJWK | None:
    from jwt import PyJWK, PyJWTError

    if given.get("use", "sig") != "sig" or given.get("kty") not in ("RSA", "EC", "OKP"):
        return None
    try:
        key = PyJWK({name: value for name, value in given.items() if name != "d"})
    except PyJWTError:
        return None
    if key.algorithm_name not in ALGORITHMS or _is_weak(key):
        return None
    return key


def _is_weak(key: PyJWK) -> bool:
    return key.key_type == "RSA" and key.key.key_size < _LEAST_RSA_BITS
