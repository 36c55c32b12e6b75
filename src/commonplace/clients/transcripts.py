"""Extracts what was said from a client's transcript, without tool calls and what clients insert.

The files of common clients are recognised by their shape; what is no JSON is plain text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from commonplace.clients.exports import ASSISTANT, USER, exported_turns

_PEOPLE = frozenset({"user", "human"})
_AGENTS = frozenset({"assistant", "gemini", "model"})
_TEXTS = frozenset({"text", "input_text", "output_text"})
_DEEPEST = 8
_BEGINNING = 100_000
_FOLDER = re.compile(r'"(?:cwd|directory)":\s?(?P<folder>"(?:[^"\\\n]|\\.){1,1000}+")')
# Marks of messages that the client wrote and nobody said.
_OWN = ("isMeta", "isCompactSummary")
# `<system-reminder>`, `<environment_context>`, `<INSTRUCTIONS>`; a question may be wrapped too.
_OPENED = re.compile(r"<(?P<name>[a-zA-Z]+(?:[-_][a-zA-Z]+)+|INSTRUCTIONS)(?:\s[^<>\n]{0,200})?>")
_ASKED = frozenset({"user_query", "user-query", "user_message", "user-message"})
_UNREADABLE = (ValueError, RecursionError)


def turns_of(text: str) -> list[str]:
    """The turns of a conversation, each with its speaker; plain text is one turn."""
    documents = list(_documents(text))
    if not documents:
        exported = [turn for spoken in exported_turns(text) for turn in _turn(*spoken)]
        return exported or ([text.strip()] if text.strip() else [])
    return [turn for document in documents for turn in _turns(document, 0)]


def project_of(text: str) -> str | None:
    """The name of the folder that a session ran in, if its client noted it at the beginning."""
    found = _FOLDER.search(text, 0, _BEGINNING)
    if found is None:
        return None
    with suppress(ValueError):
        folder: str = json.loads(found["folder"])
        return re.split(r"[/\\]", folder.rstrip("/\\"))[-1] or None
    return None


def _documents(text: str) -> Iterator[Any]:
    """The JSON document in a text, or one per line; lines that are not JSON are skipped."""
    found: list[Any] = []
    try:
        found.append(json.loads(text))
    except _UNREADABLE:
        for line in text.splitlines():
            with suppress(*_UNREADABLE):
                found.append(json.loads(line))
    yield from (one for one in found if isinstance(one, dict | list))


def _turns(value: Any, depth: int) -> Iterator[str]:
    if depth > _DEEPEST:
        return
    if isinstance(value, list):
        for inner in value:
            yield from _turns(inner, depth + 1)
    elif isinstance(value, dict) and not any(value.get(mark) is True for mark in _OWN):
        turns = list(_turns_in(value))
        if turns:
            yield from turns
            return
        for inner in value.values():
            if isinstance(inner, dict | list):
                yield from _turns(inner, depth + 1)


def _turns_in(value: dict[str, Any]) -> Iterator[str]:
    if isinstance(value.get("message"), dict) and isinstance(value.get("response"), list):
        answers = [part.get("value") for part in value["response"] if isinstance(part, dict)]
        yield from _turn(USER, _text(value["message"].get("text")))
        yield from _turn(ASSISTANT, "\n".join(one for one in answers if isinstance(one, str)))
        return
    roles = set(_roles(value))
    speaker = USER if roles & _PEOPLE else ASSISTANT if roles & _AGENTS else None
    if speaker:
        yield from _turn(speaker, _text(_content(value)))


def _roles(value: dict[str, Any]) -> Iterator[str]:
    """What may say who speaks: "user", "user.message", the role of an author or of `info`."""
    holders = [value, *(value.get(name) for name in ("author", "info"))]
    for holder in holders:
        for name in ("role", "type", "sender"):
            role = holder.get(name) if isinstance(holder, dict) else None
            if isinstance(role, str):
                yield role.removesuffix(".message")


def _content(value: dict[str, Any]) -> Any:
    for holder in (value, value.get("message"), value.get("data")):
        for name in ("content", "text", "parts"):
            if isinstance(holder, dict) and holder.get(name) is not None:
                return holder[name]
    return None


def _turn(speaker: str, text: str) -> Iterator[str]:
    said = _without_insertions(text).strip()
    if said:
        yield f"{speaker}: {said}"


def _without_insertions(text: str) -> str:
    """The text without the elements that a client puts into a turn."""
    if "</" not in text:
        return text
    kept, at = [], 0
    unclosed = set(_ASKED)
    for opened in _OPENED.finditer(text):
        name = opened["name"]
        if opened.start() < at or name in unclosed:
            continue
        closed = f"</{name}>"
        end = text.find(closed, opened.end())
        if end < 0:
            unclosed.add(name)
            continue
        kept.append(text[at : opened.start()])
        at = end + len(closed)
    return "".join([*kept, text[at:]])


def _text(content: Any) -> str:
    """The text of a message, given as a string or as a list of parts."""
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        return _text(content.get("parts"))
    if not isinstance(content, list):
        return ""
    return "\n".join(filter(None, map(_part, content)))


def _part(part: Any) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, dict) or part.get("synthetic") is True:
        return ""
    if part.get("type", "text") not in _TEXTS:
        return ""
    text = part.get("text")
    return text if isinstance(text, str) else ""
