"""How PostgreSQL stores lists, attributes, vectors and tokens."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from commonplace.storage.postgres.tokens import search_vector

if TYPE_CHECKING:
    from commonplace.embedding.port import Vector

_HALFVEC_HEADER = 4


class PostgresCodec:
    """Implements session.Codec. Rows are read in binary format."""

    def array(self, values: Iterable[object]) -> list[object]:
        return list(values)

    def read_array(self, value: Any) -> list[Any]:
        return list(value)

    def document(self, value: Mapping[str, Any]) -> str:
        return json.dumps(dict(value), ensure_ascii=False)

    def read_document(self, value: Any) -> dict[str, Any]:
        return dict(value)

    def vector(self, value: Vector) -> str:
        """The literal of the 16-bit floats that SQLite stores too."""
        return str(value.astype("<f2").tolist())

    def read_vector(self, value: Any) -> Vector:
        import numpy as np

        return np.frombuffer(value, ">f2", offset=_HALFVEC_HEADER).astype(np.float32)

    def search_tokens(self, fields: Mapping[str, str]) -> dict[str, object]:
        return {
            "terms": fields["terms"],
            "context_terms": fields["context_terms"],
            "words": fields["words"],
            "search": search_vector(fields),
        }
