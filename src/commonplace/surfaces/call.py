"""Runs a tool call: checks scope and arguments, sets the deadline, moves the work to a thread,
maps errors to the dialect's format, and logs the call."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from anyio import from_thread
from pydantic import BaseModel, ValidationError

from commonplace.application import LazyApplication
from commonplace.errors import (
    CallCancelled,
    CommonplaceError,
    DeadlineExceeded,
    InsufficientScope,
    InternalError,
    InvalidArgument,
    Issue,
)
from commonplace.model.activity import Delivery
from commonplace.model.actor import Actor, Scope
from commonplace.model.call import Call, Progress
from commonplace.surfaces.arguments import refuse_unstorable
from commonplace.surfaces.schema import RESULT
from commonplace.surfaces.tool import Markdown, Result, Surface, Tool
from commonplace.surfaces.turns import Turns
from commonplace.tracing import CALL, span

_LOG = logging.getLogger("commonplace.calls")
_UNKNOWN = "unknown argument."

Observe = Callable[[str, str, float], None]
Model = TypeVar("Model", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a call returns to the client; `structure` is the text as an object, if it has one."""

    text: str
    structure: Mapping[str, Any] | None
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Caller:
    """The caller of one call, and what the call needs from the server.

    `observe` receives its tool, status and duration; `refusal` is the gate's reason to refuse it.
    """

    actor: Actor
    progress: Progress
    observe: Observe
    turns: Turns
    refusal: CommonplaceError | None = None

    def check(self) -> None:
        if self.refusal:
            raise self.refusal


async def call_tool(
    application: LazyApplication,
    surface: Surface,
    tool: Tool,
    arguments: Mapping[str, Any],
    caller: Caller,
) -> Answer:
    """Run a tool for a caller. Any error is returned in the dialect's error format."""
    started = time.monotonic()
    deliveries: list[Delivery] = []
    call = Call(
        check=partial(_check, started + tool.deadline_seconds),
        progress=caller.progress,
        record_delivery=deliveries.append,
    )
    status = CallCancelled.code
    try:
        caller.check()
        require(caller.actor, tool.scope)
        given = validated(tool.arguments, arguments)
        with span(CALL, tool=tool.name, surface=surface.name):
            work = partial(_run, application, tool, caller.actor, given, call)
            result = await caller.turns.run(caller.actor, work, reads=tool.read_only)
        status = "ok"
        return result
    except CommonplaceError as error:
        status = error.code
        return failure(surface, error)
    except Exception:  # noqa: BLE001 - clients learn no details of an internal error
        _LOG.exception("tool failed", extra={"tool": tool.name})
        status = InternalError.code
        return failure(surface, InternalError())
    finally:
        seconds = time.monotonic() - started
        _report(tool, caller, status, seconds)
        if built := application.built():
            built.activity.note(caller.actor, tool.name, status, seconds, deliveries)


def _run(
    application: LazyApplication, tool: Tool, actor: Actor, given: BaseModel, call: Call
) -> Answer:
    """The part of a call that runs in a thread; the first call also builds the application."""
    built = application.get()
    try:
        answer = success(tool.run(built, actor, given, call))
    except InvalidArgument as error:
        raise _with_argument_names(error, tool.arguments) from None
    if tool.returns_knowledge:
        built.capture.remember(actor, answer.text, asked=given.model_dump_json())
    return answer


def success(result: Result) -> Answer:
    """The answer of a tool. A list is wrapped in an object, as older clients require."""
    if isinstance(result, Markdown):
        return Answer(result.text, None)
    document: Any = result.model_dump(mode="json", by_alias=True)
    return Answer(_json(document), {RESULT: document} if isinstance(document, list) else document)


def failure(surface: Surface, error: CommonplaceError) -> Answer:
    envelope = surface.fault(error)
    if isinstance(envelope, str):
        return Answer(envelope, None, failed=True)
    return Answer(_json(envelope), envelope, failed=True)


def _json(document: object) -> str:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


def _with_argument_names(error: InvalidArgument, model: type[BaseModel]) -> InvalidArgument:
    """A core error in which the field has the name of the dialect's argument."""
    known = model.model_fields.get(error.field or "")
    if not error.field or not known or not known.alias:
        return error
    message = error.message.replace(error.field, known.alias)
    return InvalidArgument(message, field=known.alias, issues=error.issues)


def require(actor: Actor, scope: Scope) -> None:
    """Raise InsufficientScope if the actor lacks a scope.

    Over HTTP the gate has checked it already, to answer 403; over stdio this is the only check.
    """
    if scope not in actor.scopes:
        raise InsufficientScope(f"This needs the scope {scope.value}.", needed=scope.value)


def validated(model: type[Model], arguments: Mapping[str, Any]) -> Model:
    """The arguments as a model; InvalidArgument also for text that no store can hold."""
    refuse_unstorable(arguments)
    return shaped(model, arguments)


def shaped(model: type[Model], arguments: Mapping[str, Any]) -> Model:
    """The arguments as a model; InvalidArgument has one sentence for each problem."""
    try:
        return model.model_validate(arguments)
    except ValidationError as error:
        issues = tuple(Issue(fault["loc"], problem_of(fault["msg"])) for fault in error.errors())
        message = " ".join(": ".join(filter(None, [_where(i), i.message])) for i in issues)
        if any(issue.message == _UNKNOWN and len(issue.path) == 1 for issue in issues):
            message += f" Known are {', '.join(_names(model))}."
        first = issues[0].path
        field = str(first[0]) if first else None
        raise InvalidArgument(message, field=field, issues=issues) from None


def _names(model: type[BaseModel]) -> list[str]:
    return [field.alias or name for name, field in model.model_fields.items()]


def _where(issue: Issue) -> str:
    return ".".join(map(str, issue.path))


def problem_of(message: str) -> str:
    """The validator's message, reworded where it speaks of Python rather than JSON."""
    if message == "Extra inputs are not permitted":
        return _UNKNOWN
    if message == "Field required":
        return "required."
    if message.startswith("Input should be a valid dictionary"):
        return "Input should be an object."
    return f"{message.removeprefix('Value error, ')}."


def _check(deadline: float) -> None:
    """Raise if the call was cancelled or is late; its transaction then rolls back."""
    from_thread.check_cancelled()
    if time.monotonic() > deadline:
        raise DeadlineExceeded


def _report(tool: Tool, caller: Caller, status: str, seconds: float) -> None:
    caller.observe(tool.name, status, seconds)
    _LOG.info(
        "call",
        extra={
            "tool": tool.name,
            "status": status,
            "duration_ms": round(seconds * 1000, 2),
            "org": caller.actor.org,
            "agent": caller.actor.agent,
            "client": caller.actor.client,
        },
    )
