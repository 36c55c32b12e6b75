"""Lease durations of a worker."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Leases:
    """Seconds that others wait for a dead worker, and after which leases are renewed."""

    claim: float = 120.0
    worker: float = 15.0
    renew: float = 5.0


STANDARD_LEASES = Leases()
