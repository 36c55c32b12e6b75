"""Decides which candidates count as found, and builds the search result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from commonplace.model.chunk import Unembedded
from commonplace.model.query import Hit, RetrievalMode, SearchRequest, SearchResult
from commonplace.retrieval.fusion import Candidate, Scored

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NONE_WAITS = Unembedded()


@dataclass(frozen=True, slots=True)
class QueryVector:
    """The embedded query, or why there is none: `notice` for people, `problem` as error code."""

    vector: NDArray[np.float32] | None = None
    model: str | None = None
    notice: str | None = None
    problem: str | None = None


def related(candidate: Candidate, request: SearchRequest) -> bool:
    """Whether a candidate matches by words, or is similar enough without them."""
    return bool(candidate.coverage) or (candidate.similarity or 0.0) >= request.least_similarity


def relevant(scored: Scored, request: SearchRequest) -> bool:
    wanted = scored.score > 0 or request.keep_unrelated
    return wanted and scored.score >= request.min_score


def outcome(
    request: SearchRequest,
    embedded: QueryVector,
    hits: tuple[Hit, ...] = (),
    total: int = 0,
    unembedded: Unembedded = NONE_WAITS,
    *,
    exact: bool = True,
) -> SearchResult:
    return SearchResult(
        hits=hits,
        total=total,
        mode_requested=request.mode,
        mode_used=_mode_used(request.mode, embedded),
        model=embedded.model,
        exact=exact,
        pending=unembedded.pending,
        given_up=unembedded.failed,
        previewed=unembedded.previewed,
        notices=(embedded.notice,) if embedded.notice else (),
        problem=embedded.problem,
    )


def _mode_used(requested: RetrievalMode, embedded: QueryVector) -> RetrievalMode:
    if embedded.vector is None:
        return RetrievalMode.LEXICAL
    return RetrievalMode.HYBRID if requested is RetrievalMode.AUTO else requested
