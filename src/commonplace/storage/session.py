"""What the tables need of an open transaction, on either database."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from commonplace.model.actor import Actor
from commonplace.model.query import USUAL_WIDTH, Filter
from commonplace.model.times import to_micros
from commonplace.storage.port import LexicalQuery, Nearest

if TYPE_CHECKING:
    from commonplace.embedding.port import Vector
    from commonplace.storage.passing import PassingChunks

# Fetched per requested chunk: filters remove some, and one chunk may have several windows.
_OVERFETCH = 4
# How widely a graph of vectors is searched at least: a narrow search of a large graph misses much.
_NARROWEST = 200
ONE_IN_GRAPH = 625
# Comparing up to so many chunks one by one is cheaper than a search that finds enough of them.
MOST_SCOPED = 20_000
# Sorts after every continuation of a prefix.
LAST = "\U0010ffff"

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Binding:
    """What a transaction is bound to when it opens: actor, time, and whether orgs form a
    network."""

    actor: Actor
    now: datetime
    network: bool

    def values(self) -> dict[str, object]:
        """The parameters that are available to every statement."""
        return {
            "org": self.actor.org,
            "agent": self.actor.agent,
            "now": to_micros(self.now),
            "network": self.network,
        }


class Codec(Protocol):
    """Converts the types that the two databases store differently."""

    def array(self, values: Iterable[object]) -> object: ...

    def read_array(self, value: Any) -> list[Any]: ...

    def document(self, value: Mapping[str, Any]) -> object: ...

    def read_document(self, value: Any) -> dict[str, Any]: ...

    def vector(self, value: Vector) -> object: ...

    def read_vector(self, value: Any) -> Vector: ...

    def search_tokens(self, fields: Mapping[str, str]) -> dict[str, object]:
        """The parameters that pass a chunk's tokens to the text index."""
        ...


class Session(Protocol):
    """Runs named statements in one transaction."""

    @property
    def actor(self) -> Actor: ...

    @property
    def now(self) -> datetime: ...

    @property
    def codec(self) -> Codec: ...

    def rows(self, statement: str, **values: object) -> list[Row]: ...

    def row(self, statement: str, **values: object) -> Row | None: ...

    def run(self, statement: str, **values: object) -> int:
        """Run a statement; returns how many rows it affected."""
        ...

    def run_last(self, statement: str, **values: object) -> None:
        """Run a statement just before the commit, if others wait for what it locks."""
        ...

    def run_many(self, statement: str, values: Iterable[Mapping[str, object]]) -> None:
        """Run a statement once for each set of values."""
        ...

    def lexical(self, query: LexicalQuery, wanted: Filter, limit: int) -> list[int]: ...

    def nearest(
        self, model: str, query: Vector, wanted: Filter, limit: int, width: int
    ) -> Nearest: ...

    @property
    def chunks(self) -> PassingChunks: ...

    def expect_vectors(self, model: str, dimension: int) -> None:
        """Announce that vectors of this model and dimension will be written."""
        ...

    def announce_work(self) -> None:
        """Wake the workers once this transaction has committed."""
        ...


def path_prefix(resource: int, path: str) -> str:
    """The prefix that identifies a folder or file of a resource and everything in it."""
    return "/".join(filter(None, [str(resource), path.strip("/")])) + "/"


def vectors_to_fetch(limit: int, width: int) -> int:
    """How many nearest vectors to fetch for this many chunks, in proportion to the search width."""
    return max(limit, _OVERFETCH * limit * width // USUAL_WIDTH)


def graph_width(held: int, reach: int, asked: int) -> int:
    """How many candidates a search keeps to find the nearest `reach` of the `held` in a graph."""
    return max(asked, reach, _NARROWEST, held // ONE_IN_GRAPH)


def first_passing(
    hits: Sequence[tuple[int, float]],
    enough: int,
    passing: Callable[[Sequence[int]], Iterable[int]],
) -> list[tuple[int, float]]:
    """Hits that pass, in their order; no more are asked about once there are enough."""
    kept: list[tuple[int, float]] = []
    for start in range(0, len(hits), enough):
        some = hits[start : start + enough]
        allowed = set(passing([key for key, _ in some]))
        kept += [hit for hit in some if hit[0] in allowed]
        if len(kept) >= enough:
            break
    return kept


def _in_any_case(names: Sequence[str]) -> list[str]:
    """Names to compare with lower(column), which in SQLite changes ASCII letters only.

    There, other letters stay as stored: all in upper or lower case, or capitals in each word.
    """
    spelled = (case for name in names for case in (name, name.lower(), name.upper(), name.title()))
    in_sqlite = map(_ascii_lower, spelled)
    return list(dict.fromkeys([*(name.lower() for name in names), *in_sqlite]))


def _ascii_lower(text: str) -> str:
    return "".join(char.lower() if char.isascii() else char for char in text)


def filter_values(wanted: Filter, codec: Codec) -> dict[str, object]:
    """The parameters of the `wanted_*` fragments; None matches anything."""

    def some(values: Sequence[str]) -> object:
        return codec.array(values) if values else None

    return {
        "kinds": some(wanted.kinds),
        "categories": some(wanted.categories),
        "tags": some(wanted.tags),
        "any_tags": some(wanted.any_tags),
        "domain": wanted.domain,
        "min_confidence": wanted.min_confidence,
        "workspace": wanted.place.workspace,
        "space": wanted.place.space,
        "project": wanted.place.project,
        "author": wanted.agent,
        "languages": some(wanted.languages),
        "reach_workspace": wanted.reach.workspace if wanted.reach else None,
        "reach_space": wanted.reach.space if wanted.reach else None,
        "resources": codec.array(wanted.resources) if wanted.resources else None,
        "symbol_kinds": some(wanted.symbol_kinds),
        "paths": some([path_prefix(*path) for path in wanted.paths]),
        "project_names": some(_in_any_case(wanted.within.names)) if wanted.within else None,
        "project_resources": codec.array(wanted.within.resources if wanted.within else ()),
        "since": to_micros(wanted.since),
        "until": to_micros(wanted.until),
        "include_superseded": wanted.include_superseded,
        "include_expired": wanted.include_expired,
    }
