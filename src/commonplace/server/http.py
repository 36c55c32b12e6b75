"""The HTTP server: MCP at /mcp, JSON-RPC, REST, a status page, health checks, metrics; a worker."""

from __future__ import annotations

import logging
import signal
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import uvicorn
from anyio import to_thread
from jinja2 import Environment, PackageLoader, StrictUndefined
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import (
    StreamableHTTPASGIApp,
    StreamableHTTPSessionManager,
)
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from commonplace import __version__
from commonplace.application import LazyApplication
from commonplace.errors import CommonplaceError, InvalidArgument
from commonplace.server.beside import working_beside
from commonplace.server.guard import HostGuard, is_loopback
from commonplace.server.mcp import mcp_server
from commonplace.server.meter import CallMeter
from commonplace.server.projects import ProjectsApi
from commonplace.server.pushing import PushApi
from commonplace.server.rest import Rest
from commonplace.server.rpc import RpcEndpoint
from commonplace.server.sources import SourcesApi
from commonplace.settings import Settings, names_of
from commonplace.surfaces.catalog import chosen
from commonplace.surfaces.documents.tools import DOCUMENTS

_LOG = logging.getLogger("commonplace.server")
_LAST_REQUESTS_SECONDS = 5
_TEMPLATES = Environment(
    loader=PackageLoader("commonplace.server"), autoescape=True, undefined=StrictUndefined
)

Lifespan = Callable[[Starlette], AbstractAsyncContextManager[None]]


def make_app(
    application: LazyApplication, settings: Settings, server: Server[Any], meter: CallMeter
) -> Starlette:
    # The embedded server keeps sessions, because clients of older revisions rely on them.
    sessions = StreamableHTTPSessionManager(app=server, stateless=False)

    async def status_page(_request: Request) -> Response:
        try:
            facts, status = await to_thread.run_sync(_facts, application), 200
        except CommonplaceError as error:
            facts, status = {"Unavailable": error.code}, 503
        page = _TEMPLATES.get_template("status.html").render(version=__version__, facts=facts)
        return HTMLResponse(page, status)

    async def alive(_request: Request) -> Response:
        return JSONResponse({"status": "ok", "version": __version__})

    async def ready(_request: Request) -> Response:
        try:
            await to_thread.run_sync(_health, application)
        except CommonplaceError as error:
            return JSONResponse({"status": "unavailable", "code": error.code}, status_code=503)
        return JSONResponse({"status": "ok"})

    async def metrics(_request: Request) -> Response:
        body, media_type = meter.exposition()
        return Response(body, media_type=media_type)

    routes = [
        Route("/", status_page),
        Route("/healthz", alive),
        Route("/readyz", ready),
        Route("/metrics", metrics),
        Route("/mcp", StreamableHTTPASGIApp(sessions)),
        *SourcesApi(application, settings).routes(),
        *ProjectsApi(Rest(application, settings)).routes(),
        *PushApi(Rest(application, settings)).routes(),
    ]
    if any(offered.name == DOCUMENTS.name for offered in chosen(names_of(settings.surfaces))):
        rpc = RpcEndpoint(application, settings, meter.observe)
        routes.append(Route("/rpc", rpc.answer, methods=["POST"]))
    return Starlette(
        routes=routes,
        middleware=[Middleware(HostGuard)],
        lifespan=_lifespan(application, settings, sessions),
    )


def _health(application: LazyApplication) -> None:
    application.get().upkeep.health()


def _facts(application: LazyApplication) -> dict[str, object]:
    """Counts only: whoever opens the page need not be allowed to read anything."""
    built = application.get()
    status = built.upkeep.status(built.local_actor("status"))
    return {
        "Store": f"{status.health.dialect} {status.health.version}",
        "Schema version": status.health.schema_version,
        "Chunks": status.chunks.total,
        "Embedded": status.chunks.ready,
        "Waiting for an embedding": status.chunks.pending,
        "Given up": status.chunks.failed,
        "Model": status.model,
    }


def _lifespan(
    application: LazyApplication, settings: Settings, sessions: StreamableHTTPSessionManager
) -> Lifespan:
    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        await to_thread.run_sync(application.get)
        with working_beside(application, settings):
            async with sessions.run():
                yield

    return lifespan


def serve(application: LazyApplication, settings: Settings, host: str, port: int) -> None:
    """Serve until SIGINT or SIGTERM; then return, with everything closed."""
    require_loopback(host)
    listening = _listen(host, port)
    meter = CallMeter()
    server = mcp_server(application, settings, meter.observe)
    config = uvicorn.Config(
        make_app(application, settings, server, meter),
        log_config=None,
        log_level="warning",
        access_log=False,
        lifespan="on",
        timeout_graceful_shutdown=_LAST_REQUESTS_SECONDS,
    )
    taken = listening.getsockname()[1]
    try:
        with listening:
            # Here and not in the web server, which would swallow what is wrong with the database.
            application.get()
            _outlive_signals()
            url = f"http://{f'[{host}]' if ':' in host else host}:{taken}/"
            _LOG.info("serving", extra={"url": url})
            uvicorn.Server(config).run(sockets=[listening])
    finally:
        application.close()
    _LOG.info("stopped")


def _outlive_signals() -> None:
    """uvicorn raises the signal again when it has stopped; by then there is nothing left to do."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda _number, _frame: None)


def require_loopback(host: str) -> None:
    """Until callers carry tokens, nobody but this machine may call."""
    if not is_loopback(host):
        raise InvalidArgument(
            "This server does not check who calls, so it listens on loopback only: "
            "use --host 127.0.0.1.",
            field="host",
        )


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        reason = (error.strerror or "unknown reason").lower()
        raise InvalidArgument(f"Cannot listen on {host} port {port}: {reason}.") from error
