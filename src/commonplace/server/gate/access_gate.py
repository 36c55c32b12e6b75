"""The gate before every address: authenticates the caller, checks scopes and rate limits.

Every address not listed here as open is closed, so that a new address cannot be forgotten.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

from anyio import CapacityLimiter, to_thread
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Match
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from commonplace.application import LazyApplication
from commonplace.console.assets import STATIC
from commonplace.console.html import refusal
from commonplace.errors import (
    CommonplaceError,
    InsufficientScope,
    InvalidToken,
    MalformedCredentials,
    RateLimited,
    StorageBusy,
    StorageUnavailable,
    Unauthenticated,
)
from commonplace.model.access import Grant
from commonplace.server.bodies import whole_body
from commonplace.server.gate.credentials import bearer_of, cookie_of, is_forwarded, is_same_origin
from commonplace.server.gate.endpoints import (
    LARGEST_MESSAGE,
    METRICS_PATH,
    UNPARSED_CALL,
    EndpointRules,
    PlainRules,
    RequestedCall,
)
from commonplace.server.gate.login import LOGIN_PATH, login_page
from commonplace.server.gate.misses import not_found
from commonplace.server.gate.policy import METADATA_PATH, AccessPolicy
from commonplace.server.gate.refusals import note_refusal
from commonplace.server.gate.visitors import Visitor, attach_visitor
from commonplace.server.lifecycle.connections import kept_with_connection
from commonplace.surfaces.http_status import http_status

_OPEN = frozenset({"/healthz", "/readyz", LOGIN_PATH})
_LOCALLY_OPEN = frozenset({"/mcp", "/rpc"})
_PLAIN = PlainRules()
_NOBODY = Grant(org="", agent="", scopes=frozenset(), counted_as="")
_OWN_ACCOUNT = "own account"
_SESSION = b"mcp-session-id"
_READ_METHODS = frozenset({"GET", "HEAD"})
_OTHER_ACCOUNT = (
    "Without a token, this server answers only the account that runs it. Create a token with "
    "`commonplace token create --agent NAME`. On systems that do not tell accounts apart, "
    "COMMONPLACE_LOCAL_ACCESS=machine admits every account of this machine."
)
_TOKENS_EXIST = (
    "A token is needed, as `Authorization: Bearer`, because this server has valid tokens; "
    "COMMONPLACE_LOCAL_ACCESS=always admits the server's own account without one."
)
# Separate from the threads of tools, so that waiting for an issuer does not block calls.
_THREADS = 20

Result = TypeVar("Result")


class AccessGate:
    """Middleware that admits or refuses each request, and attaches its visitor."""

    def __init__(
        self,
        app: ASGIApp,
        application: LazyApplication,
        policy: AccessPolicy,
        rules_of: Mapping[str, EndpointRules],
        routes: Sequence[BaseRoute],
    ) -> None:
        self._app = app
        self._application = application
        self._policy = policy
        self._rules_of = rules_of
        self._routes = routes
        self._threads: CapacityLimiter | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or is_open(scope["path"]) or self._metrics_are_open(scope):
            await self._app(scope, receive, send)
            return
        if not self._is_known(scope):
            await not_found(scope)(scope, receive, send)
            return
        rules = self._rules_of.get(scope["path"], _PLAIN)
        call = UNPARSED_CALL
        try:
            visitor = await self._recognised(scope, rules)
            # The SDK parses the body again, because it accepts only bytes.
            if rules.reads_bodies:
                body = await whole_body(Request(scope, receive), LARGEST_MESSAGE)
                call = rules.requested_call(body)
                receive = _again(call.body or body, receive)
            visitor = await self._admitted(visitor, call)
            if call.refusal and not call.answerable:
                raise call.refusal
        except CommonplaceError as error:
            await self._refusal(scope, rules, error, call)(scope, receive, send)
            return
        except ClientDisconnect:
            return
        attach_visitor(scope, replace(visitor, refusal=visitor.refusal or call.refusal))
        await self._app(scope, receive, send)

    def _is_known(self, scope: Scope) -> bool:
        """Whether the address exists, with or without a trailing slash.

        Clients probe many addresses for OAuth; a challenge at an unknown one would mislead them.
        """
        path = scope["path"]
        if path in self._rules_of:
            return True
        other = path[:-1] if path.endswith("/") else f"{path}/"
        return any(
            route.matches({**scope, "path": one})[0] is not Match.NONE
            for one in (path, other)
            for route in self._routes
        )

    def _metrics_are_open(self, scope: Scope) -> bool:
        """Whether metrics need no token: on the owner's machine, or by a setting."""
        here = self._policy.local and not is_forwarded(scope)
        return scope["path"] == METRICS_PATH and (here or self._policy.metrics_open)

    async def _recognised(self, scope: Scope, rules: EndpointRules) -> Visitor:
        """The visitor. If the database is unavailable, a visitor without rights and with a refusal.

        Requests within a session get the error itself: without a user they would lose the session.
        """
        try:
            return await self._visitor(scope)
        except (StorageUnavailable, StorageBusy) as error:
            if not rules.reads_bodies or any(name == _SESSION for name, _ in scope["headers"]):
                raise
            return Visitor(_NOBODY, refusal=error)

    async def _visitor(self, scope: Scope) -> Visitor:
        token = bearer_of(scope)
        if token is not None:
            return await self._bearer(token)
        if scope["path"] not in _LOCALLY_OPEN:
            return await self._browser(scope)
        if self._policy.local and not is_forwarded(scope):
            await self._check_local(scope)
            return Visitor()
        raise Unauthenticated

    async def _check_local(self, scope: Scope) -> None:
        """Raise Unauthenticated unless the caller's local account needs no token now."""
        policy = self._policy
        if policy.access != "machine" and not await self._is_own_account(scope):
            raise Unauthenticated(_OTHER_ACCOUNT)
        if policy.access != "always" and await self._any_valid():
            raise Unauthenticated(_TOKENS_EXIST)

    async def _is_own_account(self, scope: Scope) -> bool:
        """Whether the caller is the server's own account, which is looked up once a connection: the
        owner of a socket does not change."""
        kept = kept_with_connection(scope)
        if not kept.get(_OWN_ACCOUNT):
            find = self._policy.is_own_account
            kept[_OWN_ACCOUNT] = await to_thread.run_sync(find, scope, limiter=self._limiter())
        return bool(kept[_OWN_ACCOUNT])

    async def _bearer(self, token: str) -> Visitor:
        def authenticate() -> Grant:
            return self._application.get().access.authenticate(token)

        built = self._application.built()
        grant = built.access.cached_grant(token) if built else None
        if grant is None:
            grant = await to_thread.run_sync(authenticate, limiter=self._limiter())
        return Visitor(grant)

    async def _browser(self, scope: Scope) -> Visitor:
        cookie = cookie_of(scope, self._policy.cookie)
        if not cookie or not is_same_origin(scope, self._policy.secure):
            raise Unauthenticated
        if self._policy.links and self._policy.links.is_open(cookie):
            return Visitor(is_person=True)
        # Reads by a person have their own rate: the search page sends one for every key pressed.
        return replace(await self._bearer(cookie), by_hand=scope["method"] in _READ_METHODS)

    async def _any_valid(self) -> bool:
        def any_valid() -> bool:
            return self._application.get().access.any_valid()

        built = self._application.built()
        kept = built.access.cached_any_valid() if built else None
        if kept is not None:
            return kept
        return await to_thread.run_sync(any_valid, limiter=self._limiter())

    async def _admitted(self, visitor: Visitor, call: RequestedCall) -> Visitor:
        """Check scopes and rates; a refusal that can be an MCP result is attached to the visitor.

        The official clients of older revisions end their session at any error status. So a call
        gets a status only if its client can obtain more scopes, or if it is outside a session.
        """
        if visitor.grant is None:
            return visitor
        if visitor.refusal:
            if not call.answerable:
                raise visitor.refusal
            return visitor
        try:
            await self._admit(visitor.grant, call, by_hand=visitor.by_hand)
        except (InsufficientScope, RateLimited) as error:
            can_step_up = isinstance(error, InsufficientScope) and visitor.grant.from_issuer
            if can_step_up or not call.answerable:
                raise
            return replace(visitor, refusal=error)
        return visitor

    async def _admit(self, grant: Grant, call: RequestedCall, *, by_hand: bool) -> None:
        if missing := call.scopes - grant.scopes:
            needed = " ".join(sorted(missing))
            raise InsufficientScope(f"This needs the scope {needed}.", needed=needed)
        if not call.count:
            return
        access = self._application.get().access
        admit = partial(access.admit, grant, call.count, by_hand=by_hand)
        if access.counts_locally:
            admit()
        else:
            await to_thread.run_sync(admit, limiter=self._limiter())

    def _limiter(self) -> CapacityLimiter:
        """The limiter of authentication threads, created inside its event loop."""
        if self._threads is None:
            self._threads = CapacityLimiter(_THREADS)
        return self._threads

    def _refusal(
        self, scope: Scope, rules: EndpointRules, error: CommonplaceError, call: RequestedCall
    ) -> Response:
        headers, status = self._policy.challenger.headers(error), http_status(error)
        if isinstance(error, InvalidToken | MalformedCredentials):
            note_refusal(scope, error.code)
        if isinstance(error, Unauthenticated) and _is_visit(scope):
            return login_page(self._policy, status, headers)
        return refusal(scope, status, rules.refusal(error, call), error.message, headers)


def _is_visit(scope: Scope) -> bool:
    """Whether a browser opens a page, rather than a program calling or a form being sent."""
    wants_page = "text/html" in Headers(scope=scope).get("accept", "")
    return scope["path"] == "/" or (scope["method"] == "GET" and wants_page)


def is_open(path: str) -> bool:
    return path in _OPEN or path == METADATA_PATH or path.startswith((f"{METADATA_PATH}/", STATIC))


def _again(body: bytes, receive: Receive) -> Receive:
    """A receive function that replays the body, then continues with the original."""
    replayed = False

    async def again() -> Message:
        nonlocal replayed
        if replayed:
            return await receive()
        replayed = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again
