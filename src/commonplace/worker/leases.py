"""How long a worker that says nothing keeps what it has taken."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Leases:
    """Seconds: how long others wait for a worker that has died, and how often it renews."""

    claim: float = 120.0
    worker: float = 15.0
    renew: float = 5.0


STANDARD_LEASES = Leases()
