"""Who sent a request, once the gate has decided it: whoever a token speaks for, or the local actor.

A request that did not pass the gate has no visitor, and then nobody acts. A visitor whose call is
refused is let in with the refusal, where the protocol has a better way of saying no than HTTP has.
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

_PLACE = "commonplace.visitor"


@dataclass(frozen=True, slots=True)
class Visitor:
    """Without a grant it is of this machine: a program, or the person in a browser.

    `by_hand`: looks at a page with a token that was typed once, and whose cookie comes along.
    """

    grant: Grant | None = None
    refusal: CommonplaceError | None = None
    is_person: bool = False
    by_hand: bool = False

    def actor(self, settings: Settings, client: str) -> Actor:
        if self.grant:
            return self.grant.actor(client)
        return person(settings, client) if self.is_person else local_actor(settings, client)


def let_in(scope: MutableMapping[str, Any], visitor: Visitor) -> None:
    """The SDK binds a session to the user that opened it; nobody else can go on with it."""
    scope[_PLACE] = visitor
    if visitor.grant:
        names = [scope.value for scope in visitor.grant.scopes]
        bearer = AccessToken(token="", client_id=visitor.grant.counted_as, scopes=names)
        scope["user"] = AuthenticatedUser(bearer)


def visitor_of(scope: MutableMapping[str, Any]) -> Visitor:
    found = scope.get(_PLACE)
    if not isinstance(found, Visitor):
        raise Unauthenticated
    return found
