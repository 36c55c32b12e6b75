"""The HTTP server: MCP, JSON-RPC, REST, console, health checks and metrics, with a worker."""

from __future__ import annotations

import logging
import signal
import socket
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import uvicorn
from anyio import CancelScope, to_thread
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Route

from commonplace.application import LazyApplication
from commonplace.console.routes import console_routes
from commonplace.errors import CommonplaceError, InvalidArgument
from commonplace.model.actor import Actor
from commonplace.server.gate.access_gate import AccessGate
from commonplace.server.gate.console import console_context
from commonplace.server.gate.endpoints import (
    METRICS_PATH,
    EndpointRules,
    McpRules,
    MetricsRules,
    RpcRules,
)
from commonplace.server.gate.guard import HostGuard
from commonplace.server.gate.login import Login
from commonplace.server.gate.metadata import metadata_routes
from commonplace.server.gate.misses import wrong_method
from commonplace.server.gate.policy import AccessPolicy, access_policy
from commonplace.server.gate.visitors import visitor_of
from commonplace.server.lifecycle.background_threads import STOPPING_SECONDS, BackgroundThreads
from commonplace.server.lifecycle.connections import (
    ACCEPTED_AT_ONCE,
    IDLE_SECONDS,
    GuardedConnection,
    allow_many_descriptors,
)
from commonplace.server.lifecycle.garbage import collect_seldom
from commonplace.server.lifecycle.last_resort import killed_if_stuck
from commonplace.server.lifecycle.stopping import (
    CloseConnections,
    StoppableServer,
    StoppableStreams,
    Stopping,
)
from commonplace.server.mcp.bounded_sessions import BoundedSessions
from commonplace.server.mcp.endpoint import McpEndpoint, mcp_endpoint
from commonplace.server.monitoring.health import HealthChecks
from commonplace.server.monitoring.meter import CallMeter
from commonplace.server.monitoring.pages import MonitoringPages
from commonplace.server.rest.audit import AuditApi
from commonplace.server.rest.handling import Rest
from commonplace.server.rest.projects import ProjectsApi
from commonplace.server.rest.pushing import PushApi
from commonplace.server.rest.sources import SourcesApi
from commonplace.server.rpc import RpcEndpoint
from commonplace.settings import Settings, names_of
from commonplace.surfaces.catalog import enabled_surfaces
from commonplace.surfaces.documents.tools import DOCUMENTS
from commonplace.surfaces.turns import Turns

_LOG = logging.getLogger("commonplace.server")
Lifespan = Callable[[Starlette], AbstractAsyncContextManager[None]]


def make_app(
    application: LazyApplication,
    settings: Settings,
    meter: CallMeter,
    policy: AccessPolicy,
    stopping: Stopping | None = None,
    turns: Turns | None = None,
) -> Starlette:
    stopping = stopping or Stopping()
    turns = turns or Turns(patience=settings.patience_seconds)

    def visitor(request: Any, client: str) -> Actor:
        return visitor_of(request.scope).actor(settings, client)

    def refusal(request: Any) -> CommonplaceError | None:
        return visitor_of(request.scope).refusal

    endpoint = mcp_endpoint(application, settings, meter.observe, visitor, refusal, turns)
    # Clients of older protocol revisions rely on sessions, so an embedded server keeps them.
    sessions = StreamableHTTPSessionManager(app=endpoint.server(), stateless=settings.shared)

    health = HealthChecks(application)
    meter.watch(health.vitals)
    rest = Rest(application, settings, policy.challenger, turns)
    routes = [
        *MonitoringPages(meter, health, stopping).routes(),
        _mcp_route(sessions, stopping),
        *Login(application, policy).routes(),
        *metadata_routes(settings),
        *SourcesApi(rest).routes(),
        *ProjectsApi(rest).routes(),
        *PushApi(rest).routes(),
        *AuditApi(rest).routes(),
        *console_routes(console_context(application, settings, policy, turns, stopping)),
    ]
    rules_of: dict[str, EndpointRules] = {
        "/mcp": McpRules(endpoint.tools),
        METRICS_PATH: MetricsRules(),
    }
    enabled = enabled_surfaces(names_of(settings.surfaces))
    if any(offered.name == DOCUMENTS.name for offered in enabled):
        rpc = RpcEndpoint(application, settings, meter.observe, turns)
        routes.append(Route("/rpc", rpc.answer, methods=["POST"]))
        rules_of["/rpc"] = RpcRules()
    return Starlette(
        routes=routes,
        middleware=[
            Middleware(CloseConnections, stopping),
            Middleware(HostGuard, policy.hosts),
            Middleware(AccessGate, application, policy, rules_of, routes),
        ],
        exception_handlers={405: wrong_method},
        lifespan=_lifespan(application, settings, sessions, health, endpoint),
    )


def _mcp_route(sessions: StreamableHTTPSessionManager, stopping: Stopping) -> Route:
    """The route of MCP. Without sessions there are no streams to open or sessions to delete.

    Servers that share a database keep no sessions, so that any of them can answer any request.
    """
    app = StoppableStreams(StreamableHTTPASGIApp(sessions), stopping)
    if sessions.stateless:
        return Route("/mcp", app, methods=["POST"])
    return Route("/mcp", BoundedSessions(app))


def _lifespan(
    application: LazyApplication,
    settings: Settings,
    sessions: StreamableHTTPSessionManager,
    health: HealthChecks,
    endpoint: McpEndpoint,
) -> Lifespan:
    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        await to_thread.run_sync(application.get)
        if settings.shared:
            # Import everything now: a later import would load the files of a newer version, if one
            # is installed while this server runs.
            await to_thread.run_sync(endpoint.prepare)
        background = BackgroundThreads(application, settings, endpoint.prepare)
        health.watch(background.worker)
        background.start()
        try:
            async with sessions.run():
                yield
        finally:
            # In a thread, because the worker may need a while to finish its batch.
            with CancelScope(shield=True):
                await to_thread.run_sync(background.stop)

    return lifespan


def serve(application: LazyApplication, settings: Settings, host: str, port: int) -> None:
    """Serve until SIGINT or SIGTERM, then close everything and return."""
    access_policy(settings, host, port)  # reports wrong settings before anything is opened
    allow_many_descriptors()
    collect_seldom()
    listening = listen(host, port)
    bound_port = listening.getsockname()[1]
    policy, stopping = access_policy(settings, host, bound_port), Stopping()
    config = uvicorn.Config(
        make_app(application, settings, CallMeter(), policy, stopping),
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        lifespan="on",
        timeout_keep_alive=IDLE_SECONDS,
        timeout_graceful_shutdown=settings.shutdown_seconds,
        http=GuardedConnection,
        backlog=ACCEPTED_AT_ONCE,
    )
    notice = settings.shutdown_notice_seconds
    # Covers start-up and closing too, when signals may also arrive.
    with killed_if_stuck(notice + settings.shutdown_seconds + STOPPING_SECONDS), listening:
        try:
            # Built here, because uvicorn would hide the error if the database cannot be opened.
            application.get()
            server = StoppableServer(config, stopping, notice)
            _heed_signals(server)
            _announce(policy, f"http://{f'[{host}]' if ':' in host else host}:{bound_port}")
            server.run(sockets=[listening])
        finally:
            application.close()
    _LOG.info("stopped")


def _heed_signals(server: StoppableServer) -> None:
    """Handle signals that come before uvicorn does, and those that it raises again at its end,
    when we still have to close."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, server.handle_exit)


def _announce(policy: AccessPolicy, address: str) -> None:
    """Log who may call; print the login link, a secret, to a terminal only and never to a log."""
    link = f"{address}{policy.links.path}" if policy.links else None
    _LOG.info("serving", extra={"url": f"{address}/", "access": policy.summary()})
    if link and sys.stderr.isatty():
        sys.stderr.write(f"\nOpen in a browser (works once): {link}\n\n")


def listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family)
    except OSError as error:
        reason = (error.strerror or "unknown reason").lower()
        raise InvalidArgument(f"Cannot listen on {host} port {port}: {reason}.") from error
    # Connections inherit it. Without it, the last packet of an answer waits 40 ms for the client's
    # delayed acknowledgement.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening
