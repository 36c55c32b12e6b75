"""Divides the token budget of an answer among its hits. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from commonplace.recall.excerpt import excerpt
from commonplace.recall.values import Recalled, RecallHit
from commonplace.recall.wording import recalled_text
from commonplace.text.context_tokens import estimate_context_tokens

# Less text than this is useless; a hit with more than this share of the budget crowds others out.
_LEAST_TEXT = 24
_MOST_OF_BUDGET = 0.2
# Beside the first hit, one at least this likely may get as much text, and one less likely than the
# second number none: its title has to do.
_NEARLY_AS_LIKELY = 0.4
_HARDLY_AS_LIKELY = 0.04
_LEAST_SHARE = 0.2
# The remaining hits are left out once the answer is this unlikely to be among them.
_LEFT_TO_CHANCE = 0.04
_AT_LEAST = 3
# Probabilities shown as 0.00. Leaving these hits out lost no answer on the tuning questions.
_HOPELESS = 0.005


@dataclass(frozen=True, slots=True)
class HitPassage:
    """A hit with the text from which its excerpt is cut, and the number of its first line."""

    hit: RecallHit
    text: str
    first_line: int | None = None


def enough(probabilities: Sequence[float]) -> int:
    """The number of hits to show, so that the answer is very probably among them."""
    missed = 1.0
    for number, probability in enumerate(probabilities, start=1):
        if probability < _HOPELESS and number > 1:
            return number - 1
        missed *= 1 - probability
        if missed < _LEFT_TO_CHANCE and number >= _AT_LEAST:
            return number
    return len(probabilities)


def fitted(
    answer: Recalled, passages: Sequence[HitPassage], weights: Mapping[str, float], budget: int
) -> Recalled:
    """The answer with as many passages as the budget allows, and its size in tokens."""
    shown = len(passages)
    while True:
        hits = _excerpted(answer, passages[:shown], weights, budget)
        left_out = answer.left_out + len(passages) - shown
        fitting = replace(answer, hits=hits, left_out=left_out)
        tokens = estimate_context_tokens(recalled_text(fitting))
        if tokens <= budget or not shown:
            return replace(fitting, tokens=tokens)
        shown -= 1


def _excerpted(
    answer: Recalled, passages: Sequence[HitPassage], weights: Mapping[str, float], budget: int
) -> tuple[RecallHit, ...]:
    """Cut excerpts: likelier hits get more text, and unused room goes to later ones."""
    bare = replace(answer, hits=tuple(replace(one.hit, excerpt="") for one in passages))
    room = budget - estimate_context_tokens(recalled_text(bare)) - 2 * len(passages)
    hits = []
    for number, one in enumerate(passages):
        behind = [passage.hit.probability for passage in passages[number:]]
        fair = room * behind[0] / sum(behind) if sum(behind) else room / len(behind)
        worth = _worth(one.hit, passages[0].hit)
        most = int(_MOST_OF_BUDGET * budget * worth)
        share = min(max(min(int(fair), most), _LEAST_TEXT), room)
        is_shown = worth > 0 and share >= _LEAST_TEXT
        hit = _with_text(one, weights, share) if is_shown else one.hit
        room -= estimate_context_tokens(hit.excerpt)
        hits.append(hit)
    return tuple(hits)


def _worth(hit: RecallHit, first: RecallHit) -> float:
    """How much text a hit deserves beside the first one, as a share."""
    relative = hit.probability / first.probability if first.probability else 1.0
    if relative < _HARDLY_AS_LIKELY:
        return 0.0
    return max(_LEAST_SHARE, min(1.0, relative / _NEARLY_AS_LIKELY))


def _with_text(one: HitPassage, weights: Mapping[str, float], tokens: int) -> RecallHit:
    cut = excerpt(one.text, weights, tokens)
    place = one.hit.place
    if one.first_line is not None:
        lines = one.first_line + cut.first, one.first_line + cut.last
        place = replace(place, line_start=lines[0], line_end=lines[1])
    return replace(one.hit, excerpt=cut.text, whole=cut.whole and one.hit.whole, place=place)
