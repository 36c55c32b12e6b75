"""What every embedder promises, on the bundled model and on an endpoint that serves it."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from commonplace.embedding.bundled import BundledEmbedder
from commonplace.embedding.cache import QueryCache
from commonplace.embedding.endpoint import Endpoint, EndpointEmbedder
from commonplace.embedding.port import Embedder
from tests.unit.embedding.local_endpoint import Answered, Asked, local_endpoint, vectors

FILLER = "The weather in the valley was calm and the road was dry that day. "
NEEDLE = "The staging database password rotates every ninety days."


@pytest.fixture(scope="module")
def model() -> BundledEmbedder:
    return BundledEmbedder()


@pytest.fixture(scope="module", params=["bundled", "endpoint", "cached"])
def embedder(request: pytest.FixtureRequest, model: BundledEmbedder) -> Iterator[Embedder]:
    if request.param == "bundled":
        yield model
        return
    if request.param == "cached":
        yield QueryCache(model, size=4, seconds=60)
        return

    def serve(asked: Asked) -> Answered:
        return vectors([model.embed_query(text).tolist() for text in asked.inputs])

    with local_endpoint(serve) as server:
        embedder = EndpointEmbedder(Endpoint(server.url, "granite", 384))
        yield embedder
        embedder.release()


def test_vectors_are_normalised_float32_of_the_named_dimension(embedder: Embedder) -> None:
    passages = embedder.embed_passages(["short", FILLER * 60])
    found = [embedder.embed_query("short"), *passages[0], *passages[1]]
    for vector in found:
        assert vector.shape == (embedder.identity.dimension,)
        assert vector.dtype == np.float32
        assert np.isclose(np.linalg.norm(vector), 1, atol=1e-5)


def test_identity_does_not_change_with_use(embedder: Embedder) -> None:
    before = embedder.identity
    embedder.embed_query("something")
    embedder.release()
    assert embedder.identity == before
    assert str(before.dimension) in before.key
    assert before.name in before.key
    assert before.revision in before.key


def test_a_text_has_one_vector_whoever_asks_and_whatever_is_beside_it(embedder: Embedder) -> None:
    alone = embedder.embed_query(NEEDLE)
    beside = embedder.embed_passages([FILLER * 5, NEEDLE, "x", FILLER * 20])[1]
    assert len(beside) == 1
    assert np.allclose(beside[0], alone, atol=1e-6)
    assert embedder.similarity(float(alone @ beside[0])) == pytest.approx(1.0, abs=1e-6)


def test_texts_keep_their_order(embedder: Embedder) -> None:
    texts = [f"note number {number} about topic {number * 7}" for number in range(40)]
    found = embedder.embed_passages(texts)
    assert len(found) == len(texts)
    for place in (0, 17, 39):
        assert np.allclose(found[place][0], embedder.embed_query(texts[place]), atol=1e-6)


def test_no_texts_give_no_vectors(embedder: Embedder) -> None:
    assert embedder.embed_passages([]) == []


def test_the_end_of_a_long_text_is_found(embedder: Embedder) -> None:
    windows = embedder.embed_passages([FILLER * 50 + NEEDLE])[0]
    question = embedder.embed_query("how often does the staging database password rotate?")
    assert len(windows) > 1
    assert int(np.argmax([question @ window for window in windows])) == len(windows) - 1


@pytest.mark.parametrize(
    "text", ["", " \n\t ", "\ud800 broken", "<s></s><pad>", "日本語のメモ", "🙂" * 400, "a\x00b"]
)
def test_any_text_has_a_vector(embedder: Embedder, text: str) -> None:
    assert np.isfinite(embedder.embed_query(text)).all()
    (windows,) = embedder.embed_passages([text])
    assert len(windows) >= 1
    assert np.isfinite(windows).all()


def test_similarity_is_monotone_within_bounds(embedder: Embedder) -> None:
    scale = [embedder.similarity(float(cosine)) for cosine in np.linspace(-1, 1, 401)]
    assert scale == sorted(scale)
    assert scale[0] == 0.0
    assert scale[-1] == 1.0


def test_threads_share_it(embedder: Embedder) -> None:
    texts = [f"thread {number} writes about subject {number % 5}" for number in range(12)]
    expected = [embedder.embed_query(text) for text in texts]
    with ThreadPoolExecutor(6) as pool:
        bulk = pool.submit(embedder.embed_passages, texts)
        found = list(pool.map(embedder.embed_query, texts))
        stored = [windows[0] for windows in bulk.result()]
    assert np.allclose(found, expected, atol=1e-6)
    assert np.allclose(stored, expected, atol=1e-6)


def test_it_can_be_used_again_after_release(embedder: Embedder) -> None:
    before = embedder.embed_query(NEEDLE)
    embedder.release()
    embedder.release()
    after = embedder.embed_passages([NEEDLE])[0][0]
    assert np.allclose(before, after, atol=1e-6)
