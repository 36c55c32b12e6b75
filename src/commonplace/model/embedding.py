"""The state of an embedding model in a database: serving, preparing or retired."""

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
    """A model by its key, with its state and the time since when it has it."""

    key: str
    state: ModelState
    since: datetime
