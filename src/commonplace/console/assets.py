"""Serves style sheets, scripts, fonts and images from the package; there is no build step."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

STATIC = "/static/"
_TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml", "woff2": "font/woff2"}
# The address contains a digest of the content, so a changed file has a new address.
_FOR_EVER = "public, max-age=31536000, immutable"


@dataclass(frozen=True, slots=True)
class Asset:
    data: bytes
    media_type: str
    digest: str


@cache
def assets() -> dict[str, Asset]:
    found = {}
    for file in files("commonplace.console").joinpath("static").iterdir():
        if media_type := _TYPES.get(file.name.rpartition(".")[2]):
            data = file.read_bytes()
            found[file.name] = Asset(data, media_type, hashlib.sha256(data).hexdigest()[:12])
    return found


def asset(name: str) -> str:
    """The address of a file, with a digest of its content."""
    return f"{STATIC}{name}?v={assets()[name].digest}"


async def _serve(request: Request) -> Response:
    found = assets().get(request.path_params["name"])
    if found is None:
        return Response(status_code=404)
    fresh = request.query_params.get("v") == found.digest
    headers = {
        "Cache-Control": _FOR_EVER if fresh else "no-cache",
        "ETag": f'"{found.digest}"',
        "X-Content-Type-Options": "nosniff",
    }
    if request.headers.get("if-none-match") == headers["ETag"]:
        return Response(status_code=304, headers=headers)
    return Response(found.data, media_type=found.media_type, headers=headers)


def asset_routes() -> list[Route]:
    return [Route(f"{STATIC}{{name}}", _serve, methods=["GET"])]
