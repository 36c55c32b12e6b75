"""Reports what is new since a time, what waits for review, what fails, and what is untidy."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime, timedelta
from itertools import islice

from commonplace.errors import InvalidArgument
from commonplace.memory.briefing import brief
from commonplace.memory.news import News, NewsLine, Suggestion, suggestions
from commonplace.memory.opened import reference_of, sort_of
from commonplace.memory.service.finding import entry_named, filed_names, is_entry, source_named
from commonplace.memory.times import ALLOWED, is_time, time_ago
from commonplace.model.actor import Actor
from commonplace.model.capture import ReviewStatus
from commonplace.model.entry import Entry, EntryKind
from commonplace.model.query import Filter
from commonplace.model.references import (
    GLOBAL,
    ReferenceKind,
    ShortReference,
    of_document,
    parse_reference,
)
from commonplace.model.source import SourceStatus
from commonplace.model.thought import ThoughtKind
from commonplace.model.workspace import IndexStatus, Project
from commonplace.storage.port import Store, Transaction
from commonplace.workspace.projects.identity import project_called

USUAL = timedelta(days=7)
_MOST_WAITING = 5
_MOST_NAMED = 5
_MOST_FAILURES = 5
_MOST_UNTIDY = 3
_MOST_COMPARED = 2_000
_READ_LATELY = 500
_BRIEFED = (EntryKind.NOTE.value, EntryKind.ITEM.value, EntryKind.NOTEBOOK_NOTE.value)
_TIDIED = (EntryKind.NOTE.value, EntryKind.ITEM.value)


class RecentService:
    """Reads news, briefings and suggestions; changes nothing."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def recent(
        self, actor: Actor, since: str = "", project: str = "", by: str = "", limit: int = 20
    ) -> News:
        """News since a time, a span, a reference, or by default the actor's own last change."""
        with self._store.read(actor) as tx:
            begin = _begin(tx, since)
            projects = {one.id: one for one in tx.projects.all()}
            names = filed_names(projects.values(), project)
            lines = [
                line
                for line in _lines(tx, begin, projects)
                if (not project or line.project.casefold() in names)
                and by.casefold() in ("", line.by.casefold())
            ]
            lines.sort(key=lambda line: line.at, reverse=True)
            waiting = tx.reviews.page(ReviewStatus.WAITING, _MOST_WAITING, 0)
            return News(
                since=begin,
                read_at=tx.now,
                lines=tuple(lines[:limit]),
                more=max(0, len(lines) - limit),
                waiting=tuple(
                    NewsLine(
                        ShortReference(ReferenceKind.REVIEW, review.id),
                        "waits for review",
                        str(review.moment.get("summary", "")),
                        review.agent,
                        review.created_at,
                    )
                    for review in waiting
                ),
                waiting_count=tx.reviews.count(ReviewStatus.WAITING),
                failing=tuple(_failing(tx, projects)),
                untidy=tuple(islice(_untidy(tx, project, _READ_LATELY), _MOST_UNTIDY)),
                notice="" if lines else _unknown(project, projects.values()),
            )

    def brief(self, actor: Actor, project: str, budget: int) -> str:
        """The briefing for an agent, on one project or on everything.

        A preference without a project applies to all of them.
        """
        with self._store.read(actor) as tx:
            names = filed_names(tx.projects.all(), project)
            latest = tx.entries.page(Filter(kinds=_BRIEFED), _READ_LATELY, 0)
            entries = [
                entry
                for entry in latest
                if entry.org == actor.org
                and (
                    not project
                    or _is_filed(entry, names)
                    or (entry.content.place.project is None and _holds_anywhere(entry))
                )
            ]
            waiting = tx.reviews.count(ReviewStatus.WAITING)
            return brief(entries, waiting, tx.now, actor.org, budget, project)

    def unknown(self, actor: Actor, project: str) -> str:
        """Says that no project has that name, unless something is filed under it."""
        with self._store.read(actor) as tx:
            projects = tx.projects.all()
            names = filed_names(projects, project)
            entries = tx.entries.page(Filter(kinds=_BRIEFED), _READ_LATELY, 0)
            filed = any(_is_filed(entry, names) for entry in entries)
            return "" if filed else _unknown(project, projects)

    def tidy(self, actor: Actor, project: str = "", limit: int = 50) -> list[Suggestion]:
        """Suggestions for tidying up the newest entries, with reasons."""
        with self._store.read(actor) as tx:
            return list(islice(_untidy(tx, project, _MOST_COMPARED), limit))


def _is_filed(entry: Entry, names: frozenset[str]) -> bool:
    return (entry.content.place.project or "").casefold() in names


def _holds_anywhere(entry: Entry) -> bool:
    return entry.content.category == ThoughtKind.PREFERENCE


def _unknown(project: str, projects: Collection[Project]) -> str:
    """Says that no project has that name, if there are others."""
    known = sorted(one.handle for one in projects)
    if not project or not known or project_called(projects, project):
        return ""
    return f"No project is called {project}. There is {', '.join(known[:_MOST_NAMED])}."


def _begin(tx: Transaction, since: str) -> datetime:
    if not since:
        last = tx.changes.last_by(tx.actor.agent)
        return last if last is not None else tx.now - USUAL
    if is_time(since):
        return time_ago(since, tx.now)
    if ":" not in since:
        raise InvalidArgument(f"since {ALLOWED}, or a reference.", field="since")
    reference = parse_reference(since)
    if is_entry(reference):
        return entry_named(tx, reference).updated_at
    source = source_named(tx, reference)
    return source.sync.synced_at or source.created_at


def _lines(tx: Transaction, since: datetime, projects: dict[str, Project]) -> Iterator[NewsLine]:
    for entry in tx.entries.changed_since(since, _READ_LATELY):
        yield _line(tx, entry, since, projects)
    for source in tx.sources.in_reach(None):
        at = source.sync.synced_at or source.created_at
        if source.org == tx.actor.org and at >= since:
            what = "document read" if source.sync.synced_at else "document added"
            place = source.place.workspace or ""
            yield NewsLine(of_document(source.id), what, source.name, source.agent, at, place)
    for one in tx.attachments.all():
        at = one.resource.indexing.indexed_at or one.resource.created_at
        if not one.resource.kind.is_written and at >= since:
            handle = _handle(one.attachment.project_id, projects)
            name = ShortReference(ReferenceKind.PROJECT, handle)
            label = one.attachment.label
            what = "folder read" if one.resource.indexing.indexed_at else "folder added"
            yield NewsLine(name, what, label, one.resource.agent, at, handle)


def _line(tx: Transaction, entry: Entry, since: datetime, projects: dict[str, Project]) -> NewsLine:
    changes = tx.changes.history(entry)
    by = changes[-1].agent if changes else entry.agent
    what = f"{sort_of(entry)} {_happened(entry, since)}"
    place = entry.content.place.project or ""
    handle = projects[place].handle if place in projects else place
    reference = reference_of(entry, tx.actor.org)
    return NewsLine(reference, what, entry.content.title, by, entry.updated_at, handle)


def _happened(entry: Entry, since: datetime) -> str:
    if entry.deleted_at is not None:
        return "forgotten"
    if entry.head is not None:
        return "superseded"
    return "new" if entry.created_at >= since else "changed"


def _handle(project_id: str | None, projects: dict[str, Project]) -> str:
    known = projects.get(project_id or "")
    return known.handle if known else GLOBAL


def _failing(tx: Transaction, projects: dict[str, Project]) -> Iterator[str]:
    for source in tx.sources.in_reach(None):
        if source.sync.status is SourceStatus.ERROR:
            yield f"{of_document(source.id)} {source.name}: {source.sync.error}"
    for one in tx.attachments.all():
        if one.resource.indexing.status is IndexStatus.FAILED:
            handle = _handle(one.attachment.project_id, projects)
            yield f"project:{handle} {one.attachment.label}: {one.resource.indexing.error}"
    reasons = {reason for _, reason in tx.chunks.failures(_MOST_FAILURES)}
    yield from (f"embedding was given up: {reason}" for reason in sorted(reasons))


def _untidy(tx: Transaction, project: str, most: int) -> Iterator[Suggestion]:
    names = filed_names(tx.projects.all(), project)
    entries = [
        entry
        for entry in tx.entries.page(Filter(kinds=_TIDIED), most, 0)
        if entry.org == tx.actor.org and (not project or _is_filed(entry, names))
    ]
    return suggestions(entries, tx.accesses.of([entry.key for entry in entries]), tx.now)
