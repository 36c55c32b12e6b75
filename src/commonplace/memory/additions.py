"""Requests to add knowledge and their results, as values."""

from __future__ import annotations

import re
from base64 import b64decode
from binascii import Error as NotBase64
from dataclasses import dataclass

from commonplace.errors import InvalidArgument
from commonplace.model.references import ShortReference

_DATA_URL = re.compile(r"\Adata:[^,]{0,200};base64,")
_WAYS = ("folder", "url", "text", "content")


@dataclass(frozen=True, slots=True)
class Addition:
    """A source to add: a folder, a URL, a page of text, or a named file's bytes in base64.

    `into` is the project of a folder, or the workspace of anything else.
    """

    into: str = ""
    folder: str = ""
    url: str = ""
    text: str = ""
    title: str = ""
    file_name: str = ""
    content: str = ""
    docs: bool = False
    background: bool = False


@dataclass(frozen=True, slots=True)
class Added:
    """The added source; `summary` describes its state so far."""

    reference: ShortReference
    summary: str


def checked_way(new: Addition) -> str:
    """The field that holds the source; refuses several, none, or one that lacks a companion."""
    sources = [name for name in _WAYS if getattr(new, name)]
    if len(sources) != 1:
        raise InvalidArgument(
            "Give one of folder, url, text with title, or content with name.", field="folder"
        )
    if sources[0] == "text" and not new.title.strip():
        raise InvalidArgument("A page of text needs a title.", field="title")
    if sources[0] == "content" and not new.file_name.strip():
        raise InvalidArgument("The bytes of a file need its name.", field="name")
    if sources[0] != "folder" and not new.into.strip():
        raise InvalidArgument("into must name its project or workspace.", field="into")
    return sources[0]


def bytes_of(content: str) -> bytes:
    """The bytes that base64 states, also in a data URL or with line breaks."""
    encoded = "".join(_DATA_URL.sub("", content, count=1).split())
    try:
        return b64decode(encoded, validate=True)
    except (NotBase64, ValueError):
        raise InvalidArgument("content must be base64.", field="content") from None
