"""Doing a piece of work again when somebody else was faster."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")
ATTEMPTS = 3


def again_on(problem: type[Exception], work: Callable[[], Result]) -> Result:
    """What the work gives; when it raises the problem it is done anew, up to three times in all."""
    for _ in range(ATTEMPTS - 1):
        try:
            return work()
        except problem:
            continue
    return work()
