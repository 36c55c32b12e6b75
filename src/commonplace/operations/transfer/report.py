"""The result of an import: counts of rows by outcome, and problems."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from commonplace.errors import Conflict, InvalidArgument, Issue, StorageError

_TOLD = 20


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem and its place: a line or a file."""

    place: str
    message: str


@dataclass(slots=True)
class Report:
    """Counts by outcome; `kept` rows exist with other contents, which the import did not change."""

    added: Counter[str] = field(default_factory=Counter)
    changed: Counter[str] = field(default_factory=Counter)
    unchanged: Counter[str] = field(default_factory=Counter)
    kept: Counter[str] = field(default_factory=Counter)

    @property
    def writes(self) -> int:
        return self.added.total() + self.changed.total()


def refusal(problems: Sequence[Problem]) -> InvalidArgument:
    """An error that lists the problems, up to a limit; nothing was written."""
    told = [f"{problem.place}: {problem.message}" for problem in problems[:_TOLD]]
    if len(problems) > _TOLD:
        told.append(f"and {len(problems) - _TOLD} more")
    count = f"{len(problems)} problem{'s' if len(problems) > 1 else ''}"
    return InvalidArgument(
        "\n  ".join([f"Nothing was imported because of {count}:", *told]),
        field="path",
        issues=tuple(Issue((problem.place,), problem.message) for problem in problems),
    )


class Problems:
    """Collects problems with their places instead of stopping at the first one."""

    def __init__(self) -> None:
        self._found: list[Problem] = []

    def watch(self, place: str, work: Callable[..., None], *given: object) -> None:
        try:
            work(*given)
        except InvalidArgument as error:
            self.add(place, error.message)
        except StorageError as error:
            # After an error of the database, the transaction can no longer be used.
            if type(error) is not StorageError:
                raise
            self.add(place, "the database rejects a value.")
            self.stop_if_any()
        except Conflict:
            self.add(place, "it conflicts with an existing row.")
            self.stop_if_any()

    def add(self, place: str, message: str) -> None:
        self._found.append(Problem(place, message))

    def stop_if_any(self) -> None:
        if self._found:
            raise refusal(self._found)
