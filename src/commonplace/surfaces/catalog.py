"""Every surface there is, by name, in the order that clients see them.

Only names and guidance are here: a client is greeted before any surface has been imported.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from commonplace.surfaces.tool import Surface


@dataclass(frozen=True, slots=True)
class Offered:
    """A surface that can be switched on; `guidance` tells agents when to use it.

    `aliases`: its tools have names without dots too.
    """

    name: str
    guidance: str
    load: Callable[[], Surface]
    aliases: bool = False


def _memory() -> Surface:
    from commonplace.surfaces.memory.tools import MEMORY

    return MEMORY


def _notes() -> Surface:
    from commonplace.surfaces.notes.tools import NOTES

    return NOTES


def _institutional() -> Surface:
    from commonplace.surfaces.institutional.tools import INSTITUTIONAL

    return INSTITUTIONAL


def _documents() -> Surface:
    from commonplace.surfaces.documents.tools import DOCUMENTS

    return DOCUMENTS


def _registry() -> Surface:
    from commonplace.surfaces.registry.tools import REGISTRY

    return REGISTRY


def _workspace() -> Surface:
    from commonplace.surfaces.workspace.tools import WORKSPACE

    return WORKSPACE


def _connector() -> Surface:
    from commonplace.surfaces.connector.tools import CONNECTOR

    return CONNECTOR


def _memories() -> Surface:
    from commonplace.surfaces.memories.tools import MEMORIES

    return MEMORIES


OFFERED: tuple[Offered, ...] = (
    Offered(
        "memory",
        "Ask recall before you start and when unsure; remember what the next agent needs: "
        "decisions, facts, gotchas. note:…, doc:…, file:… in answers are references: open reads "
        "them, revise corrects them or says what helped; trace asks code who calls what; add "
        "brings in folders and pages, recent tells what is new.",
        _memory,
    ),
    Offered(
        "notes",
        "Use search_knowledge before you start and store_knowledge when you have "
        "learned something that the next agent would need.",
        _notes,
    ),
    Offered(
        "institutional",
        "Use tiered_retrieval or semantic_search for what the project has learned, and "
        "auto_capture on text that may hold something worth keeping.",
        _institutional,
    ),
    Offered(
        "documents",
        "Use knowledge.search for what the documents of a workspace say, before you guess.",
        _documents,
    ),
    Offered(
        "registry",
        "kp_search_skill and kp_search_knowledge show how others did it; contribute and "
        "validate what worked.",
        _registry,
    ),
    Offered(
        "workspace",
        "pm_knowledge searches the docs and code that are attached to projects; it keeps notes "
        "between sessions by record_entry.",
        _workspace,
    ),
)


# What single clients call as if it were theirs; offered where it is asked for by name.
ON_REQUEST: tuple[Offered, ...] = (
    Offered(
        "connector",
        "search finds everything that is known here; fetch reads a result whole.",
        _connector,
    ),
    Offered(
        "memories",
        "View /memories with the tool memory before you start; keep there what you will need.",
        _memories,
    ),
)
EVERY = (*OFFERED, *ON_REQUEST)


def chosen(names: Sequence[str]) -> tuple[Offered, ...]:
    """The surfaces that are switched on; none named means all but those on request."""
    return tuple(offered for offered in EVERY if offered.name in names) if names else OFFERED


def with_aliases(offered: Offered) -> Offered:
    """The same tools under names without dots too, for clients that refuse dots."""

    def load() -> Surface:
        surface = offered.load()
        dotted = (tool for tool in surface.tools if "." in tool.name)
        aliases = (replace(tool, name=alias_of(tool.name)) for tool in dotted)
        return replace(surface, tools=(*surface.tools, *aliases))

    return replace(offered, load=load, aliases=True)


def alias_of(name: str) -> str:
    return name.replace(".", "_")
