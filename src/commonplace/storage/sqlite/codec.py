"""How SQLite stores lists, attributes and vectors: JSON text and 16-bit floats."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from commonplace.embedding.port import Vector


# Created once, because creating an encoder takes longer than encoding most values. Whatever is
# decoded was encoded here or by SQLite, without surrounding white space.
_WRITER = json.JSONEncoder(ensure_ascii=False)
_READER = json.JSONDecoder()


class SqliteCodec:
    """Implements session.Codec."""

    def array(self, values: Iterable[object]) -> str:
        return _WRITER.encode(list(values))

    def read_array(self, value: Any) -> list[Any]:
        if value == "[]":
            return []
        loaded: list[Any] = _READER.raw_decode(value)[0]
        return loaded

    def document(self, value: Mapping[str, Any]) -> str:
        return _WRITER.encode(dict(value))

    def read_document(self, value: Any) -> dict[str, Any]:
        loaded: dict[str, Any] = _READER.raw_decode(value)[0]
        return loaded

    def vector(self, value: Vector) -> bytes:
        return bytes(value.astype("<f2").tobytes())

    def read_vector(self, value: Any) -> Vector:
        import numpy as np

        return np.frombuffer(value, "<f2").astype(np.float32)

    def search_tokens(self, fields: Mapping[str, str]) -> dict[str, object]:
        return dict(fields)
