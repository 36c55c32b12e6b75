"""Search requests and results."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from commonplace.model.chunk import Chunk
from commonplace.model.entry import Entry, Place
from commonplace.model.source import Source


class RetrievalMode(StrEnum):
    """How candidates are found; AUTO picks the best way that works now."""

    AUTO = "auto"
    LEXICAL = "lexical"
    SEMANTIC = "semantic"
    HYBRID = "hybrid"


class Fusion(StrEnum):
    """How the score is computed.

    ABSOLUTE adds similarity and words, with words relative to the best match found. UNSCALED does
    not rescale words, so that a query of many words, few of which occur in the answer, is decided
    mostly by meaning. SIMILARITY uses meaning alone.
    """

    ABSOLUTE = "absolute"
    UNSCALED = "unscaled"
    SIMILARITY = "similarity"
    RECIPROCAL_RANK = "reciprocal_rank"


class LexicalLeg(StrEnum):
    """What counts as a match by words.

    ANY_TERM: any analysed term. ANY_TERM_OR_PART: also entries whose label contains the query, even
    inside a word. ALL_WORDS: all words, as written. EVERY_WORD_OR_NOTHING: all words, and meaning
    adds no hits but only ranks these.
    """

    ANY_TERM = "any_term"
    ANY_TERM_OR_PART = "any_term_or_part"
    ALL_WORDS = "all_words"
    EVERY_WORD_OR_NOTHING = "every_word_or_nothing"


@dataclass(frozen=True, slots=True)
class Reach:
    """What a workspace sees: the system, itself, and one of its spaces if named."""

    workspace: str
    space: str | None = None


@dataclass(frozen=True, slots=True)
class ProjectFilter:
    """Restricts to a project: filed under one of its `names`, or part of one of its `resources`.

    Entries and documents are filed under the project or workspace that they name, in any case.
    """

    names: tuple[str, ...]
    resources: tuple[int, ...] = ()


# Stands for texts in no programming language: entries, documents, Markdown in a folder of code.
NO_LANGUAGE = ""


@dataclass(frozen=True, slots=True)
class Filter:
    """Conditions that must all hold; an empty tuple or None matches anything.

    A match has all of `tags`, one of `any_tags`, and lies in one of `paths` (a resource, and a
    folder or file in it, `""` for all of it). `languages` are programming languages or NO_LANGUAGE.
    `since` (inclusive) and `until` (exclusive) compare the last change of the entry or file.
    """

    kinds: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    any_tags: tuple[str, ...] = ()
    domain: str | None = None
    min_confidence: float | None = None
    place: Place = Place()
    agent: str | None = None
    languages: tuple[str, ...] = ()
    reach: Reach | None = None
    resources: tuple[int, ...] = ()
    symbol_kinds: tuple[str, ...] = ()
    paths: tuple[tuple[int, str], ...] = ()
    within: ProjectFilter | None = None
    since: datetime | None = None
    until: datetime | None = None
    include_superseded: bool = False
    include_expired: bool = False


@dataclass(frozen=True, slots=True)
class ListPosition:
    """A position in a list of entries that is ordered newest first."""

    at: datetime
    key: int


ANYTHING = Filter(include_superseded=True, include_expired=True)


# The default search width of an approximate index.
USUAL_WIDTH = 64


class Grain(StrEnum):
    """What one hit stands for: an owner, represented by its best chunk, or a single chunk."""

    OWNER = "owner"
    CHUNK = "chunk"


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """What to search for, where, and how much of it to return.

    `fan_out` limits how many owners each leg may rank, and `depth` how many chunks it may find
    (default: as many as the page needs). `width` is the search width of an approximate index.
    `keep_unrelated` lists unrelated candidates too, at the end. A chunk that shares no word with
    the query needs at least `least_similarity`. For the best `wholes` files, the score of the whole
    file counts too. With `surroundings`, short entries are scored together with their neighbours in
    time.
    """

    query: str
    filter: Filter = Filter()
    mode: RetrievalMode = RetrievalMode.AUTO
    lexical: LexicalLeg = LexicalLeg.ANY_TERM
    fusion: Fusion = Fusion.ABSOLUTE
    limit: int = 10
    offset: int = 0
    min_score: float = 0.0
    least_similarity: float = 0.0
    width: int = USUAL_WIDTH
    fan_out: int | None = None
    depth: int | None = None
    wholes: int = 0
    surroundings: bool = False
    keep_unrelated: bool = False
    grain: Grain = Grain.OWNER


@dataclass(frozen=True, slots=True)
class ScorePart:
    """One named part of a score, with the reason; created where the score is computed."""

    name: str
    value: float
    reason: str


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk, or the best chunk of its owner, with the entry or source it belongs to."""

    chunk: Chunk
    score: float
    parts: tuple[ScorePart, ...]
    snippet: str
    similarity: float | None = None
    entry: Entry | None = None
    source: Source | None = None


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The hits, and how the search was actually done.

    `problem` is the code of the error that prevented embedding the query. `pending` chunks could
    only be found by words, `previewed` ones by an approximate vector.
    """

    hits: tuple[Hit, ...]
    total: int
    mode_requested: RetrievalMode
    mode_used: RetrievalMode
    model: str | None
    exact: bool
    pending: int
    given_up: int
    notices: tuple[str, ...] = field(default=())
    problem: str | None = None
    previewed: int = 0
