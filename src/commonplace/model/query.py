"""What is searched for and what is found, as values."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from commonplace.model.chunk import Chunk
from commonplace.model.entry import Entry, Place
from commonplace.model.source import Source


class RetrievalMode(StrEnum):
    """How candidates are found; AUTO is the best that works now."""

    AUTO = "auto"
    LEXICAL = "lexical"
    SEMANTIC = "semantic"
    HYBRID = "hybrid"


class Fusion(StrEnum):
    """What makes the score; by SIMILARITY it is meaning alone, whatever else is stored.

    ABSOLUTE reads words by the best match there is, UNSCALED as they are: a question of many
    words, none of which need be in the answer, is then mostly a matter of meaning.
    """

    ABSOLUTE = "absolute"
    UNSCALED = "unscaled"
    SIMILARITY = "similarity"
    RECIPROCAL_RANK = "reciprocal_rank"


class LexicalLeg(StrEnum):
    """What counts as a match by words: any analysed term, or all words as they are written.

    ANY_TERM_OR_PART also finds entries whose label contains the query, be it inside a word. With
    EVERY_WORD_OR_NOTHING meaning finds nothing else, and only ranks what has all the words.
    """

    ANY_TERM = "any_term"
    ANY_TERM_OR_PART = "any_term_or_part"
    ALL_WORDS = "all_words"
    EVERY_WORD_OR_NOTHING = "every_word_or_nothing"


@dataclass(frozen=True, slots=True)
class Reach:
    """What is seen from a workspace: the system, the workspace, and one space of it if named."""

    workspace: str
    space: str | None = None


@dataclass(frozen=True, slots=True)
class Belonging:
    """What is filed under one of a project's `names`, or stands in one of its `resources`."""

    names: tuple[str, ...]
    resources: tuple[int, ...] = ()


# Stands for texts in no programming language: entries, documents, Markdown in a folder of code.
NO_LANGUAGE = ""


@dataclass(frozen=True, slots=True)
class Filter:
    """Conditions that all must hold. An empty tuple or None means: any.

    All of `tags` must be there, and at least one of `any_tags`. `languages` are programming
    languages or NO_LANGUAGE. Of `paths`, each a resource and a folder or file in it (`""` for all
    of it), one must hold the chunk. Since `since` and before `until` its entry or file was changed
    last. These two and `belonging` are asked of chunks only.
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
    belonging: Belonging | None = None
    since: datetime | None = None
    until: datetime | None = None
    include_superseded: bool = False
    include_expired: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """A place in a list of entries that is ordered from the newest on."""

    at: datetime
    key: int


ANYTHING = Filter(include_superseded=True, include_expired=True)


# How widely an approximate index looks, unless a caller wants it narrower or wider.
USUAL_WIDTH = 64


class Grain(StrEnum):
    """What one hit stands for: an owner by its best chunk, or a chunk by itself."""

    OWNER = "owner"
    CHUNK = "chunk"


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """`fan_out` is how many owners each leg may rank; `width` is that of an approximate index.

    With `keep_unrelated`, what no leg finds related is listed too, last. What shares no word with
    the query must have at least `least_similarity` to be found. `depth` is how many chunks each leg
    may find, whatever page is shown; without it, as many as the page needs. Of the best `wholes`
    files what they say as a whole counts with the chunk. With `surroundings`, short entries count
    with those that came right before and after them.
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
    """One named contribution to a score; the same line that adds it explains it."""

    name: str
    value: float
    reason: str


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk, or the best one of its owner, with the entry or source that it belongs to."""

    chunk: Chunk
    score: float
    parts: tuple[ScorePart, ...]
    snippet: str
    similarity: float | None = None
    entry: Entry | None = None
    source: Source | None = None


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What was found, and what really happened on the way.

    `problem` is the code of the error that kept the query from being embedded. `pending` chunks
    could be found by words only, `previewed` ones by meaning from a preview of them.
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
