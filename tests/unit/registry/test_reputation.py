"""Reputation in simulated crowds: who ends up where, and that cheating does not pay."""

from __future__ import annotations

from itertools import count

import pytest

from commonplace.model.entry import EntryKind
from commonplace.model.verdict import Contribution, Judgement, Peer
from commonplace.registry.reputation import informedness, score, trust, weights

ORG = "acme"
SEED = [Peer(ORG, "seed")]


class Crowd:
    """Agents that contribute and judge; what is good is known to the simulation only."""

    def __init__(self) -> None:
        self.contributions: dict[int, Contribution] = {}
        self.judgements: list[Judgement] = []
        self.good: dict[int, bool] = {}
        self._keys = count(1)

    def contribute(
        self, agent: str, number: int = 1, *, good: bool = True, quality: float = 0.9
    ) -> list[int]:
        keys = [next(self._keys) for _ in range(number)]
        for key in keys:
            self.contributions[key] = Contribution(
                key, Peer(ORG, agent), EntryKind.UNIT, quality if good else quality / 2
            )
            self.good[key] = good
        return keys

    def judge(self, agent: str, key: int, valid: bool) -> None:
        contributor = self.contributions[key].contributor
        self.judgements.append(Judgement(key, contributor, Peer(ORG, agent), valid))

    def judge_honestly(self, agent: str, keys: list[int]) -> None:
        for key in keys:
            self.judge(agent, key, self.good[key])

    def score(self, agent: str) -> float:
        peer = Peer(ORG, agent)
        own = [c for c in self.contributions.values() if c.contributor == peer]
        return score(peer, own, self.judgements, SEED)


def honest_majority(crowd: Crowd, members: int = 10, each: int = 5) -> list[str]:
    """Honest agents judge each other's work; the seed judges one piece of each."""
    names = [f"honest-{number}" for number in range(members)]
    work = {name: crowd.contribute(name, each) for name in names}
    for name in names:
        crowd.judge_honestly("seed", work[name][:1])
        for other in names:
            if other != name:
                crowd.judge_honestly(name, work[other])
    return names


def ring_of_fifty(crowd: Crowd) -> tuple[list[str], dict[str, list[int]]]:
    """Agents made up by one: each finds everything of all others valid."""
    ring = [f"ring-{number}" for number in range(50)]
    work = {name: crowd.contribute(name, 2) for name in ring}
    for name in ring:
        for other in ring:
            if other != name:
                for key in work[other]:
                    crowd.judge(name, key, True)
    return ring, work


def test_an_honest_majority_stands_above_those_who_contribute_rubbish() -> None:
    crowd = Crowd()
    honest = honest_majority(crowd)
    rubbish = crowd.contribute("spammer", 5, good=False)
    for name in honest:
        crowd.judge_honestly(name, rubbish)
    worst = min(map(crowd.score, honest))
    assert worst > 0.35
    assert crowd.score("spammer") < 0.05


def test_a_ring_that_vouches_for_itself_gets_nowhere() -> None:
    crowd = Crowd()
    honest = honest_majority(crowd)
    before = {name: crowd.score(name) for name in honest}
    ring, _ = ring_of_fifty(crowd)
    held = trust(crowd.judgements, SEED)
    assert all(held.get(Peer(ORG, name), 0.0) == 0.0 for name in ring)
    assert max(map(crowd.score, ring[:5])) < min(map(crowd.score, honest)) / 1.5
    assert {name: crowd.score(name) for name in honest} == before, "the ring moves nobody else"


def test_a_ring_cannot_talk_honest_agents_down() -> None:
    crowd = Crowd()
    honest = honest_majority(crowd, members=4)
    before = crowd.score(honest[0])
    mine = [key for key, c in crowd.contributions.items() if c.contributor.agent == honest[0]]
    for number in range(50):
        for key in mine:
            crowd.judge(f"ring-{number}", key, False)
    assert crowd.score(honest[0]) == before


def test_one_mistake_of_an_honest_agent_gives_a_ring_little() -> None:
    crowd = Crowd()
    honest = honest_majority(crowd)
    ring, work = ring_of_fifty(crowd)
    crowd.judge(honest[0], work["ring-0"][0], True)
    held = trust(crowd.judgements, SEED)
    leaked = sum(held.get(Peer(ORG, name), 0.0) for name in ring)
    assert 0 < leaked < 0.1
    assert max(map(crowd.score, ring[:5])) < min(map(crowd.score, honest))


def test_a_validator_that_always_says_valid_earns_next_to_nothing() -> None:
    crowd = Crowd()
    honest = honest_majority(crowd)
    mixed = crowd.contribute("writer", 20) + crowd.contribute("spammer", 20, good=False)
    for name in honest[:3]:
        crowd.judge_honestly(name, mixed)
    crowd.judge_honestly("careful", mixed)
    for key in mixed:
        crowd.judge("lazy", key, True)
    told = informedness(crowd.judgements, weights(trust(crowd.judgements, SEED), SEED))
    assert told[Peer(ORG, "careful")] > 0.85
    assert told[Peer(ORG, "lazy")] < 0.1
    assert crowd.score("lazy") < crowd.score("careful") / 2


def test_a_newcomer_starts_at_nothing_so_a_new_name_washes_nothing_off() -> None:
    crowd = Crowd()
    honest = honest_majority(crowd)
    rubbish = crowd.contribute("old-name", 5, good=False)
    for name in honest:
        crowd.judge_honestly(name, rubbish)
    assert crowd.score("new-name") == 0.0
    again = crowd.contribute("new-name", 5, good=False)
    assert crowd.score("new-name") < min(map(crowd.score, honest)) / 2, "unvouched work is little"
    for name in honest:
        crowd.judge_honestly(name, again)
    assert crowd.score("new-name") == crowd.score("old-name")


def test_volume_alone_never_passes_a_third() -> None:
    crowd = Crowd()
    crowd.contribute("flood", 5000)
    assert crowd.score("flood") < 1 / 3


def test_the_score_is_bounded_and_grows_with_what_is_vouched_for() -> None:
    crowd = Crowd()
    scores = []
    for _ in range(60):
        (key,) = crowd.contribute("writer")
        crowd.judge("seed", key, True)
        scores.append(crowd.score("writer"))
    assert scores == sorted(scores)
    assert 0.8 < scores[-1] < 1


@pytest.mark.parametrize("standing", [0, 5])
def test_a_unit_counts_more_than_a_skill_and_a_skill_more_than_a_verdict(standing: int) -> None:
    def after(kind: EntryKind | None) -> float:
        crowd = Crowd()
        crowd.contribute("agent", standing)
        (other,) = crowd.contribute("other")
        if kind is None:
            crowd.judge("agent", other, True)
        else:
            (key,) = crowd.contribute("agent", quality=0.0)
            crowd.contributions[key] = Contribution(key, Peer(ORG, "agent"), kind, 0.0)
        return crowd.score("agent")

    crowd = Crowd()
    crowd.contribute("agent", standing)
    before = crowd.score("agent")
    assert before < after(None) < after(EntryKind.SKILL) < after(EntryKind.UNIT)


def test_without_a_seed_nobody_is_trusted() -> None:
    crowd = Crowd()
    (key,) = crowd.contribute("writer")
    crowd.judge("other", key, True)
    assert trust(crowd.judgements, []) == {}
    peer = Peer(ORG, "writer")
    alone = score(peer, list(crowd.contributions.values()), [], [])
    assert score(peer, list(crowd.contributions.values()), crowd.judgements, []) == alone


def test_trust_adds_up_and_own_verdicts_do_not_count() -> None:
    crowd = Crowd()
    keys = crowd.contribute("writer", 3)
    for key in keys:
        crowd.judge("writer", key, True)
    before = crowd.score("writer")
    crowd.judge("seed", keys[0], True)
    held = trust(crowd.judgements, SEED)
    assert sum(held.values()) == pytest.approx(1)
    assert held[Peer(ORG, "writer")] > 0
    assert crowd.score("writer") > before


def test_an_earlier_version_is_worth_a_tenth() -> None:
    def of(contributions: int, *, superseded: bool) -> float:
        peer = Peer(ORG, "author")
        made = [
            Contribution(key, peer, EntryKind.SKILL, 0.9, superseded)
            for key in range(contributions)
        ]
        return score(peer, made, [], SEED)

    assert of(10, superseded=True) == pytest.approx(of(1, superseded=False), abs=1e-6)
    assert of(5, superseded=True) < of(1, superseded=False)
