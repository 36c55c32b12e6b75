"""What operators of a server look at: its status, whether it is alive and ready, its metrics."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from commonplace import __version__
from commonplace.application import LazyApplication
from commonplace.errors import CommonplaceError
from commonplace.model.actor import Actor
from commonplace.server.doors import METRICS_PATH
from commonplace.server.health import HealthChecks
from commonplace.server.html import page
from commonplace.server.meter import CallMeter
from commonplace.server.stopping import Stopping
from commonplace.server.visitors import visitor_of
from commonplace.settings import Settings
from commonplace.surfaces.turns import Turns


@dataclass(frozen=True, slots=True)
class Pages:
    application: LazyApplication
    settings: Settings
    meter: CallMeter
    health: HealthChecks
    stopping: Stopping
    turns: Turns

    def routes(self) -> list[Route]:
        return [
            Route("/", self.status),
            Route("/healthz", self.alive),
            Route("/readyz", self.ready),
            Route(METRICS_PATH, self.metrics),
        ]

    async def status(self, request: Request) -> Response:
        actor = visitor_of(request.scope).actor(self.settings, "status")
        try:
            work = partial(_facts, self.application, actor)
            facts, status = await self.turns.run(actor, work, reads=True), 200
        except CommonplaceError as error:
            facts, status = {"Unavailable": error.code}, 503
        return page("status.html", status, version=__version__, facts=facts)

    async def alive(self, _request: Request) -> Response:
        return JSONResponse({"status": "ok", "version": __version__})

    async def ready(self, _request: Request) -> Response:
        if self.stopping.begun:
            return JSONResponse({"status": "stopping"}, status_code=503)
        if code := await to_thread.run_sync(self.health.problem):
            return JSONResponse({"status": "unavailable", "code": code}, status_code=503)
        return JSONResponse({"status": "ok"})

    async def metrics(self, _request: Request) -> Response:
        body, media_type = await to_thread.run_sync(self.meter.exposition)
        return Response(body, media_type=media_type)


def _facts(application: LazyApplication, actor: Actor) -> dict[str, object]:
    """Counts of one's own org only: whoever opens the page need not be allowed to read anything."""
    status = application.get().upkeep.status(actor)
    return {
        "Store": f"{status.health.dialect} {status.health.version}",
        "Schema version": status.health.schema_version,
        "Chunks": status.chunks.total,
        "Embedded": status.chunks.ready,
        "Waiting for an embedding": status.chunks.pending,
        "Given up": status.chunks.failed,
        "Model": status.model,
    }
