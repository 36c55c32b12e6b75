"""The worker's interface to whatever decides which model serves."""

from __future__ import annotations

from typing import Protocol


class ModelKeeper(Protocol):
    """Decides which model serves, and prepares another one on request."""

    def adopt(self) -> None:
        """Make sure that some model serves."""
        ...

    def step(self) -> bool:
        """Do one small step of a model change; False if this process has none to do."""
        ...

    def stop(self) -> None:
        """Release the work so that another process can continue at once."""
        ...
