"""Renders templates to HTML responses with strict security headers."""

from __future__ import annotations

from collections.abc import Mapping

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.types import Scope

from commonplace import __version__
from commonplace.console import markdown, words
from commonplace.console.assets import asset
from commonplace.recall.wording import passages
from commonplace.text.plural import plural

PAGE_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; font-src 'self'; connect-src 'self'; form-action 'self'; "
    "frame-ancestors 'none'; base-uri 'none'",
    # With `no-referrer`, browsers send `Origin: null` with our own forms, which would be refused.
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
}


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("commonplace.console"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(asset=asset, version=__version__)
    environment.filters.update(
        markdown=markdown.rendered,
        backticked=words.backticked,
        marked=words.marked,
        named=words.named,
        date_and_time=words.date_and_time,
        machine_time=words.machine_time,
        ago=words.ago,
        plural=plural,
        figure=words.figure,
        size=words.size,
        duration=words.duration,
        passages=passages,
        percent=words.percent,
        without_marks=words.without_marks,
        kind_name=words.kind_name,
        audience=words.audience,
    )
    return environment


_TEMPLATES = _environment()


def refusal(
    scope: Scope,
    status: int,
    document: Mapping[str, object],
    message: str,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """A refusal: an HTML page for browsers, a JSON document for programs."""
    if "text/html" not in Headers(scope=scope).get("accept", ""):
        return JSONResponse(dict(document), status, dict(headers or {}))
    return page("refused.html", status, headers, status=status, message=message)


def page(
    template: str, code: int, headers: Mapping[str, str] | None = None, /, **variables: object
) -> Response:
    text = _TEMPLATES.get_template(template).render(**variables)
    return HTMLResponse(text, code, {**PAGE_HEADERS, **(headers or {})})
