"""The port for moving an org to another database."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class MoveReport:
    """What was moved: rows per table, and for how long writers had to wait."""

    counts: Mapping[str, int]
    waited_seconds: float


class OrgMoves(Protocol):
    """Moves orgs to other databases of the same kind."""

    def move(self, org: str, to: str) -> MoveReport:
        """Move an org to another database, which serves it from then on.

        Can be repeated after an interruption. InvalidArgument, NotFound or Conflict if it is
        impossible: the same database, another schema version, or an org of that name at the target.
        """
        ...
