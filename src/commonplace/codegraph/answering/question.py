"""Parses a code_map query into intent and name, without checking that such a symbol exists."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from commonplace.codegraph.extraction.languages import language_of


class Intent(StrEnum):
    DEFINITION = "definition"
    REFERENCE = "reference"
    CALLER = "caller"
    IMPORT = "import"
    EXPORT = "export"
    TEST = "test"
    DOC = "doc"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Question:
    """A parsed query. `target` is None if it names no symbol; `parts` is its name path."""

    intent: Intent
    target: str | None

    @property
    def parts(self) -> tuple[str, ...]:
        return name_parts(self.target or "")


# The sign of a private name is part of it: `Class#member` and `Class.#own` both have two parts.
_SEPARATOR = re.compile(r"::|[./:]|(?<=\w)#|->")
_ARGUMENTS = re.compile(r"\([^()]*\)$")  # as in `Cache.get(key)`
_TYPE_ARGUMENTS = re.compile(r"<[^<>]*>|(?<=\w)\[[^\[\]]*\]")
_POINTER = re.compile(r"^\(?[*&]*(\w+)\)(?=\.)")  # as in Go's `(*Cache).Get`
_ENDING = re.compile(r"(\.\w+)(?=(?:::?|#)[^\W\d])")  # of a file, as in `src/cache.py::get`
_SYMBOL = r"(?P<target>\S+)"
# Docs may be asked about a subject of several words; everything else about one symbol.
_SUBJECT = r"(?P<target>.+?)"
_NOUN = r"(?:(?:the|a|an|all|any|our|my) )*"
_KIND = r"(?:(?:function|method|class|interface|type|enum|constant|variable|symbol|module) )?"
_THING = rf"{_NOUN}{_KIND}{_SYMBOL}(?: (?:function|method|class|interface|type|enum))?"
_USED = (
    "used|referenced|mentioned|configured|handled|set|read|changed|checked|created|instantiated|"
    "constructed|initiali[sz]ed|assigned|passed|extended"
)
_CODE = r"(?:code|files|modules|classes|functions|places)"
# Polite and filling words before the question. Possessive, so that it does not backtrack.
LEAD_IN = (
    r"(?:(?:please|can you|could you|show|list|find|give|get|tell|me|us|all|the|what are) ++)*+"
)

# Tried in this order; the first that matches the whole query wins.
_PATTERNS: tuple[tuple[Intent, str], ...] = (
    (Intent.DEFINITION, rf"(?:definitions?|declaration|implementation|source) (?:of|for) {_THING}"),
    (
        Intent.DEFINITION,
        rf"where(?: is|'s|s| are) {_THING} (?:defined|declared|implemented|located)",
    ),
    (Intent.DEFINITION, rf"(?:define|go to|goto|jump to|locate) {_THING}"),
    (Intent.CALLER, rf"(?:callers?|call sites|calls|invocations) (?:of|to|for) {_THING}"),
    (Intent.CALLER, rf"(?:who|what|which \w+)(?: all)? (?:calls?|invokes?) {_THING}"),
    (Intent.CALLER, rf"where(?: is|'s|s| are) {_THING} (?:called|invoked)(?: from)?"),
    (Intent.CALLER, rf"where do (?:we|i|they|you) (?:call|invoke) {_THING}"),
    (Intent.CALLER, rf"{_CODE} (?:calling|invoking|that calls?) {_THING}"),
    (Intent.TEST, rf"(?:tests?|specs?|test cases|coverage) (?:for|of|on|covering) {_THING}"),
    (Intent.TEST, rf"(?:unit|integration) tests? (?:for|of|covering) {_THING}"),
    (Intent.TEST, rf"where(?: is|'s|s| are) {_THING} (?:tested|covered)"),
    (Intent.TEST, rf"(?:who|what|which tests?) (?:tests?|covers?) {_THING}"),
    (Intent.TEST, rf"how (?:is|are) {_THING} tested"),
    (Intent.DOC, rf"(?:docs?|documentation|guide|readme) (?:for|of|on|about) {_NOUN}{_SUBJECT}"),
    (Intent.DOC, rf"where(?: is|'s|s| are) {_NOUN}{_SUBJECT} documented"),
    (Intent.IMPORT, rf"(?:imports?|importers) (?:of|for) {_THING}"),
    (Intent.IMPORT, rf"(?:who|what|which \w+) imports? {_THING}"),
    (Intent.IMPORT, rf"where(?: is|'s|s| are) {_THING} imported(?: from)?"),
    (Intent.IMPORT, rf"imports {_THING}"),
    (Intent.IMPORT, rf"{_CODE} (?:importing|that imports?) {_THING}"),
    (Intent.EXPORT, rf"(?:exports?|re-exports?|exporters)(?: (?:of|for))? {_THING}"),
    (Intent.EXPORT, rf"(?:who|what|which \w+) (?:re-)?exports? {_THING}"),
    (Intent.EXPORT, rf"where(?: is|'s|s| are) {_THING} (?:re-)?exported(?: from)?"),
    (Intent.REFERENCE, rf"(?:references?|usages?|uses|users|mentions?) (?:of|to|for) {_THING}"),
    (Intent.REFERENCE, rf"where do (?:we|i|they|you) use {_THING}"),
    (Intent.REFERENCE, rf"(?:where|how)(?: is|'s|s| are) {_THING} (?:{_USED})"),
    (Intent.REFERENCE, rf"{_CODE} (?:using|referencing|that uses?) {_THING}"),
    (Intent.REFERENCE, rf"(?:who|what|which \w+) (?:uses?|references?|depends on) {_THING}"),
)
_COMPILED = tuple(
    (intent, re.compile(rf"{LEAD_IN}{pattern}", re.IGNORECASE)) for intent, pattern in _PATTERNS
)
# A bare name asks for its definition: `parseConfig`, `Cache.get`, `a::b`, `render()`.
_BARE_NAME = re.compile(r"[^\W\d][\w$]*(?:(?:::|[.#/]|->)[\w$]+)*(?:\(\))?")
_PLAIN_WORD = re.compile(r"[a-z]+")
_LINE = re.compile(r"(.+\.\w+)(?::|#L)(\d{1,7})(?:[-:]L?\d{1,7})?")
_MAX_LENGTH = 1_000


def read_question(query: str) -> Question:
    """Parse a query; prose has an unknown intent and no target."""
    text = " ".join(query[:_MAX_LENGTH].split()).rstrip("?!. ")
    for intent, pattern in _COMPILED:
        found = pattern.fullmatch(text)
        target = _bare(found["target"]) if found else None
        if target:
            return Question(intent, target)
    name = _bare(text)
    if name and _BARE_NAME.fullmatch(name) and not _PLAIN_WORD.fullmatch(name):
        return Question(Intent.DEFINITION, name)
    return Question(Intent.UNKNOWN, None)


def plain_word(query: str) -> str | None:
    """The only word of a query, if it may be prose as well as a name; the code graph knows."""
    text = query.strip().rstrip("?!. ")
    return text if _PLAIN_WORD.fullmatch(text) else None


def name_parts(path: str) -> tuple[str, ...]:
    """Split a name path in any notation, outermost name first. A file that qualifies it counts
    as the names of its folders and its module."""
    named = _TYPE_ARGUMENTS.sub("", _ARGUMENTS.sub("", path.strip()))
    named = _ENDING.sub(lambda found: "" if language_of(f"x{found[1]}") else found[1], named)
    return tuple(part for part in _SEPARATOR.split(_POINTER.sub(r"\1", named)) if part)


def line_of(text: str) -> tuple[str, int] | None:
    """The file and the line that a text names, as in `src/cart.py:20` or `cart.py#L20-25`."""
    found = _LINE.fullmatch(text.strip())
    return (found[1], int(found[2])) if found and language_of(found[1]) else None


def _bare(target: str) -> str | None:
    """Remove quotes and call brackets around a name."""
    return target.strip("`'\"‘’“”«»").removesuffix("()").strip("`'\"") or None
