"""Connects the console to the gate: a request's actor, form keys, rates and session checks."""

from __future__ import annotations

import hashlib
import hmac

from starlette.requests import Request

from commonplace.application import LazyApplication
from commonplace.console.visits import ConsoleContext
from commonplace.errors import Unauthenticated
from commonplace.model.actor import Actor
from commonplace.server.bodies import limited
from commonplace.server.gate.credentials import bearer_of, cookie_of
from commonplace.server.gate.policy import AccessPolicy
from commonplace.server.gate.visitors import visitor_of
from commonplace.server.lifecycle.stopping import Stopping
from commonplace.settings import Settings
from commonplace.surfaces.turns import Turns

CLIENT = "console"
_PURPOSE = b"commonplace form"


def console_context(
    application: LazyApplication,
    settings: Settings,
    policy: AccessPolicy,
    turns: Turns,
    stopping: Stopping,
) -> ConsoleContext:
    def actor_of(request: Request) -> Actor:
        return visitor_of(request.scope).actor(settings, CLIENT)

    def form_key(request: Request) -> str | None:
        """The anti-forgery key of forms: derived from the cookie, which no script can read."""
        cookie = cookie_of(request.scope, policy.cookie)
        if bearer_of(request.scope) is not None or cookie is None:
            return None
        return hmac.new(cookie.encode(), _PURPOSE, hashlib.sha256).hexdigest()

    def charge(request: Request, calls: int) -> None:
        visitor = visitor_of(request.scope)
        if visitor.grant is not None:
            application.get().access.admit(visitor.grant, calls, by_hand=visitor.by_hand)

    def recheck(request: Request) -> None:
        """Authenticate a stream's request again: its token or session may have ended meanwhile."""
        scope = request.scope
        cookie = cookie_of(scope, policy.cookie) or ""
        if visitor_of(scope).grant is not None:
            application.get().access.authenticate(bearer_of(scope) or cookie)
        elif policy.links is None or not policy.links.is_open(cookie):
            raise Unauthenticated

    def is_stopping() -> bool:
        return stopping.begun

    return ConsoleContext(
        application, turns, actor_of, form_key, limited, is_stopping, charge, recheck
    )
