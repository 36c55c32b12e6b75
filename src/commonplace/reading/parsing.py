"""The function of the child process that parses documents.

Imports every parser and derives the classes of characters, so that no fork has to; only such a
process may import this module.
"""

from __future__ import annotations

from dataclasses import asdict
from importlib import import_module
from typing import Any

from commonplace.reading.extraction import ReadingLimits, extract
from commonplace.reading.port import Original
from commonplace.text.normalise import nfc

for _parser in ("docx", "html", "markdown", "pdf"):
    import_module(f"commonplace.reading.{_parser}")
nfc("é")


def parse(question: dict[str, Any], data: bytes) -> dict[str, Any]:
    original = Original(data, question["name"], question["media_type"])
    return asdict(extract(original, ReadingLimits(**question["limits"])))
