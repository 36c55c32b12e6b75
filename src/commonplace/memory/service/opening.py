"""Opens a reference: an entry, document, file, symbol, project, commit or captured moment."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime

from commonplace.errors import NotFound
from commonplace.knowledge.history import revisions
from commonplace.memory.opened import (
    Opened,
    history_lines,
    notices_of,
    provenance_of,
    reference_of,
    sort_of,
)
from commonplace.memory.pieces import TextPiece, pieces_of_body, pieces_of_chunks, pieces_of_lines
from commonplace.memory.service.completing import references_beginning
from commonplace.memory.service.finding import (
    FoundFile,
    commit_named,
    entry_named,
    file_named,
    not_forgotten,
    notebook_named,
    project_named,
    source_named,
)
from commonplace.model.actor import Actor
from commonplace.model.chunk import Chunk, Owner, OwnerType
from commonplace.model.entry import Entry, EntryKind
from commonplace.model.graph import Symbol
from commonplace.model.references import (
    Portion,
    ReferenceKind,
    ShortReference,
    of_commit,
    of_document,
    of_symbol,
)
from commonplace.model.source import SourceStatus
from commonplace.model.workspace import Attached, IndexStatus, KnowledgeType, Resource
from commonplace.storage.port import Store, Transaction
from commonplace.text.nearest import nearest
from commonplace.text.plural import plural
from commonplace.workspace.projects.filing import file_reference, filed_folder

_MOST_CHUNKS = 10_000
_NEAR = 5


class OpenService:
    """Reads what references name, and completes unfinished references."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def open(self, actor: Actor, reference: ShortReference, *, history: bool = False) -> Opened:
        with self._store.read(actor) as tx:
            opened = _opened(tx, reference, history=history)
        if reference.portion is None:
            return opened
        return replace(opened, reference=replace(opened.reference, portion=reference.portion))

    def beginning(self, actor: Actor, written: str) -> list[str]:
        """References that begin with an unfinished one."""
        with self._store.read(actor) as tx:
            return references_beginning(tx, written)

    def entry(self, actor: Actor, reference: ShortReference) -> Entry:
        """The entry that a reference names; also deleted ones, if the actor may write them."""
        with self._store.read(actor) as tx:
            return entry_named(tx, reference)


def _opened(tx: Transaction, reference: ShortReference, *, history: bool) -> Opened:
    if show := _OPENERS.get(reference.kind):
        return show(tx, reference)
    if reference.kind in _OF_RESOURCES and (notebook := notebook_named(tx, reference)):
        return _notebook(tx, notebook, history=history)
    return _entry(tx, entry_named(tx, reference), history=history)


def _entry(tx: Transaction, entry: Entry, *, history: bool) -> Opened:
    content = not_forgotten(entry, tx.actor.org).content
    head = tx.entries.get(entry.head) if entry.head else None
    own = entry.org == tx.actor.org
    known = revisions(entry, tx.changes.history(entry)) if history and own else []
    return Opened(
        reference=reference_of(entry, tx.actor.org),
        sort=sort_of(entry),
        title=content.title,
        pieces=tuple(pieces_of_body(_body(entry))),
        read_at=tx.now,
        place=content.place.project or content.place.workspace or "",
        author=entry.agent,
        changed_at=entry.updated_at,
        trust=content.confidence,
        tags=content.tags,
        notices=notices_of(entry, head, tx.now, tx.actor.org),
        provenance=provenance_of(entry) if history else (),
        history=history_lines(known),
        entry=entry,
    )


def _body(entry: Entry) -> str:
    """The full text of an entry; a skill has its front matter, and a list of its files."""
    attributes = entry.content.attributes
    if entry.kind is not EntryKind.SKILL:
        return entry.content.body
    files = [f"- {file['path']}" for file in attributes.get("files", [])]
    beside = "\n\nFiles beside it:\n" + "\n".join(files) if files else ""
    return f"{attributes.get('head', '')}{entry.content.body}{beside}"


def _notebook(tx: Transaction, notebook: Attached, *, history: bool) -> Opened:
    """A notebook with all its notes, oldest first; a record is shown as its one entry."""
    entries = tx.entries.by_keys(tx.resources.entry_keys(notebook.resource.key))
    found = [entry for entry in entries.values() if entry.deleted_at is None]
    if len(found) == 1 and found[0].kind is EntryKind.RECORD:
        return _entry(tx, found[0], history=history)
    pieces = [
        TextPiece(number, entry.content.body, headings=(_title(entry, tx.actor.org),))
        for number, entry in enumerate(found)
    ]
    resource = notebook.resource
    reference = ShortReference(ReferenceKind.NOTEBOOK, resource.id.removeprefix("entry_"))
    return Opened(reference, "notebook", resource.name, tuple(pieces), tx.now,
                  author=resource.agent, changed_at=resource.created_at)  # fmt: skip


def _title(entry: Entry, org: str) -> str:
    return f"{reference_of(entry, org)} {entry.content.title}"


def _document(tx: Transaction, reference: ShortReference) -> Opened:
    source = source_named(tx, reference)
    if source.deleted_at is not None:
        named = of_document(source.id)
        raise NotFound(f"{named} was removed.", hint=f"revise {named} restore brings it back.")
    owner = Owner(OwnerType.DOCUMENT, source.document.key) if source.document else None
    chunks = tx.chunks.page(owner, _MOST_CHUNKS, 0) if owner else []
    sync, notices = source.sync, []
    if sync.status in (SourceStatus.PENDING, SourceStatus.PROCESSING):
        notices.append("it is being read" if chunks else "not read yet")
    if sync.status is SourceStatus.ERROR:
        notices.append(f"reading it failed: {sync.error}")
    place = [source.place.workspace, source.place.space, source.origin.locator]
    return Opened(
        reference=of_document(source.id),
        sort=f"document, {source.origin.type.value}",
        title=source.name,
        pieces=tuple(pieces_of_chunks(chunks)),
        read_at=tx.now,
        place=" · ".join(dict.fromkeys(part for part in place if part)),
        author=source.agent,
        changed_at=sync.synced_at or source.created_at,
        notices=tuple(notices),
    )


def _file(tx: Transaction, reference: ShortReference) -> Opened:
    return _of_file(tx, file_named(tx, reference))


def _of_file(tx: Transaction, found: FoundFile) -> Opened:
    resource = found.attached.resource
    named = file_reference(found.attached, found.project, found.state.path)
    return Opened(
        reference=named,
        sort=f"file, {found.state.language}" if found.state.language else "file",
        title=named.path,
        pieces=tuple(pieces_of_lines(_chunks(tx, found))),
        read_at=tx.now,
        place=named.project,
        changed_at=resource.indexing.indexed_at,
        notices=(*_freshness(found.attached), *_problem(tx, found)),
    )


def _chunks(tx: Transaction, found: FoundFile) -> list[Chunk]:
    return tx.chunks.page(Owner(OwnerType.DOCUMENT, found.state.key), _MOST_CHUNKS, 0)


def _problem(tx: Transaction, found: FoundFile) -> list[str]:
    """Why some of a file's code could not be analysed."""
    problems = tx.code_files.problems([found.attached.resource.key])
    return [one.reason for one in problems if one.document_key == found.state.key]


def _freshness(attached: Attached) -> tuple[str, ...]:
    indexing = attached.resource.indexing
    if indexing.status is IndexStatus.FAILED:
        return (f"reading its folder failed: {indexing.error}",)
    return ("its folder waits to be read again",) if indexing.status is IndexStatus.STALE else ()


def _symbol(tx: Transaction, reference: ShortReference) -> Opened:
    found = file_named(tx, reference)
    known = tx.graph.symbols_of([found.state.key])
    symbol = _meant(known, reference.symbol)
    if symbol is None:
        near = nearest(reference.symbol, [each.path for each in known], _NEAR)
        hint = f"Nearest: {', '.join(near)}." if near else "trace finds symbols by name."
        raise NotFound(f"{reference.path} defines no {reference.symbol}.", hint=hint)
    portion = Portion(symbol.first_line, symbol.last_line)
    whole = _of_file(tx, found)
    named = of_symbol(whole.reference.project, whole.reference.path, symbol.path)
    return replace(
        whole,
        reference=replace(named, portion=portion),
        sort=symbol.kind,
        title=symbol.path,
    )


def _meant(known: list[Symbol], name: str) -> Symbol | None:
    exact = [each for each in known if each.path == name]
    last = [each for each in known if each.path.endswith(f".{name}") or each.name == name]
    return next(iter([*exact, *last]), None)


def _project(tx: Transaction, reference: ShortReference) -> Opened:
    project = project_named(tx, reference.name)
    attached = [one for one in tx.attachments.all() if one.attachment.project_id == project.id]
    counts = tx.resources.counts([one.resource.key for one in attached])
    lines = []
    for one in attached:
        resource, held = one.resource, counts[one.resource.key]
        folder, label = filed_folder(resource, project.roots), one.attachment.label
        where = f"{label} ({folder})" if folder not in ("", label) else label
        state = resource.indexing.error or resource.indexing.status.value
        off = "" if one.attachment.enabled else ", switched off"
        size = (
            plural(held.entries, "entry", "entries")
            if resource.kind.is_written
            else plural(held.files, "file")
        )
        kept = _commits_kept(tx, resource)
        lines.append(f"- {where}: {resource.knowledge_type.value}, {size}{kept}, {state}{off}")
        lines += [f"  - {one}" for one in tx.code_files.problems([resource.key])]
    text = "\n".join(lines) or "Nothing is attached yet; add attaches a folder."
    return Opened(
        reference=ShortReference(ReferenceKind.PROJECT, project.handle),
        sort="project",
        title=project.name,
        pieces=(TextPiece(0, text, 1),),
        read_at=tx.now,
        place=project.repository or "",
        author=project.agent,
        changed_at=project.created_at,
    )


def _touched(tx: Transaction, commit: FoundFile) -> list[ShortReference]:
    """The files of a folder that a commit touched, as far as they are stored."""
    paths = tx.files.touched([commit.state.key]).get(commit.state.key, ())
    return [file_reference(commit.attached, commit.project, path) for path in paths]


def _commits_kept(tx: Transaction, resource: Resource) -> str:
    """The number of stored commits of a folder, or why there are none."""
    history = tx.resources.at(KnowledgeType.HISTORY, resource.locator)
    if history is None:
        return ""
    if history.indexing.status is IndexStatus.FAILED:
        return f", no commits: {history.indexing.error}"
    commits = tx.resources.counts([history.key])[history.key].files
    return f", {plural(commits, 'commit')}"


def _moment(tx: Transaction, reference: ShortReference) -> Opened:
    review = tx.reviews.get(reference.name)
    if review is None or not review.moment:
        raise NotFound("No moment with that id.", hint="recent lists what waits for review.")
    return Opened(
        reference=reference,
        sort=f"moment, {review.status.value}",
        title=str(review.moment["summary"]),
        pieces=tuple(pieces_of_body(str(review.moment["content"]))),
        read_at=tx.now,
        author=review.agent,
        changed_at=review.created_at,
        trust=review.confidence,
        notices=(f"revise {reference} helped keeps it, misled rejects it",),
    )


def _commit(tx: Transaction, reference: ShortReference) -> Opened:
    parts = commit_named(tx, reference)
    found = parts[0]
    chunk = next(iter(_chunks(tx, found)), None)
    touched = [(part.state.size, _touched(tx, part)) for part in parts]
    files = list(dict.fromkeys(str(file) for _, named in touched for file in named))
    more = sum(size - len(named) for size, named in touched)
    files += [f"and {more} more"] if more else []
    message = chunk.text if chunk else ""
    text = f"{message}\n\nTouched:\n" + "\n".join(files) if files else message
    return Opened(
        reference=of_commit(reference.project, found.state.path),
        sort="commit",
        title=message.partition("\n")[0],
        pieces=(TextPiece(0, text, 1),),
        read_at=tx.now,
        place=f"{reference.project}, {found.state.path}",
        author=chunk.metadata.agent if chunk else "",
        changed_at=datetime.fromtimestamp(found.state.modified_ns / 1e9, UTC),
    )


_OF_RESOURCES = (ReferenceKind.NOTEBOOK, ReferenceKind.RECORD)
_OPENERS: Mapping[ReferenceKind, Callable[[Transaction, ShortReference], Opened]] = {
    ReferenceKind.DOC: _document,
    ReferenceKind.FILE: _file,
    ReferenceKind.SYMBOL: _symbol,
    ReferenceKind.PROJECT: _project,
    ReferenceKind.REVIEW: _moment,
    ReferenceKind.COMMIT: _commit,
}
