"""Keeps the posting lists of an org up to date, in steps of well below a second each.

The holder of a lease does this, and whoever purges something. The later one of two gives up: it
notices that its input has changed when it wants to put its segment in place.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from typing import TYPE_CHECKING, Protocol

import numpy as np

from commonplace.storage.postings.plan import (
    PostingState,
    PostingThresholds,
    PostingWork,
    SegmentSize,
    next_work,
    to_merge,
)
from commonplace.storage.postings.rows import PostingSegment, place_of, segment_of, tokens_of
from commonplace.storage.postings.segments import (
    ChunkTokens,
    SegmentBuilder,
    SegmentShape,
    groups_of,
    merged,
    merged_shape,
)
from commonplace.storage.session import Row, Session

if TYPE_CHECKING:
    from numpy.typing import NDArray

_READ_AT_ONCE = 1_024
_BLOCKS_AT_ONCE = 128


class Sessions(Protocol):
    def __call__(self, *, write: bool) -> AbstractContextManager[Session]: ...


class _Overtaken(Exception):
    """Another process has done this work meanwhile."""


class PostingUpkeep:
    """Upkeep for one org; `sessions` opens transactions of it."""

    def __init__(self, sessions: Sessions, thresholds: PostingThresholds) -> None:
        self._sessions = sessions
        self._thresholds = thresholds
        self._under_way: Iterator[None] | None = None
        self._tidied = False

    def _reading(self) -> AbstractContextManager[Session]:
        return self._sessions(write=False)

    def _writing(self) -> AbstractContextManager[Session]:
        return self._sessions(write=True)

    def step(self) -> bool:
        """Do a small step; False if there is nothing to do."""
        if self._under_way is None:
            self._under_way = self._next()
        if self._under_way is None:
            return False
        try:
            next(self._under_way)
        except StopIteration:
            self._under_way = None
        except _Overtaken:
            self._under_way, self._tidied = None, False
        except BaseException:
            self._under_way, self._tidied = None, False
            raise
        return True

    def erase_gone(self) -> None:
        """Remove from the lists what the store no longer had when this began; others may go on
        writing meanwhile."""
        with self._reading() as session:
            index = session.row("posting_index")
            newest = session.row("newest_unposted")
        if _is_filled(index):
            until = newest["sequence"] if newest else 0
            while self._lacks_changes(until):
                _finish(self._post())
            self._rewrite_without(_all_gone(self._segments()))
        elif index is not None:
            # Whoever fills them may have read what is to be erased.
            _finish(self._drop())
        _finish(self._tidy())

    def _lacks_changes(self, until: int) -> bool:
        """Whether a change up to this one is missing. Lists that another has dropped lack none, nor
        do those that are filled again since."""
        with self._reading() as session:
            index = session.row("posting_index")
            queued = session.rows("unposted_batch", limit=1)
        return bool(_is_filled(index) and queued and queued[0]["sequence"] <= until)

    def _rewrite_without(self, keys: NDArray[np.int64]) -> None:
        while found := [s for s in self._segments() if len(np.intersect1d(s.gone, keys))]:
            for segment in found:
                _finish(self._merge([segment]))

    def _next(self) -> Iterator[None] | None:
        if not self._tidied:
            self._tidied = True
            return self._tidy()
        segments = self._segments()
        state = self._state(segments)
        work = next_work(state, self._thresholds)
        if work is PostingWork.MERGE:
            chosen = {size.id for size in to_merge(state.segments, self._thresholds)}
            return self._merge([segment for segment in segments if segment.id in chosen])
        begun: dict[PostingWork, Callable[[], Iterator[None]]] = {
            PostingWork.START: self._begin,
            PostingWork.FILL: self._fill,
            PostingWork.POST: self._post,
            PostingWork.DROP: self._drop,
        }
        return begun[work]() if work in begun else None

    def _state(self, segments: Sequence[PostingSegment]) -> PostingState:
        least, begin = self._thresholds.least, self._thresholds.begin
        with self._reading() as session:
            index = session.row("posting_index")
            queued = len(session.rows("unposted_keys", most=least))
            counted = session.row("count_chunks", most=begin + 1)
        sizes = tuple(SegmentSize(s.id, s.shape.chunks, len(s.gone)) for s in segments)
        return PostingState(_is_filled(index), queued, counted["chunks"] if counted else 0, sizes)

    def _segments(self) -> list[PostingSegment]:
        with self._reading() as session:
            return [segment_of(row) for row in session.rows("posting_segments")]

    def _begin(self) -> Iterator[None]:
        """Begin an index; from now on the queue is kept, so it has everything written later."""
        with self._writing() as session:
            session.run("begin_postings")
        yield

    def _fill(self) -> Iterator[None]:
        """Build the next segment of the chunks that existed when the index began."""
        with self._reading() as session:
            index = session.row("posting_index")
        if index is None:
            raise _Overtaken
        builder, after, until = SegmentBuilder(), index["filled_to"], index["fill_until"]
        last = after
        while len(builder) < self._thresholds.segment:
            with self._reading() as session:
                rows = session.rows(
                    "posting_feed", after=last, until=until, limit=self._piece(len(builder))
                )
            if not rows:
                last = until
                break
            builder.add(tokens_of(row) for row in rows)
            last = rows[-1]["key"]
            yield
        segment = None
        if len(builder):
            segment = yield from self._stored(builder)
        with self._writing() as session:
            _expect(session.run("filled_postings", before=after, after=last), 1)
            if segment is not None:
                _expect(session.run("ready_segment", segment=segment, gone=b""), 1)
        yield

    def _piece(self, have: int) -> int:
        return min(_READ_AT_ONCE, self._thresholds.segment - have)

    def _post(self) -> Iterator[None]:
        """Build a segment of queued chunks; it replaces what older segments say about them."""
        with self._reading() as session:
            queued = session.rows("unposted_batch", limit=self._thresholds.segment)
        if not queued:
            return
        keys = sorted({row["chunk_key"] for row in queued})
        builder = SegmentBuilder()
        for start in range(0, len(keys), _READ_AT_ONCE):
            builder.add(self._tokens(keys[start : start + _READ_AT_ONCE]))
            yield
        segment = None
        if len(builder):
            segment = yield from self._stored(builder)
        with self._writing() as session:
            _hold(session)
            sequences = session.codec.array([row["sequence"] for row in queued])
            _expect(session.run("posted", sequences=sequences), len(queued))
            _mark_gone(session, np.array(keys, np.int64))
            if segment is not None:
                _expect(session.run("ready_segment", segment=segment, gone=b""), 1)
        yield

    def _tokens(self, keys: Sequence[int]) -> list[ChunkTokens]:
        with self._reading() as session:
            rows = session.rows("tokens_of_chunks", keys=session.codec.array(keys))
        return [tokens_of(row) for row in rows]

    def _stored(self, builder: SegmentBuilder) -> Generator[None, None, int]:
        """Store a segment that is not in use yet."""
        shape, blocks = builder.finished([segment.shape for segment in self._segments()])
        yield
        segment = self._opened(shape)
        for start in range(0, len(blocks), _BLOCKS_AT_ONCE):
            part = enumerate(blocks[start : start + _BLOCKS_AT_ONCE], start)
            self._write(segment, part)
            yield
        return segment

    def _opened(self, shape: SegmentShape) -> int:
        with self._writing() as session:
            row = session.row(
                "open_segment",
                first_key=shape.first_key,
                last_key=shape.last_key,
                chunks=shape.chunks,
                tokens=shape.tokens,
                blocks=shape.blocks,
            )
        assert row is not None, "an insert returns its key"
        return int(row["segment"])

    def _write(self, segment: int, blocks: Iterable[tuple[int, bytes]]) -> None:
        written = [
            {"place": place_of(segment, block), "data": data} for block, data in blocks if data
        ]
        with self._writing() as session:
            session.run_many("store_block", written)

    def _merge(self, segments: Sequence[PostingSegment]) -> Iterator[None]:
        """Write one segment in place of several, without their out-of-date keys."""
        sources = [segment.source for segment in segments]
        shape = merged_shape(sources)
        target = self._opened(shape)
        groups = groups_of(sources)
        together = max(1, _BLOCKS_AT_ONCE * groups // shape.blocks)
        for start in range(0, groups, together):
            blocks: list[tuple[int, bytes]] = []
            for group in range(start, min(start + together, groups)):
                found = [self._blocks(segment, group, groups) for segment in segments]
                blocks += merged(sources, shape, group, found)
            self._write(target, blocks)
            yield
        self._replace(segments, target)
        yield
        yield from self._removed([segment.id for segment in segments])

    def _blocks(self, segment: PostingSegment, group: int, groups: int) -> list[bytes]:
        """The blocks of a segment that hold a group of lists."""
        places = [
            place_of(segment.id, block) for block in range(group, segment.shape.blocks, groups)
        ]
        with self._reading() as session:
            rows = session.rows("posting_blocks", places=session.codec.array(places))
        return [row["data"] for row in rows]

    def _replace(self, segments: Sequence[PostingSegment], target: int) -> None:
        """Switch to the new segment, and mark keys outdated since the old ones were read."""
        ids = {segment.id for segment in segments}
        known = _all_gone(segments)
        with self._writing() as session:
            _hold(session)
            now = [segment_of(row) for row in session.rows("posting_segments")]
            gone = _all_gone([segment for segment in now if segment.id in ids])
            since = np.setdiff1d(gone, known).astype("<i8").tobytes()
            _expect(session.run("remove_segments", segments=session.codec.array(ids)), len(ids))
            _expect(session.run("ready_segment", segment=target, gone=since), 1)

    def _removed(self, segments: Sequence[int]) -> Iterator[None]:
        for segment in segments:
            first, last = place_of(segment, 0), place_of(segment + 1, 0) - 1
            while True:
                with self._writing() as session:
                    removed = session.run(
                        "remove_blocks", first=first, last=last, most=_BLOCKS_AT_ONCE
                    )
                if not removed:
                    break
                yield

    def _tidy(self) -> Iterator[None]:
        """Remove what a process left behind that died during its work."""
        with self._reading() as session:
            left = session.rows("unfinished_segments")
        if left:
            with self._writing() as session:
                session.run("remove_unfinished_segments")
            yield
        with self._reading() as session:
            lost = [row["segment"] for row in session.rows("lost_segments")]
        yield from self._removed(lost)

    def _drop(self) -> Iterator[None]:
        with self._writing() as session:
            _hold(session)
            segments = [row["segment"] for row in session.rows("posting_segments")]
            session.run("remove_segments", segments=session.codec.array(segments))
            session.run("end_postings")
        yield
        yield from self._removed(segments)


def _finish(work: Iterator[None]) -> None:
    """Do all steps, unless another process does so."""
    with suppress(_Overtaken):
        deque(work, maxlen=0)


def _is_filled(index: Row | None) -> bool | None:
    """Whether the lists of an org have everything that was there when they began; None without
    lists."""
    return index["filled_to"] >= index["fill_until"] if index else None


def _hold(session: Session) -> None:
    """Keep others from replacing segments until this transaction ends."""
    if session.row("hold_postings") is None:
        raise _Overtaken


def _all_gone(segments: Sequence[PostingSegment]) -> NDArray[np.int64]:
    return np.concatenate([np.zeros(0, np.int64), *(segment.gone for segment in segments)])


def _mark_gone(session: Session, keys: NDArray[np.int64]) -> None:
    """Mark these keys as out of date in older segments."""
    for segment in [segment_of(row) for row in session.rows("posting_segments")]:
        inside = keys[(keys >= segment.shape.first_key) & (keys <= segment.shape.last_key)]
        if len(inside):
            gone = np.union1d(segment.gone, inside).astype("<i8").tobytes()
            session.run("ready_segment", segment=segment.id, gone=gone)


def _expect(changed: int, wanted: int) -> None:
    if changed != wanted:
        raise _Overtaken
