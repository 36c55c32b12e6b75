"""What is asked of `recall` and what it answers, as values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from commonplace.model.query import ScorePart
from commonplace.recall.evidence import Evidence

USUAL_BUDGET = 1_500
LEAST_BUDGET = 100
MOST_BUDGET = 50_000
USUAL_LIMIT = 8
MOST_HITS = 50


class Verdict(StrEnum):
    """What can be said of an answer as a whole."""

    ANSWERS = "answers"
    RELATED = "related only"
    NOTHING = "nothing relevant"


class RecalledKind(StrEnum):
    """What a hit is: an entry of some kind, a source that was read, a file of a project."""

    NOTE = "note"
    ITEM = "item"
    PAGE = "page"
    NOTEBOOK_NOTE = "notebook_note"
    RECORD = "record"
    UNIT = "unit"
    SKILL = "skill"
    DOCUMENT = "document"
    CODE = "code"
    DOCS = "docs"
    COMMIT = "commit"


@dataclass(frozen=True, slots=True)
class RecallRequest:
    """A question, what narrows it, and how much text may come back.

    `kinds` are kinds of things or categories of entries, such as `decision`; of several one must
    hold, of `tags` all. Of `path` a folder or file is meant. `history` lets superseded and expired
    entries be found, too, marked as such. A span as `since` or `until` is so long ago.
    """

    question: str
    budget: int = USUAL_BUDGET
    kinds: tuple[str, ...] = ()
    project: str | None = None
    tags: tuple[str, ...] = ()
    path: str | None = None
    since: datetime | timedelta | None = None
    until: datetime | timedelta | None = None
    author: str | None = None
    limit: int = USUAL_LIMIT
    least_probability: float = 0.0
    history: bool = False


@dataclass(frozen=True, slots=True)
class FoundAt:
    """Where a passage stands; what does not apply is None. `path` is as the project knows it."""

    path: str | None = None
    line_start: int | None = None
    line_end: int | None = None
    page: int | None = None
    url: str | None = None
    project: str | None = None

    @property
    def shown(self) -> str:
        """A path with lines or an address with a page, as people write it."""
        where = self.path or self.url or ""
        if where and self.line_start is not None:
            last = self.line_end if self.line_end != self.line_start else None
            where += f":{self.line_start}" + (f"-{last}" if last is not None else "")
        return f"{where} page {self.page}".strip() if self.page is not None else where


@dataclass(frozen=True, slots=True)
class RecallHit:
    """One thing that was found, with the lines of it that answer.

    `trust` is the tier of a source, `quality` the confidence of an entry. `copies` counts further
    hits that say the same and are not listed. `whole` says that the excerpt is all there is;
    `warnings` are reasons to distrust the text. A commit touched `file_count` files, of which
    `files` are some.
    """

    reference: str
    kind: RecalledKind
    title: str
    place: FoundAt
    changed_at: datetime | None
    author: str
    probability: float
    parts: tuple[ScorePart, ...]
    excerpt: str
    whole: bool
    evidence: Evidence
    category: str | None = None
    trust: str | None = None
    quality: float | None = None
    tags: tuple[str, ...] = ()
    superseded_by: str | None = None
    expired_at: datetime | None = None
    is_pending: bool = False
    copies: int = 0
    warnings: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    file_count: int = 0


@dataclass(frozen=True, slots=True)
class Recalled:
    """An answer. `probability` is that of the question being answered by what is listed.

    `left_out` were found and did not fit the budget, the limit or what was asked for at least.
    `pending` chunks are stored and not embedded yet, `given_up` never will be; `unread` names what
    was added and not read yet. `narrowed` says what alone was looked at, where not at everything.
    `nearest` is named, without its text, where nothing relevant is known but something comes near.
    """

    question: str
    verdict: Verdict
    probability: float
    hits: tuple[RecallHit, ...]
    left_out: int
    tokens: int
    asked_at: datetime
    pending: int = 0
    given_up: int = 0
    unread: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    narrowed: tuple[str, ...] = ()
    nothing_stored: bool = False
    nearest: RecallHit | None = None
