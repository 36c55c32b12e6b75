"""Times in options: an instant, a date, or a span such as `7d`."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from commonplace.errors import InvalidArgument
from commonplace.memory.times import readable


def time_option(
    given: str | None, name: str, counted: Callable[[str, datetime], datetime]
) -> datetime | None:
    """The time in an option; `counted` says in which direction a span counts from now."""
    try:
        return counted(readable(given), datetime.now(UTC)) if given is not None else None
    except ValueError as error:
        raise InvalidArgument(f"--{name} {error}.", field=name) from None
