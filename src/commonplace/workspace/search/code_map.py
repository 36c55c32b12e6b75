"""Requests and answers of code maps: places by role, found by the code graph or by retrieval.

Filters restrict the places, never the symbol that is asked about.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from textwrap import dedent

from commonplace.codegraph.answering.answer import GraphCoverage, PlaceRole, Sighting
from commonplace.codegraph.answering.question import Intent, Question, name_parts
from commonplace.codegraph.answering.trace import TraceRequest, UseCount
from commonplace.model.chunk import Chunk
from commonplace.model.graph import FileProblem
from commonplace.model.query import Hit
from commonplace.model.workspace import KnowledgeType
from commonplace.text.snippet import snippet
from commonplace.workspace.search.grouping import Groups, ShownLimits
from commonplace.workspace.search.naming import symbol_name, title_of
from commonplace.workspace.search.paths import shown_path
from commonplace.workspace.search.request import WorkspaceSearchHit, WorkspaceSearchResult
from commonplace.workspace.search.roles import calls, mentions, role_of
from commonplace.workspace.search.sources import UNNARROWED, Narrowing, Sourced, Sources

_CONSTRUCTOR = "constructor"
_USES = frozenset({PlaceRole.REFERENCE, PlaceRole.IMPORT, PlaceRole.EXPORT, PlaceRole.UNKNOWN})
_MOST_SIMILAR = 5
_LEAST_LIKENESS = 0.6


@dataclass(frozen=True, slots=True)
class MapRequest:
    """A question about code. `raw` also requests the plain retrieval result.

    A `form` is a question beyond the intents; it is presented as the intent nearest to it.
    """

    query: str
    question: Question
    limits: ShownLimits
    narrowing: Narrowing = UNNARROWED
    raw: bool = False
    form: TraceRequest | None = None

    @property
    def shown(self) -> Narrowing:
        """The restriction for shown places: to code, or to docs for a question about docs."""
        if self.narrowing.knowledge_types is not None:
            return self.narrowing
        docs = self.question.intent is Intent.DOC
        kind = KnowledgeType.DOCS if docs else KnowledgeType.CODE
        return replace(self.narrowing, knowledge_types=frozenset({kind}))

    @property
    def counted(self) -> Narrowing:
        """The restriction for counted places: to code, even if the question shows docs."""
        if self.narrowing.knowledge_types is not None:
            return self.narrowing
        return replace(self.narrowing, knowledge_types=frozenset({KnowledgeType.CODE}))

    @property
    def names_symbol(self) -> bool:
        """Whether the question is about a symbol; a question about docs may have any subject."""
        return self.question.target is not None and self.question.intent is not Intent.DOC

    def counts(self, one: Sighting) -> bool:
        """Whether a place counts; comments in code are documentation only if code is asked for."""
        return one.role is not PlaceRole.DOC or self.counted == self.shown


@dataclass(frozen=True, slots=True)
class MapHit:
    """One place, from retrieval (`hit`) or from the graph (`sighting`).

    The chunk of a sighting is only loaded if it is shown.
    """

    role: PlaceRole
    call: bool
    source: Sourced
    path: str | None
    hit: Hit | None = None
    sighting: Sighting | None = None
    chunk: Chunk | None = None
    excerpt: str = ""

    @property
    def title(self) -> str:
        if self.hit:
            return title_of(self.hit)
        assert self.sighting, "a place comes from the graph or from retrieval"
        if self.sighting.kind == _CONSTRUCTOR and self.symbol_path:
            return self.symbol_path
        return self.sighting.name or self.sighting.path.rsplit("/", 1)[-1]

    @property
    def symbol_path(self) -> str | None:
        """The qualified name of the symbol; None if it is the same as its name."""
        marked = self.chunk.symbol if self.chunk else None
        path = self.sighting.symbol_path if self.sighting else marked.path if marked else None
        return path if path and path != self.symbol[0] else None

    @property
    def symbol(self) -> tuple[str | None, str | None]:
        """The symbol's name and kind."""
        if self.sighting:
            return self.sighting.name, self.sighting.kind
        marked = self.chunk.symbol if self.chunk else None
        return (symbol_name(self.chunk), marked.kind) if self.chunk and marked else (None, None)

    @property
    def language(self) -> str | None:
        if self.sighting:
            return self.sighting.language
        return self.chunk.metadata.language if self.chunk else None

    @property
    def lines(self) -> tuple[int | None, int | None]:
        if self.sighting:
            return self.sighting.line_start, self.sighting.line_end
        position = self.chunk.position if self.chunk else None
        return (position.line_start, position.line_end) if position else (None, None)


@dataclass(frozen=True, slots=True)
class CodeMap:
    """The answer to a question about code.

    `target` is None if the answer comes from retrieval, whose result is in `retrieved`. `unread`
    sources are in scope but were never read. `unlinked` uses of the name could not be resolved. If
    no symbol has the name, `similar` suggests some.
    """

    question: Question
    target: str | None
    coverage: GraphCoverage
    groups: Groups[MapHit]
    retrieved: WorkspaceSearchResult | None
    unread: tuple[Sourced, ...] = ()
    unlinked: int = 0
    similar: tuple[str, ...] | None = None
    namesakes: tuple[UseCount, ...] = ()
    problems: tuple[FileProblem, ...] = ()
    form: TraceRequest | None = None
    summary: str = ""


def seen(
    sightings: Sequence[Sighting],
    sources: Sources,
    narrowing: Narrowing,
    paths: Sequence[tuple[int, str]],
) -> list[MapHit]:
    """The sightings that pass the filters; a use is filtered by the code that contains it."""
    return [
        MapHit(one.role, one.call, source, shown_path(one.path, source.folder, source.roots),
               sighting=one)
        for one in sightings
        if (source := sources.get(one.resource)) and _passes(one, narrowing, paths)
    ]  # fmt: skip


def retrieved(hits: Sequence[WorkspaceSearchHit], question: Question) -> list[MapHit]:
    """Hits in ranking order, but those that mention the name come first."""
    naming = sorted(hits, key=lambda one: not mentions(one.hit.chunk, question))
    return [_judged(one, question) for one in naming]


def symbol_paths(hits: Iterable[WorkspaceSearchHit]) -> list[str]:
    return [one.hit.chunk.symbol.path for one in hits if one.hit.chunk.symbol]


def similar_names(found: Iterable[str], question: Question) -> tuple[str, ...]:
    """Paths of the found symbols whose names are similar to the one asked for."""
    names: dict[str, str] = {}
    for path in found:
        names.setdefault((name_parts(path) or (path,))[-1].casefold(), path)
    near = get_close_matches(question.parts[-1].casefold(), names, _MOST_SIMILAR, _LEAST_LIKENESS)
    return tuple(names[name] for name in near)


def with_chunk(place: MapHit, chunks: Sequence[Chunk], target: str) -> MapHit:
    """The sighting with the chunk in which it begins."""
    line = place.sighting.line_start if place.sighting else 0
    around = (c for c in chunks if _encloses(c, line))
    chunk = next(around, None)
    if chunk is None:
        return place
    excerpt = snippet(chunk.text, place.title or target)
    if place.role in _USES:
        excerpt = snippet(_lines_around(chunk, line), target)
    return replace(place, chunk=chunk, excerpt=excerpt)


def _lines_around(chunk: Chunk, line: int) -> str:
    """The lines around a use; its enclosing code may begin far above."""
    at = line - (chunk.position.line_start or line)
    lines = chunk.text.splitlines()[max(0, at - 1) : at + 2]
    return dedent("\n".join(lines))


def _judged(one: WorkspaceSearchHit, question: Question) -> MapHit:
    chunk = one.hit.chunk
    docs = one.source.resource.knowledge_type is KnowledgeType.DOCS
    role = PlaceRole.DOC if docs else role_of(chunk, question)
    call = role is PlaceRole.REFERENCE and calls(chunk, question)
    return MapHit(role, call, one.source, one.path, one.hit, None, chunk, one.hit.snippet)


def _passes(one: Sighting, narrowing: Narrowing, paths: Sequence[tuple[int, str]]) -> bool:
    return (
        (not narrowing.languages or one.language in narrowing.languages)
        and (not narrowing.symbol_kinds or one.kind in narrowing.symbol_kinds)
        and (not narrowing.path_prefixes or any(_below(one, *prefix) for prefix in paths))
    )


def _below(one: Sighting, resource: int, prefix: str) -> bool:
    inside = not prefix or f"{one.path}/".startswith(f"{prefix}/")
    return one.resource == resource and inside


def _encloses(chunk: Chunk, line: int) -> bool:
    first, last = chunk.position.line_start, chunk.position.line_end
    return first is not None and last is not None and first <= line <= last
