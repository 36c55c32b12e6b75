"""A surface for tests only: what conformance scenarios call by fixed names, and odd tools.

It goes through the product's own wiring; the tools that no surface of ours could have are missing.
"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from commonplace.application import Application
from commonplace.model.actor import Actor, Scope
from commonplace.model.call import Call
from commonplace.surfaces.notes import wire
from commonplace.surfaces.notes.faults import fault
from commonplace.surfaces.notes.tools import store_knowledge
from commonplace.surfaces.tool import ResourceKind, Run, Surface, Tool
from tests.waiting import patiently

SECRET = "SELECT secret FROM vault"
SECRET_FILE = "/var/lib/secret/vault.db"


class Nothing(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Region(BaseModel):
    region: Annotated[str, Field(json_schema_extra={"x-mcp-header": "Region"})] = "north"


class Text(BaseModel):
    text: str


def simple_text(_application: Application, _actor: Actor, _given: Nothing, _call: Call) -> Text:
    return Text(text="This is a simple text response for testing.")


def fails(_application: Application, _actor: Actor, _given: Nothing, _call: Call) -> Text:
    """With a text that no client may ever see."""
    raise RuntimeError(f"{SECRET} in {SECRET_FILE}")


def with_progress(_application: Application, _actor: Actor, _given: Nothing, call: Call) -> Text:
    for done in (0, 50, 100):
        call.progress(done, 100, f"{done} of 100")
    return Text(text="done")


def header(_application: Application, _actor: Actor, given: Region, _call: Call) -> Text:
    return Text(text=given.region)


def prints(_application: Application, _actor: Actor, _given: Nothing, _call: Call) -> Text:
    """Everything that could reach standard output by mistake."""
    print("a stray print", flush=True)  # noqa: T201 - the stray print is the point
    sys.stdout.write("a stray write\n")
    os.write(1, b"a stray write to the descriptor\n")
    subprocess.run(["echo", "a stray child"], check=True)
    return Text(text="printed")


def waits(_application: Application, _actor: Actor, _given: Nothing, call: Call) -> Text:
    """Works until it is told to stop."""
    call.progress(0, 1, "begun")
    for _ in patiently(look=0.01):
        call.check()
    raise AssertionError("nobody told it to stop")


def stores_later(
    application: Application, actor: Actor, given: wire.StoreArguments, call: Call
) -> wire.StoreAnswer:
    """Lets the client know that the work has begun, then stores as the product does."""
    call.progress(0, 1, "begun")
    return store_knowledge(application, actor, given, call)


def read_text(_application: Application, _actor: Actor, _id: str) -> Text:
    return Text(text="This is the content of the static text resource.")


def read_template(_application: Application, _actor: Actor, id: str) -> Text:
    return Text(text=f"Data for ID: {id}")


def read_broken(_application: Application, _actor: Actor, _id: str) -> Text:
    raise RuntimeError(f"{SECRET} in {SECRET_FILE}")


def _tool(name: str, run: Run, arguments: type[BaseModel] = Nothing) -> Tool:
    return Tool(
        name=name,
        title=name,
        description="Only for tests.",
        scope=Scope.READ,
        arguments=arguments,
        answer=None,
        run=run,
        read_only=True,
    )


def _resource(name: str, template: str, read: object) -> ResourceKind:
    assert callable(read)
    return ResourceKind(
        name=name,
        title=name,
        description="Only for tests.",
        template=template,
        aliases=(),
        scope=Scope.READ,
        read=read,
    )


FIXTURES = Surface(
    name="fixtures",
    tools=(
        _tool("test_simple_text", simple_text),
        _tool("test_error_handling", fails),
        _tool("test_tool_with_progress", with_progress),
        _tool("test_streaming_elicitation", with_progress),
        _tool("test_logging_tool", simple_text),
        _tool("test_header", header, Region),
        _tool("prints", prints),
        _tool("waits", waits),
        _tool("stores_later", stores_later, wire.StoreArguments),
    ),
    resources=(
        _resource("static-text", "test://static-text", read_text),
        _resource("template", "test://template/{id}/data", read_template),
        _resource("broken", "test://broken/{id}", read_broken),
    ),
    fault=fault,
)
