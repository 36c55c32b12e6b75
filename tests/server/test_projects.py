"""Projects over REST."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from commonplace.application import LazyApplication
from commonplace.bootstrap import running_application
from commonplace.settings import Settings
from tests.server.rest_client import rest_client


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    settings = Settings(home=tmp_path / "home", worker=False)
    with running_application(settings) as application:
        yield rest_client(LazyApplication(lambda: application), settings)


def test_the_life_of_a_project(client: TestClient, tmp_path: Path) -> None:
    root = tmp_path / "shop"
    root.mkdir()
    given = {"key": "shop", "name": "The shop", "roots": [str(root)], "id": "proj_1"}
    added = client.post("/api/projects", json=given)
    assert added.status_code == 201, added.text
    project = added.json()["project"]
    assert project.items() >= {**given, "repository": None}.items()
    assert client.get("/api/projects").json() == {"projects": [project]}
    for named in ("shop", "proj_1"):
        assert client.get(f"/api/projects/{named}").json() == {"project": project}
    assert client.delete("/api/projects/shop").json() == {"success": True}
    assert client.get("/api/projects").json() == {"projects": []}


def test_errors_have_a_status_and_a_code(client: TestClient) -> None:
    refused = {
        400: client.post("/api/projects", json={"key": "a b"}),
        404: client.get("/api/projects/none"),
    }
    assert {status: answer.status_code for status, answer in refused.items()} == {
        400: 400,
        404: 404,
    }
    broad = client.post("/api/projects", json={"key": "all", "roots": ["/"]})
    assert (broad.status_code, broad.json()["error"]["code"]) == (400, "source.too_broad")
    assert client.post("/api/projects", content=b"[").status_code == 400
    unknown = client.post("/api/projects", json={"key": "shop", "root": "/x"})
    assert "root" in unknown.json()["error"]["message"]
    assert client.delete("/api/projects/none").json()["error"]["code"] == "project.not_found"
