"""Requests to `recall` and its answers, as values."""

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
# A list is read this far, to count what is left out.
MOST_LISTED = 2_000


class Verdict(StrEnum):
    """The judgement on an answer as a whole."""

    ANSWERS = "answers"
    RELATED = "related only"
    NOTHING = "nothing relevant"


class RecalledKind(StrEnum):
    """The kind of a hit: a kind of entry, a document, a file of a project, or a commit."""

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
    """A question, its restrictions, and a limit on the text returned.

    `kinds` are kinds of hits or categories of entries, such as `decision`. A hit must match one of
    the kinds, but all of the `tags`. `path` is a folder or file. `history` includes superseded and
    expired entries, marked as such. A timedelta in `since` or `until` counts back from now.
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
    """The location of a passage; `path` is within the project. None where not applicable."""

    path: str | None = None
    line_start: int | None = None
    line_end: int | None = None
    page: int | None = None
    url: str | None = None
    project: str | None = None

    @property
    def shown(self) -> str:
        """The location as people write it: `path:1-9`, or an address with a page."""
        where = self.path or self.url or ""
        if self.path and self.line_start is not None:
            last = self.line_end if self.line_end != self.line_start else None
            where += f":{self.line_start}" + (f"-{last}" if last is not None else "")
        return f"{where} page {self.page}".strip() if self.page is not None else where


@dataclass(frozen=True, slots=True)
class RecallHit:
    """One hit, with the excerpt that answers.

    `trust` is the tier of a source, `quality` the confidence of an entry. `copies` counts further
    hits that say the same and are not listed. `whole`: the excerpt is the complete text.
    `warnings` are reasons to distrust the text. A commit touched `file_count` files; `files` has
    the first of them.
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
    """An answer; `probability` is the chance that the listed hits answer the question, 0 if nothing
    relevant was found.

    `left_out` counts hits that did not fit the budget, the limit or the least probability.
    `pending` counts chunks that are not embedded yet, `given_up` those that never will be.
    `unread` names sources that are not read yet. `narrowed` describes the restrictions of the
    search. `nearest` is a hit to name, without its text, if nothing relevant was found.
    `is_list`: the question asked for a list, and the hits are its newest entries.
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
    is_list: bool = False
