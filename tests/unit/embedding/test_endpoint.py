"""The endpoint adapter against a real HTTP server: what it asks, and what each failure becomes."""

from __future__ import annotations

import socket
import traceback
from threading import Barrier, Event, Lock

import numpy as np
import pytest

from commonplace.embedding.endpoint import Endpoint, EndpointEmbedder
from commonplace.embedding.port import Handling, ModelIdentity
from commonplace.errors import (
    EmbeddingError,
    EmbeddingRefused,
    EmbeddingUnavailable,
    SettingsInvalid,
)
from tests.unit.embedding.local_endpoint import Answered, Asked, Script, local_endpoint, vectors

KEY = "sk-very-secret"


def _lengths(request: Asked) -> Answered:
    return vectors([[float(len(text)), 1.0] for text in request.inputs])


def _always(answer: Answered) -> Script:
    return lambda _request: answer


def test_it_asks_as_openai_clients_do() -> None:
    with local_endpoint(_lengths) as server:
        embedder = EndpointEmbedder(Endpoint(server.url + "/", "nomic", 2, api_key=KEY))
        vector = embedder.embed_query("abc")
        embedder.release()
    assert np.allclose(vector, np.array([3, 1]) / np.sqrt(10))
    (request,) = server.asked
    assert request.path == "/v1/embeddings"
    assert request.body == {"model": "nomic", "input": ["abc"]}
    assert request.headers["Authorization"] == f"Bearer {KEY}"


def test_without_a_key_there_is_no_authorization_and_a_full_address_is_kept() -> None:
    with local_endpoint(_lengths) as server:
        embedder = EndpointEmbedder(Endpoint(server.url + "/embeddings", "nomic", 2))
        embedder.embed_query("abc")
        embedder.release()
    assert server.asked[0].path == "/v1/embeddings"
    assert "Authorization" not in server.asked[0].headers


def test_prefixes_go_before_queries_and_before_every_window() -> None:
    with local_endpoint(_lengths) as server:
        endpoint = Endpoint(
            server.url,
            "e5",
            2,
            query_prefix="query: ",
            passage_prefix="passage: ",
            window_chars=10,
            overlap_chars=2,
        )
        embedder = EndpointEmbedder(endpoint)
        embedder.embed_query("abc")
        embedder.embed_passages(["abcdefghijklmno"])
        embedder.release()
    assert server.asked[0].inputs == ["query: abc"]
    assert server.asked[1].inputs == ["passage: abcdefghi", "passage: hijklmno"]


def test_windows_of_all_texts_share_batches_and_find_their_text_again() -> None:
    with local_endpoint(_lengths) as server:
        endpoint = Endpoint(server.url, "m", 2, batch_size=2, window_chars=10, overlap_chars=2)
        embedder = EndpointEmbedder(endpoint)
        found = embedder.embed_passages(["a", "abcdefghijklmno", "", "abc"])
        assert embedder.embed_passages([]) == []
        embedder.release()
    assert sorted(len(request.inputs) for request in server.asked) == [1, 2, 2]
    assert [len(windows) for windows in found] == [1, 2, 1, 1]
    heights = [[round(float(v[0] / v[1])) for v in windows] for windows in found]
    assert heights == [[1], [9, 8], [1], [3]]


def test_so_many_requests_are_under_way_at_a_time_and_no_more() -> None:
    together, most, running = Barrier(3), [0], [0]
    counting = Lock()

    def script(request: Asked) -> Answered:
        with counting:
            running[0] += 1
            most[0] = max(most[0], running[0])
        together.wait(30)
        with counting:
            running[0] -= 1
        return _lengths(request)

    with local_endpoint(script) as server:
        endpoint = Endpoint(server.url, "m", 2, batch_size=4, concurrency=3)
        embedder = EndpointEmbedder(endpoint)
        assert embedder.handling == Handling(at_once=12)
        found = embedder.embed_passages(["x" * (1 + number) for number in range(24)])
        embedder.release()
    assert most == [3], "the barrier opens for three only"
    assert [len(request.inputs) for request in server.asked] == [4] * 6
    assert [round(float(v[0] / v[1])) for (v,) in found] == list(range(1, 25))


def test_one_refused_batch_among_several_is_raised() -> None:
    def script(request: Asked) -> Answered:
        return Answered(b"", 400) if "bad" in request.inputs else _lengths(request)

    with local_endpoint(script) as server:
        embedder = EndpointEmbedder(Endpoint(server.url, "m", 2, batch_size=1, concurrency=2))
        with pytest.raises(EmbeddingRefused):
            embedder.embed_passages(["a", "bad", "c", "d"])
        embedder.release()


def test_identity_needs_no_answer_and_knows_the_passage_prefix() -> None:
    plain = EndpointEmbedder(Endpoint("http://nowhere.invalid/v1", "m", 7))
    assert plain.identity == ModelIdentity("m", 7, "endpoint")
    assert plain.identity.key == "m-endpoint@7"
    prefixed = Endpoint("http://nowhere.invalid/v1", "m", 7, passage_prefix="passage: ")
    asked_otherwise = Endpoint("http://elsewhere.invalid/v1", "m", 7, query_prefix="query: ")
    assert prefixed.identity != plain.identity
    assert asked_otherwise.identity == plain.identity


def test_calibration_can_be_given() -> None:
    endpoint = Endpoint("http://nowhere.invalid", "m", 2, calibration=((0.5, 0.0), (1.0, 1.0)))
    assert EndpointEmbedder(endpoint).similarity(0.75) == 0.5


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (Answered(b"", 400), EmbeddingRefused),
        (Answered(b"", 422), EmbeddingRefused),
        (Answered(b"", 401), EmbeddingUnavailable),
        (Answered(b"", 404), EmbeddingUnavailable),
        (Answered(b"", 500), EmbeddingUnavailable),
        (Answered(b"", 302, {"Location": "http://elsewhere.invalid/"}), EmbeddingUnavailable),
        (Answered(b"upstream is warming up"), EmbeddingUnavailable),
        (vectors([[1.0, 2.0, 3.0]]), EmbeddingUnavailable),
        (vectors([[1.0, 2.0], [1.0, 2.0]]), EmbeddingUnavailable),
    ],
)
def test_failures_are_told_apart(answer: Answered, kind: type[EmbeddingError]) -> None:
    with local_endpoint(_always(answer)) as server:
        embedder = EndpointEmbedder(Endpoint(server.url, "m", 2))
        with pytest.raises(kind):
            embedder.embed_query("abc")
        embedder.release()


def test_a_busy_endpoint_says_when_to_come_back() -> None:
    with local_endpoint(_always(Answered(b"", 429, {"Retry-After": "17"}))) as server:
        embedder = EndpointEmbedder(Endpoint(server.url, "m", 2))
        with pytest.raises(EmbeddingUnavailable) as caught:
            embedder.embed_passages(["abc"])
        embedder.release()
    assert caught.value.retry_after == 17.0


def test_a_slow_endpoint_is_given_up() -> None:
    asked_enough = Event()

    def silent(request: Asked) -> Answered:
        asked_enough.wait(60)
        return _lengths(request)

    with local_endpoint(silent) as server:
        embedder = EndpointEmbedder(Endpoint(server.url, "m", 2, timeout=0.2))
        with pytest.raises(EmbeddingUnavailable, match=r"within 0\.2 s"):
            embedder.embed_query("abc")
        asked_enough.set()
        embedder.release()


def _unused_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.mark.parametrize(
    "url",
    [
        f"http://someone:pa55word@127.0.0.1:{_unused_port()}/v1",
        "http://someone:pa55word@[half-an-address/v1",
        "gopher://someone:pa55word@127.0.0.1/v1",
    ],
    ids=["nobody listens", "half an address", "another scheme"],
)
def test_an_endpoint_that_cannot_be_reached_gives_no_secret_away(url: str) -> None:
    endpoint = Endpoint(url, "m", 2, api_key=KEY)
    embedder = EndpointEmbedder(endpoint)
    with pytest.raises(EmbeddingUnavailable, match="cannot be reached") as caught:
        embedder.embed_query("abc")
    embedder.release()
    told = "".join(traceback.format_exception(caught.value)) + repr(endpoint)
    assert KEY not in told
    assert "pa55word" not in told


@pytest.mark.parametrize("key", ["line\nbreak", "schlüssel"])
def test_a_key_that_no_header_can_carry_is_refused_at_once(key: str) -> None:
    with pytest.raises(SettingsInvalid) as caught:
        Endpoint("http://127.0.0.1/v1", "m", 2, api_key=key)
    assert key not in str(caught.value)


def test_connections_open_again_after_release() -> None:
    with local_endpoint(_lengths) as server:
        embedder = EndpointEmbedder(Endpoint(server.url, "m", 2))
        before = embedder.embed_query("abc")
        embedder.release()
        embedder.release()
        assert np.array_equal(embedder.embed_query("abc"), before)
        embedder.release()


def test_a_release_leaves_a_request_that_is_under_way_alone() -> None:
    """The worker releases what it does not need, while a search may be asking."""
    embedders: list[EndpointEmbedder] = []

    def release_meanwhile(request: Asked) -> Answered:
        embedders[0].release()
        return _lengths(request)

    with local_endpoint(release_meanwhile) as server:
        embedders.append(EndpointEmbedder(Endpoint(server.url, "nomic", 2)))
        for text in ("a", "bb", "ccc"):
            assert embedders[0].embed_query(text)[0] > 0
        embedders[0].release()
