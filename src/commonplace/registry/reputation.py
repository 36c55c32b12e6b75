"""Reputation: trust flows from a seed along positive verdicts, and a score from 0 to 1 follows.

A positive verdict lends the contributor trust. As trust starts at the seed, agents that only vouch
for each other have none, however many they are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from commonplace.model.entry import EntryKind
from commonplace.model.verdict import Contribution, Judgement, Peer

# The share of all trust that returns to the seed in every round.
RETURN = 0.15
ROUNDS = 100
STILL = 1e-9
_AGAINST = 0.5

WORTH = {EntryKind.UNIT: 0.2, EntryKind.SKILL: 0.1}
VERDICT_WORTH = 0.05
# A contribution of quality 0 counts this share of one of quality 1.
_LEAST_SHARE = 0.6
_EARLIER_VERSION = 0.1
# Contributions without a verdict from a trusted peer count at most this much in total.
UNVOUCHED_CEILING = 0.5
_DILIGENCE = 0.1
_DILIGENT_AFTER = 10
_DIGITS = 6


def trust(judgements: Sequence[Judgement], seed: Collection[Peer]) -> dict[Peer, float]:
    """Each peer's share of all trust; none for peers that the seed does not reach."""
    if not seed:
        return {}
    base = dict.fromkeys(seed, 1 / len(seed))
    lent = _lent(judgements)
    held = dict(base)
    for _ in range(ROUNDS):
        flowing = _flow(held, lent, base)
        change = sum(abs(flowing[peer] - held.get(peer, 0.0)) for peer in flowing)
        held = flowing
        if change < STILL:
            break
    return held


def _lent(judgements: Sequence[Judgement]) -> dict[Peer, dict[Peer, float]]:
    """How each validator's trust is divided among the contributors it found good."""
    votes: dict[Peer, dict[Peer, float]] = defaultdict(lambda: defaultdict(float))
    for judgement in judgements:
        if judgement.validator != judgement.contributor:
            votes[judgement.validator][judgement.contributor] += 1 if judgement.valid else -_AGAINST
    shares: dict[Peer, dict[Peer, float]] = {}
    for validator, given in votes.items():
        good = {peer: vote for peer, vote in given.items() if vote > 0}
        total = sum(good.values())
        if total:
            shares[validator] = {peer: vote / total for peer, vote in good.items()}
    return shares


def _flow(
    held: Mapping[Peer, float],
    lent: Mapping[Peer, Mapping[Peer, float]],
    base: Mapping[Peer, float],
) -> dict[Peer, float]:
    """One round of the flow; who vouches for nobody returns its trust to the seed."""
    flowing = {peer: RETURN * share for peer, share in base.items()}
    for peer, amount in held.items():
        for other, share in lent.get(peer, base).items():
            flowing[other] = flowing.get(other, 0.0) + (1 - RETURN) * amount * share
    return flowing


def weights(held: Mapping[Peer, float], seed: Collection[Peer]) -> dict[Peer, float]:
    """How much each peer's verdict counts, from 0 to 1; members of the seed count fully."""
    if not seed:
        return {}
    full = RETURN / len(seed)
    return {peer: min(1.0, amount / full) for peer, amount in held.items()}


def informedness(
    judgements: Sequence[Judgement], counts: Mapping[Peer, float]
) -> dict[Peer, float]:
    """How well each validator distinguishes good from bad, judged by the others' verdicts.

    Always giving the same verdict scores zero: it is right about one kind and wrong about the
    other.
    """
    balance: dict[int, float] = defaultdict(float)
    for judgement in judgements:
        balance[judgement.contribution] += _voice(judgement, counts)
    tallies: dict[Peer, dict[tuple[bool, bool], int]] = defaultdict(lambda: defaultdict(int))
    for judgement in judgements:
        others = balance[judgement.contribution] - _voice(judgement, counts)
        if abs(others) > STILL:
            tallies[judgement.validator][others > 0, judgement.valid] += 1
    return {peer: _informed(tally) for peer, tally in tallies.items()}


def _voice(judgement: Judgement, counts: Mapping[Peer, float]) -> float:
    weight = counts.get(judgement.validator, 0.0)
    return weight if judgement.valid else -weight


def _informed(tally: Mapping[tuple[bool, bool], int]) -> float:
    """The rate of good found good plus that of bad found bad, minus one, with smoothing."""
    found_good = (tally[True, True] + 1) / (tally[True, True] + tally[True, False] + 2)
    found_bad = (tally[False, False] + 1) / (tally[False, False] + tally[False, True] + 2)
    return max(0.0, found_good + found_bad - 1)


def score(
    peer: Peer,
    contributions: Sequence[Contribution],
    judgements: Sequence[Judgement],
    seed: Collection[Peer],
) -> float:
    """The reputation of one peer, from its contributions and everybody's verdicts."""
    counts = weights(trust(judgements, seed), seed)
    given = [judgement for judgement in judgements if judgement.validator == peer]
    work = sum(map(_worth, contributions)) + _verdicts_worth(
        len(given), informedness(judgements, counts).get(peer, 0.0)
    )
    unvouched = UNVOUCHED_CEILING * work / (1 + work)
    raw = max(0.0, unvouched + _vouched(contributions, judgements, counts))
    return round(raw / (1 + raw), _DIGITS)


def _worth(contribution: Contribution) -> float:
    share = _LEAST_SHARE + (1 - _LEAST_SHARE) * contribution.quality
    version = _EARLIER_VERSION if contribution.superseded else 1.0
    return WORTH[contribution.kind] * share * version


def _verdicts_worth(number: int, informed: float) -> float:
    """Informative verdicts count each; mere diligence counts a little, with a limit."""
    diligence = number / (1 + number / _DILIGENT_AFTER)
    return VERDICT_WORTH * (_DILIGENCE * diligence + (1 - _DILIGENCE) * informed * number)


def _vouched(
    contributions: Sequence[Contribution],
    judgements: Sequence[Judgement],
    counts: Mapping[Peer, float],
) -> float:
    """What trusted peers say about the contributions, bounded per contribution."""
    voices: dict[int, list[float]] = defaultdict(list)
    for judgement in judgements:
        if judgement.validator != judgement.contributor:
            voices[judgement.contribution].append(_voice(judgement, counts))
    vouched = 0.0
    for contribution in contributions:
        heard = voices.get(contribution.key, [])
        opinion = sum(heard) / (1 + sum(map(abs, heard)))
        vouched += WORTH[contribution.kind] * contribution.quality * opinion
    return vouched
