"""Builds what authentication needs: the server key, the shared cache, the token issuer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from commonplace.cache.port import SharedCache
from commonplace.issuers.port import Issuer
from commonplace.settings import Settings, names_of
from commonplace.storage.port import Store

if TYPE_CHECKING:
    from commonplace.access.service import Policy


def server_key(settings: Settings, store: Store) -> bytes:
    if settings.token_key:
        return settings.token_key.get_secret_value().encode()
    return store.credentials.server_key()


def build_shared_cache(settings: Settings, key: Callable[[], bytes]) -> SharedCache:
    from commonplace.cache.in_process import InProcessCache

    shared = build_redis(settings, key)
    if shared is None:
        return InProcessCache()
    from commonplace.cache.fallback import FallbackCache

    return FallbackCache(shared, InProcessCache())


def build_redis(settings: Settings, key: Callable[[], bytes]) -> SharedCache | None:
    if not settings.redis_url:
        return None
    from commonplace.cache.redis_server import RedisCache

    return RedisCache(settings.redis_url.get_secret_value(), key)


def build_access_policy(settings: Settings) -> Policy:
    from commonplace.access.claims import ClaimNames
    from commonplace.access.rules import CallRates
    from commonplace.access.service import Policy

    return Policy(
        rates=CallRates(settings.rate_limit, settings.rate_limit_read),
        claims=ClaimNames(settings.oauth_org_claim, settings.oauth_agent_claim, settings.oauth_org),
        issuer=build_issuer(settings),
    )


def build_issuer(settings: Settings) -> Issuer | None:
    """The verifier of signed tokens; it fetches the issuer's keys with the first token."""
    if not settings.oauth_issuer:
        return None
    from commonplace.issuers.key_set import KeySet
    from commonplace.issuers.signed import SignedTokens

    keys = KeySet(build_key_fetch(settings.oauth_issuer, settings.oauth_jwks_url))
    audiences = names_of(settings.oauth_audience) or [settings.resource]
    return SignedTokens(settings.oauth_issuer, audiences, keys)


def build_key_fetch(issuer: str, address: str | None) -> Callable[[], Mapping[str, Any]]:
    from commonplace.issuers.documents import issuer_keys

    return issuer_keys(issuer, address)
