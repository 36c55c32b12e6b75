"""How a browser logs in: with a link from `serve` or `commonplace login`, or with a token."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from commonplace.application import LazyApplication
from commonplace.console.html import PAGE_HEADERS, page
from commonplace.errors import CommonplaceError
from commonplace.server.bodies import limited
from commonplace.server.gate.browser_sessions import SESSION_SECONDS, LinkSessions
from commonplace.server.gate.credentials import cookie_of, is_same_origin
from commonplace.server.gate.policy import AccessPolicy
from commonplace.server.gate.refusals import note_refusal
from commonplace.surfaces.http_status import http_status

LOGIN_PATH = "/login"
LOGOUT_PATH = "/logout"
_LARGEST_FORM = 50_000
# Why a form is refused; by whether the server is meant to be reached over https.
_FOREIGN = {
    False: "The form came from another site.",
    True: "The form came from another site, or over http: open this server by its https address.",
}
# Log-out also clears the pages that the browser has cached for going back.
_CLEAR_CACHE = {"Clear-Site-Data": '"cache"'}


@dataclass(frozen=True, slots=True)
class Login:
    application: LazyApplication
    policy: AccessPolicy

    def routes(self) -> list[Route]:
        return [
            Route(LOGIN_PATH, self.with_link, methods=["GET"]),
            Route(LOGIN_PATH, self.with_token, methods=["POST"]),
            Route(LOGOUT_PATH, self.log_out, methods=["POST"]),
        ]

    async def with_link(self, request: Request) -> Response:
        code, links = request.query_params.get("code", ""), self.policy.links
        if not code:
            return login_page(self.policy, 200)
        try:
            session = await self._redeemed(links, code) if links else None
        except CommonplaceError as error:
            return login_page(self.policy, http_status(error), problem=error.message)
        if session is None:
            note_refusal(request.scope, "link")
            problem = (
                "This link has been used or has expired; `commonplace login` prints a new one."
            )
            return login_page(self.policy, 403, problem=problem)
        return self._logged_in(session)

    async def _redeemed(self, links: LinkSessions, code: str) -> str | None:
        """A session for the link of `serve` or a signed one of `commonplace login`."""
        if session := links.redeem(code):
            return session
        access = self.application.get().access
        return links.open() if await to_thread.run_sync(access.redeem_link, code) else None

    async def with_token(self, request: Request) -> Response:
        """Log in with a token. Only from our own page: other sites could log the browser in."""
        if not is_same_origin(request.scope, self.policy.secure):
            return login_page(self.policy, 403, problem=_FOREIGN[self.policy.secure])
        try:
            form = await limited(request, _LARGEST_FORM).form(max_files=0, max_fields=1)
            field = form.get("token")
            token = field.strip() if isinstance(field, str) else ""
            access = self.application.get().access
            await to_thread.run_sync(access.authenticate, token)
        except CommonplaceError as error:
            note_refusal(request.scope, error.code)
            return login_page(self.policy, http_status(error), problem=error.message)
        return self._logged_in(token)

    async def log_out(self, request: Request) -> Response:
        """End the session here and in the browser; the gate has checked the request's origin."""
        cookie = cookie_of(request.scope, self.policy.cookie)
        if cookie and self.policy.links:
            self.policy.links.close(cookie)
        answer = RedirectResponse(LOGIN_PATH, 303, headers={**PAGE_HEADERS, **_CLEAR_CACHE})
        answer.delete_cookie(
            self.policy.cookie, secure=self.policy.secure, httponly=True, samesite="strict"
        )
        return answer

    def _logged_in(self, value: str) -> Response:
        answer = RedirectResponse("/", 303, headers=PAGE_HEADERS)
        answer.set_cookie(
            self.policy.cookie,
            value,
            max_age=int(SESSION_SECONDS),
            httponly=True,
            samesite="strict",
            secure=self.policy.secure,
        )
        return answer


def login_page(
    policy: AccessPolicy, status: int, headers: Mapping[str, str] | None = None, problem: str = ""
) -> Response:
    return page("login.html", status, headers, links=policy.links, problem=problem)
