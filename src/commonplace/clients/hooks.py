"""Edits a client's hooks file: the commands that it runs when a session begins or ends."""

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
    """When a hook runs; the value is the subcommand of `commonplace hook`."""

    START = "start"
    END = "end"


@dataclass(frozen=True, slots=True)
class HookFile:
    """A client's hooks file, its names of events, and the format of its entries."""

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
    """The file with our command at a moment; unchanged if it has it already."""
    hooks = HOOKS[client]
    event = hooks.events[moment]
    entries = _entries(text, event)
    ours = _entry(hooks, _command(client, server, moment))
    others = [entry for entry in entries if not _is_ours(entry, moment)]
    if ours in entries and len(others) == len(entries) - 1:
        return text
    if hooks.version is not None and "version" not in json_text.read(text):
        text = json_text.put(text, ("version",), hooks.version)
    return json_text.put(text, ("hooks", event), [*others, ours])


def unhooked(client: str, text: str) -> str:
    """The file without our commands; empty if it contained nothing else."""
    hooks = HOOKS[client]
    for moment, event in hooks.events.items():
        entries = _entries(text, event)
        others = [entry for entry in entries if not _is_ours(entry, moment)]
        if len(others) == len(entries):
            continue
        path = ("hooks", event)
        text = json_text.put(text, path, others) if others else json_text.drop(text, path)
    rest = json_text.read(text)
    is_empty = not rest or (hooks.version is not None and rest == {"version": hooks.version})
    return "" if is_empty and not json_text.has_comments(text or "{}") else text


def start_output(client: str, context: str) -> str:
    """The output of a start hook, in the client's format for adding context to a session."""
    if client == "cursor":
        return json.dumps({"additional_context": context})
    event = HOOKS[client].events[SessionMoment.START]
    output = {"hookEventName": event, "additionalContext": context}
    return json.dumps({"hookSpecificOutput": output})


def _command(client: str, server: ServerCommand, moment: SessionMoment) -> str:
    """The command line of a hook, for the client's shell."""
    settings = [f"{name}={value}" for name, value in server.settings.items()]
    program = [server.program, *server.arguments[:-1]]  # without the subcommand `mcp`
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
            raise JsonUnreadable("hooks is not an object")
        document = document.get(name)
        if document is None:
            return []
    if not isinstance(document, list):
        raise JsonUnreadable(f"hooks.{event} is not a list")
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
