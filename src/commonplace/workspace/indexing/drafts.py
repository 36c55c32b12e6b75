"""From a file's bytes to its chunks, depending on the kind of file.

Pure. Code is chunked by symbol and other text by lines; `chunks_of_text` runs in a child process
because the parsers are C code. Prose goes through a reader first.
"""

from __future__ import annotations

import hashlib
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from posixpath import splitext
from typing import Any, NamedTuple

from commonplace.codegraph.extraction.coding import encoded
from commonplace.codegraph.extraction.extract import BINARY, as_utf8, extract, unreadable
from commonplace.codegraph.extraction.facts import HIDDEN, FileFacts
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
REVISION = "5"


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
    name = _short_name(path)
    return [
        replace(
            draft,
            context=_joined(name, draft.context),
            text_hash=_hash([name, draft.text_hash]),
        )
        for draft in of_their_urgency(drafts_of(extract, path, estimate_tokens), path)
    ]


def chunks_of_text(question: Mapping[str, Any], data: bytes) -> dict[str, Any]:
    """The child process's answer: chunks and, of code, the facts that its links are made from.

    Both are from one syntax tree. `drafts_in` and `facts_in` read the answer.
    """
    path, drafts, problem = question["path"], list[ChunkDraft](), ""
    facts = extract(path, data)
    try:
        drafts = text_drafts(path, data, facts)
    except SourceUnreadable as error:
        problem = error.message
    return {
        "drafts": [_as_json(draft) for draft in drafts],
        "facts": b64encode(encoded(facts)).decode() if facts.language else None,
        "problem": problem,
    }


def facts_in(answer: Mapping[str, Any]) -> bytes | None:
    return b64decode(answer["facts"]) if answer["facts"] is not None else None


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


def text_drafts(path: str, data: bytes, facts: FileFacts | None = None) -> list[ChunkDraft]:
    """The chunks of a file of code, by the symbols in its facts, or of other text; none for a file
    without text."""
    reason = unreadable(data)
    if reason == BINARY:
        return []
    if reason:
        raise SourceUnreadable(f"It is not read: {reason}.")
    source = as_utf8(data)
    symbols = tuple(_symbols(facts or extract(path, data)))
    text = source.decode().replace("\r\n", "\n").replace("\0", "")
    parts = _with_opening(text, parts_of(text, symbols), path)
    file = _File(_short_name(path), file_language(path), analyse(path))
    drafts = [_draft(text, part, number, file) for number, part in enumerate(parts)]
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


def _symbols(facts: FileFacts) -> Iterator[CutSymbol]:
    for definition in facts.definitions:
        if definition.kind not in HIDDEN and definition.path:
            yield CutSymbol(
                definition.kind.value, definition.path, definition.first_line, definition.last_line
            )


class _File(NamedTuple):
    """What all chunks of a file share. `terms` are those of its whole path."""

    name: str
    language: str | None
    terms: list[str]


def _draft(text: str, part: Part, ordinal: int, file: _File) -> ChunkDraft:
    shown = text[part.start : part.end]
    named = part.symbol.path if part.symbol else ""
    return ChunkDraft(
        ordinal=ordinal,
        text=shown,
        context=_joined(file.name, "" if named in shown else named),
        position=Position(part.start, part.end, part.first_line, part.last_line),
        token_count=part.tokens,
        text_hash=_hash([file.name, _hash([shown, named])]),
        indexed=Indexed(
            terms=" ".join(analyse(shown)),
            context_terms=" ".join([*file.terms, *analyse(named)]),
            words=" ".join(exact_words(shown)),
        ),
        urgency=Urgency.BULK,
        symbol=part.symbol,
        language=file.language,
    )


def _short_name(path: str) -> str:
    """A file's name and folder, which often say what it is about.

    The rest of the path is not embedded: files keep their vectors when a folder above moves.
    """
    return "/".join(PurePosixPath(path).parts[-2:])


def _joined(name: str, context: str) -> str:
    return "\n".join(filter(None, (name, context)))


def _hash(parts: Sequence[str]) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


def _suffix(path: str) -> str:
    return splitext(path)[1].lower()
