"""`reembed` with two real models: the bundled one, and another behind an endpoint."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.cli.commands import run_here
from tests.features.embedders import GramEmbedder
from tests.unit.embedding.local_endpoint import Answered, Asked, local_endpoint, vectors

BUNDLED = "granite-30m-en-int8-r2@384"
OTHER = "grams-endpoint@64"


@pytest.fixture
def endpoint() -> Iterator[dict[str, str]]:
    grams = GramEmbedder()

    def serve(asked: Asked) -> Answered:
        return vectors([grams.embed_query(text).tolist() for text in asked.inputs])

    with local_endpoint(serve) as server:
        yield {
            "COMMONPLACE_EMBEDDING_URL": server.url,
            "COMMONPLACE_EMBEDDING_MODEL": "grams",
            "COMMONPLACE_EMBEDDING_DIMENSION": "64",
        }


def test_from_the_bundled_model_to_an_endpoint_and_back(
    place: dict[str, str], endpoint: dict[str, str]
) -> None:
    other = place | endpoint
    run_here(place, "add", "Price cache", "The storefront purges its keys when a price changes.")
    run_here(place, "add", "Lunch", "The canteen serves soup on Fridays.")
    before = run_here(other, "reembed", "--status", "--json").document
    assert (before["serving"], before["configured"]) == (BUNDLED, OTHER)
    question = ("search", "outdated amounts seen by shoppers", "--mode", "semantic", "--json")
    still = run_here(other, *question).document
    assert still["model"] == BUNDLED, "the bundled model is always at hand"
    assert still["hits"][0]["title"] == "Price cache"
    told = run_here(other, "reembed", "--status").stdout
    assert "`commonplace reembed` switches to it" in told
    done = run_here(other, "reembed", "--json").document
    assert (done["serving"], done["complete"], done["embedded"]) == (OTHER, True, 2)
    assert done["retired"] == [BUNDLED]
    assert run_here(other, *question).document["model"] == OTHER
    assert run_here(place, *question).document["model"] == BUNDLED, "until it is restarted"
    run_here(place, "reembed")
    back = run_here(place, "reembed", "--status", "--json").document
    assert (back["serving"], back["complete"]) == (BUNDLED, True)


def test_wrong_use_is_told(home: dict[str, str]) -> None:
    refused = run_here(home, "reembed", "--status", "--cancel", "--json")
    assert refused.document["error"]["code"] == "validation.invalid_argument"
    fresh = run_here(home, "reembed", "--status", "--json").document
    assert (fresh["serving"], fresh["total"]) == (None, 0)
    assert run_here(home, "reembed", "--cancel", "--json").code == 0


def test_the_doctor_tells_of_a_model_that_does_not_serve(
    home: dict[str, str], endpoint: dict[str, str]
) -> None:
    run_here(home | endpoint, "add", "Title", "Body")
    found = run_here(home, "doctor", "--json").document
    (finding,) = [f for f in found["findings"] if f["check"] == "model in use"]
    assert (finding["state"], "commonplace reembed" in finding["mend"]) == ("warning", True)
