"""What the wording of a query asks for: a place in code, how something works, or anything.

Pure. Only the wording counts, not the subject. People who speak of themselves want to do something,
which documentation explains.
"""

from __future__ import annotations

import re
from enum import StrEnum


class QueryIntent(StrEnum):
    PLACE = "a place in code"
    WORKINGS = "how it works"
    ANYTHING = "anything"


_PLACE = re.compile(
    r"where\b|(?:which|what) (?:class|code|component|file|function|method|module|part|script)\b"
)
_WORKINGS = re.compile(r"how (?:is|are|was|were|does|do)\b|what happens\b|why (?:is|are|does|do)\b")
_ASKER = re.compile(r"\b(?:i|me|my|we|us|our|you|your)\b")


def query_intent(query: str) -> QueryIntent:
    words = " ".join(query.lower().split())
    if _ASKER.search(words):
        return QueryIntent.ANYTHING
    if _PLACE.match(words):
        return QueryIntent.PLACE
    return QueryIntent.WORKINGS if _WORKINGS.match(words) else QueryIntent.ANYTHING
