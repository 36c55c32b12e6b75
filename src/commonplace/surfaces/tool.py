"""What a surface consists of, as data: tools, resources and prompts. Nothing registers itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from commonplace.application import Application
from commonplace.errors import CommonplaceError
from commonplace.model.actor import Actor, Scope
from commonplace.model.call import Call


@dataclass(frozen=True, slots=True)
class Markdown:
    """An answer that is only text, without structured content."""

    text: str


Result = BaseModel | Markdown
# The third argument is an instance of the tool's argument model, already validated.
Run = Callable[[Application, Actor, Any, Call], Result]
DEADLINE_SECONDS = 120.0
# Completions of a prefix, among what the caller may read.
Complete = Callable[[Application, Actor, str], Sequence[str]]
# The dialect's form of an error: an object, or a sentence if the dialect has no such object.
Fault = Callable[[CommonplaceError], Mapping[str, Any] | str]


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool as data: its schema, the scope it needs, and the function that runs it.

    `answer` is None if the answer has no fixed shape. `answer_listed` puts its schema into the list
    of tools even where output schemas are switched off. The answers of a tool that
    `returns_knowledge` are remembered for a while, so that capture does not take them for new.
    """

    name: str
    title: str
    description: str
    scope: Scope
    arguments: type[BaseModel]
    answer: type[BaseModel] | None
    run: Run
    read_only: bool
    destructive: bool = False
    idempotent: bool = False
    returns_knowledge: bool = False
    deadline_seconds: float = DEADLINE_SECONDS
    answer_listed: bool = False


@dataclass(frozen=True, slots=True)
class ListedResource:
    """A resource as it appears in `resources/list`."""

    uri: str
    name: str
    description: str


@dataclass(frozen=True, slots=True)
class ResourceKind:
    """Resources with a common URI template; `aliases` are further templates for the same.

    `read` returns a document or plain text. `page` lists the resources, if they are few enough to
    be listed. `complete` completes an id.
    """

    name: str
    title: str
    description: str
    template: str
    aliases: tuple[str, ...]
    scope: Scope
    read: Callable[[Application, Actor, str], BaseModel | str]
    media_type: str = "application/json"
    page: Callable[[Application, Actor, int, int], Sequence[ListedResource]] | None = None
    complete: Complete | None = None


@dataclass(frozen=True, slots=True)
class PromptField:
    name: str
    description: str
    required: bool = False
    complete: Complete | None = None


@dataclass(frozen=True, slots=True)
class PromptKind:
    """A prompt that a person can pick in a client; `text` renders it from its arguments."""

    name: str
    title: str
    description: str
    arguments: tuple[PromptField, ...]
    text: Callable[[Mapping[str, str]], str]


@dataclass(frozen=True, slots=True)
class Surface:
    """A dialect as data; `fault` converts an error to its wire format."""

    name: str
    tools: tuple[Tool, ...]
    resources: tuple[ResourceKind, ...]
    fault: Fault
    prompts: tuple[PromptKind, ...] = ()
