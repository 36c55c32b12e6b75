"""Retrying work that failed because another process was faster."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")
ATTEMPTS = 3


def retry_on(problem: type[Exception], work: Callable[[], Result]) -> Result:
    """Run `work`, and repeat it when it raises `problem`: at most three attempts in all."""
    for _ in range(ATTEMPTS - 1):
        try:
            return work()
        except problem:
            continue
    return work()
