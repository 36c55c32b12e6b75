"""What the claims of a signed token grant."""

from __future__ import annotations

from typing import Any

import pytest

from commonplace.access.claims import ClaimNames, grant_of
from commonplace.errors import InvalidToken
from commonplace.model.actor import Scope

USUAL = {"iss": "https://i", "sub": "ada", "org": "acme", "scope": "knowledge:read openid"}


def granted(names: ClaimNames | None = None, **changed: Any) -> Any:
    return grant_of({**USUAL, **changed}, names or ClaimNames())


def test_org_agent_and_known_scopes() -> None:
    grant = granted()
    assert (grant.org, grant.agent, grant.scopes) == ("acme", "ada", {Scope.READ})


@pytest.mark.parametrize(
    ("claims", "scopes"),
    [
        ({"scope": None, "scp": ["knowledge:write", 7]}, {Scope.WRITE}),
        ({"scope": None, "scp": "admin audit:read"}, {Scope.ADMIN, Scope.AUDIT}),
        ({"scope": 7}, set()),
        ({"scope": "KNOWLEDGE:READ"}, set()),
    ],
)
def test_where_scopes_stand(claims: dict[str, Any], scopes: set[Scope]) -> None:
    assert granted(**claims).scopes == scopes


@pytest.mark.parametrize("org", [None, "", 7, ["acme"], "system", "SYSTEM", " acme", "a\0b"])
def test_a_token_without_an_org_of_ours_is_refused(org: object) -> None:
    with pytest.raises(InvalidToken):
        granted(org=org)


@pytest.mark.parametrize("agent", [None, "", 7, "x" * 101, "a\n"])
def test_a_token_without_an_agent_is_refused(agent: object) -> None:
    with pytest.raises(InvalidToken):
        granted(sub=agent)


def test_claims_may_have_other_names_and_the_org_may_be_fixed() -> None:
    names = ClaimNames(org="tenant", agent="client_id", fixed_org="home")
    assert granted(names, client_id="bot", tenant="zoo").org == "zoo"
    fixed = granted(names, client_id="bot")
    assert (fixed.org, fixed.agent) == ("home", "bot")


def test_calls_are_counted_by_whom_a_token_was_issued_to() -> None:
    first, renewed = granted(exp=1), granted(exp=2)
    others = [granted(sub="bob"), granted(org="zoo"), granted(client_id="c"), granted(iss="j")]
    assert first.counted_as == renewed.counted_as
    assert len({grant.counted_as for grant in [first, *others]}) == 5
