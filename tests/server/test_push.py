"""A folder is sent to a server: first what it holds, then the bytes that are not there yet."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from commonplace.application import LazyApplication
from commonplace.bootstrap import build
from commonplace.model.actor import Actor
from commonplace.settings import Settings
from commonplace.workspace.projects.identity import NewProject
from commonplace.workspace.projects.scope import EVERYTHING
from commonplace.workspace.runs.outcome import RunRequest
from tests.server.rest_client import rest_client

CODE = b"export function wolfram() {\n  return 1;\n}\n"
PAGE = b"# Osmium\n\nAbout osmium.\n"


class House:
    """One server with a project, and who pushes to it."""

    def __init__(self, home: Path) -> None:
        settings = Settings(home=home, worker=False, source_max_bytes=1_000)
        self.lazy = LazyApplication(lambda: build(settings))
        self.client = rest_client(self.lazy, settings)
        self.lazy.get().workspace.add_project(self.actor, NewProject("shop", ()))

    @property
    def actor(self) -> Actor:
        return self.lazy.get().local_actor("test")

    def push(self, **files: bytes) -> Any:
        given = [
            {"path": path.replace("__", "/"), "digest": digest(data), "size": len(data)}
            for path, data in files.items()
        ]
        body = {"project": "shop", "name": "src", "files": given}
        return self.client.post("/api/push", json=body)

    def send(self, data: bytes, named: str | None = None) -> int:
        answer = self.client.put(f"/api/push/{named or digest(data)}", content=data)
        return int(answer.status_code)

    def texts(self) -> dict[str, int]:
        """Chunks of each file of what is attached."""
        application = self.lazy.get()
        application.runs.ingest(self.actor, RunRequest())
        view = application.workspace.view(self.actor, EVERYTHING)
        return {one.resource.name: view.counts[one.resource.key].chunks for one in view.attached}


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    made = House(tmp_path / "home")
    yield made
    made.lazy.close()


def test_only_what_is_missing_is_sent_and_then_read(house: House) -> None:
    first = house.push(a=CODE, docs__b=PAGE)
    assert first.json() == {"done": False, "missing": [digest(CODE), digest(PAGE)]}
    assert [house.send(CODE), house.send(PAGE)] == [201, 201]

    done = house.push(a=CODE, docs__b=PAGE).json()

    assert (done["done"], done["written"], done["removed"]) == (True, 2, 0)
    assert done["runId"]
    assert house.texts() == {"src": 2}
    again = house.push(a=CODE, docs__b=PAGE).json()
    assert (again["written"], again["runId"]) == (0, None)


def test_what_a_push_no_longer_names_is_gone(house: House) -> None:
    for data in (CODE, PAGE):
        house.send(data)
    house.push(a=CODE, b=PAGE)
    assert house.texts() == {"src": 2}

    done = house.push(a=PAGE).json()

    assert (done["written"], done["removed"]) == (1, 1)
    assert house.texts() == {"src": 1}
    # Nobody stands on the old bytes, so they were forgotten.
    assert house.push(a=CODE).json()["missing"] == [digest(CODE)]


def test_bytes_must_be_what_they_are_called(house: House) -> None:
    assert house.send(CODE, named=digest(PAGE)) == 400
    assert house.send(b"x" * 1_001) == 413


def test_errors_have_a_status_and_a_code(house: House) -> None:
    unknown = house.client.post("/api/push", json={"project": "no", "name": "src", "files": []})
    assert (unknown.status_code, unknown.json()["error"]["code"]) == (404, "project.not_found")
    secret = house.push(**{".env": CODE})
    assert (secret.status_code, secret.json()["error"]["code"]) == (400, "source.sensitive")
    outside = house.push(**{"..__a": CODE})
    assert outside.json()["error"]["code"] == "validation.invalid_argument"
