"""The visitor that the gate attaches to a request: the owner of a token, or a local caller.

A request that did not pass the gate has no visitor and cannot act. A call can be admitted with a
refusal, which the protocol then reports better than an HTTP status would.
"""

from __future__ import annotations

from collections.abc import MutableMapping
from dataclasses import dataclass
from typing import Any

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken

from commonplace.application import local_actor, person
from commonplace.errors import CommonplaceError, Unauthenticated
from commonplace.model.access import Grant
from commonplace.model.actor import Actor
from commonplace.settings import Settings

_SCOPE_KEY = "commonplace.visitor"


@dataclass(frozen=True, slots=True)
class Visitor:
    """The sender of a request. Without a grant, a local program, or the user in a browser.

    `by_hand`: a browser reads a page with the cookie of a token.
    """

    grant: Grant | None = None
    refusal: CommonplaceError | None = None
    is_person: bool = False
    by_hand: bool = False

    def actor(self, settings: Settings, client: str) -> Actor:
        if self.grant:
            return self.grant.actor(client)
        return person(settings, client) if self.is_person else local_actor(settings, client)


def attach_visitor(scope: MutableMapping[str, Any], visitor: Visitor) -> None:
    """Attach the visitor, also as the SDK's user: only the user who opened a session can use it."""
    scope[_SCOPE_KEY] = visitor
    if visitor.grant:
        names = [scope.value for scope in visitor.grant.scopes]
        bearer = AccessToken(token="", client_id=visitor.grant.counted_as, scopes=names)
        scope["user"] = AuthenticatedUser(bearer)


def visitor_of(scope: MutableMapping[str, Any]) -> Visitor:
    found = scope.get(_SCOPE_KEY)
    if not isinstance(found, Visitor):
        raise Unauthenticated
    return found
