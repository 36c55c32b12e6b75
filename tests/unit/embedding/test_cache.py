"""Repeated queries are answered from memory, for a while, and nothing else is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.embedding.cache import QueryCache, RecentValues
from commonplace.embedding.endpoint import Endpoint, EndpointEmbedder
from commonplace.errors import EmbeddingUnavailable
from tests.unit.embedding.local_endpoint import Answered, Asked, local_endpoint, vectors


def test_a_value_lives_for_its_seconds() -> None:
    recent: RecentValues[str] = RecentValues(2, seconds=10)
    recent.put("a", "A", now=0)
    assert recent.get("a", now=9.9) == "A"
    assert recent.get("a", now=10) is None
    assert recent.get("a", now=0) is None


def test_the_longest_unused_goes_first() -> None:
    recent: RecentValues[str] = RecentValues(2, seconds=10)
    recent.put("a", "A", now=0)
    recent.put("b", "B", now=0)
    recent.get("a", now=1)
    recent.put("c", "C", now=1)
    assert [recent.get(key, now=1) for key in "abc"] == ["A", None, "C"]


@given(keys=st.lists(st.sampled_from("abcdefgh")), size=st.integers(1, 4))
def test_what_is_kept_is_what_was_used_last(keys: list[str], size: int) -> None:
    recent: RecentValues[str] = RecentValues(size, seconds=10)
    for key in keys:
        recent.put(key, key.upper(), now=0)
    last_used = list(dict.fromkeys(reversed(keys)))
    kept = [key for key in last_used if recent.get(key, now=0) == key.upper()]
    assert kept == last_used[:size]


def _script(request: Asked) -> Answered:
    if "fail" in request.inputs[0]:
        return Answered(b"", status=503)
    return vectors([[float(len(text)), 1.0] for text in request.inputs])


def test_only_repeated_queries_are_answered_from_memory() -> None:
    now = 0.0
    with local_endpoint(_script) as server:
        inner = EndpointEmbedder(Endpoint(server.url, "m", 2))
        cached = QueryCache(inner, size=8, seconds=60, clock=lambda: now)
        first = cached.embed_query("one")
        assert cached.embed_query("one") is first
        assert not first.flags.writeable
        assert len(server.asked) == 1
        cached.embed_passages(["one"])
        cached.embed_query("two, which is another text")
        assert len(server.asked) == 3
        now = 61.0
        assert np.array_equal(cached.embed_query("one"), first)
        assert len(server.asked) == 4
        cached.release()


def test_a_failure_is_not_remembered_and_the_rest_passes_through() -> None:
    with local_endpoint(_script) as server:
        inner = EndpointEmbedder(Endpoint(server.url, "m", 2))
        cached = QueryCache(inner, size=8, seconds=60)
        for _ in range(2):
            with pytest.raises(EmbeddingUnavailable):
                cached.embed_query("fail")
        assert len(server.asked) == 2
        assert cached.identity == inner.identity
        assert cached.similarity(0.5) == inner.similarity(0.5)
        cached.release()
        assert inner._client is None
