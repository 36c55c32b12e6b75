"""Describes a hit of retrieval for `recall`: reference, title, place, metadata. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from posixpath import basename

from commonplace.model.chunk import Chunk, EmbeddingState
from commonplace.model.commits import COMMIT_KIND
from commonplace.model.entry import Entry
from commonplace.model.query import Hit
from commonplace.model.references import Portion, of_commit, of_document, of_entry
from commonplace.model.source import Source, SourceType
from commonplace.model.workspace import Attached, FileState, Project
from commonplace.recall.choosing import Judged
from commonplace.recall.evidence import Evidence
from commonplace.recall.fitting import HitPassage
from commonplace.recall.narrowing import Narrowed
from commonplace.recall.values import FoundAt, RecalledKind, RecallHit
from commonplace.safety.warnings import warnings_of
from commonplace.workspace.projects.filing import file_reference, filed_under
from commonplace.workspace.search.sources import Sourced

_NANOSECONDS = 1_000_000_000
_MOST_FILES = 8


@dataclass(frozen=True, slots=True)
class HitContext:
    """The data beside a hit that its description needs: projects, file states, the time."""

    org: str
    narrowed: Narrowed
    projects: Mapping[str, Project]
    files: Mapping[int, FileState]
    now: datetime
    touched: Mapping[int, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Named:
    reference: str
    title: str
    place: FoundAt
    changed_at: datetime | None
    whole: bool = False
    category: str | None = None
    trust: str | None = None
    quality: float | None = None
    superseded_by: str | None = None
    expired_at: datetime | None = None
    files: tuple[str, ...] = ()
    file_count: int = 0


def passage_of(hit: Hit, judged: Judged, context: HitContext) -> HitPassage:
    """The hit without its excerpt, and the text to take one from."""
    chunk = hit.chunk
    if hit.entry is not None:
        is_whole = chunk.ordinal == 0 and _is_to_the_end(chunk, hit.entry)
        named = _entry(hit.entry, context, is_whole=is_whole)
    elif hit.source is not None:
        named = _document(hit.source, chunk)
    elif chunk.metadata.kind == COMMIT_KIND:
        named = _commit(chunk, context)
    else:
        named = _file(chunk, context)
    shown = RecallHit(
        reference=named.reference,
        kind=RecalledKind(context.narrowed.kind_of(judged.chunk)),
        title=named.title,
        place=named.place,
        changed_at=named.changed_at,
        author=chunk.metadata.agent,
        probability=judged.probability,
        parts=hit.parts,
        excerpt="",
        whole=named.whole,
        evidence=judged.evidence,
        category=named.category,
        trust=named.trust,
        quality=named.quality,
        tags=chunk.metadata.tags,
        superseded_by=named.superseded_by,
        expired_at=named.expired_at,
        is_pending=chunk.state is EmbeddingState.PENDING,
        copies=judged.copies,
        warnings=tuple(warnings_of(named.title, chunk.text, *_commit_texts(chunk, named))),
        files=named.files,
        file_count=named.file_count,
    )
    return HitPassage(shown, chunk.text, chunk.position.line_start)


def listed_passage(entry: Entry, context: HitContext) -> HitPassage:
    """An entry of a list that was asked for: it is in it for certain."""
    named, content = _entry(entry, context, is_whole=True), entry.content
    shown = RecallHit(
        reference=named.reference,
        kind=RecalledKind(entry.kind.value),
        title=named.title,
        place=named.place,
        changed_at=named.changed_at,
        author=entry.agent,
        probability=1.0,
        parts=(),
        excerpt="",
        whole=named.whole,
        evidence=Evidence(),
        category=named.category,
        quality=named.quality,
        tags=content.tags,
        superseded_by=named.superseded_by,
        expired_at=named.expired_at,
        warnings=tuple(warnings_of(named.title, content.body)),
    )
    return HitPassage(shown, content.body)


def _is_to_the_end(chunk: Chunk, entry: Entry) -> bool:
    return chunk.position.char_end >= len(entry.content.body.rstrip())


def _entry(entry: Entry, context: HitContext, *, is_whole: bool) -> _Named:
    content, filed = entry.content, entry.content.place.project
    project = context.projects.get(filed or "")
    expires = content.expires_at
    return _Named(
        reference=str(of_entry(entry.kind, entry.id, whole=entry.org != context.org)),
        title=content.title,
        place=FoundAt(project=filed_under(project) if project else filed),
        changed_at=entry.updated_at,
        whole=is_whole,
        category=content.category,
        quality=content.confidence,
        superseded_by=str(of_entry(entry.kind, entry.head)) if entry.head else None,
        expired_at=expires if expires is not None and expires <= context.now else None,
    )


def _document(source: Source, chunk: Chunk) -> _Named:
    position, origin = chunk.position, source.origin
    url = origin.locator if origin.type is SourceType.URL else None
    # A page without a name of its own is called by its address, which the place has already.
    names = dict.fromkeys(name for name in (source.name, *chunk.headings) if name != url)
    return _Named(
        reference=str(of_document(source.id).at(Portion(passage=chunk.ordinal))),
        title=" > ".join(names),
        place=FoundAt(
            url=url,
            line_start=position.line_start,
            line_end=position.line_end,
            page=position.page,
        ),
        changed_at=source.sync.synced_at or source.created_at,
        trust=chunk.metadata.trust.value,
    )


def _file(chunk: Chunk, context: HitContext) -> _Named:
    """A file by its path in the project. Its source is known, or it would not have passed."""
    source = context.narrowed.sources[chunk.metadata.place.resource or 0]
    path, position = chunk.metadata.path or "", chunk.position
    owner = _owner(source, context.projects)
    attached = Attached(source.effective, source.resource)
    reference = file_reference(attached, owner, path, position.line_start, position.line_end)
    return _Named(
        reference=str(reference),
        title=_title(chunk),
        place=FoundAt(
            path=reference.path,
            line_start=position.line_start,
            line_end=position.line_end,
            page=position.page,
            project=reference.project,
        ),
        changed_at=_modified(context.files.get(chunk.owner.key)),
        trust=source.effective.trust.value,
    )


def _commit(chunk: Chunk, context: HitContext) -> _Named:
    """A commit by its short id, with the paths in the project of the files that it touched."""
    source = context.narrowed.sources[chunk.metadata.place.resource or 0]
    owner, state = _owner(source, context.projects), context.files.get(chunk.owner.key)
    attached = Attached(source.effective, source.resource)
    touched = context.touched.get(chunk.owner.key, ())[:_MOST_FILES]
    return _Named(
        reference=str(of_commit(filed_under(owner), chunk.metadata.path or "")),
        title=_title(chunk),
        place=FoundAt(project=filed_under(owner)),
        changed_at=_modified(state),
        whole=True,
        files=tuple(file_reference(attached, owner, path).path for path in touched),
        file_count=state.size if state else len(touched),
    )


def _commit_texts(chunk: Chunk, named: _Named) -> tuple[str, ...]:
    """The texts beside its message that a commit's author controls; none for other hits."""
    is_commit = chunk.metadata.kind == COMMIT_KIND
    return (chunk.metadata.agent, *named.files) if is_commit else ()


def _title(chunk: Chunk) -> str:
    """The qualified symbol of code, the headings of a document, or else the file's name."""
    if chunk.symbol:
        return chunk.symbol.path
    return " > ".join(chunk.headings) or basename(chunk.metadata.path or "")


def _owner(source: Sourced, projects: Mapping[str, Project]) -> Project | None:
    """The project of the source's effective attachment."""
    return projects.get(source.effective.project_id or "")


def _modified(file: FileState | None) -> datetime | None:
    if file is None or not file.modified_ns:
        return None
    return datetime.fromtimestamp(file.modified_ns / _NANOSECONDS, UTC)
