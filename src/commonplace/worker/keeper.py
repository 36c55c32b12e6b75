"""What the worker asks of whoever decides which model serves."""

from __future__ import annotations

from typing import Protocol


class ModelKeeper(Protocol):
    """Decides which model serves, and prepares another when told to."""

    def adopt(self) -> None:
        """See to it that some model serves."""
        ...

    def step(self) -> bool:
        """A small piece of a change of model; False when there is none for this process."""
        ...

    def stop(self) -> None:
        """Let another process go on at once."""
        ...
