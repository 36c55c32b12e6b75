"""What the wording of a question tells beside its words: whom it names, whether it wants a time.

Pure. English is assumed; a question in another language tells nothing here.
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
# A title in capitals names nothing in particular.
_LEAST_WORDS = 4


@dataclass(frozen=True, slots=True)
class QuestionWording:
    """`names` are terms of words with a capital inside the question; `times` tell a time.

    `about_changes`: what somebody did to a project is asked for, and not how it is now.
    `wants_code`: a piece of code is asked for by what it is called, such as a function.
    """

    intent: QueryIntent
    names: frozenset[str]
    times: frozenset[str]
    wants_time: bool
    about_tests: bool
    about_changes: bool = False
    wants_code: bool = False


def asked_in(question: str, terms: Collection[str]) -> QuestionWording:
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
    """Terms with a capital inside a question; whether its first word is a name, nobody knows.

    In a question that is all in capitals they single out nothing.
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
