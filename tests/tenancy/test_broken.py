"""The tenancy test on a product that leaks: each predicate that is taken out must be noticed.

On SQLite, where the statements are the only lock; PostgreSQL has row security behind them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import count
from random import Random

import pytest

from commonplace.storage import statements
from commonplace.storage.statements import Statement
from tests.tenancy.search import generated, leak_in
from tests.tenancy.steps import AGENTS
from tests.tenancy.test_tenancy import LENGTH
from tests.tenancy.world import OpenWorld

MOST_RUNS = 40
_ENTRY = "(e.org = :org OR e.visibility = 'network' OR e.org = 'system')"
_CHUNK = "(c.org = :org OR c.visibility = 'network' OR c.org = 'system')"
_PRIVATE_ENTRY = "(e.visibility <> 'private' OR (e.org = :org AND e.agent = :agent))"
_FOUND = ("passing_keys", "chunk_terms", "fetch_chunks", "entries_by_keys", "chunk_words")
# Statements, and the predicate that they lose.
BROKEN = (
    (("get_entry",), _ENTRY),
    (("get_entry",), _PRIVATE_ENTRY),
    (("page_of_kind",), "e.org = :org AND e.kind"),
    (("tally_of_kind",), "e.org = :org AND e.kind"),
    (("count_unembedded",), "c.org = :org AND"),
    (("sample_terms",), "c.org = :org"),
    (("get_source",), "r.org IN (:org, 'system') AND"),
    (("sources_in_reach",), "r.org IN (:org, 'system') AND"),
    (("sources_in_reach",), "a.workspace = :workspace AND"),
    (("tally_feedback",), "org = :org"),
    (("get_review",), "org = :org AND"),
    (("contributions_of",), _ENTRY),
    (("page_of_kind",), _PRIVATE_ENTRY),
    (_FOUND, _CHUNK),
)


def without(sql: str, predicate: str) -> str:
    """The same statement with the predicate always true."""
    assert predicate in sql, predicate
    bare = predicate.removesuffix(" AND").removesuffix(" AND e.kind")
    return sql.replace(predicate, predicate.replace(bare, "(1 = 1)"))


@pytest.fixture
def dialect() -> str:
    return "sqlite"


@pytest.mark.soak
@pytest.mark.parametrize(("names", "predicate"), BROKEN)
def test_a_lost_predicate_is_noticed(
    open_world: OpenWorld,
    names: tuple[str, ...],
    predicate: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = statements.load

    def broken(package: str) -> Mapping[str, Statement]:
        loaded = dict(whole(package))
        for name in names:
            lost = predicate if predicate in loaded[name].sql else _ENTRY
            loaded[name] = replace(loaded[name], sql=without(loaded[name].sql, lost))
        return loaded

    monkeypatch.setattr(statements, "load", broken)
    for seed in count(1000):
        leak = leak_in(open_world, generated(seed, LENGTH), Random(seed).choice(AGENTS))
        if leak is not None:
            print(f"\n{names[0]}: found in run {seed - 999}: {str(leak)[:160]}")  # noqa: T201
            return
        assert seed < 1000 + MOST_RUNS, "nothing was noticed"
