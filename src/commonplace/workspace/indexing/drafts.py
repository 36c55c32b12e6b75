"""A file's bytes to the chunks that search finds, by what kind of file it is.

Pure. Code is cut by its symbols and other text by lines; `chunks_of_text` runs in a child process,
because parsers are written in C. Prose goes through a reader first.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from commonplace.codegraph.extraction.extract import BINARY, as_utf8, outline, unreadable
from commonplace.codegraph.extraction.facts import HIDDEN
from commonplace.codegraph.extraction.languages import language_of
from commonplace.documents.drafts import drafts_of
from commonplace.errors import SourceUnreadable
from commonplace.model.chunk import (
    ChunkDraft,
    ChunkMetadata,
    Indexed,
    Position,
    SymbolMark,
    Urgency,
)
from commonplace.model.entry import Place
from commonplace.model.extract import Extract
from commonplace.model.folder import FILE_KIND
from commonplace.model.workspace import KnowledgeType, Resource
from commonplace.text.analyse import analyse, exact_words
from commonplace.text.count import estimate_tokens
from commonplace.text.filenames import DOCUMENT_SUFFIXES, PROSE_SUFFIXES, language_by_name
from commonplace.workspace.indexing.cutting import CutSymbol, Part, parts_of
from commonplace.workspace.indexing.opening import opening_of
from commonplace.workspace.indexing.priorities import of_their_urgency, worth_embedding

# Part of the hash of every file: a new way of cutting makes all of them anew.
REVISION = "3"


def content_hash(data: bytes) -> str:
    return f"{REVISION}-{hashlib.sha256(data).hexdigest()}"


def is_current(hashed: str) -> bool:
    """Whether it was cut the way it is cut today."""
    return hashed.startswith(f"{REVISION}-")


def is_prose(path: str) -> bool:
    """Whether headings give a file its shape, so that a reader has to find them."""
    return _suffix(path) in PROSE_SUFFIXES | DOCUMENT_SUFFIXES


def is_wanted(path: str, knowledge_type: KnowledgeType) -> bool:
    """A document inside a source tree is test data more often than it is documentation."""
    return knowledge_type is not KnowledgeType.CODE or _suffix(path) not in DOCUMENT_SUFFIXES


def file_language(path: str) -> str | None:
    known = language_of(path)
    return known.name if known else language_by_name(path)


def metadata_of(resource: Resource, path: str) -> ChunkMetadata:
    return ChunkMetadata(
        kind=FILE_KIND,
        agent=resource.agent,
        place=Place(resource=resource.key),
        language=file_language(path),
        path=path,
    )


def prose_drafts(extract: Extract, path: str) -> list[ChunkDraft]:
    return of_their_urgency(drafts_of(extract, path, estimate_tokens), path)


def chunks_of_text(question: Mapping[str, Any], data: bytes) -> dict[str, Any]:
    """What the child process answers with: `drafts_in` reads it."""
    return {"drafts": [_told(draft) for draft in text_drafts(question["path"], data)]}


def drafts_in(answer: Mapping[str, Any]) -> list[ChunkDraft]:
    return [
        ChunkDraft(
            **{
                **each,
                "position": Position(**each["position"]),
                "indexed": Indexed(**each["indexed"]),
                "urgency": Urgency(each["urgency"]),
                "headings": tuple(each["headings"]),
                "symbol": SymbolMark(**each["symbol"]) if each["symbol"] else None,
            }
        )
        for each in answer["drafts"]
    ]


def _told(draft: ChunkDraft) -> dict[str, Any]:
    return _values(draft) | {
        "position": _values(draft.position),
        "indexed": _values(draft.indexed),
        "symbol": _values(draft.symbol) if draft.symbol else None,
    }


def _values(value: ChunkDraft | Position | Indexed | SymbolMark) -> dict[str, Any]:
    """The values of a dataclass; `dataclasses.asdict` makes copies that nobody needs."""
    return {name: getattr(value, name) for name in value.__slots__}


def text_drafts(path: str, data: bytes) -> list[ChunkDraft]:
    """The chunks of a file of code or of other text by lines; none where there is no text."""
    reason = unreadable(data)
    if reason == BINARY:
        return []
    if reason:
        raise SourceUnreadable(f"It is not read: {reason}.")
    source = as_utf8(data)
    symbols = _symbols(path, source) if language_of(path) else ()
    text = source.decode().replace("\r\n", "\n").replace("\0", "")
    parts = _with_opening(text, parts_of(text, tuple(symbols)), path)
    drafts = [_draft(text, part, number, path) for number, part in enumerate(parts)]
    return worth_embedding(drafts, path, text)


def _with_opening(text: str, parts: list[Part], path: str) -> list[Part]:
    """What a file is for is near to a question when it stands alone; among imports it is not."""
    language = language_of(path)
    opening = opening_of(text, language.name) if language else None
    if opening is None or any((p.start, p.end) == (opening.start, opening.end) for p in parts):
        return parts
    return [*parts, opening]


def _symbols(path: str, source: bytes) -> Iterable[CutSymbol]:
    for definition in outline(path, source).definitions:
        if definition.kind not in HIDDEN and definition.path:
            yield CutSymbol(
                definition.kind.value, definition.path, definition.first_line, definition.last_line
            )


def _draft(text: str, part: Part, ordinal: int, path: str) -> ChunkDraft:
    shown = text[part.start : part.end]
    named = part.symbol.path if part.symbol else ""
    context = "" if named in shown else named
    return ChunkDraft(
        ordinal=ordinal,
        text=shown,
        context=context,
        position=Position(part.start, part.end, part.first_line, part.last_line),
        token_count=part.tokens,
        text_hash=_hash([context, shown, named]),
        indexed=Indexed(
            terms=" ".join(analyse(shown)),
            # The path helps to find the file by words, and is no part of its meaning.
            context_terms=" ".join(analyse(f"{path}\n{named}")),
            words=" ".join(exact_words(shown)),
        ),
        urgency=Urgency.BULK,
        symbol=part.symbol,
        language=file_language(path),
    )


def _hash(parts: Sequence[str]) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


def _suffix(path: str) -> str:
    return PurePosixPath(path).suffix.lower()
