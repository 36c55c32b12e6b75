"""What text is indexed as: the cases of the fixture files, hostile sizes, and laws that hold."""

from __future__ import annotations

import threading
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.text.analyse import (
    analyse,
    exact_words,
    gram_prefix,
    query_terms,
    title_grams,
    trigrams,
)
from commonplace.text.lexicon import lexicon

FIXTURES = Path(__file__).parent / "fixtures"
CASES = [
    pytest.param(case, id=f"{file.stem}: {case['text']!a:.40}")
    for file in sorted(FIXTURES.glob("*.toml"))
    for case in tomllib.loads(file.read_text(encoding="utf-8"))["case"]
]
ANY_TEXT = st.text(st.characters(), max_size=80)
TANGLED_TEXT = st.text(
    st.sampled_from("aBÉßİ9_-'’·.+#:/ \t\n\0\ud800\u0301\u0323\u200b漢かが한ที่👍🏽🇩🇪²™é\U00016ac0"),
    max_size=60,
)


@pytest.mark.parametrize("case", CASES)
def test_fixture_terms(case: dict[str, list[str] | str]) -> None:
    assert analyse(str(case["text"])) == case["terms"]


@pytest.mark.parametrize("case", CASES)
def test_fixture_words(case: dict[str, list[str] | str]) -> None:
    assert exact_words(str(case["text"])) == case["words"]


def is_safe(token: str) -> bool:
    return bool(token) and all(
        char in "0123456789abcdefghijklmnopqrstuvwxyz"
        or (char > "\x7f" and not char.isspace() and not "\ud800" <= char <= "\udfff")
        for char in token
    )


@given(ANY_TEXT | TANGLED_TEXT)
def test_tokens_have_only_safe_characters_and_a_bounded_length(text: str) -> None:
    for token in analyse(text) + exact_words(text):
        assert is_safe(token)
        assert len(token) <= 64


@given(ANY_TEXT | TANGLED_TEXT)
def test_the_same_text_gives_the_same_tokens(text: str) -> None:
    assert analyse(text) == analyse(text)
    assert exact_words(text) == exact_words(text)


@given(st.lists(ANY_TEXT | TANGLED_TEXT, max_size=5))
def test_a_word_of_a_text_is_found_in_the_text(texts: list[str]) -> None:
    text = " ".join(texts)
    terms, words = set(analyse(text)), set(exact_words(text))
    for word in text.split():
        assert terms.issuperset(query_terms(word))
        assert words.issuperset(exact_words(word))


@given(st.text("漢字かがナ한글", min_size=2, max_size=30), st.data())
def test_a_part_of_unspaced_text_is_found_in_it(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 2))
    part = text[start : data.draw(st.integers(start + 2, len(text)))]
    assert set(analyse(part)) <= set(analyse(text))
    assert set(exact_words(text[start])) <= set(exact_words(text))


@given(st.text("abcXYZ019 -_.ÀÉø", max_size=40))
def test_exact_words_ignore_case(text: str) -> None:
    assert exact_words(text.upper()) == exact_words(text.lower())


def test_a_query_names_each_term_once_in_order() -> None:
    assert query_terms("config parseConfig parsing Config") == ["config", "pars", "parseconfig"]


def test_a_query_of_stop_words_has_no_terms_but_has_words() -> None:
    assert query_terms("to the") == []
    assert exact_words("to the") == ["to", "the"]


def test_spellings_of_one_identifier_share_the_joined_term() -> None:
    spellings = ("parseConfig", "parse_config", "parse-config", "PARSE_CONFIG", "ParseConfig")
    assert {analyse(spelling)[-1] for spelling in spellings} == {"parseconfig"}


def test_about_sixty_stop_words_in_folded_form() -> None:
    words = lexicon().stop_words
    assert 55 <= len(words) <= 75
    assert all(word == word.lower() and word.isascii() for word in words)


@pytest.mark.parametrize(
    "text",
    ["x" * 1_000_000, "aB" * 500_000, "é" * 500_000, "1." * 500_000],
    ids=["one letter", "camel", "accents", "version"],
)
def test_one_huge_word_stays_a_few_short_terms(text: str) -> None:
    assert len(analyse(text)) <= 6
    assert all(len(term) <= 64 for term in analyse(text) + exact_words(text))


def test_a_flood_of_marks_is_cut_short() -> None:
    assert analyse("q" + "\u0301\u0323" * 500_000) == ["q"]
    assert exact_words("q" + "\u0301\u0323" * 500_000)[0].startswith("q")


def test_threads_get_the_terms_that_one_thread_gets() -> None:
    texts = [f"running{n} parsers configured in ThreadNumber{n % 7}" for n in range(400)]
    expected = [analyse(text) for text in texts]
    results: list[list[list[str]]] = []

    def work(salt: str) -> None:
        results.append(
            [
                analyse(text + salt)[: len(terms)]
                for text, terms in zip(texts, expected, strict=True)
            ]
        )

    threads = [threading.Thread(target=work, args=(f" salt{n}",)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected] * 8


@given(ANY_TEXT | TANGLED_TEXT, st.data())
def test_whatever_contains_a_text_has_all_its_trigrams(title: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(title)))
    part = title[start : data.draw(st.integers(start, len(title)))]
    assert set(trigrams(part)) <= set(trigrams(title))
    assert set(trigrams(part.casefold())) <= set(trigrams(title))


@given(ANY_TEXT | TANGLED_TEXT)
def test_trigrams_are_safe_and_different(text: str) -> None:
    found = trigrams(text)
    assert all(map(is_safe, found))
    assert len(found) == len(set(found))
    assert bool(found) == (len(text.casefold()) >= 3)


@given(st.text(min_size=1), st.data())
def test_a_short_part_of_a_title_begins_one_of_its_grams(title: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(title) - 1))
    part = title[start : start + data.draw(st.integers(1, 2))]
    grams = title_grams(title)
    assert all(map(is_safe, grams))
    assert any(gram.startswith(gram_prefix(part)) for gram in grams)


def test_trigrams_of_a_title() -> None:
    assert set(trigrams("onfig")) <= set(trigrams("Config notes"))
    assert trigrams("A b") == ["a\ue020b"]
    assert trigrams("ab") == []
