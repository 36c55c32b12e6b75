"""Servers as processes: reading by itself, restarts, kills, and answers while reading goes on."""

from __future__ import annotations

import threading
from typing import Any

import httpx
import pytest

from commonplace.settings import Settings
from tests.loopback import send
from tests.surfaces.documents.asking import GET, LIST, SEARCH
from tests.surfaces.documents.desk import SENTENCE, WS
from tests.surfaces.documents.website import Website
from tests.surfaces.nearness import answer, embedded_at, near
from tests.surfaces.processes import HttpServer, Processes
from tests.unit.embedding.local_endpoint import Answered, Asked, local_endpoint
from tests.waiting import eventually


class Remote:
    """Somebody who speaks to a server over HTTP."""

    def __init__(self, server: HttpServer) -> None:
        self._address = server.address
        self._headers = {"Authorization": f"Bearer {server.token}"}

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        request = {"jsonrpc": "2.0", "method": method, "params": params, "id": 1}
        answered = self._post("/rpc", request).json()
        result: dict[str, Any] = answered["result"]
        return result

    def add(self, **fields: Any) -> str:
        given = {"workspaceId": WS, **fields}
        id: str = self._post("/api/sources", given).json()["source"]["id"]
        return id

    def remove(self, id: str) -> None:
        url = f"{self._address}/api/sources/{id}"
        assert send("DELETE", url, headers=self._headers).status_code == 200

    def _post(self, path: str, document: dict[str, Any]) -> httpx.Response:
        url = f"{self._address}{path}"
        return send("POST", url, json=document, headers=self._headers)

    def status(self, id: str) -> str:
        status: str = self.call(GET, sourceId=id)["source"]["status"]
        return status

    def wait_for(self, id: str, *statuses: str) -> None:
        """As long as it takes; the test's own time limit is the only one."""
        eventually(lambda: self.status(id) in statuses)

    def contents(self, query: str) -> list[str]:
        results = self.call(SEARCH, query=query, workspaceId=WS)["results"]
        return [result["content"] for result in results]


@pytest.fixture
def working(settings: Settings) -> Settings:
    return settings.model_copy(update={"worker": True, "fetch_allow": "127.0.0.1"})


@pytest.mark.requirement("documents.status.automatic", "documents.expect.restart")
def test_what_was_added_is_read_and_survives_a_restart(
    processes: Processes, working: Settings, endpoint: str
) -> None:
    told = working.model_copy(update=embedded_at(endpoint))
    server = processes.serve(told)
    remote = Remote(server)
    id = remote.add(type="page", title="Oil", content=f"{near(80)} is the level.")
    remote.wait_for(id, "ready")
    before = remote.call(LIST, workspaceId=WS)
    assert remote.contents("oil") == [f"# Oil\n\n{near(80)} is the level."]
    server.kill()
    again = Remote(processes.serve(told))
    assert again.call(LIST, workspaceId=WS) == before
    assert again.contents("oil") == [f"# Oil\n\n{near(80)} is the level."]


@pytest.mark.requirement("documents.expect.restart")
@pytest.mark.parametrize("moment", ["waiting", "fetching", "embedding"])
def test_a_source_is_read_after_its_server_was_killed(
    processes: Processes, working: Settings, site: Website, moment: str
) -> None:
    reached, go_on = threading.Event(), threading.Event()

    def embed(asked: Asked) -> Answered:
        if moment == "embedding" and not asked.inputs[0].startswith("query"):
            reached.set()
            go_on.wait(120)
        return answer(asked)

    with local_endpoint(embed) as model:
        told = working.model_copy(update=embedded_at(model.url))
        first = told.model_copy(update={"worker": moment != "waiting"})
        server = processes.serve(first)
        if moment == "fetching":
            site.gate.clear()
        id = Remote(server).add(type="url", sourceUrl=site.put("/a", "<p>old words</p>"))
        eventually(lambda: moment != "fetching" or bool(site.asked))
        if moment == "embedding":
            assert reached.wait(120)
        assert Remote(server).status(id) == ("pending" if moment == "waiting" else "processing")
        server.kill()
        go_on.set()
        site.gate.set()
        again = Remote(processes.serve(told))
        again.wait_for(id, "ready", "error")
        assert again.status(id) == "ready"
        assert again.contents("old") == ["old words"]


@pytest.mark.requirement("documents.expect.responsive-while-processing")
def test_a_large_source_does_not_hold_up_answers(processes: Processes, working: Settings) -> None:
    """With the model inside the package, which computes for both."""
    remote = Remote(processes.serve(working))
    small = remote.add(type="page", title="Horn", content="The horn sounds in fog.")
    remote.wait_for(small, "ready")
    text = "\n\n".join(f"# Part {n}\n\n{SENTENCE * 40}" for n in range(150))
    large = remote.add(type="page", title="Log", content=text)
    remote.wait_for(large, "processing")
    for _ in range(5):
        assert remote.contents("when does the horn sound")[0].endswith("The horn sounds in fog.")
        assert remote.call(LIST, workspaceId=WS)["count"] == 2
        note = remote.add(type="page", title="Later", content="Text.")
        assert remote.status(note) == "pending"
        remote.remove(note)
        assert remote.status(large) == "processing", "all of this while it is being read"
