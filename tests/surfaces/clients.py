"""The official SDK's client as tests use it: connected to any server, called like a function.

Decides how a caller connects and how an answer is read; what the answer should be is the test's.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest
from anyio.from_thread import BlockingPortal
from mcp import Client, MCPError
from mcp.client.session import ClientSession
from mcp.client.streamable_http import streamable_http_client
from mcp.server.lowlevel import Server
from mcp.shared._httpx_utils import create_mcp_http_client
from mcp_types import (
    CallToolResult,
    Implementation,
    ListResourcesResult,
    PromptReference,
    ResourceTemplateReference,
    TextContent,
    TextResourceContents,
)

from commonplace.access.rules import NewToken, scopes_named
from commonplace.application import Application, LazyApplication, local_actor
from commonplace.bootstrap import build
from commonplace.model.actor import AGENT_SCOPES, Actor, Scope
from commonplace.model.query import Filter
from commonplace.model.times import Clock
from commonplace.server.mcp.endpoint import mcp_endpoint
from commonplace.settings import Settings

# What agents without a token hold by default, for those whom a test gives a token.
ORDINARY_SCOPES = ",".join(sorted(AGENT_SCOPES))
# What no answer may show, whatever went wrong.
GIVEN_AWAY = re.compile(
    r"Traceback|File \"|line \d+|\b(SELECT|INSERT|UPDATE)\b|sqlite|psycopg|postgres|pydantic|\.py\b"
    r"|/tmp|/home|127\.0\.0\.1|password|hunter2",
    re.IGNORECASE,
)
EVERYTHING = Filter(include_superseded=True, include_expired=True)
PATIENCE_SECONDS = 120.0
EMBEDDING_SECONDS = 120.0
_compile = ClientSession._output_schema_validator
_compiled: dict[str, Any] = {}


def compiled_once(session: ClientSession, tool: str, schema: dict[str, Any]) -> Any:
    """For every client in this process: to check a schema takes longer than to call its tool."""
    key = json.dumps(schema, sort_keys=True)
    if key not in _compiled:
        _compiled[key] = _compile(session, tool, schema)
    return _compiled[key]


class Caller:
    """One connected client."""

    def __init__(self, portal: BlockingPortal, client: Client) -> None:
        self._portal = portal
        self._client = client

    @property
    def revision(self) -> str:
        return self._client.protocol_version

    def tools(self) -> dict[str, Any]:
        listed = self._portal.call(self._client.list_tools)
        return {tool.name: tool for tool in listed.tools}

    def templates(self) -> list[str]:
        listed = self._portal.call(self._client.list_resource_templates)
        return [template.uri_template for template in listed.resource_templates]

    def ask(self, tool: str, /, **arguments: Any) -> CallToolResult:
        result: CallToolResult = self._portal.call(self._client.call_tool, tool, arguments)
        return result

    def call(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """The answer of a call that must succeed."""
        result = self.ask(tool, **arguments)
        document = _document(result)
        assert not result.is_error, document
        return document

    def progress_of(self, tool: str, /, **arguments: Any) -> list[tuple[float, float | None, str]]:
        """How far a call was that must succeed, of how much and with which words, each time."""
        heard: list[tuple[float, float | None, str]] = []

        async def hear(progress: float, total: float | None, message: str | None) -> None:
            heard.append((progress, total, message or ""))

        asked = partial(self._client.call_tool, tool, arguments, progress_callback=hear)
        result: CallToolResult = self._portal.call(asked)
        assert not result.is_error, result.content
        return heard

    def text(self, tool: str, /, **arguments: Any) -> str:
        """The answer, for people to read, of a call that must succeed."""
        result = self.ask(tool, **arguments)
        (content,) = result.content
        assert isinstance(content, TextContent)
        assert not result.is_error, content.text
        return content.text

    def failure(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """The answer of a call that must fail, in the dialect's envelope."""
        result = self.ask(tool, **arguments)
        document = _document(result)
        assert result.is_error, document
        return document

    def refusal(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """The error of a call that must fail, where the envelope holds nothing else."""
        document = self.failure(tool, **arguments)
        assert document.keys() == {"error"}
        error: dict[str, Any] = document["error"]
        return error

    def read(self, uri: str) -> dict[str, Any]:
        """A resource that is one JSON document."""
        (content,) = self._portal.call(self._client.read_resource, uri).contents
        assert isinstance(content, TextResourceContents)
        assert (content.uri, content.mime_type) == (uri, "application/json")
        shown: dict[str, Any] = json.loads(content.text)
        return shown

    def read_text(self, uri: str, media_type: str) -> str:
        """A resource that is a text of its own kind."""
        (content,) = self._portal.call(self._client.read_resource, uri).contents
        assert isinstance(content, TextResourceContents)
        assert (content.uri, content.mime_type) == (uri, media_type)
        return content.text

    def beside(self, uri: str) -> dict[str, Any]:
        """What is told beside the text of a resource."""
        (content,) = self._portal.call(self._client.read_resource, uri).contents
        return dict(content.meta or {})

    def resources(self, cursor: str | None = None) -> ListResourcesResult:
        listed: ListResourcesResult = self._portal.call(
            partial(self._client.list_resources, cursor=cursor)
        )
        return listed

    def prompts(self) -> dict[str, Any]:
        listed = self._portal.call(self._client.list_prompts)
        return {prompt.name: prompt for prompt in listed.prompts}

    def prompt(self, name: str, **given: str) -> str:
        """What a prompt puts before the model."""
        (message,) = self._portal.call(self._client.get_prompt, name, given).messages
        assert isinstance(message.content, TextContent)
        return message.content.text

    def completions(self, template: str, written: str) -> list[str]:
        """How the id of a resource may go on."""
        ref = ResourceTemplateReference(type="ref/resource", uri=template)
        argument = {"name": "id", "value": written}
        found = self._portal.call(partial(self._client.complete, ref, argument))
        return list(found.completion.values)

    def prompt_completions(self, prompt: str, name: str, written: str) -> list[str]:
        """How an argument of a prompt may go on."""
        ref = PromptReference(type="ref/prompt", name=prompt)
        argument = {"name": name, "value": written}
        found = self._portal.call(partial(self._client.complete, ref, argument))
        return list(found.completion.values)

    def read_refusal(self, uri: str) -> MCPError:
        with pytest.raises(MCPError) as refused:
            self._portal.call(self._client.read_resource, uri)
        return refused.value


def _document(result: CallToolResult) -> dict[str, Any]:
    """The text and the structure of an answer say the same."""
    (content,) = result.content
    assert isinstance(content, TextContent)
    document: dict[str, Any] = json.loads(content.text)
    if result.structured_content is not None:
        bare = isinstance(document, list)
        assert result.structured_content == ({"result": document} if bare else document)
    return document


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server speaks MCP over HTTP, and the token to show there."""

    url: str
    token: str

    @asynccontextmanager
    async def transport(self) -> AsyncIterator[Any]:
        headers = {"Authorization": f"Bearer {self.token}"}
        async with (
            create_mcp_http_client(headers) as client,
            streamable_http_client(self.url, http_client=client) as streams,
        ):
            yield streams


def token_for(application: Application, org: str, agent: str, scopes: Iterable[Scope]) -> str:
    new = NewToken(org, agent, frozenset(scopes))
    return application.access.create(Actor(org, "tests"), new).text


class Connections:
    """Connects callers to whatever a client can connect to; all leave with the test."""

    def __init__(self, portal: BlockingPortal, stack: ExitStack) -> None:
        self._portal = portal
        self._stack = stack

    def __call__(self, server: Any, *, mode: str = "legacy", name: str = "probe") -> Caller:
        client = Client(
            server.transport() if isinstance(server, Address) else server,
            mode=mode,
            client_info=Implementation(name=name, version="1"),
            read_timeout_seconds=PATIENCE_SECONDS,
            cache=None,
        )
        entered = self._stack.enter_context(self._portal.wrap_async_context_manager(client))
        return Caller(self._portal, entered)


class Premises:
    """The product on one store, in this process; whoever calls may be anybody."""

    def __init__(self, settings: Settings, clock: Clock, connect: Connections) -> None:
        self.settings = settings
        self.clock = clock
        self._connect = connect
        self._application = LazyApplication(lambda: build(settings, clock))

    @property
    def application(self) -> Application:
        return self._application.get()

    def server(self, **actor: Any) -> Server[Any]:
        settings = self.settings.model_copy(update=actor)
        return mcp_endpoint(self._application, settings, lambda *_: None).server()

    def caller(
        self,
        agent: str | None = "alice",
        org: str = "acme",
        scopes: str = "",
        mode: str = "legacy",
        name: str = "probe",
    ) -> Caller:
        server = self.server(agent=agent, org=org, scopes=scopes)
        return self._connect(server, mode=mode, name=name)

    def token(self, agent: str = "alice", org: str = "acme", scopes: str = ORDINARY_SCOPES) -> str:
        """What an agent would show over HTTP."""
        return token_for(self.application, org, agent, scopes_named(scopes.split(",")))

    def embed(self) -> None:
        """Everything that is due, by a worker of this process."""
        assert self.application.new_worker().drain(EMBEDDING_SECONDS)

    def count(self, org: str = "acme") -> int:
        """How many entries an org has, whatever their state."""
        settings = self.settings.model_copy(update={"org": org, "agent": "auditor"})
        return self.application.knowledge.page(local_actor(settings, "test"), EVERYTHING, 1)[1]

    def close(self) -> None:
        self._application.close()


def together(*calls: Callable[[], Any]) -> list[Any]:
    """The results of calls that are made at once."""
    with ThreadPoolExecutor(len(calls)) as pool:
        return [future.result() for future in [pool.submit(call) for call in calls]]
