"""The credentials of a request: a bearer token, or the cookie of a browser session.

A token is accepted only in a single Authorization header; anything ambiguous is refused.
"""

from __future__ import annotations

import re
from urllib.parse import parse_qsl

from starlette.datastructures import Headers
from starlette.types import Scope

from commonplace.errors import MalformedCredentials

LONGEST_TOKEN = 16_000
_BEARER = re.compile(r"bearer +([A-Za-z0-9._~+/-]+=*)", re.IGNORECASE | re.ASCII)
_IN_A_QUERY = frozenset({"access_token", "token", "bearer"})
_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
# Headers of proxies. A request that has one does not come from this machine's own user.
_FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via")


def bearer_of(scope: Scope) -> str | None:
    """The bearer token of a request, if it has one; MalformedCredentials if it is ambiguous."""
    query = scope.get("query_string", b"").decode("latin-1")
    if any(name.lower() in _IN_A_QUERY for name, _ in parse_qsl(query, keep_blank_values=True)):
        raise MalformedCredentials("A token does not belong in an address, where it is logged.")
    headers = Headers(scope=scope).getlist("authorization")
    if not headers:
        return None
    match = _BEARER.fullmatch(headers[0])
    if len(headers) > 1 or not match or len(match[1]) > LONGEST_TOKEN:
        raise MalformedCredentials
    return match[1]


def cookie_of(scope: Scope, name: str) -> str | None:
    """The cookie with a name; None also if there are several, which would be ambiguous."""
    found: list[str] = []
    for header in Headers(scope=scope).getlist("cookie"):
        for part in header.split(";"):
            given, _, value = part.strip().partition("=")
            if given == name:
                found.append(value)
    return found[0] if len(found) == 1 else None


def is_forwarded(scope: Scope) -> bool:
    headers = Headers(scope=scope)
    return any(name in headers for name in _FORWARDED)


def is_same_origin(scope: Scope, secure: bool) -> bool:
    """Whether a request with a cookie was made by a page of this server.

    Cookies ignore ports, so pages of other servers on this machine send them too.
    """
    headers = Headers(scope=scope)
    origins = headers.getlist("origin")
    if origins:
        scheme = "https" if secure else scope.get("scheme", "http")
        return origins == [f"{scheme}://{headers.get('host', '')}"]
    if scope["method"] in _SAFE_METHODS:
        return headers.get("sec-fetch-site", "none") in ("none", "same-origin")
    return headers.get("sec-fetch-site") == "same-origin"
