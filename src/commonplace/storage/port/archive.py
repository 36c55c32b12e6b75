"""The port for backups: a whole database at one moment, in one file.

A backup only fits its kind of store; `canonical` moves data between kinds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


@dataclass(frozen=True, slots=True)
class BackupManifest:
    """A backup's description of itself; `counts` has the number of rows per table."""

    product: str
    store: str
    schema_version: int
    created_at: str
    counts: Mapping[str, int]

    @property
    def rows(self) -> int:
        return sum(self.counts.values())


class Backups(Protocol):
    """Backs up and restores one database. Other processes may keep reading and writing."""

    def back_up(self, file: Path, product: str) -> BackupManifest:
        """Write everything, as it is at one moment, to a new file."""
        ...

    def restore(self, file: Path, *, replace: bool) -> BackupManifest:
        """Replace the database's contents by the backup's, or leave them unchanged on any error.

        StorageNotEmpty if there is content that may not be replaced.
        """
        ...

    def is_used(self) -> bool:
        """Whether any server, worker or command has the database open."""
        ...

    def damage(self, *, deep: bool) -> Sequence[str]:
        """What is damaged, as far as reading shows it; empty if nothing is."""
        ...

    def salvage(self, target: Path) -> Mapping[str, int]:
        """Save all readable rows to a new SQLite file; returns how many rows of each table are
        lost.

        InvalidArgument if the database has tools of its own for this.
        """
        ...
