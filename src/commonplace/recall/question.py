"""Reads a question's wording: the names in it, and the kind of answer that it wants. Pure.

Assumes English; questions in other languages give no hints.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache

from commonplace.text.analyse import analyse
from commonplace.workspace.search.ranking import ABOUT_TESTS
from commonplace.workspace.search.wording import QueryIntent, query_intent

_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_WANTS_TIME = re.compile(r"\A\s*when\b|\b(?:how long|what date|which (?:day|month|year))\b")
_WANTS_CODE = re.compile(
    r"\A\s*(?:in )?(?:which|what) (?:class|code|component|file|function|method|module|script)\b"
)
_ABOUT_CHANGES = re.compile(
    r"\b(?:commit(?:s|ted)?|changelog|git|history|introduced|regress\w*|revert\w*|bisect)\b"
    r"|\bwh(?:o|en|y) (?:was|were|did|has|have|changed|wrote|added|removed|renamed|broke|fixed)\b"
    r"|\bwhat (?:has |have )?(?:was |were )?(?:changed|added|removed|fixed|renamed)\b"
    r"|\bsince (?:v?\d|version|release|last|yesterday|monday)"
)
_TIMES = """
yesterday today tomorrow tonight morning evening night weekend week month year day ago since last
next
january february march april may june july august september october november december
monday tuesday wednesday thursday friday saturday sunday
"""
# From this length, a question mostly in capitals is a title, whose capitals are not names.
_LEAST_WORDS = 4


@dataclass(frozen=True, slots=True)
class QuestionWording:
    """What a question's wording reveals.

    `names` are the terms of its capitalised words; `times` are terms that state a time in a
    passage. `about_changes`: it is about what was changed in a project, not about its present
    state. `wants_code`: it asks for a piece of code, such as a function.
    """

    intent: QueryIntent
    names: frozenset[str]
    times: frozenset[str]
    wants_time: bool
    about_tests: bool
    about_changes: bool = False
    wants_code: bool = False


def question_wording(question: str, terms: Collection[str]) -> QuestionWording:
    return QuestionWording(
        intent=query_intent(question),
        names=_names(question) & frozenset(terms),
        times=_time_terms(),
        wants_time=_WANTS_TIME.search(question.lower()) is not None,
        about_tests=not ABOUT_TESTS.isdisjoint(terms),
        about_changes=_ABOUT_CHANGES.search(question.lower()) is not None,
        wants_code=_WANTS_CODE.match(question.lower()) is not None,
    )


def _names(question: str) -> frozenset[str]:
    """The terms of capitalised words, except the first, which may be no name.

    None if the question is written in capitals throughout.
    """
    if question.isupper():
        return frozenset()
    words = _WORD.findall(question)[1:]
    capital = [word for word in words if word[0].isupper() and len(word) > 1]
    if len(words) >= _LEAST_WORDS and 2 * len(capital) > len(words):
        return frozenset()
    return frozenset(analyse(" ".join(capital)))


@cache
def _time_terms() -> frozenset[str]:
    return frozenset(analyse(_TIMES))
