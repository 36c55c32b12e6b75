"""The role of a passage for a symbol, judged by its text, for names that the graph does not
know."""

from __future__ import annotations

import re
from collections.abc import Sequence

from commonplace.codegraph.answering.answer import PlaceRole
from commonplace.codegraph.answering.question import Question, name_parts
from commonplace.model.chunk import Chunk
from commonplace.text.path_class import PathClass, path_class

_IMPORT = re.compile(r"^\s*(?:import|from|use|using|require|#include)\b|\brequire\(")
_EXPORT = re.compile(r"^\s*(?:export|module\.exports|exports\.|__all__)\b")


def role_of(chunk: Chunk, question: Question) -> PlaceRole:
    kind = path_class(chunk.metadata.path or "")
    if kind is PathClass.TEST:
        return PlaceRole.TEST
    if chunk.headings or (kind is PathClass.DOCS and chunk.metadata.language is None):
        return PlaceRole.DOC
    if not question.parts:
        return PlaceRole.RELATED
    return _role_of_code(chunk, question.parts)


def mentions(chunk: Chunk, question: Question) -> bool:
    """Whether the chunk contains the exact name or subject that is asked about."""
    target = question.target or ""
    said = "\n".join([*chunk.headings, chunk.text])
    if " " in target:
        return target.casefold() in said.casefold()
    return bool(question.parts) and _whole(question.parts[-1]).search(said) is not None


def calls(chunk: Chunk, question: Question) -> bool:
    """Whether the name is followed by an opening bracket, outside its own definition."""
    name = question.parts[-1] if question.parts else ""
    return bool(name) and re.search(rf"(?<!\w){re.escape(name)}\s*\(", chunk.text) is not None


def _role_of_code(chunk: Chunk, target: Sequence[str]) -> PlaceRole:
    if chunk.symbol and tuple(name_parts(chunk.symbol.path)[-len(target) :]) == tuple(target):
        return PlaceRole.DEFINITION
    whole = _whole(target[-1])
    lines = [line for line in chunk.text.splitlines() if whole.search(line)]
    if not lines:
        return PlaceRole.RELATED
    if all(_IMPORT.search(line) for line in lines):
        return PlaceRole.IMPORT
    return PlaceRole.EXPORT if all(_EXPORT.search(line) for line in lines) else PlaceRole.REFERENCE


def _whole(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
