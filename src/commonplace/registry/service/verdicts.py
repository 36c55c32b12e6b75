"""Verdicts on knowledge units, and the reputations that follow from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from commonplace.errors import NotFound
from commonplace.knowledge.rules import present
from commonplace.knowledge.service.writes import index
from commonplace.model.actor import Actor, upkeep_actor
from commonplace.model.call import PLAIN_CALL, Call
from commonplace.model.entry import Entry, EntryKind
from commonplace.model.rights import Thing, Verb, permit, whose_is
from commonplace.model.verdict import Contribution, Judgement, Peer
from commonplace.registry.reputation import score, trust, weights
from commonplace.registry.units import revalued
from commonplace.registry.values import MAX_LABEL, GivenVerdict, Reputation
from commonplace.registry.verdicts import Weight, member_of, opinion
from commonplace.storage.port import Store, Transaction
from commonplace.text.gate import clean

MAX_FEEDBACK = 4_000


class TrustedPeers:
    """Whose verdicts count, and how much; `trusted` are the configured agents, if any."""

    def __init__(self, trusted: Sequence[str] = ()) -> None:
        self._trusted = trusted

    def seed(self, actor: Actor, judgements: Sequence[Judgement]) -> set[Peer]:
        """The agents from which trust starts: the configured ones, else all of the org."""
        if self._trusted:
            return {Peer(actor.org, agent) for agent in self._trusted}
        peers = {peer for j in judgements for peer in (j.validator, j.contributor)}
        return {peer for peer in peers if peer.org == actor.org}

    def weight(self, tx: Transaction, org: str) -> Weight:
        """How much an org trusts each peer: its own agents fully, unless trusted agents are
        configured."""
        if not self._trusted:
            return member_of(org)
        seed = {Peer(org, agent) for agent in self._trusted}
        counts = weights(trust(tx.verdicts.readable(), seed), seed)
        return lambda peer: counts.get(peer, 0.0) if peer.org == org else 0.0


class VerdictService:
    """Records verdicts, and computes reputations from them."""

    def __init__(self, store: Store, peers: TrustedPeers) -> None:
        self._store = store
        self._peers = peers

    def validate(
        self,
        actor: Actor,
        unit_id: str,
        *,
        valid: bool,
        feedback: str = "",
        call: Call = PLAIN_CALL,
    ) -> None:
        """Record a verdict; it only changes the quality of a unit of the validator's own org."""
        feedback = clean(feedback, field="feedback", max_chars=MAX_FEEDBACK)
        unit_id = clean(unit_id, field="unit_id", max_chars=MAX_LABEL)
        validator = Peer(actor.org, actor.agent)
        with self._store.read(actor) as tx:
            unit = tx.entries.get(unit_id, EntryKind.UNIT)
            if unit is None:
                raise NotFound("No unit with that id.")
            unit = present(unit)
            own = unit.org == actor.org
            weight = self._peers.weight(tx, unit.org) if own else member_of("")
        permit(actor, Thing.UNIT, Verb.JUDGE, whose_is(actor, unit.agent))
        given = GivenVerdict(validator, valid, feedback)
        if own:
            with self._store.write(actor) as tx:
                for held in tx.entries.lock([unit.key]):
                    if validator not in _authors(tx, held) and _recorded(tx, held, given):
                        tx.verdicts.put(held, validator, valid=valid, feedback=feedback)
                        _revalue(tx, held, weight)
                call.check()
            return
        # The verdict is stored with the unit, in the other org; the validator's org pays for it.
        with self._store.write(actor) as tx:
            changed = _recorded(tx, unit, given)
            call.check()
        if changed:
            with self._store.write(upkeep_actor(unit.org)) as tx:
                for held in tx.entries.lock([unit.key]):
                    tx.verdicts.put(held, validator, valid=valid, feedback=feedback)

    def reputation(self, actor: Actor, agent_id: str) -> Reputation:
        """The reputation of the org's own agent with that name, else of the network's best known
        one."""
        agent = clean(agent_id, field="agent_id", max_chars=MAX_LABEL).strip()
        with self._store.read(actor) as tx:
            contributions = tx.contributions.of(agent)
            judgements = tx.verdicts.readable()
        seed = self._peers.seed(actor, judgements)
        known = _reputations(agent, contributions, judgements, seed)
        if (own := Peer(actor.org, agent)) in known:
            return known[own]
        return max(known.values(), key=lambda found: found.score, default=Reputation(0.0, 0))


def _authors(tx: Transaction, unit: Entry) -> set[Peer]:
    """Who wrote the unit and who is credited with it."""
    names = {unit.agent, tx.contributions.contributor_of(unit) or unit.agent}
    return {Peer(unit.org, name) for name in names}


def _recorded(tx: Transaction, unit: Entry, given: GivenVerdict) -> bool:
    """Whether a verdict is new; if so, it is recorded in the validator's org."""
    earlier = tx.verdicts.about([unit.key])[unit.key]
    before = next((one for one in earlier if one.validator == given.validator), None)
    if before is not None and (before.valid, before.feedback) == (given.valid, given.feedback):
        return False
    tx.verdicts.record(unit, given.validator, before)
    return True


def _revalue(tx: Transaction, unit: Entry, weight: Weight) -> None:
    """Recompute the unit's quality and quarantine from the verdicts of its own org."""
    attributes: dict[str, Any] = dict(unit.content.attributes)
    found = opinion(attributes["computed"], tx.verdicts.about([unit.key])[unit.key], weight)
    attributes["unit"] = revalued(attributes["unit"], found.quality, found.validators)
    attributes["quarantined"] = found.quarantined
    content = replace(unit.content, confidence=found.quality, attributes=attributes)
    if content != unit.content:
        index(tx, tx.entries.update_computed(replace(unit, content=content)))


def _reputations(
    agent: str,
    contributions: Sequence[Contribution],
    judgements: Sequence[Judgement],
    seed: set[Peer],
) -> dict[Peer, Reputation]:
    """One reputation for each org that knows an agent of that name."""
    peers = {c.contributor for c in contributions}
    peers |= {j.validator for j in judgements if j.validator.agent == agent}
    found = {}
    for peer in peers:
        own = [c for c in contributions if c.contributor == peer]
        found[peer] = Reputation(score(peer, own, judgements, seed), len(own))
    return found
