"""The tenancy test on a product that leaks: each predicate that is taken out must be noticed.

On SQLite, where the statements are the only lock; PostgreSQL has row security behind them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from commonplace.storage import statements
from commonplace.storage.statements import Statement
from tests.tenancy.search import generated, leak_in
from tests.tenancy.steps import OBSERVERS
from tests.tenancy.test_tenancy import LENGTH
from tests.tenancy.world import OpenWorld

MOST_RUNS = 30
_ENTRY = "(e.org = :org OR e.visibility = 'network' OR e.org = 'system')"
_CHUNK = "(c.org = :org OR c.visibility = 'network' OR c.org = 'system')"
_PRIVATE_ENTRY = "(e.visibility <> 'private' OR (e.org = :org AND e.agent = :agent))"
_OWN_OR_SYSTEM = "r.org IN (:org, 'system')"
# Statements and what they lose. Lists and searches check twice, so they lose both.
BROKEN: tuple[Mapping[str, tuple[str, ...]], ...] = (
    {"get_entry": (_ENTRY,)},
    {"get_entry": (_PRIVATE_ENTRY,)},
    {"page_of_kind": (_ENTRY, "e.org = :org")},
    {"page_of_kind": (_PRIVATE_ENTRY,)},
    {"tally_of_kind": (_ENTRY, "e.org = :org")},
    {"count_unembedded": ("c.org = :org",)},
    {"get_source": (_OWN_OR_SYSTEM,)},
    {"sources_in_reach": (_OWN_OR_SYSTEM,)},
    {"sources_in_reach": ("a.workspace = :workspace",)},
    {"tally_feedback": ("org = :org",)},
    {"contributions_of": (_ENTRY,)},
    {"contributions_of": (_PRIVATE_ENTRY,)},
    {"all_attached": ("a.org = :org",)},
    {"resource_at": ("org = :org",)},
    {"get_review": ("org = :org",)},
    {"review_like": ("org = :org",)},
    {"tally_factors": ("f.org = :org",)},
    {
        "vector_feed": (_CHUNK,),
        "passing_keys": (_CHUNK,),
        "chunk_terms": (_CHUNK,),
        "fetch_chunks": (_CHUNK,),
        "entries_by_keys": (_ENTRY,),
    },
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


@pytest.mark.soak
@pytest.mark.parametrize("lost", BROKEN, ids="-".join)
def test_a_lost_predicate_is_noticed(
    open_world: OpenWorld, lost: Mapping[str, tuple[str, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = statements.load

    def broken(package: str) -> Mapping[str, Statement]:
        loaded = dict(whole(package))
        for name, predicates in lost.items():
            loaded[name] = replace(loaded[name], sql=without(loaded[name].sql, predicates))
        return loaded

    monkeypatch.setattr(statements, "load", broken)
    for seed in range(MOST_RUNS):
        if leak_in(open_world, generated(seed, LENGTH), OBSERVERS[seed % len(OBSERVERS)]):
            return
    pytest.fail("nothing was noticed")
