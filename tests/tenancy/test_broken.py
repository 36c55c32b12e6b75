"""The tenancy test on a product that leaks: each predicate that is taken out must be noticed.

On SQLite, where the statements are the only lock; PostgreSQL has row security behind them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import pytest

from commonplace.storage import statements
from commonplace.storage.statements import Statement
from tests.tenancy.model import without_network
from tests.tenancy.search import generated, leak_in
from tests.tenancy.steps import OBSERVERS
from tests.tenancy.test_tenancy import LENGTH
from tests.tenancy.world import OpenWorld

MOST_RUNS = 30
_ENTRY = "(e.org = :org OR (:network AND e.visibility = 'network') OR e.org = 'system')"
_CHUNK = "(c.org = :org OR (:network AND c.visibility = 'network') OR c.org = 'system')"
_PRIVATE_ENTRY = "(e.visibility <> 'private' OR (e.org = :org AND e.agent = :agent))"
_OWN_OR_SYSTEM = "r.org IN (:org, 'system')"
_CREDITED = ("kp_reputation_query", "kp_contribute_skill", "kp_contribute_knowledge")
_FEEDBACK = ("record_feedback", "provide_feedback", "auto_capture")


@dataclass(frozen=True, slots=True)
class Broken:
    """Statements and what they lose, and the tools whose answers tell, which are called often.

    Lists and searches check twice, so they lose both.
    """

    lost: Mapping[str, tuple[str, ...]]
    told_by: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return "-".join(self.lost)


BROKEN = (
    Broken({"get_entry": (_ENTRY,)}),
    Broken({"get_entry": (_PRIVATE_ENTRY,)}),
    Broken({"page_of_kind": (_ENTRY, "e.org = :org")}),
    Broken({"page_of_kind": (_PRIVATE_ENTRY,)}),
    Broken({"tally_of_kind": (_ENTRY, "e.org = :org")}),
    Broken({"any_unembedded": ("c.org = :org",), "count_unembedded": ("c.org = :org",)}),
    Broken({"get_source": (_OWN_OR_SYSTEM,)}),
    Broken({"sources_in_reach": (_OWN_OR_SYSTEM,)}),
    Broken({"sources_in_reach": ("a.workspace = :workspace",)}),
    Broken({"tally_feedback": ("org = :org",)}, _FEEDBACK),
    Broken({"contributions_of": (_ENTRY,)}, _CREDITED),
    Broken({"contributions_of": (_PRIVATE_ENTRY,)}, _CREDITED),
    Broken({"all_attached": ("a.org = :org",)}, ("pm_knowledge",)),
    Broken({"resource_at": ("org = :org",)}, ("pm_knowledge",)),
    Broken(
        {
            "vector_feed": (_CHUNK,),
            "passing_keys": (_CHUNK,),
            "chunk_owners": (_CHUNK,),
            "chunk_terms": (_CHUNK,),
            "fetch_chunks": (_CHUNK,),
            "entries_by_keys": (_ENTRY,),
        }
    ),
)


def without(sql: str, predicates: Sequence[str]) -> str:
    """The same statement with the predicates always true."""
    for predicate in predicates:
        assert predicate in sql, predicate
        sql = sql.replace(predicate, "(1 = 1)")
    return sql


@pytest.fixture
def dialect() -> str:
    return "sqlite"


def loader_without(lacking: Broken) -> Callable[[str], Mapping[str, Statement]]:
    whole = statements.load

    def broken(package: str) -> Mapping[str, Statement]:
        loaded = dict(whole(package))
        for name, predicates in lacking.lost.items():
            loaded[name] = replace(loaded[name], sql=without(loaded[name].sql, predicates))
        return loaded

    return broken


@pytest.mark.soak
@pytest.mark.parametrize("lacking", BROKEN, ids=lambda lacking: lacking.name)
def test_a_lost_predicate_is_noticed(
    open_world: OpenWorld, lacking: Broken, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(statements, "load", loader_without(lacking))
    for seed in range(MOST_RUNS):
        steps = generated(seed, LENGTH, lacking.told_by)
        if leak_in(open_world, steps, OBSERVERS[seed % len(OBSERVERS)]):
            return
    pytest.fail("nothing was noticed")


@pytest.mark.soak
@pytest.mark.parametrize("network", [False])
@pytest.mark.parametrize("statement", ["get_entry", "page_of_kind", "contributions_of"])
def test_a_network_that_is_none_is_noticed_where_a_statement_forgets_it(
    open_world: OpenWorld, statement: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    forgetful = Broken({statement: (":network",)}, _CREDITED)
    monkeypatch.setattr(statements, "load", loader_without(forgetful))
    for seed in range(MOST_RUNS):
        steps = [without_network(step) for step in generated(seed, LENGTH, forgetful.told_by)]
        if leak_in(open_world, steps, OBSERVERS[seed % len(OBSERVERS)]):
            return
    pytest.fail("nothing was noticed")
