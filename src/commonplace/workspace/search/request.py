"""What is looked up and what is found, as values."""

from __future__ import annotations

from dataclasses import dataclass

from commonplace.model.query import Hit, RetrievalMode, SearchResult
from commonplace.workspace.search.content import Content, ContentLimits
from commonplace.workspace.search.sources import UNNARROWED, Narrowing, Sourced


@dataclass(frozen=True, slots=True)
class WorkspaceSearchRequest:
    """With `whole_words` only what has every word of the query as it is written.

    `content` is None where no more of the text than the excerpt is wanted.
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
    """A chunk with the source that it is of; `path` is as people know it."""

    hit: Hit
    source: Sourced
    path: str | None
    content: Content | None = None


@dataclass(frozen=True, slots=True)
class WorkspaceSearchResult:
    """`search` says what really happened.

    `unread` are the sources of which nothing can be found, because they were never read.
    """

    hits: tuple[WorkspaceSearchHit, ...]
    search: SearchResult
    unread: tuple[Sourced, ...] = ()
