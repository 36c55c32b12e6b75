"""Which sources a search covers, and which attachment determines the weight of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from posixpath import basename, isabs

from commonplace.model.chunk import TrustTier
from commonplace.model.query import Filter
from commonplace.model.workspace import (
    Attached,
    Attachment,
    KnowledgeType,
    Project,
    Resource,
    ResourceKind,
)
from commonplace.workspace.projects.scope import WorkspaceScope
from commonplace.workspace.search.paths import folder_of, indexed_prefixes, shown_path
from commonplace.workspace.search.ranking import TRUST, SourceWeighting


@dataclass(frozen=True, slots=True)
class Narrowing:
    """Conditions that must all hold; an empty tuple or None matches anything."""

    knowledge_types: frozenset[KnowledgeType] | None = None
    resource_kinds: frozenset[ResourceKind] | None = None
    trust_tiers: frozenset[TrustTier] | None = None
    attachments: frozenset[str] | None = None
    enabled_only: bool = True
    languages: tuple[str, ...] = ()
    symbol_kinds: tuple[str, ...] = ()
    path_prefixes: tuple[str, ...] = ()

    def admits(self, one: Attached) -> bool:
        """Whether an attachment matches, as far as can be told without its contents."""
        attachment, resource = one.attachment, one.resource
        return (
            (attachment.enabled or not self.enabled_only)
            and _among(resource.knowledge_type, self.knowledge_types)
            and _among(resource.kind, self.resource_kinds)
            and _among(attachment.trust, self.trust_tiers)
            and _among(attachment.id, self.attachments)
        )


UNNARROWED = Narrowing()


@dataclass(frozen=True, slots=True)
class Sourced:
    """A resource with the attachments that bring it into scope, the decisive one first.

    `roots` are those of the projects it is attached to.
    """

    resource: Resource
    attachments: tuple[Attachment, ...]
    roots: tuple[str, ...] = ()

    @property
    def effective(self) -> Attachment:
        return self.attachments[0]

    @property
    def is_unread(self) -> bool:
        """Whether nothing of it can be found yet; written entries can be found at once."""
        resource = self.resource
        if resource.kind.is_written or resource.knowledge_type is KnowledgeType.HISTORY:
            return False
        return resource.indexing.indexed_at is None

    @property
    def folder(self) -> str | None:
        return folder_of(self.resource.locator)

    @property
    def weighting(self) -> SourceWeighting:
        return SourceWeighting(self.effective.trust, self.effective.weight, self._place)

    @property
    def _place(self) -> str:
        """The folder's path in its project; of a folder outside its roots, only the last name."""
        if self.folder is None:
            return ""
        shown = shown_path("", self.folder, self.roots).rstrip("/")
        return basename(shown) if isabs(shown) else shown


Sources = Mapping[int, Sourced]


def unread(sources: Sources) -> tuple[Sourced, ...]:
    return tuple(source for source in sources.values() if source.is_unread)


def with_histories(sources: Sources, histories: Iterable[Resource]) -> dict[int, Sourced]:
    """The sources plus the stored commits of their folders, weighted like the folders."""
    folders: dict[str, list[Sourced]] = {}
    for source in sources.values():
        folders.setdefault(source.resource.locator, []).append(source)
    added = {one.key: _history(one, folders[one.locator]) for one in histories
             if one.locator in folders}  # fmt: skip
    return {**sources, **added}


def _history(resource: Resource, folders: Sequence[Sourced]) -> Sourced:
    """The history of a folder, which may be attached as code, as docs, and in several projects."""
    attachments = sorted((one for each in folders for one in each.attachments), key=_precedence)
    roots = dict.fromkeys(root for each in folders for root in each.roots)
    return Sourced(resource, tuple(attachments), tuple(roots))


@dataclass(frozen=True, slots=True)
class ScopedSources:
    """All projects and attachments of an org, seen from a scope whose projects exist."""

    scope: WorkspaceScope
    projects: Mapping[str, Project]
    attached: Sequence[Attached]

    def sources(self, narrowing: Narrowing) -> dict[int, Sourced]:
        """Sources by resource key."""
        together: dict[int, list[Attached]] = {}
        for one in self.attached:
            if self.scope.holds(one.attachment.project_id) and narrowing.admits(one):
                together.setdefault(one.resource.key, []).append(one)
        return {key: self._sourced(some) for key, some in together.items()}

    def filter(self, sources: Sources, narrowing: Narrowing) -> Filter | None:
        """The filter for chunks; None if nothing can match, as an empty filter would match
        everything."""
        paths = self.paths(sources, narrowing)
        if not sources or (narrowing.path_prefixes and not paths):
            return None
        return Filter(
            resources=tuple(dict.fromkeys(key for key, _ in paths) if paths else sources),
            paths=paths,
            languages=narrowing.languages,
            symbol_kinds=narrowing.symbol_kinds,
        )

    def paths(self, sources: Sources, narrowing: Narrowing) -> tuple[tuple[int, str], ...]:
        folders = {key: source.folder for key, source in sources.items()}
        return indexed_prefixes(narrowing.path_prefixes, folders, self._roots)

    @property
    def _roots(self) -> tuple[str, ...]:
        """The roots of the projects in scope."""
        seen = (p.roots for p in self.projects.values() if self.scope.holds(p.id))
        return tuple(dict.fromkeys(root for roots in seen for root in roots))

    def _sourced(self, some: Sequence[Attached]) -> Sourced:
        attachments = sorted((one.attachment for one in some), key=_precedence)
        owners = (self.projects.get(one.project_id or "") for one in attachments)
        roots = dict.fromkeys(root for owner in owners if owner for root in owner.roots)
        return Sourced(some[0].resource, tuple(attachments), tuple(roots))


def _among(value: object, wanted: Iterable[object] | None) -> bool:
    return wanted is None or value in wanted


def _precedence(attachment: Attachment) -> tuple[float, int]:
    return -TRUST[attachment.trust] * attachment.weight, attachment.key
