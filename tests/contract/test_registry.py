"""Credits, verdicts, domains and confidence on every store."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from commonplace.model.actor import Actor, upkeep_actor
from commonplace.model.change import Operation
from commonplace.model.entry import Entry, EntryKind, Visibility
from commonplace.model.query import Filter
from commonplace.model.verdict import Contribution, Judgement, Peer
from commonplace.storage.port import LexicalQuery, Store
from tests.generate import ALICE, BOB, EVE, entry_draft, put_chunk
from tests.stores import Database, SteppingClock

CARL = Peer("umbrella", "carl")
NETWORK, ORG = Visibility.NETWORK, Visibility.ORG


def add(
    store: Store, id: str, actor: Actor = ALICE, kind: EntryKind = EntryKind.UNIT, **content: object
) -> Entry:
    with store.write(actor) as tx:
        entry = tx.entries.insert(entry_draft(id, kind, **content))
        tx.contributions.add(entry, "credited", f"line-{id}")
        return entry


def test_credit_is_read_with_what_it_is_for(store: Store) -> None:
    unit = add(store, "u", visibility=NETWORK, confidence=0.6)
    skill = add(store, "s", kind=EntryKind.SKILL, visibility=ORG, confidence=0.9)
    peer = Peer(ALICE.org, "credited")
    own = [
        Contribution(unit.key, peer, EntryKind.UNIT, 0.6),
        Contribution(skill.key, peer, EntryKind.SKILL, 0.9),
    ]
    with store.read(BOB) as tx:
        assert tx.contributions.of("credited") == own
        assert tx.contributions.contributor_of(unit) == "credited"
        assert tx.contributions.of("alice") == []
    with store.read(EVE) as tx:
        assert tx.contributions.of("credited") == own[:1], "others see what the network may read"
        assert tx.contributions.contributor_of(unit) is None


def test_private_contributions_are_seen_by_their_author_only(store: Store) -> None:
    add(store, "p", visibility=Visibility.PRIVATE)
    with store.read(ALICE) as tx:
        assert len(tx.contributions.of("credited")) == 1
    with store.read(BOB) as tx:
        assert tx.contributions.of("credited") == []


def test_versions_are_those_that_nothing_supersedes(store: Store) -> None:
    old, new = add(store, "a"), add(store, "b")
    with store.write(ALICE) as tx:
        assert list(tx.contributions.versions("line-a")) == [old.key]
        tx.entries.update(
            replace(old, superseded_by=new.id, head=new.id),
            Operation.SUPERSEDE,
        )
        assert list(tx.contributions.versions("line-a")) == []
        assert list(tx.contributions.versions("none")) == []
    with store.read(BOB) as tx:
        (first, second) = tx.contributions.of("credited")
        assert (first.superseded, second.superseded) == (True, False)


def test_a_validator_has_one_verdict_and_the_earlier_one_is_history(
    store: Store, clock: SteppingClock
) -> None:
    unit = add(store, "u", visibility=NETWORK)
    with store.write(upkeep_actor(ALICE.org)) as tx:
        tx.verdicts.record(unit, CARL, None)
        tx.verdicts.put(unit, CARL, valid=True, feedback="worked")
        tx.verdicts.put(unit, Peer(ALICE.org, "bob"), valid=True, feedback="")
    clock.advance(60)
    with store.write(upkeep_actor(ALICE.org)) as tx:
        (_, before) = tx.verdicts.about([unit.key])[unit.key]
        tx.verdicts.record(unit, CARL, before)
        tx.verdicts.put(unit, CARL, valid=False, feedback="no more")
        found = tx.verdicts.about([unit.key])[unit.key]
        assert [(v.validator, v.valid, v.feedback) for v in found] == [
            (Peer(ALICE.org, "bob"), True, ""),
            (CARL, False, "no more"),
        ]
        assert found[1].at - found[0].at >= timedelta(seconds=60)
        changes = [c for c in tx.changes.since(0, 100) if c.entity == "verdict"]
    told = [(c.operation, c.entity_id, c.before) for c in changes]
    name = "u/umbrella/carl"
    assert told[0] == (Operation.CREATE, name, None)
    assert told[1] == (Operation.EDIT, name, {"valid": True, "feedback": "worked"})


def test_verdicts_are_read_where_their_unit_is(store: Store) -> None:
    shared = add(store, "n", visibility=NETWORK)
    inside = add(store, "o", visibility=ORG)
    foreign = add(store, "f", EVE, visibility=NETWORK)
    for unit in (shared, inside, foreign):
        with store.write(upkeep_actor(unit.org)) as tx:
            tx.verdicts.put(unit, CARL, valid=True, feedback="")

    def told(unit: Entry) -> Judgement:
        return Judgement(unit.key, Peer(unit.org, "credited"), CARL, True)

    with store.read(BOB) as tx:
        assert tx.verdicts.readable() == [told(shared), told(inside), told(foreign)]
    with store.read(EVE) as tx:
        assert tx.verdicts.readable() == [told(shared), told(foreign)]
        found = tx.verdicts.about([shared.key, inside.key])
        assert [len(found[key]) for key in (shared.key, inside.key)] == [1, 0]


def test_without_a_network_verdicts_and_credits_stay_in_their_org(database: Database) -> None:
    store, alone = database.open(), database.open(network=False)
    shared = add(store, "n", visibility=NETWORK)
    foreign = add(store, "f", EVE, visibility=NETWORK)
    for unit in (shared, foreign):
        with store.write(upkeep_actor(unit.org)) as tx:
            for validator in (CARL, Peer(ALICE.org, "bob")):
                tx.verdicts.put(unit, validator, valid=True, feedback="")
    with alone.read(ALICE) as tx:
        assert [judgement.contribution for judgement in tx.verdicts.readable()] == [shared.key]
        found = tx.verdicts.about([shared.key, foreign.key])
        assert [v.validator.agent for v in found[shared.key]] == ["bob"]
        assert found[foreign.key] == []
        assert [c.key for c in tx.contributions.of("credited")] == [shared.key]
    with store.read(ALICE) as tx:
        assert len(tx.verdicts.readable()) == 4


def test_what_verdicts_make_of_an_entry_is_no_revision_of_it(store: Store) -> None:
    unit = add(store, "u", confidence=0.5)
    content = replace(unit.content, confidence=0.7, attributes={"a": 1})
    with store.write(ALICE) as tx:
        tx.entries.update_computed(replace(unit, content=content))
        found = tx.entries.get("u")
        assert found is not None
        assert (found.content, found.revision) == (content, unit.revision)
        assert [change.operation for change in tx.changes.history(found)] == [Operation.CREATE]


def test_credits_and_verdicts_go_with_what_is_purged(store: Store) -> None:
    unit = add(store, "u")
    with store.write(ALICE) as tx:
        tx.verdicts.put(unit, CARL, valid=False, feedback="x")
        tx.entries.erase(unit)
        assert tx.contributions.of("credited") == []
        assert tx.verdicts.readable() == []


Kind = tuple[str | None, float]


def test_domain_and_confidence_filter_entries_and_chunks(store: Store) -> None:
    made: dict[Kind, Entry] = {}
    for domain in ("ops", "law", None):
        for level in (0.4, 0.8):
            entry = add(store, f"{domain}-{level}", domain=domain, confidence=level)
            made[domain, level] = entry
            with store.write(ALICE) as tx:
                given = {"domain": domain, "confidence": level, "visibility": ORG}
                put_chunk(tx, entry.key, f"harvest {domain} {level}", **given)
    cases: list[tuple[Filter, set[Kind]]] = [
        (Filter(), set(made)),
        (Filter(domain="ops"), {("ops", 0.4), ("ops", 0.8)}),
        (Filter(min_confidence=0.8), {("ops", 0.8), ("law", 0.8), (None, 0.8)}),
        (Filter(domain="law", min_confidence=0.5), {("law", 0.8)}),
        (Filter(min_confidence=0.81), set()),
    ]
    with store.read(BOB) as tx:
        for asked, expected in cases:
            page = tx.entries.page(asked, 10, 0)
            assert {(e.content.domain, e.content.confidence) for e in page} == expected
            assert tx.entries.count(asked) == len(expected)
            keys = tx.chunks.lexical(LexicalQuery(("harvest",)), asked, 10)
            chunks = tx.chunks.fetch(keys, asked)
            assert {(c.metadata.domain, c.metadata.confidence) for c in chunks} == expected
