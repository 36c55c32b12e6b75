"""Split a text into sentences; versions, file names, URLs and abbreviations stay whole.

Only `.`, `!`, `?` and their full-width forms end a sentence; line breaks and `...` do not.
"""

from __future__ import annotations

import re

from commonplace.analysis.lexicon import abbreviations

_ENDS = tuple(".!?…。！？｡")
_CLOSERS = "\"'”’»)]}*_`」』）"
_CLOSING = re.escape(_CLOSERS)
# Starting only at the first mark of a run keeps a flood of marks linear.
_END = re.compile(
    rf"(?<![.!?…])(?P<marks>[.!?…]++)[{_CLOSING}]*+(?=\s|\Z)"
    rf"|(?P<wide>[。！？｡]++)[{_CLOSING}]*+"
)
_WORD = re.compile(r"\w")
_LAST_WORD = re.compile(r"[\w.]+\Z")
_LONGEST_ABBREVIATION = 8
_LIST_NUMBER = re.compile(r"^[ \t]{0,12}\d{1,3}\Z", re.MULTILINE)
_LONGEST_LIST_NUMBER = 16


def sentences(text: str) -> list[str]:
    """The sentences in order, without surrounding white space; a blank text has none."""
    found: list[str] = []
    start, word = 0, _WORD.search(text)
    for end in _END.finditer(text):
        if word is None:
            break
        if word.start() < end.start() and _closes(text, end):
            found.append(text[start : end.end()].strip())
            start, word = end.end(), _WORD.search(text, end.end())
    rest = text[start:].strip()
    if rest and (word is not None or not found):
        found.append(rest)
    return found


def is_closed(sentence: str) -> bool:
    """Whether the sentence ends with a mark; the last one of a text may have none."""
    return sentence.rstrip(_CLOSERS).endswith(_ENDS)


def _closes(text: str, end: re.Match[str]) -> bool:
    marks = end["marks"]
    if marks is None or "!" in marks or "?" in marks:
        return True
    alone = end.start() > 0 and text[end.start() - 1].isspace()  # `COPY . .`
    return marks == "." and not alone and not _belongs_to_word(text, end)


def _belongs_to_word(text: str, end: re.Match[str]) -> bool:
    """Whether a full stop marks an abbreviation (`e.g.`) or the number of a list item (`1.`)."""
    stop = end.start()
    if _LIST_NUMBER.search(text, max(0, stop - _LONGEST_LIST_NUMBER), stop):
        return True
    last = _LAST_WORD.search(text, max(0, stop - _LONGEST_ABBREVIATION), stop)
    word = last[0].lower() if last else ""
    known = abbreviations()
    return word in known.never_end or (word in known.may_end and _goes_on(text, end.end()))


def _goes_on(text: str, position: int) -> bool:
    following = _WORD.search(text, position)
    return following is not None and not following[0].isupper()
