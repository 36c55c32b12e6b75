"""Turns a request's restrictions into a filter over what the caller may see. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from commonplace.errors import InvalidArgument
from commonplace.model.chunk import ChunkTerms
from commonplace.model.commits import COMMIT_KIND
from commonplace.model.entry import Entry, plain_tag
from commonplace.model.folder import FILE_KIND
from commonplace.model.query import NO_LANGUAGE, Filter, ProjectFilter
from commonplace.model.thought import ThoughtKind, plain_kind
from commonplace.model.workspace import KnowledgeType, Project, Resource
from commonplace.recall.values import RecalledKind, RecallRequest
from commonplace.text.path_class import PathClass, is_prose, path_class
from commonplace.workspace.projects.identity import project_called
from commonplace.workspace.search.sources import (
    Narrowing,
    ScopedSources,
    Sourced,
    Sources,
    with_histories,
)

_FILES = frozenset({KnowledgeType.CODE, KnowledgeType.DOCS})
# The sources that may hold a kind; code and docs are in the same folders.
_OF_FOLDERS: Mapping[str, frozenset[KnowledgeType]] = {
    RecalledKind.CODE: _FILES,
    RecalledKind.DOCS: _FILES,
    RecalledKind.COMMIT: frozenset({KnowledgeType.HISTORY}),
}
_NAMES = frozenset(kind.value for kind in RecalledKind)
_THOUGHTS = frozenset(kind.value for kind in ThoughtKind)
_MOST_NAMED = 20
FOLDER_KINDS = (FILE_KIND, COMMIT_KIND)


@dataclass(frozen=True, slots=True)
class Narrowed:
    """The restrictions of a request.

    `filter` is for the store; None if nothing can pass. `restrictions` describes it in words.
    """

    filter: Filter | None
    sources: Sources
    kinds: frozenset[str]
    notices: tuple[str, ...] = ()
    restrictions: tuple[str, ...] = ()

    def kind_of(self, chunk: ChunkTerms) -> str:
        """The kind of the chunk's owner; a file is docs or code, depending on its name."""
        if chunk.kind != FILE_KIND:
            return chunk.kind
        return (RecalledKind.DOCS if is_prose(chunk.path or "") else RecalledKind.CODE).value

    def class_of(self, chunk: ChunkTerms) -> PathClass | None:
        """The purpose of a file, judged by its path in the project; None if it is no file."""
        source = self.sources.get(chunk.place.resource or 0)
        if chunk.kind != FILE_KIND or source is None or not chunk.path:
            return None
        return path_class(f"{source.weighting.folder}/{chunk.path}")

    def passes(self, chunk: ChunkTerms) -> bool:
        """Whether a chunk is of a requested kind, and its source is not switched off."""
        if chunk.kind in FOLDER_KINDS and (chunk.place.resource or 0) not in self.sources:
            return False
        return not self.kinds or self.kind_of(chunk) in self.kinds or chunk.category in self.kinds


Period = tuple[datetime | None, datetime | None]


def known_kind(name: str) -> str:
    """The kind with this name, ignoring case and plural; an unknown name is returned as it is."""
    plain = plain_kind(name)
    for kind in RecalledKind:
        if plain in (plain_kind(kind), plain_kind(f"{kind}s")):
            return kind.value
    thought = next((kind for kind in ThoughtKind if plain in kind.spellings), None)
    return thought.value if thought else name


def _meant(names: Sequence[str]) -> tuple[str, ...]:
    """The kinds that a caller means by these names: `docs` are documents, too."""
    kinds = tuple(map(known_kind, names))
    documents = (RecalledKind.DOCUMENT.value,) if RecalledKind.DOCS in kinds else ()
    return tuple(dict.fromkeys((*kinds, *documents)))


def narrowed(
    request: RecallRequest, scoped: ScopedSources, histories: Sequence[Resource], now: datetime
) -> Narrowed:
    request = replace(request, kinds=_meant(request.kinds))
    since, until = period = _period(request, now)
    sources = with_histories(scoped.sources(Narrowing()), histories)
    # None also if it is only a label that entries are filed under.
    project = project_called(scoped.projects.values(), request.project or "")
    held = {key: one for key, one in sources.items() if _is_held(one, project, request.kinds)}
    paths = scoped.paths(held, Narrowing(path_prefixes=(request.path,))) if request.path else ()
    kinds = frozenset(request.kinds)
    restrictions = tuple(_restrictions(request, period))
    if request.path and not paths:
        notice = f"Nothing that is attached and switched on lies at {request.path}."
        return Narrowed(None, sources, kinds, (notice,), restrictions)
    only_folders = bool(kinds) and kinds <= _OF_FOLDERS.keys()
    if only_folders and not held:
        notice = f"Nothing of the kind {' or '.join(sorted(kinds))} is attached."
        return Narrowed(None, sources, kinds, (notice,), restrictions)
    resources = dict.fromkeys(key for key, _ in paths) if paths else held if only_folders else ()
    wanted = Filter(
        kinds=_stored_kinds(request.kinds),
        categories=() if kinds & _NAMES else request.kinds,
        tags=tuple(map(plain_tag, request.tags)),
        agent=request.author,
        languages=_languages(kinds),
        resources=tuple(resources),
        paths=paths,
        within=_project_filter(request.project, project, held),
        since=since,
        until=until,
        include_superseded=request.history,
        include_expired=request.history,
    )
    return Narrowed(wanted, sources, kinds, restrictions=restrictions)


def _period(request: RecallRequest, now: datetime) -> Period:
    since, until = (
        now - limit if isinstance(limit, timedelta) else limit
        for limit in (request.since, request.until)
    )
    if since and until and since >= until:
        raise InvalidArgument("since must be before until.", field="since")
    return since, until


def _is_held(source: Sourced, project: Project | None, kinds: Sequence[str]) -> bool:
    """Whether a source belongs to the requested project and may hold the requested kinds."""
    types = set[KnowledgeType]().union(*(_OF_FOLDERS.get(kind, ()) for kind in kinds))
    if types and source.resource.knowledge_type not in types:
        return False
    return project is None or any(one.project_id == project.id for one in source.attachments)


def _project_filter(
    named: str | None, project: Project | None, held: Sources
) -> ProjectFilter | None:
    if named is None:
        return None
    if project is None:
        return ProjectFilter((named,))
    return ProjectFilter((named, project.id, project.handle, project.name), tuple(held))


def _stored_kinds(kinds: Sequence[str]) -> tuple[str, ...]:
    """The kinds as chunks store them; empty if some are categories, as any kind may have those."""
    if not _NAMES.issuperset(kinds):
        return ()
    of_files = (RecalledKind.CODE, RecalledKind.DOCS)
    return tuple(dict.fromkeys(FILE_KIND if kind in of_files else kind for kind in kinds))


def _languages(kinds: frozenset[str]) -> tuple[str, ...]:
    """The languages to search. For docs only, code is excluded, or it would crowd out the docs."""
    wants_docs = RecalledKind.DOCS in kinds and RecalledKind.CODE not in kinds
    return (NO_LANGUAGE,) if wants_docs and kinds <= _NAMES else ()


def _restrictions(request: RecallRequest, period: Period) -> Iterator[str]:
    """Describe the restrictions in the caller's words; list the kinds if one is unknown."""
    if kinds := request.kinds:
        every = _NAMES | _THOUGHTS
        known = "" if every.issuperset(kinds) else f" (the kinds are {', '.join(sorted(every))})"
        yield f"kinds {' or '.join(kinds)}{known}"
    if request.tags:
        yield f"tags {' and '.join(request.tags)}"
    for name in ("project", "path", "author"):
        if value := getattr(request, name):
            yield f"{name} {value}"
    for name, moment in zip(("since", "until"), period, strict=True):
        if moment:
            yield f"{name} {moment.astimezone(UTC):%Y-%m-%d %H:%M}Z"


def unknown_project(named: str, projects: Mapping[str, Project], entries: Iterable[Entry]) -> str:
    """Says that no project has this name, with those that there are, and the names that entries
    are filed under; empty if it is one of these."""
    filed = {place for entry in entries if (place := entry.content.place.project)}
    known = sorted({project.handle for project in projects.values()} | (filed - projects.keys()))
    if not known or named.casefold() in {name.casefold() for name in known}:
        return ""
    more = f" and {len(known) - _MOST_NAMED} more" if len(known) > _MOST_NAMED else ""
    unknown = f"No project is called {named}, and nothing filed under that name answers."
    return f"{unknown} Projects: {', '.join(known[:_MOST_NAMED])}{more}."
