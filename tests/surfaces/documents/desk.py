"""What tests do with sources: add them, have them read, ask for them."""

from __future__ import annotations

from typing import Any

from commonplace.application import Application, local_actor
from commonplace.documents.rules import NewSource
from commonplace.model.actor import Actor
from commonplace.model.call import PLAIN_CALL, Call
from commonplace.model.extract import Extract
from commonplace.model.source import SourceScope, SourceType
from commonplace.reading.extraction import ReadingLimits, extract
from commonplace.reading.port import Original
from commonplace.settings import Settings
from tests.surfaces.clients import Premises
from tests.surfaces.documents.asking import GET, LIST, SEARCH, Asker

WS = "ws_123"
SPACE = "space_456"
SENTENCE = "The keeper writes the level of the oil into the log book every evening. "


class InlineReader:
    """The same reading without a process of its own, where the process is not the point."""

    def __init__(self, limits: ReadingLimits) -> None:
        self._limits = limits

    def read(self, original: Original, call: Call = PLAIN_CALL) -> Extract:
        call.check()
        return extract(original, self._limits)

    def close(self) -> None:
        """There is nothing to give back."""


def actor_of(settings: Settings, org: str = "acme") -> Actor:
    return local_actor(settings.model_copy(update={"org": org, "agent": "librarian"}), "test")


class Desk:
    """A premises with somebody who adds sources and somebody who asks."""

    def __init__(self, premises: Premises, asker: Asker) -> None:
        self.premises = premises
        self.asker = asker

    @property
    def application(self) -> Application:
        return self.premises.application

    def add(self, kind: SourceType, *, org: str = "acme", **fields: Any) -> str:
        """The id of a new source in the usual workspace, not read yet."""
        if fields.get("scope") is not SourceScope.SYSTEM:
            fields.setdefault("workspace", WS)
        actor = actor_of(self.premises.settings, org)
        return self.application.documents.add(actor, NewSource(kind, **fields)).id

    def page(self, title: str, text: str, **fields: Any) -> str:
        return self.add(SourceType.PAGE, title=title, text=text, **fields)

    def file(self, file_name: str, data: str | bytes, **fields: Any) -> str:
        data = data.encode() if isinstance(data, str) else data
        return self.add(SourceType.FILE, file_name=file_name, data=data, **fields)

    def url(self, url: str, **fields: Any) -> str:
        return self.add(SourceType.URL, url=url, **fields)

    def read(self) -> None:
        """Everything that waits, by a worker of this process."""
        self.premises.embed()

    def refresh(self, id: str, **fields: Any) -> None:
        new = NewSource(SourceType.FILE, **fields) if fields else None
        self.application.documents.refresh(actor_of(self.premises.settings), id, new)

    def remove(self, id: str) -> None:
        self.application.documents.remove(actor_of(self.premises.settings), id)

    def search(self, query: str, workspace: str = WS, **more: Any) -> list[dict[str, Any]]:
        answer = self.asker.call(SEARCH, query=query, workspaceId=workspace, **more)
        results: list[dict[str, Any]] = answer["results"]
        assert answer["count"] == len(results)
        return results

    def contents(self, query: str, workspace: str = WS, **more: Any) -> list[str]:
        return [result["content"] for result in self.search(query, workspace, **more)]

    def names(self, workspace: str = WS, **more: Any) -> list[str]:
        answer = self.asker.call(LIST, workspaceId=workspace, **more)
        assert answer["count"] == len(answer["sources"])
        return [source["name"] for source in answer["sources"]]

    def get(self, id: str) -> dict[str, Any]:
        source: dict[str, Any] = self.asker.call(GET, sourceId=id)["source"]
        return source

    def ready(self, id: str) -> dict[str, Any]:
        source = self.get(id)
        assert source["status"] == "ready", source
        return source

    def failed(self, id: str) -> str:
        """Why reading it failed."""
        source = self.get(id)
        assert source["status"] == "error", source
        message: str = source["errorMessage"]
        return message
