"""Extraction in a child process, for several files per message."""

from __future__ import annotations

from base64 import b64decode, b64encode
from typing import Any

from commonplace.codegraph.extraction.coding import encoded
from commonplace.codegraph.extraction.extract import extract


def extract_some(question: dict[str, Any], data: bytes) -> dict[str, Any]:
    """Extract facts; `question` lists paths with sizes, and `data` is their bytes concatenated."""
    facts: list[str] = []
    start = 0
    for path, size in question["files"]:
        facts.append(b64encode(encoded(extract(path, data[start : start + size]))).decode())
        start += size
    return {"facts": facts}


def facts_of(answer: dict[str, Any]) -> list[bytes]:
    """Decode an answer of `extract_some`: the encoded facts of each file."""
    return [b64decode(each) for each in answer["facts"]]
