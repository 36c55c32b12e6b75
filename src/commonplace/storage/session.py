"""What the table gateways need of an open database transaction, whichever database it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from commonplace.model.actor import Actor
from commonplace.model.moment import micros, to_micros
from commonplace.model.query import USUAL_WIDTH, Filter
from commonplace.storage.port import LexicalQuery, Nearest

if TYPE_CHECKING:
    from commonplace.embedding.port import Vector

# Filters and windows of one chunk take some of what is found nearest.
_OVERFETCH = 4
# Behind every text that begins alike.
LAST = "\U0010ffff"

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Bound:
    """What a transaction is bound to when it opens: who acts, when, if orgs are a network."""

    actor: Actor
    now: datetime
    network: bool

    def values(self) -> dict[str, object]:
        """The parameters that every statement may ask for."""
        return {
            "org": self.actor.org,
            "agent": self.actor.agent,
            "now": micros(self.now),
            "network": self.network,
        }


class Codec(Protocol):
    """How values that the databases keep differently are written and read."""

    def array(self, values: Iterable[object]) -> object: ...

    def read_array(self, value: Any) -> list[Any]: ...

    def document(self, value: Mapping[str, Any]) -> object: ...

    def read_document(self, value: Any) -> dict[str, Any]: ...

    def vector(self, value: Vector) -> object: ...

    def read_vector(self, value: Any) -> Vector: ...

    def search_tokens(self, fields: Mapping[str, str]) -> dict[str, object]:
        """The parameters by which the text index receives a chunk's tokens."""
        ...


class Session(Protocol):
    """Runs named statements inside one transaction, bound to one actor at one moment."""

    @property
    def actor(self) -> Actor: ...

    @property
    def now(self) -> datetime: ...

    @property
    def codec(self) -> Codec: ...

    def rows(self, statement: str, **values: object) -> list[Row]: ...

    def row(self, statement: str, **values: object) -> Row | None: ...

    def run(self, statement: str, **values: object) -> int:
        """How many rows were affected."""
        ...

    def run_many(self, statement: str, values: Iterable[Mapping[str, object]]) -> None:
        """The same statement once for each set of values."""
        ...

    def lexical(self, query: LexicalQuery, wanted: Filter, limit: int) -> list[int]: ...

    def nearest(
        self, model: str, query: Vector, wanted: Filter, limit: int, width: int
    ) -> Nearest: ...

    def expect_vectors(self, model: str, dimension: int) -> None:
        """Say that vectors of a model are written, and how long they are."""
        ...

    def announce_work(self) -> None:
        """Wake the workers once this transaction has committed."""
        ...


def located(resource: int, path: str) -> str:
    """A folder or file of a resource, as the prefix of what lies in it or is it."""
    return "/".join(filter(None, [str(resource), path.strip("/")])) + "/"


def vector_reach(limit: int, width: int) -> int:
    """How many near vectors to look at for so many chunks; in proportion to the width asked for."""
    return max(limit, _OVERFETCH * limit * width // USUAL_WIDTH)


def filter_values(wanted: Filter, codec: Codec) -> dict[str, object]:
    """The parameters of the `wanted_*` fragments; None stands for any."""

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
        "paths": some([located(*path) for path in wanted.paths]),
        "project_names": some(wanted.within.names) if wanted.within else None,
        "project_resources": codec.array(wanted.within.resources if wanted.within else ()),
        "since": to_micros(wanted.since),
        "until": to_micros(wanted.until),
        "include_superseded": wanted.include_superseded,
        "include_expired": wanted.include_expired,
    }
