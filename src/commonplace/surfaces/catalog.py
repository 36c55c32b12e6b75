"""Every surface there is, by name, in the order that clients see them."""

from __future__ import annotations

from collections.abc import Sequence

from commonplace.surfaces.institutional.tools import INSTITUTIONAL
from commonplace.surfaces.notes.tools import NOTES
from commonplace.surfaces.registry.tools import REGISTRY
from commonplace.surfaces.tool import Surface

SURFACES: tuple[Surface, ...] = (NOTES, INSTITUTIONAL, REGISTRY)


def chosen(names: Sequence[str]) -> tuple[Surface, ...]:
    """The surfaces that are switched on; none named means all of them."""
    return tuple(surface for surface in SURFACES if not names or surface.name in names)
