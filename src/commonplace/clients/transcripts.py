"""What was said in a session, out of the file that a client keeps of it; tools left out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

_SPEAKERS = frozenset({"user", "assistant", "human", "gemini", "model"})
_TEXTS = frozenset({"text", "input_text", "output_text"})
_DEEPEST = 6
_UNREADABLE = (ValueError, RecursionError)


def spoken(text: str, most: int) -> str:
    """The last so many characters of what was said, one paragraph a turn; tools left out."""
    turns = [turn for document in _documents(text) for turn in _turns(document, 0)]
    return "\n\n".join(turns)[-most:]


def _documents(text: str) -> Iterator[Any]:
    """One JSON document, or one a line; a line that is none is passed over."""
    try:
        yield json.loads(text)
    except _UNREADABLE:
        for line in text.splitlines():
            with suppress(*_UNREADABLE):
                yield json.loads(line)


def _turns(value: Any, depth: int) -> Iterator[str]:
    if depth > _DEEPEST:
        return
    if isinstance(value, list):
        for inner in value:
            yield from _turns(inner, depth + 1)
    elif isinstance(value, dict):
        said = _said(value)
        if said:
            yield said
            return
        for inner in value.values():
            if isinstance(inner, dict | list):
                yield from _turns(inner, depth + 1)


def _said(value: dict[str, Any]) -> str:
    if not {value.get("role"), value.get("type")} & _SPEAKERS:
        return ""
    return _text(value.get("content", value.get("text", value.get("parts"))))


def _text(content: Any) -> str:
    """A text, or the parts of one that are texts themselves."""
    if isinstance(content, str):
        return content.strip()
    if not isinstance(content, list):
        return ""
    parts = [part for part in content if isinstance(part, dict)]
    texts = [part.get("text") for part in parts if part.get("type", "text") in _TEXTS]
    return "\n".join(text for text in texts if isinstance(text, str)).strip()
