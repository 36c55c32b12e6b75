"""Search by meaning with the model inside the package, and fresh notes while it is busy."""

from __future__ import annotations

import pytest

from tests.surfaces.conftest import OpenPremises
from tests.surfaces.notes.steps import found, search, stored_id

FILLER = "The quarterly figures were filed, checked twice and put on the shelf. " * 40


@pytest.mark.requirement("notes.search.semantic-leg", "notes.search.semantic-only-hits-low")
def test_an_entry_is_found_by_what_it_means(open_premises: OpenPremises) -> None:
    premises = open_premises()
    alice = premises.caller()
    prices = stored_id(
        alice,
        title="Cache invalidation",
        body="The storefront purges its CDN keys whenever an amount changes in the catalogue.",
    )
    stored_id(alice, title="Lunch", body="The cafeteria serves soup on Tuesdays.")
    whale = stored_id(
        alice,
        title="Archive",
        body=f"{FILLER} The blue whale is the heaviest animal that ever lived.",
    )
    question = "how do we keep shoppers from seeing old prices"
    assert found(alice, question) == []
    premises.embed()
    hits = search(alice, question)
    assert hits[0]["id"] == prices
    assert hits[0]["score"] == 0.5
    assert found(alice, "biggest creature of all time")[0] == whale, "the end of a long body counts"
