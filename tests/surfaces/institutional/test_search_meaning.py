"""semantic_search with the model inside the package: the same matter in other words."""

from __future__ import annotations

import pytest

from tests.surfaces.conftest import OpenPremises
from tests.surfaces.institutional.steps import captured_id, search

RACE = {
    "summary": "Fix race condition in API",
    "content": "Added mutex lock around shared state access...",
    "type": "solution",
    "project": "my-api",
    "file_context": "src/handlers/user.ts",
    "tags": ["concurrency", "bugfix"],
    "solution_verified": True,
}
UNRELATED = [
    {"summary": "Darker buttons", "content": "The designers chose a warmer blue for the page."},
    {"summary": "Invoices by post", "content": "Customers may ask for printed invoices."},
    {"summary": "Faster images", "content": "Pictures are resized once and served from a CDN."},
]


@pytest.mark.requirement("institutional.search.semantic", "institutional.search.example")
def test_an_item_is_found_by_what_it_means(open_premises: OpenPremises) -> None:
    alice = open_premises().caller()
    for given in UNRELATED:
        captured_id(alice, **given)
    race = captured_id(alice, **RACE)
    reworded = search(alice, "two threads write the same variable at once")
    assert reworded[0]["id"] == race
    assert len(reworded) == 1 + len(UNRELATED), "the threshold is 0"
    documented = search(alice, "race condition mutex locking", threshold=0.7, limit=10)
    assert [result["id"] for result in documented] == [race]
    assert documented[0]["similarity"] >= 0.7
