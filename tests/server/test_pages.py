"""What the server says while its database is away, to monitors and to people."""

from __future__ import annotations

from pathlib import Path

from starlette.testclient import TestClient

from commonplace.access.rules import NewToken
from commonplace.application import LazyApplication
from commonplace.bootstrap import build
from commonplace.model.actor import ALL_SCOPES, Actor
from commonplace.server.gate.policy import access_policy
from commonplace.server.http import make_app
from commonplace.server.monitoring.meter import CallMeter
from commonplace.settings import Settings


def test_a_database_that_goes_away_is_reported_not_raised(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, worker=False)
    application = LazyApplication(lambda: build(settings))
    app = make_app(application, settings, CallMeter(), access_policy(settings, "localhost", 80))
    with TestClient(app, base_url="http://localhost") as client:
        assert client.get("/readyz").status_code == 200
        new = NewToken("local", "tests", ALL_SCOPES)
        issued = application.get().access.create(Actor("local", "tests"), new)
        client.headers["Authorization"] = f"Bearer {issued.text}"
        assert client.get("/").status_code == 200
        application.get().close()
        unready = client.get("/readyz")
        assert (unready.status_code, unready.json()["code"]) == (503, "storage.unavailable")
        page = client.get("/knowledge")
        assert page.status_code == 503
        assert "storage.unavailable" in page.text
        assert client.get("/healthz").status_code == 200
