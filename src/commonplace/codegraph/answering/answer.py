"""What the graph says of a question, as values: the symbol that is meant, and places in code.

Every place in every role is told, whatever the question shows of them: others narrow and count.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from commonplace.codegraph.answering.traced import UseCount
from commonplace.model.graph import FileProblem


class PlaceRole(StrEnum):
    """What a place in code or prose is to the symbol that is asked about."""

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
    """One place. `name`, `kind` and `symbol_path` are those of the symbol defined there, or of the
    one that encloses a use; of code outside every symbol there are none.

    `file` and `resource` are keys; `path` is relative to the resource. `resolution` and
    `confidence` say how a use was linked, and how sure that is. `call` marks a use that calls;
    `use` is how it uses the symbol. What could not be linked has the role UNKNOWN.
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
    """`target` is the name of what was found; several symbols may share it.

    The sightings stand in the order in which they should be shown within their roles. `unlinked`
    uses bear the same name, and may be uses of it: where they lead is not known. `namesakes` were
    not asked about; `problems` are files that were not read whole, those of the definitions.
    """

    target: str
    sightings: tuple[Sighting, ...]
    unlinked: int = 0
    namesakes: tuple[UseCount, ...] = ()
    problems: tuple[FileProblem, ...] = ()
    summary: str = ""


@dataclass(frozen=True, slots=True)
class GraphCoverage:
    """Whether the graph holds any symbol, any reference, of some resources."""

    symbols: bool = False
    references: bool = False
