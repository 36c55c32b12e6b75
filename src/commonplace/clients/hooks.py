"""Commands that a client runs when a session begins or ends, as entries of its file of hooks."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from commonplace.clients import json_text
from commonplace.clients.catalog import ServerCommand
from commonplace.clients.json_nodes import JsonUnreadable


class SessionMoment(Enum):
    """When a hook runs, by the word of our command for it."""

    START = "start"
    END = "end"


@dataclass(frozen=True, slots=True)
class HookFile:
    """Where a client keeps its hooks, what it calls the moments, and how it writes one down."""

    file: str
    events: Mapping[SessionMoment, str]
    nested: bool = True  # whether each entry holds a list of hooks, behind a matcher
    version: int | None = None


_SESSION = {SessionMoment.START: "SessionStart", SessionMoment.END: "SessionEnd"}

HOOKS: Mapping[str, HookFile] = {
    "claude-code": HookFile("{claude}/settings.json", _SESSION),
    "codex": HookFile("{codex}/hooks.json", _SESSION),
    "gemini": HookFile("{home}/.gemini/settings.json", _SESSION),
    "cursor": HookFile(
        "{home}/.cursor/hooks.json",
        {SessionMoment.START: "sessionStart", SessionMoment.END: "sessionEnd"},
        nested=False,
        version=1,
    ),
}


def hooked(client: str, text: str, server: ServerCommand, moment: SessionMoment) -> str:
    """The file with our command at that moment; as it was where it is there already."""
    hooks = HOOKS[client]
    event = hooks.events[moment]
    there = _entries(text, event)
    ours = _entry(hooks, _command(client, server, moment))
    kept = [entry for entry in there if not _is_ours(entry, moment)]
    if ours in there and len(kept) == len(there) - 1:
        return text
    if hooks.version is not None and "version" not in json_text.read(text):
        text = json_text.put(text, ("version",), hooks.version)
    return json_text.put(text, ("hooks", event), [*kept, ours])


def unhooked(client: str, text: str) -> str:
    """The file without our commands; empty where nothing else was in it."""
    hooks = HOOKS[client]
    for moment, event in hooks.events.items():
        there = _entries(text, event)
        kept = [entry for entry in there if not _is_ours(entry, moment)]
        if len(kept) == len(there):
            continue
        path = ("hooks", event)
        text = json_text.put(text, path, kept) if kept else json_text.drop(text, path)
    left = json_text.read(text)
    bare = not left or (hooks.version is not None and left == {"version": hooks.version})
    return "" if bare and not json_text.has_comments(text or "{}") else text


def answer_of(client: str, told: str) -> str:
    """What a client's hook of the start prints to put words before its agent."""
    if client == "cursor":
        return json.dumps({"additional_context": told})
    said = {"hookEventName": HOOKS[client].events[SessionMoment.START], "additionalContext": told}
    return json.dumps({"hookSpecificOutput": said})


def _command(client: str, server: ServerCommand, moment: SessionMoment) -> str:
    """A line for the shell that clients run hooks with."""
    settings = [f"{name}={value}" for name, value in server.settings.items()]
    program = [server.program, *server.arguments[:-1]]  # without the word that serves
    words = [*program, "hook", moment.value, "--client", client]
    return shlex.join([*(["env", *settings] if settings else []), *words])


def _entry(hooks: HookFile, command: str) -> dict[str, Any]:
    if hooks.nested:
        return {"hooks": [{"type": "command", "command": command}]}
    return {"command": command}


def _entries(text: str, event: str) -> list[Any]:
    document = json_text.read(text)
    for name in ("hooks", event):
        if not isinstance(document, dict):
            raise JsonUnreadable("hooks is no object")
        document = document.get(name)
        if document is None:
            return []
    if not isinstance(document, list):
        raise JsonUnreadable(f"hooks.{event} is no list")
    return document


def _is_ours(entry: Any, moment: SessionMoment) -> bool:
    """Whether an entry runs our command and nothing else."""
    if not isinstance(entry, dict):
        return False
    inner = entry.get("hooks", [entry])
    hooks = inner if isinstance(inner, list) else []
    commands = [hook.get("command") if isinstance(hook, dict) else None for hook in hooks]
    mark = f" hook {moment.value} --client "
    return bool(commands) and all(isinstance(c, str) and mark in c for c in commands)
