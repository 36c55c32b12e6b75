"""The addresses for monitoring: liveness, readiness and metrics."""

from __future__ import annotations

from dataclasses import dataclass

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from commonplace import __version__
from commonplace.server.gate.endpoints import METRICS_PATH
from commonplace.server.lifecycle.stopping import Stopping
from commonplace.server.monitoring.health import HealthChecks
from commonplace.server.monitoring.meter import CallMeter


@dataclass(frozen=True, slots=True)
class MonitoringPages:
    meter: CallMeter
    health: HealthChecks
    stopping: Stopping

    def routes(self) -> list[Route]:
        return [
            Route("/healthz", self.alive),
            Route("/readyz", self.ready),
            Route(METRICS_PATH, self.metrics),
        ]

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
