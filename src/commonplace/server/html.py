"""Pages for people: one template around them all, and the headers that keep them to themselves."""

from __future__ import annotations

from collections.abc import Mapping

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.responses import HTMLResponse, Response

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
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


def page(
    template: str, status: int, headers: Mapping[str, str] | None = None, **shown: object
) -> Response:
    text = _TEMPLATES.get_template(template).render(**shown)
    return HTMLResponse(text, status, {**PAGE_HEADERS, **(headers or {})})
