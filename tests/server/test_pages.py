"""The server's routes while the database is away."""

from __future__ import annotations

from pathlib import Path

from starlette.testclient import TestClient

from commonplace.application import LazyApplication
from commonplace.bootstrap import build
from commonplace.server.http import make_app
from commonplace.server.mcp import mcp_server
from commonplace.server.meter import CallMeter
from commonplace.settings import Settings


def test_a_database_that_goes_away_is_reported_not_raised(tmp_path: Path) -> None:
    settings, meter = Settings(home=tmp_path, worker=False), CallMeter()
    application = LazyApplication(lambda: build(settings))
    server = mcp_server(application, settings, meter.observe)
    app = make_app(application, settings, server, meter)
    with TestClient(app, base_url="http://localhost") as client:
        assert client.get("/readyz").status_code == 200
        application.get().close()
        unready = client.get("/readyz")
        assert (unready.status_code, unready.json()["code"]) == (503, "storage.unavailable")
        page = client.get("/")
        assert page.status_code == 503
        assert "storage.unavailable" in page.text
        assert client.get("/healthz").status_code == 200
