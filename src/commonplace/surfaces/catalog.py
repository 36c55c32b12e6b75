"""All surfaces by name, in the order in which clients see them.

This file imports no surface, so that a server can answer `initialize` before they are loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from commonplace.surfaces.tool import Surface


@dataclass(frozen=True, slots=True)
class OfferedSurface:
    """A surface that can be enabled. `guidance` tells agents when to use it.

    With `aliases`, tools that have a dot in their name are also offered under a name without.
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


DEFAULT_SURFACES: tuple[OfferedSurface, ...] = (
    OfferedSurface(
        "memory",
        "Ask recall before you start and when unsure; remember what the next agent needs: "
        "decisions, facts, gotchas. note:…, doc:…, file:… in answers are references: open reads "
        "them, revise corrects them or says what helped; trace asks code who calls what; add "
        "brings in folders and pages, recent tells what is new.",
        _memory,
    ),
    OfferedSurface(
        "notes",
        "Use search_knowledge before you start and store_knowledge when you have "
        "learned something that the next agent would need.",
        _notes,
    ),
    OfferedSurface(
        "institutional",
        "Use tiered_retrieval or semantic_search for what the project has learned, and "
        "auto_capture on text that may hold something worth keeping.",
        _institutional,
    ),
    OfferedSurface(
        "documents",
        "Use knowledge.search for what the documents of a workspace say, before you guess.",
        _documents,
    ),
    OfferedSurface(
        "registry",
        "kp_search_skill and kp_search_knowledge show how others did it; contribute and "
        "validate what worked.",
        _registry,
    ),
    OfferedSurface(
        "workspace",
        "pm_knowledge searches the docs and code that are attached to projects; it keeps notes "
        "between sessions by record_entry.",
        _workspace,
    ),
)


# Made for particular clients, so enabled only by name.
ON_REQUEST: tuple[OfferedSurface, ...] = (
    OfferedSurface(
        "connector",
        "search finds everything that is known here; fetch reads a result whole.",
        _connector,
    ),
    OfferedSurface(
        "memories",
        "View /memories with the tool memory before you start; keep there what you will need.",
        _memories,
    ),
)
ALL_SURFACES = (*DEFAULT_SURFACES, *ON_REQUEST)


def enabled_surfaces(names: Sequence[str]) -> tuple[OfferedSurface, ...]:
    """The surfaces with these names; without names, all except those on request."""
    return (
        tuple(offered for offered in ALL_SURFACES if offered.name in names)
        if names
        else DEFAULT_SURFACES
    )


def with_aliases(offered: OfferedSurface) -> OfferedSurface:
    """The surface with its tools also under names without dots, for clients that refuse dots."""

    def load() -> Surface:
        surface = offered.load()
        dotted = (tool for tool in surface.tools if "." in tool.name)
        aliases = (replace(tool, name=alias_of(tool.name)) for tool in dotted)
        return replace(surface, tools=(*surface.tools, *aliases))

    return replace(offered, load=load, aliases=True)


def alias_of(name: str) -> str:
    return name.replace(".", "_")
