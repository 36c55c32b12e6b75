"""Both memories alike: values that end, rates that are kept; and Redis going away and coming."""

from __future__ import annotations

import logging
import math
import threading
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.cache.fallback import PAUSE_SECONDS, FallbackCache
from commonplace.cache.in_process import NANOS, InProcessCache
from commonplace.cache.port import SharedCache
from commonplace.cache.redis_server import RedisCache
from commonplace.errors import CacheUnavailable
from commonplace.model.access import Rate
from tests.redis_servers import RedisServer

KEY = b"k" * 32
TEN = Rate(10, 60.0)
NOWHERE = "redis://127.0.0.1:1/0"


def redis_memory(server: RedisServer, key: bytes = KEY) -> RedisCache:
    return RedisCache(server.url, lambda: key)


@pytest.fixture(params=["in process", "redis"])
def memory(request: pytest.FixtureRequest) -> Iterator[SharedCache]:
    made: SharedCache = InProcessCache()
    if request.param == "redis":
        made = redis_memory(request.getfixturevalue("redis_server"))
    yield made
    made.close()


def test_values_are_kept_replaced_and_dropped(memory: SharedCache) -> None:
    assert memory.get("a") is None
    memory.put("a", b"1", 60)
    memory.put("b", b"", 60)
    memory.put("a", b"2", 60)
    assert (memory.get("a"), memory.get("b")) == (b"2", b"")
    memory.drop("a")
    memory.drop("never there")
    assert memory.get("a") is None


def test_so_many_are_admitted_and_then_one_is_told_how_long_to_wait(memory: SharedCache) -> None:
    assert [memory.take("a", TEN, 1) for _ in range(10)] == [0.0] * 10
    assert 0 < memory.take("a", TEN, 1) <= 6.0
    assert memory.take("another", TEN, 1) == 0.0


def test_a_bucket_that_is_taken_whole_is_empty(memory: SharedCache) -> None:
    assert memory.take("a", TEN, 10) == 0.0
    assert memory.take("a", TEN, 1) > 0


def test_several_are_taken_together_or_not_at_all(memory: SharedCache) -> None:
    assert memory.take("a", TEN, 8) == 0.0
    assert 30 < memory.take("a", TEN, 8) <= 36.0
    assert memory.take("a", TEN, 2) == 0.0
    assert memory.take("b", TEN, 1000) == math.inf, "more than fits can never be had"
    assert memory.take("b", TEN, 10) == 0.0, "and took nothing"


def test_threads_together_get_what_there_is(memory: SharedCache) -> None:
    admitted: list[int] = []

    def take() -> None:
        admitted.extend(1 for _ in range(10) if not memory.take("a", Rate(30, 600.0), 1))

    threads = [threading.Thread(target=take) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(admitted) == 30


class Hands:
    """A clock that tests turn."""

    def __init__(self) -> None:
        self.now = 0

    def __call__(self) -> int:
        return self.now


def test_a_bucket_fills_up_evenly_and_values_end() -> None:
    clock = Hands()
    memory = InProcessCache(clock)
    memory.put("a", b"1", 5)
    assert memory.take("a", TEN, 10) == 0.0
    assert memory.take("a", TEN, 1) == pytest.approx(6.0)
    clock.now += 6 * NANOS
    assert memory.get("a") is None
    assert memory.take("a", TEN, 1) == 0.0
    assert memory.take("a", TEN, 1) == pytest.approx(6.0)
    clock.now += 1000 * NANOS
    assert [memory.take("a", TEN, 1) for _ in range(10)] == [0.0] * 10
    assert memory.take("a", TEN, 1) > 0


@given(
    now=st.integers(0, 10**18),
    size=st.integers(1, 5_000),
    parts=st.lists(st.integers(1, 5_000), max_size=20),
    later=st.integers(0, 60 * NANOS),
)
def test_a_full_burst_passes_whenever_the_machine_was_started(
    now: int, size: int, parts: list[int], later: int
) -> None:
    """All that a bucket holds, however it is divided; one more only after the wait."""
    clock = Hands()
    clock.now = now
    memory, rate = InProcessCache(clock), Rate(size, 60.0)
    left = size
    for part in [part for part in parts if part <= size]:
        if part <= left:
            assert memory.take("a", rate, part) == 0.0
            left -= part
    if left:
        assert memory.take("a", rate, left) == 0.0
    wait = memory.take("a", rate, 1)
    assert 0 < wait <= 60.0 / size + 1e-6
    clock.now += min(later, math.floor(wait * NANOS) - 1)
    assert memory.take("a", rate, 1) > 0
    clock.now = now + 60 * NANOS
    assert memory.take("a", rate, size) == 0.0, "a minute later everything is there again"


def test_one_process_remembers_so_much_and_not_more() -> None:
    memory = InProcessCache(most_keys=3)
    for number in range(5):
        memory.put(str(number), b"1", 60)
        memory.take(str(number), Rate(1, 60.0), 1)
    assert [memory.get(str(number)) for number in range(5)] == [None, None, b"1", b"1", b"1"]
    assert memory.take("4", Rate(1, 60.0), 1) > 0
    assert memory.take("0", Rate(1, 60.0), 1) == 0.0


def test_processes_count_together_in_redis(redis_server: RedisServer) -> None:
    one, other = redis_memory(redis_server), redis_memory(redis_server)
    assert [m.take("a", TEN, 1) for m in [one, other] * 5] == [0.0] * 10
    assert one.take("a", TEN, 1) > 0
    one.put("v", b"1", 60)
    assert other.get("v") == b"1"


def test_what_is_kept_in_redis_ends_there(redis_server: RedisServer) -> None:
    memory = redis_memory(redis_server)
    memory.put("v", b"1", 60)
    memory.take("r", TEN, 1)
    with redis_server.client() as client:
        assert 59_000 < int(client.pttl("v")) <= 60_000
        assert 5_000 < int(client.pttl("r")) <= 6_000


def test_who_writes_to_redis_is_not_believed(redis_server: RedisServer) -> None:
    memory = redis_memory(redis_server)
    memory.put("mine", b"1", 60)
    with redis_server.client() as client:
        sealed = client.get("mine")
        assert isinstance(sealed, bytes)
        client.set("moved", sealed)
        client.set("made up", b"x" * 40)
        client.set("short", b"x")
        client.set("changed", sealed[:-1] + b"2")
    assert memory.get("mine") == b"1"
    assert [memory.get(name) for name in ("moved", "made up", "short", "changed")] == [None] * 4
    assert redis_memory(redis_server, b"another key").get("mine") is None


def test_a_server_that_is_away_is_an_error_of_ours() -> None:
    memory = RedisCache(NOWHERE, lambda: KEY)
    for ask in (lambda: memory.get("a"), lambda: memory.take("a", TEN, 1)):
        with pytest.raises(CacheUnavailable):
            ask()


def test_alone_while_redis_is_away_and_back_by_itself(
    redis_server: RedisServer, caplog: pytest.LogCaptureFixture
) -> None:
    clock = Hands()
    memory = FallbackCache(redis_memory(redis_server), InProcessCache(), clock)
    memory.put("a", b"shared", 60)
    with caplog.at_level(logging.INFO, "commonplace.cache"):
        redis_server.kill()
        try:
            assert memory.get("a") is None
            memory.put("a", b"alone", 60)
            assert memory.get("a") == b"alone"
            assert [memory.take("r", TEN, 1) for _ in range(10)] == [0.0] * 10
            assert memory.take("r", TEN, 1) > 0, "limits hold in each process for itself"
            clock.now += math.ceil(PAUSE_SECONDS)
            assert memory.get("a") == b"alone"
        finally:
            redis_server.start()
        clock.now += math.ceil(PAUSE_SECONDS)
        assert memory.get("a") is None
        memory.put("a", b"shared again", 60)
        assert redis_memory(redis_server).get("a") == b"shared again"
    told = [record.message for record in caplog.records]
    assert told == ["shared cache unreachable: counting locally", "shared cache reachable again"]
