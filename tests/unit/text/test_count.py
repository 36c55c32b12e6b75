"""Token estimates: laws that splitting relies on, and nearness to the bundled tokenizer."""

from __future__ import annotations

from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from commonplace.text.count import estimate_tokens, token_hundredths


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    source = files("commonplace").joinpath("embedding/granite/tokenizer.json")
    tokenizer = Tokenizer.from_str(source.read_text(encoding="utf-8"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


@pytest.mark.parametrize(
    "text",
    [
        (
            "A server keeps what agents learn and gives it back within milliseconds. It names the "
            "source of each answer, so that a reader can judge how far to trust it."
        ),
        (
            "def split(text: str, *, limit: int = 80) -> list[str]:\n    parts = []\n"
            "    for line in text.splitlines():\n        parts.append(line[:limit])\n"
            "    return parts\n"
        ),
        "## Install\n\n1. Run `make setup`.\n2. Open http://127.0.0.1:8765/ in a browser.\n",
        "知识服务器保存代理学到的内容、文档和代码，并在几毫秒内把它们连同来源一起返回。",
        "지식 서버는 에이전트가 배운 것과 문서와 코드를 보관하고 돌려준다.",
        "Сервер знаний хранит заметки и документы, которые агенты читают и записывают.",
        "id,price,amount\n17,204.95,3\n18,1999.00,12\n19,0.75,40\n",
        "ship it 🚀🎉 done ✅",
    ],
    ids=["prose", "code", "markdown", "chinese", "korean", "russian", "numbers", "emoji"],
)
def test_the_estimate_is_near_the_truth_and_rather_above(text: str, tokenizer: Tokenizer) -> None:
    truth = len(tokenizer.encode(text, add_special_tokens=False).ids)
    assert 0.95 * truth <= estimate_tokens(text) <= 1.35 * truth


@given(st.text())
def test_only_no_text_has_no_tokens(text: str) -> None:
    assert (estimate_tokens(text) == 0) == (text == "")


COUNTED_TEXT = st.text("abXY019.,( \n\té漢か한👍\x01", max_size=40)


@given(COUNTED_TEXT, COUNTED_TEXT)
def test_parts_cut_between_words_never_count_for_less_than_the_whole(
    first: str, second: str
) -> None:
    at_cut = first[-1:] + second[:1]
    if not at_cut.isspace() and not at_cut.isalpha():
        whole = token_hundredths(first + second)
        assert whole <= token_hundredths(first) + token_hundredths(second)


def test_every_character_counts_for_something() -> None:
    for code in [*range(0x21, 0xD800, 7), *range(0xE000, 0x110000, 97)]:
        char = chr(code)
        assert char.isspace() or token_hundredths(char) > 0, hex(code)
