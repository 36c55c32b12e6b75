"""Backups: a whole database in one file, at one moment, and back.

A backup belongs to its kind of store; `records` is what moves between kinds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


@dataclass(frozen=True, slots=True)
class BackupManifest:
    """What a backup says of itself; `counts` are the rows of each table."""

    product: str
    store: str
    schema_version: int
    created_at: str
    counts: Mapping[str, int]

    @property
    def rows(self) -> int:
        return sum(self.counts.values())


class Backups(Protocol):
    """Backs up one database and restores it. Other processes may go on reading and writing."""

    def back_up(self, file: Path, product: str) -> BackupManifest:
        """Write everything, as it is at one moment, into a new file."""
        ...

    def restore(self, file: Path, *, replace: bool) -> BackupManifest:
        """Make the database what the file says, or leave it as it was.

        StorageNotEmpty where something would be replaced that was not meant to be.
        """
        ...

    def is_used(self) -> bool:
        """Whether servers, workers or commands have the database open."""
        ...

    def damage(self, *, deep: bool) -> Sequence[str]:
        """What is wrong with what is stored, as far as reading tells; empty if all is well."""
        ...

    def salvage(self, target: Path) -> Mapping[str, int]:
        """Save what can still be read into a new SQLite file; how many rows of each table are lost.

        InvalidArgument where the database has means of its own.
        """
        ...
