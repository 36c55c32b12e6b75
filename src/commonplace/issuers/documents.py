"""Fetches an issuer's public documents: small JSON, from addresses that the operator configured.

Follows no redirects, uses no proxy from the environment, and takes no address from a token.
"""

from __future__ import annotations

import json
import ssl
from collections.abc import Callable, Iterator, Mapping
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from commonplace.errors import IssuerUnavailable

_SECONDS = 5.0
_LARGEST = 512_000
# Uncompressed, so that the size limit counts what is actually received.
_HEADERS = {"Accept": "application/json", "Accept-Encoding": "identity"}
_WELL_KNOWN = ("oauth-authorization-server", "openid-configuration")


def issuer_keys(issuer: str, address: str | None) -> Callable[[], Mapping[str, Any]]:
    """A function that fetches the keys, from the given address or the one in the issuer's
    metadata."""

    def fetch() -> Mapping[str, Any]:
        return fetched(address or key_set_address(issuer))

    return fetch


def key_set_address(issuer: str) -> str:
    """The address of the keys according to the issuer's metadata, which must name that issuer."""
    for address in metadata_addresses(issuer):
        try:
            document = fetched(address)
        except IssuerUnavailable:
            continue
        found = document.get("jwks_uri")
        if document.get("issuer") == issuer and isinstance(found, str) and is_safe(found):
            return found
    raise IssuerUnavailable("The issuer's metadata cannot be fetched, or names another issuer.")


def metadata_addresses(issuer: str) -> Iterator[str]:
    """RFC 8414 puts the issuer's path after the well-known part, OpenID Connect before it."""
    split = urlsplit(issuer)
    path = split.path.rstrip("/")
    for name in _WELL_KNOWN:
        yield urlunsplit((split.scheme, split.netloc, f"/.well-known/{name}{path}", "", ""))
    if path:
        inside = f"{path}/.well-known/{_WELL_KNOWN[-1]}"
        yield urlunsplit((split.scheme, split.netloc, inside, "", ""))


def fetched(address: str) -> dict[str, Any]:
    import httpx

    try:
        with (
            httpx.Client(
                trust_env=False, timeout=_SECONDS, verify=ssl.create_default_context()
            ) as client,
            client.stream("GET", address, headers=_HEADERS) as response,
        ):
            if response.status_code != httpx.codes.OK:
                raise IssuerUnavailable
            document = json.loads(_body(response.iter_raw()))
    except (httpx.HTTPError, httpx.InvalidURL, ValueError, RecursionError) as error:
        raise IssuerUnavailable from error
    if not isinstance(document, dict):
        raise IssuerUnavailable
    return document


def is_safe(address: str) -> bool:
    """Whether the address uses https (or http on this machine), without user or fragment."""
    try:
        split = urlsplit(address)
        host = split.hostname or ""
    except ValueError:
        return False
    if not host or split.username is not None or split.fragment:
        return False
    return split.scheme == "https" or (split.scheme == "http" and _is_this_machine(host))


def _is_this_machine(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _body(pieces: Iterator[bytes]) -> bytes:
    body = b""
    for piece in pieces:
        body += piece
        if len(body) > _LARGEST:
            raise IssuerUnavailable
    return body
