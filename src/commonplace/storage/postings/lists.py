"""Entry point to the posting lists of a store: searches them, and schedules their upkeep.

Imports nothing heavy until an org has lists, or should have them.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import TYPE_CHECKING, Protocol

from commonplace.model.query import Filter
from commonplace.storage.port import LexicalQuery
from commonplace.storage.postings import plan
from commonplace.storage.session import Session
from commonplace.storage.tables.chunks import any_scopes

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from commonplace.storage.postings.rows import PostingContents
    from commonplace.storage.postings.search import PostedSession
    from commonplace.storage.postings.upkeep import PostingUpkeep

# Statements that find an index, or what an interrupted build left behind.
_TRACES = ("posting_index", "unfinished_segments", "lost_segments")
# With more unposted chunks than this, the store's text index is asked for everything.
_MOST_UNPOSTED = 20_000


class PostingHome(Protocol):
    """The part of a store that upkeep uses."""

    def orgs(self) -> list[str]: ...

    def orgs_to_post(self, least: int) -> list[str]:
        """Orgs with at least so many queued changes, or with an incomplete index."""
        ...

    def upkeep_session(self, org: str, *, write: bool) -> AbstractContextManager[Session]: ...


class PostingLists:
    """The lists of one opened store."""

    def __init__(self, thresholds: plan.PostingThresholds | None = None) -> None:
        self._thresholds = thresholds or plan.STANDARD_THRESHOLDS
        # By org, and by whether it is searched for what only large orgs read the lists for.
        self._none_until: dict[tuple[str, bool], float] = {}
        self._rest_until = 0.0
        self._seen: set[str] = set()
        self._upkeep: dict[str, PostingUpkeep] = {}
        self._turn: list[str] = []

    def search(
        self, org: str, session: PostedSession, query: LexicalQuery, wanted: Filter, limit: int
    ) -> list[int] | None:
        """The best chunks; None if the store's own text index must be asked instead."""
        contents = self._opened(org, session, if_large=not query.is_by_terms)
        if contents is None:
            return None
        from commonplace.storage.postings.search import PostedSearch

        searching = PostedSearch(session, contents.segments, query, wanted)
        return searching.run(limit, contents.unposted, shared=contents.shared)

    def scoped(
        self, org: str, session: PostedSession, wanted: Filter, most: int
    ) -> NDArray[np.int64] | None:
        """Every chunk that may have the tags, kinds and so on of a filter, in key order.

        The caller must check the filter's other conditions, and who may read. None if the lists
        cannot tell, or if these are more than `most`.
        """
        if not any_scopes(wanted) and not wanted.tags:
            return None
        contents = self._opened(org, session, if_large=True)
        if contents is None or contents.shared:
            return None
        from commonplace.storage.postings.search import scoped_keys

        return scoped_keys(session, contents, wanted, most)

    def _opened(
        self, org: str, session: PostedSession, *, if_large: bool
    ) -> PostingContents | None:
        """What is in the lists and what waits; None if they are too small, or if too much waits."""
        if time.monotonic() < self._none_until.get((org, if_large), 0.0):
            return None
        rows = session.rows("ready_segments", most=_MOST_UNPOSTED + 1)
        least = self._thresholds.everything if if_large else 0
        if not rows or sum(row["chunks"] for row in rows) < least:
            look_again = time.monotonic() + self._thresholds.look_again_seconds
            self._none_until[org, if_large] = look_again
            return None
        unposted: list[int] = session.codec.read_array(rows[0]["unposted"])
        if len(unposted) > _MOST_UNPOSTED:
            return None
        from commonplace.storage.postings.rows import PostingContents, segment_of

        return PostingContents(
            [segment_of(row) for row in rows], unposted, shared=bool(rows[0]["shared"])
        )

    def work_waits(self, home: PostingHome) -> bool:
        """Whether there is upkeep to do; if not, the database is not asked again for a while."""
        if not self._turn and time.monotonic() >= self._rest_until:
            new = [org for org in home.orgs() if org not in self._seen]
            self._seen.update(new)
            self._turn = [*new, *home.orgs_to_post(self._thresholds.least)]
            self._rest_until = time.monotonic() + self._thresholds.rest_seconds
        return bool(self._turn)

    def step(self, home: PostingHome) -> bool:
        """Do a small step for one org; False if there is nothing to do."""
        while self._turn:
            org = self._turn[-1]
            if not self._small(org, home) and self._of(org, home).step():
                return True
            self._turn.pop()
        return False

    def erase_gone(self, home: PostingHome, orgs: Sequence[str]) -> None:
        """Remove from the lists what the store no longer has."""
        for org in orgs:
            if not self._small(org, home):
                self._new(org, home).erase_gone()

    def _small(self, org: str, home: PostingHome) -> bool:
        """Whether an org neither has lists nor should; if so, its queue is emptied."""
        with home.upkeep_session(org, write=False) as session:
            if any(session.rows(name) for name in _TRACES):
                return False
            counted = session.row("count_chunks", most=self._thresholds.begin + 1)
            queued = session.rows("unposted_keys", most=1)
        if counted and counted["chunks"] > self._thresholds.begin:
            return False
        if queued:
            with home.upkeep_session(org, write=True) as session:
                session.run("forget_unposted")
        return True

    def _of(self, org: str, home: PostingHome) -> PostingUpkeep:
        if org not in self._upkeep:
            self._upkeep[org] = self._new(org, home)
        return self._upkeep[org]

    def _new(self, org: str, home: PostingHome) -> PostingUpkeep:
        from commonplace.storage.postings.upkeep import PostingUpkeep

        return PostingUpkeep(partial(home.upkeep_session, org), self._thresholds)
