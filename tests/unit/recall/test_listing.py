"""Which questions ask for a list instead of a search."""

from __future__ import annotations

import pytest

from commonplace.recall.listing import as_list
from commonplace.recall.values import RecallRequest

DECISION, PREFERENCE, QUESTION = ("decision",), ("preference",), ("open question",)


def kinds_listed(question: str, project: str | None = None) -> tuple[str, ...] | None:
    listed = as_list(RecallRequest(question, project=project))
    return None if listed is None else listed.kinds


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("user preferences", PREFERENCE),
        ("what are the user's preferences?", PREFERENCE),
        ("what is not decided yet?", QUESTION),
        ("things that we haven't decided", QUESTION),
        ("what has not been agreed", QUESTION),
        ("give me an overview", ()),
    ],
)
def test_a_list_is_asked_for(question: str, kinds: tuple[str, ...]) -> None:
    assert kinds_listed(question) == kinds


@pytest.mark.parametrize(
    "question", ["what did we decide not to do", "user records", "things", "not yet", "users"]
)
def test_other_words_are_searched_for(question: str) -> None:
    assert kinds_listed(question) is None


@pytest.mark.parametrize("word", ["store", "record", "keep", "open", "number", "find", "share"])
def test_a_keyword_is_searched_for_in_a_project_too(word: str) -> None:
    assert kinds_listed(word, "shop") is None
    assert kinds_listed(f"{word} number", "shop") is None


@pytest.mark.parametrize("question", ["what is there?", "latest", "all", "list", "*", "overview"])
def test_a_project_is_listed(question: str) -> None:
    assert kinds_listed(question, "shop") == ()
