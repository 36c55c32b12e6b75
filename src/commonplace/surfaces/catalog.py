"""Every surface there is, by name, in the order that clients see them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from commonplace.surfaces.documents.tools import DOCUMENTS
from commonplace.surfaces.institutional.tools import INSTITUTIONAL
from commonplace.surfaces.notes.tools import NOTES
from commonplace.surfaces.registry.tools import REGISTRY
from commonplace.surfaces.tool import Surface

SURFACES: tuple[Surface, ...] = (NOTES, INSTITUTIONAL, DOCUMENTS, REGISTRY)


def chosen(names: Sequence[str]) -> tuple[Surface, ...]:
    """The surfaces that are switched on; none named means all of them."""
    return tuple(surface for surface in SURFACES if not names or surface.name in names)


def with_aliases(surface: Surface) -> Surface:
    """The same tools under names without dots too, for clients that refuse dots."""
    dotted = (tool for tool in surface.tools if "." in tool.name)
    aliases = (replace(tool, name=tool.name.replace(".", "_")) for tool in dotted)
    return replace(surface, tools=(*surface.tools, *aliases))
