"""What a question's wording singles out, and how much its words weigh for it."""

from __future__ import annotations

import pytest

from commonplace.retrieval.statistics import TermStatistics, count_terms
from commonplace.retrieval.wording import COMMON, NAMED, USUAL, names_something, word_weight

NAMING = (
    "when did Caroline move",
    "what does parse_config return",
    "HttpClient retries",
    "why does client.send block",
    "where is `deploy` called",
    "std::move of a buffer",
    "what does --force do",
    "close() hangs",
    "wo liegt der Schlüssel",
    "кто такая Анна",
    "It fails. Does Redis keep it?",
)
PLAIN = (
    "how do i check whether a file exists",
    "How do we deploy?",
    "how do I deploy, and what if I'm late",
    "It fails. What now?",
    "read json from a file",
    "plan A or plan B",
    "как проверить файл",
    "文件在哪里",
    "",
)


@pytest.mark.parametrize("question", NAMING)
def test_a_question_that_names_something(question: str) -> None:
    assert names_something(question)
    assert word_weight(question, rare=False, read=True) is NAMED


@pytest.mark.parametrize("question", PLAIN)
def test_a_question_in_common_words(question: str) -> None:
    assert not names_something(question)


def test_common_words_weigh_little_unless_one_is_rare() -> None:
    question = "how do we check the gauge"
    assert word_weight(question, rare=False, read=True) is COMMON
    assert word_weight(question, rare=True, read=True) is USUAL


def test_where_nothing_can_be_told_of_the_wording_words_weigh_as_usual() -> None:
    assert word_weight("file", rare=False, read=True) is USUAL
    assert word_weight("文件 在 哪里", rare=False, read=False) is USUAL


@pytest.mark.parametrize("chunks", [1, 2, 5, 30, 400])
def test_a_word_of_one_chunk_is_rare_however_small_the_home(chunks: int) -> None:
    statistics = count_terms(["file zebra", *["file"] * (chunks - 1)])
    assert statistics.is_rare("zebra")
    assert chunks < 2 or not statistics.is_rare("file")


@pytest.mark.parametrize(("sampled", "few"), [(200, 2), (1000, 3), (4000, 4)])
def test_in_a_larger_home_a_few_chunks_may_have_a_rare_word(sampled: int, few: int) -> None:
    statistics = TermStatistics(sampled, frequencies={"rare": few, "known": few + 1})
    assert statistics.is_rare("rare")
    assert not statistics.is_rare("known")
