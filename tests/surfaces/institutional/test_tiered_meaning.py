"""tiered_retrieval with the model inside the package: the documented call."""

from __future__ import annotations

import pytest

from tests.surfaces.conftest import OpenPremises
from tests.surfaces.institutional.steps import captured_id, tiered

TOKENS = {
    "rotation": {
        "summary": "JWT signing keys are rotated weekly",
        "content": "Tokens carry a key id; authentication accepts the old and the new key.",
        "type": "pattern",
    },
    "expired": {
        "summary": "Login fails with expired JWT",
        "content": "Refresh the access token before it expires, or authentication answers 401.",
        "type": "troubleshooting",
    },
}
LUNCH = {"summary": "Lunch", "content": "The cafeteria serves soup on Tuesdays.", "type": "win"}


@pytest.mark.requirement("institutional.tiered.example")
def test_the_documented_call(open_premises: OpenPremises) -> None:
    alice = open_premises().caller()
    ours = {captured_id(alice, project="my-api", **given) for given in TOKENS.values()}
    captured_id(alice, project="my-api", **LUNCH)
    for given in TOKENS.values():
        captured_id(alice, project="another", **given)
    query = {"project": "my-api", "token_budget": 10_000, "diversify": "type"}
    answer = tiered(alice, "authentication JWT tokens", **query)
    assert {result["id"] for result in answer["results"]} == ours
    assert 0 < answer["total_tokens"] <= 10_000
    assert answer["tier1"]["fingerprint"] == {
        "total_items": 3,
        "by_type": {"pattern": 1, "troubleshooting": 1, "win": 1},
        "recent_wins": 1,
    }
