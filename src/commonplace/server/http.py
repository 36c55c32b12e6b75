"""The HTTP server: a status page, health checks, and a worker beside them."""

from __future__ import annotations

import logging
import signal
import socket
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import uvicorn
from anyio import to_thread
from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from commonplace import __version__
from commonplace.application import Application
from commonplace.errors import CommonplaceError, InvalidArgument

_LOG = logging.getLogger("commonplace.server")
_LAST_REQUESTS_SECONDS = 5
_TEMPLATES = Environment(
    loader=PackageLoader("commonplace.server"), autoescape=True, undefined=StrictUndefined
)


def make_app(application: Application) -> Starlette:
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
            await to_thread.run_sync(application.upkeep.health)
        except CommonplaceError as error:
            return JSONResponse({"status": "unavailable", "code": error.code}, status_code=503)
        return JSONResponse({"status": "ok"})

    routes = [Route("/", status_page), Route("/healthz", alive), Route("/readyz", ready)]
    return Starlette(routes=routes, lifespan=_worker_beside(application))


def _facts(application: Application) -> dict[str, object]:
    """Counts only: whoever opens the page need not be allowed to read anything."""
    status = application.upkeep.status(application.local_actor("status"))
    return {
        "Store": f"{status.health.dialect} {status.health.version}",
        "Schema version": status.health.schema_version,
        "Chunks": status.chunks.total,
        "Embedded": status.chunks.ready,
        "Waiting for an embedding": status.chunks.pending,
        "Given up": status.chunks.failed,
        "Model": status.model,
    }


Lifespan = Callable[[Starlette], AbstractAsyncContextManager[None]]


def _worker_beside(application: Application) -> Lifespan:
    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        stop = threading.Event()
        worker = threading.Thread(
            target=application.new_worker().run, args=(stop,), name="worker", daemon=True
        )
        if application.settings.worker:
            worker.start()
        yield
        stop.set()
        if application.settings.worker:
            await to_thread.run_sync(worker.join, 10.0)

    return lifespan


def serve(application: Application, host: str, port: int) -> None:
    """Serve until SIGINT or SIGTERM; then return, so that the caller can close what it opened."""
    listening = _listen(host, port)
    config = uvicorn.Config(
        make_app(application),
        log_config=None,
        log_level="warning",
        access_log=False,
        lifespan="on",
        timeout_graceful_shutdown=_LAST_REQUESTS_SECONDS,
    )
    for number in (signal.SIGINT, signal.SIGTERM):
        # uvicorn raises the signal again when it has stopped; by then there is nothing left to do.
        signal.signal(number, lambda _number, _frame: None)
    taken = listening.getsockname()[1]
    _LOG.info("serving", extra={"url": f"http://{f'[{host}]' if ':' in host else host}:{taken}/"})
    with listening:
        uvicorn.Server(config).run(sockets=[listening])
    _LOG.info("stopped")


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        reason = (error.strerror or "unknown reason").lower()
        raise InvalidArgument(f"Cannot listen on {host} port {port}: {reason}.") from error
