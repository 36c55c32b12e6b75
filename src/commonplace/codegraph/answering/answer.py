"""The values of a `code_map` answer: the symbol that was found, and places in code by role.

An answer holds every place in every role; the search filters, limits and counts them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from commonplace.codegraph.answering.trace import UseCount
from commonplace.model.graph import FileProblem


class PlaceRole(StrEnum):
    """The role of a place in code or prose for the symbol in question."""

    DEFINITION = "definition"
    RELATED = "related"
    DOC = "doc"
    TEST = "test"
    REFERENCE = "reference"
    IMPORT = "import"
    EXPORT = "export"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Sighting:
    """A place in code that answers a question, or one of its uses.

    `name`, `kind` and `symbol_path` describe the symbol defined there, or the one that encloses a
    use; code outside every symbol has none. `file` and `resource` are keys; `path` is relative to
    the resource. `resolution` is how a use was linked, and `confidence` how certain the link is.
    `use` is the kind of use, and `call` marks calls. Uses that are not linked have the role
    UNKNOWN.
    """

    role: PlaceRole
    resource: int
    file: int
    path: str
    language: str
    line_start: int
    line_end: int
    name: str | None = None
    kind: str | None = None
    symbol_path: str | None = None
    resolution: str | None = None
    confidence: float | None = None
    call: bool = False
    use: str | None = None


@dataclass(frozen=True, slots=True)
class GraphAnswer:
    """The places of a symbol; several symbols may share the name `target`.

    The sightings are in the order of display within their roles. `unlinked` counts uses of the same
    name whose target is unknown: they may be uses of the symbol. `namesakes` are other symbols of
    the same name; `problems` are files with definitions of the symbol that were read only in part.
    """

    target: str
    sightings: tuple[Sighting, ...]
    unlinked: int = 0
    namesakes: tuple[UseCount, ...] = ()
    problems: tuple[FileProblem, ...] = ()
    summary: str = ""


@dataclass(frozen=True, slots=True)
class GraphCoverage:
    """Whether the graph has any symbols and any references of some resources."""

    symbols: bool = False
    references: bool = False
