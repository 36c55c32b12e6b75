"""What was handed out is held for an hour, within a size, for its reader, without the query."""

from __future__ import annotations

from commonplace.capture.handed_out import (
    LONGEST_ANSWER,
    MOST_CHARACTERS,
    REMEMBERED_SECONDS,
    HandedOut,
)
from commonplace.capture.likeness import containment, fingerprint, shingles
from commonplace.model.verdict import Peer

ADA = Peer("acme", "ada")
NOTE = "The loader read dates in local time, so the fix was to parse them as UTC."


def test_an_answer_is_known_to_who_was_given_it_for_a_while() -> None:
    handed_out = HandedOut()
    handed_out.add(ADA, NOTE, "", at=100.0)
    assert handed_out.of(ADA, now=100.0) == [fingerprint(NOTE)]
    assert handed_out.of(ADA, now=99.0 + REMEMBERED_SECONDS) == [fingerprint(NOTE)]
    assert handed_out.of(ADA, now=100.0 + REMEMBERED_SECONDS) == []
    for other in (Peer("acme", "bob"), Peer("umbrella", "ada")):
        assert handed_out.of(other, now=100.0) == []


def test_the_callers_own_words_are_not_the_servers() -> None:
    handed_out = HandedOut()
    query = "which dates does the nightly import get wrong"
    handed_out.add(ADA, f'{{"query":"{query}","content":"{NOTE}"}}', query, at=0.0)
    (known,) = handed_out.of(ADA, now=0.0)
    assert containment(shingles(query), known.shingles) == 0
    assert containment(shingles(NOTE), known.shingles) == 1


def test_the_oldest_answers_make_room() -> None:
    handed_out = HandedOut()
    answers = MOST_CHARACTERS // LONGEST_ANSWER
    for number in range(answers + 2):
        handed_out.add(ADA, f"n{number} " + "x" * LONGEST_ANSWER, "", at=0.0)
    kept = handed_out.of(ADA, now=0.0)
    assert len(kept) == answers
    assert kept[0].facts == fingerprint("n2").facts
