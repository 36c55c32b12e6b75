"""Serialises tokens for the shared cache, which keeps them for a few seconds."""

from __future__ import annotations

import json

from commonplace.model.access import Token
from commonplace.model.actor import Scope
from commonplace.model.times import from_micros, to_micros


def to_bytes(token: Token) -> bytes:
    kept = {
        "id": token.id,
        "org": token.org,
        "agent": token.agent,
        "name": token.name,
        "scopes": sorted(token.scopes),
        "digest": token.digest,
        "created_by": token.created_by,
        "created_at": to_micros(token.created_at),
        "expires_at": to_micros(token.expires_at),
    }
    return json.dumps(kept).encode()


def from_bytes(kept: bytes) -> Token:
    """The cached token. Only valid tokens are cached, so it is not revoked."""
    fields = json.loads(kept)
    return Token(
        id=fields["id"],
        org=fields["org"],
        agent=fields["agent"],
        name=fields["name"],
        scopes=frozenset(map(Scope, fields["scopes"])),
        digest=fields["digest"],
        created_by=fields["created_by"],
        created_at=from_micros(fields["created_at"]),
        expires_at=from_micros(fields["expires_at"]),
    )
