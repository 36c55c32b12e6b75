"""Which chunks pass a filter, and what a search reads of those that do: each is looked up once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from commonplace.model.query import Filter
from commonplace.storage.session import Codec, Row, filter_values


class PassingChunks:
    """Looks chunks up for one transaction; `rows` runs a statement."""

    def __init__(self, rows: Callable[..., list[Row]], codec: Codec) -> None:
        self._run = rows
        self._codec = codec
        self._expected: Filter | None = None
        self._statement = ""
        self._kept: dict[int, Row | None] = {}

    def expect(self, wanted: Filter, statement: str) -> None:
        """Check this filter with a statement whose rows will be needed, and keep them."""
        self._expected, self._statement, self._kept = wanted, statement, {}

    def keys(self, keys: Sequence[int], wanted: Filter) -> list[int]:
        """The keys that are readable and pass the filter, in order."""
        statement = self._statement if wanted is self._expected else "passing_keys"
        return list(self.rows(statement, keys, wanted))

    def rows(self, statement: str, keys: Sequence[int], wanted: Filter) -> dict[int, Row]:
        """The rows of a statement for those that pass, in the order of `keys`."""
        is_expected = wanted is self._expected and statement == self._statement
        kept = self._kept if is_expected else {}
        if new := [key for key in keys if key not in kept]:
            kept.update(dict.fromkeys(new))
            values = filter_values(wanted, self._codec)
            found = self._run(statement, keys=self._codec.array(new), **values)
            kept.update({row["key"]: row for row in found})
        return {key: row for key in keys if (row := kept[key]) is not None}
