"""Likeness: the same words are known in any dress; other words, numbers or negations are not."""

from __future__ import annotations

import html
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.capture.likeness import (
    SHINGLE_WORDS,
    combined,
    containment,
    fingerprint,
    is_duplicate,
    is_echo,
    same_text,
    shingles,
)

NOTE = (
    "Finally found the bug in the session store: two workers wrote the same row, and the later one "
    "won. The solution was to lock the row for the length of the request, which costs 2 ms at most."
)
OTHER = (
    "The nightly export was slow because every row was committed on its own. Batches of a thousand "
    "rows made it twelve times faster, and the database was idle again by six in the morning."
)

DRESSES = {
    "as it is": NOTE,
    "wrapped": NOTE.replace(" ", "\n", 40),
    "shouted": NOTE.upper(),
    "without punctuation": NOTE.replace(",", "").replace(".", "").replace(":", ""),
    "in Markdown": f"## Note\n\n**{NOTE.replace('session store', '`session` _store_')}**",
    "quoted": "\n".join(f"> {part}." for part in NOTE.split(". ")),
    "as JSON": json.dumps({"content": NOTE.replace(". ", ".\n")}),
    "as JSON in JSON": json.dumps(json.dumps({"content": NOTE.replace(". ", ".\n")})),
    "as HTML": f"<p>{html.escape(NOTE)}</p>&nbsp;",
    "as list items": "\n".join(f"{n}. {part}" for n, part in enumerate(NOTE.split(". "), 1)),
    "with other quotation marks": f"“{NOTE}”",
    "with full-width letters": NOTE.replace("ms", "ｍｓ"),
}


@pytest.mark.parametrize("dress", DRESSES.values(), ids=DRESSES.keys())
def test_the_same_words_are_a_duplicate_and_an_echo_in_any_dress(dress: str) -> None:
    assert is_duplicate(fingerprint(dress), fingerprint(NOTE))
    assert is_echo(fingerprint(dress), combined([fingerprint(OTHER), fingerprint(NOTE)]))


def test_a_text_on_something_else_is_neither() -> None:
    assert containment(shingles(OTHER), shingles(NOTE)) < 0.1
    assert not is_duplicate(fingerprint(OTHER), fingerprint(NOTE))
    assert not is_echo(fingerprint(OTHER), combined([fingerprint(NOTE)]))
    assert not is_echo(fingerprint(OTHER), combined([]))


def test_one_word_changed_is_still_a_duplicate() -> None:
    assert is_duplicate(fingerprint(NOTE.replace("length", "duration")), fingerprint(NOTE))


@pytest.mark.parametrize(
    ("old", "new"),
    [("2 ms", "9 ms"), ("was to lock", "was not to lock"), ("wrote", "didn't write")],
)
def test_another_number_or_a_negation_is_a_correction(old: str, new: str) -> None:
    corrected = fingerprint(NOTE.replace(old, new))
    assert not is_duplicate(corrected, fingerprint(NOTE))
    assert not is_echo(corrected, combined([fingerprint(NOTE)]))


def test_the_opposite_of_never_is_a_correction() -> None:
    known = fingerprint("Never call flush inside the import loop of the harvester.")
    assert not is_duplicate(
        fingerprint("Always call flush inside the import loop of the harvester."), known
    )


def test_a_part_of_what_is_known_says_nothing_new() -> None:
    assert is_duplicate(fingerprint(NOTE.split(". ", maxsplit=1)[0]), fingerprint(NOTE))


def test_what_is_known_inside_a_longer_text_leaves_the_rest_new() -> None:
    longer = fingerprint(f"{NOTE} {OTHER}")
    assert not is_duplicate(longer, fingerprint(NOTE))
    assert not is_echo(longer, combined([fingerprint(NOTE)]))


def test_an_echo_may_come_with_words_around_it() -> None:
    wrapped = fingerprint(f"As the knowledge base told us earlier: {NOTE} Good to know.")
    assert is_echo(wrapped, combined([fingerprint(NOTE)]))


def test_an_echo_may_be_put_together_from_several_texts() -> None:
    both = fingerprint(f"{OTHER} {NOTE}")
    assert is_echo(both, combined([fingerprint(NOTE), fingerprint(OTHER)]))
    assert not is_echo(both, combined([fingerprint(NOTE)]))


@pytest.mark.parametrize("short", ["Fixed", "Fixed it"])
def test_a_text_shorter_than_a_row_of_words_is_one_row(short: str) -> None:
    assert len(shingles(short)) == 1
    assert is_duplicate(fingerprint(f"**{short}!**"), fingerprint(short))
    assert not is_duplicate(fingerprint(short), fingerprint(f"{short} by a restart of the server"))


@pytest.mark.parametrize("empty", ["", "  \n", "?!", "---", "```"])
def test_a_text_without_words_is_like_nothing(empty: str) -> None:
    assert shingles(empty) == frozenset()
    assert containment(shingles(empty), shingles(NOTE)) == 0.0
    assert not is_duplicate(fingerprint(empty), fingerprint(empty))


def test_scripts_without_spaces_are_compared_by_character() -> None:
    known = "セッションストアの不具合を見つけた。解決策は行をロックすることだった。"
    assert is_duplicate(fingerprint("解決策は行をロックすることだった"), fingerprint(known))
    assert not is_duplicate(fingerprint("夜間の書き出しが遅かった。"), fingerprint(known))


def test_escaped_characters_are_the_characters() -> None:
    text = "Der Schlüssel paßte nicht ins Schloß 🚀 am Morgen"
    assert shingles(json.dumps(text)) == shingles(text)


def test_rows_are_the_same_in_every_process() -> None:
    assert SHINGLE_WORDS == 3
    assert shingles("lock the row") == frozenset({-2971212156541539164})


@given(st.text(), st.text())
def test_containment_is_a_share(one: str, other: str) -> None:
    assert 0.0 <= containment(shingles(one), shingles(other)) <= 1.0
    assert containment(shingles(one), shingles(one)) in {0.0, 1.0}
    assert all(-(2**63) <= row < 2**63 for row in shingles(one))


@pytest.mark.parametrize(
    "citing",
    [
        "As I found in memory: ",
        "From memory: ",
        "As noted before: ",
        "According to our stored notes: ",
    ],
)
def test_a_short_text_that_is_cited_is_an_echo(citing: str) -> None:
    text = "We decided to use Kafka instead of RabbitMQ because we need replay."
    assert is_echo(fingerprint(citing + text), fingerprint(text))
    assert same_text(citing + text) == same_text(text)
    for telling in ("For the billing queue: ", "From the release notes of v3: "):
        assert same_text(telling + text) != same_text(text)
