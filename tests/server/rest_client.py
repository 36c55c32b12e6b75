"""A client of the REST addresses that may do anything in the local actor's org."""

from __future__ import annotations

from starlette.testclient import TestClient

from commonplace.application import LazyApplication
from commonplace.model.actor import Scope
from commonplace.server.gate.policy import access_policy
from commonplace.server.http import make_app
from commonplace.server.monitoring.meter import CallMeter
from commonplace.settings import Settings
from tests.surfaces.clients import token_for


def rest_client(application: LazyApplication, settings: Settings) -> TestClient:
    app = make_app(application, settings, CallMeter(), access_policy(settings, "localhost", 80))
    built = application.get()
    actor = built.local_actor("test")
    token = token_for(built, actor.org, actor.agent, Scope)
    headers = {"Authorization": f"Bearer {token}"}
    return TestClient(app, base_url="http://127.0.0.1", headers=headers)
