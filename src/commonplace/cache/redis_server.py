"""The cache in Redis, shared by all processes of an installation.

Values are signed with the installation's key: whoever can write to Redis can make us forget, but
not make us believe.
"""

from __future__ import annotations

import hashlib
import hmac
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from commonplace.errors import CacheUnavailable
from commonplace.model.access import Rate

if TYPE_CHECKING:
    import redis

_ANSWER_SECONDS = 0.5
_SEAL_BYTES = 32
_MICROS = 1_000_000
# The generic cell rate algorithm (GCRA), by the server's clock, so that all processes agree. It
# stores when the bucket will be full again, in microseconds, and returns the microseconds to wait.
_TAKE = """
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local window, cost = tonumber(ARGV[1]), tonumber(ARGV[2])
local after = math.max(now, tonumber(redis.call('GET', KEYS[1]) or 0)) + cost
if after - now > window then
    return after - now - window
end
redis.call('SET', KEYS[1], string.format('%.0f', after), 'PX', math.ceil((after - now) / 1000))
return 0
"""


class RedisCache:
    """Implements port.SharedCache."""

    is_local = False

    def __init__(self, url: str, key: Callable[[], bytes]) -> None:
        import redis
        from redis.backoff import NoBackoff
        from redis.retry import Retry

        self._failures = (redis.RedisError, OSError)
        self._key = key
        self._client: redis.Redis = redis.Redis.from_url(
            url,
            socket_timeout=_ANSWER_SECONDS,
            socket_connect_timeout=_ANSWER_SECONDS,
            # One retry, for a connection that a restart broke; more would only add delay.
            retry=Retry(NoBackoff(), 1),
        )
        self._take: Any = self._client.register_script(_TAKE)

    def get(self, key: str) -> bytes | None:
        with self._gate():
            sealed: Any = self._client.get(key)
        return None if sealed is None else self._opened(key, bytes(sealed))

    def put(self, key: str, value: bytes, seconds: float) -> None:
        with self._gate():
            self._client.set(key, self._seal(key, value) + value, px=max(1, round(seconds * 1000)))

    def drop(self, key: str) -> None:
        with self._gate():
            self._client.delete(key)

    def take(self, key: str, rate: Rate, amount: int) -> float:
        if amount > rate.size:
            return math.inf
        window = round(rate.seconds * _MICROS)
        cost = window * amount // rate.size
        with self._gate():
            wait = self._take(keys=[key], args=[window, cost])
        return float(wait) / _MICROS

    def close(self) -> None:
        self._client.close()

    def _seal(self, key: str, value: bytes) -> bytes:
        """The signature covers the key too, so that a value cannot be moved to another key."""
        name = key.encode()
        message = len(name).to_bytes(4, "big") + name + value
        return hmac.digest(self._key(), message, hashlib.sha256)

    def _opened(self, key: str, sealed: bytes) -> bytes | None:
        seal, value = sealed[:_SEAL_BYTES], sealed[_SEAL_BYTES:]
        return value if hmac.compare_digest(seal, self._seal(key, value)) else None

    @contextmanager
    def _gate(self) -> Iterator[None]:
        """Translate the driver's errors, without their text."""
        try:
            yield
        except self._failures as error:
            raise CacheUnavailable from error
