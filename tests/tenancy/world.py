"""A world: the product on a store of its own, in which steps are done and answers looked at.

Answers come through the official client, so that everything that a client is sent is looked at.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from anyio.from_thread import BlockingPortal
from mcp import Client, MCPError
from mcp_types import Implementation, TextContent, TextResourceContents

from commonplace.application import Application, LazyApplication, local_actor
from commonplace.bootstrap import build
from commonplace.documents.rules import NewSource
from commonplace.errors import CommonplaceError
from commonplace.memory.files import FILE
from commonplace.model.query import Filter
from commonplace.model.source import SourceScope, SourceType
from commonplace.server.mcp.endpoint import mcp_endpoint
from commonplace.settings import Settings
from tests.stores import START
from tests.tenancy import generators
from tests.tenancy.steps import Agent, Ref, Step

_WORK_SECONDS = 120.0
# Every id that the product makes; those that callers choose are the same in all worlds. In JSON a
# line of an answer begins right after the escaped end of the one before.
_ID = re.compile(
    r"\b(?:ki|rv)-\d{13}-\w+|\b[a-z]{2,6}_[0-9a-f]{32}\b"
    r"|\b(?:kp:\w+:)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"
    r"|(?:\b|(?<=\\n))(?:note|page|notebook|record|doc|skill):[0-9a-f]{10,32}\b"
    r"|(?:\b|(?<=\\n))unit:(?:trace|pattern|sop)-[0-9a-f]{10,32}\b"
)
_RANDOM = re.compile(r"[0-9a-f]{8}-?[0-9a-f]{2}")
_TIMING = re.compile(r'(duration_ms\\?": ?)\d+')


def _known_as(id: str) -> str:
    """What an id and the short reference of the same thing share; made-up ones begin with zeros."""
    random = None if id.startswith(("ki-", "rv-")) else _RANDOM.search(id)
    digits = random[0].replace("-", "") if random else ""
    return digits if digits.strip("0") else re.split(r"[:_]", id)[-1].replace("-", "")


def _nothing() -> None:
    """A file goes with its folder."""


class StepClock:
    """Says the time of the step that is being done, the same one in every world."""

    def __init__(self) -> None:
        self.step = 0

    def __call__(self) -> datetime:
        return START + timedelta(seconds=self.step)


class World:
    """Does steps, and shows answers with symbols in the place of ids."""

    def __init__(
        self, settings: Settings, portal: BlockingPortal, leave: Callable[[], None] = _nothing
    ) -> None:
        self._settings = settings
        self._portal = portal
        self._clock = StepClock()
        self._lazy = LazyApplication(lambda: build(settings, self._clock))
        self._clients: dict[Agent, Client] = {}
        self._stack = ExitStack()
        self._leave = leave
        self._ids: dict[int, str] = {}
        self._symbols: dict[str, str] = {}

    @property
    def application(self) -> Application:
        return self._lazy.get()

    def do(self, step: Step) -> str:
        """Everything that the step's agent was sent, in words that no world has for itself."""
        self._clock.step = step.number
        for ref in step.refs:
            self._symbols.setdefault(_known_as(self._id_of(ref)), f"<{ref.step}>")
        sent = self._sent(step, self._resolved(step.arguments))
        if step.trace and not step.trace.id and (made := self._made(step, sent)):
            self._ids[step.number] = made
            self._symbols.setdefault(_known_as(made), f"<{step.number}>")
        return _TIMING.sub(r"\g<1>0", self._named(sent, step.number))

    def work(self) -> None:
        """Everything that waits in the background."""
        assert self.application.new_worker().drain(_WORK_SECONDS)

    def close(self) -> None:
        self._stack.close()
        self._lazy.close()
        self._leave()

    def _made(self, step: Step, sent: str) -> str | None:
        if step.action == generators.MEMORY_FILE:
            return None if refused(sent) else self._file_of(step)
        found = (match[0] for match in _ID.finditer(sent))
        fresh = (id for id in found if _known_as(id) not in self._symbols)
        return next(fresh, None)

    def _file_of(self, step: Step) -> str:
        """The id of a file that was just written: its answer has none, later ones do."""
        actor = local_actor(self._of(step.agent), "probe")
        at = Filter(categories=(FILE,), domain=step.arguments["path"], agent=step.agent.name)
        (entry,), _ = self.application.knowledge.page(actor, at, 1)
        return entry.id

    def _named(self, sent: str, number: int) -> str:
        fresh = 0

        def symbol(match: re.Match[str]) -> str:
            nonlocal fresh
            known = _known_as(match[0])
            if known not in self._symbols:
                fresh += 1
                self._symbols[known] = f"<{number}.{fresh}>"
            return self._symbols[known]

        return _ID.sub(symbol, sent)

    def _id_of(self, ref: Ref) -> str:
        return self._ids.get(ref.step, ref.made_up)

    def _resolved(self, value: Any) -> Any:
        if isinstance(value, Ref):
            return self._id_of(value)
        if isinstance(value, Mapping):
            return {name: self._resolved(part) for name, part in value.items()}
        return value

    def _sent(self, step: Step, given: Mapping[str, Any]) -> str:
        if step.action == generators.WORK:
            self.work()
            return ""
        if step.action in generators.TOOLS:
            return self._called(step.agent, step.action, given)
        if step.action == generators.READ_RESOURCE:
            return self._read(step.agent, given["scheme"] + given["id"])
        if step.action == generators.LIST_RESOURCES:
            listed = self._portal.call(self._client(step.agent).list_resources)
            return json.dumps([resource.model_dump(mode="json") for resource in listed.resources])
        return self._with_source(step, given)

    def _called(self, agent: Agent, tool: str, given: Mapping[str, Any]) -> str:
        heard: list[object] = []

        async def note(progress: float, total: float | None, message: str | None) -> None:
            heard.append((progress, total, message))

        call = partial(self._client(agent).call_tool, tool, dict(given), progress_callback=note)
        result = self._portal.call(call)
        self.application.activity.write()  # else a later answer depends on how fast the calls were
        (content,) = result.content
        assert isinstance(content, TextContent)
        sent = [result.is_error, content.text, result.structured_content, heard]
        return json.dumps(sent, ensure_ascii=False)

    def _read(self, agent: Agent, uri: str) -> str:
        try:
            (content,) = self._portal.call(self._client(agent).read_resource, uri).contents
        except MCPError as error:
            return json.dumps([error.error.code, error.error.message, error.error.data])
        assert isinstance(content, TextResourceContents)
        return content.text

    def _with_source(self, step: Step, given: Mapping[str, Any]) -> str:
        """Through the service that REST and the command line call."""
        actor = local_actor(self._of(step.agent), "probe")
        documents = self.application.documents
        try:
            if step.action == generators.ADD_SOURCE:
                return documents.add(actor, new_page(given)).id
            if step.action == generators.REFRESH_SOURCE:
                return documents.refresh(actor, given["id"]).sync.status.value
            documents.remove(actor, given["id"])
        except CommonplaceError as error:
            return f"{error.code}: {error.message}"
        return "removed"

    def _of(self, agent: Agent) -> Settings:
        named = {"org": agent.org, "agent": agent.name, "scopes": agent.scopes}
        return self._settings.model_copy(update=named)

    def _client(self, agent: Agent) -> Client:
        if agent not in self._clients:
            server = mcp_endpoint(self._lazy, self._of(agent), lambda *_: None).server()
            named = Implementation(name="probe", version="1")
            client = Client(server, mode="legacy", client_info=named, cache=None)
            entered = self._portal.wrap_async_context_manager(client)
            self._clients[agent] = self._stack.enter_context(entered)
        return self._clients[agent]


def new_page(given: Mapping[str, Any]) -> NewSource:
    scope = given.get("scope")
    return NewSource(
        type=SourceType.PAGE,
        workspace=given.get("workspace"),
        space=given.get("space"),
        scope=SourceScope(scope) if scope else None,
        title=given["title"],
        text=given["text"],
    )


def refused(sent: str) -> bool:
    """Whether an answer is an error: of a tool, of a resource, of a service."""
    return sent.startswith(("[true", "[-", "knowledge.not_found"))


OpenWorld = Callable[[], World]


def observed(open_world: OpenWorld, steps: Sequence[Step]) -> dict[int, str]:
    """What everybody was sent, by the number of the step."""
    world = open_world()
    try:
        return {step.number: world.do(step) for step in steps}
    finally:
        world.close()
