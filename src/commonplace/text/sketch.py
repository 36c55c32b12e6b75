"""What code is about, in few words: what its comments say, and its names, each once.

Pure. Keywords, signs and repetitions are most of what code costs to embed, and say little of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from commonplace.text.count import HUNDREDTHS, token_hundredths

# Of many languages together: what is a name in one of them is seldom telling in another.
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
# Comments and docstrings of most languages; lines of comment that follow each other are one.
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


def sketch(text: str, most: int, told: int = 0) -> str:
    """No more than so many estimated tokens: first up to `told` of what comments say, as sentences,
    then the names that were not in them, in the order in which they appear."""
    said = _beginning(_sayings(text), told) if told else []
    seen = {name.lower() for saying in said for name in _NAME.findall(saying)}
    names = _names(_COMMENT.sub(" " if told else _unlicensed, text), seen)
    left = most - _tokens(" ".join(said))
    return "\n".join(filter(None, (" ".join(said), " ".join(_beginning(names, left)))))


def is_licence(text: str) -> bool:
    """Whether there is a licence, and beside it at most what the file is called or takes in."""
    bare = _COMMENT.sub(_unlicensed, text)
    return bare != text and not _NAME.search(_PREAMBLE.sub("", bare))


def _sayings(text: str) -> Iterator[str]:
    """The words of comments; a licence is the same in every file, and says nothing of this one."""
    for comment in _COMMENT.finditer(text):
        said = comment[comment.lastgroup or 0]
        if not _LICENCE.search(said):
            words = (word.strip(_DECORATION) for word in said.split())
            yield from filter(None, words)


def _unlicensed(comment: re.Match[str]) -> str:
    return " " if _LICENCE.search(comment[0]) else comment[0]


def _names(text: str, seen: set[str]) -> Iterator[str]:
    for name in _NAME.findall(text):
        known = name.lower()
        if known not in _KEYWORDS and known not in seen:
            seen.add(known)
            yield name


def _beginning(words: Iterator[str], most: int) -> list[str]:
    taken: list[str] = []
    left = most * HUNDREDTHS
    for word in words:
        left -= token_hundredths(word)
        if left < 0:
            break
        taken.append(word)
    return taken


def _tokens(text: str) -> int:
    return -(-token_hundredths(text) // HUNDREDTHS)
