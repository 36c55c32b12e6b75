"""Extracts the conversation from a client's transcript file, without tool calls.

Recognises Claude Code and Codex (one JSON document per line), Gemini and Cursor, and exports of
ChatGPT and VS Code chat. Anything else is taken for plain text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

_PEOPLE = frozenset({"user", "human"})
_AGENTS = frozenset({"assistant", "gemini", "model"})
_TEXTS = frozenset({"text", "input_text", "output_text"})
_DEEPEST = 8
_BEGINNING = 100_000
_FOLDER = re.compile(r'"cwd":\s?(?P<folder>"(?:[^"\\\n]|\\.){1,1000}+")')
_UNREADABLE = (ValueError, RecursionError)


def turns_of(text: str) -> list[str]:
    """The turns of a conversation, each with its speaker; plain text is one turn."""
    documents = list(_documents(text))
    if not documents:
        return [text.strip()] if text.strip() else []
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
    elif isinstance(value, dict):
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
        yield from _turn("User", _text(value["message"].get("text")))
        yield from _turn("Assistant", "\n".join(one for one in answers if isinstance(one, str)))
        return
    author = value.get("author")
    inner = author.get("role") if isinstance(author, dict) else None
    roles = {
        role for role in (value.get("role"), value.get("type"), inner) if isinstance(role, str)
    }
    speaker = "User" if roles & _PEOPLE else "Assistant" if roles & _AGENTS else None
    if speaker:
        content = value.get("content", value.get("text", value.get("parts")))
        yield from _turn(speaker, _text(content))


def _turn(speaker: str, text: str) -> Iterator[str]:
    if text.strip():
        yield f"{speaker}: {text.strip()}"


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
    if not isinstance(part, dict) or part.get("type", "text") not in _TEXTS:
        return ""
    text = part.get("text")
    return text if isinstance(text, str) else ""
