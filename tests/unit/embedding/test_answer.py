"""An endpoint's answer is checked to the last number before it is believed."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest

from commonplace.embedding.answer import failure_of, pause_seconds, vectors_of
from commonplace.errors import EmbeddingRefused, EmbeddingUnavailable

NOW = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)


def _answer(*rows: Any) -> bytes:
    return json.dumps({"data": rows}).encode()


def _row(index: int | None, *numbers: Any) -> dict[str, Any]:
    return {"index": index, "embedding": list(numbers)}


def test_vectors_come_in_the_order_of_their_index_and_normalised() -> None:
    found = vectors_of(_answer(_row(1, 0, 5), _row(0, 3, 4)), 2, 2)
    assert np.allclose(found, [[0.6, 0.8], [0.0, 1.0]])
    assert all(vector.dtype == np.float32 for vector in found)


def test_without_index_the_given_order_counts() -> None:
    found = vectors_of(_answer({"embedding": [0, 2]}, {"embedding": [2, 0]}), 2, 2)
    assert np.allclose(found, [[0.0, 1.0], [1.0, 0.0]])


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"<html>busy</html>", "not answer JSON"),
        (b"\xff\xfe", "not answer JSON"),
        (b"[]", "no list"),
        (b'{"error": "loading"}', "no list"),
        (b'{"data": [1, 2]}', "no list"),
        (_answer(_row(0, 1, 2)), "1 vectors for 2 texts"),
        (_answer(_row(0, 1, 2), _row(0, 1, 2)), "told apart"),
        (_answer(_row(0, 1, 2), _row(2, 1, 2)), "told apart"),
        (_answer(_row(0, 1, 2), _row(1, 1, 2, 3)), "shape"),
        (_answer(_row(0, 1, 2), {"index": 1}), "shape|numbers"),
        (_answer(_row(0, 1, 2), _row(1, "a", "b")), "not numbers"),
        (_answer(_row(0, 1, 2), _row(1, [1], [2, 3])), "not numbers"),
        (_answer(_row(0, 1, 2), _row(1, 0, 0)), "no direction"),
        (b'{"data": [{"embedding": [1, 2]}, {"embedding": [NaN, 2]}]}', "no direction"),
        (b'{"data": [{"embedding": [1, 2]}, {"embedding": [Infinity, 2]}]}', "no direction"),
    ],
)
def test_garbage_is_the_endpoints_fault_not_the_texts(content: bytes, words: str) -> None:
    with pytest.raises(EmbeddingUnavailable, match=words):
        vectors_of(content, 2, 2)


@pytest.mark.parametrize("status", [400, 413, 422])
def test_some_statuses_are_about_the_text(status: int) -> None:
    assert isinstance(failure_of(status, None), EmbeddingRefused)


@pytest.mark.parametrize("status", [204, 302, 401, 403, 404, 408, 429, 500, 502, 503, 529])
def test_every_other_status_is_not(status: int) -> None:
    assert isinstance(failure_of(status, None), EmbeddingUnavailable)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, None),
        ("7", 7.0),
        (" 0 ", 0.0),
        ("999999", 3600.0),
        ("Sun, 01 Mar 2026 12:00:30 GMT", 30.0),
        ("Sun, 01 Mar 2026 12:00:30 -0000", 30.0),
        ("Sun, 01 Mar 2026 11:00:00 GMT", 0.0),
        ("soon", None),
        ("-5", None),
        ("٣", None),
    ],
)
def test_retry_after_is_seconds_or_a_date(header: str | None, seconds: float | None) -> None:
    assert pause_seconds(header, NOW) == seconds


def test_the_pause_travels_with_the_error() -> None:
    failure = failure_of(429, "12")
    assert isinstance(failure, EmbeddingUnavailable)
    assert failure.retry_after == 12.0
