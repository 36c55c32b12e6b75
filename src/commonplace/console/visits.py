"""What every page needs: the actor, running work in a thread, checked forms, errors as pages."""

from __future__ import annotations

import hmac
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TypeVar
from urllib.parse import urlencode, urlsplit

from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from commonplace.application import Application, LazyApplication
from commonplace.console.html import PAGE_HEADERS, page
from commonplace.console.navigation import SECTIONS, sections_for
from commonplace.console.notices import notice_of
from commonplace.errors import AccessDenied, CommonplaceError, InternalError, InvalidArgument
from commonplace.model.actor import Actor, Scope
from commonplace.surfaces.arguments import refuse_unstorable
from commonplace.surfaces.call import require
from commonplace.surfaces.http_status import http_status
from commonplace.surfaces.turns import Turns

_LOG = logging.getLogger("commonplace.console")
LARGEST_FORM = 2_000_000
FORM_KEY = "form_key"
_MOST_FIELDS = 600
_MOST_DIGITS = 9
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class ConsoleContext:
    """What the server provides to the console.

    `form_key` is the anti-forgery key that a browser's forms must contain, or None for a request
    with a bearer token. `charge` counts further calls of a request's sender; `recheck`
    authenticates it again. Both raise to refuse, and may block.
    """

    lazy: LazyApplication
    turns: Turns
    actor_of: Callable[[Request], Actor]
    form_key: Callable[[Request], str | None]
    limited: Callable[[Request, int], Request]
    stopping: Callable[[], bool]
    charge: Callable[[Request, int], None]
    recheck: Callable[[Request], None]
    watching: Counter[Actor] = field(default_factory=Counter)

    def route(self, address: Address) -> Route:
        async def answered(request: Request) -> Response:
            visit = Visit(self, request, self.actor_of(request))
            try:
                refuse_unstorable(request.path_params)
                refuse_unstorable(dict(request.query_params))
                require(visit.actor, address.scope)
                return await address.answer(visit)
            except CommonplaceError as error:
                return visit.problem(http_status(error), error.message, error.code)
            except HTTPException as error:
                return visit.problem(error.status_code, str(error.detail), InvalidArgument.code)
            except Exception:  # noqa: BLE001 - people learn no details of an internal error
                _LOG.exception("page failed", extra={"path": address.path})
                return visit.problem(500, InternalError().message, InternalError.code)

        return Route(address.path, answered, methods=[address.method])


@dataclass(frozen=True, slots=True)
class Visit:
    """One request to the console."""

    context: ConsoleContext
    request: Request
    actor: Actor

    async def read(self, work: Callable[[Application], Result]) -> Result:
        return await self.context.turns.run(
            self.actor, lambda: work(self.context.lazy.get()), reads=True
        )

    async def write(self, work: Callable[[Application], Result]) -> Result:
        return await self.context.turns.run(
            self.actor, lambda: work(self.context.lazy.get()), reads=False
        )

    def charge(self, actions: int) -> None:
        """Count the actions of a bulk request as calls; the request itself is the first."""
        if actions > 1:
            self.context.charge(self.request, actions - 1)

    async def form(self, max_bytes: int = LARGEST_FORM) -> SentForm:
        """The form in the request; AccessDenied if it is not from a page of this session."""
        sent = await self.context.limited(self.request, max_bytes).form(max_fields=_MOST_FIELDS)
        expected, shown = self.context.form_key(self.request), sent.get(FORM_KEY)
        if expected is not None and not (
            isinstance(shown, str) and hmac.compare_digest(shown.encode(), expected.encode())
        ):
            raise AccessDenied("This form is from another session. Reload its page.")
        texts = {name: value for name, value in sent.multi_items() if isinstance(value, str)}
        refuse_unstorable(texts)
        return SentForm(sent)

    def query(self, name: str) -> str:
        """A parameter of the query string; empty if absent."""
        return self.request.query_params.get(name, "").strip()

    def part(self, name: str) -> str:
        """A variable part of the path."""
        part: str = self.request.path_params[name]
        return part

    async def page(self, template: str, status: int = 200, /, **variables: object) -> Response:
        """A rendered page. Rendering runs in a thread, because a page may be long."""
        return await self.context.turns.run(
            self.actor, lambda: self._rendered(template, status, variables), reads=True
        )

    def _rendered(self, template: str, status: int, variables: Mapping[str, object]) -> Response:
        section = template.partition("/")[0]
        return page(
            template,
            status,
            None,
            actor=self.actor,
            now=datetime.now(UTC),
            sections=sections_for(self.actor),
            section=section if section in SECTIONS else "",
            form_key=self.context.form_key(self.request) or "",
            notice=notice_of(self.request.query_params),
            may_write=Scope.WRITE in self.actor.scopes,
            may_administer=Scope.ADMIN in self.actor.scopes,
            **variables,
        )

    def problem(self, status: int, message: str, code: str) -> Response:
        if self.request.headers.get("x-fragment"):
            return page("parts/problem.html", status, None, message=message, code=code)
        variables = {"status": status, "message": message, "code": code, "back": self._came_from()}
        return self._rendered("problem.html", status, variables)

    def _came_from(self) -> str:
        """The page of this console that led here; empty if none did."""
        page = urlsplit(self.request.headers.get("referer", ""))
        here = page.netloc == self.request.headers.get("host") and not page.path.startswith("//")
        if not here or page.path == self.request.url.path:
            return ""
        return f"{page.path}?{page.query}" if page.query else page.path

    def go(self, path: str, **query: str) -> Response:
        """A redirect to another page, after an action."""
        present = {name: value for name, value in query.items() if value}
        address = f"{path}{'&' if '?' in path else '?'}{urlencode(present)}" if present else path
        return RedirectResponse(address, 303, headers=PAGE_HEADERS)


@dataclass(frozen=True, slots=True)
class SentForm:
    """What a form sent; a page shows it again if it was refused."""

    sent: FormData = field(default_factory=FormData)

    def text(self, name: str) -> str:
        value = self.sent.get(name)
        return value.replace("\r\n", "\n") if isinstance(value, str) else ""

    def texts(self, name: str) -> list[str]:
        return [value for value in self.sent.getlist(name) if isinstance(value, str)]

    def files(self, name: str) -> list[UploadFile]:
        """The uploaded files; a browser sends an empty part if none was chosen."""
        parts = [file for file in self.sent.getlist(name) if isinstance(file, UploadFile)]
        return [file for file in parts if file.filename]


@dataclass(frozen=True, slots=True)
class Address:
    """One address of the console: its handler, and the scope that it needs."""

    method: str
    path: str
    answer: Callable[[Visit], Awaitable[Response]]
    scope: Scope = Scope.READ


async def form_only(_visit: Visit) -> Response:
    """Refuse GET at an address that only accepts forms."""
    raise HTTPException(405, "There is no page here: this address only accepts a form.")


def number(given: str, field: str) -> int:
    """The whole number in a form field; InvalidArgument for anything else."""
    if not given.isdecimal() or len(given) > _MOST_DIGITS:
        raise InvalidArgument(f"{field} is a whole number.", field=field)
    return int(given)


def known(given: str, allowed: Mapping[str, Result], field: str) -> Result:
    """The value that a form field's text stands for; InvalidArgument if it stands for none."""
    if given not in allowed:
        raise InvalidArgument(f"{field} is one of {', '.join(allowed)}.", field=field)
    return allowed[given]
