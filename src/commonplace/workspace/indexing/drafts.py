"""From a file's bytes to its chunks, depending on the kind of file.

Pure. Code is chunked by symbol and other text by lines; `chunks_of_text` runs in a child process
because the parsers are C code. Prose goes through a reader first.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
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

# Part of every file's hash: raise it when chunks change, and all files are chunked again.
REVISION = "4"


def content_hash(data: bytes) -> str:
    return f"{REVISION}-{hashlib.sha256(data).hexdigest()}"


def is_current(hashed: str) -> bool:
    """Whether the file was chunked by the present revision."""
    return hashed.startswith(f"{REVISION}-")


def is_prose(path: str) -> bool:
    """Whether the file is structured by headings, which a reader has to find."""
    return _suffix(path) in PROSE_SUFFIXES | DOCUMENT_SUFFIXES


def is_wanted(path: str, knowledge_type: KnowledgeType) -> bool:
    """PDF and Word files inside a source tree are test data more often than documentation."""
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
    drafts = of_their_urgency(drafts_of(extract, path, estimate_tokens), path)
    return [_named(draft, path) for draft in drafts]


def chunks_of_text(question: Mapping[str, Any], data: bytes) -> dict[str, Any]:
    """The child process's answer; `drafts_in` reads it."""
    return {"drafts": [_as_json(draft) for draft in text_drafts(question["path"], data)]}


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


def _as_json(draft: ChunkDraft) -> dict[str, Any]:
    return _values(draft) | {
        "position": _values(draft.position),
        "indexed": _values(draft.indexed),
        "symbol": _values(draft.symbol) if draft.symbol else None,
    }


def _values(value: ChunkDraft | Position | Indexed | SymbolMark) -> dict[str, Any]:
    """The fields of a dataclass; `dataclasses.asdict` would copy them."""
    return {name: getattr(value, name) for name in value.__slots__}


def text_drafts(path: str, data: bytes) -> list[ChunkDraft]:
    """The chunks of a file of code or other text; none for a file without text."""
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
    """Add the comment that states the file's purpose as a chunk of its own.

    By itself it matches a question about the purpose; among the imports it does not.
    """
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
    draft = ChunkDraft(
        ordinal=ordinal,
        text=shown,
        context="" if named in shown else named,
        position=Position(part.start, part.end, part.first_line, part.last_line),
        token_count=part.tokens,
        text_hash=_hash([shown, named]),
        indexed=Indexed(
            terms=" ".join(analyse(shown)),
            # The whole path can be found by words; only its end is embedded (`_named`).
            context_terms=" ".join(analyse(f"{path}\n{named}")),
            words=" ".join(exact_words(shown)),
        ),
        urgency=Urgency.BULK,
        symbol=part.symbol,
        language=file_language(path),
    )
    return _named(draft, path)


def _named(draft: ChunkDraft, path: str) -> ChunkDraft:
    """Put the file's name and folder in front of the context: they often say what it is about.

    The rest of the path is left out, so that files keep their vectors when a folder above moves.
    """
    name = "/".join(PurePosixPath(path).parts[-2:])
    context = "\n".join(filter(None, (name, draft.context)))
    return replace(draft, context=context, text_hash=_hash([name, draft.text_hash]))


def _hash(parts: Sequence[str]) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


def _suffix(path: str) -> str:
    return PurePosixPath(path).suffix.lower()
