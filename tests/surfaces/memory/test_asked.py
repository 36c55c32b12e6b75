"""What agents asked, by whichever dialect, is kept for who may audit, with what they were given."""

from __future__ import annotations

from dataclasses import replace

import pytest

from commonplace.errors import AccessDenied
from commonplace.model.activity import AskedQuestion, Outcome
from commonplace.model.actor import Actor, Scope
from commonplace.operations.activity.periods import Period
from tests.surfaces.clients import Premises
from tests.surfaces.conftest import OpenPremises
from tests.surfaces.memory.home import Home

OIL = "# Handbook\n\n## Lamp oil\n\nThe oil of the lighthouse lamp is refilled at dusk."


def auditor(home: Home) -> Actor:
    return replace(home.actor("carol"), scopes=frozenset({Scope.READ, Scope.AUDIT}))


def kept(home: Home) -> list[AskedQuestion]:
    home.application.activity.write()
    return home.application.activity.questions(auditor(home), 50)


@pytest.mark.requirement("memory.asked.every-dialect")
def test_whatever_dialect_asks_is_kept_with_what_it_was_given(home: Home) -> None:
    home.note("Ids", "Use version 7 for the ids.")
    home.item()
    home.skill()
    home.unit()
    home.project()
    home.page("Handbook", OIL)
    home.premises.embed()
    alice = home.alice
    asked = "when is the oil of the lighthouse lamp refilled"
    alice.text("recall", question=asked)
    alice.call("search_knowledge", query="version 7")
    alice.call("semantic_search", query="Enum values: add them in a migration", threshold=0.0)
    options = {"threshold": 0.0}
    alice.call("tiered_retrieval", query="enum values", project="shop", tier2_options=options)
    alice.call("knowledge.search", query="lamp oil", workspaceId="manuals")
    alice.ask("kp_search_skill", query="lint fix", min_quality=0)
    alice.ask("kp_search_knowledge", query="slow test", min_quality=0)
    alice.call("pm_knowledge", action="search", query="checkout of the cart")
    alice.call("pm_knowledge", action="code_map", query="callers of count_of")
    alice.text("trace", symbol="count_of", ask="callers")
    found = {one.tool + ":" + one.question: one for one in kept(home)}
    beginnings = {
        f"recall:{asked}": "doc:",
        "search_knowledge:version 7": "note:",
        "semantic_search:Enum values: add them in a migration": "item:",
        "tiered_retrieval:enum values": "item:",
        "knowledge.search:lamp oil": "doc:",
        "kp_search_skill:lint fix": "skill:",
        "kp_search_knowledge:slow test": "unit:",
        "pm_knowledge:checkout of the cart": "file:shop/",
        "pm_knowledge:callers of count_of": "file:shop/",
        "trace:callers of count_of": "file:shop/",
    }
    assert set(found) == set(beginnings)
    for name, beginning in beginnings.items():
        assert any(given.startswith(beginning) for given in found[name].given), name
        assert found[name].agent == "alice"
        assert found[name].outcome is not Outcome.NOTHING


@pytest.mark.requirement("memory.asked.nothing")
def test_what_found_nothing_is_told_as_such_and_put_together(home: Home) -> None:
    home.note("Ids", "Use version 7 for the ids.")
    home.premises.embed()
    for asked in ("Who paints the hull?", "who paints  the hull", "colour of buoys"):
        home.alice.call("search_knowledge", query=asked, tags=["no-such-tag"])
    home.alice.failure("trace", symbol="nobody_calls_it_so")
    kept(home)
    went = home.application.activity.of(auditor(home), Period.DAY)
    assert went.outcomes == {Outcome.NOTHING: 3}
    assert went.share_of_nothing == 1.0
    assert {one.question: one.times for one in went.open}["who paints  the hull"] == 2
    assert (went.calls, went.failed) == (5, 1)
    tools = {one.tool: one for one in went.tools}
    assert (tools["search_knowledge"].calls, tools["trace"].failed) == (3, 1)
    assert all(one.slow is not None and one.slow >= (one.median or 0) > 0 for one in went.tools)


@pytest.mark.requirement("memory.asked.handed-out")
def test_an_entry_knows_how_often_it_was_handed_out(home: Home) -> None:
    id = home.note("Ids", "Use version 7 for the ids.")
    home.premises.embed()
    for _ in range(3):
        home.alice.call("search_knowledge", query="version 7")
    home.alice.text("recall", question="which version do the ids have")
    kept(home)
    entry = home.application.knowledge.get(home.actor(), id).entry
    assert home.application.usage.of(home.actor(), [entry])[entry.key].count == 4


@pytest.mark.requirement("memory.asked.kept-from-others")
def test_only_auditors_of_the_org_see_it_and_no_secret_is_kept(home: Home) -> None:
    secret = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1eF3hJ5"
    home.alice.text("recall", question=f"what is {secret} for, and who uses it")
    (one,) = kept(home)
    assert "what is " in one.question
    assert secret not in one.question
    writer = replace(home.actor(), scopes=frozenset({Scope.READ, Scope.WRITE}))
    with pytest.raises(AccessDenied):
        home.application.activity.questions(writer, 50)
    with pytest.raises(AccessDenied):
        home.application.activity.of(writer, Period.DAY)
    stranger = replace(auditor(home), org="globex")
    assert home.application.activity.questions(stranger, 50) == []
    assert home.application.activity.of(stranger, Period.MONTH).calls == 0


@pytest.mark.requirement("memory.asked.not-kept")
def test_nothing_is_kept_where_it_is_not_wanted(open_premises: OpenPremises) -> None:
    premises: Premises = open_premises(activity_days=0)
    alice = premises.caller("alice")
    alice.text("recall", question="who paints the hull")
    application = premises.application
    application.activity.write()
    actor = Actor("acme", "carol", frozenset({Scope.READ, Scope.AUDIT}))
    assert application.activity.questions(actor, 50) == []
    assert application.activity.of(actor, Period.MONTH).calls == 0
