"""What becomes of a client's files when it is connected or disconnected: text in, text out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any, TypeVar

from commonplace.clients import hooks, json_text, markdown_text, toml_text
from commonplace.clients.catalog import SERVER, Client, ServerCommand, Syntax
from commonplace.clients.hooks import SessionMoment
from commonplace.clients.json_nodes import JsonUnreadable
from commonplace.clients.markdown_text import MarkdownUnreadable
from commonplace.clients.toml_text import TomlUnreadable
from commonplace.errors import ClientFileRefused

_TEXTS = {Syntax.JSON: json_text, Syntax.TOML: toml_text}
_REMOTE = ("url", "httpUrl", "serverUrl")
Result = TypeVar("Result")
_UNREADABLE = (JsonUnreadable, TomlUnreadable, MarkdownUnreadable)


def connected(client: Client, text: str, server: ServerCommand) -> str:
    """The configuration with the server in it; as it was where it is there already."""

    def change() -> str:
        path = (*client.servers, SERVER)
        document = _TEXTS[client.syntax].read(text)
        there = _found(document, path)
        entry = _merged(there, client.entry(server))
        if entry == there:
            return text
        after = _TEXTS[client.syntax].put(text, path, entry)
        return _checked(client, after, _with(document, path, entry))

    return _guarded(change)


def disconnected(client: Client, text: str) -> str:
    """The configuration without the server; empty where nothing else was in it."""

    def change() -> str:
        path = (*client.servers, SERVER)
        document = _TEXTS[client.syntax].read(text)
        if _found(document, path) is None:
            return text
        after = _TEXTS[client.syntax].drop(text, path)
        expected = _without(document, path)
        _checked(client, after, expected)
        bare = client.syntax is Syntax.JSON and not expected and not json_text.has_comments(after)
        return "" if bare else after

    return _guarded(change)


def instructed(client: Client, text: str, paragraph: str) -> str:
    """The file of instructions with our paragraph in it."""
    return _guarded(lambda: markdown_text.put(text or client.opening, paragraph))


def uninstructed(client: Client, text: str) -> str:
    """The file of instructions without our paragraph; empty where nothing else was in it."""
    after = _guarded(lambda: markdown_text.drop(text))
    return "" if after.strip() == client.opening.strip() else after


def hooked(client: Client, text: str, server: ServerCommand, moment: SessionMoment) -> str:
    """The file of hooks with our command at that moment."""
    return _guarded(lambda: hooks.hooked(client.name, text, server, moment))


def unhooked(client: Client, text: str) -> str:
    """The file of hooks without our commands; empty where nothing else was in it."""
    return _guarded(lambda: hooks.unhooked(client.name, text))


def _guarded(change: Callable[[], Result]) -> Result:
    try:
        return change()
    except _UNREADABLE as error:
        raise ClientFileRefused(str(error)) from None


def _found(document: Any, path: tuple[str, ...]) -> Any:
    for depth, name in enumerate(path):
        if not isinstance(document, dict):
            raise JsonUnreadable(f"{'.'.join(path[:depth]) or 'the document'} is no object")
        document = document.get(name)
        if document is None:
            return None
    return document


def _merged(there: Any, ours: Mapping[str, Any]) -> dict[str, Any]:
    """What somebody added to the entry stays; what makes it work is ours."""
    if there is None:
        return dict(ours)
    if not isinstance(there, dict):
        raise JsonUnreadable(f"{SERVER} is there, and is no object")
    if any(name in there for name in _REMOTE):
        raise JsonUnreadable(f"{SERVER} is connected there by an address; disconnect it first")
    merged: dict[str, Any] = {**there, **ours}
    for name in ("env", "environment"):
        if isinstance(there.get(name), dict) and isinstance(ours.get(name), dict):
            merged[name] = there[name] | ours[name]
    return merged


def _with(document: Mapping[str, Any], path: tuple[str, ...], value: Any) -> dict[str, Any]:
    new = deepcopy(dict(document))
    here = new
    for name in path[:-1]:
        here = here.setdefault(name, {})
    here[path[-1]] = value
    return new


def _without(document: Mapping[str, Any], path: tuple[str, ...]) -> dict[str, Any]:
    new = deepcopy(dict(document))
    parents = [new]
    for name in path[:-1]:
        parents.append(parents[-1][name])
    for parent, name in zip(reversed(parents), reversed(path), strict=True):
        del parent[name]
        if parent:
            break
    return new


def _checked(client: Client, after: str, expected: Mapping[str, Any]) -> str:
    """The change is read again: whatever the text looked like, it says now what it should."""
    try:
        sound = _TEXTS[client.syntax].read(after) == expected
    except _UNREADABLE:
        sound = False
    if not sound:
        raise JsonUnreadable("it is written in a form that cannot be changed safely")
    return after
