"""Requests and results of a workspace search, as values."""

from __future__ import annotations

from dataclasses import dataclass

from commonplace.model.query import Hit, RetrievalMode, SearchResult
from commonplace.workspace.search.content import Content, ContentLimits
from commonplace.workspace.search.sources import UNNARROWED, Narrowing, Sourced


@dataclass(frozen=True, slots=True)
class WorkspaceSearchRequest:
    """A search. With `whole_words`, hits must have every word of the query as written.

    `content` is None if only the excerpt is wanted.
    """

    query: str
    narrowing: Narrowing = UNNARROWED
    mode: RetrievalMode = RetrievalMode.AUTO
    whole_words: bool = False
    limit: int = 10
    offset: int = 0
    content: ContentLimits | None = None


@dataclass(frozen=True, slots=True)
class WorkspaceSearchHit:
    """A chunk with its source; `path` is in the form that people use."""

    hit: Hit
    source: Sourced
    path: str | None
    content: Content | None = None


@dataclass(frozen=True, slots=True)
class WorkspaceSearchResult:
    """The hits, and in `search` how they were found.

    `unread` sources were never read, so nothing in them can be found.
    """

    hits: tuple[WorkspaceSearchHit, ...]
    search: SearchResult
    unread: tuple[Sourced, ...] = ()
