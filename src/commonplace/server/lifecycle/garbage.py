"""How often a server runs the cyclic garbage collector."""

from __future__ import annotations

import gc

# New objects between two collections. A recall holds 20,000 objects at a time, nearly all of which
# are freed without the collector; at Python's default of 700 it would run 28 times per recall.
_OBJECTS = 50_000


def collect_seldom() -> None:
    """Raise the collector's threshold: a full collection blocks all calls for 170 ms."""
    gc.set_threshold(_OBJECTS, *gc.get_threshold()[1:])


def freeze_objects() -> None:
    """Exclude the objects that exist now from all later collections."""
    gc.freeze()
