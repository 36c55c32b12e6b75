"""Completes references from their beginning, among what the caller may see."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from commonplace.errors import CommonplaceError
from commonplace.memory.opened import reference_of
from commonplace.memory.service.finding import file_named, project_named
from commonplace.model.query import Filter
from commonplace.model.references import (
    GLOBAL,
    ReferenceKind,
    ShortReference,
    of_document,
    of_symbol,
    parse_reference,
)
from commonplace.storage.port import Transaction
from commonplace.workspace.projects.filing import file_reference

MOST = 100
_KINDS = tuple(f"{kind.value}:" for kind in ReferenceKind if kind is not ReferenceKind.COMMIT)


def references_beginning(tx: Transaction, written: str) -> list[str]:
    """The references that begin with `written`.

    Completes an unfinished kind to kinds, and a kind alone to its newest entries.
    """
    name, sign, rest = written.partition(":")
    if not sign:
        return [kind for kind in _KINDS if kind.startswith(name)]
    kinds = {kind.value: kind for kind in ReferenceKind}
    if name not in kinds:
        return []
    found = _of_kind(tx, kinds[name], rest)
    return list(islice((one for one in found if one.startswith(written)), MOST))


def _of_kind(tx: Transaction, kind: ReferenceKind, rest: str) -> Iterator[str]:
    if kind is ReferenceKind.PROJECT:
        yield from (f"{kind.value}:{project.handle}" for project in tx.projects.all())
    elif kind in _FILED and "/" not in rest:
        names = [project.handle for project in tx.projects.all()]
        yield from (f"{kind.value}:{handle}/" for handle in [*names, GLOBAL])
    elif kind is ReferenceKind.SYMBOL and "#" in rest:
        yield from _symbols(tx, rest.partition("#")[0])
    elif kind in _FILED:
        yield from _files(tx, kind, rest.partition("/")[0])
    elif kind is ReferenceKind.DOC:
        yield from (str(of_document(source.id)) for source in tx.sources.in_reach(None))
    elif kind is ReferenceKind.REVIEW:
        return
    else:
        yield from _entries(tx, kind, rest)


_FILED = (ReferenceKind.FILE, ReferenceKind.SYMBOL)


def _entries(tx: Transaction, kind: ReferenceKind, rest: str) -> Iterator[str]:
    if rest:
        ids = tx.entries.ids_beginning(ShortReference(kind, rest).beginning, MOST)
        named = [entry for id in ids if (entry := tx.entries.get(id))]
    else:
        named = tx.entries.page(Filter(), MOST, 0)
    for entry in named:
        if entry.deleted_at is None:
            yield str(reference_of(entry, tx.actor.org))


def _files(tx: Transaction, kind: ReferenceKind, project: str) -> Iterator[str]:
    try:
        owner = None if project == GLOBAL else project_named(tx, project)
    except CommonplaceError:
        return
    for one in tx.attachments.all():
        if one.attachment.project_id == (owner.id if owner else None):
            for state in tx.files.of_resource(one.resource.key):
                name = str(file_reference(one, owner, state.path)).partition(":")[2]
                yield f"{kind.value}:{name}"


def _symbols(tx: Transaction, name: str) -> Iterator[str]:
    try:
        file = parse_reference(f"{ReferenceKind.SYMBOL.value}:{name}")
        found = file_named(tx, file)
    except CommonplaceError:
        return
    for symbol in tx.graph.symbols_of([found.state.key]):
        yield str(of_symbol(file.project, file.path, symbol.path))
