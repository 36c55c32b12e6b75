"""Maps the claims of an issuer's token to a grant."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from commonplace.access.rules import is_name, is_org
from commonplace.errors import InvalidToken
from commonplace.model.access import Grant
from commonplace.model.actor import Scope

# RFC 8693 and RFC 9068 use `scope`, some issuers `scp`.
_SCOPE_CLAIMS = ("scope", "scp")
_CLIENT_CLAIMS = ("client_id", "azp")
_KNOWN = {scope.value: scope for scope in Scope}


@dataclass(frozen=True, slots=True)
class ClaimNames:
    """The claims that name org and agent; `fixed_org` is the org of tokens that name none."""

    org: str = "org"
    agent: str = "sub"
    fixed_org: str | None = None


def grant_of(claims: Mapping[str, Any], names: ClaimNames) -> Grant:
    org = claims.get(names.org, names.fixed_org)
    agent = claims.get(names.agent)
    if not isinstance(org, str) or not is_org(org):
        raise InvalidToken("The token names no org that this server can serve.")
    if not isinstance(agent, str) or not is_name(agent):
        raise InvalidToken("The token names no agent.")
    counted_as = _counted_as(claims, org, agent)
    return Grant(org, agent, _scopes(claims), counted_as, from_issuer=True)


def _scopes(claims: Mapping[str, Any]) -> frozenset[Scope]:
    """The scopes that we know; a token may also have scopes of other services."""
    named: set[str] = set()
    for claim in _SCOPE_CLAIMS:
        given = claims.get(claim)
        if isinstance(given, str):
            named.update(given.split())
        elif isinstance(given, list):
            named.update(name for name in given if isinstance(name, str))
    return frozenset(_KNOWN[name] for name in named & _KNOWN.keys())


def _counted_as(claims: Mapping[str, Any], org: str, agent: str) -> str:
    """The name to count calls under. Issuers renew tokens every few minutes, so calls are counted
    by the client that the tokens were issued to."""
    client = next((claims[c] for c in _CLIENT_CLAIMS if isinstance(claims.get(c), str)), "")
    return "\x1f".join((str(claims.get("iss", "")), org, agent, client))
