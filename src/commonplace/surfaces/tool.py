"""What a surface declares: its tools and resources, as data; nothing registers itself."""

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
    """An answer for people to read, without a structure of its own."""

    text: str


# The arguments are of the tool's own model; the wrapper has validated them.
Result = BaseModel | Markdown
Run = Callable[[Application, Actor, Any, Call], Result]
DEADLINE_SECONDS = 120.0
# How something may go on that begins so, of what the caller may read.
Complete = Callable[[Application, Actor, str], Sequence[str]]
# An envelope, or a sentence where the dialect has none.
Fault = Callable[[CommonplaceError], Mapping[str, Any] | str]


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool. `answer` is None where the dialect's answer has no fixed object shape.

    What `hands_out` stored knowledge is remembered, so that it is not captured again as news.
    `answer_listed` shows the shape of the answer in the list of tools without being asked.
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
    hands_out: bool = False
    deadline_seconds: float = DEADLINE_SECONDS
    answer_listed: bool = False


@dataclass(frozen=True, slots=True)
class Listed:
    """One resource in a list of them."""

    uri: str
    name: str
    description: str


@dataclass(frozen=True, slots=True)
class ResourceKind:
    """Resources that are read by a URI made from a template; `aliases` are other schemes.

    `read` gives a document, or the text itself; `page` lists them where they are few enough, and
    `complete` tells how an id may go on that begins so.
    """

    name: str
    title: str
    description: str
    template: str
    aliases: tuple[str, ...]
    scope: Scope
    read: Callable[[Application, Actor, str], BaseModel | str]
    media_type: str = "application/json"
    page: Callable[[Application, Actor, int, int], Sequence[Listed]] | None = None
    complete: Complete | None = None


@dataclass(frozen=True, slots=True)
class PromptField:
    name: str
    description: str
    required: bool = False
    complete: Complete | None = None


@dataclass(frozen=True, slots=True)
class PromptKind:
    """What a person asks an agent for with one word; `text` makes the request of what is given."""

    name: str
    title: str
    description: str
    arguments: tuple[PromptField, ...]
    text: Callable[[Mapping[str, str]], str]


@dataclass(frozen=True, slots=True)
class Surface:
    """One dialect; `fault` gives an error its envelope."""

    name: str
    tools: tuple[Tool, ...]
    resources: tuple[ResourceKind, ...]
    fault: Fault
    prompts: tuple[PromptKind, ...] = ()
