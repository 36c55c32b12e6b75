"""What a model is for in a database: its vectors serve, are being made, or are no longer needed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class ModelState(StrEnum):
    SERVING = "serving"
    PREPARING = "preparing"
    RETIRED = "retired"


@dataclass(frozen=True, slots=True)
class KnownModel:
    """One model by its key, and since when it is what it is."""

    key: str
    state: ModelState
    since: datetime
