"""The HTTP server: MCP at /mcp, JSON-RPC, REST, a status page, health checks, metrics; a worker."""

from __future__ import annotations

import logging
import signal
import socket
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import uvicorn
from anyio import to_thread
from jinja2 import Environment, PackageLoader, StrictUndefined
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
from commonplace.model.actor import Actor
from commonplace.server.audit import AuditApi
from commonplace.server.doors import Door, McpDoor, RpcDoor
from commonplace.server.entrance import Entrance, entrance_of
from commonplace.server.gate import AccessGate
from commonplace.server.guard import HostGuard
from commonplace.server.health import Health
from commonplace.server.login import PAGE_HEADERS, Login
from commonplace.server.mcp import mcp_server, offered_by
from commonplace.server.metadata import metadata_routes
from commonplace.server.meter import CallMeter
from commonplace.server.rest import Rest
from commonplace.server.rpc import RpcEndpoint
from commonplace.server.sources import SourcesApi
from commonplace.server.visitors import visitor_of
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
    application: LazyApplication, settings: Settings, meter: CallMeter, entrance: Entrance
) -> Starlette:
    def visitor(request: Any, client: str) -> Actor:
        return visitor_of(request.scope).actor(settings, client)

    server = mcp_server(application, settings, meter.observe, visitor)
    # The embedded server keeps sessions, because clients of older revisions rely on them.
    sessions = StreamableHTTPSessionManager(app=server, stateless=False)

    rest = Rest(application, settings, entrance.challenger)
    health = Health(application)
    meter.watch(health.vitals)

    async def status_page(_request: Request) -> Response:
        try:
            facts, status = await to_thread.run_sync(_facts, application), 200
        except CommonplaceError as error:
            facts, status = {"Unavailable": error.code}, 503
        page = _TEMPLATES.get_template("status.html").render(version=__version__, facts=facts)
        return HTMLResponse(page, status, PAGE_HEADERS)

    async def alive(_request: Request) -> Response:
        return JSONResponse({"status": "ok", "version": __version__})

    async def ready(_request: Request) -> Response:
        if code := await to_thread.run_sync(health.problem):
            return JSONResponse({"status": "unavailable", "code": code}, status_code=503)
        return JSONResponse({"status": "ok"})

    async def metrics(_request: Request) -> Response:
        body, media_type = await to_thread.run_sync(meter.exposition)
        return Response(body, media_type=media_type)

    routes = [
        Route("/", status_page),
        Route("/healthz", alive),
        Route("/readyz", ready),
        Route("/metrics", metrics),
        Route("/mcp", StreamableHTTPASGIApp(sessions)),
        *Login(application, entrance).routes(),
        *metadata_routes(settings),
        *SourcesApi(rest).routes(),
        *AuditApi(rest).routes(),
    ]
    doors: dict[str, Door] = {"/mcp": McpDoor(lambda: [o.load() for o in offered_by(settings)])}
    if any(offered.name == DOCUMENTS.name for offered in chosen(names_of(settings.surfaces))):
        rpc = RpcEndpoint(application, settings, meter.observe)
        routes.append(Route("/rpc", rpc.answer, methods=["POST"]))
        doors["/rpc"] = RpcDoor()
    return Starlette(
        routes=routes,
        middleware=[
            Middleware(HostGuard, entrance.hosts),
            Middleware(AccessGate, application, entrance, doors),
        ],
        lifespan=_lifespan(application, settings, sessions, health),
    )


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
    application: LazyApplication,
    settings: Settings,
    sessions: StreamableHTTPSessionManager,
    health: Health,
) -> Lifespan:
    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        built = await to_thread.run_sync(application.get)
        stop = threading.Event()
        worker = threading.Thread(
            target=built.new_worker().run, args=(stop,), name="worker", daemon=True
        )
        if settings.worker:
            worker.start()
            health.watch(worker)
        async with sessions.run():
            yield
        stop.set()
        if settings.worker:
            await to_thread.run_sync(worker.join, 10.0)

    return lifespan


def serve(application: LazyApplication, settings: Settings, host: str, port: int) -> None:
    """Serve until SIGINT or SIGTERM; then return, with everything closed."""
    entrance_of(settings, host, port)
    listening = _listen(host, port)
    taken = listening.getsockname()[1]
    entrance = entrance_of(settings, host, taken)
    config = uvicorn.Config(
        make_app(application, settings, CallMeter(), entrance),
        log_config=None,
        log_level="warning",
        access_log=False,
        lifespan="on",
        timeout_graceful_shutdown=_LAST_REQUESTS_SECONDS,
    )
    try:
        with listening:
            # Here and not in the web server, which would swallow what is wrong with the database.
            application.get()
            _outlive_signals()
            _say(entrance, f"http://{f'[{host}]' if ':' in host else host}:{taken}")
            uvicorn.Server(config).run(sockets=[listening])
    finally:
        application.close()
    _LOG.info("stopped")


def _outlive_signals() -> None:
    """uvicorn raises the signal again when it has stopped; by then there is nothing left to do."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda _number, _frame: None)


def _say(entrance: Entrance, address: str) -> None:
    """Who may call, and the link for this machine's browser; plainly too, where somebody looks."""
    link = f"{address}{entrance.links.path}" if entrance.links else None
    told = {"url": f"{address}/", "access": entrance.described()}
    _LOG.info("serving", extra=told | ({"link": link} if link else {}))
    if link and sys.stderr.isatty():
        sys.stderr.write(f"\nOpen in a browser (works once): {link}\n\n")


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        reason = (error.strerror or "unknown reason").lower()
        raise InvalidArgument(f"Cannot listen on {host} port {port}: {reason}.") from error
