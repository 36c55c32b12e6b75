"""The edits of a client's files that connect or disconnect it: text in, text out."""

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
    """The configuration with the server; unchanged if it has it already."""

    def change() -> str:
        path = (*client.servers, SERVER)
        document = _TEXTS[client.syntax].read(text)
        current = _found(document, path)
        wanted = server.for_new_entry() if current is None else server
        entry = _merged(current, client.entry(wanted))
        if entry == current:
            return text
        after = _TEXTS[client.syntax].put(text, path, entry)
        return _checked(client, after, _with(document, path, entry))

    return _guarded(change)


def disconnected(client: Client, text: str) -> str:
    """The configuration without the server; empty if it contained nothing else."""

    def change() -> str:
        path = (*client.servers, SERVER)
        document = _TEXTS[client.syntax].read(text)
        if _found(document, path) is None:
            return text
        after = _TEXTS[client.syntax].drop(text, path)
        expected = _without(document, path)
        _checked(client, after, expected)
        is_json = client.syntax is Syntax.JSON
        is_empty = is_json and not expected and not json_text.has_comments(after)
        return "" if is_empty else after

    return _guarded(change)


def instructed(client: Client, text: str, paragraph: str) -> str:
    """The file of instructions with our section."""
    return _guarded(lambda: markdown_text.put(text or client.opening, paragraph))


def uninstructed(client: Client, text: str) -> str:
    """The file of instructions without our section; empty if it contained nothing else."""
    after = _guarded(lambda: markdown_text.drop(text))
    return "" if after.strip() == client.opening.strip() else after


def hooked(client: Client, text: str, server: ServerCommand, moment: SessionMoment) -> str:
    """The hooks file with our command at a moment."""
    return _guarded(lambda: hooks.hooked(client.name, text, server, moment))


def unhooked(client: Client, text: str) -> str:
    """The hooks file without our commands; empty if it contained nothing else."""
    return _guarded(lambda: hooks.unhooked(client.name, text))


def _guarded(change: Callable[[], Result]) -> Result:
    try:
        return change()
    except _UNREADABLE as error:
        raise ClientFileRefused(str(error)) from None


def _found(document: Any, path: tuple[str, ...]) -> Any:
    for depth, name in enumerate(path):
        if not isinstance(document, dict):
            raise JsonUnreadable(f"{'.'.join(path[:depth]) or 'the document'} is not an object")
        document = document.get(name)
        if document is None:
            return None
    return document


def _merged(current: Any, ours: Mapping[str, Any]) -> dict[str, Any]:
    """Our entry, with the fields that somebody added to the current one."""
    if current is None:
        return dict(ours)
    if not isinstance(current, dict):
        raise JsonUnreadable(f"its entry {SERVER} is not an object")
    if any(name in current for name in _REMOTE):
        raise JsonUnreadable(f"its entry {SERVER} connects to an address; disconnect it first")
    merged: dict[str, Any] = {**current, **ours}
    for name in ("env", "environment"):
        if isinstance(current.get(name), dict) and isinstance(ours.get(name), dict):
            merged[name] = current[name] | ours[name]
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
    """The edited text, if parsing it gives the expected document; JsonUnreadable otherwise."""
    try:
        sound = _TEXTS[client.syntax].read(after) == expected
    except _UNREADABLE:
        sound = False
    if not sound:
        raise JsonUnreadable("it has a form that cannot be edited safely")
    return after
