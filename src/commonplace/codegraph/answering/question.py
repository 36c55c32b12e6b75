"""Reads a code_map query: what is asked, and of which symbol; not whether there is one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum


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
    """`target` is None where no symbol is named; `parts` is its name path, outermost first."""

    intent: Intent
    target: str | None

    @property
    def parts(self) -> tuple[str, ...]:
        return name_parts(self.target or "")


# A sign before a private name is part of it: `Class#member` has two names, so has `Class.#own`.
_SEPARATOR = re.compile(r"::|[./]|(?<=\w)#|->")
_SYMBOL = r"(?P<target>\S+)"
# Docs may be asked about a subject of several words; everything else about one symbol.
_SUBJECT = r"(?P<target>.+?)"
_NOUN = r"(?:(?:the|a|an|all|any|our|my) +)*"
_KIND = r"(?:(?:function|method|class|interface|type|enum|constant|variable|symbol|module) +)?"
_THING = rf"{_NOUN}{_KIND}{_SYMBOL}(?: +(?:function|method|class|interface|type|enum))?"
_CODE = r"(?:code|files|modules|classes|functions|places)"
ASKED = r"(?:(?:please|can you|could you|show|list|find|give|get|tell|me|us|all|the|what are) ++)*+"

# In the order they are tried; the first that matches the whole query decides.
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
    (Intent.REFERENCE, rf"(?:where|how)(?: is|'s|s| are) {_THING} (?:used|referenced|mentioned)"),
    (Intent.REFERENCE, rf"{_CODE} (?:using|referencing|that uses?) {_THING}"),
    (Intent.REFERENCE, rf"(?:who|what|which \w+) (?:uses?|references?|depends on) {_THING}"),
)
_COMPILED = tuple(
    (intent, re.compile(rf"{ASKED}{pattern}", re.IGNORECASE)) for intent, pattern in _PATTERNS
)
# A name alone asks for its definition: `parseConfig`, `Cache.get`, `a::b`, `render()`.
_ALONE = re.compile(r"[^\W\d][\w$]*(?:(?:::|[.#/]|->)[\w$]+)*(?:\(\))?")
_WORD_OF_PROSE = re.compile(r"[a-z]+")
_LONGEST = 1_000


def read_question(query: str) -> Question:
    """The intent and the target; unknown where the query is prose."""
    text = " ".join(query[:_LONGEST].split()).rstrip("?!. ")
    for intent, pattern in _COMPILED:
        found = pattern.fullmatch(text)
        target = _bare(found["target"]) if found else None
        if target:
            return Question(intent, target)
    name = _bare(text)
    if name and _ALONE.fullmatch(name) and not _WORD_OF_PROSE.fullmatch(name):
        return Question(Intent.DEFINITION, name)
    return Question(Intent.UNKNOWN, None)


def name_parts(path: str) -> tuple[str, ...]:
    """A name path in any notation, outermost first."""
    return tuple(part for part in _SEPARATOR.split(path) if part)


def _bare(target: str) -> str | None:
    """A name without the quotes and call brackets that people write around it."""
    return target.strip("`'\"‘’“”«»").removesuffix("()").strip("`'\"") or None
