"""Pages for people: one template around them all, and the headers that keep them to themselves."""

from __future__ import annotations

from collections.abc import Mapping

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.types import Scope

_TEMPLATES = Environment(
    loader=PackageLoader("commonplace.server"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
PAGE_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    # With `no-referrer` browsers call the sender of our own forms `null`, and it would be refused.
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}


def refusal(
    scope: Scope,
    status: int,
    document: Mapping[str, object],
    message: str,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """A page for a person who looks at it, the document for a program."""
    if "text/html" not in Headers(scope=scope).get("accept", ""):
        return JSONResponse(dict(document), status, dict(headers or {}))
    return page("refused.html", status, headers, status=status, message=message)


def page(
    template: str, code: int, headers: Mapping[str, str] | None = None, **shown: object
) -> Response:
    text = _TEMPLATES.get_template(template).render(**shown)
    return HTMLResponse(text, code, {**PAGE_HEADERS, **(headers or {})})
