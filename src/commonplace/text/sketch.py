"""A short summary of code for embedding: the words of its comments, then each of its names once.

Pure. Keywords, punctuation and repetition make up most of code's tokens and say little about it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from commonplace.text.count import HUNDREDTHS, token_hundredths

# One set for all languages: a keyword of one language is rarely a meaningful name in another.
_WORDS_OF_LANGUAGES = """
abstract and any as assert async await auto begin bool boolean break byte case catch char class
const constexpr continue debugger declare def default defer del delete do double elif else elseif
end ensure enum except explicit export extends extern false final finally float fn for foreach from
func function global go goto if impl implements import in include inline instanceof int interface
internal is lambda let local long loop match mod module mut namespace native new nil none nonlocal
not null nullptr of operator or override package pass private protected pub public raise readonly
ref register require rescue return self short signed sizeof static string struct super switch
template then this throw throws trait true try type typedef typename typeof undefined union unless
unsigned until use using val var virtual void volatile when where while with yield
"""
_KEYWORDS = frozenset(_WORDS_OF_LANGUAGES.split())
_NAME = re.compile(r"[^\W\d_]\w+")
# Comments and docstrings of most languages; consecutive comment lines count as one comment.
_COMMENT = re.compile(
    r"(?P<quote>\"\"\"|''')(?P<docstring>.*?)(?:(?P=quote)|\Z)"
    r"|/\*(?P<block>.*?)(?:\*/|\Z)"
    r"|(?P<lines>(?:^[ \t]*(?:\#|//|--|\*)[^\n]*(?:\n|\Z))+)"
    r"|(?<![:\w])//(?P<beside>[^\n]*)",
    re.DOTALL | re.MULTILINE,
)
_PREAMBLE = re.compile(
    r"^[ \t]*(?:package|import|from|use|using|namespace|\#include)\b[^\n]*", re.MULTILINE
)
_DECORATION = "*/#!=-"
_LICENCE = re.compile(
    r"licen[sc]ed under|spdx-license-identifier|all rights reserved|permission is hereby granted"
    r"|redistribution and use in source|without warranties or conditions|licen[sc]e agreements",
    re.IGNORECASE,
)


def sketch(text: str, max_tokens: int, comment_tokens: int = 0) -> str:
    """Summarise code in at most `max_tokens` estimated tokens.

    Up to `comment_tokens` of comment text come first, as sentences; then the names that are not in
    it, in order of appearance. Without `comment_tokens`, names inside comments count as names.
    """
    comments = _as_many_as_fit(_comment_words(text), comment_tokens) if comment_tokens else []
    seen = {name.lower() for word in comments for name in _NAME.findall(word)}
    code = _COMMENT.sub(" " if comment_tokens else _without_licence, text)
    left = max_tokens - _tokens(" ".join(comments))
    names = _as_many_as_fit(_new_names(code, seen), left)
    return "\n".join(filter(None, (" ".join(comments), " ".join(names))))


def is_licence(text: str) -> bool:
    """Whether the text is a licence, with nothing else but package and import lines."""
    bare = _COMMENT.sub(_without_licence, text)
    return bare != text and not _NAME.search(_PREAMBLE.sub("", bare))


def _comment_words(text: str) -> Iterator[str]:
    """The words of all comments except licences, which are the same in every file."""
    for comment in _COMMENT.finditer(text):
        content = comment[comment.lastgroup or 0]
        if not _LICENCE.search(content):
            words = (word.strip(_DECORATION) for word in content.split())
            yield from filter(None, words)


def _without_licence(comment: re.Match[str]) -> str:
    return " " if _LICENCE.search(comment[0]) else comment[0]


def _new_names(code: str, seen: set[str]) -> Iterator[str]:
    """Names that are neither keywords nor in `seen`, which grows."""
    for name in _NAME.findall(code):
        lowered = name.lower()
        if lowered not in _KEYWORDS and lowered not in seen:
            seen.add(lowered)
            yield name


def _as_many_as_fit(words: Iterator[str], tokens: int) -> list[str]:
    taken: list[str] = []
    left = tokens * HUNDREDTHS
    for word in words:
        left -= token_hundredths(word)
        if left < 0:
            break
        taken.append(word)
    return taken


def _tokens(text: str) -> int:
    return -(-token_hundredths(text) // HUNDREDTHS)
