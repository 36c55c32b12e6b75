"""Parses the response of an embedding endpoint into vectors or an error. Pure.

Checks everything: count, order, dimension and every number.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

from commonplace.errors import EmbeddingError, EmbeddingRefused, EmbeddingUnavailable

if TYPE_CHECKING:
    from commonplace.embedding.port import Vector

_ABOUT_THE_TEXT = frozenset({400, 413, 422})
_ABOUT_THE_SETTINGS = {
    401: "wants another key",
    403: "does not allow this key",
    404: "does not know this address or model",
}
_LONGEST_PAUSE = 3600.0


def vectors_of(content: bytes, count: int, dimension: int) -> list[Vector]:
    """The normalised vectors, in the order of the inputs."""
    rows = _rows(content)
    if len(rows) != count:
        raise EmbeddingUnavailable(
            f"The embedding endpoint answered {len(rows)} vectors for {count} texts."
        )
    return [_normalised(row, dimension) for row in _in_order(rows)]


def failure_of(status: int, retry_after: str | None) -> EmbeddingError:
    """The error for a status other than 200: refused text, wrong settings, or try again later."""
    if status in _ABOUT_THE_TEXT:
        return EmbeddingRefused(f"The embedding endpoint refused the text (HTTP {status}).")
    if status in _ABOUT_THE_SETTINGS:
        why = _ABOUT_THE_SETTINGS[status]
        return EmbeddingUnavailable(f"The embedding endpoint {why} (HTTP {status}).")
    return EmbeddingUnavailable(
        f"The embedding endpoint answered HTTP {status}.",
        retry_after=pause_seconds(retry_after, datetime.now(UTC)),
    )


def pause_seconds(header: str | None, now: datetime) -> float | None:
    """Parse Retry-After, a number of seconds or a date; None if it is neither."""
    if header is None:
        return None
    text = header.strip()
    if text.isascii() and text.isdigit():
        return min(float(text), _LONGEST_PAUSE)
    try:
        until = parsedate_to_datetime(text)
    except ValueError:
        return None
    if until.tzinfo is None:
        until = until.replace(tzinfo=UTC)
    return min(max((until - now).total_seconds(), 0.0), _LONGEST_PAUSE)


def _rows(content: bytes) -> list[Any]:
    try:
        answer = json.loads(content)
    except ValueError as error:
        raise EmbeddingUnavailable("The embedding endpoint did not answer JSON.") from error
    rows = answer.get("data") if isinstance(answer, dict) else None
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise EmbeddingUnavailable("The embedding endpoint's answer has no list of vectors.")
    return rows


def _in_order(rows: list[Any]) -> list[Any]:
    """Order vectors by their `index`, if given; it must then have each input exactly once."""
    numbers = [row.get("index") for row in rows]
    if all(number is None for number in numbers):
        return rows
    placed = dict(zip(numbers, rows, strict=True))
    if placed.keys() != set(range(len(rows))):
        raise EmbeddingUnavailable("The embedding endpoint's vectors cannot be told apart.")
    return [placed[number] for number in range(len(rows))]


def _normalised(row: Any, dimension: int) -> Vector:
    import numpy as np

    try:
        vector = np.asarray(row.get("embedding"), dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise EmbeddingUnavailable("The embedding endpoint's vectors are not numbers.") from error
    if vector.shape != (dimension,):
        raise EmbeddingUnavailable(
            f"The embedding endpoint's vectors have shape {vector.shape}, not ({dimension},); "
            "check the embedding dimension in the settings."
        )
    length = float(np.linalg.norm(vector))
    if not np.isfinite(length) or length == 0.0:
        raise EmbeddingUnavailable("The embedding endpoint's vectors have no direction.")
    return (vector / length).astype(np.float32)
