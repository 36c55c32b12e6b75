"""Access counts, over named statements."""

from __future__ import annotations

from collections.abc import Sequence

from commonplace.model.capture import Access
from commonplace.model.times import from_micros
from commonplace.storage.session import Session


class AccessTable:
    """Implements port.Accesses."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def count(self, keys: Sequence[int]) -> None:
        if keys:
            self._session.run("count_access", keys=self._session.codec.array(keys))

    def of(self, keys: Sequence[int]) -> dict[int, Access]:
        rows = self._session.rows("accesses_of", keys=self._session.codec.array(keys))
        return {
            row["entry_key"]: Access(
                row["count"], from_micros(row["first_at"]), from_micros(row["last_at"])
            )
            for row in rows
        }
