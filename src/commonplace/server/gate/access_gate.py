"""One gate before every address: who calls, whether they may, whether they may already again.

What is not named here as open is closed, so that an address added later is not forgotten.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

from anyio import CapacityLimiter, to_thread
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
from commonplace.server.gate.challenges import status_of
from commonplace.server.gate.credentials import bearer_of, cookie_of, is_forwarded, is_own_page
from commonplace.server.gate.endpoints import (
    ANYTHING,
    LARGEST_MESSAGE,
    METRICS_PATH,
    EndpointRules,
    PlainRules,
    RequestedCall,
)
from commonplace.server.gate.login import LOGIN_PATH, login_page
from commonplace.server.gate.policy import METADATA_PATH, AccessPolicy
from commonplace.server.gate.refusals import note_refusal
from commonplace.server.gate.visitors import Visitor, let_in

_OPEN = frozenset({"/healthz", "/readyz", LOGIN_PATH})
_LOCALLY_OPEN = frozenset({"/mcp", "/rpc"})
_PLAIN = PlainRules()
_NOBODY = Grant(org="", agent="", scopes=frozenset(), counted_as="")
_SESSION = b"mcp-session-id"
_LOOKING = frozenset({"GET", "HEAD"})
_OTHER_ACCOUNT = (
    "Without a token this server answers only to the account that runs it. Make a token with "
    "`commonplace token create`; where the system does not tell accounts apart, "
    "COMMONPLACE_LOCAL_ACCESS=machine lets every account of this machine in."
)
_TOKENS_THERE = (
    "A token is needed, as `Authorization: Bearer`, because some are valid here; "
    "COMMONPLACE_LOCAL_ACCESS=always lets the server's own account in without."
)
# Apart from the threads that tools run in: whoever waits for an issuer keeps nobody from working.
_THREADS = 20

Result = TypeVar("Result")


class AccessGate:
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
            await _nothing_here(scope)(scope, receive, send)
            return
        rules = self._rules_of.get(scope["path"], _PLAIN)
        asked = ANYTHING
        try:
            visitor = await self._recognised(scope, rules)
            # Parsed here for the scope and again behind, since the protocol's library takes bytes.
            if rules.reads_bodies:
                body = await whole_body(Request(scope, receive), LARGEST_MESSAGE)
                asked, receive = rules.asked(body), _again(body, receive)
            visitor = await self._admitted(visitor, asked)
        except CommonplaceError as error:
            await self._refusal(scope, rules, error, asked)(scope, receive, send)
            return
        except ClientDisconnect:
            return
        let_in(scope, visitor)
        await self._app(scope, receive, send)

    def _is_known(self, scope: Scope) -> bool:
        """Whether anything is at the address: clients look for OAuth at many, and a challenge there
        would tell them that there is some. A slash too many is the router's to mend."""
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
        """Metrics are open on one's own machine, or by a setting; they count what all orgs do."""
        here = self._policy.local and not is_forwarded(scope)
        return scope["path"] == METRICS_PATH and (here or self._policy.metrics_open)

    async def _recognised(self, scope: Scope, rules: EndpointRules) -> Visitor:
        """Who calls; nobody, while the database that knows is away or too slow, and then told so.
        Whoever goes on with a session would lose it as nobody."""
        try:
            return await self._visitor(scope)
        except (StorageUnavailable, StorageBusy) as error:
            if not rules.reads_bodies or any(name == _SESSION for name, _ in scope["headers"]):
                raise
            return Visitor(_NOBODY, refusal=error)

    async def _visitor(self, scope: Scope) -> Visitor:
        shown = bearer_of(scope)
        if shown is not None:
            return await self._bearer(shown)
        if scope["path"] not in _LOCALLY_OPEN:
            return await self._browser(scope)
        if self._policy.local and not is_forwarded(scope):
            await self._check_local(scope)
            return Visitor()
        raise Unauthenticated

    async def _check_local(self, scope: Scope) -> None:
        """Whether the person at this machine calls, and needs no token now."""
        policy = self._policy
        if policy.access != "machine" and not await to_thread.run_sync(
            policy.is_own_account, scope, limiter=self._limiter()
        ):
            raise Unauthenticated(_OTHER_ACCOUNT)
        if policy.access != "always" and await self._any_valid():
            raise Unauthenticated(_TOKENS_THERE)

    async def _bearer(self, shown: str) -> Visitor:
        def authenticate() -> Grant:
            return self._application.get().access.authenticate(shown)

        built = self._application.built()
        grant = built.access.cached_grant(shown) if built else None
        if grant is None:
            grant = await to_thread.run_sync(authenticate, limiter=self._limiter())
        return Visitor(grant)

    async def _browser(self, scope: Scope) -> Visitor:
        kept = cookie_of(scope, self._policy.cookie)
        if not kept or not is_own_page(scope, self._policy.secure):
            raise Unauthenticated
        if self._policy.links and self._policy.links.is_open(kept):
            return Visitor(is_person=True)
        # Results come with every key that a person presses; what changes something counts as ever.
        return replace(await self._bearer(kept), by_hand=scope["method"] in _LOOKING)

    async def _any_valid(self) -> bool:
        def any_valid() -> bool:
            return self._application.get().access.any_valid()

        return await to_thread.run_sync(any_valid, limiter=self._limiter())

    async def _admitted(self, visitor: Visitor, asked: RequestedCall) -> Visitor:
        """Refused by status only where a client can do something about it, or the whole connection
        is refused: the official clients of older revisions end their session at any other."""
        if visitor.grant is None:
            return visitor
        if visitor.refusal:
            if not asked.answerable:
                raise visitor.refusal
            return visitor
        try:
            await self._admit(visitor.grant, asked, by_hand=visitor.by_hand)
        except (InsufficientScope, RateLimited) as error:
            more_to_be_had = isinstance(error, InsufficientScope) and visitor.grant.from_issuer
            if more_to_be_had or not asked.answerable:
                raise
            return replace(visitor, refusal=error)
        return visitor

    async def _admit(self, grant: Grant, asked: RequestedCall, *, by_hand: bool) -> None:
        if missing := asked.scopes - grant.scopes:
            needed = " ".join(sorted(missing))
            raise InsufficientScope(f"This needs the scope {needed}.", needed=needed)
        if not asked.calls:
            return
        access = self._application.get().access
        admit = partial(access.admit, grant, asked.calls, by_hand=by_hand)
        if access.counts_here:
            admit()
        else:
            await to_thread.run_sync(admit, limiter=self._limiter())

    def _limiter(self) -> CapacityLimiter:
        """Made inside the event loop that it belongs to."""
        if self._threads is None:
            self._threads = CapacityLimiter(_THREADS)
        return self._threads

    def _refusal(
        self, scope: Scope, rules: EndpointRules, error: CommonplaceError, asked: RequestedCall
    ) -> Response:
        headers, status = self._policy.challenger.headers(error), status_of(error)
        if isinstance(error, InvalidToken | MalformedCredentials):
            note_refusal(scope, error.code)
        if scope["path"] == "/" and isinstance(error, Unauthenticated):
            return login_page(self._policy, status, headers)
        return refusal(scope, status, rules.refusal(error, asked), error.message, headers)


def _nothing_here(scope: Scope) -> Response:
    """A 404 that clients which try to register here read as an error of OAuth."""
    message = "Nothing is at this address."
    return refusal(scope, 404, {"error": "not_found", "error_description": message}, message)


def is_open(path: str) -> bool:
    return path in _OPEN or path == METADATA_PATH or path.startswith((f"{METADATA_PATH}/", STATIC))


def _again(body: bytes, receive: Receive) -> Receive:
    """The body that was read, then whatever else comes."""
    told = False

    async def again() -> Message:
        nonlocal told
        if told:
            return await receive()
        told = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again
